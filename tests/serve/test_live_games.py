"""Live games: the clock on the wall keeps time, people walk with keys, agents think beside it."""

from __future__ import annotations

import asyncio
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from backburner.agents.models.client import Completion
from backburner.agents.models.stand_in import StandIn
from backburner.agents.spec import Endpoint
from backburner.kernel.claims import verify
from backburner.kernel.episode import episode_in
from backburner.kernel.values import Event
from backburner.serve.protocol import (
    End,
    Frame,
    GamePlan,
    Lobby,
    Move,
    People,
    PressDone,
    Ready,
    Told,
    Turn,
    Wanted,
    Welcome,
)
from support.serve.serving import Page, over, serving

PERSON, GREEDY = Wanted("person"), Wanted("agent", "greedy")
WAYS = ("left", "right", "up", "down")
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
            key = next(option.verb for option in turn.options if option.verb in WAYS)
            told = await page.move(turn.number, press={"key": key, "hold": "start"})
            assert told.status == "accepted"
            await page.until(lambda: page.last(Frame).number > 12 or None)
            assert (await page.move(0, press={"key": key, "hold": "end"})).status == "accepted"
            frames = page.last(Frame)
            assert frames.scene is not None and first.scene is not None
            assert frames.scene.bodies[0].at != first.scene.bodies[0].at  # the person has walked
            await page.until(lambda: page.last(Frame).number > 30 or None)
            took, ticks = time.monotonic() - began, page.last(Frame).number - first.number
            assert page.last(Frame).scene.bodies[1].at != first.scene.bodies[1].at  # and the agent
            await page.say(End())
            await over(page)
            return page.game.record(), took, ticks

    record, took, ticks = asyncio.run(play())
    # It catches up at most a second, and a busy machine may hold it up.
    assert -1.1 < took - 0.1 * ticks < 15
    episode = episode_in(record, "the game")
    assert verify(episode).steps == len(episode.entries)
    assert episode.ending is not None and episode.ending.status == "interrupted"
    # Stretches in which nobody decides are one entry each.
    assert len(episode.entries) < 31


def test_a_killed_server_loses_at_most_a_second_of_idle_time(tmp_path: Path) -> None:
    """The store is copied while the game is played, as a killed process leaves it."""

    async def play() -> tuple[str, list[tuple[Path, int]], bytes]:
        async with serving(tmp_path / "served") as games, asyncio.timeout(120):
            opened = await games.create(GamePlan(KITCHEN, {"agent0": PERSON, "agent1": GREEDY}))
            page = await Page(games, opened.seats["agent0"]).open()
            copies = []
            for number in range(4):
                await page.until(lambda n=number: page.game.number >= 7 * n + 5 or None)
                await page.get(Turn)
                await page.move(page.last(Turn).number, option=number + 1)
                copies.append((tmp_path / f"copy{number}", page.game.number))
                shutil.copytree(tmp_path / "served", copies[-1][0])
            return opened.seats["agent0"], copies, page.game.record()

    async def go_on(token: str, folder: Path, number: int, whole: bytes) -> None:
        async with serving(folder) as games, asyncio.timeout(120):
            page = await Page(games, token, seen=number).open()
            assert page.game.number >= number - 10
            before = len(page.game.record())
            assert whole.startswith(page.game.record()[: before - 1])
            await page.until(lambda: page.game.number > number + 12 or None)
            record = page.game.record()
            assert record[:before] == whole[:before] and len(record) > before
            verify(episode_in(record, "the game"))

    token, copies, whole = asyncio.run(play())
    verify(episode_in(whole, "the game"))
    for folder, number in copies:
        asyncio.run(go_on(token, folder, number, whole))


