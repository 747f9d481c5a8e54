// One's own steps, which a page shows before the server tells of them: the world's rule of walking, applied anew to
// every picture that comes. What the server does not confirm is taken back.
import type { Body, Cell, Controls, Frame, PressDone, Told, Walking, Welcome } from "./protocol";
import { type Direction, walkingKeys } from "./space/choices";

const WAYS: Readonly<Record<Direction, Cell>> = { up: [0, -1], right: [1, 0], down: [0, 1], left: [-1, 0] };

export interface Stand {
  at: Cell;
  facing: Cell;
}

const same = (a: Cell, b: Cell): boolean => a[0] === b[0] && a[1] === b[1];

/** Where a body is that takes a step. `null`: somebody stands there, and only the world knows whether they give way. */
export function stepped({ floor }: Walking, from: Stand, way: Direction, others: readonly Cell[]): Stand | null {
  const facing = WAYS[way];
  const at: Cell = [from.at[0] + facing[0], from.at[1] + facing[1]];
  if (floor[at[1]]?.[at[0]] !== ".") return { at: from.at, facing };
  return others.some((other) => same(other, at)) ? null : { at, facing };
}

/** A step that was sent; `number`: of the first frame in which it has been taken, as far as that is known. */
interface Sent {
  id: number;
  way: Direction;
  at: number;
  number: number;
}

export interface Around {
  /** Sends a press; its id, or `null` where nothing could be sent. */
  send(press: PressDone): number | null;
  /** Something else is to be shown. */
  changed(): void;
  later(work: () => void, milliseconds: number): unknown;
  cancel(handle: unknown): void;
  now(): number;
}

export class Walker {
  private welcome: Welcome | null = null;
  private frame: Frame | null = null;
  private came = 0;
  private body = "";
  private held: Direction[] = [];
  private wanted: Direction | null = null;
  private sent: Sent[] = [];
  private freeAt = 0;
  /** Until when one's own last step keeps the body, as frames have it. */
  private own = -1;
  private trip: number | null = null;
  private timer: unknown = null;
  private made: { from: Frame; stand: Stand; frame: Frame } | null = null;

  constructor(private readonly around: Around) {}

  greet(welcome: Welcome): void {
    this.welcome = welcome;
    this.body = welcome.seat;
    [this.sent, this.held, this.wanted, this.own] = [[], [], null, -1];
  }

  /** A key goes down or comes up; `false`: it does not walk, or nothing is known of how. */
  press(press: PressDone): boolean {
    const way = wayOf(press.key ?? "", this.welcome?.controls ?? null);
    const body = press.body || this.welcome?.seat || "";
    if (!way || !press.hold || !this.welcome?.walking || !this.bodyIn(this.frame, body)) return false;
    if (body !== this.body) [this.body, this.sent, this.own] = [body, [], -1];
    this.held = this.held.filter((one) => one !== way);
    if (press.hold === "start") {
      this.held.push(way);
      this.wanted = way;
      this.step();
    }
    return true;
  }

  /** How things stand, as the server tells it. */
  take(frame: Frame): void {
    const before = this.bodyIn(this.frame, this.body);
    this.frame = frame;
    this.came = this.around.now();
    const body = this.bodyIn(frame, this.body);
    if (!body) return;
    const free = frame.free_from?.[body.name] ?? 0;
    const busy = free > frame.number;
    if (before) {
      const done = this.done(before, body, busy);
      if (done) [this.sent, this.own] = [this.sent.slice(done), free];
    }
    if (busy && free !== this.own) this.freeAt = Math.max(this.freeAt, this.came + (free - frame.number) * this.tick - (this.trip ?? 0));
    this.step();
  }

  /** What became of a message. */
  told(told: Told): void {
    const step = this.sent.find((one) => one.id === told.id);
    if (!step) return;
    if (told.status !== "accepted") this.sent = this.sent.filter((one) => one !== step);
    else step.number = told.number;
    const trip = this.around.now() - step.at;
    this.trip = this.trip === null || trip < this.trip ? trip : this.trip + (trip - this.trip) / 8;
  }

