import assert from "node:assert/strict";
import { test } from "node:test";
import type { Frame, Turn, Welcome } from "../src/protocol";
import { after, EMPTY } from "../src/session";

const frame = (number: number, deciding: string[]): Frame =>
  ({ kind: "frame", number, time: number, scene: null, text: "", shots: [], events: [], deciding });
const welcome = (live: boolean) => ({ kind: "welcome", seat: "cook", seats: [], live }) as unknown as Welcome;
const TURN = { kind: "turn", number: 0, options: [] } as unknown as Turn;

const turnAfter = (live: boolean, deciding: string[]): Turn | null =>
  [welcome(live), frame(0, ["cook"]), TURN, frame(1, deciding)].reduce((state, message) => after(state, message, 0), EMPTY).turn;

test("a turn is over when the next frame asks somebody else", () => {
  assert.equal(turnAfter(false, ["chef"]), null);
  assert.equal(turnAfter(false, ["cook"]), TURN);
});

test("in a game with a clock what can be done stays while time passes", () => {
  assert.equal(turnAfter(true, []), TURN);
});
