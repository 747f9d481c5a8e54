"""A kitchen as a tuple of numbers; see ``codes``."""

from __future__ import annotations

from typing import NamedTuple

Lying = tuple[tuple[int, int], ...]
"""What lies on counters: codes of things and cells, equal things in the order they were put down."""


class Floor(NamedTuple):
    """A kitchen: each cook's pose (4 * cell + direction) and what it holds; what lies, what is in the
    utensils, the orders that are open, and how much may still be fetched of each thing."""

    pose0: int
    held0: int
    pose1: int
    held1: int
    lying: Lying
    contents: tuple[int, ...]
    orders: tuple[int, ...]
    budget: tuple[int, ...]


def in_order(lying: Lying) -> Lying:
    """Sorted by name; among equal names the order in which they were put down counts."""
    return tuple(sorted(lying, key=_name_of)) if len(lying) > 1 else lying


def _name_of(one: tuple[int, int]) -> int:
    return one[0] >> 1
