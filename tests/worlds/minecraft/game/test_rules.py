"""Worked examples: what a step does, tick by tick. The arithmetic stands beside each."""

from __future__ import annotations

from backburner.kernel.values import Event, Fault
from backburner.worlds.minecraft.game import Calls, Limits
from backburner.worlds.minecraft.game.physics import drops
from backburner.worlds.minecraft.game.scenarios import Site
from backburner.worlds.minecraft.game.state import State, count_of
from support.minecraft.play import CHICKEN, act, play, yard

YARD = yard()


def codes(state: State, *calls: str) -> list[str]:
    return [refusal.code for refusal in act(YARD, state, *calls).refusals]


def test_a_way_takes_as_long_as_it_is() -> None:
    # From (3, 4) beside the log at (0, 9): three cells diagonally and one straight on lead to (0, 8), 5.242
    # blocks. At 5.6 blocks a second that is 18.7 ticks, so 19; with 20 before and 20 after, 59.
    state = play(YARD, "goto(alex, oak_log)")
    assert (state.at[0], state.ticks) == ((0, 8), 59)


def test_one_bot_cooks_a_chicken() -> None:
    # goto 59, mine 40 + 70, goto chicken 40 + 31 (8.414 blocks), kill 40 + 4 hits of 10 + 10, goto furnace
    # 40 + 41 (11.312 blocks), fuel 40 + 10, item 40 + 10: 511.
    state = play(YARD, *CHICKEN)
    assert state.ticks == 59 + 110 + 71 + 90 + 81 + 50 + 50 == 511
    # What was put in at 491 has been cooked for 20 ticks, and the log still burns for 280.
    assert (state.furnace.input, state.furnace.progress, state.furnace.burning) == (("chicken", 1), 20, 280)
    # It is done at 691: five steps of waiting, 40 each, reach 711.
    assert play(YARD, (), (), (), (), state=state).furnace.output == ("", 0)
    done = play(YARD, (), (), (), (), (), state=state)
    assert (done.ticks, done.furnace.output) == (711, ("cooked_chicken", 1))
    # Taken by 741, carried 3.414 blocks (13 ticks), put in by 844; its order waits until 1500.
    served = play(YARD, "takeOutFurnace(alex)", "goto(alex, chest)", state=done)
    step = act(YARD, served, "putInChest(alex, cooked_chicken)")
    assert step.state.served == (0,) and step.state.orders == ()
    assert Event(42.2, "delivered", "chest", "cooked_chicken", "order 0") in step.events
    assert step.state.ticks == 711 + 50 + 53 + 50


def test_all_act_at_the_same_time_and_the_step_lasts_as_long_as_the_longest() -> None:
    # Steve walks from (4, 4) beside the chicken at (9, 9): four diagonally and one straight on, 6.656 blocks,
    # 24 ticks; Alex needs 19.
    state = play(YARD, ("goto(alex, oak_log)", "goto(steve, chicken)"))
    assert (state.at, state.ticks) == (((0, 8), (8, 9)), 64)


def test_a_mob_falls_to_the_bot_that_is_named_first() -> None:
    near = play(YARD, ("goto(alex, chicken)", "goto(steve, chicken)"))
    step = act(YARD, near, "killMob(steve, chicken)", "killMob(alex, chicken)")
    assert [refusal.code for refusal in step.refusals] == ["no_mob"]
    assert [count_of(items, "chicken") for items in step.state.carried] == [0, 1]
    two = yard(mobs=(Site("chicken", (9, 9)), Site("chicken", (9, 7))))
    near = play(two, ("goto(alex, chicken)", "goto(steve, chicken)"))
    step = act(two, near, "killMob(steve, chicken)", "killMob(alex, chicken)")
    assert [count_of(items, "chicken") for items in step.state.carried] == [1, 1]


def test_what_was_killed_or_dug_stands_again_after_the_step() -> None:
    state = play(YARD, "goto(alex, oak_log)", *["mineBlock(alex, oak_log)"] * 3)
    assert count_of(state.carried[0], "oak_log") == 3


def test_drops_depend_on_the_seed_the_kind_and_the_number_alone() -> None:
    # Three sheep: what each drops is known before, and whoever kills it gets it.
    state = play(
        YARD, "goto(alex, sheep)", "killMob(alex, sheep)", "goto(steve, sheep)", "killMob(steve, sheep)"
    )
    assert state.carried[0] == tuple(sorted(drops(123, "sheep", 0)))
    assert state.carried[1] == tuple(sorted(drops(123, "sheep", 1)))
    assert state.kills == (("sheep", 2),)


def test_a_slot_takes_one_kind() -> None:
    state = play(
        YARD, *CHICKEN[2:5], "putItemFurnace(alex, chicken)", "goto(alex, sheep)", "killMob(alex, sheep)"
    )
    state = play(YARD, "goto(alex, furnace)", state=state)
    assert codes(state, "putItemFurnace(alex, mutton)") == ["slot_taken"]


