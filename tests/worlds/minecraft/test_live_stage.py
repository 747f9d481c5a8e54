"""A farm on a server, and decisions as bots' calls."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.kernel.reported import Ground, Other
from backburner.live.messages import (
    Act,
    Acted,
    Being,
    Call,
    Called,
    Observation,
    PlacedBlock,
    PlacedMob,
    SeenBot,
    SeenFurnace,
    SeenPerson,
    Standing,
    Surveyed,
)
from backburner.live.stage import stage_of
from backburner.worlds.minecraft.game.actions import MOST_TICKS, Calls, Came, Report, SeenBody, SeenPlayer
from backburner.worlds.minecraft.game.physics import Furnace, drops
from backburner.worlds.minecraft.game.state import Killed
from backburner.worlds.minecraft.live.stage import MARGIN, told_drops


def test_the_farm_is_moved_to_its_corner() -> None:
    """Level 1 goes from the bot at (-10, -15) to x = 2 of the furnace and z = 10 of the other bot."""
    stage = stage_of(registry.world("minecraft/level_1"))
    farm = stage.farm((100, 64, 200))
    assert stage.bots == ("alex", "steve") and MARGIN == 2
    assert farm.dry_run and farm.area.lowest == (100, 64, 200)
    assert farm.area.highest == (100 + 12 + 4, 67, 200 + 25 + 4)
    assert farm.starts == {"alex": (102, 64, 202), "steve": (102, 64, 227)}
    assert PlacedBlock("furnace", (114, 64, 215)) in farm.blocks
    assert farm.mobs == (PlacedMob("sheep", (107, 64, 207)), PlacedMob("chicken", (109, 64, 207)))


@pytest.mark.parametrize("level", ["level_1", "level_2"])
def test_everything_stands_inside_the_area(level: str) -> None:
    farm = stage_of(registry.world(f"minecraft/{level}")).farm((0, 10, 0))
    cells = [*(b.at for b in farm.blocks), *(m.at for m in farm.mobs), *farm.starts.values()]
    for cell in cells:
        for low, here, high in zip(farm.area.lowest, cell, farm.area.highest, strict=True):
            assert low <= here <= high
    assert len(set(cells)) == len(cells)


def asked(id: str, *calls: str, rules: str = "standard") -> Act:
    """What bots are asked to do where the dispatcher gives these calls."""
    stage = stage_of(registry.world(id, rules=rules))
    state = stage.world.step(stage.world.start(), {"dispatcher": Calls(calls)}).state
    assert stage.world.deciders(state) == (stage.seat,)
    return stage.act(state)


def test_calls_go_to_their_bots_and_what_is_none_is_left_out() -> None:
    act = asked("minecraft/level_1", "goto(alex, chicken)", "fly(alex)", "takeOutFurnace(steve)")
    assert act.calls == (Call("alex", "goto", ("chicken",)), Call("steve", "takeOutFurnace"))
    assert (act.renew, act.until, act.put_waits, act.before, act.after) == ("after", "all", 0, 20, 20)


REFUSED = {
    "goto(alex, Chest; stop)": ("none_around", "none around"),
    "mineBlock(alex, furnace)": ("no_block", None),
    "mineBlock(alex, chest)": ("no_block", None),
    "killMob(alex, player)": ("no_mob", None),
    "putFuelFurnace(alex, feather)": ("no_fuel", "no fuel"),
    "putFuelFurnace(alex, coal)": ("not_carried", None),
    "putItemFurnace(alex, feather)": ("not_smelted", "not smelted"),
}


@pytest.mark.parametrize("call", REFUSED)
def test_what_the_rules_refuse_whatever_is_there_is_refused_by_them(call: str) -> None:
    """In the order of the text's own checks: what is not carried comes before what does not burn."""
    stage = stage_of(registry.world("minecraft/level_1"))
    start = replace(stage.world.start(), carried=((("feather", 1),), ()))
    state = stage.world.step(start, {"dispatcher": Calls((call,))}).state
    verb = call.partition("(")[0]
    assert stage.act(state).calls == (Call("alex", verb, (), *REFUSED[call]),)
    reported = stage.report(state, Acted(0, 40, (came_of(stage.act(state).calls[0]),)), NOTHING, (0, 0, 0))
    step = stage.world.step(state, {stage.seat: reported})
    assert [refusal.code for refusal in step.refusals] == [REFUSED[call][0]]


