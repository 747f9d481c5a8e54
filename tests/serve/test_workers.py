"""Agents think in processes of their own: slow, dying and faulty ones hold nobody up."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from backburner.agents.models.client import Completion
from backburner.agents.models.stand_in import StandIn
from backburner.agents.spec import Endpoint
from backburner.evaluation.running.calls import Budget
from backburner.kernel.claims import verify
from backburner.kernel.episode import Episode, episode_in
from backburner.kernel.errors import PolicyFailure
from backburner.serve.games import Games
from backburner.serve.protocol import GamePlan, People, Replace, Wanted
from backburner.serve.workers import WorkerPool
from support.serve.serving import Page, serving

PERSON = Wanted("person")
KITCHEN = "cuisineworld/level_0@bodies=2,seats=each"
ODD = tuple(f"support.odd_agents:{name}" for name in ("Counting", "Sleeping", "Dying", "Raising"))


@pytest.fixture(autouse=True)
def found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The processes find the tests' agents in the current folder."""
    monkeypatch.chdir(Path(__file__).parent.parent)
    monkeypatch.setenv("ODD_MARK", str(tmp_path / "mark"))


def played(folder: Path, who: Wanted, steps: int, **options: Any) -> tuple[Episode, Page]:
    """The record of so many steps of a person and somebody else."""

    async def play() -> tuple[Episode, Page]:
        options.setdefault("workers", WorkerPool(1, seconds=30.0))
        async with serving(folder, agents=ODD, **options) as games, asyncio.timeout(120):
            opened = await games.create(
                GamePlan(KITCHEN, {"agent0": PERSON, "agent1": who}, stand_in="first-legal")
            )
            page = await Page(games, opened.seats["agent0"]).open()
            for number in range(steps):
                assert (await page.move(number, option=0)).status == "accepted"
                await page.turn(number + 1)
            return episode_in(page.game.record(), "the game"), page

    return asyncio.run(play())


def thoughts(episode: Episode) -> list[str]:
    return [entry.answers["agent1"].thoughts[-1].text for entry in episode.entries]


def test_an_agent_remembers_and_may_print(tmp_path: Path) -> None:
    episode, _page = played(tmp_path, Wanted("agent", ODD[0]), 4)
    assert thoughts(episode) == ["1", "2", "3", "4"]
    assert episode.header.players["agent1"].settings == {"agent": ODD[0]}


class Restless(WorkerPool):
    """Each request goes to the next process, as happens where processes are busy with other games."""

    def _worker(self, key: str) -> Any:
        self._workers.append(self._workers.pop(0))
        return self._workers[0]


def test_an_agent_that_moves_from_process_to_process_is_told_what_has_happened(tmp_path: Path) -> None:
    episode, _page = played(tmp_path, Wanted("agent", ODD[0]), 5, workers=Restless(3, seconds=30.0))
    assert thoughts(episode) == ["1", "2", "3", "4", "5"]


def test_a_slow_agent_is_ended_and_the_stand_in_decides(tmp_path: Path) -> None:
    episode, _page = played(tmp_path, Wanted("agent", ODD[1]), 4, workers=WorkerPool(1, seconds=5.0))
    assert thoughts(episode)[:2] == ["1", "2"]
    assert thoughts(episode)[2] == "first-legal: no answer within 5 seconds"
    # Its memory was in the process; a fresh one has gone through the game again, without the turn it missed.
    assert thoughts(episode)[3] == "3"


def test_an_agent_that_ends_its_process_is_stood_in_for(tmp_path: Path) -> None:
    episode, _page = played(tmp_path, Wanted("agent", ODD[2]), 4)
    assert thoughts(episode) == ["1", "2", "first-legal: the process in which it thinks has ended", "3"]


def test_a_faulty_agent_is_told_to_everybody(tmp_path: Path) -> None:
    episode, page = played(tmp_path, Wanted("agent", ODD[3]), 2)
    assert "ValueError: a mistake" in page.last(People).seats[1].trouble
    assert all("first-legal: agent" in thought for thought in thoughts(episode))


def test_one_slow_agent_does_not_hold_another_up(tmp_path: Path) -> None:
    async def play() -> float:
        pool = WorkerPool(2, seconds=90.0)
        async with serving(tmp_path, agents=ODD, workers=pool) as games, asyncio.timeout(120):
            plan = GamePlan(KITCHEN, {"agent0": PERSON, "agent1": Wanted("agent", ODD[1])})
            slow = await Page(games, (await games.create(plan)).seats["agent0"]).open()
            for number in range(3):
                await slow.move(number, option=0)
            plan = GamePlan(KITCHEN, {"agent0": PERSON, "agent1": Wanted("agent", "greedy")})
            quick = await Page(games, (await games.create(plan)).seats["agent0"]).open()
            began = time.monotonic()
            for number in range(5):
                await quick.move(number, option=0)
                await quick.turn(number + 1)
            return time.monotonic() - began

    assert asyncio.run(play()) < 45.0


