"""Live games: the clock on the wall keeps time, people walk with keys, agents think beside it."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from backburner.kernel.episode import episode_in
from backburner.kernel.replay import verify
from backburner.serve.protocol import End, Frame, GamePlan, Turn, Wanted, Welcome
from support.serving import Page, over, serving

PERSON, GREEDY = Wanted("person"), Wanted("agent", "greedy")
KITCHEN = "clocked_kitchen/level_3@asks=always,bodies=2"


def test_a_person_walks_while_an_agent_cooks_and_the_record_replays(tmp_path: Path) -> None:
    async def play() -> tuple[bytes, float, int]:
        async with serving(tmp_path) as games:
            opened = await games.create(GamePlan(KITCHEN, {"agent0": PERSON, "agent1": GREEDY}))
            page = await Page(games, opened.seats["agent0"], host=opened.host).open()
            welcome = await page.get(Welcome)
            assert welcome.live and welcome.tick_seconds == 0.1
            first = await page.get(Frame)
            began = time.monotonic()
            turn = await page.get(Turn)
            key = next(
                option.verb for option in turn.options if option.verb in ("left", "right", "up", "down")
            )
            told = await page.move(turn.number, press={"key": key, "hold": "start"})
            assert told.status == "accepted"
            await page.until(lambda: page.last(Frame).number > 12 or None)
            assert (await page.move(0, press={"key": key, "hold": "end"})).status == "accepted"
            took, frames = time.monotonic() - began, page.last(Frame)
            assert frames.scene is not None and first.scene is not None
            assert frames.scene.bodies[0].at != first.scene.bodies[0].at  # the person has walked
            await page.until(lambda: page.last(Frame).number > 30 or None)
            assert page.last(Frame).scene.bodies[1].at != first.scene.bodies[1].at  # and the agent
            await page.say(End())
            await over(page)
            return page.game.record(), took, frames.number

    record, took, ticks = asyncio.run(play())
    assert abs(took - 0.1 * ticks) < 0.5
    episode = episode_in(record, "the game")
    assert verify(episode).steps == len(episode.entries)
    assert episode.ending is not None and episode.ending.status == "interrupted"
    # Stretches in which nobody decides are one entry each.
    assert len(episode.entries) < 31
