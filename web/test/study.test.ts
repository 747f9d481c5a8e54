// A participant's page: texts in blocks, what a message changes, words that are filled in.
import assert from "node:assert/strict";
import { test } from "node:test";
import { blocksOf } from "../src/study/prose";
import { after, EMPTY } from "../src/study/session";
import { filled } from "../src/study/stages";

test("texts are paragraphs, lists and headings", () => {
  const blocks = blocksOf("# Begin\n\nOne line\ngoes on.\n\n- first\n- second\n\nThe end.");
  assert.deepEqual(blocks, [
    { kind: "heading", lines: ["Begin"] },
    { kind: "paragraph", lines: ["One line", "goes on."] },
    { kind: "list", lines: ["first", "second"] },
    { kind: "paragraph", lines: ["The end."] },
  ]);
});

test("two paragraphs stay two, and a list may follow its sentence at once", () => {
  assert.deepEqual(blocksOf("One.\n\nTwo.").map((block) => block.lines), [["One."], ["Two."]]);
  assert.deepEqual(blocksOf("These:\n- a\n- b").map((block) => block.kind), ["paragraph", "list"]);
});

test("a connection that ends for good says why, and one that comes again is lost until then", () => {
  assert.equal(after(EMPTY, { kind: "closed", why: "too many", again: false }).closed, "too many");
  const lost = after(EMPTY, { kind: "closed", why: "the server is stopping", again: true });
  assert.deepEqual([lost.closed, lost.link], ["", "lost"]);
});

test("words are filled, and a name that nobody fills stays", () => {
  assert.equal(filled("{a} of {b}", { a: 1 }), "1 of {b}");
  assert.equal(filled(undefined, {}), "");
});
