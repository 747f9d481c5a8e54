"""What does not belong into a world: unread answers, and objects that are no decision there."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from backburner.kernel.contract import World
from backburner.kernel.values import Fault, Refusal

UNREAD = Refusal("not_understood", Fault.UNREADABLE)
"""Stands for an answer that could not be read, in worlds that read no text."""


class _Stranger(Struct, frozen=True):
    """A decision in some other world."""

    of: str = "another world"


_STRANGERS: tuple[Any, ...] = (None, 7, 0.5, "a text", object(), {"of": ["another"]}, [[]], _Stranger())


def strangers(world: World[Any, Any, Any]) -> list[Any]:
    """Objects of which none is a decision of this world."""
    return [stranger for stranger in _STRANGERS if not is_decision(world, stranger)]


def is_decision(world: World[Any, Any, Any], value: Any) -> bool:
    """Whether the value has the type of a decision of this world."""
    try:
        msgspec.convert(value, world.decision_type)
    except msgspec.ValidationError:
        return False
    return True
