// What is noticed of decisions: how long each took, by what it was made, how far the server was, where the focus was.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FromPage, FromServer } from "../src/protocol";
import { median, Notices } from "../src/study/notices";
import type { Change, Decision } from "../src/study/protocol";

function room(line = true) {
  const at = { now: 0, line, pings: 0 };
  const told: { decisions: Decision[]; changes: Change[] }[] = [];
  const timers: (() => void)[] = [];
  const notices = new Notices({
    now: () => at.now,
    later: (work) => timers.push(work),
    ping: () => void (at.pings += 1),
    send: (decisions, changes) => at.line && told.push({ decisions, changes }) > 0,
  });
  return { at, told, timers, notices };
}
const turn = (number: number) => ({ kind: "turn", number }) as FromServer;
const welcome = (live: boolean) => ({ kind: "welcome", live }) as FromServer;
const move = (id: number, number: number): FromPage => ({ kind: "move", id, number, option: 0 });
const answer = (id: number, status: "accepted" | "explained" | "confirm"): FromServer => ({ kind: "told", id, status, why: "", number: -1 });

test("a decision lasts from when it was asked for, also where it is asked again after a break, until it is accepted", () => {
  const { at, told, notices } = room();
  notices.heard(welcome(false));
  at.now = 1000;
  notices.heard(turn(4));
  at.now = 3000;
  notices.heard(turn(4)); // the line was lost and is back
  [40, 90, 50].forEach((trip) => notices.tripped(trip));
  notices.looks(false);
  at.now = 3500;
  notices.looks(true);
  notices.looks(true);
  notices.acts("touch");
  notices.said(move(1, 4));
  notices.heard(answer(1, "explained")); // a slip: nothing is decided
  notices.acts("key");
  notices.said(move(2, 4));
  notices.heard(answer(2, "confirm"));
  at.now = 5250;
  notices.heard(answer(2, "accepted"));
  assert.deepEqual(told, [{ decisions: [{ step: 4, input: "key", seconds: 4.25, round_trip: 0.05, away: 1, away_seconds: 0.5, view: "2d" }], changes: [] }]);
  assert.equal(at.pings, 1, "each turn is measured at once");
});

test("with a clock a decision lasts from the one before, and messages come at most every two seconds", () => {
  const { at, told, timers, notices } = room();
  notices.heard(welcome(true));
  notices.heard(turn(0));
  notices.switched("solid", true);
  for (const [id, now] of [[1, 400], [2, 1000]] as const) {
    at.now = now - 100;
    notices.heard(turn(id));
    notices.said(move(id, id));
    at.now = now;
    notices.heard(answer(id, "accepted"));
  }
  assert.deepEqual(told.map(({ decisions, changes }) => [decisions.length, changes.length]), [[0, 1]]);
  assert.equal(timers.length, 1);
  timers[0]!();
  assert.deepEqual(told[1]!.decisions.map(({ seconds, view, round_trip, away }) => [seconds, view, round_trip, away]), [[0.4, "3d", null, 0], [0.6, "3d", null, 0]]);
});

test("what cannot be told now is told later, and a hundred at most", () => {
  const { at, told, notices } = room(false);
  for (let index = 0; index < 120; index += 1) notices.switched("recipes", index % 2 === 0);
  at.line = true;
  at.now = 9000;
  notices.heard({ kind: "over" } as FromServer);
  assert.equal(told[0]!.changes.length, 100);
});

test("the median of an even number is between the two in the middle", () => {
  assert.deepEqual([median([3, 1, 2]), median([4, 1, 3, 2])], [2, 2.5]);
});
