// How names and numbers are shown to people.

/** The width of a text in a font of this size, roughly: letters of a sans serif. */
export function widthOf(text: string, size: number): number {
  let units = 0;
  for (const letter of text) units += NARROW.has(letter) ? 0.3 : WIDE.has(letter) ? 0.86 : /[A-Z]/.test(letter) ? 0.7 : 0.6;
  return units * size;
}

const NARROW = new Set("iljtfrI.,:;'|!()[] ");
const WIDE = new Set("mwMW@%");

/** The text cut to a width, with an ellipsis; a number at its end stays. */
export function shortened(text: string, size: number, width: number): string {
  if (widthOf(text, size) <= width) return text;
  const number = /[-_ ]?\d+$/.exec(text)?.[0] ?? "";
  let kept = text.slice(0, text.length - number.length);
  while (kept && widthOf(`${kept}…${number}`, size) > width) kept = kept.slice(0, -1);
  return kept ? `${kept}…${number}` : text.slice(0, 1);
}

/** A name on at most `most` lines, broken between its parts. */
export function broken(name: string, size: number, width: number, most = 2): string[] {
  if (widthOf(name, size) <= width) return [name];
  const parts = name.split(/(?<=[_\- ,])|(?<=[^\d_\- ,])(?=\d+$)|(?<=[a-z])(?=[A-Z])/).filter(Boolean);
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && (widthOf(last + part, size) <= width || lines.length === most)) lines[lines.length - 1] = last + part;
    else lines.push(part);
  }
  return lines.map((line) => shortened(line.replace(/[_ ]$/, ""), size, width));
}

/** A text on at most `most` lines. */
export function wrapped(text: string, size: number, width: number, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(`${last} ${word}`, size) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else if (lines.length < most) lines.push(word);
    else {
      lines[most - 1] = shortened(`${lines[most - 1]} ${word}…`, size, width);
      break;
    }
  }
  return lines.map((line) => shortened(line, size, width));
}

/** `served_orders` as `served orders`. */
export const spoken = (name: string): string => name.replaceAll("_", " ");

/** Whether two texts have the same words, in whatever order. */
export const sameWords = (one: string, other: string): boolean => sorted(one) === sorted(other);

const sorted = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).sort().join(" ");

/** So many seconds as a clock has them: `1:05`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The lines of a text that are in none of the others. */
export function beyond(text: string, others: readonly string[]): string {
  const known = new Set(others.flatMap((other) => other.split("\n")).map((line) => line.trim()).filter(Boolean));
  return text.split("\n").filter((line) => !known.has(line.trim())).join("\n").trim();
}

const ENDINGS: Readonly<Record<string, string>> = {
  completed: "all is done", horizon: "the time is up", time_limit: "the time is up", step_limit: "all steps are taken", turn_limit: "all turns are taken",
  stuck: "nothing can be done any more", quit: "given up", gave_up: "given up",
};

/** Why a game is over, for people: the usual reasons in words, others as they are called. */
export const ending = (reason: string): string => ENDINGS[reason] ?? spoken(reason);

/** As people write a sentence: a capital first, a full stop last. */
export const sentence = (words: string): string => words && `${words[0]!.toUpperCase()}${words.slice(1)}${/[.!?…]$/.test(words) ? "" : "."}`;

export const amount = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

/** A time in the world's unit, as in `minute 12`; seconds as a clock has them. */
export function moment(time: number, unit: string): string {
  if (unit === "seconds") return hours(time);
  return `${unit.replace(/s$/, "")} ${Number.isInteger(time) ? time : time.toFixed(1)}`;
}

/** So much time in the world's unit: `1 h 5 min`, `4 min`, `12 steps`. */
export function span(time: number, unit: string): string {
  if (unit !== "seconds") return unit === "minutes" ? `${plainly(time)} min` : amount(Number(plainly(time)), unit.replace(/s$/, ""));
  const whole = Math.max(0, Math.round(time));
  const parts = [[Math.floor(whole / 3600), "h"], [Math.floor(whole / 60) % 60, "min"], [whole % 60, "s"]] as const;
  return parts.filter(([count]) => count).map(([count, word]) => `${count} ${word}`).join(" ") || "0 s";
}

const plainly = (time: number): string => (Number.isInteger(time) ? String(time) : time.toFixed(1));

function hours(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60].map(String) as [string, string, string];
  return h === "0" ? `${m}:${s.padStart(2, "0")}` : `${h}:${m.padStart(2, "0")}:${s.padStart(2, "0")}`;
}
