import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Cell, Frame, Told, Walking, Welcome } from "../src/protocol";
import type { Direction } from "../src/space/choices";
import { type Stand, stepped, Walker } from "../src/walk";

interface Step {
  way: Direction;
  others: Cell[];
  from: Stand;
  to: Stand;
  ticks: number;
}

/** What the world did, written by tests/serve/test_walking_pages.py. */
const KITCHENS = JSON.parse(readFileSync("test/walks.json", "utf8")) as { walking: Walking; steps: Step[] }[];

test("a page walks as the world does, wherever nobody stands in the way", () => {
  let [walked, leant, unknown] = [0, 0, 0];
  for (const { walking, steps } of KITCHENS) {
    for (const step of steps) {
      const shown = stepped(walking, step.from, step.way, step.others);
      if (shown === null) {
        unknown += 1;
        continue;
      }
      assert.deepEqual(shown, step.to);
      const moved = String(shown.at) !== String(step.from.at);
      assert.equal(step.ticks, moved ? walking.step_ticks : 1);
      if (moved) walked += 1;
      else leant += 1;
    }
  }
  assert.ok(walked > 50 && leant > 20 && unknown > 5, `${walked} ${leant} ${unknown}`);
});

const FLOOR = { floor: ["......", "......", "......"], step_ticks: 2 };
const TICK = 100;

/** A page at the end of a line of `delay` ms each way, and a server that ticks; `other`: where somebody stands who does
 * not give way. Messages are taken between ticks, one in each tick. */
function game(delay: number, other: Cell | null = null) {
  let [now, ids, number, free, sends] = [0, 0, 0, 0, 0];
  let body: Stand = { at: [0, 1], facing: [0, 1] };
  let waiting: Direction | null = null;
  const inputs: Direction[] = [];
  const events: { at: number; work: () => void }[] = [];
  const at = (after: number, work: () => void) => {
    const event = { at: now + after, work };
    events.push(event);
    return event;
  };
  const walker = new Walker({
    send: (press) => {
      const id = (ids += 1);
      sends += 1;
      at(delay, () => {
        inputs.push(press.key as Direction);
        const told: Told = { kind: "told", id, status: "accepted", why: "", number: number + inputs.length };
        at(delay, () => walker.told(told));
      });
      return id;
    },
    changed: () => {},
    later: (work, after) => at(after, work),
    cancel: (event) => void (event && events.splice(0, events.length, ...events.filter((one) => one !== event))),
    now: () => now,
  });
  const keys = (["up", "down", "left", "right"] as const).map((key) => ({ name: key, input_instructions: { key, at: null } }));
  walker.greet({ seat: "me", walking: FLOOR, tick_seconds: TICK / 1000, controls: { mouse_click_actions: [], keyboard_actions: keys } } as unknown as Welcome);
  const picture = (): Frame => ({
    kind: "frame", number, time: number, text: "", shots: [], events: [], deciding: [], free_from: free > number ? { me: free } : {},
    scene: { width: 6, height: 3, bodies: [{ name: "me", kind: "agent", ...body }, ...(other ? [{ name: "other", kind: "agent", at: other }] : [])] },
  });
  const tick = () => {
    waiting = inputs.shift() ?? waiting;
    if (waiting && free <= number) {
      const next = stepped(FLOOR, body, waiting, other ? [other] : []);
      free = number + (next && String(next.at) !== String(body.at) ? FLOOR.step_ticks : 1);
      [body, waiting] = [next ?? { ...body, facing: body.facing }, null];
    }
    number += 1;
    const frame = picture();
    at(delay, () => walker.take(frame));
    at(TICK, tick);
  };
  walker.take(picture());
  at(TICK - 30, tick);
  const shown = () => walker.shown()!.scene!.bodies![0]!.at!;
  /** Time passes; the cells at which the page has shown the body meanwhile. */
  const pass = (milliseconds: number): Cell[] => {
    const until = now + milliseconds;
    const seen: Cell[] = [shown()];
    for (;;) {
      const event = events.filter((one) => one.at <= until).sort((a, b) => a.at - b.at)[0];
      if (!event) break;
      now = event.at;
      events.splice(events.indexOf(event), 1);
      event.work();
      if (String(seen.at(-1)) !== String(shown())) seen.push(shown());
    }
    now = until;
    return seen;
  };
  const press = (key: Direction, hold: "start" | "end") => walker.press({ key, hold });
  return { walker, pass, press, shown, server: () => body.at, move: (there: Cell) => (body = { ...body, at: there }), sends: () => sends, keep: (ticks: number) => (free = number + ticks) };
}

