import assert from "node:assert/strict";
import { test } from "node:test";
import { about, bodiesOf, digits, found, grouped, numbered, ofBody, sensible, shortLabel, steady, together } from "../src/choices";
import { meaning, nameOf } from "../src/keys";
import type { Controls, OptionTold } from "../src/protocol";
import { beyond, ending, sameWords } from "../src/words";

const option = (label: string, more: Partial<OptionTold> = {}): OptionTold => ({
  label, gloss: "", body: "", verb: "", things: [], passes: false, ...more,
});
const MENU = [
  option("wait", { passes: true }),
  option("goto_a0_pot1", { body: "a0", verb: "goto", things: ["pot1"] }),
  option("goto_a1_pot1", { body: "a1", verb: "goto", things: ["pot1"] }),
  option("get_a1_rice_pot1", { body: "a1", verb: "fetch", things: ["rice", ["pot1", "pot2"]] }),
  option("say hello"),
];
const choices = numbered(MENU);

test("groups are verbs in their order, then what has none, then waits", () => {
  assert.deepEqual(grouped(choices).map((group) => [group.title, group.choices.map((choice) => choice.number)]), [
    ["goto", [2, 3]], ["fetch", [4]], ["more", [5]], ["wait", [1]],
  ]);
});

test("moves that are nothing but their verb are one group", () => {
  const grid = ["north", "south", "stay"].map((verb) => option(verb, { verb, passes: verb === "stay" }));
  const menu = numbered([...grid, option("pickup(egg)", { verb: "pickup", things: ["egg"] }), option("place()", { verb: "place" })]);
  assert.deepEqual(grouped(menu).map((group) => [group.title, group.choices.map((choice) => choice.number)]), [
    ["do", [1, 2, 5]], ["pickup", [4]], ["wait", [3]],
  ]);
  assert.deepEqual(grouped(menu.slice(2)).map((group) => group.title), ["pickup", "place", "wait"], "one alone keeps its name");
});

test("by the clock a move keeps its number, what is gone is grey, and what is new comes last", () => {
  const before = numbered(MENU.slice(1, 3));
  const after = steady(before, [MENU[4]!, MENU[2]!]);
  assert.deepEqual(after.map(({ option, number, grey }) => [option.label, number, grey ?? false]), [
    ["goto_a0_pot1", 1, true], ["goto_a1_pot1", 2, false], ["say hello", 3, false],
  ]);
  assert.deepEqual(steady(after, MENU.slice(1)).map(({ option }) => option.label), [...after.map(({ option }) => option.label), "get_a1_rice_pot1"]);
  assert.deepEqual(grouped(steady(after, MENU), undefined, 2).map((group) => [group.title, group.choices.length]), [["goto", 2], ["since then", 3]]);
});

test("a click does the one sensible thing, and nothing where there are several or more than it says", () => {
  const [go, take, put] = numbered([option("goto pot", { verb: "goto" }), option("get pot", { verb: "get" }), option("put pot", { verb: "put", gloss: "throws it away" })]);
  assert.equal(sensible([go!, take!, { ...put!, grey: true }], "")?.number, 2);
  assert.equal(sensible([go!, { ...take!, grey: true }], "")?.number, 1, "to go there, if nothing else can be done");
  assert.equal(sensible([go!, take!, put!], ""), null);
  assert.equal(sensible([go!, put!], ""), null, "what is meant is asked for first");
  assert.equal(sensible([{ ...take!, option: { ...take!.option, body: "b" } }], "a"), null);
});

test("each body has its own options and those of nobody", () => {
  assert.deepEqual(bodiesOf(MENU), ["a0", "a1"]);
  assert.deepEqual(ofBody(choices, "a0").map((choice) => choice.number), [1, 2, 5]);
});

test("beginnings of words find options, and a number the one that has it", () => {
  assert.deepEqual(found(choices, "po ri").map((choice) => choice.number), [4]);
  assert.deepEqual(found(choices, "3").map((choice) => choice.number), [3]);
  assert.deepEqual(found(choices, "  ").length, 5);
  assert.deepEqual(found(choices, "(.*)+").length, 5, "marks are no words, and no pattern either");
});

test("labels leave out what their group and body say", () => {
  assert.equal(shortLabel(MENU[1]!, "goto"), "pot1");
  assert.equal(shortLabel(MENU[3]!, "fetch"), "get rice pot1");
  assert.equal(shortLabel(option("pickup(rice,storage)", { verb: "pickup" }), "pickup"), "rice, storage");
  assert.equal(shortLabel(option("pickup(rice,storage)", { verb: "fetch" }), "fetch"), "rice, storage");
  assert.equal(shortLabel(option("place()", { verb: "place" }), "place"), "place");
  assert.equal(shortLabel(option("robot1 goes to table2", { body: "robot1", verb: "move" }), "move"), "goes to table2");
  assert.equal(shortLabel(option("wash dish", { verb: "wash" }), "wash"), "dish");
  assert.equal(shortLabel(option("a.*b x", { verb: "a.*b" }), "a.*b"), "x");
});

test("a click concerns what names the thing, or any of several", () => {
  assert.deepEqual(about(choices, new Set(["pot2"])).map((choice) => choice.number), [4]);
  assert.deepEqual(about(choices, new Set(["a0"])).map((choice) => choice.number), [2]);
});

test("several bodies are commanded by numbers", () => {
  assert.equal(together([choices[1]!, choices[3]!]), "2 4");
});

test("digits are a number as soon as no longer one can be meant", () => {
  assert.deepEqual(digits("4", 9), { number: 4, typed: "" });
  assert.deepEqual(digits("1", 12), { number: null, typed: "1" });
  assert.deepEqual(digits("12", 12), { number: 12, typed: "" });
  assert.deepEqual(digits("99", 12), { number: null, typed: "" });
  assert.deepEqual(digits("0", 12), { number: null, typed: "" });
});

const CONTROLS: Controls = {
  mouse_click_actions: [],
  keyboard_actions: ["up", "down", "left", "right", "space", "e"].map((key) => ({ name: key, input_instructions: { key, at: null } })),
};

test("keys of the world come before numbers, help and search always", () => {
  assert.equal(nameOf(" "), "space");
  assert.deepEqual(meaning("ArrowUp", "", 9, CONTROLS), { what: "press", press: { key: "up" } });
  assert.deepEqual(meaning("E", "", 9, CONTROLS), { what: "press", press: { key: "e" } });
  assert.deepEqual(meaning("7", "", 9, CONTROLS), { what: "number", number: 7 });
  assert.deepEqual(meaning("Enter", "1", 12, CONTROLS), { what: "number", number: 1 });
  assert.deepEqual(meaning("?", "", 0, null), { what: "help" });
  assert.equal(meaning("ArrowUp", "", 9, null), null);
});

test("what is said already is not said again", () => {
  assert.equal(beyond("teapot is clean.\nMinute 2. Your action?", ["", "Minute 2. Your action?"]), "teapot is clean.");
  assert.equal(beyond("The step runs.\nIt is 00:02.\n\nThe stove is free.", ["The step runs."]), "It is 00:02.\n\nThe stove is free.");
  assert.equal(beyond("Your action?", ["Your action?"]), "");
});

test("the end of a game is told in words", () => {
  assert.equal(ending("horizon"), "the time is up");
  assert.equal(ending("revision_limit"), "revision limit");
});

test("a goal and a caption of the same words are said once", () => {
  assert.ok(sameWords("A sandwich with cheese and chicken.", "a sandwich with chicken and cheese"));
  assert.ok(!sameWords("step 4: 1 served", "step 4: 0 served"));
});
