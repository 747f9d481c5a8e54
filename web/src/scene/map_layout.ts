// A wide scene as a map: when a scene is one, how large it is, and where the names of its marks have room. The same
// rules as drawing/scene/map.py, in the pixels that a page has.
import type { Body, Cell, Ground, Place, Scene } from "../protocol";
import { isBlock } from "../space/colours";
import { shortened, widthOf } from "../words";

/** So many cells, of which not one in `SPARSE` is taken, are a map. */
const WIDE_CELLS = 240;
const SPARSE = 8;

/** Ground that begins or ends farther away, in cells, belongs to something else. */
const FAR = 64;

const LEAST_CELL = 7;
const MOST_CELL = 28;
const LEAST_BESIDE = 640;
const CARDS = 216;
const LONGEST = 104;

/** Half of what a finger needs, in pixels. */
export const TOUCH = 12.5;

export const isMap = (scene: Scene): boolean => {
  const cells = scene.width * scene.height;
  const taken = (scene.places?.length ?? 0) + (scene.bodies?.length ?? 0);
  return Boolean(scene.ground) || (cells >= WIDE_CELLS && taken * SPARSE <= cells);
};

/** What is shown, in the world's own cells; the last two are outside. */
export interface Extent {
  west: number;
  north: number;
  east: number;
  south: number;
}

/** The ground of a scene, if any of it is near. */
export function groundOf(scene: Scene): Ground | null {
  const ground = scene.ground;
  if (!ground) return null;
  const [west, north] = [ground.corner[0] - (scene.corner?.[0] ?? 0), ground.corner[1] - (scene.corner?.[1] ?? 0)];
  const beside = -ground.width - FAR < west && west < scene.width + FAR;
  return beside && -ground.depth - FAR < north && north < scene.height + FAR ? ground : null;
}

/** A frame that has room for a scene and for all that was shown before. */
export function extentOf(scene: Scene, before: Extent | null): Extent {
  const [x, y] = scene.corner ?? [0, 0];
  const frames: Extent[] = [{ west: x, north: y, east: x + Math.max(1, scene.width), south: y + Math.max(1, scene.height) }];
  const ground = groundOf(scene);
  if (ground) {
    const [west, north] = ground.corner;
    frames.push({ west, north, east: west + ground.width, south: north + ground.depth });
  }
  if (before) frames.push(before);
  return {
    west: Math.min(...frames.map((one) => one.west)), north: Math.min(...frames.map((one) => one.north)),
    east: Math.max(...frames.map((one) => one.east)), south: Math.max(...frames.map((one) => one.south)),
  };
}

export interface Chart extends Extent {
  columns: number;
  lines: number;
  cell: number;
  width: number;
  height: number;
  /** Half the width of a mark. */
  half: number;
  /** The size of names. */
  name: number;
  /** Whether cards stand beside the map rather than below. */
  beside: boolean;
}

/** The measures of a frame in `room` pixels. */
export function chartOf(frame: Extent, room: number): Chart {
  const [columns, lines] = [frame.east - frame.west, frame.south - frame.north];
  const beside = room >= LEAST_BESIDE;
  const cell = Math.min(MOST_CELL, Math.max(LEAST_CELL, (room - (beside ? CARDS : 0)) / columns));
  return {
    ...frame, columns, lines, cell, beside, width: columns * cell, height: lines * cell,
    half: Math.round(Math.min(13, Math.max(5, 0.55 * cell)) * 10) / 10, name: cell >= 22 ? 12 : cell >= 15 ? 11 : 10,
  };
}

/** The middle of one of the world's own cells, in pixels. */
export const middle = (chart: Chart, x: number, y: number): [number, number] => [
  (x - chart.west + 0.5) * chart.cell, (y - chart.north + 0.5) * chart.cell,
];

export interface Mark {
  key: string;
  x: number;
  y: number;
}

export interface Spot extends Mark {
  /** Who or what stands there. */
  of: Place | Body;
}

