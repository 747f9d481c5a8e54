"""The ground task: operators, and when one agent represents all."""

from __future__ import annotations

from typing import Any

from backburner.planning.grounding import GroundTask
from backburner.planning.planner import PlanNeighbourhood
from backburner.planning.task import Task
from support.planning.checks import check_grounding, kitchen, term
from support.planning.laundry import laundry

CUT = [term("iscut", ("lettuce", 1))]
STATIONS = ["table", "table lettuce", "board", "stove"]


def task_with(*robots: int) -> Task:
    return kitchen(STATIONS, robots=robots, goal=CUT)


def words(ground: GroundTask, facts: int) -> set[str]:
    return {ground.table.words(atom) for atom in ground.table.true_atoms(facts)}


def test_all_that_can_be_applied_is_grounded() -> None:
    tasks: list[Any] = [laundry(robots=2, shirts=2), kitchen(["stove", "sink pot", "table bowl"], goal=CUT)]
    for task in tasks:
        check_grounding(task)


def test_an_operator_s_cost_goes_to_what_its_agent_carries_or_works_on() -> None:
    ground = GroundTask(laundry())
    owners = {
        operator.name: None if owner is None else ground.table.objects[owner].name
        for operator, owner in ground.cost_owner.items()
    }
    assert owners["walk(r=robot1,from=basket1,to=line1)"] is None
    assert {owner for name, owner in owners.items() if not name.startswith("walk")} == {"shirt1"}


def test_one_agent_represents_two_that_can_do_the_same() -> None:
    ground = GroundTask(task_with(0, 3))
    first, second = ground.agents
    assert ground.representatives == [first]
    there = ground.facts & ground.position[second]
    assert words(ground, there) == {"loc(robot2,stove1)"}
    assert words(ground, ground.as_representative(second, there)) == {"loc(robot1,stove1)"}
    assert ground.as_representative(first, ground.facts) == ground.facts


def test_either_may_begin_where_the_other_does() -> None:
    ground = GroundTask(task_with(0, 3))
    initial = ground.initial_facts
    places = {frozenset(one for one in words(ground, facts) if one.startswith("loc")) for facts in initial}
    assert places == {
        frozenset({"loc(robot1,table1)", "loc(robot2,stove1)"}),
        frozenset({"loc(robot1,stove1)", "loc(robot2,table1)"}),
    }


def test_agents_that_a_plan_gives_different_operators_are_told_apart() -> None:
    task = task_with(0, 3)
    plan = [("move(p1=robot1,s1=table1,s2=table2)",)]
    ground = GroundTask(task, PlanNeighbourhood(task, plan, any_agent=False))
    assert ground.representatives == ground.agents and len(list(ground.initial_facts)) == 1
