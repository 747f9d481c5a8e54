"""Whether what is analysed is what was preregistered: the document beside the tables."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("statsmodels")

from backburner.study.analysis.data import read_data
from backburner.study.analysis.registration import Compared, Registration, registration_of
from backburner.study.preregistration import document
from study.test_factors import documented
from support.study.study_data import write_study, write_table

OUTCOME = {"outcome": "served", "title": "served", "source": "metric:CoS", "primary": "true"}
RULES = (
    {"rule": "inattentive", "text": "participants whose checks_failed is above 0"},
    {"rule": "hasty", "text": "episodes whose seconds is below 1"},
)


def told(folder: Path, digest: str, **changes: str) -> Registration | None:
    """Of a study with an outcome and two rules, whose document was written before."""
    write_study(folder, people=2)
    write_table(folder, "participants", [{"participant": f"p0{n}", "study": digest} for n in (1, 2)])
    write_table(folder, "outcomes", [OUTCOME | changes])
    write_table(folder, "rules", RULES)
    return registration_of(folder, read_data(folder))


def test_digest_outcomes_and_rules_are_those_of_the_document(tmp_path: Path) -> None:
    study = documented()
    alone = told(tmp_path, study.digest)
    assert alone == Registration((study.digest,)), "nothing was registered there"
    (tmp_path / "preregistration.md").write_text(document(study), encoding="utf-8")
    found = told(tmp_path, study.digest)
    assert found is not None and found.compared == (
        Compared("digest of the study file", study.digest, study.digest),
        Compared("outcomes", "1", "1"),
        Compared("rules of exclusion", "2", "2"),
    )


def test_whatever_differs_is_told(tmp_path: Path) -> None:
    """People took part under another file, and an outcome has become a primary one of another metric."""
    study = documented()
    (tmp_path / "preregistration.md").write_text(document(study), encoding="utf-8")
    found = told(tmp_path, "0" * 64, source="metric:throughput")
    assert found is not None
    digest, outcomes, rules = found.compared
    assert digest.other == tuple(sorted(("0" * 64, study.digest)))
    assert [line.split(",")[0] for line in outcomes.other] == [
        "- **served** (metric:CoS",
        "- **served** (metric:throughput",
    ]
    assert not rules.other


def test_data_without_a_study_file_were_not_registered(tmp_path: Path) -> None:
    assert told(tmp_path, "") is None
