// A game as one page knows it: what the server has said so far, and what the person can do about it.
import { Connection, type Link } from "./connection";
import type {
  Closed, Event, Frame, FromPage, FromServer, Lobby, OptionTold, Over, PressDone, SeatTold, Told, Turn, Wanted, Welcome,
} from "./protocol";
import { Walker } from "./walk";

/** Frames that are kept, so that a player can step back through the game. */
export const MOST_FRAMES = 3000;

/** A link that the host was given for a seat (empty: for onlookers). */
export type Links = Record<string, string>;

export interface State {
  link: Link;
  welcome: Welcome | null;
  lobby: Lobby | null;
  seats: SeatTold[];
  /** The newest frame. */
  frame: Frame | null;
  /** The same with one's own body where its steps that are on their way will lead it. */
  shown: Frame | null;
  frames: Frame[];
  events: Event[];
  /** What is asked now; `null` while others decide. */
  turn: Turn | null;
  /** When the turn came, in milliseconds of this page's clock. */
  turnAt: number;
  /** The move that waits for an answer of the server. */
  sent: number | null;
  told: Told | null;
  over: Over | null;
  closed: Closed | null;
  links: Links;
}

export const EMPTY: State = {
  link: "connecting", welcome: null, lobby: null, seats: [], frame: null, shown: null, frames: [], events: [], turn: null, turnAt: 0,
  sent: null, told: null, over: null, closed: null, links: {},
};

/** The state after a message. */
export function after(state: State, message: FromServer, now: number): State {
  switch (message.kind) {
    case "welcome":
      // A link may lead to one game after the other, as that of a demonstration does.
      if (state.welcome && state.welcome.game !== message.game) {
        return { ...EMPTY, link: state.link, welcome: message, frame: before(message), seats: message.seats };
      }
      return { ...state, welcome: message, frame: state.frame ?? before(message), seats: message.seats, closed: null, sent: null };
    case "lobby":
      return { ...state, lobby: message, seats: message.seats };
    case "past":
      return { ...state, lobby: null, events: [...state.events, ...message.events] };
    case "frame":
      return framed(state, message);
    case "turn":
      // A frame of a game with a clock brings the same question again and again; what was told stays in sight.
      return { ...state, lobby: null, turn: message, turnAt: now, sent: null, told: state.turn ? state.told : null };
    case "told":
      return toldOf(state, message);
    case "people":
      return { ...state, seats: message.seats };
    case "link":
      return { ...state, links: { ...state.links, [message.seat]: message.token } };
    case "over":
      return { ...state, lobby: null, over: message, turn: null, sent: null };
    case "closed":
      return { ...state, closed: message };
    case "pong":
      return state;
  }
}

/** The scene in which a game with a clock will begin, as a frame before the first one. */
const before = ({ scene }: Welcome): Frame | null =>
  scene && { kind: "frame", number: -1, time: 0, scene, text: "", shots: [], events: [], deciding: [] };

function framed(state: State, frame: Frame): State {
  const known = state.frame !== null && frame.number <= state.frame.number;
  if (known) return state; // sent again after a break
  const seat = state.welcome?.seat ?? "";
  const frames = state.frames.length >= MOST_FRAMES ? state.frames.slice(MOST_FRAMES / 10) : state.frames;
  return {
    ...state,
    lobby: null,
    frame,
    frames: [...frames, frame],
    events: frame.events.length ? [...state.events, ...frame.events] : state.events,
    // In a game with a clock nobody is waited for: what can be done stays until something else can be.
    turn: state.welcome?.live || frame.deciding.includes(seat) ? state.turn : null,
  };
}

function toldOf(state: State, told: Told): State {
  const waited = told.id === state.sent;
  switch (told.status) {
    case "accepted":
      return { ...state, told: null, turn: waited && !state.welcome?.live ? null : state.turn, sent: waited ? null : state.sent };
    default:
      return { ...state, told, sent: waited ? null : state.sent };
  }
}

/** The number of the last frame that a page has; -1 for none. */
export const seenBy = (state: State): number => state.frame?.number ?? -1;

/** `choice`: the option that is meant, by its name, in a game with a clock, whose list changes meanwhile. */
export type Act = { option: number } | { choice: OptionTold } | { line: string } | { press: PressDone };

