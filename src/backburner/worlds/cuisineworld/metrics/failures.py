"""Common failure modes (article, Appendix E.5), counted over an episode's steps.

The article names them without saying how they were counted. Here:

* *queue order ignored*: an order ran out although one that could wait longer was served while it was open;
* *occupied tool*: a command failed at a tool that was at work; *left*: in the next step that body went
  elsewhere while the tool was still at work;
* *wrong subgoal*: something was fetched or made of which there was then more, itself or in what is made of
  it, than open orders need.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from backburner.kernel.values import Step
from backburner.worlds.cuisineworld.game.actions import ACTIVATE, FAILED, GET, GOTO, Command
from backburner.worlds.cuisineworld.game.kitchen import STORAGE
from backburner.worlds.cuisineworld.game.state import Act, State
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.cuisineworld.metrics.assessment import courses

Moves = Sequence[tuple[State, Step[State]]]
"""(state before, step) for each step of an episode."""

Trees = Mapping[int, frozenset[int]]
"""Things with everything that they are made of."""

MODES = ("queue order ignored", "occupied tool", "left an occupied tool", "wrong subgoal")


def counts(world: CuisineWorld, first: State, moves: Moves) -> Mapping[str, float]:
    """How often each mode was met in an episode."""
    occupied, left = _at_occupied_tools(world, moves)
    found = (_ignored(first, moves), occupied, left, _wrong_subgoals(world, moves))
    return dict(zip(MODES, map(float, found), strict=True))


def _ignored(first: State, moves: Moves) -> int:
    orders = courses([first, *(step.state for _, step in moves)])
    served = [order for order in orders if order.served and order.closed is not None]
    return sum(
        any(
            order.arrived < (other.closed or 0) <= (order.closed or 0) and other.runs_out > order.runs_out
            for other in served
        )
        for order in orders
        if order.closed is not None and not order.served
    )


def _at_occupied_tools(world: CuisineWorld, moves: Moves) -> tuple[int, int]:
    """(commands that failed at a tool at work, how often the body then went elsewhere)."""
    failed = left = 0
    waiting: dict[int, int] = {}
    for before, step in moves:
        for deed in step.state.feedback.done:
            place = waiting.get(deed.body)
            left += deed.verb == GOTO and place is not None and deed.place != place and before.busy[place] > 0
        waiting = {}
        for command in _failed(world, before, step):
            failed += 1
            waiting[command.body] = command.place
    return failed, left


def _failed(world: CuisineWorld, before: State, step: Step[State]) -> Iterator[Command]:
    """The commands that were tried in vain at tools at work, once each."""
    for said, codes in _tried(step).items():
        command = world.command_reader.read(said)
        if isinstance(command, Command) and command.place >= 0:
            there = before.at[command.body] == command.place and before.busy[command.place] > 0
            if there or "location_occupied" in codes:
                yield command


def _tried(step: Step[State]) -> dict[str, set[str]]:
    """Each command that failed when it was tried, with the codes of why."""
    found: dict[str, set[str]] = {}
    for refusal in step.refusals:
        if refusal.code in FAILED:
            found.setdefault(str(refusal.get("said")), set()).add(refusal.code)
    return found


def _wrong_subgoals(world: CuisineWorld, moves: Moves) -> int:
    trees = _trees(world)
    found = 0
    for before, step in moves:
        begun = Counter(deed.thing for deed in step.state.feedback.done if _begins(world, deed))
        for thing, count in begun.items():
            found += min(count, _beyond_need(world, trees, before, step.state, thing))
    return found


def _begins(world: CuisineWorld, deed: Act) -> bool:
    """Whether something was made, or fetched from a storage."""
    return deed.verb == ACTIVATE or (deed.verb == GET and world.kitchen.roles[deed.place] == STORAGE)


def _beyond_need(world: CuisineWorld, trees: Trees, before: State, after: State, thing: int) -> int:
    """How many more there are of a thing, itself or in what is made of it, than open orders need."""
    needing = sum(thing in trees[world.kitchen.dish_things[order.dish]] for order in before.orders)
    there = [*after.held, *(inside for content in after.inside for inside in content)]
    return max(0, sum(one == thing or thing in trees.get(one, ()) for one in there) - needing)


def _trees(world: CuisineWorld) -> Trees:
    """Each thing of the level with everything that it is made of, itself included."""
    book, number = world.scenario.book, world.kitchen.thing_number
    return {
        number[name]: frozenset(number[part] for part in {name, *book.things([name])})
        for name in book.things(world.scenario.dishes)
    }
