"""Known plans, improved: no-ops left out, and searches among operators like those of a plan."""

from __future__ import annotations

import pytest

from backburner.planning.astar import Limits
from backburner.planning.grounding import OperatorSubset
from backburner.planning.planner import Known, PlanNeighbourhood, Planner, without_no_ops
from backburner.planning.task import Task, Turns
from support.planning.checks import check_post_optimisation, kitchen, term
from support.planning.laundry import laundry

CUT = [term("iscut", ("lettuce", 1))]
COOKED = [term("iscooked", ("patty", 1))]
COOK = "cook(i1=patty1,p1=robot1,s1=stove1)"

ONE_ALONE = (
    "move(p1=robot1,s1=table1,s2=table2)",
    "",
    "pick-up-item(i1=lettuce1,p1=robot1,s1=table2)",
    "",
    "move(p1=robot1,s1=table2,s2=board1)",
    "",
    "place-item(i1=lettuce1,p1=robot1,s1=board1)",
    "",
    *("cut(i1=lettuce1,p1=robot1,s1=board1)", "") * 3,
)


def for_two() -> Task:
    """Two robots: one at a table with nothing to do there, one at a stove."""
    return kitchen(["table", "table lettuce", "board", "stove", "table"], robots=(0, 3), goal=CUT)


def has(subset: OperatorSubset, task: Task, name: str) -> bool:
    table = task.table(task.initial.created)
    operator = task.named(table, name)
    assert operator is not None
    return subset.has(table, operator)


@pytest.mark.parametrize("any_agent", [False, True])
def test_a_plan_s_neighbourhood_has_its_operators_and_ways_between_its_places(any_agent: bool) -> None:
    task = for_two()
    plan = [(name,) for name in ONE_ALONE]
    subset = PlanNeighbourhood(task, plan, any_agent)
    assert all(has(subset, task, name) for name in ONE_ALONE if name)
    assert has(subset, task, "move(p1=robot1,s1=board1,s2=table1)")
    # The other robot stands at the stove in the beginning; nobody ever goes to the third table.
    assert has(subset, task, "move(p1=robot2,s1=stove1,s2=table2)") == any_agent
    assert has(subset, task, "move(p1=robot1,s1=table1,s2=stove1)") == any_agent
    assert not has(subset, task, "move(p1=robot2,s1=stove1,s2=table3)")
    assert not has(subset, task, "place-item(i1=lettuce1,p1=robot1,s1=table2)")
    assert has(subset, task, "cut(i1=lettuce1,p1=robot2,s1=board1)") == any_agent


def test_an_operator_that_there_is_not_is_named() -> None:
    with pytest.raises(KeyError, match="juggle"):
        PlanNeighbourhood(for_two(), [("juggle(i1=lettuce1)",)], any_agent=True)


def test_in_a_plan_s_neighbourhood_a_shorter_plan_is_found() -> None:
    """In turn, one robot alone takes 13 steps, seven operators and the other's six turns between them. None
    that takes part with it makes it fewer; a plan that dawdles is shortened to that."""
    task = for_two()
    dawdling = ("", "", *ONE_ALONE)
    subset = PlanNeighbourhood(task, [(name,) for name in dawdling], any_agent=True)
    planner = Planner(task, Known(dawdling), subset=subset)
    planner.run(Limits(seconds=60, states=100_000))
    assert planner.is_proven and planner.plan is not None and len(planner.plan) == 13


@pytest.mark.parametrize(
    ("any_agent", "plan", "left"),
    [
        # Any robot may act at any time: only the waits behind the cooking are of use, three in all with the
        # step of the cooking itself; what comes after the goal is cut off.
        (True, ["", "", COOK, "", "", "", "", ""], [COOK, "", "", ""]),
        # In turn, each robot in its own: two steps at a time, so that every action stays in its robot's turn.
        (False, ["", "", "", "", COOK, "", "", "", "", ""], [COOK, "", "", ""]),
    ],
)
def test_only_useful_waits_stay(any_agent: bool, plan: list[str], left: list[str]) -> None:
    task = kitchen(["stove patty", "table"], robots=(0, 1), goal=COOKED)
    task.turns = Turns("alternating", task.agents, any_agent)
    assert without_no_ops(task, [(name,) for name in plan]) == [(name,) for name in left]
    check_post_optimisation(task, plan)


def test_a_plan_that_cannot_be_played_stays_as_it_is() -> None:
    task = kitchen(["stove", "table patty"], robots=(0, 1), goal=COOKED)
    task.turns = Turns("alternating", task.agents, any_agent=True)
    plan: list[tuple[str, ...]] = [("",), (COOK,)]
    assert without_no_ops(task, plan) == plan


FOLDED = (
    "take(r=robot1,s=shirt1,p=basket1)",
    "walk(r=robot1,from=basket1,to=line1)",
    "hang(r=robot1,s=shirt1,p=line1)",
    *("",) * 4,
    "take(r=robot1,s=shirt1,p=line1)",
    "walk(r=robot1,from=line1,to=table1)",
    "lay(r=robot1,s=shirt1,p=table1)",
    "",
    "fold(r=robot1,s=shirt1,p=table1)",
)


def test_a_shirt_hangs_no_longer_than_it_has_to() -> None:
    """Drying takes the step of the hanging and one more: of five waits one is left."""
    steps = without_no_ops(laundry(), [(name,) for name in FOLDED])
    assert [names[0] for names in steps] == [*FOLDED[:3], "", *FOLDED[7:10], FOLDED[11]]
    check_post_optimisation(laundry(), FOLDED)
