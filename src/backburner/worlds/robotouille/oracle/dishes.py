"""Problems composed of the shipped domain's foods: sandwiches, burgers and soups, drawn by a few knobs.

What has to be fried is cut before that, and a soup takes water, which is let into a pot and boiled: so work
is by hand or goes on alone, in chains of up to five.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, pairwise
from math import ceil, sqrt
from random import Random

from msgspec import Struct

from backburner.worlds.robotouille.game.schema import (
    Container,
    GoalTerm,
    Item,
    Player,
    ProblemFile,
    Station,
)


class Food(Struct, frozen=True):
    """An item as it is at first and as it is wanted; ``word``: what is done to it, as it is told."""

    kind: str
    fit_for: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    word: str = ""
    works_at: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """Such as ``cut lettuce``."""
        return f"{self.word} {self.kind}".strip()


CUT = tuple(
    Food(kind, fit_for, ("iscut",), "cut", ("board",))
    for kind, fit_for in (
        ("lettuce", ("iscuttable",)),
        ("tomato", ("iscuttable",)),
        ("onion", ("iscuttable", "isfryableifcut")),
    )
)
COOKED = tuple(
    Food(kind, ("iscookable",), ("iscooked",), "cooked", ("stove",)) for kind in ("patty", "chicken")
)
FRIED = tuple(
    Food(kind, ("iscuttable", "isfryableifcut"), ("iscut", "isfried"), "cut and fried", ("board", "fryer"))
    for kind in ("onion", "potato")
)
PLAIN = (Food("cheese"),)
WHOLE = tuple(Food(kind, ("iscuttable", "isfryableifcut"), (), "whole") for kind in ("onion", "potato"))
FRAMES = {"sandwich": ("bread", "bread"), "burger": ("bottombun", "topbun")}
SOUP_STATIONS = ("sink", "stove")
TIMES = ("cook_time", "fry_time", "boil_time", "fill_time")
LEAST_SIDE = 4


class Knobs(Struct, frozen=True):
    """What a problem is drawn by.

    ``fillings``: of each dish. ``worked``: the share of them that takes work, and of these ``alone``: the
    share of which some goes on by itself. ``ordered``: whether stacks have an order. ``stacked``: the share
    of items that lie on another one at first. ``units``: stations of each kind that work is done at.
    ``times``: steps of what goes on alone; ``cuts``: how often something is cut.
    """

    stacks: int
    soups: int
    fillings: int
    worked: float
    alone: float
    ordered: bool
    stacked: float
    units: int
    times: int
    cuts: int


class Dishes:
    """The dishes of one problem while they are drawn: items, terms of the goal, and how they are told."""

    def __init__(self, knobs: Knobs, random: Random) -> None:
        self.knobs, self.random = knobs, random
        self.foods: list[Food] = []
        self.terms: list[GoalTerm] = []
        self.told: list[str] = []
        self._ids = count(1)
        for _ in range(knobs.stacks):
            self._stack()
        for _ in range(knobs.soups):
            self._soup()

    def _term(self, predicate: str, *things: tuple[str, int], is_true: bool = True) -> None:
        kinds, ids = zip(*things, strict=True)
        self.terms.append(GoalTerm(predicate, kinds, ids, is_true))

    def _stack(self) -> None:
        name = self.random.choice(list(FRAMES))
        low, high = FRAMES[name]
        fillings = [self._filling() for _ in range(self.knobs.fillings)]
        foods = [Food(low), *fillings, Food(high)]
        things, table = [(food.kind, next(self._ids)) for food in foods], ("table", next(self._ids))
        self._term("item_on", things[0], table)
        for food, thing in zip(foods, things, strict=True):
            self._prepared(food, thing)
        for below, above in pairwise(things):
            if self.knobs.ordered:
                self._term("atop", above, below)
            else:
                self._term("item_at", above, table)
        if not self.knobs.ordered:
            self._term("clear", things[-1])
        between = _listed([food.told for food in fillings])
        how = ", in this order from below," if self.knobs.ordered and len(fillings) > 1 else ""
        self.told.append(f"a {name} with {between}{how} between {low} and {high}")
        self.foods += foods

    def _soup(self) -> None:
        water, bowl = ("water", next(self._ids)), ("bowl", next(self._ids))
        table = ("table", next(self._ids))
        self._term("in", water, bowl)
        self._term("isboiling", water)
        self._term("container_at", bowl, table)
        foods = [self._vegetable() for _ in range(self.knobs.fillings)]
        for food in foods:
            thing = (food.kind, next(self._ids))
            self._term("addedto", thing, water)
            self._prepared(food, thing)
        self.told.append(f"a soup of {_listed([food.told for food in foods])} in a bowl")
        self.foods += foods

    def _prepared(self, food: Food, thing: tuple[str, int]) -> None:
        for predicate in food.wanted:
            self._term(predicate, thing)
        if food.word == "whole":
            self._term("iscut", thing, is_true=False)

    def _filling(self) -> Food:
        if self.random.random() >= self.knobs.worked:
            return self.random.choice(PLAIN)
        alone = self.random.random() < self.knobs.alone
        return self.random.choice((*COOKED, *FRIED) if alone else CUT)

    def _vegetable(self) -> Food:
        return self.random.choice(CUT if self.random.random() < self.knobs.worked else WHOLE)

    def stations(self) -> list[str]:
        """The kinds of stations that work is done at."""
        kinds = [kind for food in self.foods for kind in food.works_at]
        return [*dict.fromkeys([*kinds, *(SOUP_STATIONS if self.knobs.soups else ())])]

    def items(self) -> Iterator[Item]:
        """The items in piles; those of a pile have one cell."""
        heights: list[int] = []
        for food in self.random.sample(self.foods, len(self.foods)):
            pile = len(heights)
            if heights and self.random.random() < self.knobs.stacked:
                pile = self.random.randrange(len(heights))
            else:
                heights.append(0)
            yield Item(food.kind, pile, 0, heights[pile], predicates=food.fit_for)
            heights[pile] += 1


def composed(knobs: Knobs, spare: int, robots: int, random: Random) -> ProblemFile:
    """A problem without a layout; its grid has room for so many ``spare`` stations and ``robots``."""
    dishes = Dishes(knobs, random)
    items = tuple(dishes.items())
    vessels = ("pot", "bowl") * knobs.soups
    n_piles = len({item.x for item in items}) + len(vessels)
    # With two free tables any pile can be put in any order, by whoever holds one thing at a time.
    tables = max(n_piles + 2, robots + 1, knobs.units + 1)
    kinds = ["table"] * tables + [kind for kind in dishes.stations() for _ in range(knobs.units)]
    side = max(LEAST_SIDE, ceil(sqrt(2 * (len(kinds) + spare + robots))))
    own = ", each on a table of its own" if len(dishes.told) > 1 else " on a table"
    told = _listed(dishes.told)
    return ProblemFile(
        width=side,
        height=side,
        stations=tuple(Station(kind, 0, 0) for kind in kinds),
        players=(Player("robot", 0, 0),) * robots,
        goal=tuple(dishes.terms),
        goal_description=f"{told[0].upper()}{told[1:]}{own}.",
        config={"num_cuts": {"default": knobs.cuts}, **{table: {"default": knobs.times} for table in TIMES}},
        items=items,
        containers=tuple(Container(kind, index, 1) for index, kind in enumerate(vessels)),
    )


def _listed(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
