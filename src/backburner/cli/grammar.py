"""What options hold: ``NAME@key=value,key=value``, as the ids of scenarios and agents are written.

The keys of an option are the fields of a struct, each with a ``Key``, or what a world's pack declares. One
reader takes them all: an unknown key is answered with the nearest, and ``--help`` tells each in a line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar, get_args, get_type_hints

from msgspec import Struct
from rich.markup import escape

from backburner.kernel.errors import Refused, UnknownName, nearest, number, shorten
from backburner.kernel.pack import Argument

MEANING = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}
"""What is said of a switch."""

_AT_A_KEY = re.compile(r"@(?=[A-Za-z][\w-]*=)")
"""Where a name ends, which may itself hold ``@``, and its first key begins."""

T = TypeVar("T", bound=Struct)


class Key(Struct, frozen=True):
    """One key: a line about it, the type of its values, and the numbers or words that they may be.

    ``many``: it may be said again, and its values are a tuple. ``free``: a value may hold commas, as names of
    agents do; it goes on up to the next key of the option.
    """

    help: str
    type: type = str
    least: float | None = None
    most: float | None = None
    values: tuple[str, ...] = ()
    many: bool = False
    free: bool = False

    def value(self, written: str, where: str) -> Any:
        """The value that is written; raises ``UnknownName`` and ``Refused``."""
        if self.values and written not in self.values:
            raise UnknownName("value", written, self.values, where)
        if self.type is bool:
            if written not in MEANING:
                raise Refused(f"{where}: write yes or no, not {shorten(written)!r}")
            return MEANING[written]
        return self._number(written, where) if self.type in (int, float) else self.type(written)

    def _number(self, written: str, where: str) -> float:
        kind = "a whole number" if self.type is int else "a number"
        try:
            found: float = self.type(written)
        except ValueError:
            raise Refused(f"{where}: write {kind}, not {shorten(written)!r}") from None
        if not math.isfinite(found):
            raise Refused(f"{where}: write a finite number, not {shorten(written)!r}")
        if self.least is not None and found < self.least:
            raise Refused(f"{where}: write at least {number(self.least)}, not {shorten(written)!r}")
        if self.most is not None and found > self.most:
            raise Refused(f"{where}: write at most {number(self.most)}, not {shorten(written)!r}")
        return found


Keys = Mapping[str, Key]
"""The keys of an option by their names."""


class Keyed(Struct, frozen=True):
    """What one option of a command says, key by key; each field is a key. See ``options.spread``.

    ``OPTION`` is the option as Typer has it, ``TYPE`` what it hands on.
    """

    OPTION: ClassVar[Any]
    TYPE: ClassVar[Any] = str | None

    @classmethod
    def said(cls, written: Any) -> Self:
        """The struct of what is written, if anything is."""
        return read(cls, written or "", str(cls.OPTION.default))

    @classmethod
    def about(cls) -> str:
        """What ``--help`` says of it: a line for each key, below what the option itself says."""
        return about(keys_of(cls), str(cls.OPTION.help))


@cache
def keys_of(kind: type[Struct]) -> Keys:
    """The keys that are the fields of a struct; a value's type is that of its field."""
    hints = get_type_hints(kind, include_extras=True)
    found = {}
    for field in kind.__struct_fields__:
        type_, *marks = get_args(hints[field])
        key = next(mark for mark in marks if isinstance(mark, Key))
        plain = next(each for each in (*_members(type_), str) if each in (bool, int, float, str, Path))
        many = any(getattr(each, "__origin__", None) is tuple for each in (type_, *get_args(type_)))
        found[field] = Key(key.help, plain, key.least, key.most, key.values, many, key.free)
    return found


def _members(type_: Any) -> Iterable[Any]:
    """The type, and those that it is made of."""
    yield type_
    for member in get_args(type_):
        yield from _members(member)


TYPES: Mapping[str, type] = {
    "text": str,
    "whole number": int,
    "number": float,
    "switch": bool,
    "path": Path,
}
"""The type of each kind of a declared argument's values."""


def keys_declared(arguments: Iterable[Argument]) -> Keys:
    """The keys that a part of a pack declares."""
    return {
        argument.name: Key(
            f"{argument.help}{' Required.' if argument.required else _usual(argument)}",
            TYPES[argument.kind],
            argument.least,
            values=argument.values,
            free=argument.kind == "text",
        )
        for argument in arguments
    }


def _usual(argument: Argument) -> str:
    return "" if argument.default in (None, False) else f" Else {argument.default}."


def about(keys: Keys, first: str) -> str:
    """The help of an option: what it is, and a line for each key."""
    lines = (f"{name}: {key.help}" for name, key in keys.items())
    return "\n\n".join((first, *map(escape, lines)))


def named(written: str) -> tuple[str, str]:
    """(name, what is said of it) of ``NAME@key=value,key=value``."""
    name, *rest = _AT_A_KEY.split(written, maxsplit=1)
    return name, rest[0] if rest else ""


def read(kind: type[T], written: str, where: str) -> T:
    """A struct of what is written; raises ``UnknownName`` and ``Refused``, which say ``where``."""
    return kind(**values(keys_of(kind), written, where))


def _meant(name: str, value: str, keys: Keys) -> bool:
    """Whether what follows a value that may hold commas is rather a key misspelt. Behind ``@``, as in
    ``act@calls=2,tries=3``, keys are those of an agent."""
    return "@" not in value and bool(nearest(name, keys))


def values(keys: Keys, written: str, where: str) -> dict[str, Any]:
    """The values of ``key=value,key=value``, by key; raises ``UnknownName`` and ``Refused``."""
    said: dict[str, list[str]] = {}
    last = ""
    for piece in written.split(",") if written else ():
        name, equals, value = piece.partition("=")
        name = name.strip()
        if equals and name in keys:
            last = name
            said.setdefault(name, []).append(value)
        elif last and keys[last].free and not (equals and _meant(name, said[last][-1], keys)):
            said[last][-1] += f",{piece}"
        elif equals:
            raise UnknownName("key", name, keys, where)
        else:
            raise Refused(f"{where}: write KEY=VALUE, not {shorten(piece)!r}")
    found: dict[str, Any] = {}
    for name, texts in said.items():
        key = keys[name]
        if len(texts) > 1 and not key.many:
            raise Refused(f"{where}: {name} is said twice")
        each = tuple(key.value(text, f"{where}: {name}") for text in texts)
        found[name] = each if key.many else each[0]
    return found


def as_options(keys: Keys, written: Sequence[str], where: str) -> dict[str, Any]:
    """The values of keys that are written as options: ``--width 2.5``, ``--width=2.5``, ``--twins``.

    What is said again is joined by ``+``. Raises ``UnknownName`` and ``Refused``.
    """
    found: dict[str, Any] = {}
    left = list(written)
    while left:
        name, equals, value = left.pop(0).partition("=")
        key = keys.get(name.removeprefix("--"))
        if key is None or not name.startswith("--"):
            raise UnknownName("option", name, [f"--{each}" for each in keys], where)
        if not equals:
            bare = not left or left[0].startswith("--")
            if bare and key.type is not bool:
                raise Refused(f"{where}: {name} needs a value")
            value = "yes" if bare or (key.type is bool and left[0] not in MEANING) else left.pop(0)
        name = name.removeprefix("--")
        if name in found and not key.free:
            raise Refused(f"{where}: --{name} is said twice")
        told = key.value(value, f"{where}: {name}")
        found[name] = f"{found[name]}+{told}" if name in found else told
    return found
