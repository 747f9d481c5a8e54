// Intervals on lanes, folded from events as kernel/activities.py does, as the events come in.
import type { Event } from "./protocol";

export interface Activity {
  lane: string;
  label: string;
  start: number;
  end: number;
  kind: "work" | "wait" | "refused" | "differs";
  /** `open`: it goes on now. `cut`: it was paused or never ended. */
  state: "done" | "open" | "cut";
  key: string;
}

export interface Lane {
  name: string;
  body: boolean;
  rows: Activity[][];
}

export interface Said {
  time: number;
  lane: string;
  words: string;
}

/** All activities, by start; what is still open ends `now`. */
export function activities(events: readonly Event[], now: number): Activity[] {
  const opened = new Map<string, Event>();
  const found: Activity[] = [];
  const close = (first: Event, end: number, state: Activity["state"]): void => {
    found.push({
      lane: first.lane ?? "", label: first.label ?? "", start: first.time, end: Math.max(first.time, end), state,
      kind: first.kind ?? "work", key: `${first.key ?? ""} ${first.time}`,
    });
  };
  for (const event of events) {
    const key = event.key ?? "";
    if (event.what === "start" || event.what === "resume") opened.set(key, event);
    else if (event.what === "end" || event.what === "pause") {
      const first = opened.get(key);
      if (first) close(first, event.time, event.what === "end" ? "done" : "cut");
      opened.delete(key);
    }
  }
  for (const first of opened.values()) close(first, now, "open");
  return found.sort((a, b) => a.start - b.start || compare(a.lane, b.lane) || a.end - b.end || compare(a.label, b.label));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Each "start X" of a body that has set X going on another lane at the same time. */
export function starts(of: readonly Activity[]): Set<Activity> {
  const begun = new Map(of.map((activity) => [`start ${activity.label} ${activity.start}`, activity]));
  return new Set(of.filter((activity) => {
    const other = begun.get(`${activity.label} ${activity.start}`);
    return other !== undefined && other.lane !== activity.lane;
  }));
}

/** Lanes in rows: those of `bodies` first, in their order. A lane is also a body's if it speaks, waits, is refused
 * or starts other work. */
export function lanes(of: readonly Activity[], said: readonly Said[], bodies: readonly string[]): Lane[] {
  const acting = new Set([...bodies, ...said.map((words) => words.lane)]);
  const begun = starts(of);
  for (const activity of of) if (activity.kind !== "work" || begun.has(activity)) acting.add(activity.lane);
  const names = [...new Set([...bodies, ...of.map((activity) => activity.lane), ...said.map((words) => words.lane)])];
  const found = names.map((name) => ({
    name, body: acting.has(name), rows: rows(of.filter((activity) => activity.lane === name)),
  }));
  const place = new Map(bodies.map((name, index) => [name, index]));
  const rank = (lane: Lane): number => place.get(lane.name) ?? (lane.body ? bodies.length : bodies.length + 1);
  return found.sort((a, b) => rank(a) - rank(b));
}

/** Each activity in the first row that is free when it begins. */
function rows(of: readonly Activity[]): Activity[][] {
  const found: Activity[][] = [];
  for (const activity of of) {
    const free = found.find((row) => {
      const last = row.at(-1)!;
      return last.end <= activity.start && !(last.start === activity.start && last.end === activity.end);
    });
    if (free) free.push(activity);
    else found.push([activity]);
  }
  return found;
}

export function talk(events: readonly Event[]): Said[] {
  return events
    .filter((event) => event.what === "said")
    .map((event) => ({ time: event.time, lane: event.lane ?? "", words: event.label ?? "" }));
}

/** The newest score, if the world tells any. */
export function score(events: readonly Event[]): number | null {
  for (let at = events.length - 1; at >= 0; at -= 1) {
    const event = events[at]!;
    if (event.what === "score" && typeof event.value === "number") return event.value;
  }
  return null;
}

/** The smallest of 1, 2, 5, 10, 20, 50 ... that needs at most `most` steps for `span`. */
export function tickStep(span: number, most: number): number {
  for (let step = 1; ; step *= 10) {
    for (const factor of [1, 2, 5]) if (span <= step * factor * most) return step * factor;
  }
}

/** A number as people write it: no noise behind the point. */
export const plain = (value: number): string => String(Math.round(value * 100) / 100);
