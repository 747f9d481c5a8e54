"""Special effects worked out by hand: order, sharing, counting, pausing, creation."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backburner.worlds.robotouille.game.domain import EffectNode
from backburner.worlds.robotouille.game.rule_set import NO_LIMITS, PRESETS, Rules
from backburner.worlds.robotouille.game.scenarios import Scenario, shipped_domain
from backburner.worlds.robotouille.game.state import Acts, State
from backburner.worlds.robotouille.game.world import Robotouille
from support.robotouille.kitchens import attempt, facts, holds, problem, say, with_rule, world_in

both_presets = pytest.mark.parametrize("rules", PRESETS)


def at_work(world: Robotouille, state: State) -> list[tuple[str, str, int]]:
    """Type, owner and count of the innermost first node of each effect, in the order of the list."""
    layout = world.compiled.layout(state.kitchen)
    found: list[tuple[str, str, int]] = []
    for one in state.kitchen.effects:
        node = innermost(world.compiled.domain.special_effects[one.effect].root)
        found.append((node.type, layout.objects[one.args[node.owner]].name, one.counts[node.index]))
    return found


def innermost(node: EffectNode) -> EffectNode:
    return node if not node.nested or node.nested[0].type == "creation" else innermost(node.nested[0])


CUT = "robot1 cuts lettuce1 on board1"


# --- the list -------------------------------------------------------------------------------------


@both_presets
def test_effects_stand_in_the_order_in_which_they_are_started(rules: str) -> None:
    """Two patties, the second one first; each tick counts for the step that starts the effect too."""
    world = world_in(["stove patty", "stove patty"], robots=(1,), rules=rules)
    state = say(world, world.start(), "robot1 cooks patty2 on stove2", "robot1 goes from stove2 to stove1")
    state = say(world, state, "robot1 cooks patty1 on stove1")
    assert at_work(world, state) == [("delayed", "patty2", 3), ("delayed", "patty1", 1)]


@both_presets
def test_a_cut_pushes_the_effect_that_is_at_work_already(rules: str) -> None:
    world = world_in(["board lettuce"], rules=rules)
    state, counts = world.start(), []
    for _ in range(2):
        state = say(world, state, CUT)
        counts.append(at_work(world, state))
    assert counts == [
        [("repetitive", "lettuce1", 1), ("conditional", "lettuce1", 0)],
        [("repetitive", "lettuce1", 2), ("conditional", "lettuce1", 0)],
    ]


def test_what_can_never_come_true_stays_in_the_list() -> None:
    """A cut lettuce is not fit for frying: the effect that would make it so is never complete."""
    for rules in PRESETS:
        world = world_in(["board lettuce"], rules=rules)
        state = say(world, world.start(), CUT, CUT, CUT)
        assert holds(world, state, "iscut(lettuce1)") and not holds(world, state, "isfryable(lettuce1)")
        assert at_work(world, say(world, state, "Wait", "Wait")) == [("conditional", "lettuce1", 0)]


@both_presets
def test_a_cut_onion_is_fit_for_frying_at_once(rules: str) -> None:
    world = world_in(["board onion"], rules=rules)
    state = say(world, world.start(), *["robot1 cuts onion1 on board1"] * 3)
    assert {"iscut(onion1)", "isfryable(onion1)"} <= facts(world, state)
    assert at_work(world, say(world, state, "Wait")) == []


@both_presets
def test_cuts_on_two_boards_add_up(rules: str) -> None:
    """The effect belongs to the lettuce alone, so two cuts here and one there make three."""
    world = world_in(["board lettuce", "board"], rules=rules)
    state = say(
        world,
        world.start(),
        CUT,
        CUT,
        "robot1 takes lettuce1 from board1",
        "robot1 goes from board1 to board2",
        "robot1 puts lettuce1 on board2",
        "robot1 cuts lettuce1 on board2",
    )
    assert holds(world, state, "iscut(lettuce1)")


def test_equal_effects_of_two_actions_are_one() -> None:
    """A second action that cuts. Released: one effect, which counts the cuts of both. Standard: the counts
    of each have a table of their own in a problem's ``config``, so there are two."""
    domain = shipped_domain()
    cut = next(action for action in domain.action_defs if action.name == "cut")
    again = replace(cut, name="slice", language_description=f"{cut.language_description} again")
    changed = replace(domain, action_defs=(*domain.action_defs, again))
    scenario = Scenario(problem(["board lettuce"]), domain=changed)
    done = []
    for rules in PRESETS.values():
        world = Robotouille("robotouille/user/test", scenario, rules, NO_LIMITS)
        state = say(world, world.start(), CUT, CUT, f"{CUT} again")
        done.append(holds(world, state, "iscut(lettuce1)"))
    assert done == [False, True]


# --- pausing --------------------------------------------------------------------------------------


@both_presets
def test_what_is_stacked_on_food_does_not_pause_it(rules: str) -> None:
    """The patty still lies on the stove itself when the cheese comes on it in step 3 of 4."""
    stations = ["stove patty", "table cheese", "table"]
    world = world_in(stations, robots=(0, 1), rules=rules, play="dispatcher")
    state = world.start()
    for acts in (
        ("cook(i1=patty1,p1=robot1,s1=stove1)", "pick-up-item(i1=cheese1,p1=robot2,s1=table1)"),
        ("move(p1=robot1,s1=stove1,s2=table2)", "move(p1=robot2,s1=table1,s2=stove1)"),
        ("stack(i1=cheese1,i2=patty1,p1=robot2,s1=stove1)",),
        (),
    ):
        assert not holds(world, state, "iscooked(patty1)")
        step = world.step(state, {"dispatcher": Acts(acts)})
        assert not step.refusals
        state = step.state
    assert {"atop(cheese1,patty1)", "iscooked(patty1)"} <= facts(world, state)