def test_a_desk_goes_by_the_clock_while_somebody_is_busy_at_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A minute at the desk lasts a twentieth of a second here, and is told as a minute."""
    monkeypatch.setattr("backburner.worlds.desk.game.world.TICK_SECONDS", 0.05)

    async def play() -> tuple[bytes, list[Frame], list[str]]:
        async with serving(tmp_path) as games, asyncio.timeout(120):
            opened = await games.create(GamePlan("desk/made/counter@asks=always", {"agent": PERSON}))
            page = await Page(games, opened.seats["agent"], host=opened.host).open()
            assert (await page.get(Welcome)).live
            await page.get(Turn)
            assert (await page.move(0, line="rota()")).status == "accepted"  # four minutes by hand
            await page.until(lambda: "until" in page.last(Turn).news or None)
            assert [option.label for option in page.last(Turn).options] == ["wait(minutes=1)"]
            told = await page.move(0, line="build()")
            assert (told.status, told.why.split(":")[0]) == (
                "explained",
                "A call takes your attention until 09",
            )
            await page.until(
                lambda: any(e.label == "file rota" and e.what == "end" for e in heard(page)) or None
            )
            number = page.game.number
            await page.until(lambda: page.game.number > number + 3 or None)
            await page.say(End())
            await over(page)
            return page.game.record(), page.all(Frame), [event.label for event in heard(page)]

    record, frames, labels = asyncio.run(play())
    episode = episode_in(record, "the game")
    assert verify(episode).steps == len(episode.entries)
    assert all(frame.time == frame.number for frame in frames)
    (begun,) = (event for event in episode.events() if event.label == "file rota" and event.what == "start")
    (ended,) = (event for event in episode.events() if event.label == "file rota" and event.what == "end")
    assert ended.time == begun.time + 4 and "start build" not in labels


def test_agents_play_a_desk_by_the_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backburner.worlds.desk.game.world.TICK_SECONDS", 0.02)
    monkeypatch.setattr("backburner.serve.live_games.LOOK_SECONDS", 0.01)

    async def play() -> bytes:
        async with serving(tmp_path) as games, asyncio.timeout(120):
            opened = await games.create(GamePlan("desk/made/counter@asks=always", {"agent": GREEDY}))
            page = await Page(games, opened.host).open()
            assert (await over(page)).status == "ended"
            return page.game.record()

    episode = episode_in(asyncio.run(play()), "the game")
    assert episode.ending is not None and episode.ending.numbers["completed"] == 1
    assert not any(entry.refusals for entry in episode.entries)
    verify(episode)


def heard(page: Page) -> list[Event]:
    """The events that a page was told."""
    return [event for frame in page.all(Frame) for event in frame.events]


def test_the_clock_stands_still_while_nobody_is_there(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as games, asyncio.timeout(120):
            opened = await games.create(GamePlan(KITCHEN, {"agent0": PERSON, "agent1": GREEDY}))
            page = await Page(games, opened.seats["agent0"]).open()
            await page.until(lambda: page.game.number > 3 or None)
            page.close()
            await asyncio.sleep(0.15)
            number = page.game.number
            await asyncio.sleep(0.6)
            assert page.game.number == number
            again = await Page(games, opened.seats["agent0"], seen=number).open()
            await again.until(lambda: again.game.number > number + 3 or None)

    asyncio.run(story())


def test_a_stand_in_walks_for_somebody_who_is_away_and_stops_when_they_are_back(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as games, asyncio.timeout(120):
            players = {"agent0": PERSON, "agent1": PERSON}
            opened = await games.create(
                GamePlan(KITCHEN, players, quorum=1, lobby_seconds=0, away_seconds=0.2)
            )
            page = await Page(games, opened.seats["agent0"]).open()
            first = await page.get(Frame)
            await page.until(
                lambda: page.last(Frame).scene.bodies[1].at != first.scene.bodies[1].at or None  # type: ignore[union-attr]
            )
            assert page.last(People).seats[1].stands_in == "greedy"
            other = await Page(games, opened.seats["agent1"], "Bob").open()
            await other.get(Turn)
            await page.until(lambda: page.last(People).seats[1].present or None)
            assert page.last(People).seats[1].stands_in == ""
            episode = episode_in(page.game.record(), "the game")
            thoughts = [t.text for entry in episode.entries for t in entry.answers["agent1"].thoughts]
            assert thoughts and set(thoughts) == {"greedy: away"}

    asyncio.run(story())


def test_whoever_was_there_has_time_to_find_the_server_again(tmp_path: Path) -> None:
    async def story() -> None:
        players = {"agent0": PERSON, "agent1": PERSON}
        async with serving(tmp_path) as games, asyncio.timeout(120):
            opened = await games.create(GamePlan(KITCHEN, players, lobby_seconds=None, away_seconds=0.1))
            pages = [await Page(games, opened.seats[seat]).open() for seat in players]
            await pages[0].until(lambda: pages[0].game.number > 2 or None)
        async with serving(tmp_path) as games, asyncio.timeout(120):
            page = await Page(games, opened.seats["agent0"]).open()
            number = page.game.number
            await page.until(lambda: page.game.number > number + 5 or None)  # half a second
            assert page.last(People).seats[1].stands_in == ""

    asyncio.run(story())


def test_a_model_thinks_beside_the_clock(tmp_path: Path) -> None:
    thought = asyncio.Event()

    class Slow(StandIn, frozen=True):
        async def complete(self, messages: Any, settings: Any) -> Completion:
            await thought.wait()
            return await super().complete(messages, settings)

    async def story() -> None:
        model = {"models": {"slow": Endpoint("slow")}, "client_of": lambda endpoint: Slow(skill=1.0)}
        async with serving(tmp_path, **model) as games, asyncio.timeout(120):
            players = {"agent0": PERSON, "agent1": Wanted("model", "act", "slow")}
            opened = await games.create(GamePlan(KITCHEN, players))
            page = await Page(games, opened.seats["agent0"]).open()
            first = await page.get(Frame)
            await page.until(lambda: page.game.number >= 8 or None)
            assert page.last(People).seats[1].thinking_seconds is not None
            scene = page.last(Frame).scene
            assert scene is not None and scene.bodies[1].at == first.scene.bodies[1].at  # type: ignore[union-attr]
            thought.set()
            await page.until(
                lambda: page.last(Frame).scene.bodies[1].at != first.scene.bodies[1].at or None  # type: ignore[union-attr]
            )
            verify(episode_in(page.game.record(), "the game"))

    asyncio.run(story())


def test_the_clock_runs_when_everybody_is_ready_and_after_a_count(tmp_path: Path) -> None:
    """The scene in which it begins is there to be looked at; the record begins at tick 0."""

    async def story() -> None:
        async with serving(tmp_path, count_seconds=0.4) as games, asyncio.timeout(120):
            opened = await games.create(GamePlan(KITCHEN, {"agent0": PERSON, "agent1": PERSON}))
            ann = await Page(games, opened.seats["agent0"]).open()
            lobby = await ann.get(Lobby)
            bob = await Page(games, opened.seats["agent1"]).open(ready=False)
            await ann.until(lambda: not ann.last(Lobby).waiting or None)
            assert (ann.last(Lobby).needed, ann.last(Lobby).ready) == (0, ("agent0",))
            assert not ann.last(Lobby).counting and not ann.all(Frame)
            assert (await bob.move(0, press={"key": "up"})).why == "nobody is asked now"
            await bob.say(Ready())
            await bob.until(lambda: bob.last(Lobby).counting or None)
            counted = bob.last(Lobby)
            assert counted.ready == ("agent0", "agent1") and 0 < (counted.seconds_left or 0) <= 0.4
            assert not games.games()[0].steps
            first = await ann.get(Frame)
            assert first.number == 0 and first.scene == (await ann.get(Welcome)).scene
            late = await Page(games, opened.watch).open()
            assert (await late.get(Welcome)).scene is None and lobby.waiting == ("agent1",)

    asyncio.run(story())


def test_a_move_by_its_name_is_that_move_or_none(tmp_path: Path) -> None:
    """A seat's moves are told at the beginning; each that a turn offers is one of them."""

    async def story() -> None:
        async with serving(tmp_path) as games, asyncio.timeout(120):
            opened = await games.create(GamePlan(KITCHEN, {"agent0": PERSON, "agent1": GREEDY}))
            page = await Page(games, opened.seats["agent0"], host=opened.host).open()
            moves = (await page.get(Welcome)).moves
            turn = await page.get(Turn)
            assert set(turn.options) < set(moves) and len(moves) == len(set(moves)) == 37
            assert page.game.world.vocabulary("nobody") == page.game.world.vocabulary("agent0")[-1:]  # type: ignore[attr-defined]
            told = await page.move(0, label="put_agent0_pot0", body="agent0")
            assert (told.status, told.why[:18]) == ("explained", "Not possible now: ")
            assert (await page.move(0, label="get_agent0_rice_storage0")).status == "explained"  # of nobody
            assert (await page.move(0, label="get_agent0_rice_storage0", body="agent0")).status == "accepted"
            await page.until(lambda: page.last(Frame).scene.bodies[0].holding or None)  # type: ignore[union-attr]
            pot = next(move for move in moves if move.label == "put_agent0_pot0")
            told_at = next(told.number for told in page.all(Turn) if pot in told.options)
            held_at = next(f.number for f in page.all(Frame) if f.scene and f.scene.bodies[0].holding)
            assert told_at == held_at  # as soon as it can be done, and not half a second later
            assert (await page.move(0, label="put_agent0_pot0", body="agent0")).status == "accepted"
            await page.say(End())
            await over(page)
            episode = episode_in(page.game.record(), "the game")
            thoughts = [t for entry in episode.entries for t in entry.answers["agent0"].thoughts]
            assert verify(episode).steps and not thoughts  # what was not possible is no slip

    asyncio.run(story())


