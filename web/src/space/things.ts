// What things look like: food, dishes and pots by the words in their kinds; what has become of them shows.
import type { Thing } from "../protocol";
import { food, wordOf } from "./colours";
import { ball, box, cone, dome, drum, joined, lump, paint, turnedBy, vessel } from "./solids";
import type { Group, MeshLambertMaterial, Object3D } from "./three.js";

/** A thing about 0.4 cells wide, standing on the ground. `height`: where the next one lies; `room`: where what
 * is inside it begins. */
export interface Solid {
  object: Object3D;
  height: number;
  room: number;
}

type Make = (colour: MeshLambertMaterial, kind: string) => Solid;

const full = (object: Object3D, height: number): Solid => ({ object, height, room: height });

const ware = (radius: number, height: number, foot: number, arm: boolean): Make => (colour) => {
  const wall = vessel([[0, 0], [foot, 0], [radius, height], [radius - 0.02, height], [foot - 0.015, 0.02], [0, 0.02]], colour);
  const parts = arm ? [wall, turnedBy(drum(0.02, 0.02, 0.2, colour, [radius + 0.08, height - 0.13, 0]), 0, 0, Math.PI / 2)] : [wall];
  return { object: joined(...parts), height, room: 0.03 };
};

const round = (radius: number, flat = 1): Make => (colour) => full(ball(radius, colour, [0, 0, 0], flat), 2 * radius * flat);

const slice = (radius: number, height: number): Make => (colour) => full(drum(radius, radius, height, colour), height);

const bun: Make = (colour, kind) =>
  kind.toLowerCase().includes("bottom")
    ? full(drum(0.2, 0.22, 0.09, colour), 0.09)
    : full(joined(drum(0.22, 0.22, 0.03, colour), dome(0.22, colour, [0, 0.03, 0], 0.6)), 0.16);

const stalked = (radius: number, flat: number): Make => (colour) =>
  full(joined(ball(radius, colour, [0, 0, 0], flat), drum(0.02, 0.015, 0.06, paint("#7c9a4a"), [0, 2 * radius * flat - 0.02, 0])), 2 * radius * flat);

const KINDS: Readonly<Record<string, Make>> = {
  plate: (colour) => ({ object: vessel([[0, 0], [0.14, 0], [0.24, 0.04], [0.22, 0.045], [0.13, 0.015], [0, 0.015]], colour), height: 0.05, room: 0.02 }),
  dish: (colour) => ({ object: vessel([[0, 0], [0.14, 0], [0.24, 0.04], [0.22, 0.045], [0.13, 0.015], [0, 0.015]], colour), height: 0.05, room: 0.02 }),
  bowl: ware(0.22, 0.13, 0.1, false),
  cup: ware(0.11, 0.2, 0.09, false),
  pan: ware(0.26, 0.08, 0.22, true),
  pot: ware(0.24, 0.2, 0.22, true),
  wok: ware(0.26, 0.12, 0.1, true),
  bun,
  bread: (colour) => full(box(0.34, 0.1, 0.26, colour), 0.1),
  toast: slice(0.2, 0.06),
  patty: slice(0.19, 0.07),
  cake: slice(0.18, 0.14),
  meat: (colour) => full(joined(lump(0.17, colour, [0, 0, 0], 0.5)), 0.17),
  beef: (colour) => full(joined(lump(0.18, colour, [0, 0, 0], 0.5)), 0.18),
  chicken: (colour) => full(joined(ball(0.16, colour, [0, 0, 0], 0.75), turnedBy(drum(0.05, 0.03, 0.18, colour, [0.17, 0.02, 0]), 0, 0, -1)), 0.24),
  fish: (colour) => full(fish(colour), 0.13),
  tuna: (colour) => full(fish(colour), 0.13),
  salmon: (colour) => full(fish(colour), 0.13),
  cheese: (colour) => full(box(0.3, 0.05, 0.3, colour), 0.05),
  lettuce: (colour) => full(lump(0.2, colour, [0, 0, 0], 0.55), 0.22),
  cabbage: (colour) => full(lump(0.2, colour), 0.4),
  broccoli: (colour) => full(joined(drum(0.04, 0.05, 0.12, colour), lump(0.13, colour, [0, 0.1, 0])), 0.34),
  mushroom: (colour) => full(joined(drum(0.06, 0.05, 0.12, colour), dome(0.15, colour, [0, 0.11, 0], 0.8)), 0.24),
  carrot: (colour) => full(turnedBy(cone(0.08, 0.36, colour, [-0.16, 0.08, 0]), 0, 0, -Math.PI / 2), 0.16),
  tomato: stalked(0.15, 0.85),
  pumpkin: stalked(0.2, 0.8),
  pepper: stalked(0.14, 1.1),
  onion: (colour) => full(joined(ball(0.14, colour, [0, 0, 0], 0.9), cone(0.04, 0.1, colour, [0, 0.22, 0])), 0.28),
  potato: round(0.15, 0.7),
  egg: round(0.11, 1.25),
  rice: (colour) => full(dome(0.18, colour, [0, 0, 0], 0.8), 0.14),
  noodle: (colour) => full(lump(0.17, colour, [0, 0, 0], 0.4), 0.14),
  pasta: (colour) => full(lump(0.17, colour, [0, 0, 0], 0.4), 0.14),
  soup: slice(0.19, 0.06),
  water: slice(0.19, 0.05),
  juice: (colour) => full(joined(drum(0.08, 0.1, 0.24, colour)), 0.24),
};

function fish(colour: MeshLambertMaterial): Group {
  const tail = turnedBy(cone(0.08, 0.12, colour, [-0.24, 0.005, 0], 4), 0, 0, -Math.PI / 2);
  const trunk = ball(0.13, colour, [0, 0, 0], 0.5);
  trunk.scale.set(1.5, 0.5, 0.6);
  return joined(trunk, tail);
}

const CUT = ["cut", "chop", "slice", "dice"];
const COOKED = ["cook", "fried", "baked", "boil", "grill", "roast", "steam"];

const says = (words: readonly string[], marks: readonly string[]): boolean =>
  marks.some((mark) => words.some((word) => mark.toLowerCase().startsWith(word)));

function shapeOf(thing: Thing): Solid {
  const marks = thing.marks ?? [];
  const colour = paint(food(thing.kind), says(COOKED, marks) ? 0.3 : 0.04);
  const make = KINDS[wordOf(thing.kind, Object.keys(KINDS)) ?? ""];
  const whole = make ? make(colour, thing.kind) : full(lump(0.16, colour, [0, 0, 0], 0.8), 0.25);
  if (!says(CUT, marks) || whole.room < whole.height) return whole;
  const slices = [-1, 0, 1].map((side) => {
    const piece = turnedBy(drum(0.12, 0.12, 0.035, colour, [0.1 * side, 0.02 + 0.02 * (side + 1), 0.03 * side]), 0, 0, 0.25);
    return piece;
  });
  return full(joined(...slices), 0.11);
}

/** A thing with all that is inside it, as a reader would see it lying there. */
export function solidOf(thing: Thing, depth = 0): Solid {
  const outer = shapeOf(thing);
  const inside = thing.inside ?? [];
  if (!inside.length || depth > 3) return outer;
  const parts: Object3D[] = [outer.object];
  let height = outer.room;
  for (const inner of inside) {
    const solid = solidOf(inner, depth + 1);
    const held = joined(solid.object);
    held.scale.setScalar(0.8);
    held.position.y = height;
    parts.push(held);
    height += 0.8 * solid.height;
  }
  return { object: joined(...parts), height: Math.max(outer.height, height), room: height };
}