@both_presets
def test_food_is_not_being_cooked_while_it_is_aside(rules: str) -> None:
    world = world_in(["stove patty"], rules=rules)
    state = say(world, world.start(), "robot1 cooks patty1 on stove1")
    assert holds(world, state, "iscooking(patty1)")
    state = say(world, state, "robot1 takes patty1 from stove1", "Wait", "Wait")
    assert not holds(world, state, "iscooking(patty1)")
    assert at_work(world, state) == [("delayed", "patty1", 1)]
    state = say(world, state, "robot1 puts patty1 on stove1")
    assert holds(world, state, "iscooking(patty1)") and at_work(world, state) == [("delayed", "patty1", 2)]


def test_a_pot_that_is_lifted_is_not_filled() -> None:
    """Filling takes four ticks, 1 and 2 before the pot is lifted in step 3, 3 and 4 from step 4 on."""
    world = world_in(["sink pot"])
    state = say(world, world.start(), "robot1 fills pot1 with water at sink1", "Wait")
    state = say(world, state, "robot1 takes pot1 from sink1")
    state = say(world, state, "robot1 puts pot1 on sink1")
    assert not holds(world, state, "in(water1,pot1)")
    assert holds(world, say(world, state, "Wait"), "in(water1,pot1)")


# --- creation -------------------------------------------------------------------------------------


@both_presets
def test_water_is_numbered_as_it_is_made(rules: str) -> None:
    """The pot in the second sink is filled first."""
    world = world_in(["sink pot", "sink pot"], robots=(0, 1), rules=rules)
    state = say(
        world,
        world.start(),
        "Wait",
        "robot2 fills pot2 with water at sink2",
        "robot1 fills pot1 with water at sink1",
        *["Wait"] * 4,
    )
    assert {"in(water1,pot2)", "in(water2,pot1)", "iswater(water1)", "iswater(water2)"} <= facts(world, state)
    assert [(thing.name, thing.type, thing.kind) for thing in state.kitchen.made] == [
        ("water1", "meal", "water"),
        ("water2", "meal", "water"),
    ]


FILL_AT_TWO_SINKS = (
    "robot1 fills pot1 with water at sink1",
    "robot1 takes pot1 from sink1",
    "robot1 goes from sink1 to sink2",
    "robot1 puts pot1 on sink2",
    "robot1 fills pot1 with water at sink2",
    "Wait",
    "Wait",
    "Wait",
    "robot1 takes pot1 from sink2",
    "robot1 goes from sink2 to sink1",
    "robot1 puts pot1 on sink1",
    "Wait",
    "Wait",
)


def test_two_waters_in_one_pot() -> None:
    """The released timer of the first sink waits there with one tick, and goes on when the full pot comes
    back: three more ticks, the first of them as it is put down. In standard there is one timer, the pot's,
    and it is through."""
    waters = []
    for rules in PRESETS:
        world = world_in(["sink pot", "sink"], rules=rules)
        state = say(world, world.start(), *FILL_AT_TWO_SINKS)
        waters.append(sorted(fact for fact in facts(world, state) if fact.startswith("in(")))
    assert waters == [["in(water1,pot1)"], ["in(water1,pot1)", "in(water2,pot1)"]]


def test_an_action_on_one_of_two_waters_reads_the_same_for_both() -> None:
    """What is written exactly as listed is then ambiguous, so the menu gives each action its name."""
    world = world_in(["sink pot", "sink", "stove"], rules="released")
    state = say(
        world,
        world.start(),
        *FILL_AT_TWO_SINKS,
        "robot1 takes pot1 from sink1",
        "robot1 goes from sink1 to stove1",
        "robot1 puts pot1 on stove1",
    )
    listed = [option.label for option in world.menu(state, "robot1").options if "boil" in option.label]
    assert listed == [f"boil-water(c1=pot1,m1=water{number},p1=robot1,s1=stove1)" for number in (1, 2)]
    _, (refusal,) = attempt(world, state, "robot1 boils what is in pot1 on stove1")
    assert refusal.code == "ambiguous"
    assert say(world, state, listed[1]).kitchen.effects


# --- counts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("ignored", [False, True])
def test_counts_by_kind(ignored: bool) -> None:
    """Two chickens and a patty; the table names the patty, and everything else by ``default``."""
    rules: Rules = with_rule("config_ignored", ignored)
    config = {"cook_time": {"patty": 1, "default": 2}}
    steps = []
    for kind in ("patty", "chicken"):
        world = world_in([f"stove {kind}"], rules=rules, config=config)
        state = say(world, world.start(), f"robot1 cooks {kind}1 on stove1")
        while not holds(world, state, f"iscooked({kind}1)"):
            state = say(world, state, "Wait")
        steps.append(state.steps)
    assert steps == ([4, 4] if ignored else [2, 3])
