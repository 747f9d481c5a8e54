"""Valid JSON with a few things wrong: entries gone, twice, moved, renamed, or of another type."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

Choose = Callable[[int], int]
"""A number below this one."""

STRANGE: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 7, 99, 10**9, 10**30, 1.5, "", " ", "x", "s1", "p", "1", "-1", "²",
    "item1", "table", "station", "player", "default", "conditional", "delayed", "creation", "deletion",
    "repetitive", "a b", "(", "{p1}", "\n", "ü", [], [1], ["x"], {}, {"x": 1}, [[]],
)  # fmt: skip


def paths(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value inside a value."""
    entries = (
        enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    )
    for key, inner in entries:
        yield (*above, key)
        yield from paths(inner, (*above, key))


def mutant(value: Any, choose: Choose, most: int = 3) -> Any:
    """A copy with one to ``most`` things changed."""
    value = copy.deepcopy(value)
    for _ in range(1 + choose(most)):
        ways = list(paths(value))
        if ways:
            change = CHANGES[choose(len(CHANGES))]
            change(value, ways, choose)
    return value


def _at(value: Any, way: tuple[Any, ...]) -> Any:
    for key in way:
        value = value[key]
    return value


def _delete(value: Any, ways: list[tuple[Any, ...]], choose: Choose) -> None:
    *above, key = ways[choose(len(ways))]
    del _at(value, tuple(above))[key]


def _strange(value: Any, ways: list[tuple[Any, ...]], choose: Choose) -> None:
    *above, key = ways[choose(len(ways))]
    _at(value, tuple(above))[key] = copy.deepcopy(STRANGE[choose(len(STRANGE))])


def _moved(value: Any, ways: list[tuple[Any, ...]], choose: Choose) -> None:
    """One value in the place of another of its type, so that what names something names something else."""
    source = _at(value, ways[choose(len(ways))])
    alike = [way for way in ways if type(_at(value, way)) is type(source)]
    *above, key = alike[choose(len(alike))]
    _at(value, tuple(above))[key] = copy.deepcopy(source)


def _twice(value: Any, ways: list[tuple[Any, ...]], choose: Choose) -> None:
    lists = [way for way in ways if isinstance(_at(value, way), list) and _at(value, way)]
    if lists:
        found = _at(value, lists[choose(len(lists))])
        found.insert(choose(len(found) + 1), copy.deepcopy(found[choose(len(found))]))


def _renamed(value: Any, ways: list[tuple[Any, ...]], choose: Choose) -> None:
    *above, key = ways[choose(len(ways))]
    inside = _at(value, tuple(above))
    if isinstance(inside, dict):
        inside[f"{key}s"] = inside.pop(key)


def _counted(value: Any, ways: list[tuple[Any, ...]], choose: Choose) -> None:
    """A number a little higher or lower."""
    numbers = [way for way in ways if type(_at(value, way)) is int]
    if numbers:
        *above, key = numbers[choose(len(numbers))]
        _at(value, tuple(above))[key] += (-1, 1, 2)[choose(3)]


CHANGES = (_delete, _strange, _moved, _moved, _twice, _renamed, _counted)
