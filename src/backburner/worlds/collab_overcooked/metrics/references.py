"""What histories are compared with: printed numbers, reference trajectories, the calls that count.

No result of a model is printed in the text of the article that we have: they stand in figures, or on pages
that are not there. ``PublishedTables.missing`` says which.

The released reference trajectories (RATs, section A.2.4) are not exhaustive: plans exist that are as short,
or shorter, and stand in none of them. The sets ``minimal`` and ``near`` were made by search; no plan of
their kind is missing, under either rule set.

Which calls count, of what cooks have done, of what is asked of them, and of what they answer, has two
readings, by name. ``article``: the calls that its Listing 1 gives to a cook, with any arguments. Whoever asks
for what the partner cannot reach asks wrongly, and a wrong request is redundant (section 3). ``released``:
two lists that the released program writes out. What is asked of a cook, or answered by it, is dropped where
its own list lacks it, so that a wrong request costs nothing; deeds count if either cook's list has them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Literal, get_args

from msgspec import Struct

from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.files import shipped
from backburner.worlds.collab_overcooked.game.calls import COUNTER, DISH_DISPENSER, INGREDIENT_DISPENSER
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import DISH, PACKAGE, SHIPPED
from backburner.worlds.collab_overcooked.game.scenarios import Scenario, orders


class Level(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of Table 3 (collaborative behaviours and the actions they take), and the released optimum.

    ``optimal_last_index`` is the 0-based index of the delivering step; the steps are one more.
    """

    level: int
    new_ingredients: int
    assistant_processing: int
    new_dish: int
    chef_processing: int
    collaborative_actions: int
    optimal_last_index: int
    note: str = ""


class Listing4(Struct, frozen=True, forbid_unknown_fields=True):
    """What the article's worked example gives."""

    tes: float
    rouge_l: float


class Probing(Struct, frozen=True, forbid_unknown_fields=True):
    """The sizes of the article's Experiment A (section C.3.1)."""

    models: int
    collaborative_actions: int
    scenarios_of_each: int
    times: int


