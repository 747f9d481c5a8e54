"""Decisions are taken back, what runs is told, and why something cannot be done."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import backburner
from backburner.agents.person.keys import keys_of
from backburner.agents.person.policy import STRICTLY, HumanPolicy
from backburner.agents.person.reading import Reader
from backburner.agents.person.running import running_text
from backburner.agents.person.sitting import UNDO, Sitting
from backburner.kernel.assessment import Window
from backburner.kernel.claims import check
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode, EpisodeFile, read_episode
from backburner.kernel.errors import Refused
from backburner.kernel.menu import Menu
from backburner.kernel.policy import PlainPolicy, Policy, Reply, Turn
from backburner.kernel.text import Text
from backburner.kernel.turns import passing
from backburner.kernel.values import Event, Usage
from backburner.kernel.view import Place, Progress, Scene, Thing
from support.robotouille.kitchens import world_in
from support.typist import QUICK, Typist

KITCHEN = ["table bread", "stove patty", "board"]


class Counting(PlainPolicy):
    """A partner who waits, and remembers how often it was asked; ``asked``: (step, what it remembered)."""

    name = "counting"

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        self.asked.append((turn.index, memory or 0))
        option = passing(turn)
        assert option is not None
        return Reply(option.decision, (memory or 0) + 1, usage=Usage(calls=1))


def sat(
    world: World[Any, Any, Any], *lines: str, strict: bool = False, partners: dict[str, Policy] | None = None
) -> tuple[Episode, Typist]:
    """A whole game of a person who types these lines, and may take decisions back; as its file has it."""
    assert isinstance(world, Text)
    own = [seat for seat in world.seats if seat not in (partners or {})]
    typist, sitting = Typist(*lines), Sitting(world, own)
    reader = Reader(keys_of(world), world.typed, world.phrases, strict)
    human = HumanPolicy(typist, lambda: 0.0, reader, seats=own, sitting=sitting)
    players: dict[str, Policy] = {**dict.fromkeys(own, human), **(partners or {})}
    with TemporaryDirectory() as folder:
        path = Path(folder, "play.jsonl")
        with suppress(KeyboardInterrupt):
            asyncio.run(sitting.play(players, 0, EpisodeFile(path)))
        return read_episode(path), typist


def undone(episode: Episode) -> list[tuple[int, str]]:
    """(step, what was taken back before its decision)."""
    return [
        (entry.index, text)
        for entry in episode.entries
        for answer in entry.answers.values()
        for text in answer.thoughts_for(UNDO)
    ]


def test_the_record_holds_the_line_that_was_played_and_what_was_taken_back() -> None:
    """Wait, wait, take both back: what follows begins at minute 0."""
    world = backburner.world("timearena/cooking1")
    episode, typist = sat(world, "wait", "undo", "wait", "wait", "undo 2", "pick rice")
    assert [entry.answers["agent"].decision["first"] for entry in episode.entries] == ["rice"]
    assert undone(episode) == [(0, "1 decision: wait"), (0, "2 decisions: wait; wait")]
    assert episode.header.players["agent"].settings == {"play": "friendly", "undone": 3}
    assert sum(sight.first for sight in typist.shown) == 1, "the briefing is shown once"
    assert check(episode) == 1
    straight, _ = sat(world, "pick rice")
    assert episode.entries[0].digest == straight.entries[0].digest
    assert [entry.events for entry in episode.entries] == [entry.events for entry in straight.entries]


def test_what_cannot_be_taken_back_is_said() -> None:
    world = backburner.world("timearena/cooking1")
    episode, typist = sat(world, "undo", "wait", "undo 2", "undo 0", "undo x", "undo ²")
    assert len(episode.entries) == 1 and not undone(episode)
    assert typist.told[-5:] == [
        "Nothing has been decided yet that could be taken back.",
        "2 cannot be taken back: you have decided 1 time.",
        "0 cannot be taken back: you have decided 1 time.",
        *["Say how many decisions are to be taken back: undo 3"] * 2,
    ]


def test_in_strict_play_nothing_is_taken_back_or_explained() -> None:
    episode, typist = sat(backburner.world("timearena/cooking1"), "wait", "undo", "why wash pot", strict=True)
    assert len(episode.entries) == 1 and typist.told[-2:] == [STRICTLY] * 2


def test_in_the_middle_of_a_joint_turn_the_seat_before_is_asked_again() -> None:
    world = world_in(KITCHEN, robots=(0, 2), play="together")
    _, typist = sat(world, "space", "undo", "space", "space", "undo", "undo")
    assert typist.prompts == [
        "robot1> ",
        "robot2> ",
        *["robot1> ", "robot2> "],  # the first one's wait is taken back
        "robot1> ",  # the next step: the second one's wait is taken back, and not the first one's
        "robot2> ",
        "robot1> ",  # and now that one's
    ]
    assert len(typist.told) == 4, "briefing and help of both"


def test_a_partner_answers_as_before_until_the_decision_differs() -> None:
    """Robots decide at once: what the partner answered beside the decision that is taken back stands."""
    world, partner = world_in(KITCHEN, robots=(0, 2), play="together"), Counting()
    episode, _ = sat(world, "space", "space", "space", "undo 2", "B", "space", partners={"robot2": partner})
    assert partner.asked == [(0, 0), (1, 1), (2, 2), (3, 3), (2, 2), (3, 3)]
    assert undone(episode) == [(1, "2 decisions: Wait; Wait")]
    # of its answers to steps 2 and 3 the first time, the cost is told with the next ones
    assert [entry.usage["robot2"].calls for entry in episode.entries] == [1, 1, 3]
    assert check(episode) == 3


@pytest.mark.parametrize("id", QUICK)
def test_in_every_world_what_runs_is_told_and_decisions_are_taken_back(id: str) -> None:
    world = backburner.world(id)
    episode, typist = sat(world, "running", "1", "running", "undo", "1", "running")
    runs = [text for text in typist.told if text.startswith("It is ")]
    assert len(runs) == 3 and runs[1] == runs[2]
    assert len(undone(episode)) == 1 or len(world.seats) > 1
    check(episode)


BEEF = ("pick beef", "chop beef", "fry beef", "running", "why not add beef to dish")


def test_what_runs_is_told_with_its_end_and_why_something_has_to_wait() -> None:
    """To mix dough takes 12 minutes; to fry beef takes 5, and it is told when it was begun."""
    _, typist = sat(backburner.world("projects/bakery"), "start mix dough", "running")
    assert typist.told[-1] == "It is minute 2.\nmixer: mix dough, since minute 0, 2 of 12, until minute 12"
    _, typist = sat(backburner.world("timearena/cooking1"), *BEEF)
    clock, at_work = typist.told[-2].split("\n")
    assert clock == "It is minute 6." and at_work.startswith("fryer: fry beef in fryer, since minute 5")
    why = "add beef to dish: beef is in use by another action. '?' lists what can be done now."
    assert typist.told[-1] == f"{why}\n{at_work}"


def no_menu() -> Menu[Any]:
    raise Refused("no menu")


def running(events: list[Event], windows: list[Window], scene: Scene) -> list[str]:
    turn = Turn("cook", 0, 0, lambda: None, str, str, no_menu, scene=lambda: scene, time=lambda: 7)
    return running_text(events, windows, turn, "minutes").split("\n")


def test_what_runs_is_told_once_with_what_counts_towards_its_end() -> None:
    """Rice has cooked for 3 of 4 minutes since minute 4; the oven, which was opened, needs 6 more."""
    cooks, bakes, cut = Progress("cook rice", 3, 4), Progress("bake", 1, 7), Progress("cut", 1, 3)
    pot = Place("pot", "pot", (0, 0), progress=(cooks,), stack=(Thing("rice", "rice", progress=(cooks,)),))
    oven = Place("oven", "oven", (1, 0), progress=(bakes,))
    board = Place("board", "board", (2, 0), stack=(Thing("leek", "leek", progress=(cut,)),))
    events = [
        Event(0, "start", "cook", "wash", "wash"),
        Event(1, "end", "cook", "wash", "wash"),
        Event(1, "start", "oven", "bake cake", "cake"),
        Event(2, "pause", "oven", "bake cake", "cake"),
        Event(4, "start", "pot", "cook rice", "rice"),
        Event(6, "resume", "oven", "bake cake", "cake"),
    ]
    windows = [Window("hatch", "rice", 0, 9, "open"), Window("hatch", "cake", 8, 20, "open")]
    assert running(events, windows, Scene(3, 1, (pot, oven, board))) == [
        "It is minute 7.",
        "pot: cook rice, since minute 4, 3 of 4, until minute 8",
        "oven: bake cake, since minute 6, 1 of 7, until minute 13",
        "leek: cut, 1 of 3",
        "hatch: rice, in time until minute 9",  # that of the cake opens later
    ]


def test_why_names_what_has_to_be_so_first() -> None:
    world = world_in(["table lettuce", "board", "stove"])
    episode, typist = sat(world, "why not cut lettuce", "why", "why wait")
    assert typist.told[-3:] == [
        "This is not possible now: robot1 cuts lettuce1 on board1. First: lettuce1 lies on board1 itself;"
        " robot1 stands at board1. '?' lists what can be done now.",
        "Say what: why, and a line as you would type it.",
        "That can be done now: wait",
    ]
    assert not episode.entries
