"""From a study file to its analysis: MindAgent's template, carried through by scripted people, exported,
analysed."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from support.study.studies import Hall

pytest.importorskip("statsmodels")

from backburner.study.analysis.analysis import Analysis, analyse
from backburner.study.analysis.sections import study_sections
from backburner.study.design import Choice, Likert, Study
from backburner.study.export import write_export
from backburner.study.export.data import data_of
from backburner.study.files import StudyFile, digest_of, parsed, template
from backburner.study.stages import PlacedStage, items_at

FUN = {"alone": 2, "agents_1": 4, "agents_2": 5, "agents_3": 3, "random": 2}
"""What everybody answers to everything, a little more or less."""

PEOPLE = 4


def answers(study: Study, placed: PlacedStage, id: str, number: int) -> dict[str, Any]:
    """A form filled in: the second person does not read attention checks."""
    told: dict[str, Any] = {}
    for item in items_at(study, placed, id):
        if isinstance(item, Likert):
            right = item.correct if number != 1 else 5
            own = FUN.get(placed.condition, 3) + (number + len(item.name)) % 2
            told[item.name] = float(right if item.check and right else max(1, min(5, own)))
        elif isinstance(item, Choice):
            told[item.name] = getattr(item, "correct", None) or item.options[0].value
    return told


def carried_through(hall: Hall, id: str, number: int) -> None:
    study = hall.found.study
    for _ in range(200):
        placed = hall.conduct.cohort.one(id).present_stage(study)
        page = hall.page(id)
        hall.clock.now += 20
        if placed is None or page.stage == "end":
            return
        if page.stage == "consent":
            hall.send(id, agreed=True, **{str(box): "yes" for box in range(2)})
        elif page.stage == "form":
            hall.send(id, **answers(study, placed, id, number))
        elif page.stage == "text":
            hall.send(id)
        else:
            hall.play()
    raise AssertionError("no end")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The exported tables of four people."""
    root = tmp_path_factory.mktemp("mindagent")
    study = parsed(tomllib.loads(template("mindagent").decode()), "mindagent.toml")
    hall = Hall(root / "data", StudyFile(study, digest_of(study)))
    for number in range(PEOPLE):
        carried_through(hall, hall.arrive(PID=f"person {number}"), number)
    write_export(data_of(root / "data"), root / "tables", ["csv"])
    return root / "tables"


@pytest.fixture(scope="module")
def found(folder: Path) -> Analysis:
    return analyse(folder)


def test_the_template_is_analysed_as_it_is_exported(found: Analysis) -> None:
    assert found.design == "within" and list(found.labels) == list(FUN)
    keys = [each.variable.key for each in found.results]
    assert "CoS" in keys and "enjoyment" in keys and "attention" not in keys
    enjoyment = next(each for each in found.results if each.variable.key == "enjoyment")
    assert (enjoyment.variable.lowest, enjoyment.variable.highest) == (1, 5)
    assert enjoyment.one_way is not None and enjoyment.repeated is not None and enjoyment.ranks is not None
    score = next(each for each in found.results if each.variable.key == "CoS")
    assert score.mixed is None, "bodies are a condition's, and no level"


def test_who_reads_nothing_is_excluded_by_the_rule_and_told(found: Analysis) -> None:
    assert found.units == PEOPLE - 1
    (rule,) = [each for each in found.exclusions if each.people]
    assert rule.rule == "inattentive" and len(rule.people) == 1 and rule.written
    score = next(each for each in found.results if each.variable.key == "CoS")
    assert score.all_data is not None and score.all_data.values == 5
    assert len(score.variable.values) == 5 * (PEOPLE - 1) and not score.variable.missing


def test_practice_is_left_out_and_told(found: Analysis) -> None:
    assert any(f"{PEOPLE - 1} episodes are for practice" in remark for remark in found.remarks)
    titles = {section.title for section in study_sections(found)}
    assert {"Do conditions differ?", "Means", "Exclusions", "With and without the exclusions"} <= titles
