"""What makes scenarios hard: bins, rho and least squares by hand, and the Rasch model finds what it drew."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from math import exp, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import spearmanr

from backburner.agents.spec import AgentSpec
from backburner.evaluation.comparing.difficulty import (
    LEAST_IN_BIN,
    MOST_BINS,
    Difficulty,
    Played,
    binned,
    bins_of,
    difficulty_of,
    hardness_of,
    inflations,
    rhos,
    spearman,
)
from backburner.evaluation.comparing.difficulty_tables import dials_charts, dials_section, hardness_section
from backburner.evaluation.comparing.item_response import Spread, fitted, item_response_of, mode
from backburner.evaluation.report.page import write_report
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.running.runner import run
from backburner.evaluation.scoring.answered import ATTAINED, REGRET, answers_for
from backburner.evaluation.scoring.scores import load, score
from backburner.evaluation.tables.figures import figures_of
from backburner.kernel import registry
from backburner.kernel.answers import FILE, Answered, encoded
from backburner.kernel.values import digest

# --- bins --------------------------------------------------------------------------------------------------


def sizes(values: Sequence[float]) -> list[int]:
    return [len(own) for own in bins_of(values)]


def test_bins_are_of_quantiles_with_at_least_eight_scenarios() -> None:
    assert sizes(range(15)) == [], "two of eight would take 16"
    assert sizes(range(16)) == [8, 8]
    assert sizes(range(26)) == [9, 9, 8], "26 / 3 is 8.7: the second begins at place 9, the third at 18"
    assert sizes(range(60)) == [10] * 6
    assert sizes(range(600)) == [100] * 6
    assert bins_of([*range(8, 16), *range(8)])[0] == [*range(8, 16)]


def test_equal_values_stand_in_one_bin() -> None:
    """Of 20 scenarios 12 have 1: the second bin, due at place 10, begins with the 2s."""
    assert sizes([1] * 12 + [2] * 8) == [12, 8]
    assert sizes([1] * 13 + [2] * 7) == [], "seven are too few for a bin"


@given(st.lists(st.integers(0, 30), min_size=1, max_size=120))
def test_all_bins_are_large_enough_and_in_order(values: list[int]) -> None:
    found = bins_of(values)
    assert sorted(index for own in found for index in own) == (sorted(range(len(values))) if found else [])
    assert len(found) <= MOST_BINS
    assert all(len(own) >= LEAST_IN_BIN for own in found)
    for lower, upper in pairwise(found):
        assert max(values[index] for index in lower) < min(values[index] for index in upper)


# --- one dial ----------------------------------------------------------------------------------------------


def test_rho_of_eight_scenarios_by_hand() -> None:
    """Neighbours are swapped: every rank is 1 off, 1 - 6 · 8 / (8 · 63) = .9048."""
    found = spearman(range(1, 9), [2, 1, 4, 3, 6, 5, 8, 7])
    assert found.value == pytest.approx(1 - 48 / 504)
    assert found.low is not None and found.high is not None
    assert 0 < found.low < found.value <= found.high <= 1


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=5, max_size=12))
def test_rho_shares_ranks_like_scipys(pairs: list[tuple[int, int]]) -> None:
    one, other = (list(side) for side in zip(*pairs, strict=True))
    found = spearman(one, other).value
    if min(len(set(one)), len(set(other))) == 1:
        assert found is None
    else:
        assert found == pytest.approx(spearmanr(one, other).statistic)


def difficulty(
    dials: Mapping[str, Sequence[float]], regrets: Mapping[str, Sequence[float]], constant: Sequence[str] = ()
) -> Difficulty:
    """Scenarios ``s0``, ``s1``, ... with these dials, and each agent's regret there in per cent."""
    agents = tuple(
        Played(
            name,
            name,
            {
                f"s{index}": ({"attained": 1 / (1 + value / 100), "regret*": value / 100},)
                for index, value in enumerate(values)
            },
        )
        for name, values in regrets.items()
    )
    named = {dial: {f"s{i}": value for i, value in enumerate(own)} for dial, own in dials.items()}
    return Difficulty("tea", agents, named, tuple(constant))


def test_an_agents_figures_stand_over_a_dial_in_bins_or_alone() -> None:
    """16 scenarios whose regret is ten times their dial: means of 0 to 7 and of 8 to 15."""
    many = difficulty({"width": range(16)}, {"a": [10.0 * each for each in range(16)]})
    low, high = binned(many.agents[0], many.dials["width"], REGRET)
    assert (low.dial, low.figure.value, low.scenarios) == (3.5, pytest.approx(35), 8)
    assert (high.dial, high.figure.value, high.scenarios) == (11.5, pytest.approx(115), 8)
    assert low.figure.low is not None
    few = difficulty({"width": [3, 1, 2, 5, 4]}, {"a": [30.0, 10, 20, 50, 40]})
    assert [
        (b.dial, b.figure.value, b.figure.low) for b in binned(few.agents[0], few.dials["width"], REGRET)
    ] == [(each, pytest.approx(10 * each), None) for each in (1, 2, 3, 4, 5)]
    loose, joined = (dials_charts(each, REGRET)[0].loose for each in (few, many))
    assert loose and not joined


