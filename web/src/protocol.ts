// What goes over the wire, as backburner.serve.protocol has it: written by web/wire.py, in `make web`.

export type Cell = [number, number];

export interface Hello {
  kind: "hello";
  token: string;
  seen?: number;
  name?: string;
  host?: string;
  game?: string;
}

export interface PressDone {
  key?: string;
  place?: string;
  button?: string;
  body?: string;
  hold?: "" | "end" | "start";
}

export interface Move {
  kind: "move";
  id: number;
  number: number;
  line?: string | null;
  option?: number | null;
  label?: string | null;
  body?: string;
  press?: PressDone | null;
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

export interface Ready {
  kind: "ready";
}

export interface Ping {
  kind: "ping";
  id?: number;
}

export interface Wanted {
  kind: "agent" | "model" | "person";
  name?: string;
  model?: string;
}

export interface Replace {
  kind: "replace";
  seat: string;
  player: Wanted;
}

export interface Renew {
  kind: "renew";
  seat?: string;
}

export interface Begin {
  kind: "begin";
}

export interface End {
  kind: "end";
}

export interface GamePlan {
  scenario: string;
  players?: Record<string, Wanted>;
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
  after?: "all" | "lesson" | "nothing";
}

export interface Again {
  step?: number;
  scenario?: string;
}

export interface SeatTold {
  seat: string;
  player: string;
  kind: "agent" | "model" | "person";
  present: boolean;
  stands_in: string;
  thinking_seconds: number | null;
  trouble: string;
}

export interface Click {
  click_on: string;
  button: string;
}

export interface ClickAction {
  name: string;
  input_instructions: Click;
}

export interface Key {
  key: string;
  at: string | null;
}

export interface KeyAction {
  name: string;
  input_instructions: Key;
}

export interface Controls {
  mouse_click_actions: ClickAction[];
  keyboard_actions: KeyAction[];
}

export interface OptionTold {
  label: string;
  gloss: string;
  body: string;
  verb: string;
  things: (string | string[])[];
  passes: boolean;
}

export interface Progress {
  label: string;
  done: number;
  full: number;
  paused?: boolean;
  runs_out?: boolean;
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
  at: [number, number];
  marks?: string[];
  traits?: string[];
  stack?: Thing[];
  progress?: Progress[];
}

export interface Body {
  name: string;
  kind: string;
  at: [number, number] | null;
  facing?: [number, number];
  place?: string;
  holding?: Thing[];
  marks?: string[];
  progress?: Progress[];
  says?: string;
}

export interface Other {
  kind: string;
  at: [number, number];
  name?: string;
}

export interface Ground {
  corner: [number, number];
  width: number;
  depth: number;
  kinds: string[];
  runs: [number, number, number][];
  others?: Other[];
  source?: string;
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
  cards?: boolean;
}

export interface TutorialStep {
  say: string;
  places: string[];
  keys: string[];
  holds: string;
  has: string;
  event: string;
}

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

export interface Walking {
  floor: string[];
  step_ticks: number;
}

export interface Welcome {
  kind: "welcome";
  game: string;
  seat: string;
  role: "host" | "onlooker" | "player";
  hosts: boolean;
  title: string;
  scenario: string;
  briefing: string;
  help: string;
  goal: string;
  time_unit: string;
  seats: SeatTold[];
  controls: Controls | null;
  moves: OptionTold[];
  scene: Scene | null;
  verbs: Record<string, string[]>;
  wording: Record<string, string>;
  live: boolean;
  tick_seconds: number | null;
  pace_seconds: number | null;
  strict: boolean;
  watched: boolean;
  stand_in: string;
  tutorial: string;
  steps: TutorialStep[];
  graphs: Graph[];
  last_id: number;
  walking: Walking | null;
  ghosts: boolean;
}

export interface Lobby {
  kind: "lobby";
  waiting: string[];
  needed: number;
  seconds_left: number | null;
  seats: SeatTold[];
  ready: string[];
  counting: boolean;
}

export interface Event {
  time: number;
  what: "delivered" | "end" | "expired" | "pause" | "resume" | "said" | "score" | "start";
  lane?: string;
  label?: string;
  key?: string;
  kind?: "differs" | "refused" | "wait" | "work";
  value?: number | null;
}

export interface Past {
  kind: "past";
  number: number;
  events: Event[];
}

export interface ShotTold {
  time: number;
  scene: Scene;
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
  free_from?: Record<string, number>;
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
  status: "accepted" | "confirm" | "explained" | "late" | "refused";
  why: string;
  number: number;
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
  lesson: boolean;
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

export interface Opened {
  game: string;
  host: string;
  seats: Record<string, string>;
  watch: string;
}

export interface Pick {
  name: string;
  about: string;
  title: string;
}

export interface SuiteTold {
  id: string;
  scenarios: number;
}

export interface WorldTold {
  name: string;
  title: string;
  picks: Pick[];
  suites: SuiteTold[];
  trouble: string;
  tutorial: string;
}

export interface Named {
  name: string;
  about: string;
}

export interface OffersTold {
  version: string;
  guarded: boolean;
  worlds: WorldTold[];
  models: Named[];
  methods: Named[];
  watch: string;
  elsewhere: string;
}

export interface ScenarioTold {
  id: string;
  title: string;
  seats: string[];
  goal: string;
  briefing: string;
  time_unit: string;
  agents: Named[];
  stand_in: string;
  people: boolean;
  models: boolean;
  drawn: boolean;
  rules: string[];
  limits: string[];
  options: Record<string, string>;
  pace: "clock" | "turns";
  other_pace: string;
  reported: boolean;
  other_place: string;
  chat: string;
}

export interface GameTold {
  game: string;
  title: string;
  scenario: string;
  status: "lobby" | "over" | "playing";
  steps: number;
  why: string;
}

export interface Played {
  who: "best" | "greedy" | "you";
  value: number;
  share: number;
  complete: boolean;
  ends: number;
  events: Event[];
}

export interface Window {
  lane: string;
  label: string;
  opens: number;
  closes: number;
  state: "kept" | "missed" | "open";
  met?: number | null;
}

export interface Moment {
  step: number;
  last: number;
  time: number;
  did: string;
  cost: number | null;
  estimated: boolean;
  better: string;
}

export interface Lesson {
  unit: string;
  sense: "max" | "min";
  time_unit: string;
  total: number | null;
  plays: Played[];
  proven: boolean;
  bound: number | null;
  windows: Window[];
  costliest: Moment | null;
  points: Moment[];
  lacks: string[];
}

export interface LessonTold {
  headline: string;
  lesson: Lesson;
  again: boolean;
  next: string;
  harder: string;
}

export interface OpenedAgain {
  opened: Opened;
  plan: GamePlan;
  seat: string;
  title: string;
}

export interface Row {
  names: string[];
  told: string;
  ended: number;
}

export interface BoardTold {
  scenario: string;
  title: string;
  today: Row[];
  best: Row[];
}

export interface Ghost {
  name: string;
  events: Event[];
}

export type FromPage = Hello | Move | Confirm | Leave | Back | Ready | Ping | Replace | Renew | Begin | End;
export type FromServer = Welcome | Lobby | Past | Frame | Turn | Told | People | LinkTold | Over | Closed | Pong;

export const KINDS: readonly FromServer["kind"][] = ["welcome", "lobby", "past", "frame", "turn", "told", "people", "link", "over", "closed", "pong"];
