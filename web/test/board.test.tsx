import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToString } from "preact-render-to-string";
import { about, labelOf, phrased, shortLabel } from "../src/choices";
import type { OptionTold, Scene } from "../src/protocol";
import { CardBoard } from "../src/scene/board";
import { span } from "../src/words";

const SCENE: Scene = {
  width: 2, height: 1, cards: true,
  places: [
    { name: "fryer_1", kind: "fryer", at: [0, 0], marks: ["empty"], progress: [{ label: "fry beef in fryer_1", done: 4, full: 5 }] },
    {
      name: "Cobbler", kind: "recipe", at: [1, 0], stack: [
        { name: "Cobbler 1", kind: "step", marks: ["done"], traits: ["Measure <b>butter</b>.", "2 min"] },
        { name: "Cobbler 3", kind: "step", traits: ["Tip it into the pan.", "1 min"], progress: [{ label: "to begin after step 2", done: 9, full: 12, runs_out: true }] },
      ],
    },
  ],
};

test("a board tells until when work goes on, what is done, and what may wait no longer", () => {
  const page = renderToString(<CardBoard scene={SCENE} own={new Set()} now={17} events={[]} unit="minutes" active={new Set(["Cobbler 3"])} picked="" onPick={() => {}} />);
  assert.ok(page.includes("until minute 18, 1 min left"), "17 + 5 - 4 = 18");
  assert.ok(page.includes('class="time-bar short"') && page.includes("within 3 min"), "12 - 9 = 3, and more than 60 % are gone");
  assert.ok(page.includes("fryer 1") && page.includes("Measure &lt;b>butter") && !page.includes("<b>butter"));
  assert.equal(page.split("card-part can").length - 1, 1, "one thing can be done");
  const onlooker = renderToString(<CardBoard scene={SCENE} own={new Set()} now={17} events={[]} unit="minutes" active={new Set()} picked="" />);
  assert.ok(!onlooker.includes("<button"), "who only looks on has nothing to press");
});

const option = (label: string, verb: string, things: (string | string[])[]): OptionTold => ({ label, gloss: "", body: "", verb, things, passes: false });

test("options are said in the world's words, and found by the thing that they name together", () => {
  const words = { verbs: { fetch: ["item", "place"], goto: ["place"] }, wording: { fetch: "take {item} from {place}", goto: "go to {place}" } };
  assert.equal(phrased(option("pickup(egg,ingredient_dispenser)", "fetch", ["egg", "ingredient_dispenser"]), words), "take egg from ingredient dispenser");
  assert.equal(phrased(option("goto_a_storage0", "goto", [["storage0-rice", "storage0-tuna"]]), words), "go to storage0");
  assert.equal(phrased(option("build()", "build", []), words), "");
  assert.equal(shortLabel(option("wait(minutes=5)", "wait", ["5 min"]), "wait"), "5");
  const step = { option: option("Step(3, Cobbler, 00:01:00, 00:03:00)", "do", ["Cobbler", "3"]), number: 1, said: "Cobbler, step 3" };
  assert.equal(labelOf(step, "do"), "Cobbler, step 3");
  assert.deepEqual(about([step], new Set(["Cobbler 3"])), [step]);
  assert.deepEqual(about([step], new Set(["Cobbler 4"])), []);
});

test("amounts of time are said in the world's unit", () => {
  assert.equal(span(3900, "seconds"), "1 h 5 min");
  assert.equal(span(4, "minutes"), "4 min");
  assert.equal(span(1, "steps"), "1 step");
});
