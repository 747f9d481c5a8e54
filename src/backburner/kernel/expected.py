"""What may stand at a place of a file: msgspec's own errors in our words, with the nearest known one.

A word that is no choice, a field that is not known, a value that is too large: each error tells where it is,
and what may stand there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import inspect

from backburner.kernel.checks import Key, Mistake, Steps, kinds_in, out_of_bounds, parts_of, type_of
from backburner.kernel.errors import FEW, nearest

_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
"""A step of the paths in msgspec's errors, such as ``$.recipes[3].inputs``: a field, or an index."""

_CHOICE = re.compile(r"Invalid (?:enum )?value '(.*)'", re.DOTALL)
_FIELD = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)


def told(error: msgspec.ValidationError, raw: Any, type: Any) -> Mistake:
    """Where JSON is not of a type, and why: what it is and may be, or the nearest word or field.

    msgspec tells no key of an object; the first whose range, size or spelling is wrong is meant.
    """
    why, _, path = str(error).partition(" - at ")
    of_key = path.startswith("`key` in ")
    way = _STEP.findall(path.removeprefix("`key` in ").strip("`"))
    kinds = _at(type, way)
    places = list(_places(raw, way))
    if of_key:
        places = [((*steps, Key(key)), key) for steps, value in places for key in value]
        kinds = [
            each.key_type
            for kind in kinds
            for each in _alternatives(kind)
            if isinstance(each, inspect.DictType)
        ]
    for steps, value in places:
        for kind in kinds:
            if wrong := out_of_bounds(value, kind):
                return steps, wrong
    steps = places[0][0] if len(places) == 1 else tuple(name or int(at) for name, at in way if at != "...")
    return steps, why + _hint(why, type, way)


def _places(raw: Any, way: Sequence[tuple[str, str]], steps: Steps = ()) -> Iterator[tuple[Steps, Any]]:
    """(path, value) of all that may be meant by one of msgspec's paths."""
    if not way:
        yield steps, raw
        return
    name, at = way[0]
    inner: list[tuple[str | int | Key, Any]] = []
    if name:
        inner = [(name, raw.get(name) if isinstance(raw, dict) else None)]
    elif at == "...":
        inner = [(Key(str(key)), value) for key, value in raw.items()] if isinstance(raw, dict) else []
    elif isinstance(raw, list | tuple) and int(at) < len(raw):
        inner = [(int(at), raw[int(at)])]
    for step, value in inner:
        yield from _places(value, way[1:], (*steps, step))


def _hint(why: str, type: Any, way: Sequence[tuple[str, str]]) -> str:
    """What is nearest to a wrong word or an unknown field, or else what is known; empty for other errors.

    Fields that stand elsewhere in the type come last, in case that one was put at a wrong place.
    """
    if choice := _CHOICE.match(why):
        return _nearest(choice[1], _words(type, way))
    if field := _FIELD.match(why):
        structs = (kind for kind in kinds_in(type) if isinstance(kind, inspect.StructType))
        return _nearest(field[1], _fields(_at(type, way)), set(_fields(structs)) - {field[1]})
    return ""


def _nearest(wrong: str, known: list[str], others: Iterable[str] = ()) -> str:
    near = nearest(wrong, known)
    if not near and 0 < len(known) <= FEW:
        return f"; known: {', '.join(known)}"
    near = near or nearest(wrong, sorted(others))
    return f"; did you mean {' or '.join(near)}?" if near else ""


def _words(type: Any, way: Sequence[tuple[str, str]]) -> list[str]:
    """The words of which one may stand there; empty where any text may."""
    kinds = (each for kind in _at(type, way) for each in _alternatives(kind))
    words = [word for each in kinds if isinstance(each, inspect.LiteralType) for word in each.values]
    if way and way[-1][0]:  # a field that tells structs from one another
        objects = (each for kind in _at(type, way[:-1]) for each in _alternatives(kind))
        structs = [each for each in objects if isinstance(each, inspect.StructType)]
        words += [each.tag for each in structs if each.tag_field == way[-1][0]]
    return [str(word) for word in dict.fromkeys(words) if word is not None]


def _fields(kinds: Iterable[inspect.Type]) -> list[str]:
    """The fields that objects of these types may have."""
    objects = [each for kind in kinds for each in _alternatives(kind) if isinstance(each, inspect.StructType)]
    return list(dict.fromkeys(field.encode_name for each in objects for field in each.fields))


def _at(type: Any, way: Iterable[tuple[str, str]]) -> list[inspect.Type]:
    """The types that what stands there may have."""
    found = [type_of(type)]
    for name, index in way:
        outer = [each for kind in found for each in _alternatives(kind)]
        found = [inner for each in outer for inner in _below(each, name, index)]
    return found


def _below(outer: inspect.Type, name: str, index: str) -> Iterable[inspect.Type]:
    if isinstance(outer, inspect.StructType):
        return [field.type for field in outer.fields if field.encode_name == name]
    if isinstance(outer, inspect.DictType):
        return (outer.value_type,)
    if isinstance(outer, inspect.TupleType) and index != "...":
        return outer.item_types[int(index or 0) :][:1]
    return () if name else parts_of(outer)


def _alternatives(kind: inspect.Type) -> Iterator[inspect.Type]:
    if isinstance(kind, inspect.UnionType | inspect.Metadata):
        for each in parts_of(kind):
            yield from _alternatives(each)
    else:
        yield kind
