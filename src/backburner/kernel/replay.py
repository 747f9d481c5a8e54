"""Replaying records: the world plays the recorded decisions again; ``claims`` says what must come of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.activities import THINKS
from backburner.kernel.assessment import Window
from backburner.kernel.clock import TurnClock, number_of, time_of, unit_of
from backburner.kernel.contract import World
from backburner.kernel.episode import Answer, Deliberation, Entry, Episode
from backburner.kernel.errors import BackburnerError, BadFile, Refused
from backburner.kernel.timekeeping import Timekeeper
from backburner.kernel.turns import decided, would_have_said
from backburner.kernel.values import Event, Refusal, Seat, Step
from backburner.kernel.view import Shot, View


def world_of(episode: Episode) -> World[Any, Any, Any]:
    """The world that the header describes, built from the header alone; raises ``BadFile``."""
    header = episode.header
    try:
        catalogue = registry.catalogue(header.world)
        world = catalogue.restore(header.id, header.scenario, header.rules, header.limits)
        if header.clock is not None and header.clock.profiles.keys() != set(world.seats):
            raise Refused(f"its clock is that of other seats than {', '.join(world.seats)}")
        return world
    except Exception as error:  # whatever foreign data does to a world, it is the data that is bad
        why = str(error) if isinstance(error, BackburnerError | msgspec.ValidationError) else repr(error)
        raise BadFile(f"record of {header.id}", "header", why) from error


def trajectory(
    episode: Episode, world: World[Any, Any, Any] | None = None
) -> Iterator[tuple[Any, Entry, Step[Any]]]:
    """(state before, entry, step) for each recorded decision point, without comparing anything."""
    world = world_of(episode) if world is None else world
    state = world.start(episode.header.seed)
    for entry in episode.entries:
        step = world.step(state, decisions_in(world, entry))
        yield state, entry, step
        state = step.state


def decisions_in(world: World[Any, Any, Any], entry: Entry) -> dict[Seat, Any]:
    """What a recorded decision point hands to the world's ``step``."""
    return {seat: decided(world, answer) for seat, answer in entry.answers.items()}


class Question(Struct, frozen=True):
    """A seat was asked: in which state, before which step, what was refused of it before, what it was told of
    the clock, and what it answered.

    ``decided``: the index of the step in which the answer took effect, or of that in which its thought was
    ``cut``, as it took too long; then the answer is what would have been said.
    """

    seat: Seat
    index: int
    state: Any
    refused: tuple[Refusal, ...] = ()
    clock: TurnClock | None = None
    decided: int | None = None
    answer: Answer | None = None
    cut: bool = False


def questions(episode: Episode, world: World[Any, Any, Any] | None = None) -> Iterator[Question]:
    """What was asked in an episode, in order, without comparing anything; at last what nobody answered."""
    world = world_of(episode) if world is None else world
    clock, seed = episode.header.clock, episode.header.seed
    keeper = None if clock is None else Timekeeper(world, clock, seed)
    thoughts = {
        (seat, answer.thought.asked): (entry.index, answer)
        for entry in episode.entries
        for seat, answer in entry.answers.items()
        if answer.thought is not None
    }
    refused: dict[Seat, tuple[Refusal, ...]] = {}
    state = world.start(seed)
    for before, entry, step in trajectory(episode, world):
        if keeper is None:
            for seat, answer in entry.answers.items():
                yield Question(seat, entry.index, before, refused.get(seat, ()), None, entry.index, answer)
        else:
            deciders = world.deciders(before)
            for seat in keeper.to_ask(before, deciders):
                asked = Question(seat, entry.index, before, refused.get(seat, ()), keeper.turn(before, seat))
                if (found := thoughts.get((seat, entry.index))) is None:
                    yield asked
                    keeper.begin_unknown(before, seat, entry.index)
                    continue
                index, said = found
                yield replace(asked, decided=index, answer=would_have_said(said), cut=said.silent)
                if said.thought is not None:
                    keeper.begin(before, seat, said.thought)
            keeper.moment(before, deciders)
            keeper.hear(step.events)
        refused |= {seat: () for seat, answer in entry.answers.items() if not answer.silent}
        for refusal in step.refusals:  # some only once somebody else has said what came of a decision
            refused[refusal.seat] = (*refused.get(refusal.seat, ()), refusal)
        state = step.state
    index, deciders = len(episode.entries), world.deciders(state)
    for seat in deciders if keeper is None else keeper.to_ask(state, deciders):
        turn = None if keeper is None else keeper.turn(state, seat)
        yield Question(seat, index, state, refused.get(seat, ()), turn)