NOTHING = Observation(40, {}, None, None, ())


def came_of(call: Call) -> Called:
    """What the worker makes of a call that is refused."""
    kind = "refused" if call.error else None
    return Called(call.bot, call.verb, False, (), call.error, kind, 0, False, call.code)


def test_what_the_release_lets_be_put_into_the_furnace_is_tried() -> None:
    asked_for = asked("minecraft/level_1", "putItemFurnace(steve, feather)", rules="released")
    assert asked_for.calls == (Call("steve", "putItemFurnace", ("feather",)),)


def test_a_step_lasts_as_long_as_the_rules_say() -> None:
    """Nobody does anything: 40 ticks; alex hits a chicken beside it: 40, and 50 there."""
    assert asked("minecraft/level_1").lasts == 40
    stage = stage_of(registry.world("minecraft/level_1"))
    start = replace(stage.world.start(), at=((-3, -9), (0, 0)))
    state = stage.world.step(start, {"dispatcher": Calls(("killMob(alex, chicken)",))}).state
    assert stage.act(state).lasts == 90


def test_the_release_s_rules_are_those_of_the_bots() -> None:
    act = asked("minecraft/level_1", "goto(alex, chicken)", rules="released")
    assert (act.renew, act.until, act.put_waits, act.stacks) == ("during", "error", 300, 1)
    assert (act.no_way, act.hand_ticks) == (("cow",), 10)
    assert asked("minecraft/level_1").no_way == ()
    assert asked("minecraft/level_1", "goto(alex, chicken)", "fly(steve, away)", rules="released").calls == ()


def test_the_seat_is_added_and_taken_away() -> None:
    stage = stage_of(registry.world("minecraft/level_1@seed=5"))
    assert (stage.world.id, stage.text.id) == (
        "minecraft/level_1@live=yes,seed=5",
        "minecraft/level_1@seed=5",
    )
    assert stage.world.seats == ("dispatcher", "server") and stage.text.seats == ("dispatcher",)
    again = stage_of(stage.world)
    assert (again.world.id, again.text.id) == (stage.world.id, stage.text.id)
    with_instructor = stage_of(registry.world("minecraft/level_1@instructor=yes"))
    assert (stage.phases, with_instructor.phases) == (2, 3)


def test_what_was_seen_is_reported_in_the_world_s_terms() -> None:
    """Level 1's lowest corner is (-12, -17): x = 88 there is 100 on the server."""
    stage = stage_of(registry.world("minecraft/level_1"))
    calls = Calls(("killMob(alex, chicken)", "goto(steve, chest)"))
    state = stage.world.step(stage.world.start(), {"dispatcher": calls}).state
    acted = Acted(
        100,
        190,
        (
            Called("alex", "killMob", True, ("Killed chicken!",), None, None, 50, False),
            Called("steve", "goto", False, (), "steve is stuck\nat 1 2 3", "stuck", 30, False),
        ),
        (Called("steve", "killMob", True, ("Killed pig!",), None, None, 90, False),),
    )
    seen = Observation(
        190,
        {
            "alex": SeenBot((110.5, 64.0, 200.25), {"chicken": 1, "feather": 2}, {}, {}),
            "zoe": SeenBot((0.0, 0.0, 0.0), {}, {}, {}),
        },
        SeenFurnace(("beef", 2), ("coal", 1), None, 90, 200),
        {"cooked_beef": 1, "Odd name": 3},
        (Standing("chicken", (109, 64, 207), False), Standing("furnace", (114, 64, 215), False)),
        {
            "Maya": SeenPerson((110.5, 64.0, 200.25), {"beef": 1, "Odd name": 3}),
            "Zo\x1b[31m é and others": SeenPerson((111.5, 65.0, 201.5)),
        },
    )
    report = stage.report(state, acted, seen, (100, 64, 200)).report
    assert report == Report(
        90,
        (Came("alex", 50), Came("steve", 30, "on_server", "steve is stuck at 1 2 3")),
        (Killed("steve", "pig"), Killed("alex", "chicken")),
        (SeenBody("alex", (-1.5, -16.75), (("chicken", 1), ("feather", 2))),),
        Furnace(("beef", 2), ("", 0), ("", 0), 89, 199),
        (("cooked_beef", 1),),
        (4,),
        None,
        (SeenPlayer("Maya", (-1.5, -16.75), (("beef", 1),)), SeenPlayer("Zo__31m___and_ot", (-0.5, -15.5))),
    )
    step = stage.world.step(state, {stage.seat: Calls((), report=report)})
    assert not [refusal for refusal in step.refusals if refusal.seat == stage.seat]
    assert stage.world.scenario.sites[4].kind == "chicken" and stage.chest(step.state) == {"cooked_beef": 1}


