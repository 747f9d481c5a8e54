"""Shortest plans of the article's kitchen, counted by hand; from the middle; what is no answer."""

from __future__ import annotations

import pytest

from backburner.kernel.errors import Refused
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.catalogue import Space
from backburner.worlds.collab_overcooked.game.layout import Layout
from backburner.worlds.collab_overcooked.game.reading import reply_of
from backburner.worlds.collab_overcooked.game.rule_set import PRESETS, Limits
from backburner.worlds.collab_overcooked.game.state import Kitchen
from backburner.worlds.collab_overcooked.oracle.search import StepsToGo
from backburner.worlds.collab_overcooked.oracle.solver import solve_cooks
from support.collab_overcooked.kitchens import OPEN_KITCHEN, answer, world_of


def test_an_egg_takes_sixteen_steps_in_calls() -> None:
    """The assistant: one cell north, west, take (3), east, put down (5). The chef can only begin now:
    west, take (7), north, put (9), cook (10), ready after the step that starts it and two more (12),
    take (13), two cells south, deliver (16)."""
    found = solve_cooks(world_of("boiled_egg"), foods="all")
    assert (found.status, found.objective, found.bound) == ("optimal", 16, 16)
    assert found.space == "calls, any food fetched"
    assert found.plan[-1] == "deliver_soup()"


def test_an_egg_takes_fifteen_steps_in_moves() -> None:
    """Who may turn before there is anything to take waits facing the counter: the step west is saved."""
    found = solve_cooks(world_of("boiled_egg"), space="moves")
    assert (found.status, found.objective, found.bound, found.space) == ("optimal", 15, 15, "moves")
    assert len(found.plan) == 15
    assert found.plan[2].endswith("| INTERACT(egg)")


@pytest.mark.parametrize(
    ("order", "calls", "moves"),
    [
        ("baked_bell_pepper", 17, 16),
        ("baked_potato_slices", 24, 22),
        ("sliced_pumpkin_and_chickpea_stew", 32, 28),
    ],
)
def test_plans_are_as_long_as_they_are_known_to_be(order: str, calls: int, moves: int) -> None:
    for rules in PRESETS.values():
        world = world_of(order, rules=rules)
        assert solve_cooks(world, foods="lean").objective == calls
        assert solve_cooks(world, space="moves").objective == moves


def test_a_dish_fetched_in_vain_saves_two_steps() -> None:
    """A soup takes 36 steps if one dish is fetched; a second one lies nearer when it counts."""
    world = world_of("baked_carrot_soup")
    lean, own = solve_cooks(world, foods="lean"), solve_cooks(world)
    assert (lean.objective, own.objective) == (36, 34)
    assert own.plan.count("pickup(dish,dish_dispenser)") == 2


def test_two_orders_and_cooks_in_each_others_way() -> None:
    """Two pots: the second egg takes less than twice as long."""
    both = solve_cooks(world_of("boiled_egg", "boiled_egg", layout=OPEN_KITCHEN), foods="lean")
    one = solve_cooks(world_of("boiled_egg", layout=OPEN_KITCHEN), foods="lean")
    assert both.status == one.status == "optimal"
    assert one.objective is not None and both.objective is not None
    assert one.objective < both.objective < 2 * one.objective


def test_from_the_middle_as_many_steps_fewer_as_have_passed() -> None:
    """After the assistant's first two calls of the plan, 5 of the 16 steps are over."""
    world = world_of("boiled_egg")
    state = answer(world, world.start(), "wait(5)")
    for call in ("pickup(egg,ingredient_dispenser)", "place_obj_on_counter()"):
        assert world.deciders(state) == ("assistant",)
        state = answer(world, state, call)
    assert (state.kitchen.steps, state.ask, state.asked) == (5, "plan", 0)
    found = solve_cooks(world, state=state)
    assert (found.status, found.objective) == ("optimal", 11)


def test_a_wait_that_lasts_is_waited_to_its_end() -> None:
    """The chef waits 9 steps: the 11 steps that follow the egg on the counter begin 4 later."""
    world = world_of("boiled_egg")
    state = answer(world, world.start(), "wait(9)")
    assert solve_cooks(world, state=state).objective == 20


def test_states_with_more_settled_are_refused() -> None:
    world = world_of("boiled_egg")
    state = answer(world, world.start(), "wait(1);wait(1)")
    with pytest.raises(Refused, match="queued calls"):
        solve_cooks(world, state=state)


def test_a_step_limit_that_no_plan_meets_is_told() -> None:
    found = solve_cooks(world_of("boiled_egg", limits=Limits(15)))
    assert (found.status, found.objective, found.plan, found.bound) == ("infeasible", None, (), 16)
    assert "16 steps" in found.note


def test_orders_that_never_end_are_refused() -> None:
    with pytest.raises(Refused, match="for ever"):
        solve_cooks(world_of("boiled_egg", order_weights={"boiled_egg": 1.0}))


def test_without_a_shared_counter_there_is_no_plan() -> None:
    layout = OPEN_KITCHEN
    walled = Layout(
        grid=("XPXXXXX", "I1XXX2S", "XXXXXXX"),
        utensils=layout.utensils,
        ingredients=layout.ingredients,
        recipes=layout.recipes,
        needs_dish=layout.needs_dish,
    )
    spaces: tuple[Space, ...] = ("calls", "moves")
    for space in spaces:
        found = solve_cooks(world_of("boiled_egg", layout=walled), space=space)
        assert (found.status, found.objective, found.bound) == ("infeasible", None, None)


def test_no_time_gives_a_bound_and_no_plan() -> None:
    found = solve_cooks(world_of("potato_carrot_and_onion_patty"), time_limit_seconds=0.0)
    assert (found.status, found.objective) == ("unknown", None)
    assert found.bound is not None and 0 < found.bound <= 51


def test_steps_to_go_shrink_by_each_step_of_a_shortest_plan() -> None:
    world = world_of("boiled_egg")
    found, to_go = solve_cooks(world, foods="lean"), StepsToGo(world.compiled)
    state, seen = world.start(), []
    for text in found.plan:
        seen.append((state.kitchen.steps, to_go.of(state.kitchen)))
        state = world.step(state, {world.deciders(state)[0]: reply_of(text)}).state
    assert all(steps is not None and passed + steps <= 16 for passed, steps in seen)
    assert seen[0] == (0, 16)
    assert to_go.of(Kitchen(state.kitchen.bodies, ())) == 0


def test_steps_to_go_of_who_carries_on_with_what_it_began() -> None:
    """A dish on its way into the assistant's hands is taken (3) and put down (5). Then the egg is four steps
    away (9) and two from the counter (11), six steps later than it might be: 16 + 6. A potato lies beside
    the egg; it is in the way on the counter, and five steps are lost."""
    world = world_of("boiled_egg")
    kitchen, to_go = world.start().kitchen, StepsToGo(world.compiled)
    dish = Call("pickup", "dish", "dish_dispenser")
    potato = Call("pickup", "potato", "ingredient_dispenser")
    assert to_go.of(kitchen) == 16
    assert to_go.of(kitchen, (None, dish)) == 22
    assert to_go.of(kitchen, (None, potato)) == 21


def test_without_the_time_steps_to_go_are_refused() -> None:
    world = world_of("potato_carrot_and_onion_patty")
    with pytest.raises(Refused, match="at least"):
        StepsToGo(world.compiled).of(world.start().kitchen, time_limit_seconds=0.0)
