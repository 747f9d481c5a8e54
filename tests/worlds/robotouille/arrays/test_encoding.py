"""Robotouille in numbers: codes beside the menu, features beside observations, scores and bounds."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

import backburner
from backburner.agents.planned import shipped_plan
from backburner.arrays.encoding import encoding_of
from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.worlds.robotouille.arrays.encoding import RobotouilleEncoding, encoding
from backburner.worlds.robotouille.game.state import State

KITCHENS = [
    *registry.expand("robotouille/quick"),
    "robotouille/synchronous/9@seed=84",
    "robotouille/asynchronous/4@seed=42",
    "robotouille/asynchronous/8@seed=126",
    "robotouille/asynchronous/10@seed=42",
    "robotouille/multi_agent/4@seed=42",
    "robotouille/multi_agent/7@play=together,seed=84",
    "robotouille/multi_agent/10@play=dispatcher,robots=3,seed=42",
    "robotouille/extra/fries_and_sandwich",
]


def world_of(id: str, rules: str = "standard", limits: str = "none") -> Any:
    return backburner.world(id, rules=rules, limits=limits)


def walk(world: Any, numbers: RobotouilleEncoding, steps: int, seed: int) -> Iterator[State]:
    """States of menu play; now and then somebody does something that nobody lets them."""
    draw, state = random.Random(seed), world.start()
    for _ in range(steps):
        yield state
        decisions = {}
        for seat in world.deciders(state):
            rows = numbers.mask(state, seat)
            codes = [draw.choice([code for code, is_open in enumerate(row) if is_open]) for row in rows]
            if draw.random() < 0.1:
                codes = [draw.randrange(len(row)) for row in rows]
            decisions[seat] = numbers.decision(state, seat, codes)
        if not decisions:
            return
        state = world.step(state, decisions).state


# --- codes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", KITCHENS)
def test_open_codes_and_the_menu_are_the_same(id: str) -> None:
    world = world_of(id)
    numbers = encoding(world)
    assert len(set(numbers.actions)) == len(numbers.actions) < 100
    for state in walk(world, numbers, 60, seed=1):
        for seat in world.seats:
            rows, bodies = numbers.mask(state, seat), numbers.bodies[seat]
            if seat not in world.deciders(state):
                assert [sum(row) for row in rows] == [1] * len(bodies) and all(row[0] for row in rows)
                continue
            menu = world.menu(state, seat).options
            offered = {option.decision.acts for option in menu if not option.passes}
            found = set()
            for place, row in enumerate(rows):
                for code in (code for code, is_open in enumerate(row) if is_open and code):
                    codes = [0] * len(bodies)
                    codes[place] = code
                    found.add(numbers.decision(state, seat, codes).acts)
            assert found == offered
            assert sum(map(sum, rows)) == len(offered) + len(bodies), "one code for each action on the menu"


@pytest.mark.parametrize("id", KITCHENS)
def test_the_world_accepts_a_code_exactly_where_the_mask_has_it(id: str) -> None:
    world = world_of(id)
    numbers = encoding(world)
    for number, state in enumerate(walk(world, numbers, 40, seed=2)):
        if number % 4 or not world.deciders(state):
            continue
        waiting = {
            seat: numbers.decision(state, seat, [0] * len(numbers.bodies[seat])) for seat in world.seats
        }
        for seat in world.deciders(state):
            for place, row in enumerate(numbers.mask(state, seat)):
                for code, is_open in enumerate(row):
                    codes = [0] * len(numbers.bodies[seat])
                    codes[place] = code
                    decisions = waiting | {seat: numbers.decision(state, seat, codes)}
                    assert bool(world.step(state, decisions).refusals) != is_open, numbers.actions[code]


def test_codes_leave_out_what_follows_from_where_the_robot_is() -> None:
    world = world_of("robotouille/synchronous/1@seed=42")
    numbers = encoding(world)
    named = {name.partition(" ")[0] for name in numbers.actions if " " in name}
    assert named == {"move", "stack", "unstack"}
    state, seat = world.start(), "robot1"
    code = numbers.actions.index("place-item")
    decision = numbers.decision(state, seat, [code])
    assert decision.acts == ("place-item(i1=nothing,p1=robot1,s1=table1)",)
    (refusal,) = world.step(state, {seat: decision}).refusals
    assert refusal.code == "unknown_action"


def test_a_code_may_be_open_for_one_robot_and_not_for_another() -> None:
    world = world_of("robotouille/multi_agent/10@play=dispatcher,robots=3,seed=42")
    numbers = encoding(world)
    assert numbers.bodies == {"dispatcher": ("robot1", "robot2", "robot3")}
    rows = numbers.mask(world.start(), "dispatcher")
    assert len({tuple(row) for row in rows}) > 1


# --- features -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", KITCHENS)
def test_features_tell_what_observations_tell(id: str) -> None:
    """Every fact that may change is a feature of its name, 1 if it holds."""
    world = world_of(id)
    numbers = encoding(world)
    names = numbers.feature_names
    assert len(set(names)) == len(names)
    for state in walk(world, numbers, 60, seed=3):
        layout = world.compiled.layout(state.kitchen)
        holds = {layout.words(atom) for atom in layout.true_atoms(state.kitchen.facts)}
        for seat in world.seats:
            for place, row in enumerate(numbers.features(state, seat)):
                told = dict(zip(names, row, strict=True))
                assert set(row) <= {0.0, 1.0}
                true = {name for name, value in told.items() if value}
                assert true - holds <= {"refused", f"is {numbers.bodies[seat][place]}"}
                fixed = {
                    layout.words(atom)
                    for atom in layout.true_atoms(world.compiled.start.facts)
                    if atom[0] not in world.compiled.domain.changing
                }
                assert holds - true == fixed
                assert bool(told["refused"]) == any(each.seat == seat for each in state.feedback.refusals)


def test_timers_and_steps_are_not_told() -> None:
    world = world_of("robotouille/asynchronous/3@seed=42")
    numbers = encoding(world)
    state = next(state for state in walk_of_plan(world, numbers) if state.kitchen.effects)
    other = replace(
        state,
        steps=state.steps + 5,
        kitchen=replace(
            state.kitchen,
            effects=tuple(
                replace(each, counts=tuple(count + 1 for count in each.counts))
                for each in state.kitchen.effects
            ),
        ),
    )
    assert numbers.features(other, "robot1") == numbers.features(state, "robot1")


def test_water_that_is_made_in_play_has_its_features_from_the_beginning() -> None:
    world = world_of("robotouille/asynchronous/10@seed=42")
    numbers = encoding(world)
    assert {"in(water1,pot1)", "isboiling(water2)", "addedto(onion1,water1)"} <= set(numbers.feature_names)
    last = list(walk_of_plan(world, numbers))[-1]
    assert [thing.name for thing in last.kitchen.made] == ["water1"]
    told = dict(zip(numbers.feature_names, numbers.features(last, "robot1")[0], strict=True))
    assert told["in(water1,bowl1)"] == told["isboiling(water1)"] == 1.0


# --- scores and bounds --------------------------------------------------------------------------------------


def walk_of_plan(world: Any, numbers: RobotouilleEncoding) -> list[State]:
    """The states of the shipped plan, which has to be played by codes."""
    policy = shipped_plan(world)
    assert policy is not None
    states = [world.start()]
    for entry in backburner.play_now(world, policy).entries:
        state, decisions = states[-1], {}
        for seat, answer in entry.answers.items():
            wanted, codes = answer.decision.acts, []
            for robot in numbers.robots_of[seat]:
                possible = numbers.codes.possible(state.kitchen, robot)
                codes.append(next((code for code, name in possible.items() if name in wanted), 0))
            decisions[seat] = numbers.decision(state, seat, codes)
            assert decisions[seat] == answer.decision
        states.append(world.step(state, decisions).state)
    return states


PLANNED = [*KITCHENS[:10], *(f"robotouille/multi_agent/{n}@seed=42" for n in (1, 4, 7, 10))]


@pytest.mark.parametrize("id", PLANNED)
def test_no_plan_is_shorter_than_the_bound_nor_better_than_the_potential(id: str) -> None:
    world = world_of(id, limits="article")
    numbers = encoding(world)
    states = walk_of_plan(world, numbers)
    final = numbers.score(states[-1])
    assert states[-1].ended == "completed" and 1 < final < 2
    assert numbers.potential(states[-1]) == 0 == numbers.score(states[0])
    for state in states[:-1]:
        assert 1 <= numbers.outlook.steps(state.kitchen) <= states[-1].steps - state.steps
        assert numbers.potential(state) >= final and numbers.score(state) == 0
    assert numbers.outlook.steps(states[0].kitchen) > 1, "and it tells something"


def test_a_bound_counts_what_is_missing() -> None:
    """Of a cheese sandwich the bread on a table is there; two things have to be stacked, one at a time."""
    world = world_of("robotouille/synchronous/1@seed=42")
    numbers = encoding(world)
    kitchen = world.start().kitchen
    missing = [lack.needed - (kitchen.facts & lack.mask).bit_count() for lack in numbers.outlook.lacks]
    assert missing == [0, 1, 1] and numbers.outlook.unit == 1
    assert numbers.outlook.steps(kitchen) == 2


def test_a_bound_shares_an_action_among_the_facts_that_it_brings() -> None:
    """Lettuce and tomato have to be cut and chicken fried, which takes an action each at least, and lettuce
    and tomato to be put at the table: that is a third of an action each, as putting something down may make
    three facts of the goal true (what lies at the table, on it, and clear)."""
    world = world_of("robotouille/asynchronous/3@seed=42")
    numbers = encoding(world)
    kitchen = world.start().kitchen
    missing = [lack.needed - (kitchen.facts & lack.mask).bit_count() for lack in numbers.outlook.lacks]
    assert sorted(missing) == [-1, -1, -1, 0, 1, 1, 1, 1, 1]
    assert numbers.outlook.steps(kitchen) == 4  # 3 + 2/3


def test_the_score_is_paid_for_the_goal_and_for_being_early() -> None:
    world = world_of("robotouille/synchronous/1@seed=42", limits="article")
    numbers = encoding(world)
    limit = world.limits.steps
    done = replace(world.start(), ended="completed", steps=limit // 2)
    assert numbers.score(done) == 2 - (limit // 2) / limit
    assert (
        numbers.score(replace(done, ended="finish")) == numbers.score(replace(done, ended="step_limit")) == 0
    )
    late = replace(world.start(), steps=limit)
    assert numbers.potential(late) == 0, "too late for the limit"


# --- what is not covered ------------------------------------------------------------------------------------


def test_released_rules_are_covered_as_far_as_nothing_is_made_without_end() -> None:
    world = world_of("robotouille/synchronous/3@seed=42", "released")
    numbers = encoding(world)
    for state in walk(world, numbers, 60, seed=4):
        if seats := world.deciders(state):
            offered = [option for option in world.menu(state, seats[0]).options if not option.passes]
            assert sum(numbers.mask(state, seats[0])[0]) == len(offered) + 1
    with pytest.raises(Refused, match="a pot is filled again and again"):
        encoding_of(world_of("robotouille/asynchronous/10@seed=42", "released"))
    with pytest.raises(Refused, match="a seat commands any robot"):
        encoding_of(world_of("robotouille/multi_agent/1@seed=42", "released"))


@pytest.mark.parametrize("kind", ["creation", "deletion"])
def test_domains_of_somebodys_own_in_which_things_come_and_go_are_refused(kind: str) -> None:
    from backburner.worlds.robotouille.game.scenarios import domain_of

    world = world_of("robotouille/asynchronous/10@seed=42")
    domain = domain_of(world.scenario)
    if kind == "deletion":
        actions = list(domain.action_defs)
        cut = next(n for n, action in enumerate(actions) if action.name == "cut")
        effect = actions[cut].sfx[0]
        actions[cut] = replace(actions[cut], sfx=(replace(effect, type="deletion", fx=()),))
        domain = replace(domain, action_defs=tuple(actions))
    own = type(world)(world.id, replace(world.scenario, domain=domain), world.rules, world.limits)
    told = "nothing says how many" if kind == "creation" else "things go away in this domain"
    with pytest.raises(Refused, match=told):
        encoding(own)
