// A participant's page: what a message changes, words that are filled in.
import assert from "node:assert/strict";
import { test } from "node:test";
import { after, EMPTY } from "../src/study/session";
import { filled } from "../src/study/stages";

test("a connection that ends for good says why, and one that comes again is lost until then", () => {
  assert.equal(after(EMPTY, { kind: "closed", why: "too many", again: false }).closed, "too many");
  const lost = after(EMPTY, { kind: "closed", why: "the server is stopping", again: true });
  assert.deepEqual([lost.closed, lost.link], ["", "lost"]);
});

test("words are filled, and a name that nobody fills stays", () => {
  assert.equal(filled("{a} of {b}", { a: 1 }), "1 of {b}");
  assert.equal(filled(undefined, {}), "");
});
