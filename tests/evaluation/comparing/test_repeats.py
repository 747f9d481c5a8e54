"""pass@k and pass^k: by counting, by hand, and over scenarios that all have often enough."""

from __future__ import annotations

from itertools import combinations

import pytest

from backburner.evaluation.comparing.power import pass_all, pass_at, repeat_sections
from backburner.evaluation.scoring.scores import COUNTING, WorldScores, cells
from backburner.kernel.experiments import Experiment
from backburner.kernel.scoring import Measured, Metric, grouped, success
from support.evaluation.made_episodes import made

SHARE = Metric("SR", "success rate", "%", "higher", success, "", share=True)


@pytest.mark.parametrize("number", [1, 4, 6])
def test_they_count_all_ways_to_choose(number: int) -> None:
    for successes in range(number + 1):
        episodes = [index < successes for index in range(number)]
        for k in range(1, number + 1):
            chosen = list(combinations(episodes, k))
            assert pass_at(number, successes, k) == pytest.approx(100 * sum(map(any, chosen)) / len(chosen))
            assert pass_all(number, successes, k) == pytest.approx(100 * sum(map(all, chosen)) / len(chosen))


def episodes(agent: str, **outcomes: str) -> list[Measured]:
    """By scenario: 1 and 0 for each seed, and f for a failed call."""
    return [
        (made(agent, name, seed, status="failed" if one == "f" else "ended"), {"success": float(one == "1")})
        for name, seeds in outcomes.items()
        for seed, one in enumerate(seeds)
    ]


def table(*rows: Measured) -> dict[str, dict[str, object]]:
    by_agent = grouped(rows, lambda row: row[0].header.agent).items()
    played = [Experiment("all", "standard", agent, tuple(own)) for agent, own in by_agent]
    of_cells = tuple(cells(played, COUNTING))
    world = WorldScores("tea", "Tea", (SHARE,), (), (), (), rows, (), cells=of_cells)
    return {
        str(row[2]): dict(zip(section.columns, row, strict=True))
        for section in repeat_sections(world)
        for row in section.rows
    }


def test_the_means_over_scenarios_by_hand() -> None:
    """a: 2 of 3, so pass@2 = 1, pass^2 = 1/3; b: 1 of 3, so 2/3 and 0; means 83.33 and 16.67."""
    found = table(*episodes("act", a="110", b="001"))["act"]
    assert str(found["pass@1"]).startswith("50.00 [")
    assert str(found["pass@2"]).startswith("83.33 [") and str(found["pass^2"]).startswith("16.67 [")
    assert str(found["pass@3"]).startswith("100.00 [") and str(found["pass^3"]).startswith("0.00 [")
    assert "pass@4" not in found


def test_all_agents_are_over_the_same_scenarios() -> None:
    """react has one seed of b, as a call failed: two tries are compared over a alone, without an interval."""
    found = table(*episodes("act", a="10", b="11"), *episodes("react", a="11", b="1f"))
    assert (found["act"]["pass@2"], found["act"]["pass^2"]) == ("100.00", "0.00")
    assert (found["react"]["pass@2"], found["react"]["pass^2"]) == ("100.00", "100.00")
    assert str(found["act"]["pass@1"]).startswith("75.00 [")


def test_without_repeats_there_is_no_table() -> None:
    assert table(*episodes("act", a="1", b="0")) == {}
