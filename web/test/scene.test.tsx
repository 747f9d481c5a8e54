import assert from "node:assert/strict";
import { test } from "node:test";
import { activities, lanes, starts, talk } from "../src/activities";
import type { Event, Scene } from "../src/protocol";
import { bodyTold, elsewhere, namesOf, nextTo, placeTold, spots, stageOf } from "../src/scene/layout";
import { broken, moment, shortened, widthOf, wrapped } from "../src/words";

const SCENE: Scene = {
  width: 3, height: 2,
  places: [
    { name: "pot1", kind: "pot", at: [0, 0], stack: [{ name: "soup", kind: "soup", inside: [{ name: "rice", kind: "rice" }], progress: [{ label: "boils", done: 1, full: 3 }] }] },
    { name: "table", kind: "table", at: [2, 0] },
  ],
  bodies: [
    { name: "ann", kind: "cook", at: [1, 1], holding: [{ name: "egg", kind: "egg", marks: ["raw"] }] },
    { name: "ben", kind: "cook", at: [1, 1] },
    { name: "cat", kind: "cook", at: null },
    { name: "dan", kind: "cook", at: [2, 0] },
  ],
};

test("bodies on one cell stand side by side, within it", () => {
  const stage = stageOf(SCENE, 300);
  const where = spots(SCENE, stage);
  const [ann, ben] = [where.get("ann")!, where.get("ben")!];
  assert.ok(stage.cell < ann.x && ann.x < ben.x && ben.x < 2 * stage.cell);
  assert.deepEqual(elsewhere(SCENE).map((body) => body.name), ["cat", "dan"], "who has no cell, and who stands where a place is");
});

test("a grid is as wide as there is room, and rows do not shrink", () => {
  for (const room of [320, 800, 1400]) assert.ok(stageOf(SCENE, room).width <= room);
  const before = stageOf(SCENE, 300).rows;
  const emptied = { ...SCENE, places: SCENE.places!.map((place) => ({ ...place, stack: [] })) };
  assert.deepEqual(stageOf(emptied, 300, before).rows, before);
  assert.ok(stageOf(emptied, 300).rows[0]! < before[0]!);
});

test("everything is told in words", () => {
  assert.equal(placeTold(SCENE.places![0]!), "pot1: on it soup (boils 1 of 3) with rice");
  assert.equal(bodyTold(SCENE.bodies![0]!, true), "ann, you: holds egg (raw)");
  assert.deepEqual([...namesOf(SCENE.places![0]!)], ["pot1", "soup", "rice"]);
});

test("arrow keys go to what is next in their direction", () => {
  const points: [number, number][] = [[0, 0], [10, 1], [20, 0], [1, 10]];
  assert.equal(nextTo(points, 0, 1, 0), 1);
  assert.equal(nextTo(points, 0, 0, 1), 3);
  assert.equal(nextTo(points, 0, -1, 0), 0);
});

const EVENTS: Event[] = [
  { time: 0, what: "start", lane: "ann", label: "start boil", key: "1" },
  { time: 0, what: "start", lane: "pot1", label: "boil", key: "2" },
  { time: 1, what: "end", key: "1" },
  { time: 1, what: "start", lane: "ben", label: "wait", key: "3", kind: "wait" },
  { time: 2, what: "pause", key: "2" },
  { time: 2, what: "said", lane: "ann", label: "hm" },
  { time: 3, what: "resume", lane: "pot1", label: "boil", key: "2" },
];

test("events are intervals, and what goes on ends now", () => {
  const of = activities(EVENTS, 5);
  assert.deepEqual(of.map((one) => [one.lane, one.start, one.end, one.state]), [
    ["ann", 0, 1, "done"], ["pot1", 0, 2, "cut"], ["ben", 1, 5, "open"], ["pot1", 3, 5, "open"],
  ]);
  assert.deepEqual([...starts(of)].map((one) => one.label), ["start boil"]);
  assert.deepEqual(talk(EVENTS), [{ time: 2, lane: "ann", words: "hm" }]);
  assert.deepEqual(lanes(of, [], ["ben"]).map((lane) => [lane.name, lane.body]), [["ben", true], ["ann", true], ["pot1", false]]);
});

test("names are cut and broken so that they fit, and keep their numbers", () => {
  assert.ok(widthOf(shortened("ingredient_dispenser12", 10, 60), 10) <= 60);
  assert.match(shortened("ingredient_dispenser12", 10, 60), /…12$/);
  assert.deepEqual(broken("ingredient_dispenser", 10, 70), ["ingredient", "dispenser"]);
  assert.deepEqual(broken("counter-10", 10, 45), ["counter-", "10"]);
  assert.equal(wrapped("one two three four five six seven", 10, 60, 2).length, 2);
});

test("times are said in the world's unit", () => {
  assert.deepEqual([moment(12, "minutes"), moment(3, "steps"), moment(3725.5, "seconds"), moment(7.24, "seconds")], [
    "minute 12", "step 3", "1:02:05", "0:07",
  ]);
});