/** Who looks on at all that a page says and hears, as studies do. */
export interface Observer {
  said(message: FromPage): void;
  heard(message: FromServer): void;
}

export class Session {
  observer: Observer | null = null;
  state: State = EMPTY;
  private readonly hearers = new Set<() => void>();
  private readonly connection: Connection;
  private readonly walker: Walker;
  private id = 0;
  private named = "";

  constructor(
    url: string,
    readonly token: string,
    private readonly host: string,
    name: string,
  ) {
    this.named = name;
    this.connection = new Connection(
      url,
      () => this.greeting(),
      (message) => this.take(message),
      (link) => this.set({ ...this.state, link }),
    );
    this.walker = new Walker({
      send: (press) => (this.move({ press }, this.state.frame?.number) ? this.id : null),
      changed: () => this.set(this.state),
      later: (work, milliseconds) => window.setTimeout(work, milliseconds),
      cancel: (handle) => window.clearTimeout(handle as number),
      now: () => performance.now(),
    });
  }

  open(): void {
    window.addEventListener("online", this.again);
    document.addEventListener("visibilitychange", this.again);
    this.connection.open();
  }

  close(): void {
    window.removeEventListener("online", this.again);
    document.removeEventListener("visibilitychange", this.again);
    this.connection.close();
    this.walker.stop();
  }

  subscribe(hear: () => void): () => void {
    this.hearers.add(hear);
    return () => this.hearers.delete(hear);
  }

  /** Answers the turn. `false`: nothing could be sent, so that it has to be done again. */
  act(what: Act): boolean {
    if ("press" in what && this.walker.press(what.press)) return true;
    const { turn, frame, welcome } = this.state;
    const number = welcome?.live ? frame?.number : turn?.number;
    const meant = "choice" in what ? what.choice : welcome?.live && "option" in what ? turn?.options[what.option] : null;
    if (meant === undefined) return false;
    const sent = this.move(meant ? { label: meant.label, body: meant.body } : what, number);
    if (sent && !welcome?.live) this.set({ ...this.state, sent: this.id, told: null });
    return sent;
  }

  private move(said: object, number: number | undefined): boolean {
    if (number === undefined) return false;
    this.id += 1;
    return this.send({ kind: "move", id: this.id, number, ...said } as FromPage);
  }

  confirm(id: number): void {
    if (this.send({ kind: "confirm", id })) this.set({ ...this.state, sent: id, told: null });
  }

  /** Takes an explanation out of sight. */
  understood(): void {
    this.set({ ...this.state, told: null });
  }

  /** All frames of a game that is over, for a page that has not seen them come. */
  lookBack(frames: Frame[]): void {
    if (frames.length) this.set({ ...this.state, frames, events: frames.flatMap((frame) => frame.events) });
  }

  leave = (): boolean => this.send({ kind: "leave" });
  back = (): boolean => this.send({ kind: "back" });
  ready = (): boolean => this.send({ kind: "ready" });
  begin = (): boolean => this.send({ kind: "begin" });
  end = (): boolean => this.send({ kind: "end" });
  renew = (seat: string): boolean => this.send({ kind: "renew", seat });
  replace = (seat: string, player: Wanted): boolean => this.send({ kind: "replace", seat, player });

  private readonly again = (): void => {
    if (document.visibilityState === "visible") this.connection.now();
  };

  private greeting(): FromPage {
    const game = this.state.welcome?.game ?? "";
    return { kind: "hello", token: this.token, seen: seenBy(this.state), game, name: this.named, host: this.host };
  }

  private send(message: FromPage): boolean {
    const sent = this.connection.send(message);
    if (sent) this.observer?.said(message);
    return sent;
  }

  private take(message: FromServer): void {
    if (message.kind === "welcome") {
      this.id = Math.max(this.id, message.last_id);
      this.walker.greet(message);
    }
    this.state = after(this.state, message, performance.now());
    if (message.kind === "told") this.walker.told(message);
    if (message.kind === "frame" && this.state.frame === message) this.walker.take(message);
    this.set(this.state);
    this.observer?.heard(message);
  }

  private set(state: State): void {
    this.state = { ...state, shown: this.walker.shown() ?? state.frame };
    for (const hear of this.hearers) hear();
  }
}
