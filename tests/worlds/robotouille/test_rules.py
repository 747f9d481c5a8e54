"""Steps, turns, joint actions, limits and ends, worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from backburner.kernel.activities import activities
from backburner.kernel.values import Event, Fault, Refusal, Step
from backburner.worlds.robotouille.game.legality import NO_ACTION
from backburner.worlds.robotouille.game.rule_set import PRESETS, Limits
from backburner.worlds.robotouille.game.scenarios import DISPATCHER, Scenario, shipped_domain
from backburner.worlds.robotouille.game.state import FINISH, Acts, State
from backburner.worlds.robotouille.game.world import Robotouille
from support.robotouille.kitchens import IDLE, NEVER, attempt, facts, holds, problem, say, world_in

both_presets = pytest.mark.parametrize("rules", PRESETS)

TABLES = ["table", "table", "table"]


def move(robot: int, here: int, there: int, kind: str = "table") -> str:
    return f"move(p1=robot{robot},s1={kind}{here},s2={kind}{there})"


def codes(step: Step[State]) -> list[tuple[str, str, int]]:
    return [(refusal.code, refusal.seat, refusal.index) for refusal in step.refusals]


def together(world: Robotouille, state: State, **acts: str) -> Step[State]:
    """Each robot does what is written, and who is not named waits."""
    decisions = {robot: Acts((acts.get(robot, "wait()"),)) for robot in world.robots}
    return world.step(state, decisions)


def dispatched(world: Robotouille, state: State, *acts: str) -> Step[State]:
    return world.step(state, {DISPATCHER: Acts(acts)})


# --- who decides, and when time passes ------------------------------------------------------------


def test_in_turns_every_turn_is_a_step() -> None:
    """The patty is started in step 1 by the first robot; its fourth tick comes with the second robot's
    second turn."""
    world = world_in(["stove patty", "table"], robots=(0, 1))
    state, told = world.start(), []
    for answer in ("robot1 cooks patty1 on stove1", "Wait", "Wait", "Wait"):
        told.append((world.deciders(state), holds(world, state, "iscooked(patty1)")))
        state = say(world, state, answer)
    assert told == [(("robot1",), False), (("robot2",), False), (("robot1",), False), (("robot2",), False)]
    assert holds(world, state, "iscooked(patty1)") and state.steps == 4


@pytest.mark.parametrize("play", ["together", "dispatcher"])
def test_all_at_once_a_step_is_one_tick(play: Any) -> None:
    world = world_in(["stove patty", "table"], robots=(0, 1), play=play)
    state = world.start()
    seats = world.deciders(state)
    assert seats == (("robot1", "robot2") if play == "together" else (DISPATCHER,))
    first = dict.fromkeys(seats, Acts(("wait()",))) | {
        seats[0]: Acts(("cook(i1=patty1,p1=robot1,s1=stove1)",))
    }
    state = world.step(state, first).state
    for _ in range(3):
        assert not holds(world, state, "iscooked(patty1)")
        state = world.step(state, dict.fromkeys(seats, Acts(("wait()",)))).state
    assert holds(world, state, "iscooked(patty1)") and state.steps == 4


def test_a_refused_action_takes_no_time_and_the_turn_stays() -> None:
    world = world_in(TABLES, robots=(0, 1))
    state, refusals = attempt(world, world.start(), "robot1 goes from table1 to table2")
    assert [refusal.fault for refusal in refusals] == [Fault.OCCUPIED]
    assert (state.steps, world.deciders(state), facts(world, state)) == (
        0,
        ("robot1",),
        facts(world, world.start()),
    )


# --- the order of joint actions -------------------------------------------------------------------


@both_presets
def test_the_second_robot_takes_what_the_first_leaves(rules: str) -> None:
    world = world_in(TABLES, robots=(0, 1), play="together", rules=rules)
    step = together(world, world.start(), robot1=move(1, 1, 3), robot2=move(2, 2, 1))
    assert not step.refusals
    assert {"loc(robot1,table3)", "loc(robot2,table1)", "vacant(table2)"} <= facts(world, step.state)


def test_the_first_robot_cannot_take_what_the_second_leaves_later() -> None:
    world = world_in(TABLES, robots=(0, 1), play="together")
    step = together(world, world.start(), robot1=move(1, 1, 2), robot2=move(2, 2, 3))
    assert codes(step) == [("impossible", "robot1", 0)]
    assert {"loc(robot1,table1)", "loc(robot2,table3)"} <= facts(world, step.state)
    assert step.state.steps == 1


def test_a_dispatcher_says_in_which_order() -> None:
    world = world_in(TABLES, robots=(0, 1), play="dispatcher")
    step = dispatched(world, world.start(), move(2, 2, 3), move(1, 1, 2))
    assert not step.refusals
    assert {"loc(robot1,table2)", "loc(robot2,table3)"} <= facts(world, step.state)


# --- several robots, and what is refused ----------------------------------------------------------


def test_a_robot_acts_once_in_a_step() -> None:
    world = world_in(TABLES, robots=(0, 1), play="dispatcher")
    step = dispatched(world, world.start(), move(1, 1, 3), move(1, 3, 1))
    assert codes(step) == [("twice", DISPATCHER, 1)]
    assert holds(world, step.state, "loc(robot1,table3)")


def test_the_released_program_lets_one_robot_act_in_every_place() -> None:
    world = world_in(TABLES, robots=(0, 1), play="dispatcher", rules="released")
    step = dispatched(world, world.start(), move(1, 1, 3), move(1, 3, 1))
    assert not step.refusals and holds(world, step.state, "loc(robot1,table1)") and step.state.steps == 1


@pytest.mark.parametrize("acts", [("wait()", move(1, 1, 3)), (move(1, 1, 3), "wait()")])
def test_to_wait_binds_no_certain_robot(acts: tuple[str, ...]) -> None:
    """Waiting names no robot: it is what the robot does that has nothing else to do."""
    world = world_in(TABLES, robots=(0, 1), play="dispatcher")
    step = dispatched(world, world.start(), *acts)
    assert not step.refusals
    assert {(event.lane, event.label, event.kind) for event in step.events} == {
        ("robot1", "move table1 table3", "work"),
        ("robot2", "wait", "wait"),
    }


def test_more_actions_than_robots_are_refused_as_a_whole() -> None:
    world = world_in(TABLES, robots=(0, 1), play="dispatcher")
    decision = Acts((move(1, 1, 3), "wait()", "wait()"), finish=True)
    step = world.step(world.start(), {DISPATCHER: decision})
    assert codes(step) == [("too_many", DISPATCHER, 0)]
    assert step.state.steps == 0 and not step.state.ended
    assert step.state.kitchen == world.start().kitchen


def test_a_dispatcher_may_leave_robots_idle_and_a_robot_waits_in_the_domains_own_way() -> None:
    world = world_in(TABLES, robots=(0, 1), play="dispatcher")
    step = world.step(world.start(), {DISPATCHER: IDLE})
    assert (step.state.steps, step.refusals, step.events) == (1, (), ())
    world = world_in(TABLES, robots=(0, 1))
    step = world.step(world.start(), {"robot1": IDLE})
    assert codes(step) == [("no_action", "robot1", 0)]


def test_a_kitchen_without_an_action_for_it_lets_robots_idle() -> None:
    domain = shipped_domain()
    actions = tuple(action for action in domain.action_defs if action.name != "wait")
    scenario = Scenario(problem(TABLES), domain=replace(domain, action_defs=actions))
    world = Robotouille("robotouille/user/test", scenario, PRESETS["standard"], Limits())
    menu = world.menu(world.start(), "robot1")
    assert [option.label for option in menu.options if option.passes] == ["Idle"]
    assert say(world, world.start(), "Idle").steps == 1


def test_who_is_refused_idles_and_only_it_is_told_so() -> None:
    world = world_in(TABLES, robots=(0, 1), play="together")
    step = world.step(world.start(), {"robot1": Acts((move(1, 1, 3),)), "robot2": NO_ACTION})
    assert codes(step) == [("no_action", "robot2", 0)] and step.state.steps == 1
    told = {seat: world.observe(step.state, seat).refusals for seat in world.seats}
    assert told == {"robot1": (), "robot2": step.refusals}


def test_a_step_in_which_nobody_does_anything_is_none() -> None:
    world = world_in(TABLES, robots=(0, 1), play="together")
    step = world.step(world.start(), {"robot1": Acts((move(1, 1, 2),))})
    assert codes(step) == [("impossible", "robot1", 0), ("no_action", "robot2", 0)]
    assert (step.state.steps, step.state.attempts) == (0, 1)


def test_a_dispatcher_is_told_what_was_done_of_what_it_asked_for() -> None:
    world = world_in(TABLES, robots=(0, 1), play="dispatcher")
    state = dispatched(world, world.start(), move(1, 1, 3), move(2, 2, 3)).state
    told = world.describe(world.observe(state, DISPATCHER)).splitlines()[:2]
    assert told == [
        "This is not possible now: robot2 goes from table2 to table3.",
        "Carried out: robot1 goes from table1 to table3.",
    ]


def test_a_step_that_breaks_off_gives_no_key_twice() -> None:
    """Under the released rules the first robot moves back and forth while no time passes."""
    world = world_in(TABLES, robots=(0, 1), play="dispatcher", rules="released")
    state, events = world.start(), list[Event]()
    for here, there in ((1, 3), (3, 1), (1, 3)):
        step = dispatched(world, state, move(1, here, there), "no such thing")
        assert codes(step) == [("unknown_action", DISPATCHER, 1)]
        state = step.state
        events += step.events
    assert (state.steps, state.attempts, holds(world, state, "loc(robot1,table3)")) == (0, 3, True)
    starts = [event.key for event in events if event.what == "start"]
    assert len(set(starts)) == len(starts) == 3
    assert {event.time for event in events} == {0}


# --- ends -----------------------------------------------------------------------------------------


def test_a_goal_that_holds_ends_play_at_once() -> None:
    goal = [{"predicate": "item_on", "args": ["bread", "table"], "ids": [1, 2]}]
    world = world_in(["table bread"], goal=goal)
    state = world.start()
    assert (world.deciders(state), world.outcome(state).numbers) == ((), {"steps": 0, "completed": 1})


def test_the_goal_is_looked_at_after_the_tick_and_before_the_limit() -> None:
    """The last of four ticks cooks the patty in step 4, which is also the last step there is."""
    goal = [{"predicate": "iscooked", "args": ["patty"], "ids": [1]}]
    ends = []
    for steps in (3, 4):
        world = world_in(["stove patty"], goal=goal, limits=Limits(steps=steps))
        state = say(world, world.start(), "robot1 cooks patty1 on stove1", *["Wait"] * (steps - 1))
        ends.append((world.outcome(state).status, world.outcome(state).reason))
    assert ends == [("cut off", "step_limit"), ("ended", "completed")]


@pytest.mark.parametrize("play", ["turns", "together", "dispatcher"])
def test_finish_of_any_seat_ends_play(play: Any) -> None:
    world = world_in(TABLES, robots=(0, 1), play=play)
    step = world.step(world.start(), {world.seats[0]: FINISH, world.seats[-1]: FINISH})
    outcome = world.outcome(step.state)
    assert (outcome.status, outcome.reason, outcome.numbers["steps"]) == ("ended", "finish", 0)
    assert world.step(step.state, dict.fromkeys(world.seats, IDLE)) == Step(step.state)


def test_who_finishes_while_others_act_lets_them_act() -> None:
    world = world_in(TABLES, robots=(0, 1), play="together")
    step = world.step(world.start(), {"robot1": FINISH, "robot2": Acts((move(2, 2, 3),))})
    assert (step.state.ended, step.state.steps) == ("finish", 1)
    assert holds(world, step.state, "loc(robot2,table3)")


def test_an_action_may_be_the_last() -> None:
    goal = [{"predicate": "loc", "args": ["robot", "table"], "ids": [1, 2]}, NEVER]
    world = world_in(TABLES, goal=goal)
    step = world.step(world.start(), {"robot1": Acts((move(1, 1, 2),), finish=True)})
    assert (step.state.ended, step.state.steps) == ("finish", 1)


def test_attempts_count_in_a_row_and_calls_in_all() -> None:
    """Three refusals use up a call, and so do three more; what is accepted in between forgives the
    refusals since the last call and no call."""
    world = world_in(TABLES, limits=Limits(attempts=3, failed_calls=2))
    state, told = world.start(), []
    for answer in ("?", "?", "Wait", "?", "?", "?", "Wait", "?", "?", "?"):
        state, _ = attempt(world, state, answer)
        told.append((state.attempts, state.failed_calls))
    assert told == [(1, 0), (2, 0), (0, 0), (1, 0), (2, 0), (0, 1), (0, 1), (1, 1), (2, 1), (0, 2)]
    assert world.outcome(state).status == "cut off" and state.ended == "attempts"


# --- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "fault", "missing"),
    [
        ("place-item(i1=bread1,p1=robot1,s1=table1)", Fault.OCCUPIED, "station_empty(table1)"),
        ("move(p1=robot1,s1=table1,s2=stove1)", Fault.OCCUPIED, "vacant(stove1)"),
        ("pick-up-item(i1=lettuce1,p1=robot1,s1=board1)", Fault.REACH, "loc(robot1,board1)"),
        ("cut(i1=patty1,p1=robot1,s1=board1)", Fault.REACH, "iscuttable(patty1)"),
        ("pick-up-item(i1=cheese1,p1=robot1,s1=table1)", Fault.OCCUPIED, "item_on(cheese1,table1)"),
        (
            "pick-up-item(i1=lettuce1,p1=robot1,s1=table1)",
            Fault.MISSING_PREREQUISITE,
            "item_on(lettuce1,table1)",
        ),
        ("cook(i1=patty1,p1=robot1,s1=table1)", Fault.MISSING_PREREQUISITE, "isstove(table1)"),
    ],
)
def test_what_an_impossible_action_lacks(action: str, fault: Fault, missing: str) -> None:
    """The robot stands at a table with a cheese on a bread; another robot stands at the stove."""
    world = world_in(["table bread cheese", "stove patty", "board lettuce"], robots=(0, 1))
    refusal = only_refusal(world, {"robot1": Acts((action,))})
    assert (refusal.code, refusal.fault) == ("impossible", fault)
    lacks = refusal.get("missing")
    assert isinstance(lacks, tuple) and missing in lacks


def test_full_hands_come_before_other_faults() -> None:
    world = world_in(["table bread", "board lettuce"])
    state = say(world, world.start(), "robot1 takes bread1 from table1")
    step = world.step(state, {"robot1": Acts(("cut(i1=lettuce1,p1=robot1,s1=board1)",))})
    assert [refusal.fault for refusal in step.refusals] == [Fault.CAPACITY]


def test_what_is_done_already_is_told_from_what_runs() -> None:
    world = world_in(["stove patty"], config={"cook_time": {"default": 1}})
    cook = Acts(("cook(i1=patty1,p1=robot1,s1=stove1)",))
    state = world.step(world.start(), {"robot1": cook}).state
    (refusal,) = world.step(state, {"robot1": cook}).refusals
    assert (refusal.code, refusal.fault, refusal.get("barred")) == (
        "impossible",
        Fault.ALREADY_DONE,
        ("iscooking(patty1)",),
    )
    state = say(world, state, "Wait")
    (refusal,) = world.step(state, {"robot1": cook}).refusals
    assert refusal.get("barred") == ("iscooked(patty1)",)
    fryer = world_in(["board onion", "fryer"])
    state = say(
        fryer,
        fryer.start(),
        *["robot1 cuts onion1 on board1"] * 3,
        "robot1 takes onion1 from board1",
        "robot1 goes from board1 to fryer1",
        "robot1 puts onion1 on fryer1",
        "robot1 fries onion1 in fryer1",
    )
    _, (refusal,) = attempt(fryer, state, "robot1 fries onion1 in fryer1")
    assert (refusal.code, refusal.fault) == ("runs_already", Fault.ALREADY_DONE)


@pytest.mark.parametrize(
    "name",
    [
        "move(p1=robot1,s1=table1,s2=table1)",  # a fact is about different things
        "move(p1=robot1,s1=table1,s2=robot1)",  # of another type
        "move(p1=robot1,s1=table1,s2=table9)",
        "move(p1=robot1,s1=table1)",
        "move(s1=table1,p1=robot1,s2=table2)",  # in another order
        "move",
        "fly(p1=robot1)",
        "wait(p1=robot1)",
        "",
        "wait() ",
    ],
)
def test_names_of_no_action(name: str) -> None:
    world = world_in(TABLES)
    assert only_refusal(world, {"robot1": Acts((name,))}).code == "unknown_action"


def only_refusal(world: Robotouille, decisions: Mapping[str, Any]) -> Refusal:
    """What is refused of these decisions; nothing has changed and no time has passed."""
    step = world.step(world.start(), decisions)
    (refusal,) = step.refusals
    assert step.state.kitchen == world.start().kitchen and step.state.steps == 0 and not step.events
    return refusal


# --- events ---------------------------------------------------------------------------------------


def intervals(events: list[Event]) -> list[tuple[str, str, int | float, int | float, bool]]:
    return [(one.lane, one.label, one.start, one.end, one.complete) for one in activities(events)]


def events_of(world: Robotouille, *answers: str) -> list[Event]:
    state, events = world.start(), list[Event]()
    for answer in answers:
        seat = world.deciders(state)[0]
        step = world.step(state, {seat: world.parse(state, seat, answer)})
        assert not step.refusals
        state = step.state
        events += step.events
    return events


def test_a_pause_and_another_stove_are_intervals_of_one_activity() -> None:
    """Started in step 1; taken away in step 3, when two ticks have passed; put back on the stove and taken
    away again in steps 4 and 5 (a tick in between); the last tick comes on the second stove in step 8."""
    world = world_in(["stove patty", "stove"])
    events = events_of(
        world,
        "robot1 cooks patty1 on stove1",
        "Wait",
        "robot1 takes patty1 from stove1",
        "robot1 puts patty1 on stove1",
        "robot1 takes patty1 from stove1",
        "robot1 goes from stove1 to stove2",
        "robot1 puts patty1 on stove2",
        "robot1 cooks patty1 on stove2",
    )
    cooking = [event for event in events if event.label == "cook patty1"]
    assert {event.key for event in cooking} == {"cook patty1 from 0"}
    assert [one for one in intervals(events) if one[1] == "cook patty1"] == [
        ("stove1", "cook patty1", 0, 2, False),
        ("stove1", "cook patty1", 3, 4, False),
        ("stove2", "cook patty1", 7, 8, True),
    ]


def test_a_timer_of_another_stove_is_another_activity_in_the_released_program() -> None:
    world = world_in(["stove patty", "stove"], rules="released")
    events = events_of(
        world,
        "robot1 cooks patty1 on stove1",
        "robot1 takes patty1 from stove1",
        "robot1 goes from stove1 to stove2",
        "robot1 puts patty1 on stove2",
        "robot1 cooks patty1 on stove2",
        *["Wait"] * 3,
    )
    assert [one for one in intervals(events) if one[1] == "cook patty1"] == [
        ("stove1", "cook patty1", 0, 1, False),
        ("stove2", "cook patty1", 4, 8, True),
    ]


def test_what_takes_no_time_ends_in_the_step_that_starts_it() -> None:
    world = world_in(["stove patty"], config={"cook_time": {"default": 0}})
    events = events_of(world, "robot1 cooks patty1 on stove1")
    assert intervals(events) == [
        ("robot1", "cook patty1 stove1", 0, 1, True),
        ("stove1", "cook patty1", 0, 1, True),
    ]


def test_what_is_under_way_is_called_by_its_label() -> None:
    world = world_in(["stove patty", "table"])
    state = say(world, world.start(), "robot1 cooks patty1 on stove1")
    assert world.menu(state, "robot1").under_way == ("cook patty1",)
    state = say(world, state, "robot1 takes patty1 from stove1")
    assert world.menu(state, "robot1").under_way == ()
