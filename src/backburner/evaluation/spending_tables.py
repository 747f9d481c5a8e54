"""Spending as tables: totals, medians, and money where there are prices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backburner.evaluation.prices import Prices
from backburner.evaluation.spending import Amount, Spending
from backburner.kernel.scoring import Section

UNKNOWN = "unknown"

TOTALS_TEXT = (
    "Over all episodes; tokens as the provider counts them, seconds of the calls. After them the calls whose "
    "answer did not end of itself, by how it did: cut at the cap (length), without words (empty), a tool "
    "called in their place, and so on. {metric} for each 1000 tokens: the figure over the tokens, input and "
    "output, that an episode took in the mean."
)
MEDIANS_TEXT = "Medians over all episodes, and over all answers that asked a model."
MONEY_TEXT = (
    "By the prices that were given{dated}. {metric} for each unit of money: the figure over what an episode "
    "cost in the mean. Unknown: a model has no price there, or the provider told no tokens."
)


def spending_sections(found: Sequence[Spending], prices: Prices | None) -> Iterator[Section]:
    """The tables of one world; none if no model played, and none about money without ``prices``."""
    if not found:
        return
    yield _totals(found)
    yield _medians(found)
    if prices is not None:
        yield _money(found, prices)


def _totals(found: Sequence[Spending]) -> Section:
    metric = found[0].worth.metric
    endings = list(dict.fromkeys(name for one in found for name in one.endings))
    rows = (
        (
            one.agent,
            one.episodes,
            *_cells(one.total, one.counted),
            *(one.endings.get(name, 0) for name in endings),
            _figure(one.worth.per_1000_tokens) if one.counted else UNKNOWN,
        )
        for one in found
    )
    columns = ("agent", "episodes", "calls", "input tokens", "output tokens", "seconds")
    last = f"{metric} per 1000 tokens"
    return Section(
        "What the answers took", TOTALS_TEXT.format(metric=metric), (*columns, *endings, last), tuple(rows)
    )


def _medians(found: Sequence[Spending]) -> Section:
    rows = [
        (one.agent, what, *_cells(amount, one.counted))
        for one in found
        for what, amount in (("episode", one.per_episode), ("answer", one.per_answer))
    ]
    columns = ("agent", "in a median", "calls", "input tokens", "output tokens", "seconds")
    return Section("What an episode and an answer took", MEDIANS_TEXT, columns, tuple(rows))


def _money(found: Sequence[Spending], prices: Prices) -> Section:
    metric = found[0].worth.metric
    rows = [
        (
            one.agent,
            ", ".join(one.models),
            _or_unknown(one.money),
            _or_unknown(None if one.money is None else one.money / one.episodes),
            UNKNOWN if one.money is None else _figure(one.worth.per_money),
        )
        for one in found
    ]
    unit = prices.currency
    columns = ("agent", "models", unit, f"{unit} per episode", f"{metric} per {unit}")
    dated = f", dated {prices.dated}" if prices.dated else ""
    text = MONEY_TEXT.format(metric=metric, dated=dated)
    return Section("What the answers cost", text, columns, tuple(rows))


def _cells(amount: Amount, counted: bool) -> tuple[object, ...]:
    tokens = (amount.input_tokens, amount.output_tokens)
    told = map(round, tokens) if counted else (UNKNOWN, UNKNOWN)
    return (_plain(amount.calls), *told, round(amount.seconds, 3))


def _plain(value: float) -> float | int:
    """A whole number without decimals."""
    return int(value) if value == int(value) else round(value, 2)


def _or_unknown(value: float | None) -> str:
    return UNKNOWN if value is None else _figure(value)


def _figure(value: float | None) -> str:
    """Three digits at least, whatever the size; a dash for none."""
    if value is None:
        return "–"
    return f"{value:,.2f}" if abs(value) >= 1 or not value else f"{value:.3g}"
