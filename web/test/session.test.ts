import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event, Frame, FromServer, Turn, Welcome } from "../src/protocol";
import { after, EMPTY, seenBy, type State } from "../src/session";

const welcome = (live = false): Welcome => ({
  kind: "welcome", game: "g", seat: "cook", role: "player", hosts: false, title: "", scenario: "", briefing: "", help: "", goal: "",
  time_unit: "steps", seats: [], controls: null, moves: [], scene: null, verbs: {}, wording: {}, live, tick_seconds: live ? 0.1 : null, pace_seconds: null, strict: false,
  watched: true, stand_in: "", graphs: [], last_id: -1, walking: null, ghosts: false, tutorial: "", steps: [],
});
const said = (label: string, time: number): Event => ({ time, what: "said", lane: "cook", label });
const frame = (number: number, events: Event[] = [], deciding: string[] = []): Frame => ({
  kind: "frame", number, time: number, scene: null, text: "", shots: [], events, deciding,
});
const turn = (number: number): Turn => ({
  kind: "turn", number, asked: "", news: "", refused: false, state: "", question: "", recipes: "", text: "", options: [], suggestions: [],
  labels: {}, deadline_seconds: null,
});
const all = (messages: FromServer[], from: State = EMPTY): State => messages.reduce((state, message) => after(state, message, 0), from);

test("what is sent again after a break is not told twice", () => {
  const before = all([welcome(), frame(0), frame(1, [said("a", 1)])]);
  const again = all([welcome(), frame(1, [said("a", 1)])], before);
  assert.deepEqual(again.events.map((event) => event.label), ["a"]);
  assert.equal(seenBy(again), 1);
  assert.equal(again.frames.length, 2);
});

test("what was missed comes as events before the newest frame", () => {
  const state = all([welcome(), frame(0), { kind: "past", number: 3, events: [said("a", 1), said("b", 3)] }, frame(4, [said("c", 4)])]);
  assert.deepEqual(state.events.map((event) => event.label), ["a", "b", "c"]);
});

test("a turn is over when a frame asks others, but not in a game with a clock", () => {
  assert.equal(all([welcome(), frame(0, [], ["cook"]), turn(0), frame(1, [], ["waiter"])]).turn, null);
  assert.equal(all([welcome(), frame(0, [], ["cook"]), turn(0), frame(1, [], ["cook"])]).turn?.number, 0);
  assert.equal(all([welcome(true), frame(0), turn(0), frame(1)]).turn?.number, 0);
});

test("an accepted move ends the turn; one that is explained leaves it open", () => {
  const asked = { ...all([welcome(), frame(0, [], ["cook"]), turn(0)]), sent: 5 };
  assert.equal(after(asked, { kind: "told", id: 5, status: "accepted", why: "", number: -1 }, 0).turn, null);
  const explained = after(asked, { kind: "told", id: 5, status: "explained", why: "the pot is empty", number: -1 }, 0);
  assert.deepEqual([explained.turn?.number, explained.sent, explained.told?.why], [0, null, "the pot is empty"]);
});

test("the answer to an older move changes nothing of the one that waits", () => {
  const asked = { ...all([welcome(), frame(0, [], ["cook"]), turn(0)]), sent: 6 };
  const state = after(asked, { kind: "told", id: 5, status: "accepted", why: "", number: -1 }, 0);
  assert.deepEqual([state.turn?.number, state.sent], [0, 6]);
});

test("the state before is never changed", () => {
  const before = all([welcome(), frame(0)]);
  const events = before.events;
  after(before, frame(1, [said("a", 1)]), 0);
  assert.equal(before.events, events);
  assert.equal(events.length, 0);
});

test("a link that leads to another game begins anew", () => {
  const first = { ...welcome(false), game: "a" } as Welcome;
  const second = { ...welcome(false), game: "b" } as Welcome;
  const state = [first, frame(0, []), frame(7, [])].reduce((before, message) => after(before, message, 0), EMPTY);
  assert.equal(after(state, first, 0).frame?.number, 7);
  assert.equal(after(state, second, 0).frame, null);
});
