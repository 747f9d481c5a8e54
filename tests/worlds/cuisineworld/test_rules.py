"""What a step does: worked examples, command by command."""

from __future__ import annotations

import pytest

from backburner.worlds.cuisineworld.game.state import Commands
from support.cuisineworld.play import MEATCAKE, after, codes, held, inside, steps_of, world_of


def test_one_body_makes_and_serves_a_meatcake_in_thirteen_steps() -> None:
    world = world_of("level_0@bodies=1")
    steps = steps_of(world, *MEATCAKE)
    assert [codes(step) for step in steps] == [[]] * 13
    assert inside(world, steps[7].state, "blender0") == ["salmon", "flour"]
    # Activated in the ninth step, with 2 busy steps: busy after it, free again two steps later.
    assert [step.state.busy[2] for step in steps[8:11]] == [1, 0, 0]
    assert inside(world, steps[8].state, "blender0") == ["salmonMeatcake"]
    assert held(world, steps[10].state) == "salmonMeatcake"
    assert [len(step.state.served) for step in steps[11:]] == [0, 1]


def test_commands_of_one_step_see_what_earlier_ones_did() -> None:
    """One body puts the last input, another activates the mixer, a third takes the product, at once."""
    world = world_of("level_2@bodies=3")
    slice_and_bring = [
        "goto_agent0_storage0",
        "get_agent0_{fish}_storage0",
        "goto_agent0_chopboard0",
        "put_agent0_chopboard0",
        "activate_agent0_chopboard0",
        "get_agent0_chopboard0",
        "goto_agent0_mixer0",
    ]
    first = [line.format(fish="salmon") for line in slice_and_bring] + ["put_agent0_mixer0"]
    second = [line.format(fish="tuna") for line in slice_and_bring]
    state = after(world, *first, *second, "goto_agent1_mixer0 goto_agent2_mixer0")
    chain = "put_agent0_mixer0\nactivate_agent1_mixer0\nget_agent2_mixer0"
    (step,) = steps_of(world, chain, state=state)
    assert codes(step) == []
    assert held(world, step.state, 2) == "mixedSashimi"

    (step,) = steps_of(world, "\n".join(chain.split("\n")[::-1]), state=state)
    assert codes(step) == ["not_pickable", "activate_waste"]
    assert inside(world, step.state, "mixer0") == ["salmonSashimi", "tunaSashimi"]


def test_a_chopboard_is_at_work_for_the_rest_of_its_step_only() -> None:
    world = world_of("level_2")
    state = after(
        world,
        "goto_agent0_storage0 goto_agent1_chopboard0",
        "get_agent0_tuna_storage0",
        "goto_agent0_chopboard0",
        "put_agent0_chopboard0",
    )
    (step,) = steps_of(world, "activate_agent0_chopboard0 get_agent1_chopboard0", state=state)
    assert codes(step) == ["location_occupied"]
    assert step.state.hands_busy == (0, 0)
    assert held(world, after(world, "get_agent1_chopboard0", state=step.state), 1) == "tunaSashimi"


def test_a_chopboard_gives_back_what_is_raw_and_other_tools_do_not() -> None:
    world = world_of("level_3")
    fish = [
        "goto_agent0_storage0",
        "get_agent0_tuna_storage0",
        "goto_agent0_chopboard0",
        "put_agent0_chopboard0",
    ]
    state = after(world, *fish)
    assert held(world, after(world, "get_agent0_chopboard0", state=state)) == "tuna"
    rice = ["goto_agent0_storage0", "get_agent0_rice_storage0", "goto_agent0_pot0", "put_agent0_pot0"]
    (step,) = steps_of(world, "get_agent0_pot0", state=after(world, *rice))
    assert codes(step) == ["not_pickable"]


def test_the_storage_destroys_and_gives_without_end() -> None:
    world = world_of("level_0")
    at_storage = after(world, "goto_agent0_storage0 goto_agent1_storage0")
    both = "get_agent0_salmon_storage0 get_agent1_salmon_storage0"
    state = after(world, both, state=at_storage)
    assert (held(world, state, 0), held(world, state, 1)) == ("salmon", "salmon")
    state = after(world, "put_agent0_storage0", state=state)
    assert (held(world, state), inside(world, state, "storage0")) == ("", [])


