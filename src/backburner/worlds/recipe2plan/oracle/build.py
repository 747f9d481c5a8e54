"""New Recipe2Plan scenarios out of a pool of recipes, chosen as the article chose its 65 (section 3.3).

A set of recipes is kept if it gives much to gain without maximum lags (an efficiency above 80 %) and
if the lags cost some of it. The article measures both on its heuristic's plans, here they are measured
on proven optimal ones unless asked otherwise: what the heuristic loses it may lose by its own fault.
What is not proven within the time given is left out and said so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from backburner.kernel import __version__
from backburner.kernel.building import Builder, Built, Progress, begun, write_index
from backburner.kernel.errors import Refused, UnknownName, shorten
from backburner.kernel.files import write_whole
from backburner.kernel.oracle import Request
from backburner.kernel.pack import Argument
from backburner.kernel.values import digest
from backburner.worlds.recipe2plan.game import Recipe, Recipe2Plan, Scenario, catalogue
from backburner.worlds.recipe2plan.game.scenario_files import read_pool, scenario_file
from backburner.worlds.recipe2plan.game.scenarios import shipped_instances, shipped_recipes
from backburner.worlds.recipe2plan.metrics.plans import complete_efficiency
from backburner.worlds.recipe2plan.oracle.solver import ORACLE, heuristic_plan

WAYS = ("optimal", "heuristic")
"""Plans on which efficiency is measured: proven optimal ones, or those of the article's Algorithm 1."""

Verdict = Literal["kept", "too little to gain", "no drop", "no plan", "not proven"]
"""What became of a set: ``kept``, or the first thing it fails on. ``no plan``: it is proven that none
keeps the lags, or the heuristic finds none."""

FOLDERS = WITH, WITHOUT = "constrained", "unconstrained"
"""The folders of the scenarios with and without maximum lags, named like the published suites."""


class Rule(Struct, frozen=True):
    """How sets are chosen: ``size`` recipes, efficiencies ``by`` which plans (see ``WAYS``), above what.

    ``seed``: sets are looked at in an order that it draws, else in the order of their names.

    ``min_efficiency`` is that without lags, ``min_drop`` how much lower it is with them; both as shares
    of 1, and both must be exceeded. ``time_limit_seconds`` holds for each plan of the solver.
    """

    size: int = 2
    by: str = WAYS[0]
    min_efficiency: float = 0.8
    min_drop: float = 0.0
    time_limit_seconds: float = 60.0
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.by not in WAYS:
            raise UnknownName("way to measure efficiency", self.by, WAYS)


class Judged(Struct, frozen=True):
    """A set of recipes, by name, with its verdict and the figures behind it, as far as they were needed.

    The seconds are those of the plans without and with maximum lags, the efficiencies those of
    ``plans.complete_efficiency``.
    """

    recipes: tuple[str, ...]
    verdict: Verdict
    seconds: int | None = None
    efficiency: float | None = None
    seconds_with_lags: int | None = None
    efficiency_with_lags: float | None = None

    @property
    def name(self) -> str:
        """As in a scenario's id."""
        return "+".join(self.recipes)


class Index(Struct, frozen=True):
    """What a build has come to: which recipes there are in the ``pool``, and what was ``judged`` of the
    ``sets`` that can be formed of them, in order of their names.

    ``recipes_digest`` is that of the pool's recipes. ``counts``: how often each verdict was given.
    ``complete``: every set was looked at; it is false if the build was stopped, or had kept as many as
    were asked for.
    """

    made_by: str
    rule: Rule
    pool: tuple[str, ...]
    recipes_digest: str
    sets: int
    complete: bool
    counts: dict[str, int]
    judged: tuple[Judged, ...]

    @property
    def settings(self) -> Mapping[str, Any]:
        """See ``building.Index``."""
        pool = {"pool": ", ".join(self.pool), "digest of the recipes": self.recipes_digest}
        return {"program": self.made_by, **pool, **asdict(self.rule)}

    def with_judged(self, judged: Iterable[Judged]) -> Index:
        """This build with these verdicts in place of its own."""
        found = tuple(sorted(judged, key=lambda one: sorted(one.recipes)))
        counts = dict(Counter[str](one.verdict for one in found))
        return replace(self, judged=found, counts=counts, complete=len(found) == self.sets)


