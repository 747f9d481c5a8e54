import assert from "node:assert/strict";
import { test } from "node:test";
import type { Controls, OptionTold, Scene } from "../src/protocol";
import { choicesAt, indexOf, placesOf, renewed, walkingKeys, wayOf } from "../src/space/choices";
import { leftOf, shareOf } from "../src/space/clock";
import { food, wordOf } from "../src/space/colours";
import { type Doing, keysOf } from "../src/space/keys";
import { seenOf } from "../src/space/labels";
import { headingOf, route, turned, Walk } from "../src/space/paths";

const option = (label: string, verb: string, things: (string | string[])[], body = "robot1"): OptionTold =>
  ({ label, gloss: "", body, verb, things, passes: false });

const SCENE: Scene = {
  width: 4,
  height: 3,
  places: [
    { name: "table1", kind: "table", at: [0, 0] }, { name: "board1", kind: "board", at: [2, 0] },
    { name: "table2", kind: "table", at: [1, 1] },
  ],
  bodies: [{ name: "robot1", kind: "robot", at: [0, 1] }, { name: "robot2", kind: "robot", at: [3, 1] }],
};

const CONTROLS: Controls = {
  mouse_click_actions: [{ name: "move", input_instructions: { click_on: "s2", button: "left" } }],
  keyboard_actions: [
    { name: "wait", input_instructions: { key: "space", at: null } },
    ...["up", "down", "left", "right"].map((key) => ({ name: "walk", input_instructions: { key, at: null } })),
  ],
};
const VERBS = { move: ["p", "s1", "s2"], pick: ["p", "i", "s1"], wait: [] };

const MOVE = option("go from table1 to board1", "move", ["robot1", "table1", "board1"]);
const PICK = option("take the bun from table1", "pick", ["robot1", "bun", "table1"]);
const EITHER = option("put it on a table", "pick", ["robot1", "bun", ["table1", "table2"]]);
const WAIT = option("wait", "wait", []);
const OTHER = option("wait", "wait", [], "robot2");
const ALL = [MOVE, PICK, EITHER, WAIT, OTHER];

const at = (kind: "place" | "body" | "board", name = ""): string[] =>
  choicesAt({ kind, name }, ALL, SCENE, CONTROLS, VERBS).map((choice) => `${choice.index} ${choice.option.label}`);

test("an option belongs to the place that a click would name, not to every place in it", () => {
  assert.deepEqual(placesOf(MOVE, SCENE, CONTROLS, VERBS), ["board1"]);
  assert.deepEqual(placesOf({ ...MOVE, things: ["robot1", "board1", "table1"] }, SCENE, CONTROLS, VERBS), ["table1"]);
});

test("without a click for its verb it belongs to the last place that it names, or to any of several", () => {
  assert.deepEqual(placesOf(PICK, SCENE, CONTROLS, VERBS), ["table1"]);
  assert.deepEqual(placesOf(PICK, SCENE, null, {}), ["table1"]);
  assert.deepEqual(placesOf(EITHER, SCENE, CONTROLS, VERBS), ["table1", "table2"]);
  assert.deepEqual(placesOf(WAIT, SCENE, CONTROLS, VERBS), []);
});

test("every option can be reached by pointing, and keeps its index in the turn", () => {
  assert.deepEqual(at("place", "table1"), ["1 take the bun from table1", "2 put it on a table"]);
  assert.deepEqual(at("place", "board1"), ["0 go from table1 to board1"]);
  assert.deepEqual(at("board"), ["3 wait", "4 wait"]);
  assert.deepEqual(at("body", "robot2"), ["4 wait"]);
  assert.deepEqual(at("body", "robot1")[0], "3 wait");
  assert.equal(at("body", "robot1").length, 4);
});

test("an open panel keeps its lines where they are when the turn changes", () => {
  const before = [{ index: 0, option: MOVE }, { index: 1, option: PICK }];
  const now = [{ index: 0, option: WAIT }, { index: 1, option: { ...MOVE } }];
  assert.deepEqual(renewed(before, now).map((choice) => [choice.option.label, choice.index]), [
    [MOVE.label, 1], [PICK.label, -1], [WAIT.label, 0],
  ]);
  assert.equal(indexOf(OTHER, ALL), 4); // the same words for another body
});

test("walking keys are those of the world, all four or none", () => {
  assert.deepEqual(walkingKeys(CONTROLS), { up: "up", down: "down", left: "left", right: "right" });
  assert.equal(walkingKeys({ ...CONTROLS, keyboard_actions: CONTROLS.keyboard_actions.slice(0, 3) }), null);
  assert.equal(walkingKeys(null), null);
});

test("a stick means the way on the grid that the viewer sees", () => {
  assert.equal(wayOf(0, -1, 0), "up");
  assert.equal(wayOf(1, 0, 0), "right");
  assert.equal(wayOf(0, -1, Math.PI), "down"); // seen from behind
  assert.equal(wayOf(0, -1, Math.PI / 2), "left"); // seen from the right: away from oneself is to the left
  assert.equal(wayOf(1, 0, Math.PI / 2), "up");
  assert.equal(wayOf(0.2, 0.3, 0), null);
});

