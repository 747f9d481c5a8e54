"""What counts, what is missing, who is excluded, who is the unit: told, and never dropped in silence."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from support.study.study_data import CONDITIONS, write_measures, write_study, write_table

pytest.importorskip("statsmodels")

from backburner.evaluation.tables.terminal import section_table
from backburner.kernel.errors import BadFile, Refused, UnknownName
from backburner.study.analysis.analysis import Analysis, Asked, Result, analyse
from backburner.study.analysis.comparison import compare_with_models
from backburner.study.analysis.data import read_data
from backburner.study.analysis.page import figures, means_chart
from backburner.study.analysis.sections import study_sections, variable_sections


def result(analysis: Analysis, key: str) -> Result:
    return next(each for each in analysis.results if each.variable.key == key)


def table(analysis: Analysis, title: str) -> list[tuple[Any, ...]]:
    return next((list(section.rows) for section in study_sections(analysis) if section.title == title), [])


def rows_of(folder: Path, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = read_data(folder)[name].cells.to_dict("records")
    return rows


def rewritten(folder: Path, name: str, change: Any) -> None:
    write_table(folder, name, [row for row in map(change, rows_of(folder, name)) if row is not None])


def test_a_complete_study_within_subjects(tmp_path: Path) -> None:
    found = analyse(write_study(tmp_path))
    assert (found.design, found.units, found.team) == ("within", 12, False)
    assert list(found.labels) == list(CONDITIONS)
    score = result(found, "CoS")
    assert score.one_way is not None and score.repeated is not None and score.mixed is None
    assert (score.one_way.test.df1, score.one_way.test.df2) == (4, 55)
    assert score.main is not None and score.main[0] == "repeated measures"
    assert len(score.pairs) == 10 and not score.variable.missing
    assert result(found, "trust").variable.conditions == CONDITIONS[1:], "nobody is asked for it alone"
    assert any("one-way analysis" in remark for remark in found.remarks)


def test_missing_values_are_named_and_a_mixed_model_uses_the_rest(tmp_path: Path) -> None:
    folder = write_study(tmp_path)
    gone = {row["episode"] for row in rows_of(folder, "episodes") if row["participant"] == "p03"}
    gone &= {
        row["episode"] for row in rows_of(folder, "episodes") if row["condition"] in ("alone", "agents2")
    }
    rewritten(folder, "measures", lambda row: row | {"value": ""} if row["episode"] in gone else row)
    found = analyse(folder)
    score = result(found, "CoS")
    assert [(each.unit, each.condition) for each in score.variable.missing] == [
        ("p03", "alone"),
        ("p03", "agents2"),
    ]
    assert score.repeated is not None and score.repeated.units == 11
    assert score.one_way is not None and score.one_way.test.df2 == 58 - 5
    assert score.mixed is not None and score.mixed.values == 58 and score.mixed.why == ("values are missing",)
    assert score.main is not None and score.main[0] == "mixed model"
    assert ("p03", "alone", "no value", "collaboration score") in table(found, "Missing values")


def test_who_left_is_missing_where_nothing_was_played(tmp_path: Path) -> None:
    folder = write_study(tmp_path)
    last = {
        row["episode"]
        for row in rows_of(folder, "episodes")
        if row["participant"] == "p07" and row["order"] > 3
    }
    for name in ("measures", "answers", "episodes"):
        rewritten(folder, name, lambda row: None if row["episode"] in last else row)
    found = analyse(folder)
    missing = result(found, "CoS").variable.missing
    assert {(each.unit, each.why) for each in missing} == {("p07", "not played")} and len(missing) == 2


def test_rules_of_exclusion_apply_and_what_changes_without_them_is_told(tmp_path: Path) -> None:
    folder = write_study(tmp_path)
    write_table(
        folder,
        "rules",
        [
            {"rule": "attention", "text": "Two attention checks failed", "written": "2026-01-01"},
            {"rule": "speed", "text": "An episode below a minute"},
            {"rule": "nobody", "text": "Below 18 years"},
        ],
    )
    write_table(
        folder,
        "exclusions",
        [
            {"participant": "p05", "episode": "", "rule": "attention"},
            {"participant": "p06", "episode": "p06-2", "rule": "speed"},
        ],
    )
    found = analyse(folder)
    assert found.units == 11
    score = result(found, "CoS")
    assert len(score.variable.values) == 54
    assert score.all_data is not None and score.all_data.values == 6
    assert score.all_data.test is not None and score.all_data.test.df2 == pytest.approx(44, rel=0.5)
    assert [(each.rule, each.people, each.episodes) for each in found.exclusions] == [
        ("attention", ("p05",), ()),
        ("speed", (), (("p06", "p06-2"),)),
        ("nobody", (), ()),
    ]
    assert [row[2] for row in table(found, "Exclusions")] == ["p05", "nobody", "nobody"]
    assert len(table(found, "With and without the exclusions")) == len(found.results)
    assert analyse(write_study(tmp_path / "whole")).results[0].all_data is None


def test_practice_and_failed_calls_do_not_count_and_are_told(tmp_path: Path) -> None:
    folder = write_study(tmp_path)

    def change(row: dict[str, Any]) -> dict[str, Any]:
        row = row | {"practice": "true" if row["episode"] == "p01-1" else ""}
        row = row | {"stand_in_steps": 2 if row["order"] == 5 else ""}
        return row | {"status": "failed"} if row["episode"] == "p02-2" else row

    rewritten(folder, "episodes", change)
    found = analyse(folder)
    assert len(result(found, "CoS").variable.values) == 58
    told = " ".join(found.remarks)
    assert "1 episodes are for practice" in told and "1 episodes ended because a model's call failed" in told
    assert "12 episodes count although a stand-in" in told
    enjoyment = result(found, "enjoyment").variable
    assert len(enjoyment.values) == 58
    assert {(each.unit, each.why) for each in enjoyment.missing} == {
        ("p01", "not played"),
        ("p02", "its episode failed"),
    }


def test_a_team_is_the_unit_and_its_answers_are_averaged(tmp_path: Path) -> None:
    episodes, measures, answers = [], [], []
    for pair in range(5):
        for place, condition in enumerate(("model", "human")):
            episode = f"t{pair}-{condition}"
            measures.append({"episode": episode, "measure": "success", "value": pair + 3 * place})
            for seat in "ab":
                person = f"t{pair}{seat}"
                about = {"episode": episode, "participant": person}
                episodes.append(about | {"condition": condition, "team": f"t{pair}"})
                answers.append(about | {"item": "fun", "value": 2 + (seat == "b") + place})
    for name, rows in (("episodes", episodes), ("measures", measures), ("answers", answers)):
        write_table(tmp_path, name, rows)
    found = analyse(tmp_path)
    assert (found.units, found.team) == (5, True)
    assert len(result(found, "success").variable.values) == 10, "a team's episode has one value"
    fun = result(found, "fun").variable
    assert len(fun.values) == 20 and fun.cells()["t0"] == {"human": 3.5, "model": 2.5}
    assert any("The unit is the team" in remark for remark in found.remarks)
    teams = iter(range(100))
    rewritten(tmp_path, "episodes", lambda row: row | {"team": f"x{next(teams) // 3}"})
    changing = analyse(tmp_path)
    assert not changing.team and any("changing teams" in remark for remark in changing.remarks)


def test_between_subjects_a_person_lacks_nothing_of_other_conditions(tmp_path: Path) -> None:
    values = [(f"{key}{i}", key, i + 2.0 * (key == "b")) for key in "abc" for i in range(6)]
    found = analyse(write_measures(tmp_path, values))
    (score,) = found.results
    assert found.design == "between" and not score.variable.missing
    assert score.repeated is None and score.practice is None
    assert score.main is not None and score.main[0] == "Welch"
    assert score.ranks is not None and score.ranks.name == "Kruskal-Wallis"


def test_groups_between_subjects_are_two_way_and_within_subjects_in_a_mixed_model(tmp_path: Path) -> None:
    folder = write_study(tmp_path)
    rewritten(
        folder, "participants", lambda row: row | {"group": "novice" if row["participant"] < "p07" else "pro"}
    )
    score = result(analyse(folder), "CoS")
    assert score.mixed is not None
    assert [(term.name, term.test.df2) for term in score.mixed.terms] == [
        ("condition", 40),
        ("group", 10),
        ("condition x group", 40),
    ]
    people = [(f"{key}{i}", key, float(i % 4 + (key == "b"))) for key in "ab" for i in range(8)]
    apart = write_measures(tmp_path / "apart", people)
    groups = [{"participant": person, "group": "g" + str(int(person[1:]) % 2)} for person, _, _ in people]
    write_table(apart, "participants", groups)
    (other,) = analyse(apart).results
    assert {name: test.df2 for name, test in other.groups.items()} == {
        "condition": 12,
        "group": 12,
        "condition x group": 12,
    }


def test_scales_are_means_of_items_reversed_ones_turned(tmp_path: Path) -> None:
    items = [
        {"item": "good", "kind": "likert", "lowest": 1, "highest": 5, "scale": "worth"},
        {"item": "bad", "kind": "likert", "lowest": 1, "highest": 5, "scale": "worth", "reversed": "true"},
        {"item": "why", "kind": "text"},
    ]
    answers = []
    for person in range(6):
        for place, condition in enumerate("xy"):
            about = {"participant": f"p{person}", "condition": condition}
            good = 1 + (person + place) % 5
            answers.append(about | {"item": "good", "value": good})
            answers.append(about | {"item": "bad", "value": 6 - good})
            answers.append(about | {"item": "why", "value": "", "text": "=because"})
    write_table(tmp_path, "items", items)
    write_table(tmp_path, "answers", answers)
    found = analyse(tmp_path)
    assert [each.variable.key for each in found.results] == ["good", "bad", "scale:worth"]
    whole, *_ = found.alphas
    assert (whole.items, whole.answers, whole.alpha.value) == (2, 12, pytest.approx(1.0))
    assert result(found, "scale:worth").variable.cells()["p0"] == {"x": 1, "y": 2}
    answers[0]["value"] = 6
    write_table(tmp_path, "answers", answers)
    with pytest.raises(BadFile, match=r"line 2, value: 6 where good goes from 1 to 5"):
        analyse(tmp_path)


def test_contrasts_are_means_of_units_own_differences(tmp_path: Path) -> None:
    folder = write_study(tmp_path)
    found = analyse(folder, Asked(("CoS",), ("with agents=agents1,agents2,agents3/alone",)))
    (contrast,) = found.results[0].contrasts
    cells = found.results[0].variable.cells().values()
    own = [(mine["agents1"] + mine["agents2"] + mine["agents3"]) / 3 - mine["alone"] for mine in cells]
    assert contrast.name == "with agents" and contrast.direct.df == 11
    assert contrast.direct.difference.value == pytest.approx(sum(own) / 12)
    for text, error in (("alone", Refused), ("alone/", Refused), ("alone/agent1", UnknownName)):
        with pytest.raises(error):
            analyse(folder, Asked(contrasts=(text,)))
    with pytest.raises(UnknownName, match="did you mean CoS"):
        analyse(folder, Asked(("COS",)))


@pytest.mark.parametrize(
    "values",
    [
        [("p1", "a", 1.0)],
        [("p1", "a", 1.0), ("p1", "b", 2.0)],
        [("p1", "a", 1.0), ("p2", "b", 2.0)],
        [(f"p{i}", c, 3.0) for i in range(5) for c in "abc"],
        [(f"p{i}", c, float(c == "a")) for i in range(5) for c in "abc"],
        [(f"p{i}", c, float(i)) for i in range(5) for c in "abc"],
        [(f"p{i}", c, 1e14 * i) for i in range(5) for c in "ab"],
        [(f"p{i}", c, 1e-90 * i) for i in range(5) for c in "ab"],
        [("p1", "a", 1.0), ("p1", "b", 2.0), ("p2", "a", 5.0), ("p3", "b", 2.0), ("p3", "c", 2.0)],
        [("p1", c, float(n)) for c in "ab" for n in range(5)],
        [(f"p{i}", c, float(i > 2)) for i in range(3) for c in "ab" for _ in range(3)],
    ],
)
def test_values_that_no_test_is_possible_of_are_told_and_drawn(
    tmp_path: Path, values: list[tuple[str, str, float | str]]
) -> None:
    found = analyse(write_measures(tmp_path, values))
    for each in found.results:
        assert variable_sections(each, found.labels)
        assert means_chart(each, found.labels).groups
    assert study_sections(found) and figures(found)


def test_figures_are_the_articles_kinds(tmp_path: Path) -> None:
    """Means with error bars, and beside them the ratings' distribution or the values' spread."""
    found = {each.key: each.charts for each in figures(analyse(write_study(tmp_path)))}
    means, answers = found["enjoyment"]
    assert [group.name for group in means.groups] == [
        "alone",
        "1 agent",
        "2 agents",
        "3 agents",
        "random agents",
    ]
    assert all(bar.low is not None and bar.high is not None for group in means.groups for bar in group.bars)
    assert means.full == 5
    assert answers.parts == ("1", "2", "3", "4", "5")
    assert all(sum(stack.parts.values()) == pytest.approx(100) for stack in answers.stacks)
    assert len(found["CoS"][1].boxes) == 5
    within = {bar.name: bar for group in found["CoS"][0].groups for bar in group.bars}
    assert within["alone"].low is not None and within["alone"].low >= 0


def test_options_of_a_condition_are_no_levels(tmp_path: Path) -> None:
    """A scenario's id names the bodies, which each condition has its own number of: nothing varies beside
    it."""
    folder = write_study(tmp_path)
    rewritten(
        folder, "episodes", lambda row: row | {"scenario": f"cuisineworld/level_3@{row['condition'][:3]}"}
    )
    assert result(analyse(folder), "CoS").mixed is None


def test_levels_are_in_the_model_beside_conditions(tmp_path: Path) -> None:
    """Ten people play both conditions on both levels; ids of scenarios name condition and level at once."""
    episodes, measures = [], []
    for person in range(10):
        for place, (condition, level) in enumerate((c, x) for c in "ab" for x in "xy"):
            episode = f"{person}-{place}"
            about = {"episode": episode, "participant": f"p{person}", "condition": condition}
            episodes.append(
                about | {"scenario": f"w/{level}@{condition}", "level": level, "order": place + 1}
            )
            value = (
                person % 3 + 2 * (condition == "b") + 5 * (level == "y") + (person * 7 + place * 5) % 4 / 10
            )
            measures.append({"episode": episode, "measure": "m", "value": value})
    write_table(tmp_path, "episodes", episodes)
    write_table(tmp_path, "measures", measures)
    (found,) = analyse(tmp_path).results
    assert found.mixed is not None
    assert {"there are several levels", "units have several values in a condition"} == set(found.mixed.why)
    assert [(term.name, term.test.df1, term.test.df2) for term in found.mixed.terms] == [
        ("condition", 1, 9),
        ("level", 1, 19),
    ]
    assert not found.mixed.remarks


def test_what_was_named_beforehand_comes_first_with_its_hypothesis(tmp_path: Path) -> None:
    """Primary outcomes before others, these before what nobody named; a construct of several items is their
    scale; what was never measured is told."""
    folder = write_study(tmp_path)
    hypothesis = "People serve more of their orders beside agents."
    outcomes = [
        {"outcome": "fun", "source": "construct:more_fun", "primary": ""},
        {"outcome": "team", "source": "construct:working together", "primary": "false"},
        {"outcome": "served", "source": "metric:CoS", "primary": "true", "title": "Orders served",
         "hypothesis": hypothesis},
        {"outcome": "speed", "source": "number:minutes", "primary": "true"},
    ]  # fmt: skip
    unnamed = [each.variable.key for each in analyse(folder).results]
    write_table(folder, "outcomes", outcomes)
    found = analyse(folder)
    keys = [each.variable.key for each in found.results]
    assert keys[:3] == ["CoS", "more_fun", "scale:working together"]
    assert keys[3:] == [key for key in unnamed if key not in keys[:3]]
    served, speed, fun, team = table(found, "Named beforehand")
    assert served[0].replace("\n", " ") == f"Orders served (primary) {hypothesis}"
    assert served[1] == "repeated measures" and served[2].startswith("F(") and served[3] == "<0.001"
    assert speed == ("speed (primary)", "no value", "–", "–")
    assert fun[0] == "fun" and team[0] == "team" and team[1] == "repeated measures"
    only = table(analyse(tmp_path, Asked(only=("trust",))), "Named beforehand")
    assert only == [speed], "nothing else was asked for"
    assert not table(analyse(write_study(tmp_path / "none")), "Named beforehand")


def test_scenarios_that_were_to_be_random_and_are_not_are_told_first(tmp_path: Path) -> None:
    """All play the same kitchen: there is nothing to tell how kitchens differ."""
    outcome = {"outcome": "served", "source": "metric:CoS", "intercepts": "participants+scenarios"}
    write_table(write_study(tmp_path, people=6), "outcomes", [outcome])
    (found,) = analyse(tmp_path, Asked(("CoS",))).remarks[-1:]
    assert found.startswith(
        "collaboration score: Scenarios are not random in the model: 1 scenarios are too few"
    )
    write_table(tmp_path, "outcomes", [outcome | {"intercepts": "kitchens"}])
    with pytest.raises(
        BadFile, match=r"outcomes.csv: line 2, intercepts: 'kitchens' is none of participants,"
    ):
        analyse(tmp_path)


def test_outcomes_that_stand_there_twice_are_a_mistake(tmp_path: Path) -> None:
    write_table(write_study(tmp_path), "outcomes", [{"outcome": "fun", "source": "construct:trust"}] * 2)
    with pytest.raises(BadFile, match=r"outcomes\.csv: line 3, outcome: fun stands in line 2 already"):
        analyse(tmp_path)


def test_the_tests_of_a_study_stand_in_eighty_columns(tmp_path: Path) -> None:
    """No figure is broken, also where a measure is the same in every episode and no test can be made."""
    folder = write_study(tmp_path, means=(0.01, 0.3, 0.6, 0.8, 0.99))
    alike = [row | {"measure": "steps", "title": "steps", "value": 60} for row in rows_of(folder, "measures")]
    write_table(folder, "measures", rows_of(folder, "measures") + alike)
    section = next(each for each in study_sections(analyse(folder)) if each.title == "Do conditions differ?")
    console = Console(width=80, file=io.StringIO())
    console.print(section_table(section, 80))
    lines = console.file.getvalue().splitlines()
    assert any("F(4, 55) = " in line and "]" in line for line in lines)
    assert not any(line.rstrip().endswith(("=", ",")) for line in lines)
    assert any(line.split()[:2] == ["steps", "none"] for line in lines)
    assert "all alike" in section.text


def test_rules_that_leave_nobody_are_named(tmp_path: Path) -> None:
    folder = write_study(tmp_path, people=3)
    rules = [{"participant": f"p{number:02d}", "rule": "hurried"} for number in (1, 2, 3)]
    write_table(folder, "exclusions", rules)
    with pytest.raises(Refused, match=r"rules of exclusion \(hurried\) leave nobody of 3"):
        analyse(folder)
    with pytest.raises(Refused, match=r"rules of exclusion \(hurried\) leave nobody of 3"):
        compare_with_models(folder, tmp_path)