class Missing(Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers of the article that are not in our copy of it."""

    where: str
    what: str


class PublishedTables(Struct, frozen=True, forbid_unknown_fields=True):
    """``data/published.json``. ``time_limit_factor`` is the article's gamma."""

    source: str
    levels: tuple[Level, ...]
    time_limit_factor: float
    listing4: Listing4
    probing: Probing
    missing: tuple[Missing, ...]

    def level(self, number: int) -> Level | None:
        """The line of a level; ``None`` if it is not published."""
        return next((level for level in self.levels if level.level == number), None)


def published_tables() -> PublishedTables:
    """The article's tables as numbers."""
    return shipped(PACKAGE, "published", PublishedTables)


CHEF, ASSISTANT = 0, 1
"""The cooks' numbers: the chef knows the recipe (article: Bob), the assistant (Alice) does not."""

Calls = tuple[str, ...]
"""Calls in the order in which they are carried out, as words without spaces: ``cook(pot0)``."""


class Reference(Struct, frozen=True, forbid_unknown_fields=True):
    """What both cooks do, each in this order, to fill one order.

    ``steps``: the timesteps it takes when carried out greedily under released rules.
    """

    name: str
    steps: int
    chef: Calls
    assistant: Calls

    def of(self, cook: int) -> Calls:
        """The calls of cook 0 (chef) or 1 (assistant)."""
        return (self.chef, self.assistant)[cook]


class OrderReferences(Struct, frozen=True, forbid_unknown_fields=True):
    """An order, its published level (1 to 6) and its references."""

    order: str
    level: int
    references: tuple[Reference, ...]


class _ReferenceFile(Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    orders: tuple[OrderReferences, ...]


@cache
def shipped_references() -> dict[str, OrderReferences]:
    """The 30 published orders by name, by level and then by name."""
    return {entry.order: entry for entry in shipped(PACKAGE, "references", _ReferenceFile).orders}


def references_of(order: str) -> tuple[Reference, ...]:
    """The released references of a published order. Raises ``UnknownName`` for another order."""
    known = shipped_references()
    if order not in known:
        raise UnknownName("order", order, known, "the released references")
    return known[order].references


def calls_of(references: Sequence[Reference], cook: int) -> tuple[Calls, ...]:
    """One cook's part of each reference, in their order."""
    return tuple(reference.of(cook) for reference in references)


class OrderTrajectories(Struct, frozen=True, forbid_unknown_fields=True):
    """The minimal trajectories of an order: each cook's calls in short plans, waits left out.

    ``shortest``: of all plans of the fewest steps in which nothing is fetched in vain. ``near``: of all
    such plans that take at most two steps more. ``in_vain``: of all shortest plans, where one is shorter
    because something is fetched in vain (a dish put in a cook's way). A trajectory that contains another
    one of its set is left out. ``complete``: none is missing because there were too many. ``steps`` of a
    reference: the fewest in which it can be done.
    """

    order: str
    level: int
    complete: bool
    shortest: tuple[Reference, ...]
    near: tuple[Reference, ...]
    in_vain: tuple[Reference, ...] = ()

    @property
    def all(self) -> tuple[Reference, ...]:
        """The three sets as one, each trajectory once."""
        every = (*self.in_vain, *self.near, *self.shortest)
        distinct = {(reference.chef, reference.assistant): reference for reference in every}
        return tuple(sorted(distinct.values(), key=lambda reference: (reference.steps, reference.name)))


class TrajectoryFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The data file: what made it, and the orders level by level."""

    source: str
    orders: tuple[OrderTrajectories, ...]


@cache
def shipped_trajectories() -> dict[str, OrderTrajectories]:
    """The published orders by name."""
    return {entry.order: entry for entry in shipped(PACKAGE, "trajectories", TrajectoryFile).orders}


def trajectories_of(order: str) -> OrderTrajectories:
    """The trajectories of a published order. Raises ``UnknownName`` for another order."""
    known = shipped_trajectories()
    if order not in known:
        raise UnknownName("order", order, known, "the searched trajectories")
    return known[order]


ReferenceSet = Literal["released", "minimal", "near"]
"""``released``: the article's. ``minimal``: of all plans of the fewest steps. ``near``: of all plans that
take at most two steps more."""

REFERENCE_SETS: tuple[ReferenceSet, ...] = get_args(ReferenceSet)


def references_for(scenario: Scenario, name: str = "released") -> tuple[Reference, ...]:
    """The references of what is ordered in a scenario.

    Raises ``UnknownName`` for an unknown set, and ``Refused`` for other kitchens, several orders, and orders
    that are not published.
    """
    if name not in REFERENCE_SETS:
        raise UnknownName("set of references", name, REFERENCE_SETS, "collab_overcooked")
    if not isinstance(scenario.layout, str) or scenario.layout != SHIPPED:
        raise Refused(f"the {name} references are for the article's kitchen; this is another")
    if len(scenario.orders) != 1 or scenario.order_weights:
        raise Refused(f"the {name} references are for one order alone; here there may be several")
    (order,) = scenario.orders
    if order not in orders():
        raise Refused(f"the {name} references have none for {order}")
    if name == "released":
        return references_of(order)
    searched = trajectories_of(order)
    return searched.all if name == "near" else (*searched.in_vain, *searched.shortest)


# --- the calls that count -------------------------------------------------------------------------------


Space = frozenset[str]
"""Calls as words without spaces."""

Spaces = tuple[Space, Space]
"""Those of chef and assistant."""

NO_CALL = "[NONE]"
"""What the released program writes for a cook that has done nothing; its lists have it as a call."""


class KitchenWords(Struct, frozen=True):
    """The words of a kitchen's calls: all foods, raw and made; each utensil's kind; the verb of each kind."""

    foods: tuple[str, ...]
    kind_of: Mapping[str, str]
    verb_of: Mapping[str, str]

    def of_kinds(self, kinds: Collection[str]) -> tuple[str, ...]:
        """The utensils of these kinds."""
        return tuple(utensil for utensil, kind in self.kind_of.items() if kind in kinds)


def words_of(compiled: Compiled) -> KitchenWords:
    """The words of a layout."""
    return KitchenWords(
        tuple(sorted(compiled.cookbook.products)),
        {utensil.name: utensil.kind for utensil in compiled.grid.utensils},
        {name: kind.verb for name, kind in compiled.layout.utensils.items()},
    )


def kinds_of(compiled: Compiled, cook: int) -> frozenset[str]:
    """The kinds of utensils of which a cook can get to at least one."""
    reach = compiled.grid.reach[cook]
    return frozenset(utensil.kind for utensil in compiled.grid.utensils if utensil.cell in reach)


Reading = Literal["article", "released"]


def call_spaces(compiled: Compiled, reading: Reading = "article") -> Spaces:
    """The calls that count for chef and assistant. Their own utensils are those that they can get to."""
    words, kinds = words_of(compiled), (kinds_of(compiled, CHEF), kinds_of(compiled, ASSISTANT))
    if reading == "released":
        return released_spaces(words, *kinds)
    servings, reach = compiled.grid.servings, compiled.grid.reach
    chef, assistant = (
        call_space(words, kinds[cook], not reach[cook].isdisjoint(servings)) for cook in (CHEF, ASSISTANT)
    )
    return chef, assistant


def call_space(words: KitchenWords, own_kinds: Collection[str], serves: bool) -> Space:
    """The calls of a cook to whom utensils of these kinds belong, as in the article's Listing 1.

    It may take anything from anywhere and put things into any utensil. It operates its own utensils and fills
    dishes at them (which Listing 1 gives to the chef alone, whose food is done in them); one that ``serves``
    delivers.
    """
    return frozenset(_calls(words, own_kinds, serves))


def _calls(words: KitchenWords, own_kinds: Collection[str], serves: bool) -> Iterator[str]:
    for place in (COUNTER, INGREDIENT_DISPENSER, DISH_DISPENSER, *words.kind_of):
        yield from (f"pickup({item},{place})" for item in (*words.foods, DISH))
    yield "place_obj_on_counter()"
    yield from (f"put_obj_in_utensil({utensil})" for utensil in words.kind_of)
    for utensil in words.of_kinds(own_kinds):
        yield f"{words.verb_of[words.kind_of[utensil]]}({utensil})"
        yield f"fill_dish_with_food({utensil})"
    if serves:
        yield "deliver_soup()"


def released_spaces(
    words: KitchenWords, chefs_kinds: Collection[str], assistants_kinds: Collection[str]
) -> Spaces:
    """The two lists of the released program, whatever the layout: the chef delivers and fills, also without
    naming a utensil; the assistant alone has the dispensers, each for every food."""
    chef = {
        "check_recipe()",
        "deliver_soup()",
        "fill_dish_with_food()",
        *(f"fill_dish_with_food({utensil})" for utensil in words.kind_of),
        *_at_own(words, words.of_kinds(chefs_kinds), ()),
    }
    assistant = {
        f"pickup({DISH},{DISH_DISPENSER})",
        *_at_own(words, words.of_kinds(assistants_kinds), (INGREDIENT_DISPENSER, DISH_DISPENSER)),
    }
    return frozenset(chef), frozenset(assistant)


def _at_own(words: KitchenWords, utensils: Iterable[str], dispensers: Iterable[str]) -> Iterator[str]:
    """What either cook does with the utensils and dispensers that are its own."""
    yield from (NO_CALL, "place_obj_on_counter()", f"pickup({DISH},{COUNTER})")
    for utensil in utensils:
        yield f"{words.verb_of[words.kind_of[utensil]]}({utensil})"
        yield f"put_obj_in_utensil({utensil})"
    for place in (COUNTER, *dispensers, *utensils):
        yield from (f"pickup({food},{place})" for food in words.foods)


def word(call: str) -> str:
    """A call without spaces, by its one name: the article's ``deliver()`` is ``deliver_soup()``."""
    text = "".join(call.split())
    return "deliver_soup()" if text == "deliver()" else text


def counted(calls: Iterable[str], space: Space) -> tuple[str, ...]:
    """The calls that count, as words, in their order."""
    return tuple(text for call in calls if (text := word(call)) in space)


def counted_as_released(calls: Iterable[str], space: Space) -> tuple[str, ...]:
    """The calls that count for the released program, which drops blanks and knows each by one name."""
    return tuple(text for call in calls if (text := call.replace(" ", "")) in space)
