"""What the world offers by name: days, suites of days, rule sets, limits, files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from backburner.kernel.catalogue import Catalogue
from backburner.kernel.errors import BadFile, Refused, UnknownName
from backburner.kernel.files import Place, converted
from laundry.rules import Rulebook
from laundry.search import bound
from laundry.state import NO_LIMITS, PRESETS, Limits, Load, Rules, Scenario
from laundry.world import Laundry

LOADS = {
    load.name: load
    for load in (
        Load("whites", wash_minutes=60, dry_minutes=50, fold_minutes=8),
        Load("colours", wash_minutes=40, dry_minutes=45, fold_minutes=12),
        Load("towels", wash_minutes=70, dry_minutes=75, fold_minutes=5),
        Load("woollens", wash_minutes=30, dry_minutes=20, fold_minutes=15),
    )
}

SUITES = {
    "quick": ("whites+colours", "whites+colours+towels"),
    "all": tuple(
        f"{'+'.join(list(LOADS)[:number])}{machines}"
        for number in (2, 3, 4)
        for machines in ("", "@dryers=2", "@dryers=2,washers=2")
    ),
}


class File(Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario file: ``{"world": "laundry", "id": ..., "loads": [...], "washers": 1, "dryers": 1}``."""

    world: str
    id: str
    loads: tuple[Load, ...]
    washers: int = 1
    dryers: int = 1


class LaundryCatalogue(Catalogue[Laundry]):
    """Days of laundry, named by their loads: ``laundry/whites+colours@dryers=2``."""

    name = "laundry"
    world = Laundry
    scenario_type, rules_type, limits_type = Scenario, Rules, Limits
    rules = PRESETS
    no_limits = NO_LIMITS
    defaults: Mapping[str, str] = {"washers": "1", "dryers": "1"}

    def suites(self) -> Mapping[str, Sequence[str]]:
        """Two short days, and all."""
        return SUITES

    def scenario(self, path: str, options: Mapping[str, str]) -> Scenario:
        """The loads of a path such as ``whites+towels``."""
        for name in path.split("+"):
            if name not in LOADS:
                raise UnknownName("load", name, LOADS) if path else UnknownName("scenario", path, SUITES)
        for option in options:
            if option not in self.defaults:
                raise UnknownName("option", option, self.defaults)
        counts = {**self.defaults, **options}
        for option, value in counts.items():
            if not (value.isascii() and value.isdecimal() and 1 <= int(value) <= 9):
                raise Refused(f"{option} is a number from 1 to 9, not {value!r}")
        loads = tuple(LOADS[name] for name in dict.fromkeys(path.split("+")))
        return Scenario(loads, int(counts["washers"]), int(counts["dryers"]))

    def read(self, raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
        """A user's day."""
        file = converted(raw, File, Place(source))
        return file.id, self.checked(source, Scenario(file.loads, file.washers, file.dryers))

    def checked(self, id: str, scenario: Scenario) -> Scenario:
        """The scenario, if it can be played."""
        names = [load.name for load in scenario.loads]
        if not names or len(set(names)) < len(names):
            raise BadFile(id, "field 'loads'", "there is at least one load, and no two have the same name")
        for load in scenario.loads:
            if min(load.wash_minutes, load.dry_minutes, load.fold_minutes) < 1:
                raise BadFile(id, f"load {load.name!r}", "every part of its way takes at least a minute")
        if min(scenario.washers, scenario.dryers) < 1:
            raise BadFile(id, "fields 'washers' and 'dryers'", "there is at least one machine of each kind")
        return scenario

    def article_limits(self, id: str, scenario: Scenario, rules: Rules) -> Limits:
        """The room closes after one and a half times the least that the day can take."""
        book = Rulebook(scenario, rules, NO_LIMITS)
        return Limits(bound(book, book.start()) * 3 // 2)


CATALOGUE = LaundryCatalogue()
