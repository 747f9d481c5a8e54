"""What holds in every play: random kitchens, rules and limits, good and bad decisions."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.kernel.activities import activities
from backburner.kernel.values import Event, canonical_json, digest
from backburner.worlds.robotouille.game.rule_set import NO_LIMITS, Rules
from backburner.worlds.robotouille.game.schema import CONTAINER, ITEM, MEAL, PLAYER, STATION
from backburner.worlds.robotouille.game.state import Acts, State
from backburner.worlds.robotouille.game.world import Robotouille
from support.robotouille.kitchens import facts
from support.robotouille.random_kitchens import choices, refused, rule_sets, walk, worlds

some = settings(max_examples=50)


@some
@given(worlds(), choices)
def test_a_state_never_changes_in_place(world: Robotouille, numbers: list[int]) -> None:
    turns = [(canonical_json(turn.before), hash(turn.before), turn) for turn in walk(world, numbers)]
    for written, hashed, turn in turns:
        assert canonical_json(turn.before) == written and hash(turn.before) == hashed
        assert world.step(turn.before, turn.decisions) == turn.step


@pytest.mark.slow
@some
@given(worlds(), choices)
def test_another_world_takes_over_at_any_state(world: Robotouille, numbers: list[int]) -> None:
    """What a world keeps to be quick makes no difference, also to things made in play."""
    other = Robotouille(world.id, world.scenario, world.rules, world.limits)
    for turn in reversed(list(walk(world, numbers))):
        step = other.step(turn.before, turn.decisions)
        assert digest(step.state) == digest(turn.step.state)
        assert step == turn.step
        for seat in other.deciders(step.state):
            assert other.observe(step.state, seat) == world.observe(step.state, seat)


@pytest.mark.slow
@some
@given(worlds(), choices)
def test_states_events_and_decisions_come_back_from_json(world: Robotouille, numbers: list[int]) -> None:
    for turn in walk(world, numbers):
        state = turn.step.state
        back = msgspec.json.decode(msgspec.json.encode(state), type=State)
        assert back == state and hash(back) == hash(state) and digest(back) == digest(state)
        for event in turn.step.events:
            assert msgspec.json.decode(msgspec.json.encode(event), type=Event) == event
        for decision in turn.decisions.values():
            if isinstance(decision, Acts):
                assert msgspec.json.decode(msgspec.json.encode(decision), type=Acts) == decision


# --- the kitchen ------------------------------------------------------------------------------------


def facts_about(world: Robotouille, state: State, *predicates: str) -> Counter[str]:
    """How often each thing stands first in facts of these predicates."""
    found = (fact.rstrip(")").partition("(") for fact in facts(world, state))
    return Counter(things.split(",")[0] for predicate, _, things in found if predicate in predicates)


def of_type(world: Robotouille, state: State, type: str) -> list[str]:
    return [thing.name for thing in world.compiled.layout(state.kitchen).objects if thing.type == type]


@pytest.mark.slow
@some
@given(worlds(), choices)
def test_every_thing_is_in_one_place(world: Robotouille, numbers: list[int]) -> None:
    """Items lie at a station, are held, or went into a meal; pots and bowls stand or are held; robots stand
    somewhere and have one thing in hand or nothing."""
    for turn in walk(world, numbers):
        state = turn.step.state
        item_held = [fact for fact in facts(world, state) if fact.startswith("has_item(")]
        held = Counter(fact.rstrip(")").split(",")[1] for fact in item_held)
        placed = facts_about(world, state, "item_at") + held
        eaten = facts_about(world, state, "addedto")
        for item in of_type(world, state, ITEM):
            assert placed[item] + (eaten[item] > 0) == 1
        pot_held = [fact for fact in facts(world, state) if fact.startswith("has_container(")]
        stands = facts_about(world, state, "container_at")
        stands.update(fact.rstrip(")").split(",")[1] for fact in pot_held)
        assert all(stands[container] == 1 for container in of_type(world, state, CONTAINER))
        robots = of_type(world, state, PLAYER)
        assert facts_about(world, state, "loc") == Counter(robots)
        assert facts_about(world, state, "has_item", "has_container", "nothing") == Counter(robots)


@pytest.mark.slow
@some
@given(worlds(), choices)
def test_facts_that_say_the_same_agree(world: Robotouille, numbers: list[int]) -> None:
    """A station is free or taken, empty or not; one item of a stack lies on the station itself."""
    for turn in walk(world, numbers):
        state, true = turn.step.state, facts(world, turn.step.state)
        taken, full, bottoms = set[str](), set[str](), Counter[str]()
        for fact in true:
            predicate, _, rest = fact.rstrip(")").partition("(")
            things = rest.split(",")
            if predicate == "loc":
                taken.add(things[1])
            if predicate in ("item_at", "container_at"):
                full.add(things[1])
            if predicate == "item_on":
                bottoms[things[1]] += 1
                assert f"item_at({rest})" in true
            if predicate == "atop":
                assert f"clear({things[1]})" not in true
        for station in of_type(world, state, STATION):
            assert (station in taken) != (f"vacant({station})" in true)
            assert (station in full) != (f"station_empty({station})" in true)
            assert bottoms[station] <= 1
        inside = facts_about(world, state, "in")
        assert all(inside[meal] == 1 for meal in of_type(world, state, MEAL))


@some
@given(worlds(), choices)
def test_things_made_in_play_stay(world: Robotouille, numbers: list[int]) -> None:
    for turn in walk(world, numbers):
        old, new = turn.before.kitchen.made, turn.step.state.kitchen.made
        assert new[: len(old)] == old
        names = [thing.name for thing in world.compiled.layout(turn.step.state.kitchen).objects]
        assert len(set(names)) == len(names)


@pytest.mark.slow
@some
@given(worlds(), choices)
def test_counts_never_go_back_nor_beyond_what_is_full(world: Robotouille, numbers: list[int]) -> None:
    compiled = world.compiled
    for turn in walk(world, numbers):
        before = {compiled.effects.identity(one.effect, one.args): one for one in turn.before.kitchen.effects}
        layout = compiled.layout(turn.step.state.kitchen)
        for one in turn.step.state.kitchen.effects:
            parts = compiled.effects.ground_nodes(layout, one.effect, one.args)
            assert all(count <= part.full for count, part in zip(one.counts, parts, strict=True))
            was = before.get(compiled.effects.identity(one.effect, one.args))
            if was is not None:
                assert all(new >= old for new, old in zip(one.counts, was.counts, strict=True))


# --- decisions ----------------------------------------------------------------------------------------


@pytest.mark.slow
@some
@given(worlds(), choices)
def test_what_is_refused_changes_nothing_in_the_kitchen(world: Robotouille, numbers: list[int]) -> None:
    """A decision point at which nothing was done, nor waited for, leaves kitchen and clock as they were."""
    for turn in walk(world, numbers):
        feedback = turn.step.state.feedback
        assert feedback.refusals == turn.step.refusals
        if feedback.refusals and not feedback.done and turn.step.state.steps == turn.before.steps:
            assert turn.step.state.kitchen == turn.before.kitchen
            assert not turn.step.events


@some
@given(worlds(), choices)
def test_options_of_a_menu_are_accepted(world: Robotouille, numbers: list[int]) -> None:
    for turn in walk(world, numbers[:12]):
        for seat in turn.decisions:
            menu = world.menu(turn.before, seat)
            idle = next(option.decision for option in menu.options if option.passes)
            for option in menu.options:
                decisions = dict.fromkeys(turn.decisions, idle) | {seat: option.decision}
                assert not refused(world.step(turn.before, decisions), seat)


@pytest.mark.slow
@some
@given(worlds(), choices)
def test_steps_pass_one_by_one_and_times_never_go_back(world: Robotouille, numbers: list[int]) -> None:
    now = 0.0
    for turn in walk(world, numbers):
        passed = turn.step.state.steps - turn.before.steps
        assert passed in (0, 1)
        for event in turn.step.events:
            assert now <= event.time <= turn.step.state.steps
            now = event.time
        assert world.limits.steps is None or turn.step.state.steps <= world.limits.steps


@pytest.mark.slow
@some
@given(worlds(), choices)
def test_activities_fill_the_time_that_they_take(world: Robotouille, numbers: list[int]) -> None:
    """Each robot's actions last a step and follow each other; a key is started once."""
    events = [event for turn in walk(world, numbers) for event in turn.step.events]
    started = [event.key for event in events if event.what == "start"]
    assert len(set(started)) == len(started)
    for one in activities(events):
        if one.lane in world.robots and one.start < one.end:
            assert one.complete and one.end == one.start + 1


