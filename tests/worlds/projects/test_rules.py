"""Each rule of the scheduling model, as it is met in play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from backburner.kernel.oracle import solve_world
from backburner.kernel.play import play_now
from backburner.kernel.policy import PlanPolicy
from backburner.kernel.schedule import Activity, MachineState, MaxLag, Problem, Resource
from backburner.worlds.projects.game import Projects, Silence, Start, State, Wait
from support.projects import world_of

OVEN = Resource("oven")
HOT, COLD = MachineState("oven", 200), MachineState("oven", 50)


def of(*activities: Activity, resources: Sequence[Resource] = (OVEN,), **more: Any) -> Projects:
    return world_of(Problem("minutes", activities, tuple(resources), "", **more))


def after(world: Projects, *answers: str, state: State | None = None) -> State:
    """The state after these answers, each of which is accepted."""
    state = state or world.start()
    for answer in answers:
        step = world.step(state, {"agent": world.parse(state, "agent", answer)})
        assert not step.refusals, (answer, step.refusals)
        state = step.state
    return state


def why(world: Projects, state: State, answer: str) -> str:
    """The code of the refusal of an answer; empty if it is accepted."""
    refusals = world.step(state, {"agent": world.parse(state, "agent", answer)}).refusals
    return refusals[0].code if refusals else ""


def menu(world: Projects, state: State) -> list[str]:
    return [option.label for option in world.menu(state, "agent").options]


def test_the_operator_is_at_one_thing_and_what_needs_none_starts_beside_it() -> None:
    world = of(Activity("boil", 5, 1), Activity("chop", 3, 3), Activity("soak", 2, 0), Activity("cool", 2, 0))
    state = after(world, "start soak", "start cool", "start boil")
    assert state.time == 1 and menu(world, state) == ["start chop", "wait"]
    state = after(world, "start chop", state=state)  # nothing is left to be decided: 1-4, boil 0-5
    assert (state.time, state.ended) == (5, "completed")
    assert world.outcome(state).numbers == {"completed": 1, "minutes": 5, "score": 100.0}


def test_predecessors_resources_and_releases() -> None:
    burner = Resource("burner", 3)
    world = of(
        Activity("stew", 6, 0, resources=("burner", "burner")),
        Activity("fry", 2, 0, resources=("burner", "burner")),
        Activity("toast", 4, 0, resources=("burner",), release=3),
        Activity("serve", 1, 1, ("stew", "fry")),
        resources=(burner,),
    )
    state = after(world, "start stew")
    assert menu(world, state) == ["wait"]
    assert why(world, state, "start fry") == "resource_busy"
    assert why(world, state, "start toast") == "not_released"
    assert why(world, state, "start serve") == "predecessor_missing"
    assert why(world, state, "start stew") == "under_way"
    state = after(world, "wait", state=state)  # until toast is released
    assert state.time == 3 and menu(world, state) == ["start toast", "wait"]
    state = after(world, "start toast", "wait", "start fry", "wait", "wait", state=state)
    assert state.time == 8 and menu(world, state) == ["start serve"]
    assert world.step(state, {"agent": Start("serve")}).state.time == 9


@pytest.mark.parametrize("goes_on", [False, True])
def test_a_maximum_lag_that_is_missed_ends_play_or_leaves_the_rest(goes_on: bool) -> None:
    """boil 0-4, and drain within 2 of its end: at 6 at the latest. Seven minutes by hand are too long."""
    problem = of(
        Activity("boil", 4, 0),
        Activity("drain", 1, 1, ("boil",), (), (MaxLag("boil", 2),)),
        Activity("mop", 7, 7),
    )
    world = Projects(
        problem.id,
        problem.scenario,
        type(problem.rules)("x", goes_on_after_a_miss=goes_on),
        problem.limits,
    )
    assert after(world, "start boil", "wait 6", "start drain", "start mop").ended == "completed"
    step = world.step(after(world, "start boil"), {"agent": Start("mop")})
    if not goes_on:
        assert (step.state.time, step.state.ended) == (7, "missed")
        return
    assert step.state.ended == "stuck" and world.outcome(step.state).numbers["score"] == 66.6667
    late = after(world, "start boil", "wait 7")
    assert why(world, late, "start drain") == "too_late" and menu(world, late) == ["start mop", "wait 1"]


def test_deadlines_are_missed_at_the_first_moment_at_which_they_cannot_be_kept() -> None:
    world = of(Activity("post", 3, 1, deadline=10), Activity("nap", 9, 9))
    assert after(world, "start nap").time == 8  # post could start at 7 at the latest
    assert after(world, "start nap").ended == "missed"
    assert after(world, "start post", "start nap").ended == "completed"


def test_a_machine_is_in_the_state_that_was_set_last() -> None:
    world = of(
        Activity("heat", 2, 0, resources=("oven",), sets=HOT),
        Activity("chill", 2, 0, resources=("oven",), sets=COLD),
        Activity("bake", 5, 0, resources=("oven",), requires=HOT),
    )
    assert why(world, world.start(), "start bake") == "wrong_state"
    state = after(world, "start heat", "wait")
    assert why(world, state, "start bake") == ""
    state = after(world, "start chill", "wait", state=state)
    assert state.ended == "stuck"  # the only heat is done, and bake can never start


def test_setups_of_one_time_and_length_share_a_machine() -> None:
    """Two recipes heat the oven together; what needs it as it is may join if it was so before."""
    heats = [Activity(f"heat {n}", 3, 0, resources=("oven",), sets=HOT) for n in (1, 2)]
    other = Activity("heat less", 2, 0, resources=("oven",), sets=HOT)
    world = of(*heats, other, Activity("dry", 3, 0, resources=("oven",)))
    state = after(world, "start heat 1")
    assert why(world, state, "start heat 2") == "" and why(world, state, "start heat less") == "resource_busy"
    assert why(world, state, "start dry") == "resource_busy"  # the oven was in no state before
    state = after(world, "wait", state=state)
    assert why(world, after(world, "start dry", state=state), "start heat 2") == ""
    later = after(world, "start heat 2", "wait 1", state=state)
    assert why(world, later, "start dry") == "resource_busy"  # not of the same start


def test_work_by_hand_is_done_in_pieces() -> None:
    chop = Activity("chop", 8, 8, preemptive=True)
    world = of(chop, Activity("boil", 6, 0), Activity("drain", 2, 2, ("boil",)), grid=2)
    state = after(world, "start boil")
    assert menu(world, state) == ["start chop", "start chop for 6", "wait"]
    assert why(world, state, "start chop for 0") == why(world, state, "start chop for 8") == "no_such_piece"
    assert why(world, state, "start boil for 2") == "under_way"
    assert why(world, world.start(), "start boil for 2") == "not_interrupted"
    state = after(world, "start chop for 6", "start drain", state=state)
    assert state.time == 8 and "Interrupted: chop" in world.describe(state)
    assert after(world, "resume chop", state=state).time == 10
    # the same as a schedule: chop 0-6 and 8-10
    starts = {"chop": 0, "chop+6": 8, "boil": 0, "drain": 6}
    words = [world.words(decision) for decision in world.plan(starts)]
    assert words == ["start boil", "start chop for 6", "start drain", "start chop"]


def test_pieces_of_one_activity_are_one_activity_to_whoever_looks_on() -> None:
    world = of(Activity("chop", 4, 4, preemptive=True), Activity("boil", 2, 1))
    episode = play_now(
        world, PlanPolicy("x", ("start chop for 2", "start boil", "start chop"), informed=False)
    )
    told = [(event.time, event.what, event.label) for event in episode.events() if event.what != "score"]
    assert told == [
        *((0, "start", "chop"), (2, "pause", "chop")),
        *((2, "start", "start boil"), (2, "start", "boil"), (3, "end", "start boil")),
        *((3, "resume", "chop"), (4, "end", "boil"), (5, "end", "chop")),
    ]


def test_a_refused_decision_costs_a_tick_and_is_told_until_the_next_decision() -> None:
    world = of(Activity("boil", 5, 1), Activity("drain", 1, 1, ("boil",)))
    state = world.step(world.start(), {"agent": Start("drain")}).state
    assert state.time == 1 and "drain comes after boil." in world.describe(state)
    silent = world.step(state, {"agent": Silence(2)}).state
    assert silent.time == 3 and silent.refusal == state.refusal
    assert world.step(state, {"agent": Wait(1)}).state.refusal is None
    assert why(world, world.start(), "wait") == "nothing_to_wait_for"


def test_what_takes_no_time_is_over_at_once() -> None:
    """As the first and last activities of PSPLIB's projects: 0, then 3 and 2 with one unit, then 0 at 5."""
    crew = Resource("crew")
    ends = Activity("source", 0, 0), Activity("sink", 0, 0, ("dig", "lay"))
    work = (Activity(name, d, 0, ("source",), ("crew",)) for name, d in (("dig", 3), ("lay", 2)))
    world = of(*ends, *work, resources=(crew,))
    assert menu(world, world.start()) == ["start source"]
    state = after(world, "start source", "start dig", "wait", "start lay", "wait")
    assert (state.time, menu(world, state)) == (5, ["start sink"])
    assert after(world, "start sink", state=state).ended == "completed"
    words = [world.words(d) for d in world.plan({"sink": 5, "lay": 3, "dig": 0, "source": 0})]
    assert words == ["start source", "start dig", "wait 3", "start lay", "wait 2", "start sink"]
    assert solve_world(world).objective == 5


def test_play_is_cut_off_by_the_limit_of_the_file() -> None:
    world = of(Activity("boil", 5, 1))
    limited = type(world)(world.id, world.scenario, world.rules, type(world.limits)(4))
    state = after(limited, "start boil")
    assert (state.time, state.ended, limited.outcome(state).status) == (4, "time", "cut off")
