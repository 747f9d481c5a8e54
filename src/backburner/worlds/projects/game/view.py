"""The project as a picture: resources with what runs on them, what is to be done, and what is done."""

from __future__ import annotations

from collections import defaultdict

from backburner.kernel.view import Body, Click, ClickAction, Controls, Place, Progress, Scene, Thing
from backburner.worlds.projects.game.legality import Legality
from backburner.worlds.projects.game.state import AGENT, State

CONTROLS = Controls((ClickAction("start", Click("activity")),))
"""A click on an activity starts it."""

TO_DO, AT_WORK, DONE = "to do ", "at work ", "done "
"""Places that no resource is called like: no name ends with a blank."""


def scene(legality: Legality, state: State) -> Scene:
    """Everything, as all of it is known."""
    lies: dict[str, list[Thing]] = defaultdict(list)
    for index, (activity, work) in enumerate(zip(legality.activities, state.works, strict=True)):
        full = activity.duration
        gone = full - work.left - max(0, work.end - state.time)
        progress = (Progress("runs", gone, full, paused=not state.runs(index)),) if 0 < gone < full else ()
        at = (*activity.resources, AT_WORK)[0] if state.runs(index) else TO_DO if work.is_open else DONE
        lies[at].append(Thing(activity.name, "activity", progress=progress))
    names = [*legality.capacity, TO_DO, AT_WORK, DONE]
    n_columns = max(3, len(legality.capacity))
    places = [
        Place(
            name,
            "resource" if name in legality.capacity else "table",
            divmod(number, n_columns)[::-1] if name in legality.capacity else (number - len(names) + 3, 1),
            stack=tuple(lies[name]),
        )
        for number, name in enumerate(names)
    ]
    body = Body(AGENT, "person", (1, 2), place=AT_WORK)
    caption = f"{legality.problem.unit.removesuffix('s')} {state.time}"
    return Scene(n_columns, 3, tuple(places), (body,), caption=caption, cards=True)
