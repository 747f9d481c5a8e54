"""Orders: Williams designs, rows given out evenly, trials in blocks; and items in an order of one's own."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from msgspec import to_builtins

from backburner.study.design import Study
from backburner.study.entries import Assigned
from backburner.study.stages import (
    items_at,
    most_trials,
    next_row,
    stages_of,
    table_of,
    trials_of,
    williams,
)
from support.study.studies import found


def condition(number: int) -> dict[str, Any]:
    return {"name": f"c{number}", "seats": {"*": "person"}}


def study_of(conditions: int, **changes: Any) -> Study:
    """The small study with so many conditions."""
    return found(conditions=[condition(number) for number in range(conditions)], **changes).study


def test_the_worked_example_of_four() -> None:
    # the first row zigzags 0, 3, 1, 2; each next row adds one to it
    assert williams(4) == ((0, 3, 1, 2), (1, 0, 2, 3), (2, 1, 3, 0), (3, 2, 0, 1))


@pytest.mark.parametrize("n", range(1, 12))
def test_places_and_followers_are_balanced(n: int) -> None:
    rows = williams(n)
    assert len(rows) == (n if n % 2 == 0 or n == 1 else 2 * n)
    places = Counter((place, one) for row in rows for place, one in enumerate(row))
    assert len(places) == n * n and len(set(places.values())) == 1
    follows = Counter(pair for row in rows for pair in pairwise(row))
    assert len(follows) == n * (n - 1) and len(set(follows.values())) <= 1


def test_rows_are_given_out_evenly_and_those_that_come_back_are_given_again() -> None:
    """Eight teams of four conditions have each row twice; whoever gives one back leaves it to the next."""
    study = study_of(4)
    taken: Counter[int] = Counter()
    for team in range(8):
        taken[next_row(study, taken, team)] += 1
    assert taken == dict.fromkeys(range(4), 2)
    taken[2] -= 1
    assert next_row(study, taken, 8) == 2


def test_between_subjects_a_row_is_one_condition() -> None:
    study = study_of(3, design={"kind": "between"})
    assert table_of(study) == (("c0",), ("c1",), ("c2",))
    trials = [trials_of(study, row, team) for team, row in enumerate(range(3))]
    assert [[trial.condition for trial in of_team] for of_team in trials] == [["c0"], ["c1"], ["c2"]]


@pytest.mark.parametrize(
    ("blocks", "order"),
    [("conditions", "c0 x, c0 y, c1 x, c1 y"), ("levels", "c0 x, c1 x, c0 y, c1 y")],
)
def test_trials_of_a_block_come_together(blocks: str, order: str) -> None:
    levels = [{"name": name, "scenarios": ["timearena/cooking1"]} for name in "xy"]
    study = study_of(2, levels=levels, design={"order": "given", "blocks": blocks})
    trials = trials_of(study, 0, 7)
    assert ", ".join(f"{trial.condition} {trial.level}" for trial in trials) == order
    mixed = study_of(2, levels=levels, design={"order": "given", "blocks": "none"})
    orders = {tuple((t.condition, t.level) for t in trials_of(mixed, 0, team)) for team in range(12)}
    assert len(orders) > 1 and {len(set(each)) for each in orders} == {4}


def test_a_condition_of_some_levels_is_played_on_those_alone() -> None:
    levels = [{"name": name, "scenarios": ["timearena/cooking1"]} for name in "xy"]
    conditions = [condition(0), condition(1) | {"levels": ["y"]}]
    study = found(conditions=conditions, levels=levels, design={"order": "given"}).study
    assert [(t.condition, t.level) for t in trials_of(study, 0, 0)] == [("c0", "x"), ("c0", "y"), ("c1", "y")]
    assert most_trials(study) == 3


def test_ratings_are_shuffled_for_each_participant_and_other_items_stay() -> None:
    likert = [{"kind": "likert", "name": f"r{n}", "text": "fun"} for n in range(4)]
    items = [likert[0], {"kind": "text", "name": "why", "text": "name"}, *likert[1:]]
    forms = found().study.questionnaires[:1]
    after = {"name": "after", "shuffled": True, "items": items}
    study = found(questionnaires=[*map(to_builtins, forms), after]).study
    placed = stages_of(study, Assigned(0.0, "t", 0, 0, 0, ("a",)))[-1]
    shown = {id: [item.name for item in items_at(study, placed, id)] for id in ("a", "b", "c", "d")}
    assert {names[1] for names in shown.values()} == {"why"}
    assert {frozenset(names) for names in shown.values()} == {frozenset(item["name"] for item in items)}
    assert len({tuple(names) for names in shown.values()}) > 1
    assert shown["a"] == [item.name for item in items_at(study, placed, "a")], "the same each time"
