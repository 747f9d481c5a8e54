// A participant's line to the server: opened again after it was lost, and nothing that was shown is lost with it.
import { LONGEST_WAIT, waitBefore } from "../connection";
import type { Answer, Change, Decision, FromPage, FromServer, StageTold, TurnedAway, WordsTold } from "./protocol";

/** So often a waiting page says that it is there, in milliseconds. */
const PING_EVERY = 20_000;
/** The same where round trips are measured. */
const MEASURE_EVERY = 2_000;
/** What tells that a page is looked at, or not any more. */
const LOOKS = ["focus", "blur", "visibilitychange"] as const;

export interface State {
  link: "connecting" | "open" | "lost" | "closed";
  words: WordsTold | null;
  stage: StageTold | null;
  away: TurnedAway | null;
  closed: string;
}

/** The state after a message. A stage that is shown already stays the same object, so that forms keep what is
 * typed. */
export function after(state: State, message: FromServer): State {
  switch (message.kind) {
    case "words":
      return { ...state, words: message, link: "open" };
    case "stage":
      return { ...state, stage: message };
    case "turned_away":
      return { ...state, away: message };
    case "closed":
      return { ...state, closed: message.again ? "" : message.why, link: message.again ? "lost" : "closed" };
    default:
      return state;
  }
}

export const EMPTY: State = { link: "connecting", words: null, stage: null, away: null, closed: "" };

const kept = (name: string): string => {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return ""; // a browser that keeps nothing: the link alone leads back
  }
};

const keep = (name: string, value: string): void => {
  try {
    localStorage.setItem(name, value);
  } catch {
    // as above
  }
};

export class Session {
  state: State = EMPTY;
  private socket: WebSocket | null = null;
  private attempt = 0;
  private done = false;
  private retry = 0;
  private ping = 0;
  private asked: number | null = null;
  private tripped: ((milliseconds: number) => void) | null = null;
  private trip: number | null = null;
  private readonly looks = (): void => this.measure();

  constructor(private readonly path: string, private readonly parameters: Record<string, string>, private readonly changed: () => void) {}

  open(): void {
    for (const of of LOOKS) window.addEventListener(of, this.looks);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${this.path}/ws`);
    this.socket = socket;
    this.asked = null;
    socket.onopen = () => {
      this.say({ kind: "arrive", parameters: this.parameters, token: kept(this.place), language: navigator.languages.join(",").slice(0, 500) });
      window.clearInterval(this.ping);
      this.ping = window.setInterval(() => this.measure(), PING_EVERY);
    };
    socket.onmessage = (event: MessageEvent<string>) => this.hear(JSON.parse(event.data) as FromServer);
    socket.onclose = () => this.lost(socket);
  }

  close(): void {
    this.done = true;
    window.clearTimeout(this.retry);
    window.clearInterval(this.ping);
    for (const of of LOOKS) window.removeEventListener(of, this.looks);
    this.socket?.close();
  }

  send(position: number, answers: Record<string, Answer> = {}, agreed = false): void {
    this.say({ kind: "send", position, answers, agreed, attempt: this.state.stage?.attempt ?? 0 });
  }

  speak(language: string): void {
    this.say({ kind: "speak", language });
  }

  stop(remove: boolean): void {
    this.say({ kind: "stop", delete: remove });
  }

  /** What the page of a game has noticed; `false`: it cannot be told now. */
  notice(position: number, decisions: Decision[], changes: Change[]): boolean {
    return this.say({ kind: "notice", position, decisions, changes });
  }

  /** Tells each round trip to the server from now on; what is returned ends it. */
  measuring(tripped: (milliseconds: number) => void): () => void {
    this.tripped = tripped;
    const timer = window.setInterval(() => this.measure(), MEASURE_EVERY);
    return () => {
      this.tripped = null;
      window.clearInterval(timer);
    };
  }

  /** The researcher's messages up to this one were read. */
  read(number: number): void {
    this.say({ kind: "read", number });
  }

  /** Measures a round trip now, and tells the one before and whether this page is looked at. */
  measure(): void {
    const away = document.visibilityState !== "visible" || !document.hasFocus();
    if (this.say({ kind: "ping", round_trip: this.trip, away })) this.asked ??= performance.now();
  }

  private get place(): string {
    return `backburner${this.path}`;
  }

  private say(message: FromPage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  private hear(message: FromServer): void {
    if (message.kind === "pong") {
      if (this.asked !== null) {
        const milliseconds = performance.now() - this.asked;
        this.trip = Math.round(milliseconds) / 1000;
        this.tripped?.(milliseconds);
      }
      this.asked = null;
      return;
    }
    if (message.kind === "admitted") keep(this.place, message.token);
    if (message.kind === "words") {
      this.attempt = 0;
      this.measure();
    }
    if (message.kind === "closed" && !message.again) this.close();
    this.state = after(this.state, message);
    this.changed();
  }

  private lost(socket: WebSocket): void {
    window.clearInterval(this.ping);
    if (this.done || socket !== this.socket) return;
    this.state = { ...this.state, link: "lost" };
    this.changed();
    this.retry = window.setTimeout(() => this.open(), Math.min(LONGEST_WAIT, waitBefore(this.attempt, Math.random())));
    this.attempt += 1;
  }
}
