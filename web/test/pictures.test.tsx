import assert from "node:assert/strict";
import { test } from "node:test";
import { toneOf } from "../src/scene/appearance";
import { pictureOf } from "../src/scene/pictures";
import { PICTURES } from "../src/scene/pictures_data";
import cases from "./pictures.json" with { type: "json" };

test("a thing has the picture that its name and its marks say, as in reports", () => {
  for (const [kind, marks, creature, of] of cases as [string, string[], boolean, string][]) {
    assert.equal(pictureOf(kind, marks, creature), of, kind);
  }
});

test("every picture has its paints, and every word its picture", () => {
  for (const [name, parts] of Object.entries(PICTURES.pictures)) {
    for (const part of parts) {
      const paint = part.split(" ")[0]!.replace(/^[~/]/, "");
      assert.ok(paint in PICTURES.paints || ["@flesh", "@skin", "@raw"].includes(paint), `${name}: ${paint}`);
    }
  }
  for (const [word, [own, ...paints]] of Object.entries(PICTURES.words)) {
    assert.ok(own === "" || own in PICTURES.pictures, word);
    assert.ok(paints.every((paint) => paint === "" || paint in PICTURES.paints), word);
  }
});

test("tables are of wood, and a table to serve at is a counter", () => {
  assert.deepEqual(["table", "servingtable", "chopboard", "pot"].map(toneOf), ["wood", "counter", "wood", "counter"]);
});