def test_inputs_are_taken_once_and_held_keys_end_with_the_page(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as games, asyncio.timeout(120):
            opened = await games.create(GamePlan(KITCHEN, {"agent0": PERSON, "agent1": PERSON}))
            page = await Page(games, opened.seats["agent0"]).open()
            other = await Page(games, opened.seats["agent1"]).open()
            turn = await page.get(Turn)
            assert (await page.move(turn.number, option=1)).status == "accepted"
            assert (await page.move(turn.number, id=1, option=1)).status == "late"
            assert (await page.move(turn.number + 1, option=1)).status == "explained"
            assert (await page.move(0, press={"key": "nothing"})).status == "explained"
            assert (await page.move(0)).status == "refused"
            assert (await page.move(0, line="juggle")).status == "explained"
            key = next(o.verb for o in (await other.get(Turn)).options if o.verb in WAYS)
            for number in range(1, 13):  # twelve in no time
                await other.say(Move(number, 0, press=PressDone(key=key)))
            await other.until(lambda: len(other.all(Told)) == 12 or None)
            assert {told.status for told in other.all(Told)} <= {"accepted", "late", "explained"}
            assert "too much" in other.last(Told).why
            other.last_id = 12
            await other.move(0, press={"key": key, "hold": "start"})
            other.close()
            await page.until(lambda: page.game.number > 12 or None)
            episode = episode_in(page.game.record(), "the game")
            acted = [e for e in episode.entries if (e.answers["agent1"].decision or {}).get("commands")]
            assert len(acted) <= 6

    asyncio.run(story())
