"""Work that goes on by itself, as activities: when it starts, pauses, goes on and ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Literal

from backburner.kernel.values import Event
from backburner.worlds.robotouille.game.engine import Engine
from backburner.worlds.robotouille.game.layout import Layout
from backburner.worlds.robotouille.game.schema import STATION
from backburner.worlds.robotouille.game.state import Job, Kitchen, Running


def jobs_of(engine: Engine, before: Iterable[Job], kitchen: Kitchen, step: int) -> tuple[Job, ...]:
    """The effects that take time and are not complete, with the keys that they have had.

    One whose condition has not held yet has not started and is no job.
    """
    if not kitchen.effects:
        return ()
    known = {engine.effects.identity(job.effect, job.args): job.key for job in before}
    layout = engine.layout(kitchen)
    jobs: list[Job] = []
    for one in kitchen.effects:
        if not engine.domain.effects[one.effect].takes_time or engine.effects.complete(layout, one):
            continue
        paused = not engine.effects.parts(layout, one.effect, one.args)[0].holds(kitchen.facts)
        label = _label(engine, layout, one)
        key = known.get(engine.effects.identity(one.effect, one.args))
        if key is None and paused:
            continue
        if key is None:
            key = _new_key(f"{label} from {step}", [*known.values(), *(job.key for job in jobs)])
        jobs.append(Job(key, label, one.effect, one.args, paused))
    return tuple(jobs)


def _new_key(key: str, taken: Sequence[str]) -> str:
    """The key, with a number if one action has started several things on one owner."""
    numbered = (f"{key} ({n})" for n in count(2))
    return key if key not in taken else next(other for other in numbered if other not in taken)


def job_events(
    engine: Engine, kitchen: Kitchen, before: Sequence[Job], after: Sequence[Job], time: int
) -> Iterator[Event]:
    """What has happened to the jobs at this time. One that pauses while its things are deleted never ends."""
    if before == after:
        return
    layout = engine.layout(kitchen)
    old, new = {job.key: job for job in before}, {job.key: job for job in after}
    for key, job in new.items():
        if key not in old:
            yield _event(layout, job, time, "start")
        elif job.paused != old[key].paused:
            yield _event(layout, job, time, "pause" if job.paused else "resume")
    for job in (job for key, job in old.items() if key not in new):
        if not job.paused:
            yield _event(layout, job, time, "end")
        elif not any(kitchen.gone >> arg & 1 for arg in job.args if arg >= 0):
            yield _event(layout, job, time, "resume")
            yield _event(layout, job, time, "end")


def _event(layout: Layout, job: Job, time: int, what: Literal["start", "pause", "resume", "end"]) -> Event:
    return Event(time, what, _lane(layout, job), job.label, job.key)


def _label(engine: Engine, layout: Layout, one: Running) -> str:
    """What a person calls it: the action that starts it, and the thing that it belongs to."""
    action = next(
        action.name
        for action in engine.domain.actions
        if any(use.effect == one.effect for use in action.uses)
    )
    owner = one.args[engine.domain.effects[one.effect].root.owner]
    return f"{action} {layout.objects[owner].name}"


def _lane(layout: Layout, job: Job) -> str:
    """The station where it goes on, or the thing itself."""
    things = [layout.objects[arg] for arg in job.args if arg >= 0]
    return next((thing.name for thing in things if thing.type == STATION), things[0].name)
