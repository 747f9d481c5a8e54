"""What a user pays for models: a JSON file of prices per million tokens, and what answers cost by it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from backburner.kernel.episode import Episode
from backburner.kernel.errors import nearest, shorten
from backburner.kernel.files import read_json
from backburner.kernel.places import Place, converted, fields_of
from backburner.kernel.policy import Usage

MILLION = 1_000_000

Amount = Annotated[float, Meta(ge=0)]


class Price(Struct, frozen=True, forbid_unknown_fields=True):
    """What a model's provider asks for, in the file's currency, per million tokens."""

    input_per_million: Amount
    output_per_million: Amount

    def of(self, usage: Usage) -> float | None:
        """The cost of one answer; ``None`` if its tokens are unknown."""
        if not counted(usage):
            return None
        return (
            usage.input_tokens * self.input_per_million + usage.output_tokens * self.output_per_million
        ) / MILLION


class Prices(Struct, frozen=True):
    """The prices of models by name. ``dated``: when they were looked up, for the reader."""

    models: dict[str, Price]
    currency: str = "dollars"
    dated: str = ""

    def cost(self, episode: Episode) -> float | None:
        """The cost of an episode's models; ``None`` if a model has no price or its tokens are unknown."""
        total = 0.0
        for entry in episode.entries:
            for seat, usage in entry.usage.items():
                if usage.calls:
                    price = self.models.get(model_of(episode, seat))
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
    found = converted(read_json(path), _File, place, fields_of(_File), ())
    if not found.models:
        raise place.field("models").wrong("holds no model")
    models = {
        name: converted(raw, Price, place.at(f"model {shorten(name)!r}"), fields_of(Price), ())
        for name, raw in found.models.items()
    }
    return Prices(models, found.currency, found.dated)


def counted(usage: Usage) -> bool:
    """Whether the provider counted the tokens: every call has some input."""
    return not usage.calls or usage.input_tokens > 0


def model_of(episode: Episode, seat: str) -> str:
    """The name of the model that answered for a seat, or of its agent if the record names no model."""
    player = episode.header.players.get(seat)
    return "" if player is None else str(player.settings.get("model", player.name))


def unpriced(prices: Prices, models: Iterable[str]) -> list[str]:
    """A line for each of these models that has no price, with the nearest name that has one."""
    lines = []
    for model in sorted(set(models) - set(prices.models)):
        near = nearest(model, prices.models)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        lines.append(f"no price for model {model!r}: what it cost is unknown{hint}")
    return lines
