"""Games from the first link to the record, without a connection in between."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from backburner.kernel.claims import verify
from backburner.kernel.episode import episode_in
from backburner.serve.protocol import GamePlan, Over, Turn, Wanted, Welcome
from support.serve.serving import Page, over, serving

PERSON, GREEDY = Wanted("person"), Wanted("agent", "greedy")
KITCHEN = "cuisineworld/level_0@bodies=2,seats=each"


def test_a_person_and_an_agent_play_to_the_end_and_the_record_replays(tmp_path: Path) -> None:
    async def play() -> bytes:
        async with serving(tmp_path) as games:
            opened = await games.create(GamePlan(KITCHEN, {"agent0": PERSON, "agent1": GREEDY}))
            page = await Page(games, opened.seats["agent0"], "Ann").open()
            welcome = await page.get(Welcome)
            assert (welcome.seat, welcome.role, welcome.hosts) == ("agent0", "player", False)
            number = 0
            while not page.all(Over):
                told = await page.move(number, option=number % len((await page.turn(number)).options))
                assert told.status == "accepted"
                number += 1
                await page.until(lambda n=number: page.all(Over) or page.game.number >= n or None)
                await page.until(
                    lambda n=number: page.all(Over) or [t for t in page.all(Turn) if t.number == n] or None
                )
            assert (await over(page)).record
            name, record = await games.record(opened.seats["agent0"])
            assert (tmp_path / "games" / name).read_bytes() == record
            return record

    episode = episode_in(asyncio.run(play()), "the game")
    assert verify(episode).finished
    assert episode.ending is not None and episode.ending.status == "ended"
    players = episode.header.players
    assert (players["agent0"].name, players["agent0"].settings) == ("human", {"play": "friendly"})
    assert players["agent1"].name == "greedy"


def test_a_person_is_not_told_how_models_write_answers_unless_play_is_strict(tmp_path: Path) -> None:
    async def told(strict: bool) -> Welcome:
        async with serving(tmp_path / str(strict)) as games:
            opened = await games.create(
                GamePlan(KITCHEN, {"agent0": PERSON}, strict=strict, stand_in="greedy")
            )
            page = await Page(games, opened.seats["agent0"], "Ann").open()
            return await page.get(Welcome)

    assert "How to answer" in asyncio.run(told(True)).briefing
    friendly = asyncio.run(told(False)).briefing
    assert "How to answer" not in friendly and "Recipes" in friendly


def test_a_model_goes_by_its_name_and_not_by_the_method_that_it_is_asked_by(tmp_path: Path) -> None:
    async def names() -> list[str]:
        async with serving(tmp_path) as games:
            model = Wanted("model", model="stand-in:skill=0.7")  # asked in the usual way
            opened = await games.create(GamePlan(KITCHEN, {"agent0": PERSON, "agent1": model}))
            page = await Page(games, opened.seats["agent0"], "Ann").open()
            return [seat.player for seat in (await page.get(Welcome)).seats]

    assert asyncio.run(names()) == ["Ann", "stand-in:skill=0.7"]


def test_files_of_games_that_were_over_when_the_server_was_killed_are_finished(tmp_path: Path) -> None:
    agent = Wanted("agent", "first-legal")
    plan = GamePlan("cuisineworld/level_0@bodies=2,seats=each", {"agent0": agent, "agent1": agent})

    async def story() -> tuple[Path, bytes]:
        async with serving(tmp_path) as games:
            opened = await games.create(plan)
            page = await Page(games, opened.host).open()
            await over(page)
            record = tmp_path / "games" / f"{opened.game}.jsonl"
            await page.until(lambda: record.exists() or None)
            return record, record.read_bytes()

    record, content = asyncio.run(story())
    journal = record.with_suffix(".calls")
    record.unlink()
    journal.write_bytes(b"left")

    async def again() -> None:
        async with serving(tmp_path):
            assert record.read_bytes() == content
            assert not journal.exists()

    asyncio.run(again())


@pytest.mark.parametrize("yields", range(4))
def test_a_game_that_is_ended_as_it_begins_is_over(tmp_path: Path, yields: int) -> None:
    """Whatever of its beginning has happened until then."""

    async def play() -> None:
        async with serving(tmp_path) as games:
            opened = await games.create(GamePlan(KITCHEN, {"agent0": PERSON, "agent1": PERSON}, quorum=1))
            page = await Page(games, opened.seats["agent0"]).open()
            for _ in range(yields):
                await asyncio.sleep(0)
            page.game.end()
            assert (await over(page)).status == "interrupted"
            assert page.game.finished.is_set() and not games.games()
        assert episode_in((tmp_path / "games" / f"{opened.game}.jsonl").read_bytes(), "it").ending

    asyncio.run(play())


def test_whoever_waits_for_the_end_of_a_game_hears_that_it_is_forgotten(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as games:
            opened = await games.create(GamePlan(KITCHEN, {"agent0": PERSON}))
            game = (await games.admit(opened.host)).game
            waiting = asyncio.create_task(game.finished.wait())
            await games.forget(opened.game)
            assert await asyncio.wait_for(waiting, 60)

    asyncio.run(play())