# --- all dials ---------------------------------------------------------------------------------------------

CUBE = list(product((-1.0, 1.0), repeat=3))
"""Eight scenarios: every combination of three dials. All columns are orthogonal, with mean 0, deviation 1."""


def test_coefficients_of_eight_scenarios_by_hand() -> None:
    """Regret 20 + 3 a - 2 b + 1.5 a·b·c: orthogonal, so that each coefficient is its own, that of c is 0;
    R² is (9 + 4) / (9 + 4 + 2.25) = .852. The other agent has twice as much, so that all have 1.5 times."""
    a, b, c = zip(*CUBE, strict=True)
    regret = [20 + 3 * x - 2 * y + 1.5 * x * y * z for x, y, z in CUBE]
    both = [x + y for x, y, _ in CUBE]
    found = hardness_of(
        difficulty(
            {"a": a, "b": b, "c": c, "d": both, "gap:busy": regret},
            {"one": regret, "two": [2 * each for each in regret]},
            ["lags"],
        )
    )
    assert found is not None
    assert (found.scenarios, found.agents, found.collinear) == (8, ("one", "two"), ("d",))
    coefficients = {f.dial: [each.value for each in f.coefficients] for f in found.factors}
    assert coefficients == {
        "a": pytest.approx([4.5, 3, 6]),
        "b": pytest.approx([-3, -2, -4]),
        "c": pytest.approx([0, 0, 0], abs=1e-9),
    }
    assert [factor.inflation for factor in found.factors] == pytest.approx([1, 1, 1])
    assert found.explained == pytest.approx([13 / 15.25] * 3)
    section = hardness_section(found)
    assert section.columns == ("dial", "VIF", "all", "one", "two")
    assert "d." in section.text and "no causes" in section.text


def test_inflation_of_two_dials_that_correlate_by_half() -> None:
    """1 / (1 - .25) = 4 / 3; of three equal ones there is no end."""
    x, w = np.array([1.0, 1, -1, -1]), np.array([1.0, -1, 1, -1])
    assert inflations(np.column_stack([x, x / 2 + sqrt(0.75) * w])) == pytest.approx([4 / 3, 4 / 3])
    assert inflations(np.column_stack([x, x])) == [float("inf")] * 2


def test_too_few_scenarios_for_their_dials_have_no_fit() -> None:
    a, b, c = zip(*CUBE, strict=True)
    regret = [float(each) for each in range(8)]
    more = {"d": [0, 0, 0, 1, 0, 0, 0, 0]}
    assert hardness_of(difficulty({"a": a, "b": b, "c": c, **more}, {"one": regret})) is None


def test_a_table_of_rho_names_what_does_not_vary() -> None:
    found = difficulty({"width": range(8)}, {"a": range(8), "b": [0.0] * 8}, ["lags", "rooms"])
    assert rhos(found, REGRET)["width"]["a"].value == pytest.approx(1)
    assert rhos(found, REGRET)["width"]["b"].value is None
    section = dials_section(found, REGRET)
    assert section.rows == (("width", "0 to 7", "+1.00 [+1.00, +1.00]", "–"),)
    assert section.text.endswith("The same in all scenarios: lags, rooms.")


# --- item response -----------------------------------------------------------------------------------------


SPREAD = Spread(sigma=0.6, phi=0.5)


def drawn(agents: int, scenarios: int) -> tuple[list[float], list[float], list[float], list[list[float]]]:
    """(abilities, dial, difficulties, what of five parts of a scenario each agent gets right)."""
    luck = random.Random(7)
    abilities = [luck.gauss(0, 1) for _ in range(agents)]
    dial = [luck.gauss(0, 1) for _ in range(scenarios)]
    hard = [-0.5 + each + luck.gauss(0, 0.7) for each in dial]
    chances = [[1 / (1 + exp(h - a)) for a in abilities] for h in hard]
    return (
        abilities,
        dial,
        hard,
        [[sum(luck.random() < p for _ in range(5)) / 5 for p in row] for row in chances],
    )


def test_the_model_finds_the_difficulties_and_abilities_that_were_drawn() -> None:
    abilities, dial, hard, attained = drawn(20, 60)
    regrets = {
        f"agent {j}": [100 * (1 / max(row[j], 1e-3) - 1) for row in attained] for j in range(len(abilities))
    }
    given = difficulty({"width": dial}, regrets)
    found = item_response_of(given, {f"s{i}": f"scenario {i}" for i in range(60)})
    assert found is not None
    assert spearmanr(hard, list(found.difficulties.values())).statistic > 0.9
    assert spearmanr(abilities, [each.value for each in found.abilities.values()]).statistic > 0.9
    weight = found.weights["width"]
    assert weight.value is not None and weight.low is not None and weight.high is not None
    assert 0.6 < weight.low < weight.value < weight.high < 1.4
    assert 0.4 < found.spread.sigma < 1.1
    assert 0.1 < found.spread.phi < 0.4, "five parts vary a fifth as much as one"
    assert len(found.largest) == 5 and found.largest[0][1] > found.largest[-1][1] > 0


