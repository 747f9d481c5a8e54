// What goes over the wire, as serve/protocol.py has it (a test compares names and fields of every message).
// A field with a question mark is left out where it has its default.

// --- scenes -------------------------------------------------------------------------------------------

export type Cell = [number, number];

export interface Progress {
  label: string;
  done: number;
  full: number;
  paused?: boolean;
}

export interface Thing {
  name: string;
  kind: string;
  marks?: string[];
  traits?: string[];
  progress?: Progress[];
  inside?: Thing[];
}

export interface Place {
  name: string;
  kind: string;
  at: Cell;
  marks?: string[];
  traits?: string[];
  stack?: Thing[];
  progress?: Progress[];
}

export interface Body {
  name: string;
  kind: string;
  at: Cell | null;
  facing?: [number, number];
  place?: string;
  holding?: Thing[];
  marks?: string[];
  progress?: Progress[];
  says?: string;
}

export interface Scene {
  width: number;
  height: number;
  places?: Place[];
  bodies?: Body[];
  beside?: Thing[];
  caption?: string;
  corner?: [number, number];
  ground?: Ground | null;
}

/** What a scene stands on, where somebody has seen it from above: runs of columns of one kind and height. */
export interface Ground {
  corner: [number, number];
  width: number;
  depth: number;
  kinds: string[];
  runs: [number, number, number][];
  others?: Other[];
  source?: string;
}

export interface Other {
  kind: string;
  at: [number, number];
  name?: string;
}

export interface Event {
  time: number;
  what: "start" | "pause" | "resume" | "end" | "score" | "delivered" | "expired" | "said";
  lane?: string;
  label?: string;
  key?: string;
  kind?: "work" | "wait" | "refused" | "differs";
  value?: number | null;
}

// --- keys and clicks ----------------------------------------------------------------------------------

export interface Click {
  click_on: string;
  button: string;
}

export interface Key {
  key: string;
  at: string | null;
}

export interface ClickAction {
  name: string;
  input_instructions: Click;
}

export interface KeyAction {
  name: string;
  input_instructions: Key;
}

export interface Controls {
  mouse_click_actions: ClickAction[];
  keyboard_actions: KeyAction[];
}

// --- from a page --------------------------------------------------------------------------------------

export interface Hello {
  kind: "hello";
  token: string;
  seen: number;
  game: string;
  name: string;
  host: string;
}

export interface PressDone {
  key?: string;
  place?: string;
  button?: string;
  body?: string;
  hold?: "" | "start" | "end";
}

export interface Move {
  kind: "move";
  id: number;
  number: number;
  line?: string;
  option?: number;
  press?: PressDone;
}

export interface Confirm {
  kind: "confirm";
  id: number;
}

export interface Leave {
  kind: "leave";
}

export interface Back {
  kind: "back";
}

export interface Ping {
  kind: "ping";
  id: number;
}

export interface Replace {
  kind: "replace";
  seat: string;
  player: Wanted;
}

export interface Renew {
  kind: "renew";
  seat: string;
}

export interface Begin {
  kind: "begin";
}

export interface End {
  kind: "end";
}

// --- who plays ----------------------------------------------------------------------------------------

export interface Wanted {
  kind: "person" | "agent" | "model";
  name: string;
  model: string;
}

export interface SeatTold {
  seat: string;
  player: string;
  kind: "person" | "agent" | "model";
  present: boolean;
  stands_in: string;
  thinking_seconds: number | null;
  trouble: string;
}

// --- from the server ----------------------------------------------------------------------------------

export interface GraphNode {
  name: string;
  column: number;
  y: number;
  duration: number;
  operator_time: number;
}

export interface Graph {
  name: string;
  nodes: GraphNode[];
  edges: [number, number][][];
  height: number;
}

export interface Welcome {
  kind: "welcome";
  game: string;
  seat: string;
  role: "player" | "host" | "onlooker";
  hosts: boolean;
  title: string;
  scenario: string;
  briefing: string;
  help: string;
  goal: string;
  time_unit: string;
  seats: SeatTold[];
  controls: Controls | null;
  verbs: Record<string, string[]>;
  live: boolean;
  tick_seconds: number | null;
  pace_seconds: number | null;
  strict: boolean;
  watched: boolean;
  stand_in: string;
  graphs: Graph[];
  last_id: number;
}

export interface Lobby {
  kind: "lobby";
  waiting: string[];
  needed: number;
  seconds_left: number | null;
  seats: SeatTold[];
}

export interface ShotTold {
  time: number;
  scene: Scene;
}

export interface Past {
  kind: "past";
  number: number;
  events: Event[];
}

export interface Frame {
  kind: "frame";
  number: number;
  time: number;
  scene: Scene | null;
  text: string;
  shots: ShotTold[];
  events: Event[];
  deciding: string[];
}

export interface OptionTold {
  label: string;
  gloss: string;
  body: string;
  verb: string;
  things: (string | string[])[];
  passes: boolean;
}

export interface SuggestionTold {
  line: string;
  gloss: string;
  label: string;
}

export interface Turn {
  kind: "turn";
  number: number;
  asked: string;
  news: string;
  refused: boolean;
  state: string;
  question: string;
  recipes: string;
  text: string;
  options: OptionTold[];
  suggestions: SuggestionTold[];
  labels: Record<string, string>;
  deadline_seconds: number | null;
}

export interface Told {
  kind: "told";
  id: number;
  status: "accepted" | "explained" | "late" | "refused" | "confirm";
  why: string;
}

export interface People {
  kind: "people";
  seats: SeatTold[];
}

export interface LinkTold {
  kind: "link";
  seat: string;
  token: string;
}

export interface Over {
  kind: "over";
  status: string;
  reason: string;
  numbers: Record<string, number>;
  record: boolean;
  why: string;
}

export interface Closed {
  kind: "closed";
  why: string;
  again: boolean;
}

export interface Pong {
  kind: "pong";
  id: number;
}

// --- games that are asked for -------------------------------------------------------------------------

export interface GamePlan {
  scenario: string;
  players: Record<string, Wanted>;
  rules?: string;
  limits?: string;
  seed?: number;
  title?: string;
  strict?: boolean;
  watch?: boolean;
  stand_in?: string;
  quorum?: number | null;
  lobby_seconds?: number | null;
  away_seconds?: number;
  pace_seconds?: number | null;
  beat_seconds?: number;
  agreed?: boolean;
}

export interface Opened {
  game: string;
  host: string;
  seats: Record<string, string>;
  watch: string;
}

export type FromPage = Hello | Move | Confirm | Leave | Back | Ping | Replace | Renew | Begin | End;
export type FromServer =
  | Welcome | Lobby | Past | Frame | Turn | Told | People | LinkTold | Over | Closed | Pong;

const KINDS = new Set<string>([
  "welcome", "lobby", "past", "frame", "turn", "told", "people", "link", "over", "closed", "pong",
] satisfies FromServer["kind"][]);

/** A message of the server; `null` for what this page does not know, such as one of a newer server. */
export function read(text: string): FromServer | null {
  const message: unknown = JSON.parse(text);
  if (typeof message !== "object" || message === null || !("kind" in message)) return null;
  return KINDS.has(String(message.kind)) ? (message as FromServer) : null;
}
