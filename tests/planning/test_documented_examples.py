"""The worked examples of docs/search.md have the numbers that the planner computes."""

from __future__ import annotations

from pathlib import Path

from backburner.planning.heuristic import HeuristicFactory
from backburner.planning.pattern_database import ANYTHING, AbstractState, Projection
from backburner.planning.variables import StateSpace
from support.planning.checks import kitchen, space_of, term

PAGE = Path(__file__).resolve().parents[2] / "docs" / "search.md"


def table_under(header: str) -> list[list[str]]:
    """The rows of the page's table with this header."""
    lines = PAGE.read_text().partition(f"{header}\n")[2].splitlines()[1:]
    rows = lines[: next(place for place, line in enumerate(lines) if not line.startswith("|"))]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_the_projection_that_is_worked_out_by_hand() -> None:
    goal = [term("item_on", ("cheese", 1), ("board", 2))]
    task = kitchen(["table cheese", "table", "board"], goal=goal)
    collection = HeuristicFactory(StateSpace(task)).collection
    assert collection is not None
    (key,) = collection.keys
    (location_goal,) = collection.assignments.location_goals()
    projection = collection.projections[key[0]]
    distances = collection.distances(key, location_goal)
    rows = {
        (*described(projection, state), str(distance))
        for state, distance in zip(projection.states, distances, strict=True)
        if state is not ANYTHING
    }
    told = table_under("| cheese1 | robot1 | distance | what is left |")
    assert rows == {(where, robot, distance) for where, robot, distance, _ in told}
    for _, _, distance, left in told:
        assert len(left.split(", ") if left else []) == int(distance)
    initial = distances[projection.number_of(task.initial)]
    assert initial == space_of(task).h[task.initial, task.phase] == 3
    assert "the initial h is 3" in " ".join(PAGE.read_text().split())


def described(projection: Projection, state: AbstractState) -> tuple[str, str]:
    """Where the cheese is, and the robot, as the page has it."""
    table, pattern = projection.ground.table, projection.pattern
    lies = [
        table.objects[atom[1][1]].name
        for place, atom in enumerate(table.atoms)
        if table.predicates[atom[0]].name == "item_on" and pattern.project(1 << place) & state.facts
    ]
    agents = {(bool(one.carries), table.atom(one.position)[1][1]) for one in state.agents}
    if not lies:
        ((carries, place),) = agents
        assert carries
        return "carried", f"at {table.objects[place].name}"
    return f"on {lies[0]}", "beside it" if agents else "elsewhere"


def test_the_pattern_databases_of_the_second_example() -> None:
    task = kitchen(["table", "board tomato", "table lettuce"], goal=[term("iscut", ("lettuce", 1))])
    factory = HeuristicFactory(StateSpace(task))
    collection = factory.collection
    assert collection is not None
    names = [thing.name for thing in collection.ground.table.objects]
    rows = set()
    for key in collection.keys:
        projection = collection.projections[key[0]]
        owner, context = (
            [names[one] for one in side] for side in (projection.pattern.owners, projection.pattern.context)
        )
        distance = collection.distances(key, {})[projection.number_of(task.initial)]
        rows.add((", ".join(owner), ", ".join(context), str(distance)))
    told = table_under("| owner | context | distance |")
    assert rows == {(owner, context, distance) for owner, context, distance in told}
    assert factory.initial_h == space_of(task).h[task.initial, task.phase] == 11
    assert "7 + max(0, 4) = 11" in PAGE.read_text()
