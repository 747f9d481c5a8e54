"""What a study's file says beforehand, as a document; how many people main effects and interactions take."""

from __future__ import annotations

import pytest

pytest.importorskip("statsmodels")

from backburner.study.analysis.factor_power import effects_in, people_for, power_of_effect, simulated_power
from backburner.study.analysis.power import Effect, power_by_f
from backburner.study.files import StudyFile, digest_of, parsed
from backburner.study.preregistration import document
from study.test_factors import documented
from support.study.studies import raw


def test_the_documented_example_is_preregistered() -> None:
    found = documented()
    told = document(found)
    assert found.digest in told and "2 x 2 mixed subjects" in told
    assert "| partner | within | strong, weak |" in told and "| pressure | between | calm, hurried |" in told
    assert "3. strong_hurried > weak_hurried" in told
    assert "Pages of games offer: solid, timeline, recipes, help; colours: as each system has them." in told
    assert "Hypothesis: A weak partner costs more where there is much to do." in told
    assert "| served: f = 0.4 | partner x pressure | 48 % | 16 |" in told
    assert "linear mixed model with a random intercept" in told
    assert "- participants whose checks\\_failed is above 0" in told


def test_texts_of_the_file_are_no_markup() -> None:
    values = raw()
    values["texts"]["en"]["title"] = "<b>A\n# [study](http://x)|`"
    study = parsed(values, "study.toml")
    told = document(StudyFile(study, digest_of(study)))
    assert told.startswith("# \\<b\\>A \\# \\[study\\](http://x)\\|\\`\n")


def test_one_factor_is_the_power_of_repeated_measures_and_of_the_one_way_test() -> None:
    for between in ([], ["a"]):
        kind = "between" if between else "within"
        expected = power_by_f(Effect(kind, 3, 0.3), 24)
        assert power_of_effect(("a",), {"a": 3}, between, 0.3, 24) == pytest.approx(expected)


def test_simulated_studies_find_each_effect_as_often_as_noncentral_f_says() -> None:
    """Two levels within by two groups of eight: the factor between is found least, as people differ."""
    sizes, between = {"a": 2, "b": 2}, ["b"]
    found = simulated_power(sizes, between, 0.4, 16, studies=1500)
    for chosen in effects_in(sizes):
        expected = power_of_effect(chosen, sizes, between, 0.4, 16)
        assert found[" x ".join(chosen)].value == pytest.approx(expected, abs=0.04)
    assert people_for(("a", "b"), sizes, between, 0.4) == 16
    assert power_of_effect(("b",), sizes, between, 0.4, 16) < 0.45
