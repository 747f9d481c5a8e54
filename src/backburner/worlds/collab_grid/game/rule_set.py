"""The grid's rules as values: those of Collab-Overcooked that are about the kitchen. Each field of ``Rules``
is one defect of the release.

``standard`` has none of them, ``released`` has them all.
"""

from __future__ import annotations

from msgspec import Struct, structs

from backburner.worlds.collab_overcooked.game import rule_set as published


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of play. A field that is true keeps a defect of the released program; each means what it
    means in Collab-Overcooked."""

    name: str = "standard"

    starting_stalls_timers: bool = False
    """Starting an operation costs a tick to every running utensil that received its first item later than the
    one that is started; a start that comes to nothing costs none."""

    starts_found_in_one_pass: bool = False
    """Of two contents that match no recipe and are started in one step, only those that were loaded later are
    gone."""

    food_is_lost: bool = False
    """Everything brought to the serving place is gone, ordered or not. False: only what is ordered can be
    delivered, served as it has to be."""

    first_order_only: bool = False
    """Only the oldest open order can be met. False: any open order."""

    private_counters_unseen: bool = False
    """What lies on a counter that only one cook reaches is shown to neither. False: to that cook."""

    @property
    def of_the_kitchen(self) -> published.Rules:
        """Rules of Collab-Overcooked under which its kitchen does the same; those of talk have no defects."""
        return structs.replace(published.STANDARD, **structs.asdict(self))


STANDARD = Rules("standard")
RELEASED = Rules("released", *([True] * (len(Rules.__struct_fields__) - 1)))
PRESETS = {"standard": STANDARD, "released": RELEASED}
