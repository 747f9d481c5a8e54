// The researcher's line to the server: what it has told, and what was asked for.
import { LONGEST_WAIT, waitBefore } from "../connection";
import type { Answered, FromPage, FromServer, GameShown, Overview } from "./supervision";

export interface Watched {
  link: "connecting" | "open" | "lost" | "closed";
  overview: Overview | null;
  games: ReadonlyMap<string, GameShown>;
  answer: Answered | null;
  why: string;
}

export const NOTHING: Watched = { link: "connecting", overview: null, games: new Map(), answer: null, why: "" };

/** The state after a message; games that are over go with the overview that does not name them. */
export function after(state: Watched, message: FromServer): Watched {
  switch (message.kind) {
    case "overview":
      return { ...state, link: "open", overview: message, games: new Map([...state.games].filter(([game]) => message.games.includes(game))) };
    case "game":
      return { ...state, games: new Map(state.games).set(message.game, message) };
    case "answered":
      return { ...state, answer: message };
    case "closed":
      return { ...state, link: message.again ? "lost" : "closed", why: message.again ? "" : message.why };
  }
}

export class Watch {
  state = NOTHING;
  private socket: WebSocket | null = null;
  private attempt = 0;
  private retry = 0;
  private done = false;

  constructor(private readonly path: string, private readonly token: string, private readonly changed: () => void) {}

  open(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${this.path}/ws`);
    this.socket = socket;
    socket.onopen = () => this.say({ kind: "enter", token: this.token });
    socket.onmessage = (event: MessageEvent<string>) => this.hear(JSON.parse(event.data) as FromServer);
    socket.onclose = () => this.lost(socket);
  }

  close(): void {
    this.done = true;
    window.clearTimeout(this.retry);
    this.socket?.close();
  }

  /** Whether it has left. */
  say(message: FromPage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  private hear(message: FromServer): void {
    this.attempt = 0;
    if (message.kind === "closed" && !message.again) this.close();
    this.state = after(this.state, message);
    this.changed();
  }

  private lost(socket: WebSocket): void {
    if (this.done || socket !== this.socket) return;
    this.state = { ...this.state, link: "lost" };
    this.changed();
    this.retry = window.setTimeout(() => this.open(), Math.min(LONGEST_WAIT, waitBefore(this.attempt, Math.random())));
    this.attempt += 1;
  }
}
