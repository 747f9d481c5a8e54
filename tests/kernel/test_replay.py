"""Replay: a record agrees with its world, in any process; a record that was tampered with does not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.claims import check, verify
from backburner.kernel.episode import Answer, Episode, Player, encode_line, read_episode, write_episode
from backburner.kernel.errors import BadFile, ReplayMismatch
from backburner.kernel.play import play_now
from backburner.kernel.replay import trajectory, world_of
from backburner.kernel.values import Event, Thought, Usage
from support.policies import Answers, FirstOnMenu
from support.small_worlds.relay import READER, RUNNER, Limits, Relay, Rest

WORLD = Relay(Limits(steps=6))


@pytest.fixture(scope="module")
def episode(tmp_path_factory: pytest.TempPathFactory) -> Episode:
    """The reader talks, and is not understood once; the runner presses, nods and presses again."""
    policies = {
        READER: Answers("say red", "what?", "rest"),
        RUNNER: Answers("press red", "nod", "press blue", "rest"),
    }
    file = tmp_path_factory.mktemp("played") / "episode.jsonl"
    write_episode(play_now(WORLD, policies, seed=2), file)
    return read_episode(file)


def test_a_record_agrees_with_its_world(episode: Episode) -> None:
    assert check(episode, WORLD) == len(episode.entries) > 3


def test_a_record_in_memory_agrees_as_well() -> None:
    played = play_now(WORLD, Answers(Rest()))
    assert check(played, WORLD) == 6


def test_a_record_needs_nothing_but_its_file(tmp_path: Path) -> None:
    world = registry.world("timearena/cooking1", rules="released", limits="none")
    played = play_now(world, FirstOnMenu(), max_steps=30)
    write_episode(played, tmp_path / "episode.jsonl")
    read = read_episode(tmp_path / "episode.jsonl")
    assert check(read) == len(played.entries)
    again = world_of(read)
    assert (again.id, again.scenario, again.rules, again.limits) == (
        world.id,
        world.scenario,
        world.rules,
        world.limits,
    )


def test_a_half_written_record_is_replayed_as_far_as_it_goes(episode: Episode) -> None:
    half = replace(episode, entries=episode.entries[:2], ending=None)
    assert check(half, WORLD) == 2


STOPPED = [("failed", "model"), ("stopped", "enough"), ("interrupted", "interrupted"), ("capped", "2 steps")]


@pytest.mark.parametrize(("status", "reason"), STOPPED)
def test_a_record_that_was_stopped_from_outside_may_stop_anywhere(status: Any, reason: str) -> None:
    played = play_now(WORLD, Answers(Rest()), max_steps=2)
    assert check(ending(status=status, reason=reason)(played), WORLD) == 2


@pytest.mark.parametrize(("status", "reason"), STOPPED[:2])
def test_a_play_that_was_over_was_not_stopped_from_outside(
    episode: Episode, status: Any, reason: str
) -> None:
    with pytest.raises(ReplayMismatch, match=f"the ending: '{status}', of a play that was over"):
        check(ending(status=status, reason=reason)(episode), WORLD)


def test_answers_that_are_no_decision_replay_too() -> None:
    played = play_now(WORLD, Answers(7, {"do": "fly"}, "???", None))
    assert sum(len(entry.refusals) for entry in played.entries) > 0
    assert check(played, WORLD) == len(played.entries)


def test_a_trajectory_is_the_states_and_steps_of_the_play(episode: Episode) -> None:
    steps = list(trajectory(episode, WORLD))
    assert steps[0][0] == WORLD.start(2)
    assert [recorded for _, recorded, _ in steps] == list(episode.entries)
    assert [later for later, *_ in steps[1:]] == [step.state for *_, step in steps[:-1]]


# --- tampering ---------------------------------------------------------------------------------------


def entry(number: int, **changes: Any) -> Callable[[Episode], Episode]:
    """Change fields of a step."""

    def tamper(episode: Episode) -> Episode:
        steps = list(episode.entries)
        steps[number] = replace(steps[number], **changes)
        return replace(episode, entries=tuple(steps))

    return tamper


def ending(**changes: Any) -> Callable[[Episode], Episode]:
    return lambda episode: replace(episode, ending=replace(episode.ending, **changes))


def header(**changes: Any) -> Callable[[Episode], Episode]:
    return lambda episode: replace(episode, header=replace(episode.header, **changes))


def answer(number: int, seat: str, decision: Any) -> Callable[[Episode], Episode]:
    """Change what a seat decided at a step."""

    def tamper(episode: Episode) -> Episode:
        answers = episode.entries[number].answers | {seat: Answer(decision)}
        return entry(number, answers=answers)(episode)

    return tamper


def words(number: int, seat: str, text: str) -> Callable[[Episode], Episode]:
    """Change the text that a seat answered with."""

    def tamper(episode: Episode) -> Episode:
        answers = episode.entries[number].answers
        return entry(number, answers=answers | {seat: replace(answers[seat], text=text)})(episode)

    return tamper


def without_its_last_step(episode: Episode) -> Episode:
    return replace(episode, entries=episode.entries[:-1])


TAMPERED: dict[str, tuple[Callable[[Episode], Episode], str]] = {
    "a digest": (entry(1, digest="0" * 16), "step 1: state"),
    "a decision": (answer(0, RUNNER, {"do": "press", "colour": "blue"}), "step 0: events"),
    "no decision": (answer(0, RUNNER, {"do": "fly"}), "step 0: events"),
    "an event": (entry(2, events=(Event(0, "said", READER, "blue"),)), "step 2: events"),
    "an event left out": (entry(0, events=()), "step 0: events"),
    "a refusal left out": (entry(1, refusals=()), "step 1: refusals"),
    "a refusal of another": (
        lambda episode: entry(
            1, refusals=tuple(replace(r, seat=RUNNER) for r in episode.entries[1].refusals)
        )(episode),
        "step 1: refusals",
    ),
    "a seat left out": (entry(0, answers={READER: Answer({"do": "rest"})}), "step 0: the seats asked"),
    "a seat too many": (answer(1, "porter", {"do": "rest"}), "step 1: the seats asked"),
    "numbers": (ending(numbers={"steps": 6, "open": 1}), "the ending's numbers"),
    "a count of steps": (ending(steps=99), "the ending's steps"),
    "how it ended": (ending(status="ended"), "the ending:"),
    "why it ended": (ending(reason="open"), "the ending:"),
    "the cap that ended it": (ending(status="capped", reason="9 steps"), "the ending"),
    "an error that did not end it": (ending(error="no such server"), "the ending: it tells an error"),
    "no ending": (
        lambda episode: replace(episode, ending=None),
        "the ending: the play is over",
    ),
    "a version that is not yet": (header(world_version=99), "the world's version: version 99 of the world"),
    "a version that never was": (header(world_version=0), "the world's version"),
    "the unit of time": (header(time_unit="years"), "the unit of time"),
    "the seats": (header(seats=(RUNNER, READER)), "the seats"),
    "a player left out": (header(players={}), "the players' seats"),
    "a field of the scenario": (
        lambda episode: header(scenario=episode.header.scenario | {"more": 1})(episode),
        "the scenario: more is not what was read",
    ),
    "the rules": (header(rules={"name": "other"}), "the rules: name is not what was read"),
    "the limits": (header(limits={"steps": 7}), "the limits: steps is not what was read"),
    "a text": (words(0, RUNNER, "press blue"), "step 0: the answer of 'runner': its text reads as"),
    "a text that cannot be read": (
        words(0, RUNNER, "hm"),
        "step 0: the answer of 'runner': its text reads as",
    ),
    "a refusal that was none": (
        words(1, READER, "rest"),
        "step 1: the answer of 'reader': its text reads as",
    ),
    "a decision that was not read": (
        lambda episode: entry(
            1,
            answers={
                seat: replace(given, decision={"do": "rest"}) if given.unread else given
                for seat, given in episode.entries[1].answers.items()
            },
        )(episode),
        "step 1: the answer of 'reader': it has a decision, and was not read",
    ),
    "a decision with something more": (
        answer(0, RUNNER, {"do": "press", "colour": "red", "gladly": True}),
        "step 0: the answer of 'runner': the decision holds gladly no world reads",
    ),
    "costs of somebody else": (
        entry(0, usage={"porter": Usage(seconds=1)}),
        "step 0: porter spent something",
    ),
    "the last step": (without_its_last_step, "the ending's steps"),
    "the seed": (header(seed=3), "the first state"),
    "the first digest": (header(start_digest="0" * 16), "the first state"),
    "the scenario's digest": (header(scenario_digest="0" * 16), "the scenario's digest"),
}


@pytest.mark.parametrize(("tamper", "message"), TAMPERED.values(), ids=TAMPERED)
def test_tampering_is_found_where_it_was_done(
    episode: Episode, tamper: Callable[[Episode], Episode], message: str
) -> None:
    assert [refusal.seat for refusal in episode.entries[1].refusals] == [READER]
    with pytest.raises(ReplayMismatch, match=f"^relay/door: {message}"):
        check(tamper(episode), WORLD)


def test_a_record_that_the_world_cannot_play_is_told_in_one_line(
    episode: Episode, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as one with a scenario that no file could have given: a fault of the record, no traceback."""

    def broken(self: object, state: object, decisions: object) -> None:
        raise IndexError("list index out of range")

    monkeypatch.setattr(type(WORLD), "step", broken)
    message = "^relay/door: the world cannot play this record .IndexError: list index out of range.$"
    with pytest.raises(ReplayMismatch, match=message):
        check(episode, WORLD)


