"""Replaying records: the world plays the recorded decisions again and every digest must agree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from backburner.kernel import registry
from backburner.kernel.assessment import Window
from backburner.kernel.contract import World, decision_of
from backburner.kernel.episode import Answer, Entry, Episode, Header
from backburner.kernel.errors import BackburnerError, BadFile, ReplayMismatch
from backburner.kernel.values import Outcome, Seat, Step, digest
from backburner.kernel.view import Shot, View


def world_of(episode: Episode) -> World[Any, Any, Any]:
    """The world that the header describes, built from the header alone; raises ``BadFile``."""
    header = episode.header
    try:
        catalogue = registry.catalogue(header.world)
        return catalogue.restore(header.id, header.scenario, header.rules, header.limits)
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


def check(episode: Episode, world: World[Any, Any, Any] | None = None) -> int:
    """Replay and compare; returns the number of steps compared.

    Raises ``ReplayMismatch`` naming the first step whose seats, events, refusals or state differ
    from the record, or the part of the ending that does, or if the world cannot play it at all, and
    ``BadFile`` if the header does not describe a world.
    """
    world = world_of(episode) if world is None else world
    try:
        return _checked(episode, world)
    except BackburnerError:
        raise
    except Exception as error:  # a scenario or decisions that no run of ours would have recorded
        why = f"{type(error).__name__}: {error}"
        raise ReplayMismatch(f"{episode.header.id}: the world cannot play this record ({why})") from error


def _checked(episode: Episode, world: World[Any, Any, Any]) -> int:
    header = episode.header
    state = world.start(header.seed)
    _compare(header, "the scenario's digest", digest(world.scenario), header.scenario_digest)
    _compare(header, "the first state", digest(state), header.start_digest)
    for before, entry, step in trajectory(episode, world):
        where = f"step {entry.index}"
        _compare(header, f"{where}: the seats asked", sorted(world.deciders(before)), sorted(entry.answers))
        _compare(header, f"{where}: events", step.events, entry.events)
        _compare(header, f"{where}: refusals", step.refusals, entry.refusals)
        _compare(header, f"{where}: state", digest(step.state), entry.digest)
        state = step.state
    _check_ending(episode, world.outcome(state))
    return len(episode.entries)


def _check_ending(episode: Episode, outcome: Outcome) -> None:
    """A record that was stopped from outside says so; any other must end as the world does."""
    header, ending = episode.header, episode.ending
    if ending is None:
        return
    _compare(header, "the ending's steps", len(episode.entries), ending.steps)
    _compare(header, "the ending's numbers", outcome.numbers, ending.numbers)
    if ending.status in ("ended", "cut off"):
        _compare(header, "the ending", (outcome.status, outcome.reason), (ending.status, ending.reason))


def _compare(header: Header, what: str, replayed: object, recorded: object) -> None:
    if replayed != recorded:
        raise ReplayMismatch(f"{header.id}: {what}: replay gives {replayed!r}, the record holds {recorded!r}")


def decisions_in(world: World[Any, Any, Any], entry: Entry) -> dict[Seat, Any]:
    """What a recorded decision point hands to the world's ``step``."""
    return {seat: _decided(world, answer) for seat, answer in entry.answers.items()}


def _decided(world: World[Any, Any, Any], answer: Answer) -> Any:
    return decision_of(world, answer.decision) if answer.unread is None else answer.unread
