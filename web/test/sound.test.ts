import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event, Frame } from "../src/protocol";
import { secondsLeft, soundOf, soundsOf } from "../src/sound";

const OWN = new Set(["agent0"]);

test("one's own hands, devices that are done and orders are heard, and nothing else", () => {
  const cases: [Event, string | null][] = [
    [{ time: 1, what: "start", lane: "agent0", label: "get tuna" }, "take"],
    [{ time: 1, what: "start", lane: "agent1", label: "get tuna" }, null],
    [{ time: 1, what: "start", lane: "agent0", label: "put pot0" }, "put"],
    [{ time: 1, what: "start", lane: "agent0", label: "put pot0", kind: "refused" }, null],
    [{ time: 1, what: "start", lane: "chopboard0", label: "tunaSashimi" }, "cut"],
    [{ time: 4, what: "end", lane: "pot0", label: "cookedRice" }, "done"],
    [{ time: 4, what: "end", lane: "agent0", label: "get tuna" }, null],
    [{ time: 5, what: "delivered", lane: "servingtable0", key: "order 1" }, "served"],
    [{ time: 5, what: "expired", lane: "orders", key: "order 1" }, "lost"],
  ];
  for (const [event, sound] of cases) assert.equal(soundOf(event, OWN), sound, `${event.what} ${event.lane} ${event.label}`);
});

test("an order that comes in is heard, and each of the last ten seconds", () => {
  const at = (number: number, caption: string, ...orders: string[]): Frame => ({
    kind: "frame", number, time: number, events: [], shots: [], text: "",
    scene: { width: 1, height: 1, caption, beside: orders.map((name) => ({ name, kind: "sushi", progress: [{ label: "waiting", done: 1, full: 9 }] })) },
  } as unknown as Frame);
  assert.deepEqual([...soundsOf(at(2, "50.1 of 60 s: 0 served", "a", "b"), at(1, "50.0 of 60 s: 0 served", "a"), OWN)], ["order"]);
  assert.deepEqual([...soundsOf(at(2, "51.0 of 60 s: 0 served", "a"), at(1, "50.9 of 60 s: 0 served", "a"), OWN)], ["tick"]);
  assert.deepEqual([secondsLeft("50.9 of 60 s: 1 served"), secondsLeft("step 3 of 60")], [10, null]);
});
