import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToString } from "preact-render-to-string";
import type { Ground, Scene } from "../src/protocol";
import { BodyCard, PlaceCard } from "../src/scene/cards";
import { chartOf, extentOf, groundOf, isMap, marksOf, namesAt, nearest } from "../src/scene/map_layout";
import { areas, columnsOf, Others, Strip, usualHeight } from "../src/scene/terrain";
import { block, isBlock } from "../src/space/colours";

const FARM: Scene = {
  width: 20, height: 15, corner: [-3, 5],
  places: [
    { name: "furnace", kind: "furnace", at: [10, 3], marks: ["burning"], stack: [{ name: "coal", kind: "coal", marks: ["x 3"] }] },
    { name: "chest", kind: "chest", at: [10, 4] },
    { name: "cow 1", kind: "cow", at: [2, 2] },
    { name: "cow 2", kind: "cow", at: [3, 2], progress: [{ label: "grazing", done: 1, full: 4, paused: true }] },
  ],
  bodies: [
    { name: "alex", kind: "agent", at: [5, 5], holding: [{ name: "egg", kind: "egg" }] },
    { name: "steve", kind: "agent", at: [5, 5] },
    { name: "chief", kind: "agent", at: null, says: "wood" },
  ],
};
const GROUND: Ground = { corner: [-5, 3], width: 4, depth: 2, kinds: ["grass_block", ""], runs: [[5, 0, 0], [1, 0, 2], [2, 1, 0]] };

test("few things on many cells are a map, and so is ground that was seen", () => {
  const crowded = { ...FARM, places: Array.from({ length: 60 }, (_, n) => ({ name: `p${n}`, kind: "table", at: [n % 20, Math.floor(n / 20)] as [number, number] })) };
  assert.ok(isMap(FARM));
  assert.ok(!isMap(crowded) && !isMap({ ...FARM, width: 10 }));
  assert.ok(isMap({ ...crowded, ground: GROUND }));
});

test("a map fits into its room, and what was shown once stays in sight", () => {
  for (const room of [320, 700, 1000]) assert.ok(chartOf(extentOf(FARM, null), room).width <= room);
  const later = extentOf({ ...FARM, corner: [-6, 5], width: 10, height: 3 }, extentOf(FARM, null));
  assert.deepEqual(later, { west: -6, north: 5, east: 17, south: 20 });
  assert.equal(groundOf({ ...FARM, ground: { ...GROUND, corner: [900, 3] } }), null, "ground that is far belongs elsewhere");
});

test("every name is there, and stands on no other and on no mark", () => {
  for (const room of [320, 1000]) {
    const chart = chartOf(extentOf(FARM, null), room);
    const marks = marksOf(FARM, chart);
    const names = namesAt(marks, [], chart);
    assert.deepEqual([...names.values()].map((name) => name.words).sort(), ["alex", "chest", "cow 1", "cow 2", "furnace", "steve"]);
    const boxes = [...names.values(), ...marks.map(({ x, y }) => ({ left: x - chart.half, right: x + chart.half, top: y - chart.half, bottom: y + chart.half }))];
    [...names.values()].forEach((name, at) => boxes.forEach((other, index) => {
      const apart = name.right <= other.left || other.right <= name.left || name.bottom <= other.top || other.bottom <= name.top;
      assert.ok(at === index || apart, `${name.words} at ${room}`);
    }));
  }
});

test("a name keeps to its side while there is room", () => {
  const chart = chartOf(extentOf(FARM, null), 1000);
  const alone: Scene = { ...FARM, places: FARM.places!.slice(2, 3), bodies: [] };
  const beside: Scene = { ...alone, places: FARM.places!.slice(2) };
  const pushed = namesAt(marksOf(beside, chart), [], chart).get("place cow 1")!;
  assert.notEqual(pushed.side, 0);
  const before = new Map([["place cow 1", pushed]]);
  assert.equal(namesAt(marksOf(alone, chart), [], chart).get("place cow 1")!.side, 0);
  assert.equal(namesAt(marksOf(alone, chart), [], chart, before).get("place cow 1")!.side, pushed.side);
});

test("who shares a cell stands apart, and a click means the nearest", () => {
  const chart = chartOf(extentOf(FARM, null), 320);
  const marks = marksOf(FARM, chart);
  const [alex, steve] = ["alex", "steve"].map((name) => marks.find((mark) => mark.key === `body ${name}`)!) as [typeof marks[0], typeof marks[0]];
  assert.ok(steve.x > alex.x && steve.y > alex.y);
  assert.equal(nearest(marks, steve.x + 1, steve.y)?.key, "body steve");
  assert.equal(nearest([], 0, 0), undefined);
});

test("ground is drawn in rectangles, and shaded against its usual height", () => {
  const columns = columnsOf(GROUND);
  assert.equal(columns.length, 8);
  assert.equal(usualHeight(GROUND), 0);
  assert.deepEqual(areas(4, columns.map(([kind]) => kind)), [["", "M2 1h2v1h-2z"], ["grass_block", "M0 0h4v1h-4zM0 1h2v1h-2z"]]);
  assert.deepEqual(areas(2, [1, 1, 1, 1]), [[1, "M0 0h2v2h-2z"]]);
});

test("blocks have the colours of their words", () => {
  assert.ok(isBlock("oak_log") && isBlock("Furnace") && !isBlock("chicken"));
  assert.equal(block("birch leaves"), block("leaves"));
  assert.equal(block("oak_planks"), block("planks"));
  assert.equal(block("constructor"), block("no such block"));
});

test("cards tell what is held, said and under way, as text", () => {
  const evil = "<img src=x>";
  const [furnace, , , cow] = FARM.places!;
  const page = [
    renderToString(<BodyCard body={FARM.bodies![0]!} hue={0} own onClick={() => {}} />),
    renderToString(<BodyCard body={{ ...FARM.bodies![2]!, says: evil }} hue={0} own={false} onClick={undefined} />),
    renderToString(<PlaceCard place={furnace!} sign={<g />} onClick={() => {}} />),
    renderToString(<PlaceCard place={cow!} sign={<g />} onClick={() => {}} />),
    renderToString(<svg><Others chart={chartOf(extentOf(FARM, null), 320)} ground={{ ...GROUND, others: [{ kind: "player", at: [-4.5, 3.5], name: evil }, { kind: "pig", at: [90, 3] }] }} /></svg>),
    renderToString(<Strip chart={chartOf(extentOf(FARM, null), 320)} ground={{ ...GROUND, source: evil }} />),
  ].join("");
  for (const words of ["alex, you: holds egg", "burning", "x 3", "grazing 1/4 paused", "north", "5 blocks", "&lt;img"]) assert.ok(page.includes(words), words);
  assert.ok(!page.includes("<img") && !page.includes("pig"));
});
