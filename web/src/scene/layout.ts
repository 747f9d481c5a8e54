// Where everything in a scene is, in pixels: cells as wide as the page has room for, rows as high as they need.
import type { Body, Place, Scene, Thing } from "../protocol";

/** How much is written: names and marks; short names; none, only signs. */
export type Density = "roomy" | "tight" | "small";

export interface Sizes {
  cell: number;
  density: Density;
  name: number;
  chip: number;
  head: number;
  /** The front of a counter. */
  lip: number;
  /** A thing that lies by itself. */
  big: number;
  /** The radius of what tells how far something has come. */
  ring: number;
}

export interface Stage extends Sizes {
  columns: number;
  rows: number[];
  tops: number[];
  width: number;
  height: number;
}

/** Where a body stands: the middle of its head, and how wide it may be. */
export interface Spot {
  x: number;
  y: number;
  width: number;
}

const MOST_CELL = 144;
const LEAST_CELL = 26;
export const PAD = 5;
export const BAR = 12;
export const MARK = 10;
export const MOST_LAYERS = 7;

/** The sizes for a grid of so many columns in so many pixels. */
export function sizes(columns: number, room: number): Sizes {
  const cell = Math.floor(Math.min(MOST_CELL, Math.max(LEAST_CELL, room / Math.max(1, columns))));
  const density = cell >= 88 ? "roomy" : cell >= 56 ? "tight" : "small";
  const [name, chip, lip, ring] = density === "roomy" ? [11, 21, 16, 11] : density === "tight" ? [9, 16, 13, 9] : [0, 0, 5, 5];
  const small = density === "small";
  return { cell, density, name, chip, lip, ring, head: Math.min(26, cell * (small ? 0.42 : 0.2)), big: Math.min(44, cell * (small ? 0.6 : 0.38)) };
}

/** Measures of a scene in `room` pixels. Rows are at least as high as `before`, so that nothing jumps when a
 * pile grows smaller. */
export function stageOf(scene: Scene, room: number, before: readonly number[] = []): Stage {
  const at = sizes(scene.width, room);
  const least = at.density === "small" ? at.cell : Math.round(at.cell * 0.8);
  const rows = Array.from({ length: scene.height }, (_, row) => Math.max(least, before[row] ?? 0));
  const grow = (row: number, need: number): void => {
    if (row in rows) rows[row] = Math.max(rows[row]!, Math.ceil(need));
  };
  for (const place of scene.places ?? []) grow(place.at[1], placeNeeds(place, at));
  for (const [cell, bodies] of standing(scene)) grow(Number(cell.split(" ")[1]), crowdNeeds(bodies, at));
  const tops = rows.map((_, row) => rows.slice(0, row).reduce((sum, height) => sum + height, 0));
  const height = rows.reduce((sum, row) => sum + row, 0);
  return { ...at, columns: scene.width, rows, tops, width: at.cell * scene.width, height };
}

// --- places -------------------------------------------------------------------------------------------

/** How high a thing is as a layer of a pile. */
export function thingHeight(thing: Thing, at: Sizes): number {
  const inner = (thing.inside ?? []).slice(0, MOST_LAYERS).reduce((sum, one) => sum + thingHeight(one, at) + 1, 0);
  return at.chip + (thing.marks?.length ? MARK : 0) + BAR * (thing.progress?.length ?? 0) + (inner ? inner + 3 : 0);
}

const MOST_ALONE = 3;

/** Whether so few things lie or are held that their pictures tell them, with a line for their names and marks. */
export const isAlone = (things: readonly Thing[]): boolean =>
  things.length > 0 && things.length <= MOST_ALONE && !things.some((one) => one.progress?.length || one.inside?.length);

export const pileHeight = (things: readonly Thing[], at: Sizes): number =>
  isAlone(things) ? at.big + MARK : things.slice(-MOST_LAYERS).reduce((sum, thing) => sum + thingHeight(thing, at) + 1, 0);

/** What is written on top of a place, in pixels: its marks, where nothing goes on that says more. */
export const headHeight = (place: Place, at: Sizes): number =>
  at.density !== "small" && place.marks?.length && !place.progress?.length ? MARK : 0;

function placeNeeds(place: Place, at: Sizes): number {
  if (at.density === "small") return at.cell;
  return PAD + headHeight(place, at) + Math.max(at.big, pileHeight(place.stack ?? [], at)) + at.lip + 4;
}

// --- bodies -------------------------------------------------------------------------------------------

/** The bodies that stand on the floor, by "column row". */
export function standing(scene: Scene): Map<string, Body[]> {
  const taken = new Set((scene.places ?? []).map((place) => place.at.join(" ")));
  const found = new Map<string, Body[]>();
  for (const body of scene.bodies ?? []) {
    const cell = body.at?.join(" ");
    if (cell === undefined || taken.has(cell)) continue;
    found.set(cell, [...(found.get(cell) ?? []), body]);
  }
  return found;
}

