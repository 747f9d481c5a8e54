// The pages of a study: what a message changes, words that are filled in.
import assert from "node:assert/strict";
import { test } from "node:test";
import { after, EMPTY } from "../src/study/session";
import { filled } from "../src/study/stages";
import type { GameShown, Overview } from "../src/study/supervision";
import { after as watched, NOTHING } from "../src/study/watch";

test("a connection that ends for good says why, and one that comes again is lost until then", () => {
  assert.equal(after(EMPTY, { kind: "closed", why: "too many", again: false }).closed, "too many");
  const lost = after(EMPTY, { kind: "closed", why: "the server is stopping", again: true });
  assert.deepEqual([lost.closed, lost.link], ["", "lost"]);
});

test("words are filled, and a name that nobody fills stays", () => {
  assert.equal(filled("{a} of {b}", { a: 1 }), "1 of {b}");
  assert.equal(filled(undefined, {}), "");
});

test("the researcher's page keeps the newest of each game that runs", () => {
  const overview = (...games: string[]): Overview => ({ kind: "overview", title: "", people: [], more: 0, columns: [], flow: [], games, closed: false });
  const frame: GameShown["frame"] = { kind: "frame", number: 0, time: 0, scene: null, text: "", shots: [], events: [], deciding: [] };
  const game = (id: string, part: string): GameShown => ({ kind: "game", game: id, part, condition: "", unit: "", people: {}, seats: [], frame });
  let state = watched(NOTHING, overview("a", "b"));
  for (const told of [game("a", "1"), game("b", "1"), game("a", "2")]) state = watched(state, told);
  assert.deepEqual([...state.games.values()].map((one) => one.game + one.part), ["a2", "b1"]);
  assert.deepEqual([...watched(state, overview("b")).games.keys()], ["b"]);
  assert.equal(watched(state, { kind: "closed", why: "not yours", again: false }).why, "not yours");
});
