// Keys of the keyboard: the world's own, numbers of the moves, and those of the page.
import { digits } from "./choices";
import type { Controls, PressDone } from "./protocol";
import { walkingKeys } from "./space/choices";

export type Meaning =
  | { what: "press"; press: PressDone }
  | { what: "number"; number: number }
  | { what: "typed"; typed: string }
  | { what: "help" | "search" | "close" }
  | null;

const ARROWS: Readonly<Record<string, "up" | "down" | "left" | "right">> = {
  ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right",
};

/** What a key of the keyboard is called in a world's list of keys. */
export function nameOf(key: string): string {
  if (key === " ") return "space";
  return key.length === 1 ? key.toLowerCase() : (ARROWS[key] ?? key.toLowerCase());
}

/** The world's key that was pressed; `null` if it has no such key. */
export function worldKey(key: string, controls: Controls | null): string | null {
  const way = ARROWS[key];
  const walking = walkingKeys(controls);
  if (way && walking) return walking[way];
  const name = nameOf(key);
  return controls?.keyboard_actions.some((action) => action.input_instructions.key === name) ? name : null;
}

/** Whether a key walks, so that it is held down and not only pressed. */
export const walks = (key: string, controls: Controls | null): boolean => Object.values(walkingKeys(controls) ?? {}).includes(key);

/** What a key means to somebody who is not writing. `typed`: the digits before it; `most`: how many moves there are. */
export function meaning(key: string, typed: string, most: number, controls: Controls | null): Meaning {
  if (key === "?") return { what: "help" };
  if (key === "/") return { what: "search" };
  if (key === "Escape") return { what: "close" };
  const own = worldKey(key, controls);
  if (own) return { what: "press", press: { key: own } };
  if (/^\d$/.test(key)) {
    const read = digits(typed + key, most);
    if (read.number !== null) return { what: "number", number: read.number };
    return { what: "typed", typed: read.typed };
  }
  if (key === "Enter" && typed) return { what: "number", number: Number(typed) };
  return null;
}

/** Whether keys belong to what is focused: a field, a window over the page, a button for its own keys. */
export function taken(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest("input, textarea, select, dialog, [contenteditable], .menu")) return true;
  return (key === " " || key === "Enter") && target.closest("button, a, summary, [role=button]") !== null;
}
