"""What a world offers by name: scenarios and suites with the options of their ids, rule sets, limits.

Options stand in ids such as ``cuisineworld/level_1@bodies=3,tau=1.5``. There is one way to write each value,
so that equal scenarios have equal ids.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from backburner.kernel import built
from backburner.kernel.contract import World
from backburner.kernel.episode import Header
from backburner.kernel.errors import BadFile, Refused, UnknownName, shorten
from backburner.kernel.files import Place, converted
from backburner.kernel.titles import Called, plain, title


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


WorldT_co = TypeVar("WorldT_co", bound=World[Any, Any, Any], covariant=True)


class Catalogue(ABC, Generic[WorldT_co]):
    """The base of every world's catalogue. A world sets the attributes and says what its scenarios are.

    - ``name``: the first part of the ids, such as ``timearena``
    - ``world``: makes a world of id, scenario, rules and limits; usually its class
    - ``scenario_type``, ``rules_type``, ``limits_type``: for reading a record's header
    - ``rules``: the rule sets by name; ``standard`` and ``released`` are always there
    - ``no_limits``: the limits called ``none``; those called ``article`` come from ``article_limits``
    - ``solve_limits``: the limits under which shortest plans are looked for; ``none`` where limits come
      from those plans
    - ``defaults``: the values that options have when an id does not name them; ids leave them out
    - ``said``: how titles tell options, by ``key`` with ``{}`` for the value or by ``key=value``, the most
      important first; an option that is not there is told as it is written
    - ``file_types``: the structs of files that users write, by the name of their JSON Schema (see
      ``editor_schemas``)
    """

    name: str
    world: Callable[..., WorldT_co]
    scenario_type: Any
    rules_type: Any
    limits_type: Any
    rules: Mapping[str, Any]
    no_limits: Any
    limits: Sequence[str] = ("article", "none")
    solve_limits: str = "article"
    defaults: Mapping[str, str] = {}
    said: Mapping[str, str] = {}
    file_types: Mapping[str, Any] = {}

    @abstractmethod
    def suites(self) -> Mapping[str, Sequence[str]]:
        """Suite path to scenario paths, options included, without the world's name, in a fixed order."""

    @abstractmethod
    def scenario(self, path: str, options: Mapping[str, str]) -> Any:
        """The scenario of this path; raises ``UnknownName`` with the nearest names."""

    def called(self, path: str, scenario: Any) -> Called:
        """What a scenario is called without its options, for people; by default the last of its path."""
        return Called((plain(path.rpartition("/")[2]),))

    def title(self, path: str, options: Mapping[str, str], scenario: Any) -> str:
        """The scenario's name for people; one that was built has the first signs of its own as well."""
        called = self.called(path, scenario)
        edition, _, own = path.partition("/")
        if edition in built.EDITIONS:
            called = Called(called.names, (*called.marks, f"built {own[:4]}"))
        unusual = {key: value for key, value in options.items() if self.defaults.get(key) != value}
        return title(called, unusual, self.said)

    def article_limits(self, id: str, scenario: Any, rules: Any) -> Any:
        """The limits of the article, under these rules; none unless the world says otherwise.

        Raises ``UnknownLimits`` where they cannot be told, such as a multiple of an unknown optimum. The
        scenario can then be looked at, and played without limits.
        """
        return self.no_limits

    def follows(self, path: str, options: Mapping[str, str]) -> tuple[str, Mapping[str, str]] | None:
        """The scenario (path, options) whose episode has to be played first, as this one begins with what
        it leaves behind; ``None`` for those that stand alone, as nearly all do."""
        return None

    def continued(self, scenario: Any, before: Any, state: Any) -> Any:
        """The scenario as it is played after an episode of the world ``before`` that ended in ``state``.

        Only scenarios that follow others are asked about. What it takes over stands in the scenario, so
        that its record can be replayed alone.
        """
        return scenario

    def by_name(self, scenario: Any) -> Any:
        """A record's scenario as its id has it: without what it took over from the episode before it."""
        return scenario

    def read(self, raw: Mapping[str, Any], source: str) -> tuple[str, Any]:
        """(path, scenario) out of a user's scenario file; raises ``BadFile`` naming ``source``."""
        raise BadFile(source, "", f"{self.name} reads no scenario files")

    def build(self, id: str, scenario: Any, rules: Any, limits: Any) -> WorldT_co:
        """The world of a scenario; ``rules`` and ``limits`` are names of presets, or values.

        Rules may be called as ``rules_called`` takes them; their limits are then those of the rule set that
        they change. Raises ``Refused`` for values of another type.
        """
        self._check("rules", "standard", rules, self.rules_type)
        self._check("limits", "article", limits, self.limits_type)
        bound, base = self.rules_called(rules) if isinstance(rules, str) else (rules, rules)
        if limits == "article":
            limits = self.article_limits(id, scenario, base)
        presets = {"article": None, "none": self.no_limits}
        return self.world(id, scenario, bound, preset("limits", limits, presets, self.name))

    def _check(self, what: str, name: str, value: Any, wanted: type[Any]) -> None:
        if not isinstance(value, str | wanted):
            own = f"{wanted.__name__} of {self.name}"
            raise Refused(f"{what} are a name, such as {name}, or {own}; not {shorten(repr(value))}")

    def rules_called(self, name: str) -> tuple[Any, Any]:
        """(rules, the rule set they change) of a name such as ``released`` or ``released,some_field=false``.

        Fields are set one by one; without a rule set before them ``standard`` is changed. The rules'
        own name tells what was changed, fields in the order of the alphabet; nothing is told that is as in
        the rule set. Raises ``UnknownName`` with the nearest rule set or field, and ``Refused`` for a value
        that the field cannot have.
        """
        first, *changes = name.split(",")
        if "=" in first:
            first, changes = "standard", [first, *changes]
        base = preset("rule set", first, self.rules, self.name)
        if not changes:
            return base, base
        return changed_rules(base, changes, self.name), base

    def restore(self, id: str, scenario: Any, rules: Any, limits: Any) -> WorldT_co:
        """The world of a record's header, whose parts are plain JSON values.

        Raises ``msgspec.ValidationError`` or ``BadFile`` if they are not those of such a world.
        """
        return self.world(
            id,
            self.checked(id, converted(scenario, self.scenario_type, Place(shorten(id)))),
            msgspec.convert(rules, self.rules_type),
            msgspec.convert(limits, self.limits_type),
        )

    def of(self, header: Header) -> WorldT_co:
        """The world of a record's header; raises as ``restore`` does."""
        return self.restore(header.id, header.scenario, header.rules, header.limits)

    def checked(self, id: str, scenario: Any) -> Any:
        """The scenario of a record, if it can be played; raises ``BadFile`` naming ``id``."""
        return scenario


