"""The desk as a picture: resources with what runs on them, an in-tray, a shelf of what is done."""

from __future__ import annotations

from backburner.kernel.errors import shorten
from backburner.kernel.view import Body, Click, ClickAction, Controls, Place, Progress, Scene, Thing
from backburner.worlds.desk.game.compiled import Compiled
from backburner.worlds.desk.game.state import Observation, Seen
from backburner.worlds.desk.game.text import clock
from backburner.worlds.desk.game.transition import AGENT

LONGEST_TEXT = 60
"""Of a request, in a picture."""

CONTROLS = Controls((ClickAction("check", Click("job")),))
"""A click on a job checks it."""


def scene(compiled: Compiled, seen: Observation, ends: dict[str, int]) -> Scene:
    """What somebody sees who knows this; ``ends``: when jobs end, for those who know."""
    running = [job for job in seen.jobs if job.phase == "running"]
    places: list[Place] = []
    for column, resource in enumerate(compiled.scenario.resources):
        held = [job for job in running if compiled.tool(job.job).resource == resource.name]
        stack = tuple(_thing(compiled, job, seen.minute, ends) for job in held)
        marks = (f"{resource.capacity - len(held)} of {resource.capacity} free",)
        places.append(Place(resource.name, "resource", (column, 0), marks=marks, stack=stack))
    loose = tuple(
        _thing(compiled, job, seen.minute, ends)
        for job in seen.jobs
        if job.phase == "paused" or (job in running and compiled.tool(job.job).resource is None)
    )
    asks = tuple(Thing(name, "request", marks=_asked(compiled, name)) for name in seen.open)
    done = tuple(Thing(job.job, "result") for job in seen.jobs if job.phase == "ok")
    places.append(Place("in-tray", "tray", (0, 1), stack=asks))
    places.append(Place("desk", "table", (1, 1), stack=loose))
    places.append(Place("shelf", "shelf", (2, 1), stack=done))
    since, until = seen.feedback.since, seen.busy_until
    busy = () if until is None else (Progress("busy", seen.minute - since, until - since),)
    body = Body(AGENT, "person", (1, 2), place="desk", progress=busy)
    width = max(3, len(compiled.scenario.resources))
    return Scene(width, 3, tuple(places), (body,), caption=clock(compiled, seen.minute), cards=True)


def _asked(compiled: Compiled, request: str) -> tuple[str, str]:
    own = compiled.requests[request]
    return f"by {clock(compiled, own.at + own.window)}", shorten(own.text, LONGEST_TEXT)


def _thing(compiled: Compiled, job: Seen, minute: int, ends: dict[str, int]) -> Thing:
    end = ends.get(job.job, job.most)
    if job.phase == "paused":
        return Thing(job.job, "job", marks=("asks",))
    if end is None or end <= job.since:
        return Thing(job.job, "job", marks=(f"since {clock(compiled, job.since)}",))
    full = end - job.since
    return Thing(job.job, "job", progress=(Progress("runs", min(minute - job.since, full), full),))
