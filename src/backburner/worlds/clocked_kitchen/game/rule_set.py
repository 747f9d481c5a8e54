"""The clocked kitchen's rules and limits as values."""

from __future__ import annotations

from msgspec import Struct

from backburner.kernel.errors import Refused
from backburner.worlds.cuisineworld.game import rule_set as text_game

TEXT_RULES = text_game.STANDARD
"""What hands can do at a place is as in the text game without its defects."""


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """What a tick does."""

    name: str = "standard"

    blocking: bool = False
    """Bodies wait for who is in their way, until they give up after five minutes. False: they change places
    with those who stand idle or come the other way, which takes both of them time."""


STANDARD = Rules("standard")
RELEASED = Rules("released")
"""Nothing is known of the released real-time game's rules beyond the article, so that both are equal."""

PRESETS = {"standard": STANDARD, "released": RELEASED}


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """When play is over: after so many ``ticks`` of a tenth of a second, ``None`` for never.

    Raises ``Refused`` for less than 1.
    """

    ticks: int | None = None

    def __post_init__(self) -> None:
        if self.ticks is not None and self.ticks < 1:
            raise Refused(f"limits: ticks is {self.ticks}; it is at least 1")


NO_LIMITS = Limits()
