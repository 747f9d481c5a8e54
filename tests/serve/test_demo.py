"""Agents that play for onlookers: one game after the other, and the same link leads to each."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from backburner.kernel import registry
from backburner.kernel.view import View
from backburner.serve import server
from backburner.serve.audience import SendQueue
from backburner.serve.games import Games
from backburner.serve.protocol import Closed, Frame, FromServer, GamePlan, Hello, Over, Past, Welcome, told

KITCHENS = [("collab_overcooked/boiled_egg", "greedy"), ("robotouille/multi_agent/1@seed=42", "greedy")]


def test_there_are_kitchens_with_several_players_to_look_at() -> None:
    found = server.scenarios()
    assert len({id.partition("/")[0] for id, _ in found}) >= 3
    for id, agent in found:
        world = registry.world(id)
        assert len(world.seats) > 1 and isinstance(world, View) and agent


def test_one_game_follows_the_other_for_those_who_watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "scenarios", lambda: KITCHENS)

    async def watched(shown: server.Demo, games: Games, hello: Hello) -> list[FromServer]:
        """One game as a page sees it, until it is sent away."""
        while not shown.look():
            await asyncio.sleep(0.01)
        admission = await games.admit(shown.look())
        queue, heard = SendQueue(), []
        admission.game.attach(queue, admission.link, hello, hosts=False)
        while (text := await queue.next()) is not None:
            heard.append(told(text))
        admission.game.detach(queue)
        happened = [event for entry in admission.game.entries for event in entry.events]
        told_of = [
            event for message in heard if isinstance(message, Frame | Past) for event in message.events
        ]
        assert told_of == happened, "all of this game, whatever was seen of another"
        return heard

    async def play() -> None:
        games = Games(tmp_path)
        shown = server.Demo(beat_seconds=0.0, between=0.05)
        playing = asyncio.create_task(shown.play(games))
        seen: list[tuple[str, str]] = []
        for _ in range(3):
            former = seen[-1][0] if seen else ""
            heard = await watched(shown, games, Hello("demo", seen=999 if seen else -1, game=former))
            (welcome,) = [message for message in heard if isinstance(message, Welcome)]
            assert any(isinstance(message, Over) and message.reason == "completed" for message in heard)
            assert isinstance(heard[-1], Closed) and heard[-1].again
            seen.append((welcome.game, welcome.scenario))
        assert [scenario for _, scenario in seen] == [KITCHENS[0][0], KITCHENS[1][0], KITCHENS[0][0]]
        assert len({game for game, _ in seen}) == 3
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await games.close()

    asyncio.run(asyncio.wait_for(play(), 120))


def test_without_anybody_watching_one_game_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "scenarios", lambda: KITCHENS)

    async def play() -> None:
        games = Games(tmp_path)
        shown = server.Demo(beat_seconds=0.0, between=0.05)
        playing = asyncio.create_task(shown.play(games))
        while not shown.token:
            await asyncio.sleep(0.01)
        first = shown.token
        game = (await games.admit(first)).game
        await game.finished.wait()
        await asyncio.sleep(0.5)
        assert shown.token == first
        assert shown.look() == first  # they still see how it ended, and then the next one
        while shown.token == first:
            await asyncio.sleep(0.01)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await games.close()

    asyncio.run(asyncio.wait_for(play(), 120))


def test_a_show_is_one_game_after_which_the_server_ends(tmp_path: Path) -> None:
    """Whoever shows it is told of the game and its page until it is over; what cannot be played ends it."""

    async def shown(scenario: str) -> tuple[server.Show, list[tuple[str, bool]], list[bool]]:
        games, seen, ended = Games(tmp_path / scenario.replace("/", "-")), [], []
        show = server.Show(
            GamePlan(scenario, stand_in="greedy"),
            lambda game, token: seen.append((token, game.over is not None)),
        )
        show.stop = lambda: ended.append(True)
        await show.play(games)
        await games.close()
        return show, seen, ended

    show, seen, ended = asyncio.run(asyncio.wait_for(shown("minecraft/level_1@steps=2"), 60))
    assert ended == [True] and show.failed is None and seen[-1][1] and not seen[0][1]
    assert len({token for token, _ in seen}) == 1 and seen[0][0]
    show, seen, ended = asyncio.run(asyncio.wait_for(shown("minecraft/level_9"), 60))
    assert ended == [True] and seen == [] and "unknown level 'level_9'" in str(show.failed)
