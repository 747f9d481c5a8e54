"""Goals over kinds of things, against a search through all ways to choose the things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.worlds.robotouille.game.domain import Domain
from backburner.worlds.robotouille.game.goal import Goal
from backburner.worlds.robotouille.game.rule_set import RELEASED, STANDARD, Rules
from backburner.worlds.robotouille.game.scenarios import shipped_domain, shipped_problem
from backburner.worlds.robotouille.game.schema import GoalTerm
from backburner.worlds.robotouille.game.state import Layout, Object
from support.robotouille.kitchens import facts, say, world_in

TYPES = {
    "table": "station",
    "lettuce": "item",
    "cheese": "item",
    "bread": "item",
    "bun": "item",
    "topbun": "item",
    "pot": "container",
    "water": "meal",
}
FEW = ("bread", "bun", "topbun", "pot", "water")
PREDICATES = {"iscut": ("item",), "atop": ("item", "item"), "in": ("meal", "container")}
SHIPPED = {rules.name: Domain(shipped_domain(), rules).predicates for rules in (STANDARD, RELEASED)}

some = settings(max_examples=120)


def terms(*written: str) -> list[GoalTerm]:
    """``atop bread:1 bun:2`` as a goal term."""
    found = []
    for one in written:
        predicate, *args = one.split()
        pairs = [arg.split(":") for arg in args]
        found.append(GoalTerm(predicate, tuple(kind for kind, _ in pairs), tuple(id for _, id in pairs)))
    return found


def things(*names: str) -> list[Object]:
    kinds = [name.rstrip("0123456789") for name in names]
    return [Object(name, TYPES[kind], kind) for name, kind in zip(names, kinds, strict=True)]


# --- the search that the release describes ----------------------------------------------------------


def reached(
    goal: Sequence[GoalTerm], start: Layout, now: Layout, true: set[str], named: dict[str, str], rules: Rules
) -> bool:
    """Whether all terms hold for one of all ways to choose."""
    choose = as_released if rules.goal_names_in_part else as_stated
    for things_of in choose(goal, start, now, named):
        claimed = (f"{term.predicate}({','.join(things_of[str(id)] for id in term.ids)})" for term in goal)
        if all(claim in true for claim in claimed):
            return True
    return False


def as_released(
    goal: Sequence[GoalTerm], start: Layout, now: Layout, named: dict[str, str]
) -> Iterator[dict[str, str]]:
    """For each kind all ordered selections of the things whose name contains it, none twice for a kind."""
    ids = ids_by_kind(goal)
    ways = []
    for kind, members in ids.items():
        free = [id for id in members if id not in named]
        fitting = [thing.name for thing in start.objects if kind in thing.name]
        fitting = fitting or [f"{kind}{number}" for number in range(1, len(members) + 1)]
        ways.append([dict(zip(free, chosen, strict=True)) for chosen in permutations(fitting, len(free))])
    first = {id: kind for kind, members in reversed(ids.items()) for id in members}
    for choice in product(*ways):
        by_kind = dict(zip(ids, choice, strict=True))
        yield {id: named.get(id) or by_kind[kind][id] for id, kind in first.items()}


def as_stated(
    goal: Sequence[GoalTerm], start: Layout, now: Layout, named: dict[str, str]
) -> Iterator[dict[str, str]]:
    """Different things for different ids, each of the kind that stands with the id first."""
    first = {id: kind for kind, members in reversed(ids_by_kind(goal).items()) for id in members}
    fitting = [
        [named[id]] if id in named else [t.name for t in now.objects if kind in (t.kind, t.type)]
        for id, kind in first.items()
    ]
    for chosen in product(*fitting):
        if len(set(chosen)) == len(chosen):
            yield dict(zip(first, chosen, strict=True))


def ids_by_kind(goal: Sequence[GoalTerm]) -> dict[str, list[str]]:
    ids: dict[str, list[str]] = {}
    for term in goal:
        for kind, id in zip(term.args, term.ids, strict=True):
            if str(id) not in ids.setdefault(kind, []):
                ids[kind].append(str(id))
    return ids


@st.composite
def goals(draw: st.DrawFn) -> list[GoalTerm]:
    """Terms over few kinds and ids, so that they share some; ids of several kinds among them."""
    found = []
    for _ in range(draw(st.integers(1, 4))):
        predicate = draw(st.sampled_from(tuple(PREDICATES)))
        kinds = [
            draw(st.sampled_from([kind for kind in FEW if TYPES[kind] == type] * 3 + [type]))
            for type in PREDICATES[predicate]
        ]
        ids = [draw(st.sampled_from((1, *[10 * len(kind) + n for n in (1, 2, 1, 2)]))) for kind in kinds]
        found.append(GoalTerm(predicate, tuple(kinds), tuple(ids)))
    return found


@pytest.mark.slow
@some
@given(goals(), st.lists(st.sampled_from(FEW), max_size=8), st.integers(0, 2), st.randoms())
def test_a_goal_is_reached_as_a_search_says(
    goal: list[GoalTerm], kinds: list[str], made: int, draw: Any
) -> None:
    """In a kitchen with some water made in play, most facts true."""
    names = [f"{kind}{kinds[: place + 1].count(kind)}" for place, kind in enumerate(kinds)]
    for rules in (STANDARD, RELEASED):
        start = now = Layout(SHIPPED[rules.name], things(*names))
        for number in range(1, made + 1):
            now = now.extended(Object(f"water{kinds.count('water') + number}", "meal", "water"))
        true = {now.words(atom): bit for atom, bit in now.bits.items() if draw.random() < 0.8}
        found = Goal(goal, {}, start, rules).reached(now, sum(true.values()))
        assert found == reached(goal, start, now, set(true), {}, rules)


@pytest.mark.slow
@some
@given(st.lists(st.sampled_from(("bread", "bun")), min_size=1, max_size=4), st.randoms())
def test_an_id_of_its_own_is_that_of_one_thing(kinds: list[str], draw: Any) -> None:
    names = [f"{kind}{kinds[: place + 1].count(kind)}" for place, kind in enumerate(kinds)]
    named = {"a": names[0]}
    goal = terms(f"iscut {kinds[0]}:a", f"atop {kinds[0]}:a bun:1")
    for rules in (STANDARD, RELEASED):
        layout = Layout(SHIPPED[rules.name], things(*names))
        true = {layout.words(atom): bit for atom, bit in layout.bits.items() if draw.random() < 0.7}
        found = Goal(goal, named, layout, rules).reached(layout, sum(true.values()))
        assert found == reached(goal, layout, layout, set(true), named, rules)


# --- by hand --------------------------------------------------------------------------------------


def holds(goal: Sequence[GoalTerm], names: Sequence[str], true: Sequence[str], rules: Rules) -> bool:
    layout = Layout(SHIPPED[rules.name], things(*names))
    bits = {layout.words(atom): bit for atom, bit in layout.bits.items()}
    return Goal(goal, {}, layout, rules).reached(layout, sum(bits[fact] for fact in true))


def test_equal_ids_are_one_thing_and_different_ids_are_different_things() -> None:
    names = ["bread1", "bread2"]
    for rules in (STANDARD, RELEASED):
        assert holds(terms("iscut bread:1", "iscut bread:1"), names, ["iscut(bread2)"], rules)
        assert not holds(terms("iscut bread:1", "iscut bread:2"), names, ["iscut(bread2)"], rules)
        assert holds(
            terms("iscut bread:1", "iscut bread:2"), names, ["iscut(bread1)", "iscut(bread2)"], rules
        )


def test_things_of_two_kinds_may_be_one_in_the_released_program() -> None:
    """``bun`` is a part of ``topbun``, so that one thing stands for both ids."""
    goal = terms("iscut bun:1", "iscut topbun:2")
    assert holds(goal, ["topbun1"], ["iscut(topbun1)"], RELEASED)
    assert not holds(goal, ["topbun1", "bun1"], ["iscut(topbun1)"], STANDARD)


def test_a_goal_with_more_ids_than_things_is_never_reached() -> None:
    goal = terms("iscut bread:1", "in water:2 pot:3", "in water:4 pot:5")
    for rules in (STANDARD, RELEASED):
        assert not holds(
            goal, ["bread1", "water1", "pot1", "pot2"], ["iscut(bread1)", "in(water1,pot1)"], rules
        )


def test_many_equal_wishes_are_no_burden() -> None:
    """One of ten is open: 9! ways to choose the others would be tried where they are not counted first."""
    names = [f"bread{number}" for number in range(1, 15)]
    goal = terms(*(f"iscut bread:{number}" for number in range(1, 11)))
    cut = [f"iscut({name})" for name in names]
    for rules in (STANDARD, RELEASED):
        assert not holds(goal, names, cut[:9], rules)
        assert holds(goal, names, cut[2:12], rules)


def test_what_must_not_hold() -> None:
    """A lettuce is cooked on the stove and another one is cut: only the right choice is the goal."""
    goal = [*terms("iscut bread:1"), GoalTerm("iscooked", ("bread",), ("1",), is_true=False)]
    names = ["bread1", "bread2"]
    for rules in (STANDARD, RELEASED):
        assert holds(goal, names, ["iscut(bread1)", "iscut(bread2)", "iscooked(bread1)"], rules)
        assert not holds(goal, names, ["iscut(bread1)", "iscooked(bread1)"], rules)


def test_water_of_a_goal_is_made_in_play() -> None:
    """The released goal foresees ``water1`` alone; the pot that is filled second has ``water2``. Its last
    tick is skipped there, as the first is full: three steps to wait or four."""
    goal = [{"predicate": "in", "args": ["water", "bowl"], "ids": [1, 2]}]
    done = []
    for rules in ("standard", "released"):
        world = world_in(["sink pot", "sink pot", "table bowl"], rules=rules, goal=goal)
        state = say(
            world,
            world.start(),
            "robot1 fills pot1 with water at sink1",
            "robot1 goes from sink1 to sink2",
            "robot1 fills pot2 with water at sink2",
            *["Wait"] * 4,
            "robot1 takes pot2 from sink2",
            "robot1 goes from sink2 to table1",
            "robot1 pours what is in pot2 into bowl1",
        )
        assert "in(water2,bowl1)" in facts(world, state)
        done.append(state.ended)
    assert done == ["completed", ""]


def test_the_released_goal_of_the_second_synchronous_task() -> None:
    """It gives a cheese the id of the lettuce. The id belongs to the lettuce, which stands first, so that
    it asks for what its sentence says, and a cheese in the lettuce's place does not do."""
    task = shipped_problem("synchronous/2")
    names = ["bread1", "bread2", "lettuce1", "cheese1", "table1"]
    sandwich = ["item_on(bread1,table1)", "atop(lettuce1,bread1)", "iscut(lettuce1)"]
    for goal in (task.goal, task.goal_released):
        for rules in (STANDARD, RELEASED):
            assert holds(goal, names, [*sandwich, "atop(bread2,lettuce1)"], rules)
            assert not holds(goal, names, [*sandwich, "atop(bread2,cheese1)"], rules)
