"""Choices that a prompting method leaves open, written behind its name: ``react@history=none``."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from backburner.kernel.errors import Refused, UnknownName

AT = "@"


class Option(Struct, frozen=True):
    """One choice: its usual value, what it is about, and the values it may have.

    Without ``values`` it is a whole number from 0 to ``most``, or any text if that is ``None``.
    """

    usual: str
    about: str
    values: tuple[str, ...] = ()
    most: int | None = None


def split_name(name: str) -> tuple[str, dict[str, str]]:
    """(method, choices) of a name such as ``react@history=none,plan=on``. Raises ``Refused``."""
    method, at, tail = name.partition(AT)
    chosen: dict[str, str] = {}
    for part in tail.split(",") if at else ():
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or key in chosen:
            raise Refused(f"agent {name!r}: a choice is written key=value, once; not {part!r}")
        chosen[key] = value
    return method.strip(), chosen


def joined(method: str, chosen: Mapping[str, str]) -> str:
    """The name with its choices in order; the inverse of ``split_name``."""
    tail = ",".join(f"{key}={value}" for key, value in sorted(chosen.items()))
    return f"{method}{AT}{tail}" if tail else method


def settled(
    method: str, options: Mapping[str, Option], usual: Mapping[str, str], chosen: Mapping[str, str]
) -> dict[str, str]:
    """Every option with its value: chosen, usual in the world at hand (``usual``), or usual anywhere.

    Raises ``UnknownName`` for an option or value that the method does not have, ``Refused`` for what is
    not a number where there has to be one.
    """
    for key, value in chosen.items():
        if key not in options:
            raise UnknownName("option", key, options, f"method {method}")
        _check(method, key, options[key], value)
    values = {key: option.usual for key, option in options.items()}
    return {**values, **usual, **chosen}


def _check(method: str, key: str, option: Option, value: str) -> None:
    if option.values and value not in option.values:
        raise UnknownName(f"{key} of method {method}", value, option.values)
    if option.values or option.most is None:
        return
    if not (value.isascii() and value.isdecimal()) or int(value) > option.most:
        raise Refused(f"method {method}: {key} is a number from 0 to {option.most}, not {value!r}")