def build(
    pool: Sequence[Recipe],
    out: Path,
    rule: Rule | None = None,
    *,
    most: int | None = None,
    progress: Callable[[Judged], None] = lambda judged: None,
) -> Index:
    """Write a scenario file with and one without lags for each set that is kept, and an index.

    ``out`` gets the folders ``constrained`` and ``unconstrained``, each fit to be named as a suite, and
    ``index.json``. A build that was begun there with the same recipes and rule is gone on with. Every
    file appears whole or not at all; when it is stopped, so does an index of what was looked at until
    then. ``most``: no further sets are looked at when so many are kept. ``progress`` hears of each.
    Raises ``Refused`` if the pool is too small or ``out`` is otherwise in use.
    """
    rule = rule or Rule()
    if not 1 <= rule.size <= len(pool):
        names = shorten(", ".join(sorted(recipe.name for recipe in pool)))
        raise Refused(f"sets of {rule.size} cannot be formed of so few recipes ({len(pool)}: {names})")
    index = begun(out, _new_index(pool, rule))
    here = (one for one in index.judged if one.verdict != "kept" or _files_are_there(out, one))
    judged = {one.recipes: one for one in here}
    write_index(out, index.with_judged(judged.values()))
    try:
        for recipes in _in_order(pool, rule):
            if most is not None and sum(one.verdict == "kept" for one in judged.values()) >= most:
                break
            which = tuple(recipe.name for recipe in recipes)
            if which not in judged:
                judged[which] = judge_set(recipes, rule)
                if judged[which].verdict == "kept":
                    _write(out, recipes, judged[which])
                    write_index(out, index.with_judged(judged.values()))
            progress(judged[which])
    finally:
        index = index.with_judged(judged.values())
        write_index(out, index)
    return index


def _in_order(pool: Sequence[Recipe], rule: Rule) -> Iterable[tuple[Recipe, ...]]:
    if rule.seed is None:
        return sets_of(pool, rule.size)
    every = list(sets_of(pool, rule.size))
    return Random(rule.seed).sample(every, len(every))


def sets_of(pool: Sequence[Recipe], size: int) -> Iterator[tuple[Recipe, ...]]:
    """Every set of so many recipes once, in order of their names; a published pair in its own order."""
    published = {frozenset(names): names for names in shipped_instances()}
    for found in combinations(sorted(pool, key=lambda recipe: recipe.name), size):
        by_name = {recipe.name: recipe for recipe in found}
        yield tuple(by_name[name] for name in published.get(frozenset(by_name), tuple(by_name)))


def judge_set(recipes: Sequence[Recipe], rule: Rule) -> Judged:
    """Whether a set is kept; the lags are looked at only if there is enough to gain without them."""
    names = tuple(recipe.name for recipe in recipes)
    seconds = _seconds(recipes, False, rule)
    if isinstance(seconds, str):
        return Judged(names, seconds)
    free = complete_efficiency(recipes, seconds)
    if free is None or free <= rule.min_efficiency:
        return Judged(names, "too little to gain", seconds, free)
    with_lags = _seconds(recipes, True, rule)
    if isinstance(with_lags, str):
        return Judged(names, with_lags, seconds, free)
    tied = complete_efficiency(recipes, with_lags) or 0.0
    verdict: Verdict = "kept" if free - tied > rule.min_drop else "no drop"
    return Judged(names, verdict, seconds, free, with_lags, tied)


def _seconds(recipes: Sequence[Recipe], lags: bool, rule: Rule) -> int | Verdict:
    """How long the plan takes by which the rule judges, or why there is none."""
    scenario = Scenario(tuple(recipes), lags)
    world: Recipe2Plan = catalogue.build("recipe2plan/set", scenario, "standard", "none")
    if rule.by == "heuristic":
        return heuristic_plan(world).seconds or "no plan"
    solution = ORACLE.solve(world, Request(time_limit_seconds=rule.time_limit_seconds))
    if solution.status == "infeasible":
        return "no plan"
    return solution.objective if solution.status == "optimal" and solution.objective else "not proven"


