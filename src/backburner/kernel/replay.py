"""Replaying records: the world plays the recorded decisions again; ``claims`` says what must come of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from backburner.kernel import registry
from backburner.kernel.assessment import Window
from backburner.kernel.contract import World
from backburner.kernel.episode import Entry, Episode
from backburner.kernel.errors import BackburnerError, BadFile
from backburner.kernel.turns import decided
from backburner.kernel.values import Seat, Step
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


def decisions_in(world: World[Any, Any, Any], entry: Entry) -> dict[Seat, Any]:
    """What a recorded decision point hands to the world's ``step``."""
    return {seat: decided(world, answer) for seat, answer in entry.answers.items()}


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
