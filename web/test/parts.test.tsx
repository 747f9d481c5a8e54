import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToString } from "preact-render-to-string";
import { numbered, steady } from "../src/choices";
import { Moves } from "../src/parts/moves";
import { Orders } from "../src/parts/orders";
import { Timeline } from "../src/parts/timeline";
import { DishGraph } from "../src/parts/graph";
import { Chair, firstSeating, Pace, Place, wantedOf } from "../src/pages/new_game";
import { Unconfirmed } from "../src/api";
import { Changes } from "../src/parts/changes";
import { Dialog } from "../src/parts/dialog";
import { Host } from "../src/parts/host";
import { cost, LessonCard } from "../src/parts/lesson";
import { Rows } from "../src/parts/records";
import { Seats } from "../src/parts/seats";
import { Talk } from "../src/parts/talk";
import { Coloured } from "../src/scene/hues";
import { EMPTY, Session } from "../src/session";
import { Replay } from "../src/pages/replay";
import type { Plan } from "../src/plan";
import type { Event, Frame, SeatTold, Turn } from "../src/protocol";

Object.assign(globalThis, { innerWidth: 1024 }); // all that these parts ask of a browser

const EVIL = '<img src=x onerror="alert(1)">';
const PLAN: Plan = { bodies: ["a", "b"], several: true, chosen: new Map(), choose: () => {}, send: () => {} };
const TURN: Turn = {
  kind: "turn", number: 0, asked: "", news: EVIL, refused: true, state: "", question: EVIL, recipes: "", text: "",
  options: [{ label: EVIL, gloss: EVIL, body: "a", verb: EVIL, things: [EVIL], passes: false }, { label: "b", gloss: "", body: "b", verb: "v", things: [], passes: false }],
  suggestions: [], labels: {}, deadline_seconds: null,
};

const KNOWN = { choices: numbered(TURN.options), first: Infinity };

test("whatever the server says is text", () => {
  const pages = [
    renderToString(<Moves turn={TURN} turnAt={0} open waitsFor="" told={{ kind: "told", id: 1, status: "explained", why: EVIL, number: -1 }} body="a" onBody={() => {}} act={() => {}} plan={PLAN} known={KNOWN} live={false} walking={null} />),
    renderToString(<Orders things={[{ name: EVIL, kind: EVIL, progress: [{ label: EVIL, done: 1, full: 2 }] }]} graphs={[]} events={[]} onGraph={() => {}} />),
    renderToString(<Timeline events={[{ time: 0, what: "start", lane: EVIL, label: EVIL, key: "1" }, { time: 1, what: "said", lane: EVIL, label: EVIL }]} now={2} unit={EVIL} bodies={[EVIL]} />),
    renderToString(<DishGraph graph={{ name: EVIL, nodes: [{ name: EVIL, column: 0, y: 0, duration: 1, operator_time: 0 }], edges: [], height: 1 }} unit="s" />),
  ];
  for (const page of pages) {
    assert.ok(page.includes("&lt;img"), "it is shown");
    assert.ok(!page.includes("<img"), "and never carried out");
  }
});

test("options say with words what their numbers mean, and several bodies have one choice each", () => {
  const page = renderToString(<Moves turn={TURN} turnAt={0} open waitsFor="" told={null} body="b" onBody={() => {}} act={() => {}} plan={PLAN} known={KNOWN} live={false} walking={null} />);
  assert.ok(page.includes('aria-label="For whom"'));
  assert.equal(page.split("goes on").length - 1, 2);
});

test("by the clock what cannot be done now is grey and stays where it was", () => {
  const known = { choices: steady(KNOWN.choices, TURN.options.slice(1)), first: 2 };
  const page = renderToString(<Moves turn={{ ...TURN, options: TURN.options.slice(1), question: "Commands:" }} turnAt={0} open waitsFor="" told={null} body="b" onBody={() => {}} act={() => {}} plan={{ ...PLAN, several: false }} known={known} live walking={null} />);
  assert.deepEqual([...page.matchAll(/aria-disabled="(\w+)"/g)].map((found) => found[1]), ["true", "false"]);
  assert.ok(!page.includes("Commands:"));
});

