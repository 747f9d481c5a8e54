"""Each field of ``Rules`` makes a difference, and this is which."""

from __future__ import annotations

import msgspec
import pytest

from backburner.worlds.robotouille.game.rule_set import PRESETS, Limits, Rules
from backburner.worlds.robotouille.game.state import Acts
from backburner.worlds.robotouille.game.world import Robotouille
from support.robotouille.kitchens import attempt, facts, holds, names, say, with_rule, world_in

FIELDS = [field for field in Rules.__struct_fields__ if field != "name"]


def test_released_lets_all_defects_happen_and_standard_none() -> None:
    assert not any(getattr(PRESETS["standard"], field) for field in FIELDS)
    assert all(getattr(PRESETS["released"], field) for field in FIELDS)


def both(field: str) -> list[Rules]:
    return [with_rule(field, False), with_rule(field, True)]


def step_at_which(world: Robotouille, fact: str, *answers: str) -> int:
    """Plays the answers, then waits; the step after which the fact holds."""
    state = say(world, world.start(), *answers)
    while not holds(world, state, fact):
        state = say(world, state, "Wait")
        assert state.steps < 40
    return state.steps


def test_skipped_ticks() -> None:
    """The first patty starts in step 1 and is done after step 4 (three more). The second, started in step 3,
    should be done after step 6; it misses the tick of step 4, in which the first one leaves the list."""
    answers = (
        "robot1 cooks patty1 on stove1",
        "robot1 goes from stove1 to stove2",
        "robot1 cooks patty2 on stove2",
    )
    done = [
        step_at_which(world_in(["stove patty", "stove patty"], rules=rules), "iscooked(patty2)", *answers)
        for rules in both("skipped_ticks")
    ]
    assert done == [6, 7]


def test_timers_stay_at_station() -> None:
    """Two ticks on the first stove, then the patty moves to the second: pick up, move, place, cook. Ticks
    3 and 4 come with ``cook`` and the step after; a timer of the second stove needs two steps more."""
    answers = (
        "robot1 cooks patty1 on stove1",
        "Wait",
        "robot1 takes patty1 from stove1",
        "robot1 goes from stove1 to stove2",
        "robot1 puts patty1 on stove2",
        "robot1 cooks patty1 on stove2",
    )
    done = [
        step_at_which(world_in(["stove patty", "stove"], rules=rules), "iscooked(patty1)", *answers)
        for rules in both("timers_stay_at_station")
    ]
    assert done == [7, 9]


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_a_timer_pauses_while_the_food_is_aside_and_goes_on_by_itself(rules: Rules) -> None:
    """Ticks in steps 1 and 2, aside for two steps (picked up in 3, back in 4), and the tick of step 4
    comes with the placing: done with the fourth tick after step 5."""
    world = world_in(["stove patty"], rules=rules)
    answers = (
        "robot1 cooks patty1 on stove1",
        "Wait",
        "robot1 takes patty1 from stove1",
        "robot1 puts patty1 on stove1",
    )
    assert step_at_which(world, "iscooked(patty1)", *answers) == 5


def test_boiling_at_a_distance() -> None:
    """Half-boiled water is poured into a bowl, and the empty pot goes back on the stove."""
    boiled = []
    for rules in both("boiling_at_a_distance"):
        world = world_in(["sink pot", "stove", "table bowl"], rules=rules)
        state = say(
            world,
            world.start(),
            "robot1 fills pot1 with water at sink1",
            *["Wait"] * 3,
            "robot1 takes pot1 from sink1",
            "robot1 goes from sink1 to stove1",
            "robot1 puts pot1 on stove1",
            "robot1 boils what is in pot1 on stove1",
            "robot1 takes pot1 from stove1",
            "robot1 goes from stove1 to table1",
            "robot1 pours what is in pot1 into bowl1",
            "robot1 goes from table1 to stove1",
            "robot1 puts pot1 on stove1",
            *["Wait"] * 4,
        )
        assert holds(world, state, "in(water1,bowl1)")
        boiled.append(holds(world, state, "isboiling(water1)"))
    assert boiled == [False, True]


def test_missing_guards_while_work_runs() -> None:
    possible = []
    for rules in both("missing_guards"):
        world = world_in(["sink pot"], rules=rules)
        state = say(world, world.start(), "robot1 fills pot1 with water at sink1")
        possible.append("fill-pot(c1=pot1,p1=robot1,s1=sink1)" in names(world, state))
    assert possible == [False, True]


