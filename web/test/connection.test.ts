import assert from "node:assert/strict";
import { test } from "node:test";
import { Connection, LATE, type Link, LONGEST_WAIT, PATIENT, type Socket, STREAMING, waitBefore } from "../src/connection";
import type { FromPage, FromServer } from "../src/protocol";

class FakeSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onclose: (() => void) | null = null;
  readyState = 0;
  sent: FromPage[] = [];
  send(text: string): void {
    this.sent.push(JSON.parse(text) as FromPage);
  }
  close(): void {
    this.readyState = 3;
  }
  opened(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  says(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) } as never);
  }
  breaks(): void {
    this.readyState = 3;
    this.onclose?.();
  }
}

function begun() {
  const sockets: FakeSocket[] = [];
  const timers: { work: () => void; after: number; due: number; off: boolean }[] = [];
  const heard: FromServer[] = [];
  const links: Link[] = [];
  let seen = -1;
  let now = 0;
  const connection = new Connection(
    "ws://here/ws",
    () => ({ kind: "hello", token: "t", seen, game: "", name: "", host: "" }),
    (message) => {
      heard.push(message);
      if (message.kind === "frame") seen = message.number;
    },
    (link) => links.push(link),
    {
      open: () => sockets[sockets.push(new FakeSocket()) - 1] as FakeSocket,
      later: (work, after) => {
        const timer = { work, after, due: now + after, off: false };
        timers.push(timer);
        return timer;
      },
      cancel: (handle) => {
        if (handle) (handle as { off: boolean }).off = true;
      },
      random: () => 1,
      now: () => now,
    },
  );
  /** Time passes; the page stands still for the last `still` of it, so that its timers come late. */
  const pass = (milliseconds: number, still = 0) => {
    const until = now + milliseconds;
    for (;;) {
      const timer = timers.filter((one) => !one.off && one.due <= until).sort((a, b) => a.due - b.due)[0];
      if (!timer) break;
      now = timer.due > until - still ? until : timer.due;
      timer.off = true;
      timer.work();
    }
    now = until;
  };
  const fire = (after: number) => {
    const timer = timers.find((one) => !one.off && one.after === after);
    assert.ok(timer, `nothing waits ${after} ms, only ${timers.filter((one) => !one.off).map((one) => one.after)}`);
    timer.off = true;
    timer.work();
  };
  return { connection, sockets, timers, heard, links, fire, pass };
}

test("after a break it greets again with the last frame that it has", () => {
  const { connection, sockets, links, fire } = begun();
  connection.open();
  sockets[0]!.opened();
  sockets[0]!.says({ kind: "welcome" });
  sockets[0]!.says({ kind: "frame", number: 7 });
  sockets[0]!.breaks();
  fire(waitBefore(0, 1));
  sockets[1]!.opened();
  assert.deepEqual(sockets[1]!.sent, [{ kind: "hello", token: "t", seen: 7, game: "", name: "", host: "" }]);
  assert.deepEqual(links, ["connecting", "open", "lost", "lost"]);
});

test("a move that cannot leave is not kept for later", () => {
  const { connection, sockets } = begun();
  connection.open();
  assert.equal(connection.send({ kind: "leave" }), false);
  sockets[0]!.opened();
  assert.deepEqual(sockets[0]!.sent.map((message) => message.kind), ["hello"]);
  assert.equal(connection.send({ kind: "leave" }), true);
});

test("waits double up to ten seconds, spread over their upper half", () => {
  assert.deepEqual([0, 1, 2, 20].map((attempt) => waitBefore(attempt, 1)), [300, 600, 1200, LONGEST_WAIT]);
  assert.equal(waitBefore(2, 0), 600);
});

test("a try that hangs is given up, later ones after a longer time", () => {
  const { connection, sockets, pass } = begun();
  connection.open();
  pass(2000 + waitBefore(0, 1)); // the second try may take a second longer
  assert.equal(sockets.length, 2);
  pass(2999 + waitBefore(1, 1));
  assert.equal(sockets.length, 2);
  pass(1);
  assert.equal(sockets.length, 3);
});

