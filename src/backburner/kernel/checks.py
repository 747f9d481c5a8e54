"""What may stand in a user's file, declared beside its struct, and the checks of it.

The struct of a file says of each field what may stand there, in ``Annotated``; ``files.converted`` reads JSON
into the struct and raises one ``BadFile`` for the first thing that is otherwise, with its place:

- ``Meta(ge=1, le=64)``, ``Meta(min_length=1, max_length=50)``: msgspec's own range and size
- ``Meta(pattern=r"^[a-z]+\\Z", description="use small letters only")``: a spelling, and what is said where
  it is another; ``ONE_LINE`` is one, and ``FileId`` the type of every file's id
- ``unique("name")``: no two entries of this list have one name; ``unique()``: no entry stands twice
- ``refers_to("level", "levels.name")``: one of the names there; the error tells the nearest
- ``none_of("a raw ingredient", "ingredients")``: none of the names there
- ``no_circle("product", "inputs")``: no entry of this list needs itself, directly or by others
- ``in_all({"things.roles": 1000})``: the most that the entries of this list have together

A path such as ``levels.name`` begins at the nearest struct around the field that has ``levels``, as a field
or a property; it goes through lists, and ends at names, or at a mapping whose keys they are. Names that stand
elsewhere are given by a function, such as ``refers_to("level", shipped_levels)``.

Sizes and ranges are looked at first, in all of the file, so that whatever comes after them is quick. What no
declaration says is code, which takes the struct and the ``Place`` where it stands. Schemas for editors are
made of the same declarations (``editor_schemas``).
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import chain, islice
from typing import Annotated, Any, Protocol

from msgspec import Meta, Struct, inspect

from backburner.kernel.errors import UnknownName, shorten

LINE = r"[^\x00-\x1f\x7f-\x9f\u2028\u2029]*"
"""The pattern of a text without line breaks, and without what would move a terminal's cursor."""

ONE_LINE = Meta(
    pattern=rf"^{LINE}\Z",
    description="write one line, without control characters",
)
"""Of a text that is told on one line."""

FileId = Annotated[
    str,
    Meta(pattern=r"^[A-Za-z0-9_.+-]{1,200}\Z", description="use letters, digits and _ . + - only"),
]
"""What a file calls its scenario."""

Source = str | Callable[[], Iterable[Any]]
"""Where names stand: a path, or a function that gives them."""


class Key(Struct, frozen=True):
    """A step of a path into a mapping."""

    name: str


Steps = tuple[str | int | Key, ...]
"""A path into a file: fields, positions in lists, keys of mappings."""

Mistake = tuple[Steps, str]
"""Where something is wrong, and what."""


# --- what a field declares -----------------------------------------------------------------------------


def unique(*by: str) -> Meta:
    """No two entries of a list or mapping have the same of these fields; without any, none stands twice."""
    schema = None if by else {"uniqueItems": True}
    return Meta(extra={f"unique {by}": _Unique(by)}, extra_json_schema=schema)


def refers_to(kind: str, *where: Source) -> Meta:
    """A name that stands in one of these places; ``kind`` is what an error calls it."""
    return Meta(extra={"refers_to": _RefersTo(kind, where)})


def none_of(what: str, *where: Source) -> Meta:
    """A name that stands in none of these places; ``what`` those are, such as ``a raw ingredient``."""
    return Meta(extra={"none_of": _NoneOf(what, where)})


def no_circle(by: str, needs: str) -> Meta:
    """No entry of a list, which the field ``by`` names, needs itself, as the names in ``needs`` tell."""
    return Meta(extra={"no_circle": _NoCircle(by, needs)})


def in_all(most: Mapping[str, int]) -> Meta:
    """The most that stands at each of these paths from the entries of a list, all counted together."""
    return Meta(extra={"in_all": _InAll(dict(most))})


def circle(needs: Mapping[Any, Iterable[Any]]) -> list[Any]:
    """A way from something back to itself, each needing the next; empty if there is none."""
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


class _Check(Protocol):
    def mistakes(self, value: Any, around: Around) -> Iterator[Mistake]:
        """What is wrong with a value, as seen from its own place."""