def test_the_mode_is_the_one_that_a_general_minimiser_finds() -> None:
    _, dial, _, cells = drawn(4, 9)
    attained, design = np.array(cells), np.column_stack([np.ones(9), dial])
    known = np.ones_like(attained)
    known[2, 1] = 0

    def loss(point: np.ndarray) -> float:
        a, b, r = point[:4], point[4:6], point[6:]
        logits = a[None, :] - (design @ b + r)[:, None]
        likelihood = known * (attained * logits - np.logaddexp(0, logits))
        return float(-likelihood.sum() / 0.5 + (a @ a) / 2 + (b @ b) / 8 + (r @ r) / (2 * 0.6**2))

    found = mode(attained, known, design, SPREAD, np.ones(9))
    other = minimize(loss, np.zeros(15)).x
    assert np.concatenate([found.abilities, found.weights, found.residuals]) == pytest.approx(other, abs=1e-4)
    assert loss(np.concatenate([found.abilities, found.weights, found.residuals])) <= loss(other) + 1e-9


def test_a_scenario_that_is_drawn_twice_is_two_of_them() -> None:
    _, dial, _, cells = drawn(4, 9)
    twice = [*range(9), 3]
    attained, design = np.array(cells), np.column_stack([np.ones(9), dial])
    known = np.ones_like(attained)
    counts = np.array([2.0 if index == 3 else 1.0 for index in range(9)])
    one = mode(attained, known, design, SPREAD, counts)
    other = mode(attained[twice], known[twice], design[twice], SPREAD, np.ones(10))
    assert one.abilities == pytest.approx(other.abilities)
    assert one.weights == pytest.approx(other.weights)


def test_few_agents_or_scenarios_have_no_model() -> None:
    few = difficulty({"width": range(30)}, {f"agent {j}": [10.0] * 30 for j in range(4)})
    assert item_response_of(few, {}) is None


def test_sigma_does_not_vanish_where_all_attain_everything() -> None:
    ones = np.ones((30, 5))
    found, spread = fitted(ones, ones, np.ones((30, 1)))
    assert 0 < spread.sigma < 2
    assert np.isfinite(found.abilities).all()


# --- in a report -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six scenarios of which it is said that 15 minutes are the least, by an agent at two speeds."""
    folder, out = tmp_path_factory.mktemp("new"), tmp_path_factory.mktemp("runs")
    answers = []
    for number in range(1, 7):
        file = folder / f"{number}.json"
        task = f"cooking{number}"
        file.write_text(json.dumps({"world": "timearena", "id": task, "tasks": [task]}))
        dials = {"length": 4.0 + number, "lags": 0.0, "gap:busy": number / 10}
        scenario = digest(registry.world(file).scenario)
        answers.append(Answered(scenario, "min", "minutes", "optimal", 15, 15, dials))
    (folder / FILE).write_bytes(encoded(answers))
    agents = [AgentSpec(name) for name in ("serial", "first-legal", "first-legal@latency=60")]
    run(jobs_of([str(folder)], agents, 1, "standard", "article"), out, workers=1)
    return out


def test_a_report_has_difficulty_by_dial_and_by_speed(records: Path, tmp_path: Path) -> None:
    loaded = load(records)
    scored = score([episode for _, episode in loaded.episodes], answers=answers_for(records))
    found = difficulty_of(scored[0])
    assert found is not None and not scored[0].left_out
    assert list(found.dials) == ["length", "gap:busy"] and found.constant == ("lags",)
    charts = dials_charts(found, ATTAINED)
    assert {(chart.title, chart.y) for chart in charts} == {
        (dial, f"attained, %{note}")
        for dial in ("length", "gap:busy")
        for note in ("", ", first-legal by speed")
    }
    assert {line.name for line in charts[0].lines} == {"serial", "first-legal"}
    assert {line.name for line in charts[-1].lines} == {"first-legal", "first-legal@latency=60"}
    page = write_report(loaded, scored, tmp_path / "report.html", records).read_text()
    for title in ("attained by dial", "regret* by dial", "what makes it hard"):
        assert f"<summary>Difficulty: {title}</summary>" in page
    assert "Item response has no table: it takes 5 agents and 30 scenarios." in page
    keys = {figure.key for _, figure in figures_of(scored)}
    assert {"difficulty-attained", "difficulty-regret"} <= keys


def test_without_answers_there_is_no_such_part(records: Path) -> None:
    (world,) = score([episode for _, episode in load(records).episodes])
    assert difficulty_of(world) is None
