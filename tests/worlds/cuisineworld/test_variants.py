"""The named variants: limited table, spoiling food, hidden orders, feedback, hints."""

from __future__ import annotations

from msgspec.structs import replace

from support.cuisineworld.play import MEATCAKE, after, codes, inside, steps_of, world_of

CAKE_ON_TABLE = MEATCAKE[:12]


def test_a_table_without_room_takes_only_what_somebody_waits_for() -> None:
    """One order is open: its cake is taken, a second one has to be held until somebody wants it."""
    put = "put_agent0_servingtable0"
    for room, expected in ((0, ["table_full"]), (1, [])):
        world = world_of(f"level_0@table={room},tau=3.0")
        state = after(world, *CAKE_ON_TABLE)
        assert [order.number for order in state.orders] == [0, 1]
        spare = replace(state, orders=(), inside=state.inside)
        (step,) = steps_of(world, put, state=spare)
        assert codes(step) == expected
        (step,) = steps_of(world, put, state=state)
        assert (codes(step), len(step.state.served)) == ([], 1)
        offered = [option.label for option in world.menu(spare, "dispatcher").options]
        assert (put in offered) == (room > 0)


def test_an_order_that_has_run_out_waits_for_nothing() -> None:
    """With no step left it expires before the table is looked at."""
    world = world_of("level_0@table=0,tau=3.0")
    state = after(world, *CAKE_ON_TABLE)
    late = replace(state, orders=(replace(state.orders[0], left=0),))
    assert codes(steps_of(world, "put_agent0_servingtable0", state=late)[0]) == ["table_full"]


def test_dishes_spoil_on_the_table() -> None:
    """Put there at time 13 with nobody waiting, and spoiling after 3 steps, it is gone at time 16."""
    world = world_of("level_0@spoil=3,tau=3.0")
    state = replace(after(world, *CAKE_ON_TABLE), orders=())
    steps = steps_of(world, "put_agent0_servingtable0", *["noop_agent0"] * 3, state=state)
    lying = [inside(world, step.state, "servingtable0") for step in steps]
    assert lying == [["salmonMeatcake"]] * 3 + [[]]
    assert [step.state.spoilt for step in steps] == [0, 0, 0, 1]
    endless = steps_of(world_of("level_0@tau=3.0"), "put_agent0_servingtable0", "noop_agent0", state=state)
    assert inside(world, endless[-1].state, "servingtable0") == ["salmonMeatcake"]


def test_what_is_served_leaves_the_ages_of_the_others() -> None:
    world = world_of("level_1@spoil=50,tau=3.0")
    start = world.start()
    cakes = world.compiled.dish_things
    inside_table = tuple(
        cakes if place == world.compiled.start else content for place, content in enumerate(start.inside)
    )
    since = tuple((1, 2, 3) if place == world.compiled.start else () for place in range(len(start.inside)))
    state = replace(start, inside=inside_table, since=since, orders=(replace(start.orders[0], dish=1),))
    state = after(world, "noop_agent0", state=state)
    assert state.inside[world.compiled.start] == (cakes[0], cakes[2])
    assert state.since[world.compiled.start] == (1, 3)


def test_hidden_orders_are_seen_at_the_table_only() -> None:
    """Both leave before the second order comes at step 6; agent1 comes back and looks."""
    world = world_of("level_0@orders=hidden,seats=each")
    away = {seat: world.decision_type((f"goto_{seat}_storage0",)) for seat in world.seats}
    stay = {seat: world.decision_type((f"noop_{seat}",)) for seat in world.seats}
    state = world.step(world.start(), away).state
    for _ in range(5):
        state = world.step(state, stay).state
    assert len(state.orders) == 2
    assert [len(world.observe(state, seat).orders) for seat in world.seats] == [1, 1]
    back = {"agent0": stay["agent0"], "agent1": world.decision_type(("goto_agent1_servingtable0",))}
    state = world.step(state, back).state
    assert [len(world.observe(state, seat).orders) for seat in world.seats] == [1, 2]


def test_feedback_can_tell_what_was_done_or_nothing() -> None:
    told = {}
    for feedback in ("errors", "full", "none"):
        world = world_of(f"level_0@feedback={feedback}")
        state = after(world, "goto_agent0_storage0", "get_agent0_salmon_storage0 put_agent1_blender0")
        told[feedback] = world.describe(world.observe(state, "dispatcher")).split("\n\nGame:")[0]
    refused = "'put_agent1_blender0': the agent is not there."
    assert told["errors"] == refused
    assert told["full"] == f"{refused}\nagent0 collected salmon from storage0."
    assert told["none"].startswith("Game:")


def test_full_feedback_tells_what_was_finished_and_served() -> None:
    world = world_of("level_0@bodies=1,feedback=full")
    told = []
    for step in steps_of(world, *MEATCAKE):
        told.append(world.describe(world.observe(step.state, "dispatcher")).split("\n\nGame:")[0])
    assert told[8] == "agent0 activated blender0."
    assert told[9] == "blender0 has finished salmonMeatcake."
    assert told[12] == (
        "agent0 put salmonMeatcake into servingtable0.\nAn order for salmonMeatcake was served."
    )


def test_hints_can_be_left_out() -> None:
    assert "Hints" in world_of("level_0").briefing("dispatcher")
    assert "Hints" not in world_of("level_0@hints=no").briefing("dispatcher")
