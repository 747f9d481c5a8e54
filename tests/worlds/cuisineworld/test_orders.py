"""Orders: when they arrive, run out and are served; which ones come."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from backburner.worlds.cuisineworld.game.cookbook import shipped_cookbook
from backburner.worlds.cuisineworld.game.scenarios import interval_steps, lifetime_steps, work_steps
from backburner.worlds.cuisineworld.game.state import State
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.dispatch.orders import draw
from support.cuisineworld.play import MEATCAKE, after, episode_of, steps_of, world_of


def open_orders(world: CuisineWorld, state: State) -> list[tuple[str, int]]:
    return [(world.compiled.dishes[order.dish], order.left) for order in state.orders]


def test_the_work_in_a_dish() -> None:
    """Pork pasta: itself, cooked pasta, sautéed ground pork, ground pork, pasta, pork: 6 things at 3 steps;
    a pot waits 2 more steps, pan and blender 1 each."""
    book = shipped_cookbook()
    assert work_steps(book, "porkPasta") == 3 * 6 + 2 + 1 + 1
    # τ · W · 0.3 = 1.5 · 22 · 0.3 = 9.9 steps from order to order; 2.5 times as long, 24.75, each waits.
    assert interval_steps(book, ["porkPasta"], 1.5) == 10
    assert lifetime_steps(book, "porkPasta", 1.5) == 25
    # The most laborious dish sets the interval of all: max(9.9, 1.5 · 21 · 0.3 = 9.45).
    assert interval_steps(book, ["tomatoPasta", "porkPasta"], 1.5) == 10


def test_an_order_can_be_served_as_many_steps_as_it_lives() -> None:
    """One that joins after step k with lifetime L runs out in step k + L + 1; L = 8 here, k = 0."""
    world = world_of("level_0@bodies=1,tau=1.0")
    steps = steps_of(world, *["noop_agent0"] * 9)
    assert [step.state.orders[0].left for step in steps[:8]] == [7, 6, 5, 4, 3, 2, 1, 0]
    assert [step.state.failed for step in steps] == [0] * 8 + [1]
    assert steps[8].events[-1].what == "expired"


@pytest.mark.parametrize(("wait", "failed"), [(0, 0), (2, 0), (3, 1)])
def test_a_dish_on_the_table_in_the_last_step_serves_and_in_the_next_does_not(wait: int, failed: int) -> None:
    """A meatcake takes 13 steps, and an order of τ = 2.0 waits for 15."""
    world = world_of("level_0@bodies=1")
    state = after(world, *["noop_agent0"] * wait, *MEATCAKE)
    assert world.outcome(state).numbers["failed"] == failed
    assert len(state.served) == 1  # if the first order has run out, a later one takes the dish


def test_a_dish_waits_on_the_table_for_the_next_order() -> None:
    """Four cakes one after the other, an order every six steps: each is served when it comes to the table."""
    episode = episode_of(world_of("level_0@bodies=1"), *MEATCAKE * 4)
    delivered = [event.time for event in episode.events() if event.what == "delivered"]
    assert delivered == [13, 26, 39, 52]

    world = world_of("level_0@bodies=1,tau=3.0")
    state = replace(after(world, *MEATCAKE[:12]), orders=())
    steps = steps_of(world, MEATCAKE[12], *["noop_agent0"] * 6, state=state)
    # Orders come every nine steps; the one of time 18 is served in the next step.
    assert [(step.state.steps, len(step.state.served)) for step in steps][-2:] == [(18, 0), (19, 1)]


def test_arrivals_and_their_order() -> None:
    """An order comes at the end of every sixth step, the most urgent stands first, ties by name."""
    world = world_of("level_4@tau=1.0")
    assert world.scenario.interval == 5
    steps = steps_of(world, *["noop_agent0"] * 10)
    assert [step.state.arrived for step in steps] == [1, 1, 1, 1, 2, 2, 2, 2, 2, 3]
    for step in steps:
        told = open_orders(world, step.state)
        assert told == sorted(told, key=lambda order: (order[1], order[0]))


def test_orders_are_drawn_as_by_the_released_program() -> None:
    stream = random.Random(7)
    dishes = ["a", "b", "c", "d", "e"]
    expected = [stream.choice(dishes) for _ in range(600)]
    assert [dishes[draw(7, 5, number)] for number in range(600)] == expected


def test_episodes_of_a_cell_go_on_in_one_stream() -> None:
    """21 orders in an episode of τ = 1.0 at an interval of 3: the second one begins with the 22nd draw."""
    arrived = []
    for episode in range(3):
        world = world_of(f"level_1@episode={episode},tau=1.0")
        assert world.scenario.orders_per_episode == 21
        state = world.start()
        seen = {o.number: o.dish for o in state.orders}
        for step in steps_of(world, *["noop_agent0"] * 60):
            seen |= {order.number: order.dish for order in step.state.orders}
        arrived += [seen[number] for number in range(21)]
    assert arrived == [draw(0, 3, number) for number in range(63)]


def test_the_seed_of_play_draws_orders_only_if_the_scenario_leaves_it_to_it() -> None:
    fixed, free = world_of("level_4"), world_of("level_4@seed=play")
    assert {fixed.start(seed) for seed in range(20)} == {fixed.start()}
    assert len({free.start(seed).orders for seed in range(20)}) > 1
    assert free.start(0).orders == fixed.start().orders


def test_no_more_arrive_while_the_list_is_full() -> None:
    world = world_of("level_0@tau=1.0")
    small = CuisineWorld(world.id, replace(world.scenario, most_open=1), world.rules, world.limits)
    steps = steps_of(small, *["noop_agent0"] * 12)
    # The first runs out in step 9, where one is due: it makes room for the next. None is due before 12.
    assert [len(step.state.orders) for step in steps] == [1] * 9 + [1] * 3
    assert [step.state.arrived for step in steps] == [1] * 8 + [2] * 4


def test_equally_urgent_orders_stand_by_name() -> None:
    """Intervals of 5: a cucumber salad that waits for 12 has 7 left when a lettuce salad comes with its 7."""
    dishes = world_of("level_4").scenario.dishes
    wanted = (dishes.index("tomatoCucumberSalad"), dishes.index("lettuceSalad"))
    seed = next(seed for seed in range(100) if (draw(seed, 4, 0), draw(seed, 4, 1)) == wanted)
    world = world_of(f"level_4@seed={seed},tau=1.0")
    state = after(world, *["noop_agent0"] * 5)
    assert open_orders(world, state) == [("lettuceSalad", 7), ("tomatoCucumberSalad", 7)]