/** Where the marks of a scene are, places first; who stands on one cell with others stands a little apart. */
export function marksOf(scene: Scene, chart: Chart): Spot[] {
  const crowd = new Map<string, number>();
  const spot = (key: string, of: Place | Body, at: Cell): Spot => {
    const number = crowd.get(at.join(" ")) ?? 0;
    crowd.set(at.join(" "), number + 1);
    const [x, y] = middle(chart, at[0] + (scene.corner?.[0] ?? 0), at[1] + (scene.corner?.[1] ?? 0));
    return { key, of, x: x + number * chart.half, y: y + number * chart.half };
  };
  return [
    ...(scene.places ?? []).map((place) => spot(`place ${place.name}`, place, place.at)),
    ...(scene.bodies ?? []).flatMap((body) => (body.at ? [spot(`body ${body.name}`, body, body.at)] : [])),
  ];
}

// --- names --------------------------------------------------------------------------------------------

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Label extends Box {
  words: string;
  /** Which of the ways around its mark; it keeps to it as long as it can. */
  side: number;
}

const meet = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** How far a mark reaches from its middle; around a body that is one's own there is a ring. */
const reach = (mark: { x: number; y: number; key?: string }, chart: Chart): number => (mark.key?.startsWith("body ") ? 1.3 : 1) * chart.half;

const boxOf = ({ x, y }: { x: number; y: number }, half: number): Box => ({ left: x - half, top: y - half, right: x + half, bottom: y + half });

/** Where a name can stand: right, left, below, above, and across the corners. */
function around(mark: Mark, width: number, chart: Chart): Box[] {
  const { x, y } = mark;
  const [away, high] = [reach(mark, chart) + 3, chart.name];
  const box = (left: number, top: number): Box => ({ left, top, right: left + width, bottom: top + high });
  const [below, above] = [y + away - 1, y - away - high + 1];
  const [right, left] = [x + away, x - away - width];
  return [
    box(right, y - high / 2), box(left, y - high / 2), box(x - width / 2, below), box(x - width / 2, above),
    box(x + chart.half / 2, below), box(x + chart.half / 2, above), box(x - chart.half / 2 - width, below), box(x - chart.half / 2 - width, above),
    box(right, y), box(right, y - high), box(left, y), box(left, y - high),
  ];
}

/** The names that have room, by the keys of their marks: those of blocks first, then those of bodies. No name stands
 * on another one, or on a mark; `before`: where they stood. `others`: what else is drawn on the map. */
export function namesAt(
  marks: readonly Spot[], others: readonly { x: number; y: number }[], chart: Chart, before: ReadonlyMap<string, Label> = new Map(),
): Map<string, Label> {
  const rank = ({ key, of }: Spot): number => (key.startsWith("body ") ? 1 : isBlock(of.kind) ? 0 : 2);
  const taken = [...marks, ...others].map((mark) => boxOf(mark, reach(mark, chart)));
  const found = new Map<string, Label>();
  for (const mark of [...marks].sort((a, b) => rank(a) - rank(b))) {
    const bold = mark.key.startsWith("body ") ? 1.1 : 1;
    const words = shortened(mark.of.name, chart.name, LONGEST / bold);
    const boxes = around(mark, widthOf(words, chart.name) * bold, chart);
    const kept = before.get(mark.key)?.side ?? 0;
    const sides = [kept, ...boxes.keys()];
    const side = sides.find((one) => {
      const box = boxes[one]!;
      const within = box.left >= 0 && box.top >= 0 && box.right <= chart.width && box.bottom <= chart.height;
      return within && !taken.some((other) => meet(box, other));
    });
    if (side === undefined || !words) continue;
    taken.push(boxes[side]!);
    found.set(mark.key, { ...boxes[side]!, words, side });
  }
  return found;
}

/** The mark that is nearest to a point. */
export function nearest<M extends Mark>(marks: readonly M[], x: number, y: number): M | undefined {
  const away = (mark: Mark): number => Math.hypot(mark.x - x, mark.y - y);
  return marks.reduce<M | undefined>((best, mark) => (best && away(best) <= away(mark) ? best : mark), undefined);
}
