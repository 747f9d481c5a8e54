"""What agents' answers took: calls, tokens, the models' seconds, and what they cost.

What a user pays for models stands in a JSON file of prices per million tokens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Annotated, Any

from msgspec import Meta, Struct, field

from backburner.agents.models.stand_in import STAND_IN, is_stand_in
from backburner.kernel.episode import Episode
from backburner.kernel.errors import nearest, shorten
from backburner.kernel.files import Place, converted, read_json
from backburner.kernel.scoring import Measured, Metric, Section, by_agent
from backburner.kernel.values import Usage, total

# --- prices ------------------------------------------------------------------------------------------------


MILLION = 1_000_000

NotNegative = Annotated[float, Meta(ge=0)]


class Price(Struct, frozen=True, forbid_unknown_fields=True):
    """What a model's provider asks for, in the file's currency, per million tokens.

    ``cached_per_million``: for input that the provider had kept from former calls; by default as for any.
    """

    input_per_million: NotNegative
    output_per_million: NotNegative
    cached_per_million: NotNegative | None = None

    def of(self, usage: Usage) -> float | None:
        """The cost of one answer; ``None`` if its tokens are unknown."""
        if not counted(usage):
            return None
        usual = self.input_per_million
        cached = min(usage.cached_tokens, usage.input_tokens)
        kept = usual if self.cached_per_million is None else self.cached_per_million
        read = (usage.input_tokens - cached) * usual + cached * kept
        return (read + usage.output_tokens * self.output_per_million) / MILLION


class Prices(Struct, frozen=True):
    """The prices of models by name. ``dated``: when they were looked up, for the reader."""

    models: dict[str, Price]
    currency: str = "dollars"
    dated: str = ""

    def cost(self, episode: Episode) -> float | None:
        """The cost of an episode's models; ``None`` if a model has no price or its tokens are unknown."""
        total = 0.0
        for seat, usage in answers_of(episode):
            model = model_of(episode, seat)
            if not is_stand_in(model):
                price = self.models.get(model)
                cost = None if price is None else price.of(usage)
                if cost is None:
                    return None
                total += cost
        return total


NO_PRICES = Prices({})


class _File(Struct, forbid_unknown_fields=True):
    models: dict[str, Any]
    currency: str = NO_PRICES.currency
    dated: str = NO_PRICES.dated


def read_prices(path: Path) -> Prices:
    """The prices in a JSON file; raises ``BadFile`` naming model and field of what is wrong."""
    place = Place(str(path))
    file = converted(read_json(path), _File, place)
    if not file.models:
        raise place.field("models").wrong("holds no model")
    models = {
        name: converted(raw, Price, place.at(f"model {shorten(name)!r}")) for name, raw in file.models.items()
    }
    return Prices(models, file.currency, file.dated)


def counted(usage: Usage) -> bool:
    """Whether the provider counted the tokens: every call has some input."""
    return not usage.calls or usage.input_tokens > 0


def model_of(episode: Episode, seat: str) -> str:
    """The name of the model that answered for a seat, or of its agent if the record names no model."""
    player = episode.header.players.get(seat)
    return "" if player is None else str(player.settings.get("model", player.name))


def stood_in(episode: Episode) -> bool:
    """Whether a stand-in played in a model's place."""
    return any(STAND_IN in player.settings for player in episode.header.players.values())


def stand_ins(episodes: Iterable[Episode]) -> list[str]:
    """A line about each stand-in for a model that played, which must not be taken for one."""
    players = (player for episode in episodes for player in episode.header.players.values())
    names = {
        str(player.settings.get("model", player.name)) for player in players if STAND_IN in player.settings
    }
    return [
        f"{name} is no model: it looks at the state, plays well, and slips on purpose"
        for name in sorted(names)
    ]


def unpriced(prices: Prices, models: Iterable[str]) -> list[str]:
    """A line for each of these models that has no price, with the nearest name that has one."""
    lines = []
    for model in sorted(model for model in set(models) - set(prices.models) if not is_stand_in(model)):
        near = nearest(model, prices.models)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        lines.append(f"no price for model {model!r}: what it cost is unknown{hint}")
    return lines


