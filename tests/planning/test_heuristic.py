"""The heuristic: admissible in every state, and in plain tasks as high as can be counted by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from backburner.planning.abstraction import Relevance
from backburner.planning.goals import GoalAssignments
from backburner.planning.grounding import GroundTask
from backburner.planning.heuristic import HeuristicFactory
from backburner.planning.task import Task, Turns
from backburner.planning.variables import StateSpace
from backburner.worlds.robotouille.game.world import Robotouille
from backburner.worlds.robotouille.oracle.planning_task import task_of, to_state
from support.planning.checks import check_heuristic, check_pattern_databases, check_planner, kitchen, term
from support.planning.laundry import laundry
from support.robotouille.random_kitchens import choices, worlds

LETTUCE, PATTY, TABLE, BREAD = ("lettuce", 1), ("patty", 2), ("table", 3), ("bread", 4)
CUT = [term("iscut", LETTUCE)]
SERVED = [term("iscooked", PATTY), term("item_at", PATTY, TABLE), term("clear", PATTY)]
STACKED = [term("item_on", BREAD, TABLE), term("item_at", PATTY, TABLE), term("clear", PATTY)]
SOUP = [term("in", ("water", 5), ("pot", 6)), term("addedto", LETTUCE, ("water", 5))]
BOWL = [term("in", ("water", 5), ("bowl", 7)), term("isboiling", ("water", 5))]


def initial_h(task: Task) -> int:
    return HeuristicFactory(StateSpace(task)).initial_h


PLAIN = {
    # Two ways: the tomato off the board (go, take, go, put), then the lettuce onto it (go, take, go, put)
    # and three cuts: 11.
    "a tomato is on the only board": (["table", "board tomato", "table lettuce"], CUT, 11),
    # Go, cook, and after something else or a wait, take, go, put. That more than one wait is needed is
    # not seen, as meanwhile something else could be done: 6.
    "nothing cooks while nobody does anything": (["table", "stove patty"], SERVED, 6),
    # The patty leaves the table (take, go, put), the bread comes (go, take, go, put), then the patty
    # (go, take, go, put): 11.
    "the patty lies where the bread has to": (["table patty", "stove bread", "board"], STACKED, 11),
    # The pot into the sink (go, take, go, put) and filled, the lettuce to it (go, take, go, add): 9.
    "a soup": (["board", "table pot", "sink", "stove lettuce"], SOUP, 9),
}


@pytest.mark.parametrize("name", PLAIN)
def test_what_a_plan_cannot_do_without_is_counted(name: str) -> None:
    stations, goal, steps = PLAIN[name]
    assert initial_h(kitchen(stations, goal=goal)) == steps


SMALL: list[tuple[list[str], list[dict[str, Any]]]] = [
    *((stations, goal) for stations, goal, _ in PLAIN.values()),
    # Cooking that was stopped goes on where it stopped, on another stove, too.
    (["table", "stove", "stove patty"], SERVED),
    (["table bread", "stove patty", "board"], STACKED),
    (["stove", "sink pot", "table bowl"], BOWL),
]

FOR_TWO: list[tuple[list[str], list[dict[str, Any]]]] = [
    (["table", "board tomato", "table lettuce"], CUT),
    (["table patty", "stove bread", "table"], STACKED),
    (["table bread", "stove patty", "table"], SERVED),
    (["stove", "sink pot", "table"], [term("isboiling", ("water", 5))]),
]

ORDERS: list[dict[str, Any]] = [
    {"order": "alternating"},
    {"order": "alternating", "any_agent": True},
    {"order": "joint"},
    {"order": "free"},
]


@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("case", range(len(SMALL)))
def test_in_no_state_of_a_kitchen_is_h_more_than_the_steps_left(case: int, rules: str) -> None:
    stations, goal = SMALL[case]
    task = kitchen(stations, goal=goal, rules=rules)
    check_pattern_databases(task)
    check_heuristic(task)


@pytest.mark.parametrize("turns", ORDERS)
@pytest.mark.parametrize("case", range(len(FOR_TWO)))
def test_in_no_state_of_two_robots_is_it_more(case: int, turns: dict[str, Any]) -> None:
    stations, goal = FOR_TWO[case]
    task = kitchen(stations, goal=goal, robots=(0, 2))
    task.turns = Turns(agents=task.agents, **turns)
    check_heuristic(task)


@pytest.mark.parametrize("turns", ORDERS)
@pytest.mark.parametrize("size", [{}, {"shirts": 2, "n_folded": 2}, {"lines": 2, "tables": 2}])
def test_in_no_state_of_a_laundry_is_it_more(size: dict[str, int], turns: dict[str, Any]) -> None:
    task = laundry(robots=2, **size, **turns)
    check_pattern_databases(task)
    check_heuristic(task)


LOOKED_AHEAD = 3


@settings(max_examples=15)
@given(worlds(), choices)
def test_a_goal_that_is_near_is_not_said_to_be_further(world: Robotouille, numbers: list[int]) -> None:
    """Wherever play has come to. That h of one state is 2 less than that of the one before happens: what a
    robot has just taken may not go back where it was, which is not kept of a state."""
    compiled = world.compiled
    task = task_of(compiled, "turns")
    task.turns = Turns("alternating", task.agents, any_agent=True)
    space = StateSpace(task)
    heuristic = HeuristicFactory(space).below(None)
    state = compiled.start
    for number in numbers[:20]:
        actions = compiled.applicable(state)
        state = compiled.step(state, [actions[number % len(actions)]])
    layer = {state}
    for steps in range(LOOKED_AHEAD + 1):
        if any(map(compiled.reached, layer)):
            assert heuristic(space.encode(to_state(state), task.phase))[0] <= steps
            return
        layer = {compiled.step(one, [action]) for one in layer for action in compiled.applicable(one)}


def test_goals_that_cannot_be_reached_are_known() -> None:
    """There is no line to dry on, or no second shirt."""
    assert HeuristicFactory(StateSpace(laundry(lines=0))).is_unsolvable
    assert HeuristicFactory(StateSpace(laundry(n_folded=2))).is_unsolvable
    assert not HeuristicFactory(StateSpace(laundry())).is_unsolvable


def test_of_symmetric_goals_one_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shirt may be folded on either of two tables."""
    task = laundry(tables=2, lines=2)
    assignments = GoalAssignments(GroundTask(task))
    symmetries = assignments.location_symmetries()
    names = [thing.name for thing in assignments.ground.table.objects]
    assert [[names[one] for one in group] for group in symmetries] == [
        ["line1", "line2"],
        ["table1", "table2"],
    ]
    assert len(list(assignments.location_goals())) == 2
    assert len(list(assignments.location_goals(symmetries))) == 1
    monkeypatch.setattr("backburner.planning.heuristic.FEW_GOALS", 1)
    factory = HeuristicFactory(StateSpace(task))
    assert len(factory.goals) == 1 and len(factory.fixed_objects) == 4
    check_planner(task)


def test_facts_that_lead_to_nothing_wanted_are_left_out() -> None:
    """The goal wants the lettuce cut; whether the tomato is, is irrelevant."""
    ground = GroundTask(kitchen(["board tomato", "table lettuce"], goal=CUT))
    relevance = Relevance(ground, GoalAssignments(ground).facts)
    things = {thing.name: index for index, thing in enumerate(ground.table.objects)}
    cut = next(number for number, one in enumerate(ground.task.predicates) if one.name == "iscut")
    relevant = {name: bool(relevance.relevant & ground.table.bit(cut, (things[name],))) for name in things}
    assert relevant["lettuce1"] and not relevant["tomato1"]
    assert relevance.locations[things["tomato1"]] == {things["board1"]}
