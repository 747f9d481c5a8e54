"""Paired differences, with the arithmetic; what cannot be compared is refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from backburner.evaluation.comparing.comparison import (
    Comparison,
    Side,
    compare,
    comparison_chart,
    comparison_section,
    side_of,
)
from backburner.evaluation.comparing.power import power_section
from backburner.evaluation.scoring.scores import Counting, WorldScores
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.scoring import Measured, Measures, Metric
from support.evaluation.made_episodes import made


def mean_score(rows: Sequence[Measures]) -> float | None:
    return sum(row["score"] for row in rows) / len(rows) if rows else None


def mean_time(rows: Sequence[Measures]) -> float | None:
    done = [row["time"] for row in rows if "time" in row]
    return sum(done) / len(done) if done else None


METRICS = (
    Metric("score", "mean score", "%", "higher", mean_score, ""),
    Metric("time", "time of what was completed", "min", "lower", mean_time, ""),
    Metric("talk", "as the score, neither good nor bad", "", "neither", mean_score, ""),
)


def play(agent: str, scenario: str, seed: int, score: float, time: float | None = None) -> Measured:
    return made(agent, scenario, seed), {"score": score} | ({} if time is None else {"time": time})


def compared(*rows: Measured) -> list[Comparison]:
    world = WorldScores("tea", "Tea", METRICS, (), (), (), rows, ())
    return compare([world], side("one", rows), side("other", rows))


def side(agent: str, rows: Sequence[Measured]) -> Side:
    return Side(agent, tuple(episode for episode, _ in rows if episode.header.agent == agent))


def test_differences_are_of_scenarios() -> None:
    """a: (60 + 80) / 2 - (50 + 50) / 2 = 20; b: 40 - 50 = -10; c: 30 - 30 = 0. The mean is 10 / 3."""
    (found,) = compared(
        *(play("one", "a", 0, 60), play("one", "a", 1, 80), play("one", "b", 0, 40), play("one", "c", 0, 30)),
        *(play("other", "a", 0, 50), play("other", "a", 1, 50)),
        *(play("other", "b", 0, 50), play("other", "c", 0, 30)),
    )
    score = found.differences[0]
    assert (score.pairs, score.scenarios) == (4, 3) == (found.pairs, found.scenarios)
    assert score.difference.value == pytest.approx(10 / 3)
    assert score.one == pytest.approx(140 / 3) and score.other == pytest.approx(130 / 3)
    assert [score.better, score.equal, score.worse] == [pytest.approx(100 / 3)] * 3
    low, high = score.difference.low, score.difference.high
    by_t = stats.t.interval(0.95, 2, loc=10 / 3, scale=stats.sem([20, -10, 0]))
    assert (low, high, score.difference.method) == (*map(pytest.approx, by_t), "t")


def test_a_difference_between_two_ends_lies_within_twice_their_distance() -> None:
    """Shares that are equal in all of five scenarios differ by 52 points at most: 1 - 0.025^(1/5)."""
    share = Metric("share", "", "%", "higher", mean_score, "", share=True)
    rows = [play(agent, f"s{n}", 0, 100.0) for agent in ("one", "other") for n in range(5)]
    world = WorldScores("tea", "Tea", (share,), (), (), (), tuple(rows), ())
    (found,) = compare([world], side("one", rows), side("other", rows))
    (difference,) = found.differences
    most = 100 * (1 - 0.025**0.2)
    assert (difference.difference.low, difference.difference.high) == pytest.approx((-most, most))


def test_only_what_both_played_counts() -> None:
    (found,) = compared(
        *(play("one", "a", 0, 60), play("one", "a", 1, 0), play("one", "alone", 0, 0)),
        *(play("other", "a", 0, 50), play("other", "a", 7, 100)),
    )
    assert (found.pairs, found.scenarios, found.differences[0].difference.value) == (1, 1, 10.0)


def test_a_metric_counts_where_both_episodes_of_a_pair_have_it() -> None:
    """Seed 1 was completed by one alone. Less time is better: 9 - 12 = -3."""
    (found,) = compared(
        *(play("one", "a", 0, 100, 9), play("one", "a", 1, 100, 5)),
        *(play("other", "a", 0, 100, 12), play("other", "a", 1, 20)),
    )
    time = found.differences[1]
    assert (time.metric, time.pairs, time.difference.value, time.better) == ("time", 1, -3.0, 100.0)


def test_where_neither_end_is_better_nothing_is() -> None:
    (found,) = compared(play("one", "a", 0, 1), play("other", "a", 0, 2))
    talk = found.differences[-1]
    assert (talk.better, talk.equal, talk.worse) == (None, 0.0, None)
    assert comparison_section(found).rows[-1][-1] == "– / 0 / –"


@settings(max_examples=30)
@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100)), min_size=1, max_size=8))
def test_the_other_way_round_all_signs_change(scores: list[tuple[float, float]]) -> None:
    rows = [play("one", f"s{n}", 0, one) for n, (one, _) in enumerate(scores)]
    rows += [play("other", f"s{n}", 0, other) for n, (_, other) in enumerate(scores)]
    world = WorldScores("tea", "Tea", METRICS[:1], (), (), (), tuple(rows), ())
    (there,) = compare([world], side("one", rows), side("other", rows))
    (back,) = compare([world], side("other", rows), side("one", rows))
    one, other = there.differences[0], back.differences[0]
    assert one.difference.value == pytest.approx(-(other.difference.value or 0.0))
    assert (one.better, one.equal, one.worse) == (other.worse, other.equal, other.better)
    assert (one.better or 0) + one.equal + (one.worse or 0) == pytest.approx(100)


def test_other_rules_or_limits_are_refused() -> None:
    ours, score = made("one"), {"score": 1.0}
    with pytest.raises(
        Refused, match=r"tea/a, seed 0: one and other .* different rules \(standard, released\)"
    ):
        compared((ours, score), (made("other", rules="released"), score))
    with pytest.raises(Refused, match="different limits"):
        compared((ours, score), (made("other", limits={"steps": 9}), score))


def test_rule_sets_that_both_played_are_compared_each_by_itself() -> None:
    rows = [(made(agent, rules=rules), {"score": 1.0}) for agent in ("one", "other") for rules in ("r", "s")]
    assert [found.rules for found in compared(*rows)] == ["r", "s"]


def test_several_records_of_one_episode_are_refused() -> None:
    with pytest.raises(Refused, match="one: several records of tea/a, seed 0"):
        compared(play("one", "a", 0, 1), play("one", "a", 0, 2), play("other", "a", 0, 2))


def test_nothing_in_common_is_refused() -> None:
    with pytest.raises(Refused, match="no scenario and seed in common"):
        compared(play("one", "a", 0, 1), play("other", "b", 0, 2))


RECORDS: list[tuple[Path, Episode]] = [
    (Path("runs/may/1.jsonl"), made("one")),
    (Path("runs/june/1.jsonl"), made("one")),
    (Path("runs/june/2.jsonl"), made("two")),
]


@pytest.mark.parametrize(
    ("name", "places"), [("one", [0, 1]), ("may", [0]), ("june", [1, 2]), ("runs/june", [1, 2])]
)
def test_a_side_is_an_agent_or_a_folder(name: str, places: list[int]) -> None:
    found = side_of(name, RECORDS, Path("runs"))
    assert [id(episode) for episode in found.episodes] == [id(RECORDS[place][1]) for place in places]


def test_a_side_that_is_not_there_is_told_with_the_nearest_agent() -> None:
    with pytest.raises(UnknownName, match=r"unknown agent or folder of records 'ohne'.*did you mean one"):
        side_of("ohne", RECORDS, Path("runs"))


def test_the_table_and_the_picture_say_the_same() -> None:
    (found,) = compared(play("one", "a", 0, 60, 9), play("other", "a", 0, 50, 12))
    section, chart = comparison_section(found), comparison_chart(found)
    assert section.columns[:4] == ("metric", "one", "other", "difference")
    assert section.rows[0] == ("score (%)", 60.0, 50.0, "+10.00", None, "–", 1, 1, "100 / 0 / 0")
    assert [(stack.name, stack.parts["better"]) for stack in chart.stacks] == [("score", 100), ("time", 100)]


def test_failed_calls_are_in_no_pair_and_what_is_left_out_is_said() -> None:
    """Scenario b failed for one, c was played by the other alone: the difference is 10, not (10 - 50) / 2."""
    rows = (
        *(play("one", "a", 0, 60), (made("one", "b", 0, status="failed"), {"score": 0.0})),
        *(play("other", "a", 0, 50), play("other", "b", 0, 50), play("other", "c", 0, 50)),
    )
    (found,) = compared(*rows)
    assert (found.pairs, found.differences[0].difference.value) == (1, 10.0)
    assert (found.unpaired, found.failed) == ((1, 2), (1, 0))
    text = comparison_section(found).text
    assert text.endswith("left out: 1 of one (in 1 a call failed), 2 of other.")
    world = WorldScores("tea", "Tea", METRICS, (), (), (), rows, (), counting=Counting(failed=True))
    (asked,) = compare([world], side("one", rows), side("other", rows))
    assert (asked.pairs, asked.differences[0].difference.value) == (2, -20.0)


def test_p_values_are_of_scenarios_and_corrected_for_all_metrics() -> None:
    """Six scenarios, all better: 2 of 2^6 patterns of signs; time has three. Talk is as score."""
    rows = [play("one", f"s{n}", 0, 60 + n, 5) for n in range(6)]
    rows += [play("other", f"s{n}", 0, 50, 5 + n if n < 3 else None) for n in range(6)]
    (found,) = compared(*rows)
    score, time, talk = found.differences
    assert (score.p, talk.p) == (pytest.approx(2 / 64), pytest.approx(2 / 64))
    assert time.p == pytest.approx(4 / 8)  # 0, -1, -2: 0 has either sign
    assert (score.corrected, time.corrected) == (pytest.approx(3 * 2 / 64), pytest.approx(0.5))
    gains = [10 + n for n in range(6)]
    assert score.effect == pytest.approx(12.5 / stats.tstd(gains) * (1 - 3 / 19))
    assert score.variation is not None and score.variation.scenarios == pytest.approx(stats.tvar(gains))


def test_how_many_scenarios_a_comparison_needs_is_told() -> None:
    """Differences 10 to 60 in steps of 10: s = 18.7, a fifth of it is 4."""
    rows = [play("one", f"s{n}", 0, 60 + 10 * n) for n in range(6)]
    rows += [play("other", f"s{n}", 0, 50) for n in range(6)]
    (found,) = compared(*rows)
    section = power_section(found)
    assert section is not None and "1 seed" in section.columns
    assert [row[0] for row in section.rows] == ["4", "9", "20"]
    needed = section.rows[0][1]
    spread = stats.tstd([10, 20, 30, 40, 50, 60])
    for number, enough in ((needed, True), (needed - 1, False)):
        shift, critical = 4 / spread * number**0.5, stats.t.ppf(0.975, number - 1)
        power = stats.nct.sf(critical, number - 1, shift) + stats.nct.cdf(-critical, number - 1, shift)
        assert bool(power >= 0.8) is enough
    assert section.rows[0][1] == section.rows[0][4] and "cannot be told apart" in section.text


def test_without_variation_nothing_is_told_of_what_is_needed() -> None:
    (found,) = compared(*(play(agent, f"s{n}", 0, 50) for agent in ("one", "other") for n in range(3)))
    assert power_section(found) is None