@some
@given(worlds(), choices)
def test_why_play_is_over(world: Robotouille, numbers: list[int]) -> None:
    statuses = {"": "running", "completed": "ended", "finish": "ended"}
    for turn in walk(world, numbers):
        state = turn.step.state
        outcome = world.outcome(state)
        assert (outcome.status, outcome.reason) == (statuses.get(state.ended, "cut off"), state.ended)
        assert (world.deciders(state) == ()) == bool(state.ended)
        if turn.before.steps < state.steps:
            assert world.compiled.reached(state.kitchen) == (state.ended == "completed")
        if world.limits == NO_LIMITS:
            assert state.ended in ("", "finish", "completed")


def own_robots_only(rules: Rules) -> Rules:
    return msgspec.structs.replace(rules, any_robot=False, joint_step_breaks_off=False)


@some
@given(worlds(rule_sets().map(own_robots_only)), st.integers(0, 9999))
def test_nobody_commands_the_robots_of_others(world: Robotouille, number: int) -> None:
    state = world.start()
    for seat in world.deciders(state):
        own = set(world.seating.robots_of(seat))
        actions = [
            action for action in world.compiled.applicable(state.kitchen) if not own.issuperset(action.robots)
        ]
        for action in actions[number % 3 :: 3]:
            codes = [one.code for one in refused(world.step(state, {seat: Acts((action.name,))}), seat)]
            assert codes == ["other_robot"]