class _Unique(Struct, frozen=True):
    by: tuple[str, ...]

    def mistakes(self, value: Any, around: Around) -> Iterator[Mistake]:
        seen = set()
        for step, entry in _numbered(value):
            key = tuple(getattr(entry, field) for field in self.by) if self.by else (entry,)
            if key in seen:
                yield (step,), f"{_quoted(key)} stands here twice"
            seen.add(key)


class _RefersTo(Struct, frozen=True):
    kind: str
    where: tuple[Source, ...]

    def mistakes(self, value: Any, around: Around) -> Iterator[Mistake]:
        known = around.names(self.where)
        if value is not None and value not in known:
            yield (), str(UnknownName(self.kind, _plain(value), map(_plain, known)))


class _NoneOf(Struct, frozen=True):
    what: str
    where: tuple[Source, ...]

    def mistakes(self, value: Any, around: Around) -> Iterator[Mistake]:
        if value in around.names(self.where):
            yield (), f"{_quoted(value)} is {self.what}"


class _NoCircle(Struct, frozen=True):
    by: str
    needs: str

    def mistakes(self, value: Any, around: Around) -> Iterator[Mistake]:
        graph: dict[Any, list[Any]] = {}
        for entry in value:
            graph.setdefault(getattr(entry, self.by), []).extend(getattr(entry, self.needs))
        if found := circle(graph):
            yield (), shorten(f"a circle: {' needs '.join(map(str, found))}", 200)


class _InAll(Struct, frozen=True):
    most: dict[str, int]

    def mistakes(self, value: Any, around: Around) -> Iterator[Mistake]:
        for path, most in self.most.items():
            if len(list(islice(_reached(value, path), most + 1))) > most:
                yield (), f"more than {most} {path.rpartition('.')[2].replace('_', ' ')} in all"


def _numbered(value: Any) -> Iterable[tuple[int | Key, Any]]:
    """The entries of a list, or of a mapping, each with its step."""
    if isinstance(value, Mapping):
        return ((Key(key), entry) for key, entry in value.items())
    return enumerate(value)


def _plain(name: Any) -> str:
    return " ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def _quoted(name: Any) -> str:
    return repr(shorten(_plain(name)))


# --- the walk over a struct ----------------------------------------------------------------------------


class Around:
    """The structs around a value, from the outside in, and the names that stand in them."""

    def __init__(
        self, structs: tuple[Struct, ...] = (), known: dict[Any, Mapping[Any, None]] | None = None
    ) -> None:
        self.structs = structs
        self.known: dict[Any, Mapping[Any, None]] = {} if known is None else known

    def within(self, struct: Any) -> Around:
        """The same for what stands in this struct."""
        return Around((*self.structs, struct), self.known)

    def names(self, where: tuple[Source, ...]) -> Collection[Any]:
        """The names in all of these places, each once."""
        begins = [None if callable(source) else self._first_with(source) for source in where]
        key = where, tuple(map(id, begins))
        if key not in self.known:
            found = (
                source() if callable(source) else _reached((begin,), source)
                for source, begin in zip(where, begins, strict=True)
            )  # fmt: skip
            self.known[key] = dict.fromkeys(chain.from_iterable(found))
        return self.known[key]

    def _first_with(self, path: str) -> Struct:
        """The nearest struct that has what a path begins with."""
        field = path.partition(".")[0]
        return next(struct for struct in reversed(self.structs) if hasattr(type(struct), field))


def _reached(begin: Iterable[Any], path: str) -> Iterable[Any]:
    """What stands at a path from each of these; what has no such field, such as a name, is left out."""
    for field in path.split("."):
        begin = _all(begin, field)
    return begin


def _all(values: Iterable[Any], field: str) -> Iterator[Any]:
    return chain.from_iterable(_entries(getattr(each, field, None)) for each in values)


def _entries(value: Any) -> Iterable[Any]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str | Struct) else value


def first_mistake(value: Any, type: Any) -> Mistake | None:
    """The first thing in a value of this type that its declarations do not allow, ranges and sizes aside."""
    part = _part(type)
    return None if part is None else part.first_mistake(value, Around())


