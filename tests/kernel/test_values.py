"""What every value promises: equality, order, JSON; and digests: one spelling for equal values."""

from __future__ import annotations

from hashlib import blake2b

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from backburner.kernel.menu import Menu, Option
from backburner.kernel.values import Event, Fault, Outcome, Refusal, Step, canonical_json, digest


def test_a_refusal_gives_its_facts_by_name() -> None:
    refusal = Refusal("busy", Fault.OCCUPIED, (("object", "pot"), ("until", 12)))
    assert (refusal.get("object"), refusal.get("until"), refusal.get("why")) == ("pot", 12, None)


@pytest.mark.parametrize(
    "value",
    [
        Refusal("busy", Fault.OCCUPIED, (("objects", ("pot", "pan")), ("until", 12), ("why", None))),
        Event(1.5, "said", "cook", "hot!"),
        Outcome("cut off", "time", {"minutes": 40, "share": 0.5}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_are_frozen_and_survive_json(value: msgspec.Struct) -> None:
    assert msgspec.json.decode(msgspec.json.encode(value), type=type(value)) == value
    with pytest.raises(AttributeError):
        setattr(value, value.__struct_fields__[0], "changed")


def test_equal_values_have_equal_hashes() -> None:
    one, other = (Step(("state",), (Event(1, "start", "cook", "chop", "k"),)) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert hash(Menu((Option(3, "three"),), complete=True)) == hash(
        Menu((Option(3, "three"),), complete=True)
    )


def test_the_families_of_faults() -> None:
    assert [fault.value for fault in Fault] == [
        "unreadable", "unknown thing", "mismatch", "missing prerequisite", "occupied", "already done",
        "too early or late", "out of reach", "capacity", "role",
    ]  # fmt: skip


# --- digests --------------------------------------------------------------------------------------------

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=8,
)


class Cup(Struct, frozen=True):
    size: int
    colour: str = "white"


def test_canonical_json_is_sorted_and_has_no_blanks() -> None:
    # Maps are sorted by key, sets by value, no blanks; the digest is 8 bytes of blake2b over that.
    assert canonical_json({"b": 1, "a": frozenset({2, 1})}) == b'{"a":[1,2],"b":1}'
    assert digest({"b": 1, "a": [1, 2]}) == blake2b(b'{"a":[1,2],"b":1}', digest_size=8).hexdigest()


def test_fields_stand_in_the_order_of_their_class() -> None:
    assert canonical_json(Cup(3)) == b'{"size":3,"colour":"white"}'


@given(st.dictionaries(st.text(st.characters(codec="utf-8")), json_values))
def test_the_order_of_a_map_makes_no_difference(value: dict[str, object]) -> None:
    backwards = dict(reversed(list(value.items())))
    assert digest(backwards) == digest(value)


@given(json_values, json_values)
def test_different_values_have_different_digests(one: object, other: object) -> None:
    assert (digest(one) == digest(other)) == (canonical_json(one) == canonical_json(other))
    assert len(digest(one)) == 16
