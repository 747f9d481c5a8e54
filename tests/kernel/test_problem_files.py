"""A problem out of a foreign file is what it declares, or one line says what it is not."""

from __future__ import annotations

from typing import Any

import pytest

from backburner.kernel import registry
from backburner.kernel.errors import BadFile
from backburner.kernel.files import Place, converted
from backburner.kernel.schedule import Problem, check_problem, problem_of

GOOD: dict[str, Any] = {
    "unit": "minutes",
    "space": "an example",
    "resources": [{"name": "oven"}, {"name": "crew", "capacity": 2}],
    "activities": [
        {"name": "heat", "duration": 4, "operator_time": 0, "resources": ["oven"],
         "sets": {"resource": "oven", "value": 350}},
        {"name": "bake", "duration": 6, "operator_time": 2, "predecessors": ["heat"], "resources": ["oven"],
         "requires": {"resource": "oven", "value": 350}, "max_lags": [{"after": "heat", "at_most": 4}]},
        {"name": "carry", "duration": 2, "operator_time": 2, "resources": ["crew"] * 2, "preemptive": True},
    ],
    "grid": 2,
}  # fmt: skip


def read(raw: dict[str, Any]) -> Problem:
    place = Place("p.json")
    return check_problem(converted(raw, Problem, place), place)


def test_what_is_right_is_taken_as_it_is() -> None:
    problem = read(GOOD)
    assert [activity.name for activity in problem.activities] == ["heat", "bake", "carry"]
    assert problem.activities[1].max_lags[0].at_most == 4


@pytest.mark.parametrize(
    ("number", "field", "value", "why"),
    [
        (1, "duration", -1, r"activities\[1\] 'bake', field 'duration': is -1; it is from 0 to 10000000"),
        (1, "operator_time", 8, r"activities\[1\] 'bake', field 'operator_time': 8; its duration is 6"),
        (1, "predecessors", ["heet"], r"'bake', predecessors\[0\] 'heet': unknown activity 'heet'"),
        (0, "predecessors", ["bake"], r"bake.*heat|heat.*bake"),
        (2, "resources", ["crew"] * 3, r"'carry', field 'resources': 3 of 'crew', which has 2"),
        (2, "resources", ["cew"], r"unknown resource 'cew'; did you mean crew\?"),
        (1, "requires", {"resource": "crew", "value": 1}, r"field 'requires': 'crew' has 2 units"),
        (0, "resources", [], r"'heat', field 'sets': it does not hold 'oven'"),
        (0, "preemptive", True, r"'heat', field 'preemptive': only work by hand"),
        (2, "release", 3, r"'carry', field 'release': 3 is no multiple of the grid of 2"),
        (1, "name", "heat", r"'heat' stands here twice"),
        (1, "name", "a\nb", r"write one line"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(number: int, field: str, value: Any, why: str) -> None:
    activities = [dict(each) for each in GOOD["activities"]]
    activities[number][field] = value
    with pytest.raises(BadFile, match=why):
        read({**GOOD, "activities": activities})


@pytest.mark.parametrize(
    "id", ["timearena/cooking1", "recipe2plan/Cobbler+Pancakes@lags=on", "desk/plain/03"]
)
def test_what_worlds_state_is_right(id: str) -> None:
    problem = problem_of(registry.world(id))
    assert check_problem(problem, Place(id)) == problem