const TOLD = {
  id: "w/s", title: "S", seats: ["a", "b"], goal: "", briefing: "", time_unit: "steps", agents: [{ name: "greedy", about: "" }], stand_in: "greedy", people: true,
  models: true, drawn: true, rules: [], limits: [], options: {}, pace: "turns" as const, other_pace: "",
  reported: false, other_place: "", chat: "",
};

test("a game is offered on a server where there is one, and says what it changes there", () => {
  const place = (elsewhere: string, told = { ...TOLD, other_place: "w/s@live=yes" }): string =>
    renderToString(<Place told={told} elsewhere={elsewhere} onId={() => {}} />);
  assert.equal(place(""), "");
  assert.equal(place("host:1", TOLD), "");
  assert.ok(place("host:1").includes("on host:1: bots carry it out"));
  const unconfirmed = new Unconfirmed("why", EVIL, ["block 1 2 3: air -> furnace", EVIL]);
  const page = renderToString(<Changes unconfirmed={unconfirmed} busy={false} onAgree={() => {}} onCancel={() => {}} />);
  assert.ok(page.includes("2 changes on &lt;img") && page.includes("furnace") && !page.includes("<img"));
});

test("the seat of chat on a server is given to it where there is one, before play and in it", () => {
  const elsewhere = { version: "1", guarded: false, worlds: [], models: [], methods: [], watch: "", elsewhere: EVIL };
  const chair = (seat: string, chat: string, sitting = "me"): string =>
    renderToString(<Chair told={{ ...TOLD, chat }} offers={elsewhere} seat={seat} sitting={sitting} method="" onSitting={() => {}} onMethod={() => {}} />);
  assert.ok(chair("a", "a").includes('value="agent chat"'));
  assert.ok(!chair("b", "a").includes("agent chat") && !chair("a", "").includes("agent chat"));
  assert.ok(chair("a", "a", "agent chat").includes("what persons say in the chat of &lt;img"));
  assert.deepEqual(wantedOf("agent chat", "", ""), { kind: "agent", name: "chat", model: "" });

  const seats = ["a", "b", "server"].map((seat) => ({ seat, player: "", kind: "agent" as const, present: true, stands_in: "", thinking_seconds: null, trouble: "" }));
  const host = (chat: string): string =>
    renderToString(<Host session={new Session("ws://x", "t", "", "")} seats={seats} kept={undefined} links={{}} own="" watched over={false} scenario={{ ...TOLD, chat }} />);
  assert.equal(host("a").split("chat on the server").length - 1, 1);
  assert.equal(host("").split("chat on the server").length - 1, 0);
  assert.ok(!host("a").includes("Who plays server"), "nobody can be seated at the seat that reports");
});

test("at first one sits at the first seat, agents at the others", () => {
  assert.deepEqual(firstSeating(TOLD), { a: "me", b: "agent greedy" });
  assert.deepEqual(firstSeating({ ...TOLD, people: false }), { a: "agent greedy", b: "agent greedy" });
});

test("who sits somewhere is asked for as the server has it", () => {
  assert.deepEqual(wantedOf("me", "", "Ann"), { kind: "person", name: "Ann", model: "" });
  assert.deepEqual(wantedOf("friend", "", "Ann"), { kind: "person", name: "", model: "" });
  assert.deepEqual(wantedOf("agent first legal", "", ""), { kind: "agent", name: "first legal", model: "" });
  assert.deepEqual(wantedOf("model my model", "act", ""), { kind: "model", name: "act", model: "my model" });
});

test("every model, the stand-in too, can be asked in any of the server's ways", () => {
  const offers = {
    version: "1", guarded: false, worlds: [], watch: "", elsewhere: "",
    models: [{ name: "small", about: "eight billion" }, { name: "stand-in", about: "costs nothing" }],
    methods: [{ name: "act", about: "one call" }, { name: "react", about: "thinks first" }],
  };
  const chair = (sitting: string, method: string): string =>
    renderToString(<Chair told={TOLD} offers={offers} seat="a" sitting={sitting} method={method} onSitting={() => {}} onMethod={() => {}} />);
  for (const model of offers.models) {
    const page = chair(`model ${model.name}`, "react");
    assert.ok(page.includes("How a is asked"));
    assert.ok(/<option[^>]* value="act">act</.test(page) && /<option selected value="react">react</.test(page), page);
    assert.ok(page.includes(`${model.about}; thinks first`));
  }
  assert.ok(!chair("agent greedy", "act").includes("How a is asked"));
});

