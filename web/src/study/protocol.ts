// What goes over the wire, as backburner.study.pages has it: written by web/wire.py, in `make web`.

export type Answer = string | number | string[] | null;

export interface Arrive {
  kind: "arrive";
  parameters?: Record<string, string>;
  token?: string;
  language?: string;
}

export interface Send {
  kind: "send";
  position: number;
  answers?: Record<string, string | number | string[] | null>;
  agreed?: boolean;
  attempt?: number;
}

export interface Speak {
  kind: "speak";
  language: string;
}

export interface Stop {
  kind: "stop";
  delete?: boolean;
}

export interface Decision {
  step: number;
  seconds: number;
  round_trip: number | null;
  away: number;
  away_seconds: number;
  input: "" | "key" | "mouse" | "pen" | "touch";
  view: "2d" | "3d";
}

export interface Change {
  what: "help" | "recipes" | "solid" | "sound" | "theme" | "timeline";
  on: boolean;
  seconds: number;
}

export interface Notice {
  kind: "notice";
  position: number;
  decisions?: Decision[];
  changes?: Change[];
}

export interface Read {
  kind: "read";
  number: number;
}

export interface Ping {
  kind: "ping";
  round_trip?: number | null;
  away?: boolean;
}

export interface Admitted {
  kind: "admitted";
  token: string;
}

export interface TurnedAway {
  kind: "turned_away";
  why: string;
  language: string;
  direction: "ltr" | "rtl";
}

export interface Run {
  text: string;
  mark?: "" | "address" | "em" | "strong";
}

export interface Block {
  kind: "heading" | "list" | "numbers" | "paragraph" | "picture" | "video";
  lines: Run[][];
  source?: string;
}

export interface WordsTold {
  kind: "words";
  language: string;
  direction: "ltr" | "rtl";
  languages: string[];
  title: string;
  contact: Block[];
  words: Record<string, string>;
  withdrawal: "ask" | "delete" | "keep";
  colours: "dark" | "light" | "own";
}

export interface OptionTold {
  value: string;
  text: string;
}

export interface ItemTold {
  name: string;
  type: "choice" | "likert" | "number" | "text";
  text: string;
  required: boolean;
  points: number;
  low: string;
  high: string;
  options: OptionTold[];
  several: boolean;
  lowest: number | null;
  highest: number | null;
  whole: boolean;
  lines: number;
  longest: number;
}

export interface Game {
  game: string;
  seat: string;
  token: string;
  offers: ("help" | "recipes" | "solid" | "sound" | "theme" | "timeline")[];
  lessons: boolean;
}

export interface Waiting {
  present: number;
  needed: number;
  seconds_left: number;
}

export interface StageTold {
  kind: "stage";
  position: number;
  stages: number | null;
  name: string;
  stage: "consent" | "end" | "form" | "play" | "text" | "wait";
  title: string;
  text: Block[];
  boxes: string[];
  items: ItemTold[];
  problems: Record<string, string>;
  notice: string;
  least_seconds: number;
  practice: boolean;
  trial: number;
  trials: number;
  game: Game | null;
  waiting: Waiting | null;
  attempt: number;
  messages: string[];
  message: number;
  code: string;
  back: string;
}

export interface Pong {
  kind: "pong";
}

export interface Closed {
  kind: "closed";
  why: string;
  again: boolean;
}

export type FromPage = Arrive | Send | Speak | Stop | Notice | Read | Ping;
export type FromServer = Admitted | TurnedAway | WordsTold | StageTold | Pong | Closed;
