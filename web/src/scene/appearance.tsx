// What things in a scene look like, in a box of 36 around (0, 0): chosen by a word in the kind's name, so that any
// world's kitchen is drawn. Drawings are those of drawing/scene; colours are its palette's.
import type { JSX } from "preact";
import { BASIN, WOOD, wordOf } from "../space/colours";

interface Shape {
  /** Of which of the palette's materials its top is. */
  tone: "counter" | "wood" | "steel";
  sign: JSX.Element | null;
}

const BURNERS = (
  <>
    {[[-10, -9], [10, -9], [-10, 9], [10, 9]].map(([x, y]) => (
      <g key={`${x} ${y}`}>
        <circle cx={x} cy={y} r={7} />
        <circle cx={x} cy={y} r={3} />
      </g>
    ))}
  </>
);
const BOARD = (
  <>
    <rect x={-17} y={-12} width={34} height={24} rx={4} class="cream" />
    <path d="M-9 7L6 -6" stroke-width={2.4} />
    <path d="M6 -6L11 -10" stroke-width={4} />
  </>
);
const BASKET = (
  <>
    <rect x={-15} y={-13} width={30} height={26} rx={3} class="straw" />
    <path d="M-8 -13V13M0 -13V13M8 -13V13M-15 -4H15M-15 5H15" />
    <path d="M15 0H21" stroke-width={3} />
  </>
);
const BASIN_SIGN = (
  <>
    <rect x={-17} y={-13} width={34} height={26} rx={5} style={{ fill: BASIN }} class="tinted" />
    <circle cx={0} cy={2} r={2.5} />
    <path d="M0 -16V-6" stroke-width={3} />
  </>
);
const ROUND = (
  <>
    <circle r={14} class="pale" />
    <circle r={10} />
    <path d="M14 0H21" stroke-width={3} />
  </>
);
const OVEN = (
  <>
    <rect x={-16} y={-14} width={32} height={28} rx={3} />
    <rect x={-11} y={-5} width={22} height={14} rx={2} class="glow" />
    <path d="M-11 -10H11" />
  </>
);
const CRATE = (
  <>
    <rect x={-15} y={-13} width={30} height={26} rx={3} style={{ fill: WOOD }} class="tinted" />
    <path d="M-15 -5H15M-15 4H15M-5 -13V13M5 -13V13" />
  </>
);
const HATCH = (
  <>
    <path d="M-14 8H14M-11 8A11 12 0 0 1 11 8" />
    <circle cx={0} cy={-7} r={2} class="solid" />
  </>
);
const BLADES = (
  <>
    <circle r={14} class="pale" />
    <path d="M-8 -8L8 8M8 -8L-8 8" stroke-width={2.4} />
  </>
);
const DISHES = (
  <>
    <ellipse cy={6} rx={14} ry={5} class="pale" />
    <ellipse cy={1} rx={14} ry={5} class="pale" />
    <ellipse cy={-4} rx={14} ry={5} class="pale" />
  </>
);

const SHAPES: Readonly<Record<string, Shape>> = {
  stove: { tone: "steel", sign: BURNERS },
  burner: { tone: "steel", sign: BURNERS },
  board: { tone: "wood", sign: BOARD },
  fryer: { tone: "steel", sign: BASKET },
  sink: { tone: "steel", sign: BASIN_SIGN },
  pan: { tone: "counter", sign: ROUND },
  pot: { tone: "counter", sign: ROUND },
  wok: { tone: "counter", sign: ROUND },
  oven: { tone: "steel", sign: OVEN },
  microwave: { tone: "steel", sign: OVEN },
  steamer: { tone: "steel", sign: OVEN },
  fridge: { tone: "steel", sign: OVEN },
  storage: { tone: "counter", sign: CRATE },
  dispenser: { tone: "counter", sign: CRATE },
  dish_dispenser: { tone: "counter", sign: DISHES },
  serv: { tone: "counter", sign: HATCH },
  deliver: { tone: "counter", sign: HATCH },
  blender: { tone: "steel", sign: BLADES },
  mixer: { tone: "steel", sign: BLADES },
  table: { tone: "wood", sign: null },
  servingtable: { tone: "counter", sign: HATCH },
  chopboard: { tone: "wood", sign: BOARD },
};
const OTHER: Shape = { tone: "counter", sign: null };

/** What a place of this kind looks like; the longest word that its kind contains counts. */
export function shapeOf(kind: string): Shape {
  const word = wordOf(kind, Object.keys(SHAPES));
  return word === undefined ? OTHER : SHAPES[word]!;
}

/** Whether places of this kind have a drawing of their own. */
export const hasShape = (kind: string): boolean => wordOf(kind, Object.keys(SHAPES)) !== undefined;

/** Whether a place is there only to stand in the way. */
export const isWall = (kind: string): boolean => /\bwall/.test(kind);

/** The hues of bodies; each has its own, and its name beside it. */
export const HUES = 6;

const TURNS: Readonly<Record<string, number>> = {
  "0 -1": 0, "1 -1": 45, "1 0": 90, "1 1": 135, "0 1": 180, "-1 1": 225, "-1 0": 270, "-1 -1": 315,
};

/** Somebody seen from above, of radius `r`; nose and eyes point where it looks. */
export function Head({ facing, r, hue, own }: { facing: [number, number]; r: number; hue: number; own: boolean }) {
  const [x, y] = [Math.sign(facing[0]), Math.sign(facing[1])];
  const scale = r / 12;
  const somewhere = x !== 0 || y !== 0;
  const eye = (side: number): JSX.Element => (
    <circle key={side} cx={4.5 * side * (y !== 0 || x === 0 ? 1 : 0) + 5 * x} cy={4.5 * side * (x !== 0 ? 1 : 0) + 5 * y} r={2.2} />
  );
  return (
    <g class={`head hue-${hue % HUES}`} transform={`scale(${scale})`}>
      {own && <circle r={15.5} class="own" />}
      {somewhere && <path d="M-5 -10.5L0 -16.5L5 -10.5z" class="nose" transform={`rotate(${TURNS[`${x} ${y}`] ?? 0})`} />}
      <circle r={12} class="skin" />
      <g class="eyes">{[-1, 1].map(eye)}</g>
    </g>
  );
}

/** What a thing looks like beside its name, in a box of 12 around (0, 0). */
export function Glyph({ kind }: { kind: string }) {
  const word = wordOf(kind, ["plate", "dish", "bowl", "soup", "bun", "bread", "patty", "pan", "pot", "potato", "leaf", "lettuce"]);
  switch (word) {
    case "plate":
    case "dish":
      return <g class="glyph"><circle r={5.2} /><circle r={3} /></g>;
    case "bowl":
    case "soup":
      return <path class="glyph" d="M-5 -2H5A5 5.4 0 0 1 -5 -2z" />;
    case "bun":
    case "bread":
    case "patty":
      return <rect class="glyph" x={-5} y={-3.4} width={10} height={6.8} rx={3} />;
    case "pan":
    case "pot":
      return <g class="glyph"><circle r={4.2} cx={-1} /><path d="M3.2 0H6" /></g>;
    case "leaf":
    case "lettuce":
      return <path class="glyph" d="M-4.5 3.6C-5 -4 1 -5.4 4.8 -4.6C5.4 1 2 5 -4.5 3.6zM-4.5 3.6L2 -2" />;
    default:
      return <circle class="glyph" r={4.2} />;
  }
}