test("a scenario that goes both by the clock and turn by turn says which it is", () => {
  const page = renderToString(<Pace told={{ ...TOLD, other_pace: "w/s@clock=on" }} onId={() => {}} />);
  assert.ok(/<input[^>]*value="turns"[^>]*checked/.test(page) && !/<input[^>]*value="clock"[^>]*checked/.test(page), page);
  assert.equal(renderToString(<Pace told={TOLD} onId={() => {}} />), "");
});

test("signs on buttons need no font that has them", () => {
  const frames = [0, 1].map((number) => ({ kind: "frame" as const, number, time: number, scene: null, text: "", shots: [], events: [], seats: [], deciding: [] }));
  const pages = [
    renderToString(<Replay frames={frames} at={0} unit="steps" onAt={() => {}} />),
    renderToString(<Dialog title="a" onClose={() => {}}>b</Dialog>),
  ];
  for (const page of pages) assert.ok(page.includes("<svg") && !/[\u2190-\u2bff]/.test(page), page);
});

test("a body has one colour in the plan, in its lane, at its seat and beside its name; others have none", () => {
  const bodies = ["ann", "ben"].map((name) => ({ name, kind: "cook", at: [name === "ann" ? 0 : 1, 0] as [number, number] }));
  const frame = { scene: { width: 2, height: 1, bodies: [...bodies].reverse() } } as Frame;
  const seats = ["boss", "ann", "ben"].map((seat): SeatTold => ({ seat, player: "", kind: "person", present: true, stands_in: "", thinking_seconds: null, trouble: "" }));
  const events: Event[] = [{ time: 0, what: "start", lane: "ann", label: "chop", key: "1" }, { time: 1, what: "end", lane: "ann", label: "chop", key: "1" }];
  const page = renderToString(
    <Coloured state={{ ...EMPTY, frame, seats }}>
      <Seats seats={seats} own="" />
      <Timeline events={events} now={2} unit="s" bodies={["ann", "ben"]} />
      <Talk said={[{ time: 1, lane: "ann", words: "hot" }]} beginnings={[]} own={new Set()} unit="s" onLine={null} />
    </Coloured>,
  );
  assert.match(page, /<li class="there hue-0" title="ben/);
  assert.match(page, /<li class="there hue-1" title="ann/);
  assert.match(page, /<li class="there" title="boss/);
  assert.match(page, /class="strip work done hue-1"/);
  assert.match(page, /<i class="dot hue-1" aria-hidden="true"><\/i>ann/);
});

test("the end of a game tells what cost the most, as text, and where to go on from", () => {
  const point = { step: 3, last: 4, time: 10, did: EVIL, cost: 2, estimated: false, better: EVIL };
  const play = { who: "you" as const, value: 15, share: 1, complete: true, ends: 15, events: [{ time: 0, what: "start" as const, lane: "agent", label: EVIL, key: "1" }, { time: 15, what: "end" as const, key: "1" }] };
  const lesson = { unit: "minutes", sense: "min" as const, time_unit: "minutes", total: null, plays: [play], proven: true, bound: 13, windows: [], costliest: point, points: [point, { ...point, step: 0, cost: 1 }], lacks: [EVIL] };
  const page = renderToString(<LessonCard told={{ headline: EVIL, lesson, again: true, next: "", harder: "" }} bodies={[]} onFrom={() => {}} busy={false} />);
  assert.ok(page.includes("&lt;img") && !page.includes("<img"));
  assert.ok(page.includes("Minute 10") && page.includes("(2 times)") && page.includes("It cost 2 minutes."));
  assert.equal(page.split("Play again from here").length - 1, 1); // the other one is the beginning
  const told = [{ ...point, cost: null }, { ...point, cost: 1, estimated: true }].map((one) => cost(one, "orders served"));
  assert.deepEqual(told, ["After it not everything could be done any more.", "It cost about 1 order that could have been served: an estimate."]);
});

test("a board shows names as they were typed, and nobody by no name", () => {
  const page = renderToString(<Rows rows={[{ names: [EVIL, "Bert"], told: "13 minutes", ended: 0 }, { names: [], told: "14 minutes", ended: 0 }]} title="Today" />);
  assert.ok(page.includes("&lt;img") && !page.includes("<img") && page.includes("somebody"));
});
