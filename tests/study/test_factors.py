"""Factors: the conditions that they make, who plays which of them, and what is wrong with a file."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from backburner.kernel.errors import BadFile
from backburner.kernel.files import Place
from backburner.study.checking import check
from backburner.study.factors import design_of
from backburner.study.files import StudyFile, digest_of, parsed
from backburner.study.stages import group_of, most_trials, next_row, table_of, trials_of
from backburner.study.words import label_of
from support.study.studies import raw

PARTNER = {
    "name": "partner",
    "levels": [
        {"name": "strong", "seats": {"*": "person"}},
        {"name": "weak", "seats": {"*": "person"}, "options": {"bodies": "2"}},
    ],
}
PRESSURE = {
    "name": "pressure",
    "kind": "between",
    "levels": [{"name": "calm"}, {"name": "hurried", "options": {"orders": "3"}}],
}


def crossed(*factors: Any, conditions: Any = ()) -> Any:
    """The small study with factors in place of its conditions."""
    values = raw() | {"factors": list(factors), "conditions": list(conditions)}
    del values["questionnaires"][1]["items"][3]["conditions"]
    return parsed(values, "study.toml")


def test_the_conditions_are_all_combinations_of_levels_and_have_what_these_set() -> None:
    study = crossed(PARTNER, PRESSURE)
    assert study.condition_names == ("strong_calm", "strong_hurried", "weak_calm", "weak_hurried")
    assert study.condition("weak_hurried").options == {"bodies": "2", "orders": "3"}
    assert study.condition("weak_hurried").cell == {"partner": "weak", "pressure": "hurried"}
    assert design_of(study) == "2 x 2 mixed"


def test_a_condition_may_name_its_cell_and_others_stay_as_they_are() -> None:
    named = {"name": "worst", "cell": {"pressure": "hurried", "partner": "weak"}, "options": {"size": "9"}}
    practice = {"name": "warm_up", "seats": {"*": "person"}, "practice": True}
    study = crossed(PARTNER, PRESSURE, conditions=[practice, named])
    assert study.condition_names == ("strong_calm", "strong_hurried", "weak_calm", "worst", "warm_up")
    assert study.condition("worst").options == {"bodies": "2", "orders": "3", "size": "9"}


def test_a_cell_is_called_after_the_titles_of_its_levels() -> None:
    calm, hurried = PRESSURE["levels"]
    study = crossed(PARTNER, PRESSURE | {"levels": [calm | {"title": "read"}, hurried]})
    assert label_of(study, study.condition("weak_calm")) == "weak / Read this."


def test_each_group_between_subjects_has_the_orders_of_the_conditions_within() -> None:
    assert table_of(crossed(PARTNER, PRESSURE)) == (
        *(("strong_calm", "weak_calm"), ("weak_calm", "strong_calm")),
        *(("strong_hurried", "weak_hurried"), ("weak_hurried", "strong_hurried")),
    )
    within = crossed(PARTNER, PRESSURE | {"kind": "within"})
    assert len(table_of(within)) == 4 and most_trials(within) == 4
    between = crossed(PARTNER | {"kind": "between"}, PRESSURE)
    assert between.design.kind == "between" and table_of(between)[1] == ("strong_hurried",)


def test_groups_stay_balanced_as_people_come_and_leave() -> None:
    """At no time has a group two more than the other; of those who leave, the next one takes the place."""
    study = crossed(PARTNER, PRESSURE)
    groups = [group_of(study, study.condition(row[0])) for row in table_of(study)]
    taken: Counter[int] = Counter()

    def sizes() -> list[int]:
        return [sum(taken[row] for row in range(4) if groups[row] == group) for group in ("calm", "hurried")]

    for team in range(12):
        taken[next_row(study, taken, team)] += 1
        assert abs(sizes()[0] - sizes()[1]) <= 1
    taken[0] -= 2  # both of one group and order
    for team in (12, 13):
        row = next_row(study, taken, team)
        taken[row] += 1
        assert row == 0
    assert list(taken.values()) == [3] * 4


def cell(**levels: str) -> dict[str, Any]:
    return {"name": "a", "cell": levels}


WAY = {"name": "way", "levels": [{"name": "one", "options": {"bodies": "3"}}, {"name": "two"}]}


@pytest.mark.parametrize(
    ("factors", "conditions", "told"),
    [
        ([PARTNER], [{"name": "a", "seats": {"*": "person"}}], "names a cell of them, or is for practice"),
        ([PARTNER], [cell(partner="week")], "did you mean weak"),
        ([PARTNER], [cell(partners="weak")], "did you mean partner"),
        ([PARTNER, PRESSURE], [cell(partner="weak")], "a level of pressure is missing"),
        ([PARTNER], [cell(partner="weak"), cell(partner="weak") | {"name": "b"}], "another condition"),
        ([PARTNER, WAY], [], "another factor sets options 'bodies' otherwise in weak_one"),
        ([], [cell(x="y") | {"seats": {"*": "person"}}], "unknown factor 'x'"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(factors: Any, conditions: Any, told: str) -> None:
    with pytest.raises(BadFile, match=told):
        crossed(*factors, conditions=conditions)


def test_a_study_without_factors_has_the_digest_that_it_had() -> None:
    assert digest_of(parsed(raw(), "x")).startswith("5f7b4a2e3ad6acce")


def test_conditions_that_levels_make_are_checked_like_others() -> None:
    with pytest.raises(BadFile, match="bodies"):
        check(crossed(PARTNER), Place("study.toml"))


def documented() -> StudyFile:
    """The example of the documentation, in place of the small study's own design."""
    page = Path(__file__, "../../../docs/study.md").resolve().read_text(encoding="utf-8")
    (block,) = re.findall(r"## Factors\n.*?```toml\n(.*?)```", page, re.S)
    values = raw() | {"conditions": []} | tomllib.loads(block)
    del values["questionnaires"][1]["items"][3]["conditions"]
    study = parsed(values, "study.toml")
    check(study, Place("study.toml"))
    return StudyFile(study, digest_of(study))


def test_the_documented_example_has_two_groups_of_two_orders() -> None:
    study = documented().study
    assert design_of(study) == "2 x 2 mixed"
    assert table_of(study)[2:] == (("strong_hurried", "weak_hurried"), ("weak_hurried", "strong_hurried"))
    trials = trials_of(study, 3, 0)
    assert [trial.condition for trial in trials] == ["weak_hurried", "strong_hurried"]
    assert {trial.scenario for trial in trials} == {"cuisineworld/level_3@decide=in_turn,seats=person"}
