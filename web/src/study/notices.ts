// What the page of a study's game notices of its participant: when each decision was made, by what, how far the server was.
import type { Offer } from "../offers";
import type { FromPage, FromServer } from "../protocol";
import type { Observer } from "../session";
import type { Change, Decision } from "./protocol";

/** What was noticed is told at most so often, in milliseconds. */
const EVERY = 2_000;
/** What one message holds; without a line so much is kept until there is one. */
const MOST = 100;

export interface Around {
  now(): number;
  later(work: () => void, milliseconds: number): unknown;
  /** Measures a round trip; `send` tells it with what came of it. `false`: there is no line. */
  ping(): void;
  send(decisions: Decision[], changes: Change[]): boolean;
}

export class Notices implements Observer {
  private readonly began: number;
  private live = false;
  private shown = { number: NaN, at: 0 };
  private readonly sent = new Map<number, { step: number; input: Decision["input"] }>();
  private input: Decision["input"] = "";
  private view: Decision["view"] = "2d";
  private trips: number[] = [];
  private away = 0;
  private awayFor = 0;
  private awayAt: number | null = null;
  private decisions: Decision[] = [];
  private changes: Change[] = [];
  private told = -Infinity;
  private waits = false;

  constructor(private readonly around: Around) {
    this.began = around.now();
  }

  /** By what somebody acts now. */
  acts(input: Decision["input"]): void {
    this.input = input;
  }

  /** The page loses the focus, or has it again. */
  looks(here: boolean): void {
    const now = this.around.now();
    if (here && this.awayAt !== null) {
      this.awayFor += now - this.awayAt;
      this.awayAt = null;
    } else if (!here && this.awayAt === null) {
      this.away += 1;
      this.awayAt = now;
    }
  }

  tripped(milliseconds: number): void {
    this.trips.push(milliseconds);
  }

  switched(what: Offer, on: boolean): void {
    if (what === "solid") this.view = on ? "3d" : "2d";
    this.changes.push({ what, on, seconds: seconds(this.around.now() - this.began) });
    this.tell();
  }

  said(message: FromPage): void {
    if (message.kind === "move") this.sent.set(message.id, { step: message.number, input: this.input });
  }

  heard(message: FromServer): void {
    if (message.kind === "welcome") this.live = message.live;
    else if (message.kind === "turn") this.asks(message.number);
    else if (message.kind === "told") this.answered(message.id, message.status);
    else if (message.kind === "over") this.flush();
  }

  /** In a game with a clock each turn follows the last at once: there time counts from one decision to the next. */
  private asks(number: number): void {
    if (this.live ? !Number.isNaN(this.shown.number) : number === this.shown.number) return; // told again after a break
    this.shown = { number, at: this.around.now() };
    this.around.ping();
  }

  private answered(id: number, status: string): void {
    const sent = this.sent.get(id);
    if (status !== "confirm") this.sent.delete(id);
    if (!sent || status !== "accepted") return;
    const now = this.around.now();
    const away = this.awayFor + (this.awayAt === null ? 0 : now - this.awayAt);
    this.decisions.push({
      ...sent, seconds: seconds(now - this.shown.at), round_trip: this.trips.length ? seconds(median(this.trips)) : null,
      away: this.away, away_seconds: seconds(away), view: this.view,
    });
    [this.trips, this.away, this.awayFor] = [[], 0, 0];
    if (this.awayAt !== null) this.awayAt = now;
    if (this.live) this.shown.at = now;
    this.tell();
  }

  /** Tells what was noticed, soon. */
  private tell(): void {
    const wait = this.told + EVERY - this.around.now();
    if (wait <= 0) this.flush();
    else if (!this.waits) {
      this.waits = true;
      this.around.later(() => {
        this.waits = false;
        this.flush();
      }, wait);
    }
  }

  flush(): void {
    if (!this.decisions.length && !this.changes.length) return;
    this.told = this.around.now();
    [this.decisions, this.changes] = [this.decisions.slice(-MOST), this.changes.slice(-MOST)];
    if (this.around.send(this.decisions, this.changes)) [this.decisions, this.changes] = [[], []];
  }
}

const seconds = (milliseconds: number): number => Math.round(milliseconds) / 1000;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
