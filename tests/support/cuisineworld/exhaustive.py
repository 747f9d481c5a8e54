"""The most orders that can be served in a very short CuisineWorld episode, by trying everything.

All commands of all bodies are tried, step after step, with the world itself as the judge. Of two ways to
the same situation the one that served more goes on; what it served before does not matter any more.
Bodies of one dispatcher are interchangeable.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations, product

from msgspec.structs import replace

from backburner.worlds.cuisineworld.game import Commands, CuisineWorld
from backburner.worlds.cuisineworld.game.state import Feedback, State


def exhaustive(world: CuisineWorld) -> int:
    """How many orders the best of all plays serves. A command that fails leaves what a noop leaves."""
    (seat,) = world.seats
    found = {_situation(world.start()): world.start()}
    while any(world.deciders(state) for state in found.values()):
        after: dict[State, State] = {}
        for state in found.values():
            for commands in _joint(world, state):
                then = world.step(state, {seat: commands}).state
                key = _situation(then)
                if key not in after or len(then.served) > len(after[key].served):
                    after[key] = then
        found = after
    return max(len(state.served) for state in found.values())


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
    compiled, place = world.compiled, world.compiled.places[state.at[body]]
    name = f"agent{body}"
    found = [option.decision.commands[0] for option in world.choices.menu(state, [body]).options]
    if compiled.kinds[state.at[body]].is_tool:
        found += [f"{verb}_{name}_{place}" for verb in ("get", "put", "activate")]
    return tuple(dict.fromkeys(found))


def _orders(chosen: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    """The orders of commands that differ: going and doing nothing may stand anywhere."""
    acting = [command for command in chosen if not command.startswith(("goto", "noop"))]
    others = tuple(command for command in chosen if command.startswith(("goto", "noop")))
    return ((*order, *others) for order in permutations(acting))
