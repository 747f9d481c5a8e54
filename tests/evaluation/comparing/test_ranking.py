"""All pairs of agents and the ranking: places are as sure as their tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from msgspec.structs import replace
from scipy import stats

from backburner.evaluation.comparing.ranking import Figures, Ranking, rank, ranking_sections, rankings
from backburner.evaluation.scoring.scores import COUNTING, WorldScores, cells
from backburner.kernel.experiments import Experiment
from backburner.kernel.scoring import Metric
from support.evaluation.made_episodes import made
from support.evaluation.samples import ANY, SCORE, TIME


def figures(*values: float) -> Figures:
    return {f"s{n}": value for n, value in enumerate(values)}


def places(metric: Metric, **agents: Figures) -> dict[str, tuple[int, int]]:
    found = rank(metric, agents)
    assert found is not None
    return {one.agent: (one.best, one.worst) for one in found[0]}


def test_who_is_ahead_for_certain_stands_ahead() -> None:
    """Ten scenarios, each 20 better: p = 2 / 2^10, three times that corrected. c and b are alike."""
    b = [40.0 + n for n in range(10)]
    a, c = [x + 20 for x in b], [x + (-1) ** int(x) for x in b]
    found = places(SCORE, a=figures(*a), b=figures(*b), c=figures(*c))
    assert found == {"a": (1, 1), "b": (2, 3), "c": (2, 3)}


def test_less_is_better_where_the_metric_says_so() -> None:
    fast, slow = [5.0 + n for n in range(8)], [9.0 + n for n in range(8)]
    assert places(TIME, slow=figures(*slow), fast=figures(*fast)) == {"fast": (1, 1), "slow": (2, 2)}


def test_five_scenarios_leave_every_place_open() -> None:
    assert places(SCORE, a=figures(*[90.0] * 5), b=figures(*[10.0] * 5)) == {"a": (1, 2), "b": (1, 2)}


def test_each_pair_is_over_what_both_have() -> None:
    """a and b have 10, 20 against 20, 30; c has s2 alone, as a has; d shares nothing and is not ranked."""
    agents = {"a": figures(10, 20, 90), "b": figures(20, 30), "c": {"s2": 60.0}, "d": {"x": 1.0}}
    found = rank(SCORE, agents)
    assert found is not None
    standings, pairs = found
    shown = [(pair.one, pair.other, pair.scenarios, pair.difference.value) for pair in pairs]
    assert shown == [("a", "b", 2, -10.0), ("a", "c", 1, 30.0)]
    assert [(one.agent, one.scenarios, one.lead) for one in standings] == [
        ("a", 3, 10.0),
        ("b", 2, 10.0),
        ("c", 1, -30.0),
    ]
    assert rank(SCORE, {"a": figures(1)}) is None and rank(SCORE, {"a": figures(1), "b": {"x": 1.0}}) is None


def test_all_pairs_by_scipy() -> None:
    """p of each pair by enumeration of signs, corrected as statistics text books do."""
    draw = np.random.default_rng(0)
    agents = {name: figures(*draw.normal(shift, 1, 7)) for name, shift in (("a", 0), ("b", 1), ("c", 3))}
    found = rank(ANY, agents)
    assert found is not None
    pairs = found[1]
    assert [(pair.one, pair.other) for pair in pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    for pair in pairs:
        deltas = np.array(list(agents[pair.one].values())) - np.array(list(agents[pair.other].values()))
        signs = 1 - 2 * ((np.arange(2**7)[:, None] >> np.arange(7)) & 1)
        expected = np.mean(np.abs(signs @ deltas) >= abs(deltas.sum()) - 1e-12)
        assert pair.p == pytest.approx(expected)
        low, high = stats.t.interval(0.95, 6, loc=deltas.mean(), scale=stats.sem(deltas))
        assert (pair.difference.low, pair.difference.high) == (pytest.approx(low), pytest.approx(high))
    ordered = sorted(pairs, key=lambda pair: pair.p or 0)
    assert ordered[0].corrected == pytest.approx(3 * (ordered[0].p or 0))


def test_ranges_hold_the_true_places() -> None:
    """Four agents, two of them equally good: in 95 % of experiments all ranges are right."""
    draw, right = np.random.default_rng(1), 0
    for _ in range(60):
        scenario = draw.normal(0, 5, 9)
        agents = {
            name: figures(*(scenario + draw.normal(skill, 1, 9)))
            for name, skill in (("a", 2.0), ("b", 1.0), ("c", 1.0), ("d", 0.0))
        }
        found = places(ANY_HIGHER, **agents)
        true = {"a": (1, 1), "b": (2, 3), "c": (2, 3), "d": (4, 4)}
        right += all(found[n][0] <= best and worst <= found[n][1] for n, (best, worst) in true.items())
    assert right >= 55


ANY_HIGHER = Metric("x", "", "", "higher", ANY.over, "")


def test_a_world_s_ranking_as_tables() -> None:
    """Two groups of three scenarios; a call that failed counts nowhere."""
    failed = (made("act", "s9", status="failed"), {"x": 0.0})
    played = []
    for agent, base in (("act", 40), ("react", 60)):
        for group, first in (("easy", 0), ("hard", 3)):
            rows = [
                (made(agent, f"s{first + n}", seed), {"x": float(base + n)})
                for n in range(3)
                for seed in range(2)
            ]
            played.append(Experiment(group, "standard", agent, (*rows, *[failed][: agent == "act"])))
    of_cells = tuple(cells(played, COUNTING))
    world = WorldScores("tea", "Tea", (SCORE,), (), (), (), (), (), cells=of_cells)
    (ranking,) = rankings(world)
    places, pairs = ranking_sections([ranking])
    assert places.rows == (("react", 6, 20.0, "1"), ("act", 6, -20.0, "2"))
    ((one, other, scenarios, difference, effect, p, corrected),) = pairs.rows
    assert (one, other, scenarios, effect, p, corrected) == ("act", "react", 6, None, "0.031", "0.031")
    assert str(difference).startswith("-20.00 [")


def three(lead: Sequence[float], **metrics: Sequence[float]) -> list[Ranking]:
    """Rankings of the agents c, b, a by these metrics over eight scenarios: figure + scenario's number."""
    found = []
    for key, bases in {"lead": lead, **metrics}.items():
        metric = replace(SCORE, key=key)
        agents = {
            name: figures(*(base + n for n in range(8))) for name, base in zip("cba", bases, strict=True)
        }
        standings, pairs = rank(metric, agents) or ((), ())
        found.append(Ranking("tea", "standard", key, "%", standings, pairs))
    return found


