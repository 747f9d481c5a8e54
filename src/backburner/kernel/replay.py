"""Replaying records: the world plays the recorded decisions again, and must give what they hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from backburner.kernel import registry
from backburner.kernel.assessment import Window
from backburner.kernel.claims import Facts, Verdict, facts_of, unread
from backburner.kernel.contract import World, decision_of
from backburner.kernel.episode import Answer, Entry, Episode
from backburner.kernel.errors import BackburnerError, BadFile, ReplayMismatch, shorten
from backburner.kernel.text import Text
from backburner.kernel.values import Refusal, Seat, Step, digest
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


# --- checking -------------------------------------------------------------------------------------------


def check(episode: Episode, world: World[Any, Any, Any] | None = None) -> int:
    """``verify``, for those who want no more than the number of steps compared."""
    return verify(episode, world).steps


def verify(episode: Episode, world: World[Any, Any, Any] | None = None) -> Verdict:
    """Derive again what can be, and say of everything else that it is claimed.

    Raises ``ReplayMismatch`` naming the first part of header, steps or ending that is not what the world
    gives, or if the world cannot play the record at all, and ``BadFile`` if the header does not describe a
    world.
    """
    world = world_of(episode) if world is None else world
    try:
        return _verified(episode, world)
    except BackburnerError:
        raise
    except Exception as error:  # a scenario or decisions that no run of ours would have recorded
        why = f"{type(error).__name__}: {error}"
        raise ReplayMismatch(f"{episode.header.id}: the world cannot play this record ({why})") from error


def _verified(episode: Episode, world: World[Any, Any, Any]) -> Verdict:
    facts = facts_of(episode.header, world)
    state = world.start(episode.header.seed)
    for before, entry, step in trajectory(episode, world):
        where = f"step {entry.index}"
        facts.compare(f"{where}: the seats asked", sorted(world.deciders(before)), sorted(entry.answers))
        facts.compare(f"{where}: events", step.events, entry.events)
        facts.compare(f"{where}: refusals", step.refusals, entry.refusals)
        facts.compare(f"{where}: state", digest(step.state), entry.digest)
        if others := set(entry.usage) - set(entry.answers):
            raise facts.wrong(where, f"{', '.join(sorted(others))} spent something and was not asked")
        for seat, answer in entry.answers.items():
            _check_answer(facts, world, before, seat, answer, where)
        state = step.state
    facts.verify("steps", "who was asked, events, refusals and states: the world gives the same again")
    _claim_of_steps(facts, episode)
    _check_ending(facts, episode, world, state)
    return Verdict(len(episode.entries), episode.finished, tuple(facts.verified), tuple(facts.claimed))


def _check_answer(
    facts: Facts, world: World[Any, Any, Any], state: Any, seat: Seat, answer: Answer, where: str
) -> None:
    """A recorded text reads as the recorded decision or refusal, and nothing stands beside it."""
    what = f"{where}: the answer of {seat!r}"
    decision = decision_of(world, answer.decision)
    if answer.unread is not None:
        if answer.decision is not None:
            raise facts.wrong(what, "it has a decision, and was not read")
    elif (place := unread(answer.decision, decision)) is not None:
        raise facts.wrong(what, f"the decision holds {place or 'what'} no world reads")
    elif (missing := unread(decision, answer.decision)) is not None:
        facts.claim("steps.answers.decision", f"somewhere no {missing} stands; it is taken as usual")
    if answer.text is None:
        return
    if not isinstance(world, Text):
        raise facts.wrong(what, "it is a text, and this world has no words")
    read = world.parse(state, seat, answer.text)
    recorded = decision if answer.unread is None else answer.unread
    if _spelt(read) != _spelt(recorded) or isinstance(read, Refusal) != isinstance(recorded, Refusal):
        why = f"its text reads as {shorten(repr(read), 300)}, the record holds {shorten(repr(recorded), 300)}"
        facts.differs("steps.answers.decision", what, why)


_spelt = msgspec.json.Encoder(order="sorted").encode


def _claim_of_steps(facts: Facts, episode: Episode) -> None:
    answers = [answer for entry in episode.entries for answer in entry.answers.values()]
    if any(answer.text is not None for answer in answers):
        facts.verify("steps.answers.decision", "each text reads as the decision, or refusal, beside it")
    if any(answer.text is None for answer in answers):
        why = "those given without words, as far as others would have done the same"
        facts.claim("steps.answers.decision", why)
    if answers:
        facts.claim(
            "steps.answers.text", "the words, as far as others would read alike; or that there were none"
        )
    if any(answer.thoughts for answer in answers):
        facts.claim("steps.answers.thoughts", "what was thought before answering")
    if any(episode.costs()):
        facts.claim("steps.spent", "what answers cost: seconds, calls, tokens")


def _check_ending(facts: Facts, episode: Episode, world: World[Any, Any, Any], state: Any) -> None:
    """A record that was stopped from outside says so, of a play that was not over; any other must end as the
    world does."""
    ending, over, outcome = episode.ending, not world.deciders(state), world.outcome(state)
    if ending is None:
        if over:
            raise facts.wrong("the ending", "the play is over, and the line that says so is not there")
        facts.claim("ending", "there is none: play was not over, or the record was cut")
        return
    facts.compare("the ending's steps", len(episode.entries), ending.steps)
    facts.compare("the ending's numbers", outcome.numbers, ending.numbers)
    facts.verify("ending.numbers", "those of the world after the last step")
    if ending.status in ("ended", "cut off"):
        facts.compare("the ending", (outcome.status, outcome.reason), (ending.status, ending.reason))
        facts.verify("ending.status", f"the play {outcome.status}: {outcome.reason}")
    else:
        if over and ending.status != "interrupted":
            raise facts.wrong("the ending", f"{ending.status!r}, of a play that was over")
        facts.claim("ending.status", f"somebody or something stopped the play ({ending.status}), and why")
    said = {"capped": f"{ending.steps} steps", "interrupted": "interrupted"}
    facts.compare("the ending's reason", said.get(ending.status, ending.reason), ending.reason)
    if ending.error and ending.status != "failed" and not ending.overflowed:
        raise facts.wrong("the ending", f"it tells an error, and is called {ending.status!r}")


# --- what was decided -----------------------------------------------------------------------------------


def decisions_in(world: World[Any, Any, Any], entry: Entry) -> dict[Seat, Any]:
    """What a recorded decision point hands to the world's ``step``."""
    return {seat: _decided(world, answer) for seat, answer in entry.answers.items()}


def _decided(world: World[Any, Any, Any], answer: Answer) -> Any:
    return decision_of(world, answer.decision) if answer.unread is None else answer.unread
