"""Replaying records: the world plays the recorded decisions again and every digest must agree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from backburner.kernel import registry
from backburner.kernel.contract import World
from backburner.kernel.digest import digest
from backburner.kernel.episode import Answer, Entry, Episode
from backburner.kernel.errors import BadFile, ReplayMismatch
from backburner.kernel.values import Step


def world_of(episode: Episode) -> World[Any, Any, Any]:
    """The world that the header describes, built from the header alone."""
    header = episode.header
    catalogue = registry.catalogue(header.world)
    try:
        return catalogue.restore(header.id, header.scenario, header.rules, header.limits)
    except msgspec.ValidationError as error:
        raise BadFile(f"record of {header.id}", "header", str(error)) from error


def trajectory(episode: Episode, world: World[Any, Any, Any] | None = None) -> Iterator[tuple[Any, Entry, Step[Any]]]:
    """(state before, entry, step) for each recorded decision point, without comparing anything."""
    world = world or world_of(episode)
    state = world.start(episode.header.seed)
    for entry in episode.entries:
        decisions = {seat: _decision(world, answer) for seat, answer in entry.answers.items()}
        step = world.step(state, decisions)
        yield state, entry, step
        state = step.state


def check(episode: Episode, world: World[Any, Any, Any] | None = None) -> int:
    """Replay and compare; returns the number of steps compared.

    Raises ``ReplayMismatch`` naming the first step whose state, events or refusals differ from the
    record, and ``BadFile`` if the header does not describe a world.
    """
    world = world or world_of(episode)
    name = episode.header.id
    if digest(world.scenario) != episode.header.scenario_digest:
        raise ReplayMismatch(f"{name}: the header's scenario does not have the header's digest")
    if digest(world.start(episode.header.seed)) != episode.header.start_digest:
        raise ReplayMismatch(f"{name}: the first state differs from the record")
    for _, entry, step in trajectory(episode, world):
        for what, now, then in (
            ("events", step.events, entry.events),
            ("refusals", step.refusals, entry.refusals),
            ("state", digest(step.state), entry.digest),
        ):
            if now != then:
                raise ReplayMismatch(f"{name}: step {entry.index}: {what} differ: {now!r}, recorded {then!r}")
    _check_ending(episode, world)
    return len(episode.entries)


def _check_ending(episode: Episode, world: World[Any, Any, Any]) -> None:
    if episode.ending is None:
        return
    state = world.start(episode.header.seed)
    for _, _, step in trajectory(episode, world):
        state = step.state
    numbers = world.outcome(state).numbers
    if numbers != episode.ending.numbers:
        raise ReplayMismatch(
            f"{episode.header.id}: the ending's numbers are {episode.ending.numbers}, replay gives {numbers}"
        )


def _decision(world: World[Any, Any, Any], answer: Answer) -> Any:
    if answer.unread is not None:
        return answer.unread
    try:
        return msgspec.convert(answer.decision, world.decision_type)
    except msgspec.ValidationError as error:
        raise ReplayMismatch(f"{world.id}: not a decision of this world: {error}") from error