class Assembled(Catalogue[WorldT_co]):
    """A catalogue put together of functions, each a ``staticmethod`` of the class: what they promise say the
    methods of ``Catalogue`` that ask them. ``built``: the package that ships the headline's built suites.

    ``check_scenario`` raises ``BadFile`` at the place that it is given for a record's scenario that neither a
    file nor an id could have given.
    """

    built: str = ""
    suites_of: Callable[[], Mapping[str, Sequence[str]]]
    scenario_of: Callable[[str, Mapping[str, str]], Any]
    read_file: Callable[[Mapping[str, Any], str], tuple[str, Any]]
    check_scenario: Callable[[Any, Place], None]

    def suites(self) -> Mapping[str, Sequence[str]]:
        """As ``suites_of`` gives them, and those that were built."""
        return {**self.suites_of(), **built.suites_of(self.built)}

    def scenario(self, path: str, options: Mapping[str, str]) -> Any:
        """As ``scenario_of`` makes it, or as it was built."""
        fields = built.fields_of(self.built, path, self.name)
        if fields is None:
            return self.scenario_of(path, options)
        check_options(self.name, options, (), {})
        return self.read_file(fields, f"{self.name}/{path}")[1]

    def read(self, raw: Mapping[str, Any], source: str) -> tuple[str, Any]:
        """As ``read_file`` reads it."""
        return self.read_file(raw, source)

    def checked(self, id: str, scenario: Any) -> Any:
        """The scenario, if ``check_scenario`` finds nothing wrong with it."""
        self.check_scenario(scenario, Place(shorten(id)))
        return scenario


def preset(kind: str, name: Any, known: Mapping[str, Any], where: str) -> Any:
    """A preset by its name, or the value itself if it is not a name."""
    if not isinstance(name, str):
        return name
    if name not in known:
        raise UnknownName(kind, name, known, where)
    return known[name]


MOST_CHANGES = 100
"""Fields of rules that a name sets."""


def changed_rules(base: Any, changes: Sequence[str], where: str) -> Any:
    """Rules with some fields set, such as ``("waits_give_way=false",)``; see ``Catalogue.rules_called``."""
    if not isinstance(base, msgspec.Struct) or len(changes) > MOST_CHANGES:
        raise Refused(f"{where}: of these rules no {len(changes)} fields can be set one by one")
    types = {each.name: each.type for each in msgspec.structs.fields(base) if each.name != "name"}
    values: dict[str, Any] = {}
    for change in changes:
        field, equals, value = change.partition("=")
        if field not in types:
            raise UnknownName("field of the rules", field, types, where)
        if not equals or field in values:
            raise Refused(f"{where}: rules are changed by {field}=VALUE, each field once")
        try:
            values[field] = msgspec.convert(value, types[field], strict=False)
        except msgspec.ValidationError as error:
            told = shorten(repr(value))
            raise Refused(f"{where}: the field {field} of the rules cannot be {told}: {error}") from error
    different = {field: values[field] for field in sorted(values) if values[field] != getattr(base, field)}
    if different and hasattr(base, "name"):
        set_fields = (f"{field}={_written(value)}" for field, value in different.items())
        different["name"] = ",".join((base.name, *set_fields))
    return msgspec.structs.replace(base, **different)


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
