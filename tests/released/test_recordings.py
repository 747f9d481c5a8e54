"""How recordings are compared: to the last case, whatever differs before."""

from __future__ import annotations

from support.recordings import Comparison, each


def test_one_difference_hides_none_behind_it() -> None:
    def check(case: dict[str, int]) -> int:
        assert case["found"] == 1, "found something else"
        return case["found"]

    comparison = Comparison("file.json", "steps")
    for name, compared in each([{"found": 1}, {"found": 2}, {}, {"found": 1}], check):
        comparison.add(name, compared)
    told = f"{comparison}"
    assert told.startswith(
        "file.json: 4 cases, 2 equal, 2 different; 2 steps; first difference: number 1: found"
    )
    assert [one.partition(":")[0] for one in comparison.different] == ["number 1", "number 2"]
    assert comparison.different[1] == "number 2: KeyError: 'found'"


def test_where_all_are_equal_that_is_told() -> None:
    comparison = Comparison("file.json", "steps")
    comparison.add("one", lambda: 3)
    assert f"{comparison}" == "file.json: 1 cases, 1 equal, 0 different; 3 steps; first difference: none"