def test_what_comes_to_nothing_and_why() -> None:
    state = YARD.start()
    assert codes(state, "goto(alex, pig)") == ["none_around"]
    assert codes(state, "killMob(alex, chicken)") == ["no_mob"]  # 7.8 blocks away
    assert codes(state, "mineBlock(alex, furnace)") == ["no_block"]  # nobody digs a furnace
    assert codes(state, "putFuelFurnace(alex, oak_log)") == ["not_carried"]
    assert codes(state, "takeOutFurnace(alex)") == ["no_output"]
    assert codes(state, "putInChest(alex, chicken)") == ["not_carried"]
    far = play(YARD, "goto(alex, chicken)", "killMob(alex, chicken)")
    assert codes(far, "putItemFurnace(alex, chicken)") == ["no_furnace"]
    assert codes(far, "putInChest(alex, chicken)") == ["no_chest"]  # (8, 9) to (4, 0): 9.8 blocks
    assert codes(far, "putFuelFurnace(alex, chicken)") == ["no_fuel"]
    log = play(YARD, "goto(alex, oak_log)", "mineBlock(alex, oak_log)", "goto(alex, furnace)")
    assert codes(log, "putItemFurnace(alex, oak_log)") == ["not_smelted"]


def test_ten_vain_searches_in_a_row_and_it_gives_up() -> None:
    state = play(YARD, *["killMob(alex, chicken)"] * 10)
    assert codes(state, "killMob(alex, chicken)") == ["gave_up"]
    state = play(YARD, "goto(alex, chicken)", "killMob(alex, chicken)", state=state)
    assert state.failed == (0, 0)


def test_the_chest_is_walked_up_to_from_eight_blocks() -> None:
    # From (5, 4) beside a sheep at (6, 4) the chest at (4, 0) is 4.1 blocks away: nobody walks. From (8, 4)
    # it is 5.7: the body stops beside it.
    state = play(yard(mobs=(Site("chicken", (9, 4)),)), "goto(alex, chicken)")
    assert state.at[0] == (8, 4)
    world = yard(mobs=(Site("chicken", (9, 4)),))
    state = play(world, "goto(alex, chicken)", "killMob(alex, chicken)", "putInChest(alex, chicken)")
    assert state.chest == (("chicken", 1),) and state.at[0] in ((5, 0), (4, 1))


def test_only_what_is_ordered_counts_and_what_is_there_already_serves_the_next() -> None:
    # Two chickens in the chest before the second order comes at 1000: it is served as it arrives.
    one = (
        "goto(alex, chicken)",
        "killMob(alex, chicken)",
        "goto(alex, furnace)",
        "putItemFurnace(alex, chicken)",
    )
    state = play(YARD, *CHICKEN[:2], "goto(alex, furnace)", "putFuelFurnace(alex, oak_log)", *one)
    state = play(YARD, *[()] * 6, "takeOutFurnace(alex)", "putInChest(alex, cooked_chicken)", state=state)
    assert state.served == (0,) and state.ticks < 1000
    second = play(YARD, "goto(alex, oak_log)", "mineBlock(alex, oak_log)", *one[:3], state=state)
    assert second.arrived == 2 and [order.due for order in second.orders] == [2500]


def test_an_order_runs_out_after_its_lifetime() -> None:
    # 1500 ticks, 40 a step: after 37 steps (1480) it is open, after 38 (1520) it has run out, at 75 seconds.
    state = play(YARD, *[()] * 37)
    assert [order.number for order in state.orders] == [0, 1] and state.expired == 0
    step = act(YARD, state)
    assert step.state.expired == 1
    assert Event(75.0, "expired", "orders", "cooked_chicken", "order 0") in step.events


def test_play_ends_with_the_step_that_reaches_the_last_tick() -> None:
    world = yard(limits=Limits(ticks=100))
    state = play(world, (), ())
    assert world.deciders(state) == ("dispatcher",)
    over = play(world, (), state=state)
    assert world.deciders(over) == () and world.outcome(over).status == "ended"


def test_nothing_counts_after_the_last_tick() -> None:
    # The chicken comes into the chest at 844, as above: within 844 ticks it is served, within 843 it is not.
    steps = (
        *CHICKEN,
        *[()] * 5,
        "takeOutFurnace(alex)",
        "goto(alex, chest)",
        "putInChest(alex, cooked_chicken)",
    )
    assert play(yard(limits=Limits(ticks=844)), *steps).served == (0,)
    late = play(yard(limits=Limits(ticks=843)), *steps)
    assert late.served == () and late.chest == (("cooked_chicken", 1),)


def test_calls_that_are_none_are_refused_and_the_others_carried_out() -> None:
    step = act(
        YARD, YARD.start(), "goto(alex, oak_log)", "fly(steve)", "goto(bob, oak_log)", "goto(steve)", "!"
    )
    assert [refusal.code for refusal in step.refusals] == ["verb", "no_such_bot", "arity", "form"]
    assert step.state.at == ((0, 8), (4, 4))
    again = act(YARD, YARD.start(), "goto(alex, oak_log)", "goto(alex, chest)")
    assert [(r.code, r.fault, r.index) for r in again.refusals] == [("second_call", Fault.CAPACITY, 1)]
    assert again.state.at[0] == (0, 8)


def test_a_seat_commands_its_own_bots() -> None:
    world = yard(groups=((0,), (1,)))
    decisions = {"alex": Calls(("goto(steve, oak_log)",)), "steve": Calls(())}
    step = world.step(world.start(), decisions)
    assert [(refusal.seat, refusal.code) for refusal in step.refusals] == [("alex", "other_bot")]
    assert step.state.at == world.start().at
