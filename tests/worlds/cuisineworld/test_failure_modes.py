"""The failure modes of the article's Appendix E.5, each in an episode that shows it."""

from __future__ import annotations

from msgspec.structs import replace

from backburner.kernel.values import Step
from backburner.worlds.cuisineworld.game.state import State
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.cuisineworld.metrics.measures import failure_modes
from backburner.worlds.dispatch.orders import Order
from support.cuisineworld.play import MEATCAKE, steps_of, world_of


def modes(world: CuisineWorld, *lines: str, first: State | None = None) -> dict[str, int]:
    """What is counted over these lines."""
    first = world.start() if first is None else first
    moves: list[tuple[State, Step[State]]] = []
    for step in steps_of(world, *lines, state=first):
        moves.append((moves[-1][1].state if moves else first, step))
    return {mode: int(count) for mode, count in failure_modes(world, first, moves).items() if count}


def test_a_good_cook_has_none() -> None:
    assert modes(world_of("level_0@bodies=1"), *MEATCAKE) == {}


def test_an_episode_counted_by_hand() -> None:
    """The blender works from time 4 to 6: agent1 takes at 4 and agent0 at 5, both too early, and agent1 goes
    away at 5. One order is open until time 9, for a salmon cake: pork at 6 is in nobody's dish. The order
    that comes at 9 needs one salmon: that of time 9, while that of time 10 is one too many."""
    lines = (
        "goto_agent0_storage0 goto_agent1_storage0",
        "get_agent0_salmon_storage0 get_agent1_flour_storage0",
        "goto_agent0_blender0 goto_agent1_blender0",
        "put_agent0_blender0 put_agent1_blender0",
        "activate_agent0_blender0 get_agent1_blender0",
        "get_agent0_blender0 goto_agent1_storage0",
        "get_agent0_blender0 get_agent1_pork_storage0",
        "goto_agent0_servingtable0 put_agent1_storage0",
        "put_agent0_servingtable0",
        "goto_agent0_storage0 get_agent1_salmon_storage0",
        "get_agent0_salmon_storage0",
    )
    found = modes(world_of("level_0@tau=3.0"), *lines)
    assert found == {"occupied tool": 2, "left an occupied tool": 1, "wrong subgoal": 2}


def test_an_order_runs_out_while_a_less_urgent_one_is_served() -> None:
    """A salmon cake is on the table for the order with 14 steps; the lamb cake with 2 runs out."""
    world = world_of("level_1@tau=3.0")
    start = world.start()
    salmon, lamb = world.compiled.dish_things[:2]
    table = tuple((salmon,) if place == world.compiled.start else () for place in range(len(start.inside)))
    first = replace(start, orders=(Order(1, 2, 0), Order(0, 14, 1)), arrived=2, inside=table)
    idle = ["noop_agent0"] * 4
    assert modes(world, *idle, first=first) == {"queue order ignored": 1}
    assert lamb not in table[world.compiled.start]
    # The other way round the queue was kept: what was served could wait no longer.
    first = replace(first, orders=(Order(0, 2, 0), Order(1, 3, 1)))
    assert modes(world, *idle, first=first) == {}


def test_taking_from_a_tool_at_work_and_leaving_it() -> None:
    """The blender works for two steps; the second body takes too early and goes away before it is done."""
    world = world_of("level_0@tau=3.0")
    ready = [*MEATCAKE[:7], "put_agent0_blender0 goto_agent1_blender0"]
    early = "activate_agent0_blender0 get_agent1_blender0"
    assert modes(world, *ready, early, "noop_agent1") == {"occupied tool": 1}
    away = modes(world, *ready, early, "goto_agent1_servingtable0")
    assert away == {"occupied tool": 1, "left an occupied tool": 1}


def test_work_that_no_open_order_needs() -> None:
    """One order is open: the second salmon is one too many, pork is needed by none."""
    world = world_of("level_0@tau=3.0")
    both = [
        "goto_agent0_storage0 goto_agent1_storage0",
        "get_agent0_salmon_storage0 get_agent1_salmon_storage0",
    ]
    assert modes(world, *both) == {"wrong subgoal": 1}
    assert modes(world, "goto_agent0_storage0", "get_agent0_pork_storage0") == {"wrong subgoal": 1}
    split = [both[0], "get_agent0_salmon_storage0 get_agent1_flour_storage0"]
    assert modes(world, *split) == {}
