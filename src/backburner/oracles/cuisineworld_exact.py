"""The most orders that can be served in a short CuisineWorld episode, by trying everything.

All commands of all bodies are tried, step after step, with the world itself as the judge. Of two ways to
the same situation the one that served more goes on; what it served before does not matter any more.
Bodies of one dispatcher are interchangeable. It is meant for small kitchens and few steps: what it needs
grows with the number of situations, and it gives up at ``most_states``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations, product

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.worlds.cuisineworld import Commands, CuisineWorld
from backburner.worlds.cuisineworld.state import Feedback, State

MOST_STATES = 200_000


class Exact(Struct, frozen=True):
    """``served``: the most orders that can be served, proven; ``None`` if the search gave up.

    ``plan``: the dispatcher's decisions that do it. ``states``: situations looked at.
    """

    served: int | None
    plan: tuple[Commands, ...]
    states: int


def most_served(world: CuisineWorld, seed: int = 0, most_states: int = MOST_STATES) -> Exact:
    """The best of all plays of a world with one dispatcher.

    Every command that can succeed is tried; one that fails leaves what a noop leaves. Time passes in every
    turn. Raises ``Refused`` if there are several seats, or episodes have no end.
    """
    if len(world.seats) > 1 or world.limits.turns is None:
        raise Refused(f"{world.id}: the search takes one dispatcher and an end of play")
    found: dict[State, tuple[State, _Path]] = {State((), (), (), (), ()): (world.start(seed), None)}
    seen = 1
    while any(world.deciders(state) for state, _ in found.values()):
        after: dict[State, tuple[State, _Path]] = {}
        for state, path in found.values():
            for commands in _joint(world, state):
                then = world.step(state, {world.seats[0]: commands}).state
                key = _situation(then)
                if key not in after or len(then.served) > len(after[key][0].served):
                    after[key] = then, (commands, path)
            if seen + len(after) > most_states:
                return Exact(None, (), seen + len(after))
        found, seen = after, seen + len(after)
    best, path = max(found.values(), key=lambda way: len(way[0].served))
    return Exact(len(best.served), _unrolled(path), seen)


_Path = tuple[Commands, "_Path"] | None
"""The decisions that led somewhere, the last one first."""


def _unrolled(path: _Path) -> tuple[Commands, ...]:
    decisions = []
    while path:
        decision, path = path
        decisions.append(decision)
    return tuple(reversed(decisions))


def _situation(state: State) -> State:
    """What the future depends on. Bodies are sorted."""
    rows = zip(state.at, state.held, state.hands_busy, state.seen or state.at, strict=True)
    at, held, busy, seen = zip(*sorted(rows), strict=True)
    return replace(
        state,
        at=at,
        held=held,
        hands_busy=busy,
        seen=seen if state.seen else (),
        inside=tuple(state.inside if state.since else map(tuple, map(sorted, state.inside))),
        served=(),
        expired=0,
        failed=0,
        spoilt=0,
        feedback=Feedback(),
    )


def _joint(world: CuisineWorld, state: State) -> Iterable[Commands]:
    """A command for each body, in every order that may matter."""
    for chosen in product(*(_options(world, state, body) for body in range(world.scenario.bodies))):
        yield from map(Commands, _orders(chosen))


def _options(world: CuisineWorld, state: State, body: int) -> Sequence[str]:
    """What a body can do, now or after what others do in the same step; released tools swallow things."""
    kitchen, place = world.kitchen, world.kitchen.places[state.at[body]]
    name = f"agent{body}"
    found = [option.decision.commands[0] for option in world.menus.menu(state, [body]).options]
    if kitchen.kinds[state.at[body]].is_tool:
        found += [f"{verb}_{name}_{place}" for verb in ("get", "put", "activate")]
    return tuple(dict.fromkeys(found))


def _orders(chosen: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    """The orders of commands that differ: going and doing nothing may stand anywhere."""
    acting = [command for command in chosen if not command.startswith(("goto", "noop"))]
    others = tuple(command for command in chosen if command.startswith(("goto", "noop")))
    return ((*order, *others) for order in permutations(acting))
