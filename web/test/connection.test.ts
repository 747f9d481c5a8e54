import assert from "node:assert/strict";
import { test } from "node:test";
import { Connection, type Link, LONGEST_WAIT, PING_EVERY, PONG_WITHIN, type Socket, waitBefore } from "../src/connection";
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
  const timers: { work: () => void; after: number; off: boolean }[] = [];
  const heard: FromServer[] = [];
  const links: Link[] = [];
  let seen = -1;
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
        const timer = { work, after, off: false };
        timers.push(timer);
        return timer;
      },
      cancel: (handle) => {
        if (handle) (handle as { off: boolean }).off = true;
      },
      random: () => 1,
    },
  );
  const fire = (after: number) => {
    const timer = timers.find((one) => !one.off && one.after === after);
    assert.ok(timer, `nothing waits ${after} ms, only ${timers.filter((one) => !one.off).map((one) => one.after)}`);
    timer.off = true;
    timer.work();
  };
  return { connection, sockets, timers, heard, links, fire };
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

test("a line that answers no ping is given up, and a new one opened", () => {
  const { connection, sockets, fire } = begun();
  connection.open();
  sockets[0]!.opened();
  fire(PING_EVERY);
  assert.equal(sockets[0]!.sent.at(-1)?.kind, "ping");
  fire(PONG_WITHIN);
  fire(waitBefore(0, 1));
  assert.equal(sockets.length, 2);
  sockets[0]!.says({ kind: "frame", number: 3 });
  sockets[0]!.breaks();
  assert.equal(sockets.length, 2, "what an old line still says counts no more");
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