# --- what answers took -------------------------------------------------------------------------------------


class Amount(Struct, frozen=True):
    """Calls to models, tokens as their providers count them, and the seconds of the calls."""

    calls: float
    input_tokens: float
    output_tokens: float
    seconds: float


class Worth(Struct, frozen=True):
    """The world's first metric over an agent's episodes, beside what they took.

    ``per_1000_tokens``: value / (tokens of a mean episode / 1000), input and output together.
    ``per_money``: value / what a mean episode costs. Each is ``None`` if a part of it is not
    known, if nothing was spent, or if less of the metric is better.
    """

    metric: str
    value: float | None
    per_1000_tokens: float | None
    per_money: float | None


class AgentUsage(Struct, frozen=True):
    """What an agent's answers took over all its episodes, in a median episode and in a median answer.

    ``endings``: calls whose answer was cut, was empty or called a tool, by that ending. ``counted``: if the
    provider told the tokens of every answer. ``money``: in ``currency``; ``None`` if it is not known.
    ``cached_tokens`` and ``reasoning_tokens`` are parts of the input and output, ``servers`` what providers
    call the models that answered, with their calls, ``lost`` calls whose answer a killed run did not live
    to hear: what these cost is not in any of the figures.
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
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    servers: dict[str, int] = field(default_factory=dict)
    lost: int = 0

    @property
    def stand_in(self) -> bool:
        """Whether there was no model at all, but a stand-in in place of each."""
        return all(map(is_stand_in, self.models))

    @property
    def lacking(self) -> str:
        """What stands in place of a figure that there is not."""
        return NONE if self.stand_in else UNKNOWN


def usage_of(rows: Sequence[Measured], metric: Metric, prices: Prices = NO_PRICES) -> Iterator[AgentUsage]:
    """What each agent's answers took; agents that asked no model are left out."""
    for agent, played in by_agent(rows):
        if any(usage.calls for episode, _ in played for _, usage in answers_of(episode)):
            yield _of_agent(agent, played, metric, prices)


def answers_of(episode: Episode) -> Iterator[tuple[str, Usage]]:
    """(seat, what its answer took) of every answer that asked a model."""
    yield from ((seat, usage) for seat, usage in episode.costs() if usage.calls)


