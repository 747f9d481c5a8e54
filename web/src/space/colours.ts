// The colours of drawing/palette.py (a test compares them), for things that have no style sheet.

export const INK = "#1f2933";
export const MUTED = "#66727f";
export const EDGE = "#8592a0";
export const HANDS = "#2f6690";
export const WAIT = "#a3adb8";
export const REFUSED = "#c0271d";
export const FLOOR = ["#fdfcf9", "#f6f4ee"] as const;
export const COUNTER = "#e9edf1";
export const WOOD = "#eddcc2";
export const STEEL = "#d3dae1";
export const BASIN = "#bcdcf0";
export const BODIES = ["#2f6690", "#a04f2c", "#3d7d4f", "#74529c", "#96660f", "#a23b6a"] as const;
export const ALONE = [
  "#44bb99", "#eedd88", "#99ddff", "#c8a2d8", "#ee8866", "#bbcc33", "#ffaabb", "#d9b48f",
] as const;
export const PLAIN_FOOD = [
  "#f3d9b8", "#cfe3b0", "#f6c4b4", "#d9e4ee", "#f7e3a1", "#e3cfe9", "#d8cbb8", "#c9e6df",
] as const;
export const FOODS: Readonly<Record<string, string>> = {
  bread: "#edd2a2",
  bun: "#e8bf7d",
  bowl: "#e4e8ec",
  cheese: "#fbdc72",
  chicken: "#f5dcc0",
  egg: "#fbeeb8",
  fish: "#c6dbe6",
  lettuce: "#bfdd88",
  onion: "#e5cdea",
  patty: "#d8a988",
  pan: "#c7cfd7",
  pepper: "#b9d98f",
  plate: "#eef1f4",
  pot: "#c7cfd7",
  potato: "#e6d6a0",
  pumpkin: "#f5b972",
  rice: "#f6f2e4",
  tomato: "#f5a08f",
  water: "#aed6f1",
};

export const BLOCKS: Readonly<Record<string, string>> = {
  bedrock: "#9a9fa5",
  brick: "#dba792",
  chest: "#dba85a",
  clay: "#c3c9d3",
  cobblestone: "#c2c7cc",
  dirt: "#cfb18c",
  farmland: "#c3a078",
  fence: "#d8bd91",
  furnace: "#aab1b8",
  glass: "#e2f0f4",
  grass: "#bcd894",
  gravel: "#cbc6c0",
  ice: "#cde6f5",
  lava: "#f4a460",
  leaves: "#96bf76",
  log: "#bd9464",
  netherrack: "#cc918b",
  obsidian: "#8c84a3",
  ore: "#b7bec5",
  path: "#dcc88e",
  planks: "#e3c898",
  sand: "#f0e5b8",
  snow: "#f1f6f9",
  sandstone: "#eadfb4",
  stone: "#ced3d7",
  vine: "#a4c986",
  water: "#a6cdf0",
  wheat: "#e5d374",
  wood: "#c7a171",
  wool: "#eceef0",
};
export const OTHER_BLOCK = "#d9dde1";

/** Of the words that a kind contains, the longest: `pot` is in `potato`, which counts. */
export function wordOf(kind: string, words: Iterable<string>): string | undefined {
  const said = kind.toLowerCase();
  let longest: string | undefined;
  for (const word of words) {
    if (said.includes(word) && word.length >= (longest?.length ?? 0)) longest = word;
  }
  return longest;
}

/** A light colour for a thing of this kind, always the same. */
export function food(kind: string): string {
  const word = wordOf(kind, Object.keys(FOODS));
  if (word !== undefined) return FOODS[word]!;
  const sum = [...kind].reduce((total, letter) => total + letter.codePointAt(0)!, 0);
  return PLAIN_FOOD[sum % PLAIN_FOOD.length]!;
}

/** The words of a kind, which `_` parts, and each without the `s` at its end. */
function wordsOf(kind: string): string[] {
  const words = kind.toLowerCase().replaceAll(" ", "_").split("_");
  return [...words, ...words.map((word) => word.replace(/s$/, ""))];
}

/** Whether one of a kind's words is that of a block. */
export const isBlock = (kind: string): boolean => wordsOf(kind).some((word) => Object.hasOwn(BLOCKS, word));

/** A light colour for a block; the last of its words that has one counts. */
export function block(kind: string): string {
  const word = wordsOf(kind).reverse().find((one) => Object.hasOwn(BLOCKS, one));
  return word === undefined ? OTHER_BLOCK : BLOCKS[word]!;
}