def test_a_server_is_told_what_the_world_draws() -> None:
    told = told_drops(123)
    assert told["sheep"][4] == dict(drops(123, "sheep", 4))
    assert set(told) == {"chicken", "cow", "pig", "sheep"}


def test_other_worlds_say_that_they_cannot() -> None:
    with pytest.raises(Refused, match="cuisineworld/level_1 cannot be played on a live server"):
        stage_of(registry.world("cuisineworld/level_1"))


def test_ground_is_reported_in_the_world_s_cells_and_once() -> None:
    """x = 88 and z = 183 there is 100 and 200 on the server: a chicken of level 1 stands at (-3, -10)."""
    stage = stage_of(registry.world("minecraft/level_1"))
    state = stage.world.step(stage.world.start(), {"dispatcher": Calls(())}).state
    surveyed = Surveyed(
        tick=190,
        version="1.16.5",
        corner=(96, 196),
        size=(25, 38),
        floor=64,
        kinds=("grass_block",),
        runs=((25 * 38, 0, -1),),
        beings=(Being("chicken", (109.5, 64.0, 207.5)), Being("wolf", (109.5, 64.0, 207.5))),
    )
    acted, seen = Acted(100, 140, ()), Observation(140, {}, None, None, ())
    report = stage.report(state, acted, seen, (100, 64, 200), surveyed).report
    others = (Other("wolf", (-2.5, -9.5)),)
    expected = Ground((-16, -21), 25, 38, ("grass_block",), ((950, 0, -1),), others, "Minecraft 1.16.5")
    assert report.ground == expected
    known = replace(state, ground=expected)
    assert stage.report(known, acted, seen, (100, 64, 200), surveyed).report.ground is None
    assert stage.report(known, acted, seen, (100, 64, 200)).report.ground is None


def test_the_ticks_in_which_it_was_decided_are_reported_and_the_step_begins_after_them() -> None:
    """The rules predict what the furnace has come to by then; nobody waits beyond what a report may say."""
    stage = stage_of(registry.world("minecraft/level_1"))
    loaded = Furnace(("chicken", 1), ("oak_log", 1))
    start = replace(stage.world.start(), furnace=loaded)
    state = stage.world.step(start, {"dispatcher": Calls(("takeOutFurnace(alex)",))}).state
    acted = Acted(300, 340, ())
    said = stage.report(state, acted, NOTHING, (0, 0, 0), None, 220)
    assert said.report.waited == 220 and stage.report(state, acted, NOTHING, (0, 0, 0)).report.waited == 0
    assert stage.report(state, acted, NOTHING, (0, 0, 0), None, 10**9).report.waited == MOST_TICKS
    begun = stage.begun(state, said)
    assert (begun.ticks, begun.furnace.output, begun.given) == (220, ("cooked_chicken", 1), state.given)
    assert stage.begun(state, Calls(())) == state
    assert stage.world.step(state, {stage.seat: said}).state.ticks == 260
