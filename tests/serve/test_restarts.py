"""What a killed server knows when it starts again: its folder is copied in the middle of a game, as a killed
process leaves it, and served anew."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from backburner.kernel.claims import verify
from backburner.kernel.episode import episode_in
from backburner.kernel.errors import BadFile, Refused
from backburner.serve.games import Games
from backburner.serve.protocol import (
    Frame,
    GamePlan,
    Leave,
    LinkTold,
    Lobby,
    Opened,
    Over,
    People,
    Renew,
    Turn,
    Wanted,
)
from backburner.serve.store import Store
from support.serve.serving import Page, over, serving

PERSON, GREEDY = Wanted("person"), Wanted("agent", "greedy")
KITCHEN = "cuisineworld/level_0@bodies=2,seats=each"
TWO, ONE = {"agent0": PERSON, "agent1": PERSON}, {"agent0": PERSON, "agent1": GREEDY}


def test_an_answer_that_was_taken_is_not_asked_for_again(tmp_path: Path) -> None:
    async def before() -> Opened:
        async with serving(tmp_path / "one") as games:
            opened = await games.create(GamePlan(KITCHEN, TWO))
            page = await Page(games, opened.seats["agent0"], "Ann").open()
            await Page(games, opened.seats["agent1"]).open()
            assert (await page.move(0, line="juggle")).status == "explained"
            assert (await page.move(0, option=0)).status == "accepted"
            shutil.copytree(tmp_path / "one", tmp_path / "two")
            return opened

    async def after(opened: Opened) -> None:
        async with serving(tmp_path / "two") as games, asyncio.timeout(120):
            page = await Page(games, opened.seats["agent0"]).open()
            other = await Page(games, opened.seats["agent1"]).open()
            await other.get(Turn)
            assert not page.all(Turn)  # Ann has answered
            assert page.last(People).seats[0].player == "Ann"
            assert (await other.move(0, option=0)).status == "accepted"
            await page.turn(1)
            answer = episode_in(page.game.record(), "the game").entries[0].answers["agent0"]
            assert [thought.purpose for thought in answer.thoughts] == ["slip"]
            assert "juggle" in answer.thoughts[0].text

    asyncio.run(after(asyncio.run(before())))


def test_a_slip_is_remembered(tmp_path: Path) -> None:
    async def before() -> Opened:
        async with serving(tmp_path / "one") as games:
            opened = await games.create(GamePlan(KITCHEN, ONE))
            page = await Page(games, opened.seats["agent0"]).open()
            assert (await page.move(0, line="juggle")).status == "explained"
            shutil.copytree(tmp_path / "one", tmp_path / "two")
            return opened

    async def after(opened: Opened) -> None:
        async with serving(tmp_path / "two") as games, asyncio.timeout(120):
            page = await Page(games, opened.seats["agent0"]).open()
            await page.move(0, option=0)
            await page.turn(1)
            answer = episode_in(page.game.record(), "the game").entries[0].answers["agent0"]
            assert "juggle" in answer.thoughts[0].text

    asyncio.run(after(asyncio.run(before())))


def test_lobbies_left_seats_and_links_are_where_they_were(tmp_path: Path) -> None:
    async def before() -> tuple[Opened, Opened, str]:
        async with serving(tmp_path / "one") as games:
            waiting = await games.create(GamePlan(KITCHEN, TWO, title="waiting"))
            await Page(games, waiting.seats["agent0"]).open()
            opened = await games.create(GamePlan(KITCHEN, TWO, quorum=1))
            page = await Page(games, opened.seats["agent0"], host=opened.host).open()
            await page.say(Renew("agent1"))
            link = await page.get(LinkTold)
            other = await Page(games, link.token).open()
            await other.say(Leave())
            await page.move(0, option=0)
            await page.turn(1)
            shutil.copytree(tmp_path / "one", tmp_path / "two")
            return waiting, opened, link.token

    async def after(waiting: Opened, opened: Opened, token: str) -> None:
        async with serving(tmp_path / "two") as games, asyncio.timeout(120):
            assert {game.status for game in games.games()} == {"lobby", "playing"}
            page = await Page(games, waiting.seats["agent1"]).open()
            assert (await page.get(Lobby)).waiting == ("agent0",)
            with pytest.raises(Refused, match="holds no more"):
                await games.admit(opened.seats["agent1"])
            page = await Page(games, opened.seats["agent0"], seen=0).open()
            assert (await page.get(Frame)).number == 1
            assert (await page.get(People)).seats[1].stands_in == "greedy"  # they have left
            await page.move(1, option=0)
            await page.turn(2)
            other = await Page(games, token).open()
            await page.move(2, option=0)  # the stand-in may have decided in this step
            assert (await other.get(Turn)).number in (2, 3)

    asyncio.run(after(*asyncio.run(before())))


def test_a_game_that_is_over_can_be_looked_at(tmp_path: Path) -> None:
    async def before() -> tuple[Opened, bytes, Frame]:
        async with serving(tmp_path) as games, asyncio.timeout(120):
            opened = await games.create(GamePlan("timearena/cooking1", {"agent": PERSON}))
            page = await Page(games, opened.seats["agent"]).open()
            while not page.all(Over):
                turn = await page.turn(page.game.number)
                await page.move(turn.number, option=turn.number % len(turn.options))
                await page.until(lambda n=turn.number: page.game.number > n or page.all(Over) or None)
                await asyncio.sleep(0.01)
            return opened, page.game.record(), page.last(Frame)

    async def after(opened: Opened, record: bytes, frame: Frame) -> None:
        async with serving(tmp_path) as games, asyncio.timeout(120):
            assert not games.games()
            page = await Page(games, opened.seats["agent"]).open()
            assert (await over(page)).record
            assert page.last(Frame) == frame
            assert (await games.record(opened.seats["agent"]))[1] == record
            verify(episode_in(record, "the game"))

    asyncio.run(after(*asyncio.run(before())))


def test_a_record_that_is_not_what_is_played_again_breaks_its_game_alone(tmp_path: Path) -> None:
    async def before() -> list[Opened]:
        async with serving(tmp_path) as games, asyncio.timeout(120):
            both = []
            for _ in range(2):
                both.append(await games.create(GamePlan(KITCHEN, ONE, seed=3)))
                page = await Page(games, both[-1].seats["agent0"]).open()
                await page.move(0, option=0)
                await page.turn(1)
            return both

    async def after(good: Opened, bad: Opened) -> None:
        async with serving(tmp_path) as games, asyncio.timeout(120):
            assert [game.game for game in games.games()] == [good.game]
            with pytest.raises(Refused, match="cannot go on"):
                await games.admit(bad.seats["agent0"])
            assert (await games.record(bad.host))[1]

    good, bad = asyncio.run(before())
    with closing(sqlite3.connect(tmp_path / "games.sqlite", isolation_level=None)) as rows:
        plan = rows.execute("select plan from game where id = ?", (bad.game,)).fetchone()[0]
        other = plan.replace(b'"seed":3', b'"seed":4')  # as if the rules had changed
        assert other != plan
        rows.execute("update game set plan = ? where id = ?", (other, bad.game))
    asyncio.run(after(good, bad))


def test_one_process_at_a_time_has_a_folder(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.sqlite")
    with pytest.raises(Refused, match="another process"):
        Games(tmp_path)
    store.close()
    (tmp_path / "other.sqlite").write_bytes(b"no database at all, and long enough to be looked at" * 50)
    with pytest.raises(BadFile):
        Store(tmp_path / "other.sqlite")
    with closing(sqlite3.connect(tmp_path / "another.sqlite", isolation_level=None)) as rows:
        rows.execute("create table something (what text)")
    with pytest.raises(BadFile, match="no store of games"):
        Store(tmp_path / "another.sqlite")


def test_of_a_game_that_is_removed_nothing_is_left_on_disk(tmp_path: Path) -> None:
    """The write-ahead log has what was written, long after it has been removed, while the server goes on."""
    store = Store(tmp_path / "games.sqlite")
    plan = GamePlan(scenario="timearena/household1", players={})
    store.add("g", plan, {}, {})
    for number in range(200):
        store.append("g", number, b"what only they have said")
    store.remove("g")
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"what only they have said" not in kept
    store.close()
