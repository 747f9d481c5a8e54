"""What an agent's answers took: calls, tokens, the models' seconds, and what they cost by a user's prices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from msgspec import Struct

from backburner.evaluation.prices import NO_PRICES, Prices, counted, model_of
from backburner.kernel.episode import Episode
from backburner.kernel.policy import Spent, total
from backburner.kernel.scoring import Measured, Metric, by_agent


class Amount(Struct, frozen=True):
    """Calls to models, tokens as their providers count them, and the seconds of the calls."""

    calls: float
    input_tokens: float
    output_tokens: float
    seconds: float


class Worth(Struct, frozen=True):
    """The world's first metric over an agent's episodes, beside what they took.

    ``per_1000_tokens``: value / (tokens of a mean episode / 1000), input and output together.
    ``per_money``: value / what a mean episode costs. Each is ``None`` where a part of it is not known, or
    nothing was spent, or less of the metric is better.
    """

    metric: str
    value: float | None
    per_1000_tokens: float | None
    per_money: float | None


class Spending(Struct, frozen=True):
    """What an agent's answers took over all its episodes, in a median episode and in a median answer.

    ``endings``: calls whose answer did not end of itself, by how it did. ``counted``: whether the
    provider told the tokens of every answer. ``money``: in ``currency``; ``None`` if it is not known.
    """

    agent: str
    models: tuple[str, ...]
    episodes: int
    answers: int
    total: Amount
    per_episode: Amount
    per_answer: Amount
    endings: dict[str, int]
    counted: bool
    money: float | None
    currency: str
    worth: Worth


def spending_of(rows: Sequence[Measured], metric: Metric, prices: Prices = NO_PRICES) -> Iterator[Spending]:
    """What each agent spent; agents whose answers took no model are left out."""
    for agent, mine in by_agent(rows):
        if any(spent.calls for episode, _ in mine for _, spent in spent_in(episode)):
            yield _of_agent(agent, mine, metric, prices)


def spent_in(episode: Episode) -> Iterator[tuple[str, Spent]]:
    """(seat, what its answer took), of all answers that asked a model."""
    for entry in episode.entries:
        yield from ((seat, spent) for seat, spent in entry.spent.items() if spent.calls)


def _of_agent(agent: str, rows: Sequence[Measured], metric: Metric, prices: Prices) -> Spending:
    episodes = [episode for episode, _ in rows]
    answers = [spent for episode in episodes for _, spent in spent_in(episode)]
    by_episode = [total(spent for _, spent in spent_in(episode)) for episode in episodes]
    together = total(answers)
    told = all(map(counted, answers))
    costs = [prices.cost(episode) for episode in episodes]
    known = [cost for cost in costs if cost is not None]
    money = sum(known) if len(known) == len(costs) else None
    models = {model_of(episode, seat): None for episode in episodes for seat, _ in spent_in(episode)}
    return Spending(
        agent,
        tuple(models),
        len(episodes),
        len(answers),
        Amount(together.calls, together.input_tokens, together.output_tokens, together.seconds),
        _medians(by_episode),
        _medians(answers),
        dict(Counter(together.endings).most_common()),
        told,
        money,
        prices.currency,
        _worth(rows, metric, together.input_tokens + together.output_tokens if told else None, money),
    )


def _worth(rows: Sequence[Measured], metric: Metric, tokens: float | None, money: float | None) -> Worth:
    value = metric.over([measures for _, measures in rows])
    if value is None or metric.better != "higher":
        return Worth(metric.key, value, None, None)
    return Worth(
        metric.key,
        value,
        value / (tokens / len(rows) / 1000) if tokens else None,
        value / (money / len(rows)) if money else None,
    )


def _medians(costs: Sequence[Spent]) -> Amount:
    return Amount(
        median(cost.calls for cost in costs),
        median(cost.input_tokens for cost in costs),
        median(cost.output_tokens for cost in costs),
        median(cost.seconds for cost in costs),
    )
