// The pictures of drawing/data/pictures.json: which one a thing of a kind has, by the words in its name, and how what
// has become of it changes that. The same rules as drawing/scene/pictures.py.
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { PICTURES } from "./pictures_data";

/** Longer words are found inside others too: `tomato` in `cherrytomatoes`. */
const SHORT = 4;
const MOST_KEPT = 600;

/** Those that begin with a sign: filled alone, and a line alone. */
const [ALONE, LINE] = ["~", "/"];

/** The words of a name, each with a blank before it. */
export const saidOf = (text: string): string =>
  ` ${text.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().replace(/[^a-z0-9]+/g, " ")}`;

/** Of the words that stand in what is said, the one that ends last; of several the longest. */
function lastOf(said: string, words: readonly string[]): string | undefined {
  let [found, most] = [undefined as string | undefined, [-1, 0]];
  for (const word of words) {
    const at = said.lastIndexOf(word.length > SHORT ? word : ` ${word}`);
    const [end, length] = [at + word.length + (word.length > SHORT ? 0 : 1), word.length];
    if (at >= 0 && (end > most[0]! || (end === most[0] && length > most[1]!))) [found, most] = [word, [end, length]];
  }
  return found;
}

const WORDS = Object.keys(PICTURES.words);
const FOODS = WORDS.filter((word) => PICTURES.words[word]![1]);
const drawn = new Map<string, string>();

/** What is drawn of a kind with these marks: `tomato red pink 1 slices`: the picture, what it is inside and outside, its
 * states; empty where there is no picture. */
export function pictureOf(kind: string, marks: readonly string[] = [], creature = false): string {
  const said = saidOf(kind);
  const word = lastOf(said, WORDS);
  const own = (creature && PICTURES.creatures[said.trim()]) || (word === undefined ? "" : PICTURES.words[word]![0]);
  if (!own) return "";
  const food = lastOf(said, FOODS);
  const [, flesh, skin] = food === undefined ? ["", "", ""] : PICTURES.words[food]!;
  const all = `${[kind, ...marks].map(saidOf).join("")} `;
  const states = Object.keys(PICTURES.states).filter((state) => all.includes(` ${state} `)).map((state) => PICTURES.states[state]!);
  const shape = food === word ? states.find((state) => Object.hasOwn(PICTURES.pictures, state)) : undefined;
  const over = states.filter((state) => Object.hasOwn(PICTURES.over, state));
  return [shape ?? own, flesh, skin, ...new Set(over)].join("|");
}

function parts(key: string): JSX.Element[] {
  const [name, flesh, skin, ...states] = key.split("|") as [string, string, string, ...string[]];
  const colour = (paint: string): string => {
    let own = paint === "@flesh" ? flesh || "orange" : paint === "@skin" ? skin || "rust" : paint === "@raw" ? flesh || "raw" : paint;
    if (states.includes("hot")) own = PICTURES.cooked[own] ?? own;
    if (states.includes("burnt") && own !== "ink" && own !== "dim" && own !== "shine") own = "char";
    return PICTURES.paints[own]!;
  };
  const one = (part: string, index: number, paint: (name: string) => string): JSX.Element => {
    const space = part.indexOf(" ");
    const [sign, d] = [part[0], part.slice(space + 1)];
    if (sign === LINE) return <path key={index} d={d} stroke={paint(part.slice(1, space))} class="pic-line" />;
    if (sign === ALONE) return <path key={index} d={d} fill={paint(part.slice(1, space))} />;
    return <path key={index} d={d} fill={paint(part.slice(0, space))} class="pic-area" />;
  };
  const plain = (paint: string): string => PICTURES.paints[paint]!;
  const over = states.flatMap((state) => PICTURES.pictures[PICTURES.over[state]!]!);
  return [...PICTURES.pictures[name]!.map((part, index) => one(part, index, colour)), ...over.map((part, index) => one(part, 100 + index, plain))];
}

/** A picture by what `pictureOf` says, `size` pixels wide around (0, 0). */
export function Drawing({ of, size, mirrored = false }: { of: string; size: number; mirrored?: boolean }) {
  const inside = useMemo(() => parts(of), [of]);
  const scale = size / 24;
  return <g class="pic" transform={`scale(${mirrored ? -scale : scale} ${scale}) translate(-12 -12)`}>{inside}</g>;
}

/** The same for a kind of things, kept: many things are drawn many times a second. */
export function picture(kind: string, marks: readonly string[] = [], creature = false): string {
  const key = `${kind}|${marks.join(" ")}|${creature}`;
  let found = drawn.get(key);
  if (found === undefined) {
    if (drawn.size >= MOST_KEPT) drawn.clear();
    drawn.set(key, (found = pictureOf(kind, marks, creature)));
  }
  return found;
}
