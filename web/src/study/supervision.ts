// What goes over the wire, as backburner.study.supervision has it: written by web/wire.py, in `make web`.
import type { Closed, Frame, SeatTold } from "../protocol";


export interface Enter {
  kind: "enter";
  token: string;
}

export interface Write {
  kind: "write";
  text: string;
  to?: string;
}

export interface Drop {
  kind: "drop";
  participant: string;
  reason: string;
}

export interface Recruit {
  kind: "recruit";
  open: boolean;
}

export interface Whereabouts {
  participant: string;
  group: string;
  condition: string;
  part: string;
  position: number;
  parts: number | null;
  seconds: number;
  pages: number;
  round_trip: number | null;
  away: boolean;
  waits: boolean;
  game: string;
  stands_in: string;
  unread: number;
  ended: string;
}

export interface Overview {
  kind: "overview";
  title: string;
  people: Whereabouts[];
  more: number;
  columns: string[];
  flow: string[][];
  games: string[];
  closed: boolean;
}

export interface GameShown {
  kind: "game";
  game: string;
  part: string;
  condition: string;
  unit: string;
  people: Record<string, string>;
  seats: SeatTold[];
  frame: Frame;
}

export interface Answered {
  kind: "answered";
  words: string;
  wrong: boolean;
}

export type FromPage = Enter | Write | Drop | Recruit;
export type FromServer = Overview | GameShown | Answered | Closed;
