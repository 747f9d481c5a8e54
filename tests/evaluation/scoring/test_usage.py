"""What answers took and cost, with the arithmetic."""

from __future__ import annotations

import pytest

from backburner.evaluation.scoring.usage import AgentUsage, Amount, Price, Prices, usage_of, usage_sections
from backburner.kernel.episode import Episode, Player
from backburner.kernel.scoring import Measured, Measures, Metric
from backburner.kernel.values import Usage
from support.evaluation.made_episodes import answered, made


def mean_score(rows: list[Measures]) -> float:
    return sum(row["score"] for row in rows) / len(rows)


SCORE = Metric("score", "mean score", "%", "higher", mean_score, "")  # type: ignore[arg-type]
TIME = Metric("time", "mean time", "min", "lower", mean_score, "")  # type: ignore[arg-type]

SHORT = Usage(seconds=1.0, calls=1, input_tokens=100, output_tokens=10)
LONG = Usage(seconds=4.0, calls=2, input_tokens=300, output_tokens=50, endings={"length": 1})
EMPTY = Usage(seconds=1.0, calls=1, input_tokens=540, output_tokens=0, endings={"empty": 1})

TWO: list[Measured] = [
    (made(entries=[answered(SHORT), answered(LONG)]), {"score": 80.0}),
    (made(seed=1, entries=[answered(EMPTY)]), {"score": 20.0}),
]

PRICES = Prices({"small": Price(2.0, 10.0)}, "EUR", "2026-01-15")


def only(found: list[AgentUsage]) -> AgentUsage:
    (one,) = found
    return one


def test_everything_is_added_up() -> None:
    one = only(list(usage_of(TWO, SCORE)))
    assert (one.agent, one.models, one.episodes, one.answers) == ("act(small)", ("small",), 2, 3)
    # 1 + 2 + 1 calls; 100 + 300 + 540 in; 10 + 50 + 0 out; 1 + 4 + 1 seconds
    assert one.total == Amount(4, 940, 60, 6.0)
    assert one.endings == {"length": 1, "empty": 1}


def test_medians_are_over_episodes_and_over_answers() -> None:
    one = only(list(usage_of(TWO, SCORE)))
    # episodes: 3 calls, 400 in, 60 out, 5 s; and 1, 540, 0, 1 s
    assert one.per_episode == Amount(2.0, 470.0, 30.0, 3.0)
    # answers: 100, 300, 540 in; 10, 50, 0 out
    assert one.per_answer == Amount(1, 300, 10, 1.0)


def test_score_for_tokens_and_for_money() -> None:
    one = only(list(usage_of(TWO, SCORE, PRICES)))
    # mean score 50; 1000 tokens in two episodes are 500 for each: 50 / 0.5
    assert one.worth.per_1000_tokens == pytest.approx(100.0)
    # 940 x 2 + 60 x 10 = 2480 millionths, half of it for each episode
    assert one.money == pytest.approx(0.00248)
    assert one.worth.per_money == pytest.approx(50 / 0.00124)


def test_there_is_no_score_for_tokens_where_less_is_better() -> None:
    worth = only(list(usage_of(TWO, TIME, PRICES))).worth
    assert (worth.per_1000_tokens, worth.per_money) == (None, None)


def test_a_model_without_a_price_costs_an_unknown_amount_and_never_nothing() -> None:
    one = only(list(usage_of(TWO, SCORE, Prices({"other": Price(1.0, 1.0)}))))
    assert one.money is None
    *_, money = usage_sections([one], PRICES)
    assert money.rows == (("act(small)", "small", "unknown", "unknown", "unknown"),)


def test_tokens_that_the_provider_does_not_tell_are_unknown_too() -> None:
    silent: list[Measured] = [(made(entries=[answered(Usage(calls=1, seconds=2.0))]), {"score": 1.0})]
    one = only(list(usage_of(silent, SCORE, PRICES)))
    assert (one.counted, one.money, one.worth.per_1000_tokens) == (False, None, None)
    totals, medians, _ = usage_sections([one], PRICES)
    assert totals.rows[0][3:5] == ("unknown", "unknown") and totals.rows[0][-1] == "unknown"
    assert medians.rows[0][3:5] == ("unknown", "unknown")


def team(*usage: Usage) -> Episode:
    players = {
        "chef": Player("act(small)", settings={"model": "small"}),
        "helper": Player("act(large)", settings={"model": "large"}),
    }
    return made(players=players, entries=[answered(*usage, seats=("chef", "helper"))])


def test_each_seat_pays_for_its_own_model() -> None:
    prices = Prices({"small": Price(1.0, 0.0), "large": Price(10.0, 0.0)})
    # 100 tokens at 1 and 300 at 10 millionths
    assert prices.cost(team(SHORT, LONG)) == pytest.approx(0.0031)
    assert PRICES.cost(team(SHORT, LONG)) is None
    assert PRICES.cost(team(SHORT)) == pytest.approx(0.0003)  # the helper asked no model: 100 x 2 + 10 x 10


def test_nothing_is_shown_where_no_model_played() -> None:
    scripted: list[Measured] = [(made("greedy", entries=[answered()]), {"score": 1.0})]
    assert list(usage_of(scripted, SCORE, PRICES)) == []
    assert list(usage_sections([], PRICES)) == []


def test_money_is_a_table_only_with_prices() -> None:
    found = list(usage_of(TWO, SCORE, PRICES))
    titles = [section.title for section in usage_sections(found, None)]
    assert "What the answers cost" not in titles and len(titles) == 2
    *_, money = usage_sections(found, PRICES)
    assert money.columns[2:] == ("EUR", "EUR per episode", "score per EUR")
    assert money.rows[0][2:] == ("0.00248", "0.00124", "40,322.58")
    assert "dated 2026-01-15" in money.text


def test_what_was_kept_thought_and_lost_is_told_where_there_is_any() -> None:
    """1,000 tokens in, 400 of them kept: 600 at 3 and 400 at 1 a million, and 100 out at 10, make 0.0032."""
    usage = Usage(1.0, 2, 1000, 100, {}, 400, 60, {"m-2026-11 (fp_1)": 2}, 3)
    rows: list[Measured] = [(made(entries=[answered(usage)]), {"score": 1.0})]
    prices = Prices({"m": Price(3.0, 10.0, 1.0)})
    (told,) = usage_of(rows, SCORE, prices)
    assert (told.cached_tokens, told.reasoning_tokens, told.lost) == (400, 60, 3)
    assert told.servers == {"m-2026-11 (fp_1)": 2}
    assert prices.models["m"].of(usage) == pytest.approx(0.0032)
    totals = next(usage_sections([told], None))
    row = dict(zip(totals.columns, totals.rows[0], strict=True))
    assert (row["cached tokens"], row["reasoning tokens"], row["lost"]) == (400, 60, 3)
    (plain,) = usage_of([(made(entries=[answered(SHORT)]), {"score": 1.0})], SCORE)
    assert "lost" not in next(usage_sections([plain], None)).columns
