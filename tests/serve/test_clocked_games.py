"""Games in which the seconds that people take pass in the world: what pages are shown, what the record has,
what is left of it when the server was killed. Seconds are those of a clock in the test's hand."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from backburner.cli.serve import AllGames
from backburner.kernel.claims import verify
from backburner.kernel.clock import Timing
from backburner.kernel.episode import Episode, episode_in
from backburner.kernel.errors import BadFile, Refused
from backburner.serve import seats
from backburner.serve.protocol import End, Frame, GamePlan, Opened, Turn, Wanted, Welcome
from support.serve.serving import Page, over, serving

PERSON, GREEDY = Wanted("person"), Wanted("agent", "greedy")
KITCHEN = "cuisineworld/level_0@bodies=2,seats=each"  # a step is a second
SECONDS = Timing("seconds")


class Hand:
    """A clock that a test moves."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hand]:
    hand = Hand()
    monkeypatch.setattr(seats, "time", SimpleNamespace(monotonic=hand.monotonic))
    yield hand


def record(page: Page) -> Episode:
    return episode_in(page.game.record(), "the game")


def thinkers(episode: Episode) -> list[list[str]]:
    return [[seat for seat, a in entry.answers.items() if a.silent] for entry in episode.entries]


def test_a_person_who_takes_three_seconds_decides_three_steps_later(tmp_path: Path, hand: Hand) -> None:
    async def story() -> None:
        async with serving(tmp_path, timing=SECONDS) as games, asyncio.timeout(120):
            opened = await games.create(GamePlan(KITCHEN, {"agent0": PERSON, "agent1": PERSON}))
            ann = await Page(games, opened.seats["agent0"]).open()
            bob = await Page(games, opened.seats["agent1"]).open()
            assert (await ann.get(Welcome)).briefing.startswith("Time passes while you think.")
            await ann.turn(), await bob.turn()
            assert (await bob.move(0, option=0)).status == "accepted"
            hand.now += 2
            assert (await ann.move(0, line="juggle")).status == "explained"  # slips take time as well
            hand.now += 1.4
            assert (await ann.move(0, option=0)).status == "accepted"
            for number in (1, 2, 3):  # Bob needs no time
                assert (await bob.move(number, option=0)).status == "accepted"
            turn = await ann.turn(4)
            assert [each.number for each in ann.all(Turn)] == [0, 4]
            assert turn.news.startswith("While you decided, 3 steps passed.")
            assert thinkers(record(ann)) == [["agent0"], ["agent0"], ["agent0"], []]
            thought = record(ann).entries[3].answers["agent0"].thought
            assert thought is not None and (thought.asked, thought.charge) == (0, 3_400_000)
            frames = {frame.number: frame for frame in bob.all(Frame)}
            assert [frames[number].time for number in range(5)] == [0, 1, 2, 3, 4]
            thinks = [e for e in frames[4].events if e.label == "thinks"]
            assert {event.lane for event in thinks} == {"agent0"}
            assert [(event.what, event.time) for event in thinks] == [("start", 0), ("end", 3)]
            # 0.4 s of hers are carried: with 0.6 s more a step passes. Bob has 0.6 s alone.
            hand.now += 0.6
            await ann.move(4, option=0)
            await bob.move(4, option=0)
            await bob.turn(5)
            assert thinkers(record(ann))[4] == ["agent0"]
            host = await Page(games, opened.host).open()
            await host.say(End())
            await over(host)
            assert verify(record(host)).steps >= 4
            looked_at = host.game.frames("agent1")
            assert [e for frame in looked_at for e in frame.events if e.label == "thinks"][:2] == thinks

    asyncio.run(story())


def test_a_thought_that_the_server_was_killed_in_comes_when_it_would_have_come(
    tmp_path: Path, hand: Hand
) -> None:
    async def before() -> Opened:
        async with serving(tmp_path / "one", timing=SECONDS) as games:
            opened = await games.create(GamePlan(KITCHEN, {"agent0": PERSON, "agent1": PERSON}))
            ann = await Page(games, opened.seats["agent0"]).open()
            bob = await Page(games, opened.seats["agent1"]).open()
            await ann.turn(), await bob.turn()
            await bob.move(0, option=0)
            hand.now += 3.4
            await ann.move(0, option=0)
            await bob.move(1, option=0)
            await bob.turn(2)
            shutil.copytree(tmp_path / "one", tmp_path / "two")
            return opened

    async def after(opened: Opened, folder: Path, number: int) -> None:
        async with serving(folder) as games, asyncio.timeout(120):  # a game keeps its clock
            ann = await Page(games, opened.seats["agent0"]).open()
            bob = await Page(games, opened.seats["agent1"]).open()
            for step in range(number, 4):
                assert (await bob.move(step, option=0)).status == "accepted"
            await ann.turn(4)
            assert [each.number for each in ann.all(Turn)] == [4]
            assert thinkers(record(ann)) == [["agent0"], ["agent0"], ["agent0"], []]
            thought = record(ann).entries[3].answers["agent0"].thought
            assert thought is not None and (thought.asked, thought.charge) == (0, 3_400_000)
            shutil.copytree(folder, tmp_path / f"after-{number}")
            host = await Page(games, opened.host).open()
            await host.say(End())
            await over(host)
            assert verify(record(host)).steps >= 4

    opened = asyncio.run(before())
    asyncio.run(after(opened, tmp_path / "two", 2))
    asyncio.run(after(opened, tmp_path / "after-2", 4))


def test_agents_are_charged_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, timing=SECONDS) as games, asyncio.timeout(120):
            opened = await games.create(GamePlan(KITCHEN, {"agent0": GREEDY, "agent1": GREEDY}))
            host = await Page(games, opened.host).open()
            await over(host)
            episode = record(host)
            assert verify(episode).finished
            assert not any(map(len, thinkers(episode)))
            assert all(entry.usage["agent0"].seconds >= 0 for entry in episode.entries)

    asyncio.run(story())


def test_live_games_have_no_such_clock(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, timing=SECONDS) as games, asyncio.timeout(120):
            opened = await games.create(GamePlan("clocked_kitchen/level_1@asks=always", quorum=0))
            host = await Page(games, opened.host).open()
            await host.get(Frame)
            assert record(host).header.clock is None

    asyncio.run(story())


def test_the_option_has_how_many_games_and_their_clock() -> None:
    assert (AllGames.said("5").most, AllGames.said("most=5").most, AllGames.said(None).most) == (5, 5, 200)
    assert AllGames.said("5").timing is None
    assert AllGames.said("clock=seconds,pace=10").timing == Timing("seconds", pace="10")
    for wrong, why in (("pace=2", "with clock=seconds"), ("clock=seconds,pace=fast", "pace")):
        with pytest.raises((Refused, BadFile), match=why):
            _ = AllGames.said(wrong).timing