class _Part:
    """A type of which something is declared, or of something within it.

    ``python``: what a value of it is in Python, so that a union's other values are passed over. Of what is
    within, only those parts are kept of which something is declared as well.
    """

    __slots__ = ("alternatives", "checks", "entry", "fields", "key", "places", "python")

    def __init__(self) -> None:
        self.python: tuple[type, ...] = ()
        self.checks: tuple[_Check, ...] = ()
        self.alternatives: list[_Part] = []
        self.fields: list[tuple[str, str, _Part]] = []
        self.places: list[tuple[int, _Part]] = []
        self.entry: _Part | None = None
        self.key: _Part | None = None

    def first_mistake(self, value: Any, around: Around) -> Mistake | None:
        """Those of a list come before those of its entries."""
        if not isinstance(value, self.python):
            return None
        for check in self.checks:
            for mistake in check.mistakes(value, around):
                return mistake
        if self.fields:
            around = around.within(value)
        for step, inner, part in self._inside(value):
            found = part.first_mistake(inner, around)
            if found is not None:
                return found if step is None else ((step, *found[0]), found[1])
        return None

    def _inside(self, value: Any) -> Iterator[tuple[str | int | Key | None, Any, _Part]]:
        """(step, value, part) of what is to be looked at within a value."""
        for part in self.alternatives:
            yield None, value, part
        for written, name, part in self.fields:
            yield written, getattr(value, name), part
        for index, part in self.places:
            yield index, value[index], part
        if self.entry is not None and not isinstance(value, dict):
            for index, each in enumerate(value):
                yield index, each, self.entry
        elif self.entry is not None or self.key is not None:
            for key, each in value.items():
                if self.key is not None:
                    yield Key(key), key, self.key
                if self.entry is not None:
                    yield Key(key), each, self.entry


@cache
def _part(type: Any) -> _Part | None:
    """The checks of a type; none if nothing is declared of it or within it."""
    kinds = {id(kind): kind for kind in kinds_in(type)}
    found = {key for key, kind in kinds.items() if isinstance(kind, inspect.Metadata) and kind.extra}
    more = found
    while more:
        more = {key for key, kind in kinds.items() if key not in found and _has(kind, found)}
        found = found | more
    parts = {key: _Part() for key in found}
    for key, part in parts.items():
        _fill(part, kinds[key], parts)
    return parts.get(id(type_of(type)))


def _has(kind: inspect.Type, found: Collection[int]) -> bool:
    return any(id(part) in found for part in parts_of(kind))


def _fill(part: _Part, kind: inspect.Type, parts: Mapping[int, _Part]) -> None:
    part.python = _python(kind)
    if isinstance(kind, inspect.Metadata):
        part.checks = tuple((kind.extra or {}).values())
    if isinstance(kind, inspect.Metadata | inspect.UnionType):
        part.alternatives = [parts[id(each)] for each in parts_of(kind) if id(each) in parts]
    elif isinstance(kind, inspect.StructType):
        fields = [(each.encode_name, each.name, parts.get(id(each.type))) for each in kind.fields]
        part.fields = [(written, name, inner) for written, name, inner in fields if inner is not None]
    elif isinstance(kind, inspect.TupleType):
        part.places = [(i, parts[id(each)]) for i, each in enumerate(kind.item_types) if id(each) in parts]
    elif isinstance(kind, inspect.DictType):
        part.key, part.entry = parts.get(id(kind.key_type)), parts.get(id(kind.value_type))
    else:
        part.entry = next((parts[id(each)] for each in parts_of(kind) if id(each) in parts), None)


def _python(kind: inspect.Type) -> tuple[type, ...]:
    """The classes that values of a type have, ``None`` aside."""
    if isinstance(kind, inspect.Metadata | inspect.UnionType):
        return tuple(each for part in parts_of(kind) for each in _python(part))
    return (kind.cls,) if isinstance(kind, inspect.StructType) else _PYTHON.get(type(kind), ())


