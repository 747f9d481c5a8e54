"""How far bodies reach, how long things take, and who is first. The arithmetic stands beside each.

Alex begins at (3, 4), Steve at (4, 4); the furnace stands at (0, 0), the chest at (4, 0).
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backburner.worlds.minecraft.game import STANDARD, Minecraft
from backburner.worlds.minecraft.game.physics import Furnace
from backburner.worlds.minecraft.game.scenarios import Site
from backburner.worlds.minecraft.game.state import State
from support.minecraft.play import act, play, yard

Cell = tuple[int, int]
THINGS = (Site("furnace", (0, 0)), Site("chest", (4, 0)), Site("oak_log", (0, 9)))


def holding(world: Minecraft, *items: str) -> State:
    """The start, with one of each in the hands of both."""
    carried = tuple((item, 1) for item in sorted(items))
    return replace(world.start(), carried=(carried, carried))


def codes(world: Minecraft, state: State, *calls: str) -> list[str]:
    return [refusal.code for refusal in act(world, state, *calls).refusals]


@pytest.mark.parametrize(
    ("mob", "call", "code"),
    [
        ((9, 4), "killMob(alex, chicken)", ""),  # 6 blocks
        ((9, 5), "killMob(alex, chicken)", "no_mob"),  # 6.08
        ((51, 4), "goto(alex, chicken)", ""),  # 48
        ((51, 5), "goto(alex, chicken)", "none_around"),  # 48.01
    ],
)
def test_mobs_are_hit_from_six_blocks_and_found_within_48(mob: Cell, call: str, code: str) -> None:
    world = yard(mobs=(Site("chicken", mob),))
    assert codes(world, world.start(), call) == [code] * bool(code)


@pytest.mark.parametrize(
    ("spawn", "call", "code", "stands"),
    [
        ((2, 4), "putItemFurnace(alex, chicken)", "", (2, 4)),  # 4.47 blocks
        ((0, 5), "putItemFurnace(alex, chicken)", "no_furnace", (0, 5)),  # 5
        ((6, 4), "putInChest(alex, chicken)", "", (6, 4)),  # 4.47: it opens from there
        ((4, 5), "putInChest(alex, chicken)", "", (4, 1)),  # 5: it walks up
        ((12, 0), "putInChest(alex, chicken)", "", (5, 0)),  # 8
        ((12, 1), "putInChest(alex, chicken)", "no_chest", (12, 1)),  # 8.06
        ((-32, 0), "takeOutFurnace(alex)", "", (-1, 0)),  # 32
        ((-32, 1), "takeOutFurnace(alex)", "no_furnace", (-32, 1)),  # 32.02
    ],
)
def test_furnace_and_chest_are_opened_from_four_and_a_half_blocks(
    spawn: Cell, call: str, code: str, stands: Cell
) -> None:
    world = yard(spawns=(spawn, (20, 20)))
    state = replace(holding(world, "chicken"), furnace=Furnace(output=("cooked_mutton", 1)))
    step = act(world, state, call)
    assert [refusal.code for refusal in step.refusals] == [code] * bool(code)
    assert step.state.at[0] == stands


@pytest.mark.parametrize(("kind", "health"), [("chicken", 4), ("sheep", 8), ("pig", 10), ("cow", 10)])
def test_a_mob_is_hit_every_ten_ticks_for_each_point_of_its_health(kind: str, health: int) -> None:
    # Alex stands beside it: 20, ten for each point, ten to pick up what it drops, 20.
    world = yard(mobs=(Site(kind, (3, 5)),))
    assert act(world, world.start(), f"killMob(alex, {kind})").state.ticks == 20 + 10 * health + 10 + 20


def test_a_log_is_dug_in_sixty_ticks() -> None:
    # 60 to dig, 10 to pick it up.
    world = yard(blocks=(*THINGS[:2], Site("oak_log", (3, 5))))
    step = act(world, world.start(), "mineBlock(alex, oak_log)")
    assert (step.state.ticks, step.state.carried[0]) == (110, (("oak_log", 1),))


def test_the_nearest_is_meant_and_of_equals_the_first_of_the_scenario() -> None:
    # (3, 8) is 4 blocks away and (3, 1) three; (1, 4) and (5, 4) are two each.
    world = yard(mobs=(Site("sheep", (3, 8)), Site("sheep", (3, 1))))
    assert act(world, world.start(), "goto(alex, sheep)").state.at[0] == (3, 2)
    world = yard(mobs=(Site("sheep", (1, 4)), Site("sheep", (5, 4))))
    assert act(world, world.start(), "goto(alex, sheep)").state.at[0] == (2, 4)


def test_at_the_same_tick_the_body_with_the_lower_number_is_first() -> None:
    # Both put something in at tick 30, whoever is named first: Alex's chicken is in, so that Steve's
    # mutton waits.
    world = yard(spawns=((2, 1), (1, 2)))
    state = replace(holding(world, "chicken", "mutton"))
    step = act(world, state, "putItemFurnace(steve, mutton)", "putItemFurnace(alex, chicken)")
    assert [(refusal.index, refusal.code) for refusal in step.refusals] == [(0, "slot_taken")]
    assert step.state.furnace.input == ("chicken", 1)


def test_what_one_has_taken_out_the_other_does_not_find() -> None:
    # Alex is beside the furnace, Steve has a way of two blocks: 8 ticks later nothing is left.
    world = yard(spawns=((0, 1), (0, 3)))
    state = replace(world.start(), furnace=Furnace(output=("cooked_chicken", 3)))
    step = act(world, state, "takeOutFurnace(alex)", "takeOutFurnace(steve)")
    assert [(refusal.index, refusal.code) for refusal in step.refusals] == [(1, "no_output")]
    assert step.state.carried == ((("cooked_chicken", 3),), ())


def test_fuel_and_meat_of_one_step_are_lit_at_the_tick_at_which_both_are_in() -> None:
    # Both at 30; the step ends at 50: 20 ticks are cooked, and of the log's 300 there are 280 left.
    world = yard(spawns=((0, 1), (1, 0)))
    step = act(
        world,
        holding(world, "chicken", "oak_log"),
        "putFuelFurnace(alex, oak_log)",
        "putItemFurnace(steve, chicken)",
    )
    assert (step.state.furnace.progress, step.state.furnace.burning) == (20, 280)


def test_a_slot_holds_64() -> None:
    world = yard(spawns=((0, 1), (1, 0)))
    full = replace(holding(world, "chicken"), furnace=Furnace(input=("chicken", 63)))
    step = act(world, full, "putItemFurnace(alex, chicken)", "putItemFurnace(steve, chicken)")
    assert step.state.furnace.input == ("chicken", 64)
    assert [(refusal.index, refusal.code) for refusal in step.refusals] == [(1, "slot_taken")]
    logs = replace(holding(world, "oak_log"), furnace=Furnace(fuel=("oak_log", 63)))
    step = act(world, logs, "putFuelFurnace(alex, oak_log)", "putFuelFurnace(steve, oak_log)")
    assert step.state.furnace.fuel == ("oak_log", 64)
    assert [(refusal.index, refusal.code) for refusal in step.refusals] == [(1, "slot_taken")]


@pytest.mark.parametrize(
    "call", ["putFuelFurnace(alex, oak_log)", "putItemFurnace(alex, chicken)", "putInChest(alex, feather)"]
)
def test_what_is_put_somewhere_is_in_nobodys_hands(call: str) -> None:
    world = yard(spawns=((2, 1), (20, 20)))
    thing = call.rpartition(" ")[2].strip(")")
    step = act(world, replace(world.start(), carried=(((thing, 2),), ())), call)
    assert not step.refusals and step.state.carried == (((thing, 1),), ())


def test_who_goes_to_a_mob_does_not_take_it_from_who_kills_it() -> None:
    # Both may be after the one chicken: Steve kills it, Alex walks up to it.
    world = yard(mobs=(Site("chicken", (9, 4)),))
    step = act(world, world.start(), "killMob(steve, chicken)", "goto(alex, chicken)")
    assert not step.refusals and step.state.at == ((8, 4), (8, 4))


def test_the_eleventh_vain_search_in_a_row_is_the_first_that_is_given_up() -> None:
    world, vain = yard(), "killMob(alex, chicken)"
    assert codes(world, play(world, *[vain] * 9), vain) == ["no_mob"]
    assert codes(world, play(world, *[vain] * 10), vain) == ["gave_up"]


def test_nobody_waits_at_the_chest() -> None:
    # Where whoever puts something into the furnace stands there for 300 ticks: the chest takes 50 all the
    # same.
    world = yard(replace(STANDARD, putting_waits=True))
    assert act(world, holding(world, "feather"), "putInChest(alex, feather)").state.ticks == 50


def test_a_log_that_was_dug_stands_again_in_the_next_step_but_one_where_renewal_is_late() -> None:
    world = yard(replace(STANDARD, late_renewal=True), blocks=(*THINGS[:2], Site("oak_log", (3, 5))))
    state = play(world, "mineBlock(alex, oak_log)")
    step = act(world, state, "mineBlock(alex, oak_log)")
    assert [refusal.code for refusal in step.refusals] == ["no_block"]
    assert not act(world, step.state, "mineBlock(alex, oak_log)").refusals


@pytest.mark.parametrize(
    ("things", "call", "steps", "code"),
    [
        # Dug at 20 + 70 = 90, in the third step, which lasts from 80 to 120: its calls begin at 100.
        ({"blocks": (*THINGS[:2], Site("oak_log", (3, 5)))}, "mineBlock({}, oak_log)", 2, "no_block"),
        # Killed at 20 + 110 = 130, in the fourth, which lasts from 120 to 160: its calls begin at 140.
        ({"mobs": (Site("pig", (3, 5)),)}, "killMob({}, pig)", 3, "no_mob"),
    ],
)
def test_what_falls_before_a_steps_calls_begin_is_not_there_for_them(
    things: dict[str, tuple[Site, ...]], call: str, steps: int, code: str
) -> None:
    # Steve's error ends each step at once, and Alex's action runs on.
    world = yard(replace(STANDARD, errors_end_step=True), **things)
    nowhere = "goto(steve, wither)"
    state = play(world, (call.format("alex"), nowhere), *[nowhere] * (steps - 1))
    assert state.ticks == 40 * steps
    assert codes(world, state, call.format("steve")) == [code]
