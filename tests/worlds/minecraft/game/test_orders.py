"""Orders as they come, wait, are served and run out. The arithmetic stands beside each.

A step of the table is 100 ticks. In a step nobody does anything for 20 ticks at its beginning and at its end;
putting something into the chest takes 10, so that it is there after 30 ticks of a step that lasts 50. An
empty step lasts 40.
"""

from __future__ import annotations

from msgspec.structs import replace

from backburner.kernel.values import Event
from backburner.worlds.minecraft.game import STANDARD, Minecraft
from backburner.worlds.minecraft.game.scenarios import Site
from backburner.worlds.minecraft.game.state import State
from support.minecraft.play import act, play, yard

NOTHING: tuple[str, ...] = ()
SERVE = "putInChest(alex, cooked_chicken)"
FEATHER = "putInChest(alex, feather)"
BY_STEP = replace(STANDARD, orders_by_step=True)


def holding(world: Minecraft, **items: int) -> State:
    """The start, with these in Alex's hands, who stands 4.1 blocks from the chest and can open it."""
    return replace(world.start(), carried=(tuple(sorted(items.items())), ()))


def test_orders_come_by_the_clock() -> None:
    # Every 200 ticks, that is 10 seconds: at 0, at 200 (the end of the fifth empty step), at 400.
    world = yard(interval=2, lifetime=30)
    assert [play(world, *[NOTHING] * steps).arrived for steps in (0, 4, 5, 9, 10)] == [1, 1, 2, 2, 3]
    assert [order.due for order in play(world, *[NOTHING] * 10).orders] == [3000, 3200, 3400]
    # Every 100 ticks, however many steps that is: after a hundred empty ones, 4000 ticks, forty have
    # followed the first.
    assert play(yard(interval=1, lifetime=100), *[NOTHING] * 100).arrived == 41


def test_an_order_is_served_when_its_dish_lies_in_the_chest() -> None:
    world = yard()
    step = act(world, holding(world, cooked_chicken=1), SERVE)
    assert (step.state.served, step.state.orders, step.state.ticks) == ((0,), (), 50)
    assert Event(1.5, "delivered", "chest", "cooked_chicken", "order 0") in step.events  # 30 ticks


def test_the_last_tick_of_an_order_counts_and_the_next_does_not() -> None:
    # It waits for 300 ticks. Three feathers and three empty steps take 3 · 50 + 3 · 40 = 270: in the next
    # step the dish lies there at 300. After seven empty ones, 280, it is 310.
    world = yard(interval=10, lifetime=3)
    state = holding(world, cooked_chicken=1, feather=3)
    in_time = play(world, *[FEATHER] * 3, *[NOTHING] * 3, SERVE, state=state)
    assert (in_time.served, in_time.expired) == ((0,), 0)
    late = play(world, *[NOTHING] * 7, SERVE, state=state)
    assert (late.served, late.expired) == ((), 1)


def test_an_order_runs_out_at_its_own_tick_however_long_the_step_lasts() -> None:
    # At 280 it is open; the step from 280 to 320 tells that it ran out at 300, which is 15 seconds.
    world = yard(interval=10, lifetime=3)
    step = act(world, play(world, *[NOTHING] * 7))
    assert Event(15.0, "expired", "orders", "cooked_chicken", "order 0") in step.events


def test_a_tick_after_its_last_an_order_is_gone() -> None:
    # Three blocks to stand beside the cow take 11 ticks, so 51; five feathers 250: 301.
    world = yard(interval=10, lifetime=3, mobs=(Site("chicken", (9, 9)), Site("cow", (7, 4))))
    state = play(world, "goto(alex, cow)", *[FEATHER] * 5, state=holding(world, feather=5))
    assert (state.ticks, state.expired, state.orders) == (301, 1, ())


def test_of_several_orders_the_one_that_runs_out_first_is_served_first() -> None:
    # At 250 two are open, of 0 and of 200; one dish serves the older one.
    world = yard(interval=2, lifetime=30)
    state = play(world, *[NOTHING] * 5, SERVE, state=holding(world, cooked_chicken=2))
    assert [order.number for order in state.orders] == [1]
    assert [order.number for order in play(world, SERVE, state=state).orders] == []


def test_what_was_brought_before_it_was_ordered_serves_the_next_order_as_it_comes() -> None:
    # Both are in the chest at 100. The second order comes at 1000, within the 23rd empty step: 100 + 22 ·
    # 40 = 980.
    world = yard()
    state = play(world, SERVE, SERVE, *[NOTHING] * 22, state=holding(world, cooked_chicken=2))
    assert (state.ticks, state.served, state.chest) == (980, (0,), (("cooked_chicken", 2),))
    step = act(world, state)
    assert (step.state.served, step.state.orders) == ((0, 0), ())
    assert Event(50.0, "delivered", "chest", "cooked_chicken", "order 1") in step.events


def test_a_dish_that_nobody_has_ordered_serves_nobody() -> None:
    world = yard(dishes=("cooked_chicken", "cooked_mutton"))
    ordered = world.compiled.dishes[world.start().orders[0].dish]
    other = next(dish for dish in world.compiled.dishes if dish != ordered)
    state = holding(world, **{ordered: 1, other: 1})
    assert play(world, f"putInChest(alex, {other})", state=state).served == ()
    assert play(world, f"putInChest(alex, {ordered})", state=state).served != ()


def test_raw_meat_is_no_dish() -> None:
    world = yard()
    state = play(world, "putInChest(alex, chicken)", state=holding(world, chicken=1))
    assert (state.served, state.chest) == ((), (("chicken", 1),))


def test_by_steps_an_order_can_be_served_in_its_last_step_and_no_later() -> None:
    # It waits for three steps, however long they are.
    world = yard(BY_STEP, interval=10, lifetime=3)
    state = holding(world, cooked_chicken=1)
    assert play(world, NOTHING, NOTHING, SERVE, state=state).served == (0,)
    late = play(world, NOTHING, NOTHING, NOTHING, SERVE, state=state)
    assert (late.served, late.expired) == ((), 1)


def test_by_steps_what_comes_with_the_end_of_a_step_is_served_a_step_later() -> None:
    # Two dishes are there after the second step, with which the second order comes; it is served in the
    # third.
    world = yard(BY_STEP, interval=2, lifetime=3)
    state = play(world, SERVE, SERVE, state=holding(world, cooked_chicken=2))
    assert (state.served, [order.number for order in state.orders]) == ((0,), [1])
    assert play(world, NOTHING, state=state).served == (0, 0)


def test_every_order_is_open_served_or_lost() -> None:
    # After 1020 ticks: that of 0 was served, those of 200 and 400 were lost at 500 and 700, two are open,
    # of 800 and 1000, and that of 600 was lost at 900.
    world = yard(interval=2, lifetime=3)
    state = play(world, SERVE, *[NOTHING] * 25, state=holding(world, cooked_chicken=1))
    assert state.ticks == 1050
    assert (len(state.served), state.expired, [order.due for order in state.orders]) == (1, 3, [1100, 1300])
    assert state.arrived == 6
