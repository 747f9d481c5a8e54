"""An example of play in words, with thoughts, for a prompt: a world's demonstration, played well.

The thoughts are made from what is known: what is under way, what is waited for, what the plan has next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from msgspec import Struct

from backburner.agents.models.changes import changes
from backburner.agents.models.demonstrated import Demonstration, demonstrated
from backburner.kernel.contract import Legal, Menu, World
from backburner.kernel.demonstrating import Demonstrable
from backburner.kernel.errors import Refused
from backburner.kernel.planning import bare
from backburner.kernel.replay import decisions_in, trajectory
from backburner.kernel.values import Seat


class Shown(Struct, frozen=True):
    """One decision of the example: what the seat was told, what it answered and why, what changed then.

    ``left``: what the plan has from here on, this decision first. ``changes`` are lines of the
    description; see ``changes``.
    """

    text: str
    thought: str
    decision: str
    left: tuple[str, ...]
    changes: tuple[str, ...]


Example = tuple[Shown, ...]


async def example_for(world: World[Any, Any, Any], seat: Seat) -> Example:
    """The example that is shown to a seat of this world.

    Raises ``Refused`` in a world that has none.
    """
    found = await demonstrated(world, seat)
    if found is None:
        raise Refused(no_example(world))
    return _in_words(found)


def no_example(world: World[Any, Any, Any]) -> str:
    """Why a world has no example to show; empty if it has one."""
    if not isinstance(world, Demonstrable):
        return "examples=1 needs a world that names a training scenario"
    try:
        for seat in world.seats:
            world.demonstration(seat)
    except Refused as refusal:
        return f"{refusal}; choose examples=0"
    return ""


def changes_between(world: World[Any, Any, Any], before: Any, after: Any, seat: Seat) -> tuple[str, ...]:
    """What changed in a seat's description between two states; what it can do then is no part of it."""
    menus = (_menu(world, state, seat) for state in (before, after))
    listed = [option.label for menu in menus for option in menu.options]
    return changes(_told(world, before, seat), _told(world, after, seat), listed)


@lru_cache(maxsize=64)  # wanted for every call
def _in_words(played: Demonstration) -> Example:
    world, seat = played.world, played.seat
    steps = [
        (state, decisions_in(world, entry)[seat], step.state)
        for state, entry, step in trajectory(played.episode, world)
        if seat in entry.answers
    ]
    steps = list(islice(steps, len(played.steps)))
    said = [_said(world, state, seat, decision) for state, decision, _ in steps]
    return tuple(
        Shown(
            _told(world, state, seat),
            "".join(_thought(_menu(world, state, seat), decision, said[place + 1 : place + 2])),
            said[place],
            tuple(said[place:]),
            changes_between(world, state, after, seat),
        )
        for place, (state, decision, after) in enumerate(steps)
    )


def _told(world: Any, state: Any, seat: Seat) -> str:
    return str(world.describe(world.observe(state, seat)))


def _menu(world: World[Any, Any, Any], state: Any, seat: Seat) -> Menu[Any]:
    return world.legal(state, seat) if isinstance(world, Legal) else Menu((), complete=False)


def _said(world: Any, state: Any, seat: Seat, decision: Any) -> str:
    """The decision as the menu has it, if it is read as that; else in the world's words."""
    for option in _menu(world, state, seat).options:
        if option.decision == decision and world.parse(state, seat, option.label) == decision:
            return option.label
    words = str(world.words(decision))
    return bare(words) if "\n" not in words else words


def _thought(menu: Menu[Any], decision: Any, then: Sequence[str]) -> Iterator[str]:
    under_way = " and ".join(menu.under_way)
    if any(option.decision == decision and option.passes for option in menu.options):
        yield f"Nothing helps until this is over: {under_way}. I wait." if under_way else "I wait."
    elif under_way:
        yield f"Under way by itself: {under_way}. Meanwhile I go on with something else."
    else:
        yield "Nothing goes on by itself now. I go on with the next thing to do."
    if then:
        yield f" After that: {then[0]}."
