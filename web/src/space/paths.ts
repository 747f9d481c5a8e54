// How somebody gets from one cell to another in a picture: around what stands there, at an even pace.
import type { Cell, Scene } from "../protocol";

const STEPS: readonly Cell[] = [[0, -1], [0, 1], [1, 0], [-1, 0]];

/** The cells of a shortest way over free cells, both ends included; the two ends alone where there is none. */
export function route(from: Cell, to: Cell, scene: Scene): Cell[] {
  const taken = new Set((scene.places ?? []).map((place) => String(place.at)));
  const before = new Map<string, Cell | null>([[String(from), null]]);
  const waiting: Cell[] = [from];
  for (let next = 0; next < waiting.length && !before.has(String(to)); next++) {
    const cell = waiting[next]!;
    for (const [x, y] of STEPS) {
      const there: Cell = [cell[0] + x, cell[1] + y];
      const inside = there[0] >= 0 && there[0] < scene.width && there[1] >= 0 && there[1] < scene.height;
      const free = !taken.has(String(there)) || String(there) === String(to);
      if (!inside || !free || before.has(String(there))) continue;
      before.set(String(there), cell);
      waiting.push(there);
    }
  }
  if (!before.has(String(to))) return [from, to];
  const way: Cell[] = [];
  for (let cell: Cell | null = to; cell; cell = before.get(String(cell)) ?? null) way.unshift(cell);
  return way;
}

export interface Stand {
  x: number;
  y: number;
  /** Radians, counterclockwise from above; 0 looks down the rows. */
  heading: number;
}

/** The angle of a step on the grid. */
export const headingOf = (x: number, y: number): number => Math.atan2(x, y);

/** From `a` to `b` by the shorter way round. */
export function turned(a: number, b: number, share: number): number {
  const difference = Math.atan2(Math.sin(b - a), Math.cos(b - a));
  return a + difference * share;
}

/** A walk along points, begun at `start` and over after `duration` (milliseconds, like all times here). */
export class Walk {
  private readonly lengths: number[];
  private readonly whole: number;

  constructor(
    private readonly first: Stand, private readonly points: readonly (readonly [number, number])[],
    private readonly last: Stand, private readonly start: number, private readonly duration: number,
  ) {
    const all = [[first.x, first.y] as const, ...points];
    this.lengths = points.map(([x, y], index) => Math.hypot(x - all[index]![0], y - all[index]![1]));
    this.whole = this.lengths.reduce((sum, length) => sum + length, 0);
  }

  over(now: number): boolean {
    return now >= this.start + this.duration;
  }

  at(now: number): Stand {
    if (this.over(now)) return this.last;
    const share = Math.max(0, (now - this.start) / this.duration);
    if (this.whole < 1e-6) return { ...this.last, heading: turned(this.first.heading, this.last.heading, share) };
    let left = share * this.whole;
    let [x, y] = [this.first.x, this.first.y];
    for (const [index, point] of this.points.entries()) {
      const length = this.lengths[index]!;
      if (left <= length && length > 0) {
        const [dx, dy] = [point[0] - x, point[1] - y];
        const along = { x: x + (dx * left) / length, y: y + (dy * left) / length };
        return { ...along, heading: this.heading(headingOf(dx, dy), share) };
      }
      left -= length;
      [x, y] = point;
    }
    return this.last;
  }

  /** It turns into the way at the beginning, and to where it looks in the end. */
  private heading(way: number, share: number): number {
    if (share < 0.15) return turned(this.first.heading, way, share / 0.15);
    return share < 0.85 ? way : turned(way, this.last.heading, (share - 0.85) / 0.15);
  }
}