  /** The newest frame, with one's own body where it will be. */
  shown(): Frame | null {
    const { frame, sent } = this;
    const body = sent.length ? this.bodyIn(frame, this.body) : null;
    if (!frame?.scene || !body) return frame;
    const stand = this.path(body).at(-1)!;
    if (this.made?.from === frame && same(this.made.stand.at, stand.at) && same(this.made.stand.facing, stand.facing)) return this.made.frame;
    if (same(stand.at, body.at) && same(stand.facing, body.facing ?? [0, 0])) return frame;
    const faced: Cell = [stand.at[0] + stand.facing[0], stand.at[1] + stand.facing[1]];
    const place = frame.scene.places?.find((one) => same(one.at, faced) && one.kind !== "wall")?.name ?? "";
    const bodies = frame.scene.bodies?.map((one) => (one.name === body.name ? { ...one, ...stand, place } : one)) ?? [];
    this.made = { from: frame, stand, frame: { ...frame, scene: { ...frame.scene, bodies } } };
    return this.made.frame;
  }

  stop(): void {
    this.around.cancel(this.timer);
  }

  private get tick(): number {
    return 1000 * (this.welcome?.tick_seconds ?? 0);
  }

  private bodyIn(frame: Frame | null, name: string): (Body & { at: Cell }) | null {
    const body = frame?.scene?.bodies?.find((one) => one.name === name);
    return body?.at ? { ...body, at: body.at } : null;
  }

  /** Where the steps that were sent lead from here, one after the other; the first is where it is. */
  private path(body: Body & { at: Cell }): Stand[] {
    const others = (this.frame?.scene?.bodies ?? []).flatMap((one) => (one.at && one.name !== body.name ? [one.at] : []));
    const path: Stand[] = [{ at: body.at, facing: body.facing ?? [0, 0] }];
    for (const { way } of this.sent) path.push(stepped(this.welcome!.walking!, path.at(-1)!, way, others) ?? path.at(-1)!);
    return path;
  }

  /** How many of the steps that were sent are in this picture. Those that were taken are, but for a body that is kept
   * where it was before them: they wait until it is free. */
  private done(before: Body & { at: Cell }, body: Body & { at: Cell }, busy: boolean): number {
    const number = this.frame!.number;
    const open = this.sent.findIndex((step) => step.number < 0 || step.number > number);
    const taken = open < 0 ? this.sent.length : open;
    if (!busy) return taken;
    const at = this.path(before).slice(0, taken + 1).map((stand) => same(stand.at, body.at)).lastIndexOf(true);
    return at < 0 ? taken : at;
  }

  /** Take the step that is wanted, as soon as the body is free. */
  private step(): void {
    this.around.cancel(this.timer);
    const body = this.bodyIn(this.frame, this.body);
    const way = this.wanted ?? this.held.at(-1);
    if (!body || !way) return;
    const now = this.around.now();
    if (now < this.freeAt) {
      this.timer = this.around.later(() => this.step(), this.freeAt - now);
      return;
    }
    const stand = this.path(body).at(-1)!;
    const others = (this.frame?.scene?.bodies ?? []).flatMap((one) => (one.at && one.name !== body.name ? [one.at] : []));
    const next = stepped(this.welcome!.walking!, stand, way, others);
    const stays = next !== null && same(next.at, stand.at);
    if (!this.wanted && stays && same(next.facing, stand.facing)) return; // it leans against something
    const id = this.around.send({ key: walkingKeys(this.welcome!.controls)![way], body: this.body });
    this.wanted = null;
    if (id === null) return;
    this.sent.push({ id, way, at: now, number: -1 });
    const ticks = next === null ? 2 : stays ? 1 : this.welcome!.walking!.step_ticks;
    // Timers come a little late; so long as a key is held the pace is kept all the same.
    this.freeAt = (now - this.freeAt < this.tick / 2 ? this.freeAt : now) + ticks * this.tick;
    this.around.changed();
    this.step();
  }
}

/** The way in which a key of the world walks. */
function wayOf(key: string, controls: Controls | null): Direction | null {
  const keys = Object.entries(walkingKeys(controls) ?? {}) as [Direction, string][];
  return keys.find(([, name]) => name === key)?.[0] ?? null;
}
