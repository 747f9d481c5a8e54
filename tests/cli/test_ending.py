"""The end of a play at the terminal: a lesson in a screen, and to play again from a step of it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from backburner.agents.person.sitting import UNDO
from backburner.cli.ending import costliest
from backburner.drawing.timeline import timelines_text
from backburner.evaluation.transcripts.lesson import lesson_of
from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.episode import read_episode
from backburner.kernel.play import play_now
from backburner.kernel.policy import PlanPolicy
from backburner.kernel.values import Event
from support.at_terminal import Person

# The kettle boils from 0 to 4; meanwhile the teapot is washed from 1 to 2, the cup from 2 to 5. Water is
# poured from 5 to 7, the tea steeps from 7 to 10 and is poured from 10 to 13.
WASHED = ("activate kettle", "wash teapot", "wash cup")
BREWED = ("pour kettle into teapot", "brew tea with teapot")
POUR = "pour teapot into cup"


def told(*plan: str) -> list[str]:
    policy = PlanPolicy("person", plan, informed=False)
    return list(costliest(lesson_of(play_now(registry.world("timearena/household1"), policy), seconds=60)))


def test_the_costliest_moment_is_told_in_two_lines() -> None:
    """The tea has steeped at minute 10."""
    assert told(*WASHED, *BREWED, *["wait"] * 5, POUR) == [
        "What cost the most: wait at minute 10 (steps 7 to 9): 3 minutes.",
        f"Better: {POUR}.",
    ]
    assert told(*WASHED, *BREWED, "wait", "wait", POUR) == []
    assert told(*WASHED, "quit")[0] == (
        "What cost the most: quit at minute 5 (step 3): after that not everything could be done any more."
    )


def drawn(*plays: tuple[str, list[Event]]) -> list[str]:
    console = Console(width=40, file=io.StringIO(), color_system=None)
    console.print(timelines_text(plays, width=40))
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_several_plays_share_an_axis() -> None:
    """Ten minutes and five: three cells a minute, in both."""
    slow = [Event(0, "start", "agent", "wash", "a"), Event(10, "end", "agent", "wash", "a")]
    fast = [Event(0, "start", "agent", "wash", "b"), Event(5, "end", "agent", "wash", "b")]
    assert drawn(("you:", slow), ("greedy:", fast)) == [
        "you:",
        "agent   ▐wash█████████████████████████",
        "greedy:",
        "agent   ▐wash██████████",
        "        ┬─────┬─────┬─────┬─────┬─────",
        "minutes 0     2     4     6     8",
        "        ▐█ work",
    ]


def test_of_many_lanes_those_of_bodies_are_drawn() -> None:
    events = [
        Event(0, what, lane, "runs", lane)
        for lane in ("agent", *(f"pot{number}" for number in range(12)))
        for what in ("start", "end")
    ]
    assert [line.split()[0] for line in drawn(("you:", events))[:3]] == [
        "you:",
        "agent",
        "┬─────",
    ]


ENDED, PROMPT = "that was it", "\x1b[?2004h"
"""The last line of what can be done at the end; what a terminal is told once it is asked there."""


def test_a_person_plays_again_from_a_step_and_both_records_hold(tmp_path: Path) -> None:
    """Nonsense, a step that is not there and nothing to take back are told, and asked again."""
    record = tmp_path / "play.jsonl"
    person = Person("play", "timearena/household1", "--out", str(record))
    for line in (*WASHED, *BREWED, "wait", "wait", "wait", POUR):
        person.waits_for("state  quit)")
        person.types(f"{line}\r")
    assert "What cost the most: wait at minute 10 (step 7): 1 minute." in person.waits_for(ENDED)
    for nonsense, why in (
        ("again x", ENDED),
        ("again 9", "there are steps 0 to 8"),
        ("undo 99", "99 cannot be"),
    ):
        person.types(f"{nonsense}\r")
        person.waits_for(why)
    person.types("again\r")
    person.waits_for("taken back, 2 decisions: wait; pour teapot into cup")
    person.waits_for("state  quit)")
    person.types(f"{POUR}\r")
    person.waits_for(ENDED)
    person.waits_for(PROMPT)
    person.types("\x04")
    assert person.ends() == 0, person.seen
    first, second = read_episode(record), read_episode(tmp_path / "play-2.jsonl")
    assert first.ending is not None and first.ending.numbers["minutes"] == 14
    assert second.ending is not None and second.ending.numbers["minutes"] == 13
    assert second.entries[-1].answers["agent"].thoughts_for(UNDO) == (
        "2 decisions: wait; pour teapot into cup",
    )
    assert check(first) == 9
    assert check(second) == 8


@pytest.mark.parametrize("key", ["\x03", "\x04", "\r"])
def test_the_last_prompt_ends_by_any_key_that_ends(key: str, tmp_path: Path) -> None:
    person = Person("play", "timearena/household9", "--out", str(tmp_path / "play.jsonl"))
    person.waits_for("state  quit)")
    person.types("quit\r")
    person.waits_for(ENDED)
    person.waits_for(PROMPT)
    person.types(key)
    assert person.ends() == 0, person.seen
