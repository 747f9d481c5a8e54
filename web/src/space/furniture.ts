// What places look like: the same words as in drawing/scene/appearance.py choose a shape by a place's kind.
import { BASIN, COUNTER, EDGE, INK, STEEL, WOOD, wordOf } from "./colours";
import { ball, bar, box, dome, drum, hoop, joined, paint, turnedBy, vessel } from "./solids";
import type { Group, Object3D } from "./three.js";

/** A place one cell wide, its front towards the viewer. Things are put on it at `top`; `plain`: nothing but
 * its name tells it from its neighbours. */
export interface Furniture {
  object: Group;
  top: number;
  plain: boolean;
}

const HEIGHT = 0.62;
const SLAB = 0.05;

const steel = () => paint(STEEL);
const dark = () => paint(EDGE, 0.35);
const black = () => paint(INK);

function counter(top: string, ...upon: Object3D[]): Group {
  return joined(
    box(0.9, HEIGHT - SLAB, 0.9, paint(top, 0.16)),
    box(0.96, SLAB, 0.96, paint(top), [0, HEIGHT - SLAB, 0]),
    box(0.86, 0.03, 0.02, paint(top, 0.4), [0, HEIGHT - 0.16, 0.45]),
    ...upon,
  );
}

const AROUND: readonly (readonly [number, number])[] = [[-0.22, -0.22], [0.22, -0.22], [-0.22, 0.22], [0.22, 0.22]];

const handle = (length: number, height: number, from: number): Object3D =>
  turnedBy(bar(0.028, length, dark(), [from + length / 2, height, 0]), 0, 0, Math.PI / 2);

function stove(): Group {
  const fires = AROUND.flatMap(([x, z]) => [
    drum(0.17, 0.17, 0.015, black(), [x, HEIGHT, z]), hoop(0.1, 0.015, dark(), [x, HEIGHT + 0.02, z]),
  ]);
  const knobs = [-0.3, -0.1, 0.1, 0.3].map((x) => turnedBy(drum(0.04, 0.04, 0.03, black(), [x, 0.5, 0.46]), Math.PI / 2, 0, 0));
  return counter(STEEL, ...fires, ...knobs);
}

function board(): Group {
  const knife = turnedBy(
    joined(box(0.26, 0.012, 0.05, paint("#f1f3f5"), [-0.1, 0, 0]), box(0.14, 0.025, 0.035, dark(), [0.1, 0, 0])),
    0, 0.5, 0,
  );
  knife.position.set(0.1, HEIGHT + 0.04, 0.27);
  return counter(WOOD, box(0.74, 0.035, 0.56, paint("#f8eedd", 0.06), [0, HEIGHT, 0]), knife);
}

function sink(): Group {
  return counter(
    STEEL,
    box(0.7, 0.02, 0.5, paint(BASIN), [0, HEIGHT, 0.06]), box(0.76, 0.04, 0.04, steel(), [0, HEIGHT, -0.2]),
    box(0.76, 0.04, 0.04, steel(), [0, HEIGHT, 0.32]), box(0.04, 0.04, 0.5, steel(), [-0.36, HEIGHT, 0.06]),
    box(0.04, 0.04, 0.5, steel(), [0.36, HEIGHT, 0.06]), bar(0.03, 0.24, dark(), [0, HEIGHT, -0.32]),
    turnedBy(bar(0.028, 0.2, dark(), [0, HEIGHT + 0.2, -0.22]), Math.PI / 2, 0, 0),
  );
}

function fryer(): Group {
  return counter(
    STEEL, box(0.66, 0.02, 0.56, paint("#e7d28f"), [0, HEIGHT, 0]), box(0.7, 0.07, 0.03, dark(), [0, HEIGHT, -0.29]),
    box(0.7, 0.07, 0.03, dark(), [0, HEIGHT, 0.29]), box(0.03, 0.07, 0.6, dark(), [-0.34, HEIGHT, 0]),
    box(0.03, 0.07, 0.6, dark(), [0.34, HEIGHT, 0]), handle(0.2, HEIGHT + 0.04, 0.3),
  );
}

/** A pan, pot or wok: (radius, height) of its wall, and where its handles are. */
function ware(radius: number, height: number, foot: number): Group {
  const wall = vessel([[0, 0.01], [foot, 0.01], [radius, height], [radius - 0.03, height], [foot - 0.02, 0.035], [0, 0.035]], dark());
  wall.position.y = HEIGHT;
  return counter(COUNTER, wall, handle(0.16, HEIGHT + height - 0.04, radius));
}