test("a line that answers no ping is given up, and a new one opened", () => {
  const { connection, sockets, fire } = begun();
  connection.open();
  sockets[0]!.opened();
  sockets[0]!.says({ kind: "welcome" });
  fire(PATIENT.ask);
  assert.equal(sockets[0]!.sent.at(-1)?.kind, "ping");
  fire(PATIENT.giveUp);
  fire(waitBefore(0, 1));
  assert.equal(sockets.length, 2);
  sockets[0]!.says({ kind: "frame", number: 3 });
  sockets[0]!.breaks();
  assert.equal(sockets.length, 2, "what an old line still says counts no more");
});

/** A live game: a second of pictures, ten of them, of which the last comes now. */
function streaming(live = true) {
  const game = begun();
  game.connection.open();
  const socket = game.sockets[0]!;
  socket.opened();
  socket.says({ kind: "welcome", live });
  let number = 0;
  const picture = () => socket.says({ kind: "frame", number: (number += 1) });
  for (let count = 0; count < 10; count += 1) {
    game.pass(100);
    picture();
  }
  const pings = () => socket.sent.filter((message) => message.kind === "ping").length;
  return { ...game, socket, picture, pings };
}

test("in a running live game silence asks after 1.2 seconds and is a lost line after 1.5", () => {
  const { links, pass, pings, sockets } = streaming();
  assert.equal(STREAMING.ask + STREAMING.giveUp, 1500);
  pass(1199);
  assert.deepEqual([pings(), links.at(-1)], [0, "open"]);
  pass(1);
  assert.deepEqual([pings(), links.at(-1)], [1, "open"]);
  pass(299);
  assert.equal(links.at(-1), "open");
  pass(1);
  assert.equal(links.at(-1), "lost");
  pass(waitBefore(0, 1));
  assert.equal(sockets.length, 2);
});

test("a server whose tick is held up for 600 ms, or that answers, is there", () => {
  const { links, pass, pings, picture, socket } = streaming();
  for (let count = 0; count < 5; count += 1) {
    pass(700);
    picture();
  }
  assert.equal(pings(), 0);
  pass(1300); // the clock of the game stands still, as before it begins and when it is over
  socket.says({ kind: "pong", id: 0 });
  pass(PATIENT.ask);
  socket.says({ kind: "pong", id: 0 });
  assert.deepEqual([pings(), links.includes("lost")], [2, false]);
});

test("a page that stood still itself, as a hidden one does, asks again and accuses nobody", () => {
  const { links, pass, pings, picture } = streaming();
  pass(60_000, 59_500); // a timer that is due after 1.2 s comes after a minute
  assert.deepEqual([pings(), links.includes("lost")], [1, false]);
  picture();
  pass(100);
  picture();
  pass(1300);
  pass(900, 900); // what is due in 0.2 s comes 0.7 s late
  assert.deepEqual([pings(), links.includes("lost")], [3, false]);
  pass(LATE + 50);
  assert.equal(links.at(-1), "lost", "and then nothing comes");
});

test("turn by turn a page asks every few seconds, however quickly pictures have come", () => {
  const { pass, pings, links } = streaming(false);
  pass(PATIENT.ask - 1);
  assert.equal(pings(), 0);
  pass(1 + PATIENT.giveUp);
  assert.deepEqual([pings(), links.at(-1)], [1, "lost"]);
});

test("when the server closes for good nobody tries again, else they do", () => {
  const { connection, sockets, timers, links, heard, fire } = begun();
  connection.open();
  sockets[0]!.opened();
  sockets[0]!.says({ kind: "closed", why: "too slow", again: true });
  sockets[0]!.breaks();
  fire(waitBefore(0, 1));
  sockets[1]!.opened();
  sockets[1]!.says({ kind: "closed", why: "no such link", again: false });
  sockets[1]!.breaks();
  assert.equal(links.at(-1), "closed");
  assert.ok(timers.every((timer) => timer.off));
  assert.deepEqual(heard.map((message) => message.kind), ["closed", "closed"]);
});

test("messages of a newer server are passed over", () => {
  const { connection, sockets, heard } = begun();
  connection.open();
  sockets[0]!.opened();
  sockets[0]!.says({ kind: "weather" });
  assert.deepEqual(heard, []);
});