def _of_agent(agent: str, rows: Sequence[Measured], metric: Metric, prices: Prices) -> AgentUsage:
    episodes = [episode for episode, _ in rows]
    answers = [usage for episode in episodes for _, usage in answers_of(episode)]
    by_episode = [total(usage for _, usage in answers_of(episode)) for episode in episodes]
    together = total(answers)
    all_counted = all(map(counted, answers))
    costs = [prices.cost(episode) for episode in episodes]
    known = [cost for cost in costs if cost is not None]
    money = sum(known) if len(known) == len(costs) else None
    models = {model_of(episode, seat): None for episode in episodes for seat, _ in answers_of(episode)}
    return AgentUsage(
        agent,
        tuple(models),
        len(episodes),
        len(answers),
        Amount(together.calls, together.input_tokens, together.output_tokens, together.seconds),
        _median_amount(by_episode),
        _median_amount(answers),
        dict(Counter(together.endings).most_common()),
        all_counted,
        money,
        prices.currency,
        _worth(rows, metric, together.input_tokens + together.output_tokens if all_counted else None, money),
        together.cached_tokens,
        together.reasoning_tokens,
        dict(Counter(together.servers).most_common()),
        together.lost,
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


def _median_amount(costs: Sequence[Usage]) -> Amount:
    return Amount(*(median(getattr(cost, name) for cost in costs) for name in Amount.__struct_fields__))


UNKNOWN, NONE = "unknown", "none"
"""What is not known, and what a stand-in for a model takes, which asks nobody."""

PARTS = ("cached_tokens", "reasoning_tokens", "lost")
"""Columns that stand only where there is something to tell."""

TOTALS_TEXT = (
    "Over all episodes; tokens as the provider counts them, seconds of the calls. After them the calls whose "
    "answer did not end of itself, by how it did: cut at the cap (length), without words (empty), a tool "
    "called in their place, and so on. Parts of the tokens: those that the provider had kept from former "
    "calls (cached), those that the model thought with (reasoning). Lost: calls of a killed run whose answer "
    "nobody heard, and whose cost is unknown. {metric} for each 1000 tokens: the figure over the tokens, "
    "input and output, that an episode took in the mean."
)
MEDIANS_TEXT = "Medians over all episodes, and over all answers that asked a model."
MONEY_TEXT = (
    "By the prices that were given{dated}. {metric} for each unit of money: the figure over what an episode "
    "cost in the mean. Unknown: a model has no price there, or the provider told no tokens."
)


def usage_sections(usages: Sequence[AgentUsage], prices: Prices | None) -> Iterator[Section]:
    """The tables of one world; none if no model played, and none about money without ``prices``."""
    if not usages:
        return
    yield _totals_section(usages)
    yield _medians_section(usages)
    if prices is not None:
        yield _money_section(usages, prices)


def _totals_section(usages: Sequence[AgentUsage]) -> Section:
    metric = usages[0].worth.metric
    endings = list(dict.fromkeys(name for usage in usages for name in usage.endings))
    parts = [name for name in PARTS if any(getattr(usage, name) for usage in usages)]
    rows = (
        (
            usage.agent,
            usage.episodes,
            *_cells(usage.total, usage),
            *(getattr(usage, name) for name in parts),
            *(usage.endings.get(name, 0) for name in endings),
            _figure(usage.worth.per_1000_tokens) if usage.counted else usage.lacking,
        )
        for usage in usages
    )
    told = [name.replace("_", " ") for name in parts]
    columns = ("agent", "episodes", "calls", "input tokens", "output tokens", "seconds", *told)
    last = f"{metric} per 1000 tokens"
    return Section(
        "What the answers took", TOTALS_TEXT.format(metric=metric), (*columns, *endings, last), tuple(rows)
    )


def _medians_section(usages: Sequence[AgentUsage]) -> Section:
    rows = [
        (usage.agent, what, *_cells(amount, usage))
        for usage in usages
        for what, amount in (("episode", usage.per_episode), ("answer", usage.per_answer))
    ]
    columns = ("agent", "in a median", "calls", "input tokens", "output tokens", "seconds")
    return Section("What an episode and an answer took", MEDIANS_TEXT, columns, tuple(rows))


def _money_section(usages: Sequence[AgentUsage], prices: Prices) -> Section:
    metric = usages[0].worth.metric
    rows = [(usage.agent, ", ".join(usage.models), *_money_cells(usage)) for usage in usages]
    unit = prices.currency
    columns = ("agent", "models", unit, f"{unit} per episode", f"{metric} per {unit}")
    dated = f", dated {prices.dated}" if prices.dated else ""
    text = MONEY_TEXT.format(metric=metric, dated=dated)
    return Section("What the answers cost", text, columns, tuple(rows))


def _money_cells(usage: AgentUsage) -> tuple[str, ...]:
    if usage.money is None or usage.stand_in:
        return (usage.lacking,) * 3
    per_episode = usage.money / usage.episodes
    return _figure(usage.money), _figure(per_episode), _figure(usage.worth.per_money)


def _cells(amount: Amount, usage: AgentUsage) -> tuple[object, ...]:
    tokens = (amount.input_tokens, amount.output_tokens)
    token_cells = map(round, tokens) if usage.counted else (usage.lacking, usage.lacking)
    return (_whole_if_whole(amount.calls), *token_cells, round(amount.seconds, 3))


def _whole_if_whole(value: float) -> float | int:
    """A whole number without decimals."""
    return int(value) if value == int(value) else round(value, 2)


def _figure(value: float | None) -> str:
    """Three digits at least, whatever the size; a dash for none."""
    if value is None:
        return "–"
    return f"{value:,.2f}" if abs(value) >= 1 or not value else f"{value:.3g}"
