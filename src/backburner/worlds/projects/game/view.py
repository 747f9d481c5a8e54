"""The project as a picture: resources with what runs on them, what is to be done, and what is done."""

from __future__ import annotations

from backburner.kernel.view import Body, Click, ClickAction, Controls, Place, Progress, Scene, Thing
from backburner.worlds.projects.game.legality import Legality
from backburner.worlds.projects.game.state import AGENT, State
from backburner.worlds.projects.game.transition import lane_of

CONTROLS = Controls((ClickAction("start", Click("activity")),))
"""A click on an activity starts it."""


def scene(legality: Legality, state: State) -> Scene:
    """Everything, as all of it is known."""
    held: dict[str, list[Thing]] = {resource.name: [] for resource in legality.problem.resources}
    loose: list[Thing] = []
    tray: list[Thing] = []
    done: list[Thing] = []
    for index, (activity, work) in enumerate(zip(legality.activities, state.works, strict=True)):
        if state.runs(index):
            gone = activity.duration - work.left - (work.end - state.time)
            runs = Progress("runs", gone, activity.duration)
            thing = Thing(activity.name, "activity", progress=(runs,))
            at = activity.resources[0] if activity.resources else lane_of(activity)
            held.get(at, loose).append(thing)
        elif work.is_open:
            marks = () if work.start < 0 else (f"{activity.duration - work.left} of {activity.duration}",)
            tray.append(Thing(activity.name, "activity", marks=marks))
        else:
            done.append(Thing(activity.name, "result"))
    places = [
        Place(name, "resource", (column, 0), marks=(_free(legality, state, name),), stack=tuple(things))
        for column, (name, things) in enumerate(held.items())
    ]
    rows = (("to do", "tray", tray), ("at work", "table", loose), ("done", "shelf", done))
    places += [
        Place(_other(name, held), kind, (column, 1), stack=tuple(things))
        for column, (name, kind, things) in enumerate(rows)
    ]
    body = Body(AGENT, "person", (1, 2), place=places[-2].name)
    caption = f"{legality.problem.unit.removesuffix('s')} {state.time}"
    return Scene(max(3, len(held)), 3, tuple(places), (body,), caption=caption)


def _free(legality: Legality, state: State, name: str) -> str:
    running = [user for user in legality.users[name] if state.runs(user)]
    in_use = sum(legality.activities[user].resources.count(name) for user in running)
    capacity = legality.capacity[name]
    return f"{max(0, capacity - in_use)} of {capacity} free"


def _other(name: str, taken: dict[str, list[Thing]]) -> str:
    """A name for a place that no resource has."""
    while name in taken:
        name += "."
    return name