@pytest.mark.parametrize(
    ("before", "command", "expected"),
    [
        ([], "get_agent0_salmon_storage0", ["not_at_location"]),
        ([], "get_agent0_servingtable0", ["not_pickable"]),
        (["goto_agent0_storage0"], "get_agent0_storage0", ["storage_needs_base_item"]),
        (["goto_agent0_storage0"], "get_agent0_salmonMeatcake_storage0", ["storage_needs_base_item"]),
        (["goto_agent0_storage0"], "get_agent0_unicorn_storage0", ["storage_needs_base_item"]),
        (list(MEATCAKE[:2]), "get_agent0_flour_storage0", ["get_hands_full"]),
        (list(MEATCAKE[:2]), "activate_agent0_storage0", ["activate_hands_full", "activate_empty"]),
        (["goto_agent0_storage0"], "activate_agent0_storage0", ["activate_empty"]),
        (["goto_agent0_blender0"], "put_agent0_blender0", ["put_hands_empty"]),
        (list(MEATCAKE[:4]), "activate_agent0_blender0", ["activate_waste"]),
        (list(MEATCAKE[:9]), "get_agent0_blender0", ["location_occupied"]),
        ([*MEATCAKE[:2], "goto_agent0_servingtable0"], "put_agent0_servingtable0", ["not_a_level_dish"]),
        (
            ["goto_agent0_storage0", "get_agent0_rice_storage0", "goto_agent0_blender0"],
            "put_agent0_blender0",
            ["put_waste"],
        ),
        ([], "noop_agent0", []),
        ([], "goto_agent0_servingtable0", []),
    ],
)
def test_why_commands_fail(before: list[str], command: str, expected: list[str]) -> None:
    world = world_of("level_0@tau=3.0")
    state = after(world, *before) if before else world.start()
    (step,) = steps_of(world, command, state=state)
    assert codes(step) == expected
    if expected:
        assert (step.state.at, step.state.held, step.state.inside) == (state.at, state.held, state.inside)
    assert step.state.steps == state.steps + 1


def test_only_the_recipes_that_the_level_needs_exist_in_it() -> None:
    """Minced beef is a product, but no dish of level 0 needs it."""
    world = world_of("level_0")
    beef = ["goto_agent0_storage0", "get_agent0_beef_storage0", "goto_agent0_blender0", "put_agent0_blender0"]
    assert codes(steps_of(world, *beef)[-1]) == ["put_waste"]


def test_bodies_without_a_command_stand_still() -> None:
    world = world_of("level_0@bodies=4")
    state = world.step(world.start(), {"dispatcher": Commands(())}).state
    assert (state.at, state.steps, state.feedback.refusals) == (world.start().at, 1, ())
    assert after(world, "goto_agent3_storage0").at == (1, 1, 1, 0)


def test_an_episode_has_sixty_steps() -> None:
    world = world_of("level_0")
    steps = steps_of(world, *["noop_agent0"] * 60)
    assert [bool(step.state.ended) for step in steps] == [False] * 59 + [True]
    assert world.outcome(steps[-1].state).reason == "horizon"


def test_what_is_offered_on_the_way_to_a_cake() -> None:
    """Beside going to the two other places and doing nothing, step by step."""
    world = world_of("level_0@bodies=1")
    usual = {"noop_agent0", *(f"goto_agent0_{place}" for place in world.compiled.places)}
    offered = []
    for state in [world.start(), *(step.state for step in steps_of(world, *MEATCAKE))]:
        labels = [option.label for option in world.menu(state, "dispatcher").options]
        assert len(labels) - len({*labels} - usual) == 3
        offered.append({*labels} - usual)
    fetch = {"get_agent0_salmon_storage0", "get_agent0_flour_storage0"}
    put, away = {"put_agent0_blender0"}, {"put_agent0_storage0"}
    assert offered[:6] == [set(), fetch, away, put, set(), fetch]
    # The blender is at work after the ninth step: nothing can be taken from it.
    assert offered[6:11] == [away, put, {"activate_agent0_blender0"}, set(), {"get_agent0_blender0"}]
    assert offered[11:] == [set(), {"put_agent0_servingtable0"}, set()]


def test_what_is_under_way_is_named() -> None:
    world = world_of("level_0@bodies=1")
    at_work, ready = (step.state for step in steps_of(world, *MEATCAKE[:10])[8:])
    assert world.menu(at_work, "dispatcher").under_way == ("salmonMeatcake in blender0",)
    assert world.menu(ready, "dispatcher").under_way == ()
