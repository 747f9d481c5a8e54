"""Which bit stands for which fact, and that a thing made in play renumbers none."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.worlds.robotouille.game.domain import Domain
from backburner.worlds.robotouille.game.rule_set import STANDARD
from backburner.worlds.robotouille.game.scenarios import shipped_domain
from backburner.worlds.robotouille.game.state import Layout, Object, Predicate

SHIPPED = Domain(shipped_domain(), STANDARD).predicates
OPEN = Predicate(0, "open", (), {})
NEAR = Predicate(1, "near", ("station", "station"), {})
LIES = Predicate(2, "lies", ("item", "station"), {})

some = settings(max_examples=50)


def things(*names: str) -> list[Object]:
    """``table1 item2`` ... as stations and items; the kind is the name without its number."""
    types = {"table": "station", "bread": "item", "water": "meal", "pot": "container", "robot": "player"}
    return [Object(name, types[name.rstrip("0123456789")], name.rstrip("0123456789")) for name in names]


@st.composite
def objects(draw: st.DrawFn) -> list[Object]:
    kinds = draw(st.lists(st.sampled_from(("table", "bread", "water", "pot", "robot")), max_size=8))
    return things(*(f"{kind}{number}" for number, kind in enumerate(kinds, 1)))


def test_bits_are_numbered_by_the_last_thing_they_are_about() -> None:
    layout = Layout((OPEN, NEAR, LIES), things("table1", "bread1", "table2"))
    assert [layout.words(atom) for atom in layout.atoms] == [
        "open()",
        "lies(bread1,table1)",
        "near(table1,table2)",
        "near(table2,table1)",
        "lies(bread1,table2)",
    ]


@some
@given(objects())
def test_every_fact_over_different_things_has_a_bit(found: list[Object]) -> None:
    layout = Layout(SHIPPED, found)
    expected = {
        (predicate.index, args)
        for predicate in SHIPPED
        for args in product(range(len(found)), repeat=len(predicate.types))
        if len(set(args)) == len(args) and tuple(found[arg].type for arg in args) == predicate.types
    }
    assert set(layout.atoms) == set(layout.bits) == expected
    assert [layout.bits[atom] for atom in layout.atoms] == [1 << n for n in range(len(layout.atoms))]


@some
@given(objects())
def test_a_thing_more_only_adds_bits(found: list[Object]) -> None:
    if not found:
        return
    small = Layout(SHIPPED, found[:-1])
    before = list(small.atoms), dict(small.bits), dict(small.rows), list(small.about)
    extended, whole = small.extended(found[-1]), Layout(SHIPPED, found)
    assert (small.atoms, small.bits, small.rows, small.about) == before
    assert extended.atoms[: len(small.atoms)] == small.atoms
    for field in ("objects", "atoms", "bits", "indices", "of_predicate", "about", "rows"):
        assert getattr(extended, field) == getattr(whole, field)


@some
@given(objects(), st.integers(0))
def test_masks_tell_which_facts_are_meant(found: list[Object], seed: int) -> None:
    layout = Layout(SHIPPED, found)
    facts = seed % (1 << len(layout.atoms))
    true = list(layout.true_atoms(facts))
    assert sum(layout.bits[atom] for atom in true) == facts
    for predicate, mask in zip(SHIPPED, layout.of_predicate, strict=True):
        assert list(layout.true_atoms(facts & mask)) == [atom for atom in true if atom[0] == predicate.index]
    for thing, about in enumerate(layout.about):
        assert list(layout.true_atoms(facts & about)) == [atom for atom in true if thing in atom[1]]
    for (predicate_index, place, thing), row in layout.rows.items():
        assert list(layout.true_atoms(facts & row)) == [
            (predicate, args)
            for predicate, args in true
            if predicate == predicate_index and args[place] == thing
        ]


def test_a_fact_that_cannot_be_has_no_bit() -> None:
    layout = Layout((OPEN, NEAR, LIES), things("table1", "bread1"))
    assert layout.bit(1, (0, 0)) == layout.bit(2, (0, 1)) == layout.bit(2, (-1, 0)) == 0


def test_the_next_name_is_one_more_than_the_highest_number_in_use() -> None:
    layout = Layout((), things("water1", "water4", "pot7"))
    assert layout.next_name("water", gone=0) == "water5"
    assert layout.next_name("water", gone=0b010) == "water2"
    assert layout.next_name("soup", gone=0) == "soup1"
