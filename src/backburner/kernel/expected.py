"""What may stand at a place of a file: the words of a choice, the fields of a struct. For error messages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import inspect

from backburner.kernel.errors import FEW, nearest

STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
"""A step of the paths in msgspec's errors, such as ``$.recipes[3].inputs``: a field, or an index."""

_CHOICE = re.compile(r"Invalid (?:enum )?value '(.*)'", re.DOTALL)
_FIELD = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)


def hint(why: str, type: Any, path: str, others: Iterable[str] = ()) -> str:
    """What is nearest to a wrong word or an unknown field, or else what is known; empty for other errors.

    ``path``: where in ``type`` the error is, as msgspec tells it. ``others``: fields that stand elsewhere, in
    case that one was put at a wrong place.
    """
    if choice := _CHOICE.match(why):
        return _told(choice[1], words_at(type, path))
    if field := _FIELD.match(why):
        return _told(field[1], fields_at(type, path), set(others) - {field[1]})
    return ""


def words_at(type: Any, path: str) -> list[str]:
    """The words of which one may stand there; empty where any text may."""
    steps = STEP.findall(path)
    words = [
        value for each in _at(type, steps) if isinstance(each, inspect.LiteralType) for value in each.values
    ]
    if steps and steps[-1][0]:  # a field that tells structs from one another
        objects = (each for each in _at(type, steps[:-1]) if isinstance(each, inspect.StructType))
        words += [each.tag for each in objects if each.tag_field == steps[-1][0]]
    return [str(word) for word in dict.fromkeys(words) if word is not None]


def fields_at(type: Any, path: str) -> list[str]:
    """The fields that an object there may have."""
    objects = [each for each in _at(type, STEP.findall(path)) if isinstance(each, inspect.StructType)]
    return list(dict.fromkeys(field.encode_name for each in objects for field in each.fields))


def _told(wrong: str, known: list[str], others: Iterable[str] = ()) -> str:
    near = nearest(wrong, known)
    if not near and 0 < len(known) <= FEW:
        return f"; known: {', '.join(known)}"
    near = near or nearest(wrong, sorted(others))
    return f"; did you mean {' or '.join(near)}?" if near else ""


def _at(type: Any, steps: Iterable[tuple[str, str]]) -> list[inspect.Type]:
    """The types that what stands there may have."""
    found = list(_alternatives(inspect.type_info(type)))
    for name, index in steps:
        found = [
            each for outer in found for inner in _within(outer, name, index) for each in _alternatives(inner)
        ]
    return found


def _within(outer: inspect.Type, name: str, index: str) -> Iterator[inspect.Type]:
    if isinstance(outer, inspect.StructType):
        yield from (field.type for field in outer.fields if field.encode_name == name)
    elif isinstance(outer, inspect.DictType):
        yield outer.value_type
    elif isinstance(outer, inspect.ListType | inspect.VarTupleType | inspect.SetType | inspect.FrozenSetType):
        yield outer.item_type
    elif isinstance(outer, inspect.TupleType):
        yield from outer.item_types if index == "..." else outer.item_types[int(index or 0) :][:1]


def _alternatives(type: inspect.Type) -> Iterator[inspect.Type]:
    if isinstance(type, inspect.UnionType):
        for each in type.types:
            yield from _alternatives(each)
    elif isinstance(type, inspect.Metadata):
        yield from _alternatives(type.type)
    else:
        yield type