test("a way leads around what stands there, over no diagonal", () => {
  const way = route([0, 1], [2, 1], SCENE);
  assert.deepEqual(way[0], [0, 1]);
  assert.deepEqual(way.at(-1), [2, 1]);
  assert.equal(way.length, 5); // below table2
  for (const [i, cell] of way.slice(1).entries()) {
    assert.equal(Math.abs(cell[0] - way[i]![0]) + Math.abs(cell[1] - way[i]![1]), 1);
    assert.notDeepEqual(cell, [1, 1]);
  }
  const walled: Scene = { width: 3, height: 1, places: [{ name: "wall", kind: "counter", at: [1, 0] }] };
  assert.deepEqual(route([0, 0], [2, 0], walled), [[0, 0], [2, 0]]);
});

test("a walk keeps an even pace along its way and looks where it goes", () => {
  const walk = new Walk({ x: 0, y: 0, heading: 0 }, [[2, 0], [2, 2]], { x: 2, y: 2, heading: Math.PI }, 1000, 400);
  assert.deepEqual(walk.at(900), { x: 0, y: 0, heading: headingOf(1, 0) * 0 });
  const first = walk.at(1100);
  assert.ok(Math.abs(first.x - 1) < 1e-9 && first.y === 0);
  assert.equal(first.heading, headingOf(1, 0));
  const second = walk.at(1300);
  assert.ok(second.x === 2 && Math.abs(second.y - 1) < 1e-9);
  assert.deepEqual(walk.at(1400), { x: 2, y: 2, heading: Math.PI });
  assert.ok(walk.over(1400) && !walk.over(1399));
  const turning = new Walk({ x: 1, y: 1, heading: 3 }, [[1, 1]], { x: 1, y: 1, heading: -3 }, 0, 100);
  assert.ok(Math.abs(turning.at(50).heading) > 3); // by the shorter way round
  assert.ok(Math.abs(turned(3, -3, 1) - (2 * Math.PI - 3)) < 1e-9);
});

test("the longest word of a kind chooses its looks", () => {
  assert.equal(wordOf("SweetPotato", ["pot", "potato"]), "potato");
  assert.equal(food("tomatoSoup"), "#f5a08f");
  assert.equal(food("thing"), food("thing"));
});

const doing = (open: boolean, walks: boolean): { does: Doing; said: string[] } => {
  const said: string[] = [];
  const say = (name: string) => (...values: number[]): void => void said.push([name, ...values].join(" "));
  return {
    said,
    does: {
      open, walks, row: say("row"), take: say("take"), shut: say("shut"), next: say("next"), enter: say("enter"),
      turn: say("turn"), approach: say("approach"), reset: say("reset"), lean: say("lean"),
    },
  };
};
const key = (name: string, more: object = {}) =>
  ({ key: name, type: "keydown", repeat: false, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more });

test("keys belong to the open panel, then to walking, then to the camera; the rest to the page", () => {
  const panel = doing(true, true);
  for (const name of ["ArrowDown", "ArrowUp", "Enter", "Escape"]) keysOf(key(name), panel.does)?.();
  assert.deepEqual(panel.said, ["row 1", "row -1", "take", "shut"]);
  const live = doing(false, true);
  keysOf(key("ArrowUp"), live.does)?.();
  keysOf(key("ArrowUp", { repeat: true }), live.does)?.(); // it is down already
  keysOf(key("ArrowUp", { type: "keyup" }), live.does);
  keysOf(key("ArrowUp", { shiftKey: true }), live.does)?.();
  assert.deepEqual(live.said, ["lean 0 -1", "lean 0 0", "turn 0 1"]);
  const still = doing(false, false);
  for (const name of ["ArrowLeft", "+", "Home", "PageDown", "Enter"]) keysOf(key(name), still.does)?.();
  assert.deepEqual(still.said, ["turn -1 0", "approach 1", "reset", "next 1", "enter"]);
  for (const name of ["e", " ", "Tab"]) assert.equal(keysOf(key(name), still.does), null);
  assert.equal(keysOf(key("Home", { ctrlKey: true }), still.does), null);
});

test("clocks count what is left, the unit that has begun as well", () => {
  assert.equal(leftOf({ label: "", done: 1.2, full: 3 }), 2);
  assert.equal(leftOf({ label: "", done: 0.1 + 0.2, full: 3.3 }), 3); // no more by the error of a float
  assert.equal(leftOf({ label: "", done: 3, full: 3 }), 0);
  assert.equal(shareOf({ label: "", done: 3, full: 12 }), 0.25);
  assert.equal(shareOf({ label: "", done: 0, full: 0 }), 1);
});

test("of labels that would stand on each other the nearer one is seen, and a body's before a place's", () => {
  const label = (name: string, x: number, depth: number, rank = 2) => ({ name, x, y: 0, width: 1, height: 0.2, depth, rank });
  const seen = (...labels: ReturnType<typeof label>[]) => seenOf(labels).map(({ name }) => name);
  assert.deepEqual(seen(label("pot", 0, 5), label("pan", 0.5, 4)), ["pan"]);
  assert.deepEqual(seen(label("pot", 0, 5), label("pan", 0.5, 4), label("ann", 0.2, 6, 1)), ["ann"]);
  assert.deepEqual(seen(label("pot", 0, 5), label("pan", 0.97, 4)), ["pan", "pot"], "they may touch");
  assert.deepEqual(seen(label("a", 0, 3), label("b", 0.6, 4), label("c", 1.2, 5)), ["a", "c"], "what is hidden hides nothing");
});