def test_nobody_is_ranked_by_what_is_equal_for_all() -> None:
    """By the first metric in which agents differ, and the equal one is told in words."""
    places, pairs = ranking_sections(three((5, 5, 5), speed=(1, 2, 3)))
    assert places.columns == ("agent", "scenarios", "lead, speed (%)", "speed")
    assert [row[0] for row in places.rows] == ["a", "b", "c"]
    assert "Equal for all: lead." in places.text
    assert "speed (%)" in pairs.columns[3]


def test_agents_that_are_equal_in_everything_have_no_places() -> None:
    places, pairs = ranking_sections(three((5, 5, 5), speed=(1, 1, 1)))
    assert places.columns == ("agent", "scenarios") and len(places.rows) == 3
    assert "All agents are equal in every metric: lead, speed." in places.text
    assert not pairs.rows and "equal" in pairs.text


def test_places_that_are_open_for_everybody_are_told_in_words() -> None:
    """A column in which every cell says "1 to 3" says it once, in the text."""
    (few,) = three((1, 2, 3))
    open_ones = tuple(replace(one, best=1, worst=3) for one in few.standings)
    places, _ = ranking_sections([replace(few, standings=open_ones)])
    assert places.columns == ("agent", "scenarios", "lead, lead (%)")
    assert "No two agents are told apart for certain by lead: every place is open." in places.text