def test_missing_guards_when_work_is_done() -> None:
    possible = []
    for rules in both("missing_guards"):
        world = world_in(["board lettuce"], rules=rules)
        state = say(world, world.start(), *["robot1 cuts lettuce1 on board1"] * 3)
        assert holds(world, state, "iscut(lettuce1)")
        possible.append("cut(i1=lettuce1,p1=robot1,s1=board1)" in names(world, state))
    assert possible == [False, True]


def test_config_ignored() -> None:
    """The problem asks for one cut of a lettuce, two of anything else, and a cooking time of 1: done at the
    end of the step after the one that starts it. The released program takes 3 of each."""
    config = {"num_cuts": {"lettuce": 1, "default": 2}, "cook_time": {"default": 1}}
    steps = []
    for rules in both("config_ignored"):
        world = world_in(["stove patty"], rules=rules, config=config)
        cooked = step_at_which(world, "iscooked(patty1)", "robot1 cooks patty1 on stove1")
        cuts = []
        for kind in ("lettuce", "tomato"):
            world, n_cuts = world_in([f"board {kind}"], rules=rules, config=config), 0
            state = world.start()
            while not holds(world, state, f"iscut({kind}1)"):
                state, n_cuts = say(world, state, f"robot1 cuts {kind}1 on board1"), n_cuts + 1
            cuts.append(n_cuts)
        steps.append((cooked, *cuts))
    assert steps == [(2, 1, 2), (4, 3, 3)]


ON_TABLE = [{"predicate": "item_on", "args": ["cheese", "table"], "ids": [1, 2]}]


def test_goals_as_released() -> None:
    cooked = [{"predicate": "iscooked", "args": ["patty"], "ids": [1]}]
    reached = []
    for rules in both("goals_as_released"):
        world = world_in(["table cheese"], rules=rules, goal=cooked, goal_released=ON_TABLE)
        reached.append(world.start().ended == "completed")
    assert reached == [False, True]


def test_goal_names_in_part() -> None:
    """A goal over ``bun`` fits a top bun by a part of its name; there is no kind of that name."""
    goal = [{"predicate": "item_on", "args": ["bun", "table"], "ids": [1, 2]}]
    reached = [
        world_in(["table topbun"], rules=rules, goal=goal).start().ended == "completed"
        for rules in both("goal_names_in_part")
    ]
    assert reached == [False, True]


def test_any_robot() -> None:
    refused = []
    for rules in both("any_robot"):
        world = world_in(["table", "table", "table"], robots=(0, 1), rules=rules)
        _, refusals = attempt(world, world.start(), "robot2 goes from table2 to table3")
        refused.append([refusal.code for refusal in refusals])
    assert refused == [["other_robot"], []]


def test_joint_step_breaks_off() -> None:
    """Both robots want the third table. The first gets there, the second is refused."""
    told = []
    for rules in both("joint_step_breaks_off"):
        world = world_in(["table", "table", "table"], robots=(0, 1), rules=rules, play="dispatcher")
        acts = Acts(("move(p1=robot1,s1=table1,s2=table3)", "move(p1=robot2,s1=table2,s2=table3)"))
        step = world.step(world.start(), {"dispatcher": acts})
        assert [refusal.index for refusal in step.refusals] == [1]
        assert "loc(robot1,table3)" in facts(world, step.state)
        told.append(step.state.steps)
    assert told == [1, 0]


def test_exact_text_only() -> None:
    read = []
    for rules in both("exact_text_only"):
        world = world_in(["table", "stove"], rules=rules)
        _, refusals = attempt(world, world.start(), "action: *ROBOT1 goes  from table1 to stove1.*")
        read.append([refusal.code for refusal in refusals])
    assert read == [[], ["unknown_action"]]


def test_limits_count_steps_and_failed_calls() -> None:
    """Two refused answers use up a call here, and the second such call ends play."""
    world = world_in(["table"], limits=Limits(steps=3, attempts=2, failed_calls=2))
    state = world.start()
    counted = []
    for answer in ("nonsense", "nonsense", "Wait", "nonsense", "nonsense"):
        state, _ = attempt(world, state, answer)
        counted.append((state.steps, state.attempts, state.failed_calls, state.ended))
    assert counted == [(0, 1, 0, ""), (0, 0, 1, ""), (1, 0, 1, ""), (1, 1, 1, ""), (1, 0, 2, "attempts")]

    state = say(world, world.start(), *["Wait"] * 3)
    assert state.ended == "step_limit"


def test_every_field_has_a_test_of_its_name() -> None:
    missing = [field for field in FIELDS if not any(name.startswith(f"test_{field}") for name in globals())]
    assert missing == ["nested_once"], "nested_once is tested with a domain that nests delays"


def test_values_of_rules_are_checked() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"name": "mine", "skipped_tick": True}, Rules)
