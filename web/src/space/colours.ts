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