for (const delay of [0, 40, 100, 300]) {
  test(`with ${delay} ms each way a step is seen at once, held keys walk at the world's pace, and nothing is taken back`, () => {
    const { pass, press, shown, server } = game(delay);
    pass(1000);
    press("right", "start");
    assert.deepEqual(shown(), [1, 1]);
    const seen = pass(650); // 200 ms a cell: at 0, 200, 400, 600
    press("right", "end");
    assert.deepEqual(seen, [[1, 1], [2, 1], [3, 1], [4, 1]]);
    assert.deepEqual(pass(2000), [[4, 1]]);
    assert.deepEqual(server(), [4, 1]);
    press("up", "start");
    press("up", "end");
    pass(200);
    press("left", "start");
    press("left", "end");
    assert.deepEqual(shown(), [3, 0]);
    assert.deepEqual(pass(2000), [[3, 0]]);
    assert.deepEqual(server(), [3, 0]);
  });
}

test("a second key within a step is kept for the end of it, and the last one counts", () => {
  const { pass, press, server } = game(100);
  pass(1000);
  press("right", "start");
  press("right", "end");
  pass(50);
  for (const key of ["right", "down"] as const) {
    press(key, "start");
    press(key, "end");
  }
  assert.deepEqual(pass(2000), [[1, 1], [1, 2]]);
  assert.deepEqual(server(), [1, 2]);
});

test("what the server does not confirm is taken back to where it says", () => {
  const { pass, press, shown, move } = game(100);
  pass(1000);
  press("right", "start");
  press("right", "end");
  assert.deepEqual(shown(), [1, 1]);
  move([4, 2]); // pushed aside meanwhile
  pass(1000);
  assert.deepEqual(shown(), [5, 2], "the step is taken from where the body is");
});

test("somebody in the way is left to the server, and asked again while the key is held", () => {
  const { pass, press, shown, sends, server } = game(50, [1, 1]);
  pass(1000);
  press("right", "start");
  assert.deepEqual(pass(1000), [[0, 1]]);
  press("right", "end");
  assert.ok(sends() >= 4 && sends() <= 7, String(sends()));
  assert.deepEqual([shown(), server()], [[0, 1], [0, 1]]);
});

test("a body whose hands are busy walks when they are free, and not before", () => {
  const { pass, press, shown, keep, server } = game(100);
  pass(1000);
  keep(10);
  pass(300);
  press("right", "start");
  press("right", "end");
  assert.deepEqual(shown(), [0, 1]);
  assert.deepEqual(pass(600), [[0, 1]]);
  assert.deepEqual(pass(400), [[0, 1], [1, 1]]);
  assert.deepEqual(pass(1500), [[1, 1]]);
  assert.deepEqual(server(), [1, 1]);
});

test("against a wall a held key is told once", () => {
  const { pass, press, sends } = game(50);
  pass(1000);
  press("left", "start");
  pass(2000);
  assert.equal(sends(), 1);
});

test("keys of worlds that say nothing of walking go to the server as they are", () => {
  const { walker } = game(0);
  walker.greet({ seat: "me", walking: null, tick_seconds: 0.1, controls: null } as unknown as Welcome);
  assert.equal(walker.press({ key: "right", hold: "start" }), false);
});