def story_of(episode: Episode, world: World[Any, Any, Any] | None = None) -> tuple[Event, ...]:
    """The events of an episode; under a clock with its thoughts, each a wait of its seat from where it was
    asked until its decision came, or until its time was over if that never came."""
    events, clock = tuple(episode.events()), episode.header.clock
    if clock is None:
        return events
    world = world_of(episode) if world is None else world
    times, unit = times_of(episode, world), unit_of(world)
    thoughts = [
        event
        for seat, thought, decided_at in _thoughts(episode)
        for event in _thought(seat, thought, times, decided_at, unit)
    ]
    return tuple(sorted((*events, *thoughts), key=lambda event: event.time))


def times_of(episode: Episode, world: World[Any, Any, Any] | None = None) -> list[int | float]:
    """When each step of an episode in which time passes begins, and when the last is over, in the world's
    unit."""
    world = world_of(episode) if world is None else world
    found = [time_of(world, world.start(episode.header.seed))]
    for _, _, step in trajectory(episode, world):
        found.append(time_of(world, step.state))
    return found


def _thoughts(episode: Episode) -> Iterator[tuple[Seat, Deliberation, int | None]]:
    """(seat, thought, index of the step that it led to) of each; no step of one that was cut."""
    for entry in episode.entries:
        for seat, answer in entry.answers.items():
            if answer.thought is not None:
                yield seat, answer.thought, None if answer.silent else entry.index
    if episode.ending is not None:
        for seat, thought in episode.ending.thoughts.items():
            yield seat, thought, None


def _thought(
    seat: Seat, thought: Deliberation, times: Sequence[int | float], decided_at: int | None, unit: int
) -> Iterator[Event]:
    """Begin and end of a thought in the world's unit; nothing of one that took no tick."""
    since = times[thought.asked]
    longest = min(times[-1], since + number_of(Fraction(thought.charge, unit)))
    yield from thinking(seat, thought, since, longest if decided_at is None else times[decided_at])


def thinking(seat: Seat, thought: Deliberation, since: int | float, until: int | float) -> Iterator[Event]:
    """Begin and end of a thought of which these times are known; nothing of one that took no tick."""
    if until > since:
        key = f"{THINKS} {seat} {thought.asked}"
        yield Event(since, "start", seat, THINKS, key, "wait")
        yield Event(until, "end", seat, THINKS, key, "wait")


def final_state(episode: Episode, world: World[Any, Any, Any] | None = None) -> Any:
    """The state that the recorded decisions lead to, without comparing anything."""
    world = world_of(episode) if world is None else world
    state = world.start(episode.header.seed)
    for _, _, step in trajectory(episode, world):
        state = step.state
    return state


def shots_of(episode: Episode, world: World[Any, Any, Any] | None = None) -> tuple[Shot, ...]:
    """The first scene, what a step passes through if the world tells it, and the one after each step.

    None in a world that cannot be drawn.
    """
    world = world_of(episode) if world is None else world
    if not isinstance(world, View):
        return ()
    shots = [Shot(world.scene(world.start(episode.header.seed)), 0, -1)]
    for state, entry, step in trajectory(episode, world):
        passed = world.between(state, decisions_in(world, entry))
        shots += (Shot(world.scene(moment), time, entry.index) for time, moment in passed)
        time = max((shots[-1].time, *(event.time for event in step.events)))
        shots.append(Shot(world.scene(step.state), time, entry.index))
    return tuple(shots)


def windows_of(episode: Episode, world: World[Any, Any, Any] | None = None) -> tuple[Window, ...]:
    """The windows of time of a record; none in a world that sets none. Raises as ``world_of`` does."""
    windows = registry.assessment(world_of(episode) if world is None else world).windows
    return windows(episode) if windows is not None else ()
