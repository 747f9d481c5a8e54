"""Splits without leakage: no part of a scenario is in two of train, validation and test.

A scenario is built of parts (``registry.parts``): tasks, recipes, dishes. Scenarios that share one are
connected, directly or by others between them; a *group* is everything that is connected. Groups are never
divided. The largest is for training; of the others, smallest first, those that fit go to the test and then
to validation. Which of equals goes first depends on their scenarios alone.

With parts to hold out it is they that decide: scenarios built of nothing else are the test, scenarios with
none of them are divided by groups into training and validation, and those with some of both are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from backburner.kernel.values import digest

Split = Literal["train", "validation", "test"]

SPLITS: tuple[Split, ...] = ("train", "validation", "test")

Parts = Mapping[str, Sequence[str]]
"""Scenario to the names of its parts."""


class Division(Struct, frozen=True):
    """The split and the group of each scenario; ``mixed``: those that are left out."""

    split: Mapping[str, Split]
    group: Mapping[str, int]
    mixed: tuple[str, ...] = ()


def divide(parts: Parts, validation: float, test: float, hold_out: Collection[str] = ()) -> Division:
    """The splits of these scenarios."""
    held = set(hold_out)
    tested = [id for id, names in parts.items() if held and held.issuperset(names)]
    mixed = tuple(id for id, names in parts.items() if held.intersection(names) and id not in tested)
    rest = {id: names for id, names in parts.items() if id not in tested and id not in mixed}
    groups = [*_groups(rest), *_groups({id: parts[id] for id in tested})]
    shares: list[tuple[Split, float]] = [("validation", validation)]
    if not held:
        shares.insert(0, ("test", test))
    split: dict[str, Split] = dict.fromkeys(rest, "train")
    split |= _shared_out(_groups(rest), shares, len(rest)) | dict.fromkeys(tested, "test")
    return Division(
        {id: split[id] for id in parts if id in split},
        {id: number for number, group in enumerate(groups) for id in group},
        mixed,
    )


def _groups(parts: Parts) -> list[list[str]]:
    """The connected scenarios, largest group first, then by the digest of its parts."""
    leader = {id: id for id in parts}

    def find(id: str) -> str:
        while leader[id] != id:
            leader[id] = leader[leader[id]]
            id = leader[id]
        return id

    first: dict[str, str] = {}
    for id, names in parts.items():
        for part in names:
            leader[find(id)] = find(first.setdefault(part, id))
    members: dict[str, list[str]] = {}
    for id in parts:
        members.setdefault(find(id), []).append(id)
    return sorted(members.values(), key=lambda ids: (-len(ids), _key(ids, parts)))


def _key(ids: Iterable[str], parts: Parts) -> str:
    return digest(sorted({part for id in ids for part in parts[id]}))


def _shared_out(
    groups: Sequence[Sequence[str]], shares: Iterable[tuple[Split, float]], number: int
) -> dict[str, Split]:
    """The scenarios that are not for training.

    A share takes no group with which it would be more than half as large again; its first may be larger, if
    half of all scenarios stay for training.
    """
    left = sorted(groups[1:], key=lambda ids: digest(sorted(ids)))
    found: dict[str, Split] = {}
    for split, share in shares:
        wanted, taken = share * number, 0
        for group in sorted(left, key=len) if share else ():
            half_stays = len(found) + len(group) <= number / 2
            fits = taken + len(group) <= 1.5 * wanted or (not taken and half_stays)
            if taken < wanted and fits:
                left.remove(group)
                taken += len(group)
                found |= dict.fromkeys(group, split)
    return found
