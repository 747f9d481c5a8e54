"""TimeArena as a board: each thing with what has become of it, and the work that is going on with it."""

from __future__ import annotations

from msgspec import UNSET

from backburner.kernel.view import Place, Progress, Scene
from backburner.worlds.timearena.game.compiled import Item
from backburner.worlds.timearena.game.legality import Legality
from backburner.worlds.timearena.game.state import Running, State

COLUMNS = 5
IN_USE = "in use"


def scene(legality: Legality, state: State, *, told: bool) -> Scene:
    """All things; ``told``: as the agent has been told of them.

    Its briefing names how they begin, reports what they become, and the start of an action how long that
    takes. It is not told that the world's clock lags behind its own: it knows what is in use, and no more.
    """
    compiled = legality.compiled
    untold = set(state.untold or ()) if told and state.untold is not UNSET else set()
    lags = told and (state.lost_minutes != 0 or state.driver is not UNSET)
    running = {name: one for one in state.running for name in legality.attempts[one.act].names}

    def place(index: int, item: Item) -> Place:
        one = running.get(item.name)
        progress = () if one is None or lags else (_progress(legality, state, one),)
        marks = [mark for mark in _marks(legality, state, item) if (item.name, mark) not in untold]
        first = item.thing.roles[0].before if item.thing.roles else None
        shown = marks or ([first] if first else [])
        return Place(
            item.name,
            item.base,
            divmod(index, COLUMNS)[::-1],
            marks=(*shown, IN_USE) if one is not None and lags else tuple(shown),
            progress=progress,
        )

    places = tuple(place(index, item) for index, item in enumerate(compiled.items))
    return Scene(COLUMNS, -(-len(places) // COLUMNS), places, cards=True)


def _marks(legality: Legality, state: State, item: Item) -> list[str]:
    """What the thing has become, the last of it last."""
    roles = (role for role in legality.compiled.roles if role.item.name == item.name)
    return [role.role.after for role in roles if role.bit & state.finished and role.role.after]


def _progress(legality: Legality, state: State, one: Running) -> Progress:
    attempt = legality.attempts[one.act]
    left = one.ends - (state.minute - state.lost_minutes)
    return Progress(attempt.words, max(0, min(attempt.duration - left, attempt.duration)), attempt.duration)
