"""Options of ids, such as ``bodies=3,tau=1.5``: which ones a scenario has, and what their values may be.

There is one way to write each value, so that equal scenarios have equal ids.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from backburner.kernel.errors import Refused, UnknownName, shorten


def check_options(
    world: str, given: Mapping[str, str], known: Iterable[str], choices: Mapping[str, Sequence[str]]
) -> None:
    """Raise ``UnknownName`` for an option that is not known, or a value that is none of its ``choices``."""
    known = list(known)
    for key, value in given.items():
        if key not in known:
            raise UnknownName("option", key, known, world)
        if key in choices and value not in choices[key]:
            raise UnknownName(f"value of option {key!r}", value, choices[key], world)


class Options:
    """The options of an id of ``world``: those that are ``given``, and the ``defaults`` of all others.

    Options with ``choices`` have one of them for a value. Raises ``UnknownName``.
    """

    def __init__(
        self,
        world: str,
        given: Mapping[str, str],
        defaults: Mapping[str, str],
        choices: Mapping[str, Sequence[str]],
    ) -> None:
        check_options(world, given, defaults, choices)
        self.world = world
        self.values = {**defaults, **given}

    def __getitem__(self, key: str) -> str:
        """The value of an option as it is written."""
        return self.values[key]

    def whole(self, key: str, least: int, most: int) -> int:
        """The whole number of an option; raises ``Refused``."""
        return whole_number(self.values[key], f"{self.world}: option {key!r}", least, most)

    def whole_unless(self, word: str, key: str, least: int, most: int) -> int | None:
        """The whole number of an option, ``None`` if its value is this word; raises ``Refused``."""
        value = self.values[key]
        if value == word:
            return None
        return whole_number(value, f"{self.world}: option {key!r}", least, most, word)

    def decimal_unless(self, word: str, key: str, least: float, most: float) -> float | None:
        """The number with decimals of an option, ``None`` if its value is this word; raises ``Refused``."""
        value = self.values[key]
        if value == word:
            return None
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not least <= number <= most or str(number) != value:
            raise Refused(
                f"{self.world}: option {key!r} is {word} or a number from {least} to {most} with decimals, "
                f"such as 1.0 or 2.5, not {shorten(repr(value))}"
            )
        return number


def whole_number(value: str, what: str, least: int, most: int, word: str = "") -> int:
    """The whole number that is written; raises ``Refused`` for what is none or out of range.

    ``what`` it is of, and the ``word`` that it could have been instead, the error says.
    """
    usual = value.isascii() and value.isdigit() and len(value) <= len(str(most)) and str(int(value)) == value
    if not usual or not least <= int(value) <= most:
        named = f" or {word}" if word else ""
        raise Refused(f"{what} is a whole number from {least} to {most}{named}, not {shorten(repr(value))}")
    return int(value)
