"""How models are to write, as the articles had it: named defaults, which records keep.

What a user chooses goes first; see ``Choices``.
"""

from __future__ import annotations

from typing import Any, Self

from msgspec import UNSET, Struct, UnsetType, field, structs

from backburner.agents.models.client import Settings
from backburner.kernel import registry


class Decoding(Struct, frozen=True):
    """Settings by name. ``caps``: the longest answer in tokens to single messages of methods, or to each
    part of the answer to a question for something else than a move, by its purpose."""

    name: str
    settings: Settings
    caps: dict[str, int] = field(default_factory=dict)

    def of(self, message: str, parts: int = 1) -> Settings:
        """The settings of the call that sends this message, or puts a question for this purpose."""
        cap = self.caps.get(message)
        return self.settings if cap is None else structs.replace(self.settings, max_tokens=cap * parts)

    @property
    def record(self) -> dict[str, Any]:
        """What an episode's record keeps of it."""
        kept = {**structs.asdict(self.settings), "decoding": self.name}
        return {**kept, "caps": self.caps} if self.caps else kept


WHOLE = dict.fromkeys(("estimates", "outline", "plan", "reformat"), 2048)
"""Caps of messages whose answer is about a whole task, where the article does not say otherwise."""

PLAIN = Decoding("plain", Settings(0.0, 512), WHOLE)
"""Of a world without an article."""


class Choices(Struct, frozen=True, omit_defaults=True):
    """What a user chooses in place of an article's settings; what is unset stays as it was.

    A temperature of ``None`` sends none, for models that refuse any but their own. A cap chosen here
    holds for every message.
    """

    temperature: float | UnsetType | None = UNSET
    max_tokens: int | UnsetType | None = UNSET
    seed: int | UnsetType | None = UNSET

    @classmethod
    def given(
        cls,
        temperature: float | None,
        max_tokens: int | None,
        seed: int | None,
        own_temperature: bool = False,
    ) -> Self:
        """The choices that are not ``None``, and with ``own_temperature`` that none is sent."""
        given = {"temperature": temperature, "max_tokens": max_tokens, "seed": seed}
        chosen: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
        return cls(**(chosen | {"temperature": None} if own_temperature else chosen))

    @property
    def made(self) -> dict[str, Any]:
        """What is chosen, by name."""
        return {key: value for key, value in structs.asdict(self).items() if value is not UNSET}


def decoding_of(world: str, choices: Choices | None = None) -> Decoding:
    """How models write in this world unless the user has chosen otherwise."""
    default = _default(world)
    chosen = choices.made if choices is not None else {}
    if not chosen:
        return default
    caps = {} if "max_tokens" in chosen else default.caps
    return Decoding(f"{default.name}, changed", structs.replace(default.settings, **chosen), caps)


def _default(world: str) -> Decoding:
    """What the world's pack says of its article; ``PLAIN`` where it says nothing."""
    pack = registry.installed().packs.get(world)
    if pack is None or pack.decoding is None:
        return PLAIN
    own = pack.decoding
    return Decoding(world, Settings(own.temperature, own.max_tokens), {**WHOLE, **own.caps})