def test_an_ending_cannot_be_claimed_for_a_record_that_was_cut() -> None:
    """Two steps of resting, said to have ended by the limit of six."""
    played = play_now(WORLD, Answers(Rest()), max_steps=2)
    claimed = ending(status="cut off", reason="steps")(played)
    with pytest.raises(ReplayMismatch, match=r"the ending: .*running"):
        check(claimed, WORLD)


def test_costs_thoughts_and_names_are_claimed(episode: Episode) -> None:
    first = episode.entries[0]
    answers = {
        seat: replace(given, thoughts=(Thought("plan", "hm"),), text=f" {given.text}")
        for seat, given in first.answers.items()
    }
    other = entry(0, answers=answers, usage={READER: Usage(seconds=3.5, calls=1)})(episode)
    players = {seat: Player("somebody else") for seat in episode.header.players}
    verdict = verify(header(version="99", players=players)(other), WORLD)
    assert verdict.steps == len(episode.entries) and verdict.finished
    parts = {fact.part for fact in verdict.claimed}
    assert {"header.version", "header.players", "steps.answers.thoughts", "steps.spent"} <= parts
    assert {"steps", "steps.answers.decision", "ending.status"} <= {fact.part for fact in verdict.verified}


def test_what_an_older_world_read_otherwise_is_claimed_and_of_the_present_one_is_an_error(
    episode: Episode, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = episode.entries[0].answers
    other = entry(0, answers=answers | {READER: replace(answers[READER], text="say blue")})(episode)
    with pytest.raises(ReplayMismatch, match="its text reads as"):
        verify(other, WORLD)
    monkeypatch.setattr(Relay, "version", WORLD.version + 1)
    claimed = {fact.part: fact.why for fact in verify(other, WORLD).claimed}
    assert "the world has changed since" in claimed["steps.answers.decision"]
    assert "it was played again" in claimed["header.world_version"]


def test_a_header_of_another_world_is_refused(episode: Episode) -> None:
    with pytest.raises(BadFile, match="unknown world 'relay'"):
        check(episode)


@pytest.mark.parametrize("part", ["scenario", "rules", "limits"])
def test_a_header_that_does_not_describe_its_world_is_refused(part: str) -> None:
    played = play_now(registry.world("timearena/cooking1"), FirstOnMenu(), max_steps=1)
    with pytest.raises(BadFile, match=r"record of timearena/cooking1: header: .*nonsense"):
        check(header(**{part: {"nonsense": 1}})(played))


# --- other processes ---------------------------------------------------------------------------------

PLAY = """
import sys
from backburner.kernel.episode import encode_line
from backburner.kernel.play import play_now
from support.policies import FirstOnMenu
from support.small_worlds.relay import Relay
from backburner.kernel import registry
for world in (Relay(), registry.world("timearena/cooking1+lab2")):
    for record in play_now(world, FirstOnMenu(), 1).records():
        sys.stdout.buffer.write(encode_line(record))
"""


def test_records_are_the_same_in_every_process() -> None:
    """Also where strings hash differently, so that sets are walked in another order."""
    tests = Path(__file__).parents[1]
    written = set()
    for hash_seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(tests)}
        run = subprocess.run([sys.executable, "-c", PLAY], env=environment, capture_output=True, check=True)
        written.add(run.stdout)
    played = (
        play_now(world, FirstOnMenu(), 1) for world in (Relay(), registry.world("timearena/cooking1+lab2"))
    )
    here = b"".join(encode_line(record) for episode in played for record in episode.records())
    assert written == {here}
