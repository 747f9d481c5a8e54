"""Digests: one spelling for equal values."""

from __future__ import annotations

from hashlib import blake2b

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from backburner.kernel.digest import canonical_json, digest

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=8,
)


class Cup(Struct, frozen=True):
    size: int
    colour: str = "white"


def test_worked_example() -> None:
    # Maps are sorted by key, sets by value, no blanks; the digest is 8 bytes of blake2b over that.
    assert canonical_json({"b": 1, "a": frozenset({2, 1})}) == b'{"a":[1,2],"b":1}'
    assert digest({"b": 1, "a": [1, 2]}) == blake2b(b'{"a":[1,2],"b":1}', digest_size=8).hexdigest()


def test_fields_stand_in_the_order_of_their_class() -> None:
    assert canonical_json(Cup(3)) == b'{"size":3,"colour":"white"}'


@settings(deadline=None)
@given(st.dictionaries(st.text(st.characters(codec="utf-8")), json_values))
def test_the_order_of_a_map_makes_no_difference(value: dict[str, object]) -> None:
    backwards = dict(reversed(list(value.items())))
    assert digest(backwards) == digest(value)


@settings(deadline=None)
@given(json_values, json_values)
def test_different_values_have_different_digests(one: object, other: object) -> None:
    assert (digest(one) == digest(other)) == (canonical_json(one) == canonical_json(other))
    assert len(digest(one)) == 16