/** The bodies that have no cell of their own to stand on. */
export function elsewhere(scene: Scene): Body[] {
  const shown = new Set([...standing(scene).values()].flat());
  return (scene.bodies ?? []).filter((body) => !shown.has(body));
}

export function bodyHeight(body: Body, at: Sizes): number {
  if (at.density === "small") return at.cell;
  const marks = body.marks?.length ? MARK : 0;
  const bars = BAR * (body.progress?.length ?? 0);
  const holding = body.holding ?? [];
  return 2.3 * at.head + 6 + at.name + 3 + marks + bars + (isAlone(holding) ? MARK : pileHeight(holding, at));
}

const abreast = (count: number): number => (count > 1 ? 2 : 1);

function crowdNeeds(bodies: readonly Body[], at: Sizes): number {
  if (at.density === "small") return at.cell;
  const columns = abreast(bodies.length);
  let need = PAD;
  for (let from = 0; from < bodies.length; from += columns) {
    need += Math.max(...bodies.slice(from, from + columns).map((body) => bodyHeight(body, at))) + 2;
  }
  return need;
}

/** Where each body stands: several on one cell side by side, two and two. */
export function spots(scene: Scene, stage: Stage): Map<string, Spot> {
  const found = new Map<string, Spot>();
  for (const [cell, bodies] of standing(scene)) {
    const [column, row] = cell.split(" ").map(Number) as [number, number];
    const columns = abreast(bodies.length);
    const width = stage.cell / columns;
    const small = stage.density === "small";
    let y = (stage.tops[row] ?? 0) + (small ? stage.cell / 2 : PAD + stage.head);
    for (let from = 0; from < bodies.length; from += columns) {
      const together = bodies.slice(from, from + columns);
      together.forEach((body, index) => {
        const alone = together.length === 1 && columns === 2 ? stage.cell / 2 : (index + 0.5) * width;
        found.set(body.name, { x: column * stage.cell + alone, y: small ? y + from * 3 : y, width: width - 4 });
      });
      if (!small) y += Math.max(...together.map((body) => bodyHeight(body, stage))) + 2;
    }
  }
  return found;
}

// --- in words -----------------------------------------------------------------------------------------

export const counted = (label: string, done: number, full: number, paused = false): string =>
  `${label} ${done} of ${full}${paused ? ", paused" : ""}`;

/** A thing with its marks, its progress and what is inside it. */
export function told(thing: Thing): string {
  const notes = [...(thing.marks ?? []), ...(thing.progress ?? []).map((one) => counted(one.label, one.done, one.full, one.paused))];
  const inside = (thing.inside ?? []).map(told).join(" and ");
  return `${thing.name}${notes.length ? ` (${notes.join(", ")})` : ""}${inside ? ` with ${inside}` : ""}`;
}

/** Everything about a place, for whoever hears it rather than sees it. */
export function placeTold(place: Place): string {
  const stack = (place.stack ?? []).map(told).reverse();
  const notes = [
    ...(place.marks ?? []), ...(place.progress ?? []).map((one) => counted(one.label, one.done, one.full, one.paused)),
    ...(stack.length ? [`on it ${stack.join(", ")}`] : []),
  ];
  return `${place.name}${notes.length ? `: ${notes.join("; ")}` : ""}`;
}

export function bodyTold(body: Body, own: boolean): string {
  const held = (body.holding ?? []).map(told).join(" and ");
  const notes = [
    ...(body.place ? [`at ${body.place}`] : []), ...(body.marks ?? []),
    ...(body.progress ?? []).map((one) => counted(one.label, one.done, one.full, one.paused)),
    ...(held ? [`holds ${held}`] : []), ...(body.says ? [`says: ${body.says}`] : []),
  ];
  return `${body.name}${own ? ", you" : ""}${notes.length ? `: ${notes.join(", ")}` : ""}`;
}

/** Every name that somebody who points at this may mean: itself, and all that is on it, in it or held. */
export function namesOf(holder: Place | Body): Set<string> {
  const found = new Set([holder.name]);
  const walk = (things: readonly Thing[]): void => {
    for (const thing of things) {
      found.add(thing.name);
      walk(thing.inside ?? []);
    }
  };
  walk("stack" in holder ? (holder.stack ?? []) : []);
  walk("holding" in holder ? (holder.holding ?? []) : []);
  return found;
}

/** Which of several points is next in a direction, from the one at `from`; `from` itself if none is. */
export function nextTo(points: readonly [number, number][], from: number, dx: number, dy: number): number {
  const start = points[from];
  if (!start) return 0;
  let best = from;
  let least = Infinity;
  points.forEach(([x, y], index) => {
    const ahead = (x - start[0]) * dx + (y - start[1]) * dy;
    const aside = Math.abs((x - start[0]) * dy) + Math.abs((y - start[1]) * dx);
    const cost = ahead + 2.5 * aside;
    if (ahead > 0 && cost < least) [best, least] = [index, cost];
  });
  return best;
}
