"""New days of laundry: how many loads, how long each takes in machines, and how many of these there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backburner.kernel.generating import Draft, Draw, Generator, Naming, Parameter, Result, Symbol
from backburner.kernel.values import Outcome
from laundry.world import Laundry

RESERVED = ("wash", "dry", "fold", "wait", "for", "the", "next", "machine", "minute", "minutes")
"""Words of answers."""


def _whole(name: str, low: int, high: int, help: str) -> Parameter:
    return Parameter(name=name, help=help, kind="whole", low=low, high=high)


class LaundryGenerator(Generator):
    """Drafts a day of its numbers; everything else is done by Backburner."""

    help = "Days of loads that are washed, dried and folded, whose minutes are drawn."
    parameters = (
        _whole("loads", 1, 5, "loads, of three activities each"),
        _whole("machine_minutes", 10, 90, "the longest that a machine may take"),
        _whole("fold_minutes", 1, 45, "the longest that folding a load may take"),
        _whole("washers", 1, 3, "washers"),
        _whole("dryers", 1, 3, "dryers"),
    )
    dials: Mapping[str, str] = {
        "length": "activities: three for each load",
        "decisions": "activities that are begun in the proven plan",
        "width": "minutes of all activities in the proven plan, over the minutes that it takes",
        "attention": "the share of the proven plan's minutes in which your hands are busy",
        "chain": "the longest way of a load, over the minutes of the proven plan",
        "contention": "the share of the proven plan in which the fullest kind of machine runs",
        "gap": "minutes of a script above the proven plan's, as a share of them",
    }
    effort = 2.0
    naming = Naming(longest=40, reserved=RESERVED)

    def draft(self, parameters: Mapping[str, Any], options: Mapping[str, Any], draw: Draw) -> Draft:
        """The loads are symbols, so that they get names; in the order of their names nothing is told."""
        symbols = {f"m{number}": Symbol("material") for number in range(1, parameters["loads"] + 1)}
        longest, folding = parameters["machine_minutes"], parameters["fold_minutes"]
        loads = [
            {
                "name": f"<{symbol}>",
                "wash_minutes": draw.random.randint(5, longest),
                "dry_minutes": draw.random.randint(5, longest),
                "fold_minutes": draw.random.randint(1, folding),
            }
            for symbol in symbols
        ]
        machines = {name: parameters[name] for name in ("washers", "dryers")}
        return Draft({"loads": loads, **machines}, symbols, ("loads",))

    def result(self, world: Laundry, outcome: Outcome) -> Result:
        """The share of the loads that is folded, and the minute."""
        numbers = outcome.numbers
        return Result(numbers["score"] / 100, int(numbers["minutes"]), bool(numbers["completed"]))


GENERATOR = LaundryGenerator()