/** A box that cooks or cools, with a door. */
function cabinet(height: number, window: string): Group {
  return joined(
    box(0.92, height, 0.9, steel()), box(0.7, height * 0.5, 0.02, paint(window), [0, height * 0.2, 0.45]),
    box(0.6, 0.035, 0.06, dark(), [0, height * 0.76, 0.46]), box(0.92, 0.03, 0.9, paint(STEEL, 0.2), [0, height - 0.02, 0]),
  );
}

function crate(): Group {
  const slats = [0.05, 0.19].flatMap((y) => [
    box(0.74, 0.09, 0.03, paint(WOOD, 0.15), [0, HEIGHT + y - 0.03, -0.36]), box(0.74, 0.09, 0.03, paint(WOOD, 0.15), [0, HEIGHT + y - 0.03, 0.36]),
    box(0.03, 0.09, 0.74, paint(WOOD, 0.22), [-0.36, HEIGHT + y - 0.03, 0]), box(0.03, 0.09, 0.74, paint(WOOD, 0.22), [0.36, HEIGHT + y - 0.03, 0]),
  ]);
  return counter(COUNTER, ...slats);
}

function hatch(): Group {
  const cloche = joined(dome(0.15, paint("#f1f3f5"), [0, 0, 0]), ball(0.025, dark(), [0, 0.14, 0]));
  cloche.position.set(0.26, HEIGHT, -0.26);
  const cloth = box(0.5, 0.012, 0.97, paint("#ffffff"), [-0.06, HEIGHT, 0]);
  return counter(COUNTER, cloth, cloche);
}

function blender(): Group {
  return counter(
    STEEL, drum(0.15, 0.12, 0.1, dark(), [0, HEIGHT, 0]),
    vessel([[0.1, 0], [0.17, 0.3], [0.15, 0.3], [0.09, 0.02], [0, 0.02]], paint("#f1f3f5"), [0, HEIGHT + 0.1, 0]),
  );
}

function mixer(): Group {
  return counter(
    STEEL, box(0.16, 0.4, 0.16, dark(), [-0.3, HEIGHT, -0.1]), box(0.44, 0.12, 0.16, dark(), [-0.14, HEIGHT + 0.36, -0.1]),
    vessel([[0.1, 0], [0.2, 0.18], [0.18, 0.18], [0.09, 0.02], [0, 0.02]], paint("#f1f3f5"), [0.04, HEIGHT, -0.1]),
  );
}

function table(): Group {
  const legs = AROUND.map(([x, z]) => box(0.08, HEIGHT - SLAB, 0.08, paint(WOOD, 0.25), [1.7 * x, 0, 1.7 * z]));
  return joined(box(0.94, SLAB + 0.02, 0.94, paint(WOOD), [0, HEIGHT - SLAB, 0]), ...legs);
}

interface Made {
  make: () => Group;
  top: number;
}

const on = (make: () => Group, above = 0): Made => ({ make, top: HEIGHT + above });

const FURNITURE: Readonly<Record<string, Made>> = {
  stove: on(stove, 0.03),
  burner: on(stove, 0.03),
  board: on(board, 0.035),
  fryer: on(fryer, 0.02),
  sink: on(sink, 0.02),
  pan: on(() => ware(0.36, 0.1, 0.3), 0.035),
  pot: on(() => ware(0.32, 0.3, 0.3), 0.035),
  wok: on(() => ware(0.38, 0.18, 0.14), 0.04),
  oven: { make: () => cabinet(0.86, "#f6e3b8"), top: 0.87 },
  microwave: { make: () => cabinet(0.8, "#f6e3b8"), top: 0.81 },
  steamer: { make: () => cabinet(0.8, BASIN), top: 0.81 },
  fridge: { make: () => cabinet(1.25, "#f1f3f5"), top: 1.26 },
  storage: on(crate),
  dispenser: on(crate),
  serv: on(hatch, 0.012),
  deliver: on(hatch, 0.012),
  blender: on(blender, 0.12),
  mixer: on(mixer, 0.02),
  table: on(table, 0.02),
};

/** Of places at which nothing can be done: low, so that they hide nothing. */
const WALL = "wall";

/** The words that choose a shape. */
export const FURNITURE_WORDS: readonly string[] = Object.keys(FURNITURE);

export const isWall = (kind: string): boolean => kind === WALL;

export function furniture(kind: string): Furniture {
  if (isWall(kind)) return { object: joined(box(1, 0.36, 1, paint(STEEL, 0.3))), top: 0.36, plain: true };
  const word = wordOf(kind, FURNITURE_WORDS);
  const made = word === undefined ? on(() => counter(COUNTER)) : FURNITURE[word]!;
  return { object: made.make(), top: made.top, plain: word === undefined };
}
