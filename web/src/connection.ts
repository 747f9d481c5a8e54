// The socket of a page: it greets, is opened again after it was lost, and never sends a thing twice.
import { type FromPage, type FromServer, KINDS } from "./protocol";

const KNOWN = new Set<string>(KINDS);

/** A message of the server; `null` for what this page does not know, such as one of a newer server. */
function read(text: string): FromServer | null {
  const message: unknown = JSON.parse(text);
  if (typeof message !== "object" || message === null || !("kind" in message)) return null;
  return KNOWN.has(String(message.kind)) ? (message as FromServer) : null;
}

export type Link = "connecting" | "open" | "lost" | "closed";

/** What of a WebSocket is used, so that tests can do without one. */
export interface Socket {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  readyState: number;
  send(text: string): void;
  close(): void;
}

export interface Clock {
  later(work: () => void, milliseconds: number): unknown;
  cancel(handle: unknown): void;
  now(): number;
  random(): number;
}

export interface Surroundings extends Clock {
  open(url: string): Socket;
}

const BROWSER: Surroundings = {
  open: (url) => new WebSocket(url),
  later: (work, milliseconds) => window.setTimeout(work, milliseconds),
  cancel: (handle) => window.clearTimeout(handle as number),
  now: () => performance.now(),
  random: Math.random,
};

export const FIRST_WAIT = 300;
export const LONGEST_WAIT = 10_000;

/** After so much silence the page asks whether anybody is there, and after so much more it gives the line up. */
export interface Patience {
  ask: number;
  giveUp: number;
}
export const PATIENT: Patience = { ask: 4_000, giveUp: 4_000 };
/** Where a picture follows the other several times a second. */
export const STREAMING: Patience = { ask: 1_200, giveUp: 300 };
/** The `attempt`-th try (from 0) may hang, as the line is dead still; later ones are given more time. */
export const tries = (attempt: number): Patience => ({ ask: Math.min(30_000, 1_000 * 2 ** attempt), giveUp: 1_000 });
/** Pictures that come so soon after each other are a stream. */
export const STREAM = 1_000;
/** A timer that is late by more says that the page stood still itself, as hidden ones do, and nothing of the line. */
export const LATE = 250;

/** So long to wait before the `attempt`-th new try (from 0), in milliseconds: doubled each time, and spread,
 * so that the pages of a server that was started again do not come all at once. */
export function waitBefore(attempt: number, random: number): number {
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt) * (0.5 + random / 2);
}

const OPEN = 1;

export class Connection {
  private socket: Socket | null = null;
  private attempt = 0;
  private retry: unknown = null;
  private ping: unknown = null;
  private done = false;
  private live = false;
  private pictured = -Infinity;
  private patience = PATIENT;

  /** `greeting` is made anew for each socket: it says what the page has seen by then. */
  constructor(
    private readonly url: string,
    private readonly greeting: () => FromPage,
    private readonly hear: (message: FromServer) => void,
    private readonly link: (link: Link) => void,
    private readonly around: Surroundings = BROWSER,
  ) {}

  open(): void {
    if (this.done) return;
    this.around.cancel(this.retry);
    this.link(this.attempt ? "lost" : "connecting");
    const socket = this.around.open(this.url);
    this.socket = socket;
    this.patience = tries(this.attempt);
    this.watch(socket);
    socket.onopen = () => {
      socket.send(JSON.stringify(this.greeting()));
      this.watch(socket);
    };
    socket.onmessage = (event: MessageEvent<string>) => this.take(socket, event.data);
    socket.onclose = () => this.lost(socket);
  }

  /** Whether the message has left. What cannot be sent now is not sent later: the moment has passed. */
  send(message: FromPage): boolean {
    if (this.socket?.readyState !== OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Try at once, as when the network is back. */
  now(): void {
    if (this.socket === null && !this.done) this.open();
  }

  close(): void {
    this.done = true;
    this.around.cancel(this.retry);
    this.around.cancel(this.ping);
    this.socket?.close();
    this.socket = null;
  }

  private take(socket: Socket, text: string): void {
    if (socket !== this.socket) return;
    const message = read(text);
    if (message) this.expect(message);
    this.watch(socket);
    if (message === null || message.kind === "pong") return;
    if (message.kind === "welcome") {
      this.attempt = 0;
      this.link("open");
    }
    if (message.kind === "closed" && !message.again) {
      this.close();
      this.link("closed");
    }
    this.hear(message);
  }

  /** How long silence may last after this message. */
  private expect(message: FromServer): void {
    if (message.kind === "welcome") [this.live, this.patience] = [message.live, PATIENT];
    if (message.kind === "frame") {
      const now = this.around.now();
      this.patience = this.live && now - this.pictured < STREAM ? STREAMING : PATIENT;
      this.pictured = now;
    } else if (message.kind === "over" || message.kind === "pong") this.patience = PATIENT; // the clock stands still
  }

  /** A line that is dead without anybody having said so is found out by asking. */
  private watch(socket: Socket): void {
    const { ask, giveUp } = this.patience;
    const dead = (): void => {
      socket.close();
      this.lost(socket);
    };
    const wait = (after: number, then: (late: boolean) => void): void => {
      this.around.cancel(this.ping);
      const due = this.around.now() + after;
      this.ping = this.around.later(() => then(this.around.now() - due > LATE), after);
    };
    const asked = (): void => {
      this.send({ kind: "ping", id: 0 });
      wait(giveUp, (late) => (late ? asked() : dead()));
    };
    wait(ask, asked);
  }

  private lost(socket: Socket): void {
    if (socket !== this.socket || this.done) return;
    this.socket = null;
    this.around.cancel(this.ping);
    this.link("lost");
    this.retry = this.around.later(() => this.open(), waitBefore(this.attempt, this.around.random()));
    this.attempt += 1;
  }
}
