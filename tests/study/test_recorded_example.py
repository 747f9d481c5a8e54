"""The recorded study of ``examples/two-cooks``: its tables and analysis come out again as they are shipped,
and its interactions as scipy and statsmodels find them, asked otherwise."""

from __future__ import annotations

import tarfile
from pathlib import Path

import numpy as np
import pandas
import pytest

pytest.importorskip("statsmodels")

import statsmodels.formula.api as smf
from scipy import stats

from backburner.study.analysis.analysis import Asked, analyse
from backburner.study.analysis.sections import study_sections
from backburner.study.export import write_export
from backburner.study.export.data import data_of
from backburner.study.files import read_study

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "two-cooks"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the study's data, with ``tables`` as they were exported and the document beside them."""
    folder = tmp_path_factory.mktemp("recorded")
    with tarfile.open(EXAMPLE / "recorded.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    (folder / "tables" / "preregistration.md").write_bytes((EXAMPLE / "preregistration.md").read_bytes())
    return folder


def test_tables_are_exported_again_as_they_were(recorded: Path, tmp_path: Path) -> None:
    """The journal holds with every commitment. The server was killed in the middle, and every decision of all
    games is there; the page's own times of one went with it."""
    data = data_of(recorded)
    assert [one.ended and one.ended.status for one in data.people] == ["complete"] * 8
    write_export(data, tmp_path, ["csv"])
    for table in sorted((recorded / "tables").glob("*.csv")):  # but for the codebook, which is words
        assert (tmp_path / table.name).read_text() == table.read_text(), table.name
    episodes = pandas.read_csv(recorded / "tables" / "episodes.csv")
    assert len(episodes) == 32 and set(episodes["decisions"]) == {60} and not episodes["stand_in_steps"].any()
    noticed = pandas.read_csv(recorded / "tables" / "decisions.csv")[["episode", "step"]]
    assert len(noticed) == 32 * 60 - 1 and not noticed.duplicated().any()


def test_what_was_preregistered_is_analysed_and_the_page_tells_its_figures(recorded: Path) -> None:
    study = read_study(EXAMPLE / "two-cooks.toml")
    found = analyse(recorded / "tables", Asked(("CoS", "helpful")))
    assert found.registration is not None and found.registration.digests == (study.digest,)
    assert len(found.registration.compared) == 3 and not any(
        each.other for each in found.registration.compared
    )
    page = (ROOT / "docs" / "study-example.md").read_text(encoding="utf-8")
    named = next(section for section in study_sections(found) if section.title == "Named beforehand")
    for _, effect, statistic, p in named.rows:
        assert any(
            str(effect) in line and f"{statistic}" in line and str(p) in line for line in page.splitlines()
        )


def test_interactions_are_those_of_scipy_and_statsmodels(recorded: Path) -> None:
    """Of the split plot: the square of t between the groups, of each person's difference of means. Of the
    model with crossed intercepts: variances that statsmodels finds, and least squares by them."""
    episodes = pandas.read_csv(recorded / "tables" / "episodes.csv")
    measures = pandas.read_csv(recorded / "tables" / "measures.csv").query("measure == 'CoS'")
    table = episodes.merge(measures, on="episode")
    table[["p", "o"]] = table["condition"].str.split("_", expand=True)
    table["s"] = table["scenario"].str.partition("@")[0]
    means = table.pivot_table(index=["participant", "o"], columns="p", values="value").reset_index("o")
    apart = {of: (mine["skilled"] - mine["clumsy"]) for of, mine in means.groupby("o")}
    t, p = stats.ttest_ind(apart["slow"], apart["fast"])

    found = analyse(recorded / "tables", Asked(("CoS",))).results[0].factors
    assert found is not None and found.model is not None
    both = next(each for each in found.effects if each.name == "partner x orders")
    assert (both.test.f, both.test.p) == pytest.approx((float(t) ** 2, float(p)))

    parts = {"c": "0 + C(participant):C(p)", "s": "0 + C(s)", "u": "0 + C(participant)"}
    model = smf.mixedlm("value ~ C(p, Sum) * C(o, Sum)", table, groups=np.ones(32), vc_formula=parts)
    with pytest.warns():
        fits = [model.fit(method=method) for method in ("lbfgs", "powell")]
    best = max(fits, key=lambda fit: float(fit.llf))
    variance = best.scale * np.eye(32)
    for column, value in zip(
        (table["participant"] + table["p"], table["s"], table["participant"]), best.vcomp, strict=True
    ):
        variance += value * np.equal.outer(column.to_numpy(), column.to_numpy())
    inverse = np.linalg.inv(variance)
    covariance = np.linalg.inv(model.exog.T @ inverse @ model.exog)
    effects = covariance @ model.exog.T @ inverse @ model.endog
    told = {term.name: term.test for term in found.model.terms}
    assert told["partner x orders"].f == pytest.approx(effects[3] ** 2 / covariance[3, 3], rel=0.01, abs=1e-4)
    assert (found.model.cells, found.model.scenarios, found.model.units) == pytest.approx(
        tuple(best.vcomp), rel=0.02, abs=1e-5
    )
