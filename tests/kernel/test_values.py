"""Values that every world shares."""

from __future__ import annotations

import msgspec
import pytest

from backburner.kernel.menu import Menu, Option
from backburner.kernel.values import Event, Fault, Outcome, Refusal, Step


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