def _write(out: Path, recipes: Sequence[Recipe], judged: Judged) -> None:
    """Their ids differ, so that records of both can stand in one folder."""
    for folder, id, lags in ((WITH, judged.name, True), (WITHOUT, f"{judged.name}.{WITHOUT}", False)):
        write_whole(out / folder / f"{judged.name}.json", scenario_file(id, recipes, lags))


def _files_are_there(out: Path, judged: Judged) -> bool:
    return all((out / folder / f"{judged.name}.json").exists() for folder in FOLDERS)


def _new_index(pool: Sequence[Recipe], rule: Rule) -> Index:
    ordered = sorted(pool, key=lambda recipe: recipe.name)
    names, sets = tuple(recipe.name for recipe in ordered), comb(len(pool), rule.size)
    return Index(f"backburner {__version__}", rule, names, digest(ordered), sets, False, {}, ())


def _build(out: Path, options: Mapping[str, Any], progress: Progress) -> Built:
    """``build`` with the options of ``BUILDER``."""
    rule = Rule(
        options["size"],
        options["by"],
        options["min-efficiency"],
        options["min-drop"],
        options["time-limit"],
        options.get("seed"),
    )
    pool = read_pool(options["from"]) if "from" in options else list(shipped_recipes().values())
    total = comb(len(pool), rule.size)
    index = build(pool, out, rule, most=options.get("max"), progress=lambda judged: progress(total))
    kept = [judged for judged in index.judged if judged.verdict == "kept"]
    counts = "".join(f", {number} {verdict}" for verdict, number in index.counts.items())
    files = f"scenario files: {' and '.join(str(out / name) for name in FOLDERS)}"
    return Built(
        index=index,
        columns=("recipes", "minutes", "with constraints", "efficiency %", "with constraints"),
        rows=[_row(judged) for judged in kept],
        lines=[f"{len(index.judged)} of {index.sets} sets looked at{counts}", *([files] if kept else [])],
        remarks=[
            f"left out: {judged.name}: {judged.verdict} {_setting(judged)} constraints"
            for judged in index.judged
            if judged.verdict in ("not proven", "no plan")
        ],
    )


def _setting(judged: Judged) -> str:
    return "without" if judged.seconds is None else "with"


def _row(judged: Judged) -> tuple[object, ...]:
    minutes = (_times(judged.seconds, 1 / 60), _times(judged.seconds_with_lags, 1 / 60))
    return (judged.name, *minutes, _times(judged.efficiency, 100), _times(judged.efficiency_with_lags, 100))


def _times(figure: float | None, factor: float) -> float | None:
    return None if figure is None else factor * figure


BUILDER = Builder(
    help="""Choose new sets of recipes by the article's rule, and write a scenario file for each.

    Two folders appear in --out, to be named like suites: constrained and unconstrained.
    """,
    things="sets",
    arguments=(
        Argument(name="from", kind="path", help="Folder with recipes; by default the published 24."),
        Argument(name="size", kind="whole number", least=1, default=2, help="Recipes in a scenario."),
        Argument(name="by", default=WAYS[0], help=f"Plans to measure efficiency on: {' or '.join(WAYS)}."),
        Argument(
            name="min-efficiency",
            kind="number",
            default=0.8,
            help="Efficiency without time constraints, to be exceeded.",
        ),
        Argument(
            name="min-drop",
            kind="number",
            default=0.0,
            help="How much of it the constraints cost, to be exceeded.",
        ),
        Argument(name="max", kind="whole number", least=1, help="Stop when so many scenarios are kept."),
        Argument(name="time-limit", kind="number", least=0.001, default=60.0, help="Seconds for each plan."),
        Argument(
            name="seed",
            kind="whole number",
            least=0,
            help="Look at the sets in an order drawn by it; by default in order of their names.",
        ),
    ),
    build=_build,
)