# --- models ---------------------------------------------------------------------------------------------


class Counted(StandIn, frozen=True):
    """A model whose calls are counted; it fails now and then, and may take its time."""

    calls: list[int] = []  # noqa: RUF012
    fails: tuple[int, ...] = ()
    seconds: float = 0.0

    async def complete(self, messages: Any, settings: Any) -> Completion:
        self.calls.append(len(self.calls))
        if self.calls[-1] in self.fails:
            raise PolicyFailure("model", "the server is down")
        await asyncio.sleep(self.seconds)
        return await super().complete(messages, settings)


MODEL = Wanted("model", "act", "some-model")


def with_model(model: Counted, **more: Any) -> dict[str, Any]:
    return {"models": {"some-model": Endpoint("some-model")}, "client_of": lambda endpoint: model, **more}


def test_a_model_plays_and_its_calls_are_kept(tmp_path: Path) -> None:
    model = Counted(skill=1.0)
    episode, page = played(tmp_path, MODEL, 3, **with_model(model))
    assert episode.header.players["agent1"].name.startswith("act(")
    assert len(model.calls) == 4
    assert len((tmp_path / "games" / f"{page.game.id}.calls").read_bytes().splitlines()) >= 7

    async def on() -> None:  # the server starts again: nothing is asked for twice
        async with serving(tmp_path, **with_model(model)) as games:
            again = await Page(games, page.hello.token).open()
            assert (await again.turn(3)).number == 3
            assert len(model.calls) == 4
            await again.move(3, option=0)
            await again.turn(4)
            assert len(model.calls) == 5
            assert verify(episode_in(again.game.record(), "the game")).steps == 4

    asyncio.run(on())


def test_a_model_that_fails_is_stood_in_for_and_asked_again(tmp_path: Path) -> None:
    episode, page = played(tmp_path, MODEL, 3, **with_model(Counted(skill=1.0, fails=(1,))))
    stood_in = [any(t.purpose == "stand-in" for t in e.answers["agent1"].thoughts) for e in episode.entries]
    assert stood_in == [False, True, False]
    assert not page.last(People).seats[1].trouble


def test_a_slow_model_does_not_stop_a_game(tmp_path: Path) -> None:
    options = with_model(Counted(skill=1.0, seconds=30.0), model_seconds=0.2)
    episode, _ = played(tmp_path, MODEL, 2, **options)
    assert [entry.answers["agent1"].thoughts[-1].text for entry in episode.entries] == [
        "first-legal: no answer within 0.2 seconds"
    ] * 2


def test_calls_end_with_the_budget(tmp_path: Path) -> None:
    model = Counted(skill=1.0)
    _episode, page = played(tmp_path, MODEL, 3, **with_model(model, budget=Budget(calls=2)))
    assert len(model.calls) == 2
    assert "budget" in page.last(People).seats[1].trouble


def test_who_replaces_an_agent_is_known_after_a_restart(tmp_path: Path) -> None:
    async def play(games: Games) -> tuple[str, str]:
        players = {"agent0": PERSON, "agent1": Wanted("agent", "greedy")}
        opened = await games.create(GamePlan(KITCHEN, players))
        page = await Page(games, opened.seats["agent0"], host=opened.host).open()
        await page.move(0, option=0)
        await page.turn(1)
        await page.say(Replace("agent1", Wanted("agent", ODD[0])))
        for number in (1, 2):
            await page.move(number, option=0)
            await page.turn(number + 1)
        return opened.seats["agent0"], opened.host

    async def story() -> None:
        async with serving(tmp_path, agents=ODD) as games, asyncio.timeout(120):
            token, host = await play(games)
        async with serving(tmp_path, agents=ODD) as games, asyncio.timeout(120):
            page = await Page(games, token, host=host).open()
            await page.move(3, option=0)
            await page.turn(4)
            episode = episode_in(page.game.record(), "the game")
            # The greedy agent had decided in step 1 before it gave the seat away.
            assert not episode.entries[1].answers["agent1"].thoughts
            assert thoughts(Episode(episode.header, episode.entries[2:], None)) == ["1", "2"]
            assert episode.header.players["agent1"].name == "greedy"

    asyncio.run(story())
