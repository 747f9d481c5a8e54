"""One's own steps are seen before the server has told of them, however far away it is."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any

import pytest
from playwright.sync_api import Page
from served import Site, until

KITCHEN = "clocked_kitchen/level_3@asks=always,bodies=2,seconds=600,tau=1.5"
BODY = '[data-key="body agent0"]'
WATCH = """(body) => {
  const there = () => document.querySelector(body).style.transform;
  let [last, pressed] = [there(), 0];
  [window.took, window.moves] = [[], 0];
  document.addEventListener("keydown", (event) => { if (!event.repeat) pressed = event.timeStamp; }, true);
  new MutationObserver(() => {
    if (there() === last) return;
    last = there();
    window.moves += 1;
    const of = pressed;
    pressed = 0;
    if (of) requestAnimationFrame(() => window.took.push(performance.now() - of));
  }).observe(document.querySelector(body), { attributes: true, attributeFilter: ["style"] });
}"""
"""Notes how long each key took to the picture in which the body moves, in milliseconds."""


@contextmanager
def far_away(site: Site, seconds: float) -> Iterator[Site]:
    """The site behind a line that takes so long in each direction."""
    far, there = copy(site), threading.Event()
    loop = asyncio.new_event_loop()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            loop.call_later(seconds, writer.write, data)
        loop.call_later(seconds, writer.close)

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", site.port)
        await asyncio.gather(carry(reader, far_writer), carry(far_reader, writer), return_exceptions=True)

    async def serve() -> None:
        server = await asyncio.start_server(meet, "127.0.0.1", 0)
        far.port = server.sockets[0].getsockname()[1]
        there.set()
        await done
        lines = asyncio.all_tasks() - {asyncio.current_task()}
        for line in lines:
            line.cancel()
        await asyncio.gather(*lines, return_exceptions=True)

    done = loop.create_future()
    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),), daemon=True)
    thread.start()
    there.wait()
    yield far
    loop.call_soon_threadsafe(done.set_result, None)
    thread.join()


def cell_shown(page: Page) -> str:
    """Where the page draws the body."""
    return str(page.evaluate("(body) => document.querySelector(body).style.transform", BODY))


def presses(page: Page, keys: int) -> list[float]:
    """How long each of so many keys took to be seen, of those that moved the body at all."""
    page.evaluate(WATCH, BODY)
    for number in range(keys):
        key = ("ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp")[number % 4]
        page.keyboard.press(key, delay=40)
        page.wait_for_timeout(650)
    took: list[float] = page.evaluate("() => window.took")
    return sorted(took)


@pytest.mark.parametrize("trip", [0.0, 0.2])
def test_a_step_is_seen_before_the_server_tells_of_it(site: Site, sitting: Any, trip: float) -> None:
    players = {"agent0": {"kind": "person", "name": "Ann"}, "agent1": {"kind": "person", "name": "Bob"}}
    opened = site.opens(KITCHEN, players, quorum=1, lobby_seconds=0, stand_in="random")
    with far_away(site, trip / 2) as far:
        ann = sitting(far, opened["seats"]["agent0"])
        ann.is_ready()
        until(lambda: len(ann.messages("frame")) > 5, ann.page, "the clock")
        ann.page.locator("header.top").click()
        took = presses(ann.page, 24)
        assert len(took) >= 8, "it walks about"
        p50, p95 = (took[int(len(took) * share)] for share in (0.5, 0.95))
        ann.page.wait_for_timeout(1000)
        other = ann.page.evaluate("() => window.moves") - len(took)
        print(f"{1000 * trip:.0f}: {len(took)} moves, p50 {p50:.0f}, p95 {p95:.0f}, {other} others")
        assert other <= len(took) / 4, "few steps are corrected"
        shown, number = cell_shown(ann.page), len(ann.messages("frame"))
        ann.page.wait_for_timeout(500)
        assert cell_shown(ann.page) == shown, "nothing is taken back"
        assert len(ann.messages("frame")) > number
