"""How true beliefs are (article, appendix D): recall, precision and F1 against the recipes.

The article's three families are sets: steps that run by themselves, dependencies a->b as the recipes
list them, and pairs of an appliance and a step that occupies it. Sets are pooled before anything is
divided. Of a recipe about which nothing is stated, everything is missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

from msgspec import UNSET, Struct

from backburner.kernel.contract import decision_of
from backburner.kernel.episode import Entry
from backburner.kernel.errors import UnknownName
from backburner.kernel.scoring import Measured, Measures, Section, by_agent
from backburner.kernel.values import Step
from backburner.worlds.recipe2plan.game.beliefs import Beliefs, gold, read_belief_file
from backburner.worlds.recipe2plan.game.compiled import COOK
from backburner.worlds.recipe2plan.game.scenarios import Recipe, shipped_recipes
from backburner.worlds.recipe2plan.game.state import State
from backburner.worlds.recipe2plan.game.world import Recipe2Plan

FAMILIES = ("action concurrency", "action dependency", "resource limitations")
"""In the words and the order of the article's Table 9."""

MOMENTS = ("before play", "at the end")
"""When an episode's beliefs are looked at."""


class Belief(Struct, frozen=True):
    """A row of Table 9: what a model finds out from the recipes alone."""

    belief: str
    agent: str
    recall: float
    precision: float
    f1: float
    source: str


class Match(Struct, frozen=True):
    """How many things are ``true``, how many were ``stated``, and how many of those are ``right``."""

    right: int = 0
    stated: int = 0
    true: int = 0

    def __add__(self, other: Match) -> Match:
        return Match(self.right + other.right, self.stated + other.stated, self.true + other.true)

    @property
    def recall(self) -> float | None:
        """100 · right / true; ``None`` if nothing is true."""
        return 100 * self.right / self.true if self.true else None

    @property
    def precision(self) -> float | None:
        """100 · right / stated; ``None`` if nothing was stated."""
        return 100 * self.right / self.stated if self.stated else None

    @property
    def f1(self) -> float | None:
        """100 · 2 right / (stated + true), the harmonic mean of both where both are there and not 0.

        0 if nothing is right, also where one of the two is undefined; ``None`` where both are.
        """
        both = self.stated + self.true
        return 200 * self.right / both if both else None


def compare(stated: Iterable[Beliefs], recipes: Iterable[Recipe]) -> dict[str, Match]:
    """The match of each family, pooled over the recipes.

    A later statement about a recipe replaces an earlier one. Raises ``UnknownName`` for a statement
    about none of the recipes.
    """
    true = {recipe.name: gold(recipe) for recipe in recipes}
    held = {name: Beliefs(name) for name in true}
    for beliefs in stated:
        if beliefs.recipe not in true:
            raise UnknownName("recipe", beliefs.recipe, true)
        held[beliefs.recipe] = beliefs
    pairs = [zip(_sets(held[name]), _sets(true[name]), strict=True) for name in true]
    matches = [[Match(len(h & t), len(h), len(t)) for h, t in pair] for pair in pairs]
    return {
        family: reduce(add, (each[place] for each in matches), Match())
        for place, family in enumerate(FAMILIES)
    }


def _sets(beliefs: Beliefs) -> tuple[frozenset[Any], frozenset[Any], frozenset[Any]]:
    return frozenset(beliefs.autonomous), frozenset(beliefs.depends), frozenset(beliefs.uses)


def score_files(paths: Iterable[Path | str]) -> dict[str, Match]:
    """The match of the beliefs in files (see ``read_belief_file``) with the published recipes that they are
    about; no episode is needed. Raises ``BadFile``, and ``UnknownName`` for another recipe."""
    stated = [beliefs for path in paths for beliefs in read_belief_file(path)]
    known = shipped_recipes()
    for beliefs in stated:
        if beliefs.recipe not in known:
            raise UnknownName("recipe", beliefs.recipe, known)
    return compare(stated, [known[name] for name in dict.fromkeys(one.recipe for one in stated)])


# --- episodes ----------------------------------------------------------------------------------------


def measures(world: Recipe2Plan, turns: Sequence[tuple[State, Entry, Step[State]]]) -> Measures:
    """The counts behind the figures of one episode, by moment; none where no beliefs are asked for.

    Before play: what was held when the first action was tried, statements of that decision included.
    """
    start = world.start()
    if start.beliefs is UNSET:
        return {}
    last = turns[-1][2].state if turns else start
    first = next((step.state for _, entry, step in turns if _acts(world, entry)), last)
    return {
        _key(moment, family, count): float(getattr(match, count))
        for moment, state in zip(MOMENTS, (first, last), strict=True)
        for family, match in compare(state.beliefs or (), world.scenario.recipes).items()
        for count in Match.__struct_fields__
    }


def _acts(world: Recipe2Plan, entry: Entry) -> bool:
    answer = entry.answers.get(COOK)
    return answer is not None and bool(getattr(decision_of(world, answer.decision), "actions", ()))


def _key(moment: str, family: str, count: str) -> str:
    return f"{moment}: {family}: {count}"


def sections(rows: Sequence[Measured], published: Sequence[Belief]) -> list[Section]:
    """The article's Table 9 for the episodes in which beliefs were asked for; nothing if there are none."""
    asked = [row for row in rows if _key(MOMENTS[0], FAMILIES[0], "true") in row[1]]
    if not asked:
        return []
    table = [line for family in FAMILIES for line in _lines(family, asked, published)]
    return [
        Section(
            "What was believed of the recipes",
            "Recall, precision and F1 in per cent, pooled over the recipes of all episodes in which beliefs "
            "were asked for, with the article's Table 9 (its models were asked before play). Precision is "
            "not defined where nothing was stated; F1 is 0 then.",
            ("belief", "agent", "when", "episodes", "recall", "precision", "F1"),
            tuple(table),
        )
    ]


def _lines(family: str, rows: Sequence[Measured], published: Sequence[Belief]) -> Iterator[tuple[Any, ...]]:
    for agent, mine in by_agent(rows):
        for moment in MOMENTS:
            match = Match(*(_total(mine, _key(moment, family, count)) for count in Match.__struct_fields__))
            figures = (match.recall, match.precision, match.f1)
            shown = (None if figure is None else round(figure, 2) for figure in figures)
            yield family, agent, moment, len(mine), *shown
    for row in published:
        if row.belief == family:
            yield family, row.agent, row.source, None, row.recall, row.precision, row.f1


def _total(rows: Sequence[Measured], key: str) -> int:
    return round(sum(measures[key] for _, measures in rows))
