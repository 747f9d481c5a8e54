// Which of a turn's options belong to what somebody points at.
import type { Controls, OptionTold, Scene } from "../protocol";

/** What can be pointed at: a place, a body, or the board on the wall (`name` is empty). */
export interface Target {
  kind: "place" | "body" | "board";
  name: string;
}

/** An option and its index in the turn. */
export interface Choice {
  index: number;
  option: OptionTold;
}

const allOf = (names: string | string[]): string[] => (typeof names === "string" ? [names] : names);

/** The place of each option: what the world's clicks say for its verb, or else the last place that it names.
 * An option for any of several places has them all; one without a place has none. */
export function placesOf(
  option: OptionTold, scene: Scene, controls: Controls | null, verbs: Record<string, string[]>,
): string[] {
  const places = new Set((scene.places ?? []).map((place) => place.name));
  const click = controls?.mouse_click_actions.find((action) => action.name === option.verb);
  const clicked = click ? (verbs[option.verb] ?? []).indexOf(click.input_instructions.click_on) : -1;
  const things = option.things.map(allOf);
  const named = (clicked >= 0 ? [things[clicked] ?? []] : [...things].reverse()).find((names) =>
    names.some((name) => places.has(name)),
  );
  return (named ?? []).filter((name) => places.has(name));
}

/** What can be decided by pointing there. A body offers all that it can do, without a place first; the board
 * all that needs no place. */
export function choicesAt(
  target: Target, options: readonly OptionTold[], scene: Scene, controls: Controls | null,
  verbs: Record<string, string[]>,
): Choice[] {
  const all = options.map((option, index) => ({ option, index, places: placesOf(option, scene, controls, verbs) }));
  const free = all.filter((choice) => !choice.places.length);
  if (target.kind === "board") return free.map(plain);
  if (target.kind === "place") return all.filter((choice) => choice.places.includes(target.name)).map(plain);
  const own = all.filter((choice) => choice.option.body === target.name);
  return [...own.filter((choice) => !choice.places.length), ...own.filter((choice) => choice.places.length)].map(plain);
}

const plain = ({ index, option }: Choice): Choice => ({ index, option });

/** Where an option is among these now; -1 if it is gone. */
export function indexOf(option: OptionTold, options: readonly OptionTold[]): number {
  return options.findIndex((other) => other.label === option.label && other.body === option.body);
}

/** The lines of an open panel after the turn has changed: none moves under the pointer. What is gone is kept
 * with the index -1, what is new comes last. */
export function renewed(before: readonly Choice[], now: readonly Choice[]): Choice[] {
  const options = now.map((choice) => choice.option);
  const kept = before.map(({ option }) => ({ option, index: now[indexOf(option, options)]?.index ?? -1 }));
  const known = before.map((choice) => choice.option);
  return [...kept, ...now.filter((choice) => indexOf(choice.option, known) < 0)];
}

export type Direction = "up" | "down" | "left" | "right";

/** The keys of the world that walk one way; `null` for a world without all four. */
export function walkingKeys(controls: Controls | null): Record<Direction, string> | null {
  const keys = new Set(controls?.keyboard_actions.map((action) => action.input_instructions.key));
  const found = (["up", "down", "left", "right"] as const).map((way) => {
    const name = [way, `arrow${way}`, `Arrow${way[0]!.toUpperCase()}${way.slice(1)}`].find((key) => keys.has(key));
    return [way, name] as const;
  });
  return found.every(([, name]) => name !== undefined)
    ? (Object.fromEntries(found) as Record<Direction, string>)
    : null;
}

/** The way on the grid that a stick or an arrow key means to somebody who sees the grid turned by `turn`
 * radians (counterclockwise from above); `null` within the stick's dead middle. `x` to the right, `y` towards
 * oneself. */
export function wayOf(x: number, y: number, turn: number): Direction | null {
  if (Math.hypot(x, y) < 0.5) return null;
  const [column, row] = [x * Math.cos(turn) + y * Math.sin(turn), y * Math.cos(turn) - x * Math.sin(turn)];
  if (Math.abs(column) > Math.abs(row)) return column > 0 ? "right" : "left";
  return row > 0 ? "down" : "up";
}
