import assert from "node:assert/strict";
import { test } from "node:test";
import { isDone, placesOf } from "../src/parts/tutorial";
import type { Frame, TutorialStep } from "../src/protocol";

const frame = (holding: string, inPot: string, ...events: string[]): Frame => ({
  kind: "frame", number: 1, time: 1, text: "", shots: [], deciding: [], events: events.map((what) => ({ time: 1, what, lane: "", label: "" })),
  scene: {
    width: 3, height: 1,
    places: [{ name: "pot0", kind: "pot", at: [0, 0], ...(inPot ? { stack: [{ name: "bowl 1", kind: "bowl", inside: [{ name: `${inPot} 1`, kind: inPot }] }] } : {}) }, { name: "pot1", kind: "pot", at: [2, 0] }],
    bodies: [{ name: "a", kind: "agent", at: [1, 0], ...(holding ? { holding: [{ name: `${holding} 1`, kind: holding }] } : {}) }],
  },
}) as Frame;
const step = (more: Partial<TutorialStep>): TutorialStep => ({ say: "", places: ["pot"], keys: [], holds: "", has: "", event: "", ...more });

test("a step is done when all that it names is seen", () => {
  assert.ok(isDone(step({ holds: "rice" }), frame("rice", "")));
  assert.ok(!isDone(step({ holds: "rice" }), frame("egg", "rice")));
  assert.ok(isDone(step({ has: "rice" }), frame("", "rice")));
  assert.ok(!isDone(step({ has: "rice", places: ["pot1"] }), frame("", "rice")));
  assert.ok(isDone(step({ event: "delivered" }), frame("", "", "delivered")));
  assert.ok(!isDone(step({ event: "delivered", holds: "rice" }), frame("", "", "delivered")));
  assert.deepEqual(placesOf(step({}), frame("", "").scene!), ["pot0", "pot1"]);
});