_PYTHON: Mapping[type[inspect.Type], tuple[type, ...]] = {
    inspect.StrType: (str,),
    inspect.IntType: (int,),
    inspect.FloatType: (int, float),
    inspect.ListType: (list, tuple),
    inspect.VarTupleType: (list, tuple),
    inspect.TupleType: (list, tuple),
    inspect.SetType: (set,),
    inspect.FrozenSetType: (frozenset,),
    inspect.DictType: (dict,),
}


@cache
def type_of(type: Any) -> inspect.Type:
    """A type as msgspec sees it."""
    return inspect.type_info(type)


@cache
def kinds_in(type: Any) -> tuple[inspect.Type, ...]:
    """Every type within a type, itself included."""
    found: dict[int, inspect.Type] = {}
    waiting = [type_of(type)]
    while waiting:
        kind = waiting.pop()
        if id(kind) not in found:
            found[id(kind)] = kind
            waiting += parts_of(kind)
    return tuple(found.values())


def parts_of(kind: inspect.Type) -> Sequence[inspect.Type]:
    """The types directly within one: of fields, entries, alternatives."""
    if isinstance(kind, inspect.Metadata):
        return (kind.type,)
    if isinstance(kind, inspect.UnionType):
        return kind.types
    if isinstance(kind, inspect.StructType):
        return [field.type for field in kind.fields]
    if isinstance(kind, inspect.ListType | inspect.VarTupleType | inspect.SetType | inspect.FrozenSetType):
        return (kind.item_type,)
    if isinstance(kind, inspect.TupleType):
        return kind.item_types
    return (kind.key_type, kind.value_type) if isinstance(kind, inspect.DictType) else ()


# --- ranges, sizes and spellings -----------------------------------------------------------------------


def out_of_bounds(value: Any, kind: inspect.Type, spelling: str = "") -> str:
    """What is wrong with the range, size or spelling of a value; empty if nothing is."""
    if isinstance(kind, inspect.Metadata):
        return out_of_bounds(value, kind.type, (kind.extra_json_schema or {}).get("description", spelling))
    if isinstance(kind, inspect.UnionType):
        return next(filter(None, (out_of_bounds(value, each, spelling) for each in kind.types)), "")
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        return _out_of_range(value, kind) if type(value) in _PYTHON[type(kind)] else ""
    if isinstance(kind, inspect.StrType) and isinstance(value, str):
        if wrong := _sized(len(value), kind, "characters"):
            return f"{shorten(value)!r} has {wrong}"
        if kind.pattern and not re.search(kind.pattern, value):
            wrong = f": {spelling}" if spelling else f" is not written as {kind.pattern}"
            return f"{shorten(value)!r}{wrong}"
    if isinstance(kind, _SIZED) and isinstance(value, list | tuple | dict):
        return _sized(len(value), kind, "entries")
    return ""


_SIZED = inspect.ListType | inspect.VarTupleType | inspect.SetType | inspect.FrozenSetType | inspect.DictType


def _out_of_range(value: float, kind: inspect.IntType | inspect.FloatType) -> str:
    bounds = (
        ("at least", kind.ge, operator.ge), ("more than", kind.gt, operator.gt),
        ("at most", kind.le, operator.le), ("less than", kind.lt, operator.lt),
    )  # fmt: skip
    given = [(words, bound, holds) for words, bound, holds in bounds if bound is not None]
    if all(holds(value, bound) for _, bound, holds in given):
        return ""
    if kind.ge is not None and kind.le is not None:
        return f"is {_number(value)}; it is from {kind.ge} to {kind.le}"
    return f"is {_number(value)}; it is {' and '.join(f'{words} {bound}' for words, bound, _ in given)}"


def _number(value: float) -> str:
    """A number, as far as it can be written on a line."""
    if isinstance(value, int) and value.bit_length() > 100:
        return f"a number of {value.bit_length()} bits"
    return str(value)


def _sized(size: int, kind: Any, what: str) -> str:
    if kind.max_length is not None and size > kind.max_length:
        return f"{size} {what}; at most {kind.max_length} are allowed"
    if kind.min_length is not None and size < kind.min_length:
        least = kind.min_length
        return f"{size} {what}; at least {'one is' if least == 1 else f'{least} are'} needed"
    return ""
