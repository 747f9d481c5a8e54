"""Who is asked when, when decisions come, and what a record proves of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from backburner.kernel.claims import check
from backburner.kernel.clock import Clock, Generated, Timing
from backburner.kernel.episode import (
    CLOCKED,
    FORMAT,
    Answer,
    Deliberation,
    Episode,
    read_episode,
    write_episode,
)
from backburner.kernel.errors import BadFile, PolicyFailure, ReplayMismatch
from backburner.kernel.play import MOST_SILENT, play_now
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.replay import questions, trajectory
from backburner.kernel.values import Seat, Usage, canonical_json, digest
from support.small_worlds.relay import READER, RUNNER, Limits, Relay, Rest

SECOND = 1_000_000


class Timely:
    """Rests, for ever, after thoughts of these tokens; waits in real time as it is told to."""

    name, informed = "timely", False

    def __init__(self, *tokens: int, answer: Any = None, waits: float = 0, latency: str = "") -> None:
        self.tokens, self.answer, self.waits = tokens, answer or Rest(), waits
        self.settings: Mapping[str, Any] = {"latency": latency} if latency else {}
        self.turns: list[Turn] = []

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        self.turns.append(turn)
        await asyncio.sleep(self.waits)
        number = int(memory or 0)
        tokens = self.tokens[number % len(self.tokens)] if self.tokens else 0
        usage = Usage(calls=1, output_tokens=tokens)
        calls = (Generated(usage, said_bytes=4),) if tokens else ()
        return Reply(self.answer, number + 1, usage=usage if tokens else None, calls=calls)


def clock(reader: str = "0", runner: str = "0", speed: str = "100", **settings: Any) -> Clock:
    return Timing(speed=speed, **settings).bound(Relay(), {READER: reader, RUNNER: runner})


def played(reader: Timely, runner: Timely, kept: Clock | None, steps: int = 40) -> Episode:
    return play_now(Relay(), {READER: reader, RUNNER: runner}, 3, max_steps=steps, clock=kept)


def decided(episode: Episode, seat: Seat) -> list[int]:
    """The times at which a seat has decided something."""
    return [
        state.time
        for state, entry, _ in trajectory(episode, Relay())
        if seat in entry.answers and not entry.answers[seat].silent
    ]


def test_two_who_think_for_two_and_three_steps() -> None:
    """Each acts for a step, is asked when that is over, and thinks again; at 11 both decide in one step."""
    episode = played(Timely(latency="2"), Timely(latency="3"), clock("2", "3"), steps=8)
    assert decided(episode, READER)[:5] == [2, 5, 8, 11, 14]
    assert decided(episode, RUNNER)[:4] == [3, 7, 11, 15]
    both = [entry for entry in episode.entries if not any(a.silent for a in entry.answers.values())]
    assert [set(entry.answers) for entry in both if len(entry.answers) == 2] == [{READER, RUNNER}]
    assert check(episode, Relay()) == len(episode.entries)


def test_small_thoughts_add_up() -> None:
    """Ten thoughts of 10 tokens at 100 a second are a second, which is a step: the tenth decision is a step
    later than without a clock; none before it, and the hundredth would be ten later."""
    kept = clock()
    episode = played(Timely(10), Timely(), kept, steps=45)
    free = played(Timely(10), Timely(), None)
    assert decided(free, READER)[:21] == list(range(21))
    assert decided(episode, READER)[:21] == [*range(9), *range(10, 20), 21, 22]


def test_without_charges_a_clock_changes_nothing_but_what_it_notes() -> None:
    timed, free = played(Timely(), Timely(), clock()), played(Timely(), Timely(), None)
    assert (timed.header.format, free.header.format) == (CLOCKED, FORMAT)
    assert [entry.digest for entry in timed.entries] == [entry.digest for entry in free.entries]
    assert [entry.events for entry in timed.entries] == [entry.events for entry in free.entries]
    for line in map(canonical_json, free.records()):
        assert b'"clock"' not in line and b'"thought"' not in line and b'"silent"' not in line


def test_when_a_call_returns_on_the_day_does_not_matter() -> None:
    quick = played(Timely(150), Timely(270), clock())
    slow = played(Timely(150, waits=0.002), Timely(270), clock())
    assert list(map(canonical_json, quick.records())) == list(map(canonical_json, slow.records()))


def test_a_record_with_a_clock_is_written_and_read_again(tmp_path: Path) -> None:
    episode = played(Timely(150), Timely(270), clock())
    write_episode(episode, tmp_path / "record.jsonl")
    read = read_episode(tmp_path / "record.jsonl")
    assert list(map(canonical_json, read.records())) == list(map(canonical_json, episode.records()))
    assert check(read, Relay()) == len(read.entries)


def test_nobody_is_asked_while_it_thinks_and_nobody_is_charged_twice() -> None:
    reader = Timely(250)
    episode = played(reader, Timely(), clock(), steps=30)
    answers = [entry.answers[READER] for entry in episode.entries if READER in entry.answers]
    thoughts = [answer.thought for answer in answers if answer.thought is not None]
    begun = len(thoughts) + len(episode.ending.thoughts if episode.ending else {})
    assert len(reader.turns) == begun
    spent = [usage for seat, usage in episode.costs() if seat == READER]
    assert sum(usage.output_tokens for usage in spent) == 250 * begun


def test_a_thought_that_play_does_not_wait_for_is_kept() -> None:
    """The door shuts after 40 steps; the reader still thinks."""
    episode = played(Timely(10_000), Timely(), clock())
    assert episode.ending is not None and episode.ending.reason == "steps"
    assert episode.ending.thoughts[READER].charge == 100 * SECOND
    assert episode.ending.usage[READER].output_tokens == 10_000
    assert check(episode, Relay()) == len(episode.entries)


def test_a_seat_is_told_how_time_passes() -> None:
    reader = Timely(250)
    played(reader, Timely(), clock(), steps=12)
    first, second, *_ = reader.turns
    assert first.briefing.startswith("Time passes while you think: about 100 tokens take a step.\n\n")
    assert not first.text.startswith("While") and first.text
    assert second.text.startswith("While you decided, 2 steps passed.\n\n")
    quiet = Timely(250)
    played(quiet, Timely(), clock(tells=False), steps=12)
    assert not quiet.turns[0].briefing.startswith("Time") and not quiet.turns[1].text.startswith("While")


def test_a_thought_that_takes_too_long_is_cut() -> None:
    """It is charged the limit, and its seat is asked anew; the third in a row is an unreadable answer."""
    endless = Timely(1000, answer="rest")
    episode = played(endless, Timely(), clock(limit="2"), steps=20)
    steps = trajectory(episode, Relay())
    reader = [(state.time, e.answers[READER]) for state, e, _ in steps if READER in e.answers]
    begun = [(time, answer.silent) for time, answer in reader if answer.thought is not None]
    assert begun[:3] == [(0, True), (2, True), (6, False)]
    assert all(answer.thought.charge == 2 * SECOND for _, answer in reader if answer.thought is not None)
    third = next(answer for _, answer in reader if not answer.silent)
    assert third.text == "" and third.unread is not None and third.thought is not None and third.thought.cut
    assert endless.turns[1].text.startswith("You thought for the longest time and had not decided.\n\n")
    assert reader[0][1].thoughts[0].text == "rest"
    assert check(episode, Relay()) == len(episode.entries)


def test_the_seconds_that_a_person_needs_are_charged_where_they_are_measured() -> None:
    class Person(Timely):
        async def decide(self, turn: Turn, memory: Any) -> Reply:
            return Reply(Rest(), usage=Usage(seconds=1.25))

    assert decided(played(Person(), Timely(), clock()), READER)[:4] == [0, 1, 2, 3]
    measured = played(Person(), Timely(), clock(speed="", mode="seconds"))
    assert decided(measured, READER)[:6] == [1, 3, 5, 8, 10, 12]  # 1.25, 2.5, 3.75, 5: the fourth takes two
    assert check(measured, Relay()) == len(measured.entries)


def test_what_was_right_when_it_was_thought_may_be_wrong_when_it_comes() -> None:
    """The reader speaks at 0; the runner, who was shown the state of 0, presses red at 3 and has to answer
    first. Whoever is informed is shown the state in which it is asked too, and nothing of what comes."""

    seen = []

    class Informed(Timely):
        informed = True

        async def decide(self, turn: Turn, memory: Any) -> Reply:
            seen.append(turn.state.time)
            return await super().decide(turn, memory)

    runner = Informed(answer="press red", latency="3")
    episode = played(Timely(answer="say red", latency="0"), runner, clock("0", "3"), steps=6)
    first = next(entry for entry in episode.entries if RUNNER in entry.decided)
    assert seen[0] == 0 and decided(episode, RUNNER)[0] == 3
    assert [(refusal.seat, refusal.code) for refusal in first.refusals] == [(RUNNER, "answer_first")]
    assert runner.turns[1].refused == first.refusals
    assert check(episode, Relay()) == len(episode.entries)


def test_a_record_tells_what_was_asked_and_what_was_told_then() -> None:
    reader = Timely(250)
    episode = played(reader, Timely(), clock(), steps=12)
    asked = [question for question in questions(episode, Relay()) if question.seat == READER]
    assert [question.index for question in asked] == [turn.index for turn in reader.turns]
    assert [question.clock for question in asked] == [turn.clock for turn in reader.turns]
    first = asked[0]
    assert first.decided is not None and episode.entries[first.decided].answers[READER] == first.answer
    free = played(Timely(), Timely(), None, steps=3)
    assert [(q.seat, q.index, q.decided) for q in questions(free, Relay())][:2] == [
        (READER, 0, 0),
        (RUNNER, 0, 0),
    ]


def test_what_would_have_been_said_after_a_thought_that_was_cut_is_told() -> None:
    episode = played(Timely(1000, answer="rest"), Timely(), clock(limit="2"), steps=20)
    cut = [q for q in questions(episode, Relay()) if q.seat == READER and q.answer is not None][:3]
    assert [(q.cut, q.answer and q.answer.text) for q in cut] == [
        (True, "rest"),
        (True, "rest"),
        (False, "rest"),
    ]


# --- every play ends, and its record is proven -----------------------------------------------------------


@pytest.mark.parametrize("steps", range(1, 12))
def test_play_may_end_in_a_thought_that_was_cut(steps: int) -> None:
    """The step that has it says so; what the ending tells is not over yet."""
    episode = played(Timely(1000, answer="rest"), Timely(), clock(limit="3"), steps=steps)
    assert check(episode, Relay()) == len(episode.entries)


class Failing(Timely):
    """Cannot answer any more when it is asked for the second time."""

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        if memory:
            raise PolicyFailure("model", "no answer")
        return await super().decide(turn, memory)


@pytest.mark.parametrize("tokens", [1000, 150], ids=["cut", "in time"])
def test_a_play_that_fails_after_a_thought_is_proven(tokens: int) -> None:
    episode = played(Failing(tokens, answer="rest"), Timely(), clock(limit="3"))
    assert episode.ending is not None and episode.ending.status == "failed"
    assert check(episode, Relay()) == len(episode.entries)


@pytest.mark.parametrize("most", range(1, 12))
def test_what_no_record_holds_has_not_happened(most: int) -> None:
    """The record is full: thoughts that would have led to the next step go on, new ones never began."""
    written: list[Any] = []

    def full(record: Any) -> None:
        written.append(record)
        if len(written) == most + 1:
            raise PolicyFailure("record", "full")

    policies = {READER: Timely(150), RUNNER: Timely(270)}
    episode = play_now(Relay(), policies, 3, clock=clock(), sink=full)
    assert episode.ending is not None and episode.ending.status == "failed"
    assert check(episode, Relay()) == len(episode.entries) == most - 1


def test_nobody_waits_for_ever_for_a_thought() -> None:
    """A token in a million seconds, and no limit of the world: play is over after so many silent steps."""

    class Fidgety(Relay):
        """A silence lasts a step at most."""

        def silence(self, state: Any, seat: Seat, ticks: int) -> Any:
            return super().silence(state, seat, 1)

    world = Fidgety(limits=Limits(steps=10**9))
    kept = Timing(speed="0.000001").bound(world)
    episode = play_now(world, {READER: Timely(10**9), RUNNER: Timely(10**9)}, 3, clock=kept)
    assert episode.ending is not None and episode.ending.status == "capped"
    assert (len(episode.entries), episode.ending.thoughts[READER].charge) == (MOST_SILENT, 10**15)


# --- what is not true is refused -------------------------------------------------------------------------


def changed(episode: Episode, index: int, seat: Seat, **fields: Any) -> Episode:
    entry = episode.entries[index]
    answer = replace(entry.answers[seat], **fields)
    entries = list(episode.entries)
    entries[index] = replace(entry, answers={**entry.answers, seat: answer})
    return replace(episode, entries=tuple(entries))


@pytest.fixture(scope="module")
def slow() -> Episode:
    return played(Timely(150), Timely(270), clock())


def first_thought(episode: Episode, seat: Seat) -> tuple[int, Deliberation]:
    return next(
        (entry.index, answer.thought)
        for entry in episode.entries
        if (answer := entry.answers.get(seat)) is not None and answer.thought is not None
    )


def test_a_charge_that_is_a_microsecond_too_low_is_noticed(slow: Episode) -> None:
    index, thought = first_thought(slow, READER)
    with pytest.raises(ReplayMismatch, match="the thought of 'reader' at step 0: its charge"):
        check(changed(slow, index, READER, thought=replace(thought, charge=thought.charge - 1)), Relay())


def test_a_decision_that_comes_too_early_is_noticed(slow: Episode) -> None:
    index, _ = first_thought(slow, READER)
    early = Answer(to_builtins(Rest()), thought=slow.entries[index].answers[READER].thought)
    with pytest.raises(ReplayMismatch):
        check(changed(slow, index - 1, READER, **to_dict(early)), Relay())


def test_a_silence_that_is_left_out_is_noticed(slow: Episode) -> None:
    entries = tuple(replace(e, index=e.index - 1) for e in slow.entries[1:])
    with pytest.raises(ReplayMismatch):
        check(replace(slow, entries=entries), Relay())


def test_a_speed_that_is_called_otherwise_is_noticed(slow: Episode) -> None:
    kept = slow.header.clock
    assert kept is not None
    for name, why in (
        ("99", "the speed of 'reader', 99"),
        ("99/beet", "no 'beet' for a speed"),
        ("100/step", ""),
    ):
        slower = {seat: replace(profile, name=name) for seat, profile in kept.profiles.items()}
        forged = replace(slow, header=replace(slow.header, clock=replace(kept, profiles=slower)))
        if not why:  # a step is a second here
            assert check(forged, Relay()) == len(slow.entries)
            continue
        with pytest.raises(ReplayMismatch, match=why):
            check(forged, Relay())


def test_another_profile_is_noticed(slow: Episode) -> None:
    kept = slow.header.clock
    assert kept is not None
    faster = {seat: replace(profile, name="", decode="101") for seat, profile in kept.profiles.items()}
    header = replace(slow.header, clock=replace(kept, profiles=faster))
    with pytest.raises(ReplayMismatch, match="its charge"):
        check(replace(slow, header=header), Relay())


def test_calls_that_change_their_seats_are_noticed(slow: Episode) -> None:
    index, thought = first_thought(slow, READER)
    _, other = first_thought(slow, RUNNER)
    with pytest.raises(ReplayMismatch, match="its charge"):
        check(changed(slow, index, READER, thought=replace(thought, calls=other.calls)), Relay())


def test_a_latency_that_the_players_do_not_have_is_noticed() -> None:
    episode = played(Timely(latency="2"), Timely(), clock("2"))
    player = replace(episode.header.players[READER], settings={"latency": "3"})
    header = replace(episode.header, players={**episode.header.players, READER: player})
    with pytest.raises(ReplayMismatch, match="the latency of 'reader'"):
        check(replace(episode, header=header), Relay())


def test_thoughts_without_a_clock_are_noticed(slow: Episode) -> None:
    header = replace(slow.header, clock=None, format=FORMAT)
    with pytest.raises(ReplayMismatch, match="it has no clock"):
        check(replace(slow, header=header), Relay())


def test_a_record_that_was_cut_is_checked_as_far_as_it_goes(slow: Episode) -> None:
    for number in range(len(slow.entries)):
        cut = replace(slow, entries=slow.entries[:number], ending=None)
        assert check(cut, Relay()) == number


def test_after_a_third_thought_that_was_cut_nothing_is_decided() -> None:
    """The runner, who says nothing in words, rests in truth; a record says that the reader did too."""
    episode = played(Timely(1000, answer="rest"), Timely(), clock(limit="2"), steps=20)
    third = next(e for e in episode.entries if READER in e.answers and not e.answers[READER].silent)
    forged = changed(episode, third.index, READER, text=None, unread=None, decision=to_builtins(Rest()))
    with pytest.raises(ReplayMismatch):
        check(forged, Relay())
    cut = replace(forged, entries=forged.entries[: third.index + 1], ending=None)
    clean = replay_of(cut)
    with pytest.raises(ReplayMismatch, match="the answer of 'reader', cut off"):
        check(clean, Relay())


def test_where_a_record_breaks_off_nobody_decides_in_silence() -> None:
    """Both think for long, and no line says so; yet what they do meanwhile must be a silence."""
    episode = played(Timely(1000), Timely(1000), clock(), steps=3)
    broken = replace(episode, entries=episode.entries[:1], ending=None)
    silent = {seat: replace(answer, thought=None) for seat, answer in broken.entries[0].answers.items()}
    assert all(answer.silent for answer in silent.values())
    assert check(broken, Relay()) == 1
    resting = Answer(to_builtins(Rest()), silent=True)
    forged = replace(broken, entries=(replace(broken.entries[0], answers={**silent, READER: resting}),))
    with pytest.raises(ReplayMismatch, match="the answer of 'reader': its silence"):
        check(replay_of(forged), Relay())


def replay_of(episode: Episode) -> Episode:
    """The record with the events, refusals and states that its decisions lead to."""
    entries = tuple(
        replace(entry, events=step.events, refusals=step.refusals, digest=digest(step.state))
        for _, entry, step in trajectory(episode, Relay())
    )
    return replace(episode, entries=entries)


@pytest.mark.parametrize("asked", [40, 10**14])
def test_a_thought_that_begins_after_its_step_is_no_record(slow: Episode, tmp_path: Path, asked: int) -> None:
    index, thought = first_thought(slow, READER)
    forged = changed(slow, index, READER, thought=replace(thought, asked=asked))
    write_episode(forged, tmp_path / "record.jsonl")
    with pytest.raises(BadFile, match="begins in a later step"):
        read_episode(tmp_path / "record.jsonl")


def to_dict(answer: Answer) -> dict[str, Any]:
    return {name: getattr(answer, name) for name in answer.__struct_fields__}
