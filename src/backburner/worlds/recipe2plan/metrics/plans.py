"""How good plans are: multitasking efficiency, time above the proven optimum; rounds of plans and critique.

Efficiency (article, section 4.2, equations 1 and 2) is here as stated and as released.

``T_save`` is how much shorter the cooking was than its actions one after the other, ``T_auto`` the
time of the complete steps that run by themselves; efficiency is their ratio. Relative efficiency
divides it by that of a beginning of the published heuristic's plan.

Of rounds (article, appendix F and Table 7) is told what they found, and what came of it. Policies leave each
round's plan among their thoughts (``rounds_of``); the critics are asked again here, so that nothing rests on
the policy's word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, get_args

from msgspec import Struct

from backburner.kernel import registry
from backburner.kernel.charts import Bar, Bars, Figure, Group
from backburner.kernel.episode import Episode
from backburner.kernel.policy import CRITIQUE, PLAN, REFORMATTED
from backburner.kernel.scoring import Measured, Section, rounded_mean
from backburner.kernel.values import Refusal, Thought
from backburner.worlds.recipe2plan.game.catalogue import catalogue
from backburner.worlds.recipe2plan.game.compiled import Compiled
from backburner.worlds.recipe2plan.game.rule_set import NO_LIMITS
from backburner.worlds.recipe2plan.game.scenarios import Recipe, Scenario
from backburner.worlds.recipe2plan.game.state import Cook, Kitchen
from backburner.worlds.recipe2plan.game.transition import Rulebook
from backburner.worlds.recipe2plan.game.world import Recipe2Plan
from backburner.worlds.recipe2plan.metrics.analysis import cells
from backburner.worlds.recipe2plan.metrics.assessment import Critics
from backburner.worlds.recipe2plan.metrics.critics import Critique, Family

EDGES = (1, 2, 3, 4, 5, 10, 15, 20, 30, 60)
"""Minutes: an action belongs to the first of them that it does not exceed."""


def figure_6() -> tuple[Sequence[Section], Sequence[Figure]]:
    """The shipped durations, which GPT-4o annotated, over the actions of each recipe once."""
    scenarios = map(registry.scenario, registry.expand("recipe2plan/constrained"))
    recipes = dict.fromkeys(recipe for scenario in scenarios for recipe in scenario.recipes)
    minutes = [step.seconds / 60 for recipe in recipes for step in recipe.steps]
    rows = []
    for low, high in zip((0, *EDGES), (*EDGES, float("inf")), strict=True):
        number = sum(low < each <= high for each in minutes)
        rows.append((_named(low, high), number, round(100 * number / len(minutes), 1)))
    shares = tuple(Group(name, (Bar("actions", share),)) for name, _, share in rows)
    text = f"{len(minutes)} actions of {len(recipes)} recipes by their duration."
    return (
        (Section("Durations of actions", text, ("minutes", "actions", "%"), tuple(rows)),),
        (Figure("figure-6", "Durations of actions", text, (Bars("Durations", "% of actions", shares),)),),
    )


def _named(low: float, high: float) -> str:
    if high == float("inf"):
        return f"over {low:g}"
    return f"{high:g}" if high - low <= 1 else f"{low + 1:g} to {high:g}"


MOST_RELATIVE = 5
"""The release takes no reference below a fifth: relative is at most five times absolute."""


def efficiency(compiled: Compiled, kitchen: Kitchen) -> float | None:
    """T_save / T_auto of what was cooked; ``None`` before a step that runs by itself is complete."""
    auto = compiled.autonomous_seconds(kitchen.left)
    return max(0, kitchen.worked - kitchen.finish) / auto if auto else None


def complete_efficiency(recipes: Sequence[Recipe], seconds: int) -> float | None:
    """Efficiency of any plan that completes these recipes in so many seconds.

    Whatever the plan, its actions take as long together as all steps, and all that runs by itself is
    complete. So several optimal plans have one efficiency, and a longer plan has a lower one. ``None``
    if nothing runs by itself.
    """
    steps = [step for recipe in recipes for step in recipe.steps]
    auto = sum(step.seconds for step in steps if step.autonomous)
    return max(0, sum(step.seconds for step in steps) - seconds) / auto if auto else None


def reference_efficiency(scenario: Scenario, n_actions: int) -> float | None:
    """Efficiency of the first ``n_actions`` of the stored plan; it may be below 0, as released.

    ``None`` without a plan, or while nothing in it runs by itself.
    """
    begun = (scenario.reference or ())[:n_actions]
    auto = sum(each.seconds for each in begun if scenario.recipes[each.recipe].steps[each.step].autonomous)
    last_end = max((action.start + action.seconds for action in begun), default=0)
    return (sum(action.seconds for action in begun) - last_end) / auto if auto else None


def released_relative(own: float | None, reference: float | None) -> float:
    """Relative efficiency as released: 0 where it is undefined, and bounded (``MOST_RELATIVE``)."""
    if own is None or not reference:
        return 0.0
    return min(own / reference, MOST_RELATIVE * own)


def article_relative(own: float | None, reference: float | None) -> float | None:
    """Relative efficiency as the article states it; ``None`` where it is undefined."""
    return own / reference if own is not None and reference is not None and reference > 0 else None


# --- time above the proven optimum -----------------------------------------------------------------------

STORED = "stored plans (the article's heuristic)"

Plan = tuple[float, float]
"""How long it takes, and the least that is possible."""


def gap(plan: Plan) -> float:
    """100 (T / T* - 1): time above the proven optimum, in per cent."""
    seconds, optimum = plan
    return 100 * (seconds / optimum - 1)


def gap_sections(rows: Sequence[Measured]) -> list[Section]:
    """One table over all plans whose optimum is proven; none where there is no such plan."""
    table = [*_stored_rows(rows), *_agent_rows(rows)]
    if not table:
        return []
    section = Section(
        "Time above the proven optimum",
        "100 · (T / T* − 1) of the completed episodes whose optimum T* is proven, and how many of them take "
        "no longer than it. The stored plans are those of the article's heuristic, of the same scenarios.",
        ("agent", "setting", "plans", "mean %", "most %", "optimal"),
        tuple(table),
    )
    return [section]


def _stored_rows(rows: Sequence[Measured]) -> Iterator[tuple[Any, ...]]:
    """One for each setting, over the scenarios that were played, each counted once."""
    plans: dict[str, dict[Any, Plan]] = {}
    for episode, measures in rows:
        scenario = episode.header.scenario
        if "optimum" in measures and scenario.get("reference"):
            setting = "lags on" if scenario.get("lags", True) else "lags off"
            plan = (stored_seconds(scenario), measures["optimum"])
            plans.setdefault(setting, {})[scenario.get("instance")] = plan
    for setting, found in plans.items():
        yield (STORED, setting, *_figures(list(found.values())))


def stored_seconds(scenario: Mapping[str, Any]) -> int:
    """When the last action of the stored plan ends; the scenario as a record's header has it."""
    ends: list[int] = [action["start"] + action["seconds"] for action in scenario["reference"]]
    return max(ends)


def _agent_rows(rows: Sequence[Measured]) -> Iterator[tuple[Any, ...]]:
    for agent, setting, mine in cells(rows):
        plans = [(row["seconds"], row["optimum"]) for _, row in mine if row["success"] and "optimum" in row]
        if plans:
            yield (agent, setting, *_figures(plans))


def _figures(plans: Sequence[Plan]) -> tuple[int, float, float, int]:
    """(number, mean, most, how many are optimal)."""
    gaps = [gap(plan) for plan in plans]
    mean = round(sum(gaps) / len(gaps), 1)
    return len(plans), mean, round(max(gaps), 1), sum(seconds == optimum for seconds, optimum in plans)


# --- rounds of plans and critique ------------------------------------------------------------------------

FAMILIES: tuple[str, ...] = get_args(Family)

FIX, OPTIMIZE, MAKE = "fix failed plans", "optimize feasible plans", "make plans"
"""What there was to start from: the tasks of Table 7, and nothing."""

SHOWN = (1, 2, 3, 5, 10)
"""Rounds after which the share of episodes with a feasible plan is shown."""


class Modulo(Struct, frozen=True, omit_defaults=True):
    """A row of Table 7: plans that pass after ten rounds of critics."""

    task: str
    agent: str
    passed: int
    cases: int
    relative_efficiency: float
    source: str
    change: float | None = None


class Case(NamedTuple):
    """The rounds of one episode: the critique of each, ``None`` where no plan could be read.

    Round 0 is there if there was a plan to start from; ``start_relative`` is the relative efficiency of
    that one in per cent, where it is defined.
    """

    critiques: Mapping[int, Critique | None]
    start_relative: float | None

    @property
    def task(self) -> str:
        """What there was to do, in the words of Table 7."""
        if 0 not in self.critiques:
            return MAKE
        return OPTIMIZE if _feasible(self.critiques[0]) else FIX

    @property
    def first_feasible(self) -> int | None:
        """The first round with a feasible plan."""
        return next((number for number, said in sorted(self.critiques.items()) if _feasible(said)), None)


def _feasible(said: Critique | None) -> bool:
    return said is not None and not said.violations


def case_of(episode: Episode) -> Case | None:
    """The rounds of an episode; ``None`` if there were none."""
    said = (answer.thoughts for entry in episode.entries for answer in entry.answers.values())
    plans = rounds_of([thought for thoughts in said for thought in thoughts])
    if not plans:
        return None
    world = catalogue.of(episode.header)
    critics = Critics(world.scenario, world.reader)
    critiques = {number: critics.criticise(text) for number, text in plans.items()}
    told = {number: said if isinstance(said, Critique) else None for number, said in critiques.items()}
    return Case(told, _relative(world, critics.as_decision(plans[0])) if 0 in plans else None)


def rounds_of(thoughts: Sequence[Thought]) -> dict[int, str]:
    """The plan of each round as it was criticised; empty without such thoughts."""
    said = {thought.purpose: thought.text for thought in thoughts}
    numbers = [purpose.removeprefix(f"{PLAN} ") for purpose in said if purpose.startswith(f"{PLAN} ")]
    criticised = [number for number in numbers if number.isdecimal() and f"{CRITIQUE} {number}" in said]
    return {
        int(number): said.get(f"{REFORMATTED} {number}", said[f"{PLAN} {number}"]) for number in criticised
    }


def _relative(world: Recipe2Plan, plan: Cook | Refusal) -> float | None:
    """The relative efficiency of a plan, as released, of what the world accepts of it."""
    if world.scenario.instance is None or not isinstance(plan, Cook):
        return None
    book = Rulebook(world.compiled, world.rules, NO_LIMITS)
    kitchen = book.step(book.start(), plan).state.kitchen
    reference = reference_efficiency(world.scenario, kitchen.actions)
    return 100 * released_relative(efficiency(world.compiled, kitchen), reference)


# --- tables ---------------------------------------------------------------------------------------------


class _Cell(NamedTuple):
    agent: str
    setting: str
    task: str
    cases: list[tuple[Case, Mapping[str, float]]]


def round_sections(rows: Sequence[Measured], published: Sequence[Modulo]) -> list[Section]:
    """Table 7, how fast plans got feasible, what the critics found; none where there were no rounds."""
    found = list(_cells(rows))
    return [_results(found, published), _speed(found), _families(found)] if found else []


def _cells(rows: Sequence[Measured]) -> Iterator[_Cell]:
    for agent, setting, mine in cells(rows):
        told = [(case, measures) for episode, measures in mine if (case := case_of(episode)) is not None]
        for task in (FIX, OPTIMIZE, MAKE):
            same = [(case, measures) for case, measures in told if case.task == task]
            if same:
                yield _Cell(agent, setting, task, same)


def _results(found: Sequence[_Cell], published: Sequence[Modulo]) -> Section:
    table = [(cell.task, cell.agent, cell.setting, len(cell.cases), *_passed(cell)) for cell in found]
    tasks = {cell.task for cell in found}
    table += [
        (row.task, row.agent, row.source, row.cases, row.passed, row.relative_efficiency, row.change)
        for row in published
        if row.task in tasks
    ]
    return Section(
        "Plans mended and improved with critics",
        "Cases that pass: everything is complete when the plan that was kept is carried out. Their mean "
        "relative efficiency in per cent, and by how much it differs from that of the plans to start from, "
        "with the article's Table 7 (ten rounds, and the last plan is kept).",
        ("task", "agent", "setting", "cases", "passed", "R-Efficiency", "change"),
        tuple(table),
    )


def _passed(cell: _Cell) -> tuple[int, float | None, float | None]:
    """(number, mean relative efficiency, its mean change) of the cases that pass."""
    passed = [(case, measures) for case, measures in cell.cases if measures["success"]]
    after = [100 * measures["relative"] for _, measures in passed if "relative" in measures]
    changes = [
        100 * measures["relative"] - case.start_relative
        for case, measures in passed
        if "relative" in measures and case.task == OPTIMIZE and case.start_relative is not None
    ]
    return len(passed), rounded_mean(after), rounded_mean(changes)


def _speed(found: Sequence[_Cell]) -> Section:
    table = []
    for cell in found:
        numbers = [max(case.critiques) for case, _ in cell.cases]
        first = [case.first_feasible for case, _ in cell.cases]
        shares = (sum(one is not None and one <= n for one in first) / len(first) for n in SHOWN)
        shown = (round(100 * share, 1) for share in shares)
        table.append((cell.agent, cell.setting, cell.task, len(first), rounded_mean(numbers), *shown))
    return Section(
        "Feasible plans by round",
        "Rounds for each episode, and the share of episodes with a feasible plan after so many rounds, in "
        "per cent. A plan to start from takes no round, and counts if it is feasible.",
        ("agent", "setting", "task", "cases", "rounds", *(f"after {n}" for n in SHOWN)),
        tuple(table),
    )


def _families(found: Sequence[_Cell]) -> Section:
    table = []
    for cell in found:
        for which, pick in (("first", min), ("last", max)):
            looked_at = [case.critiques[pick(case.critiques)] for case, _ in cell.cases]
            said = [critique for critique in looked_at if critique is not None]
            families: Counter[str] = Counter(one.family for critique in said for one in critique.violations)
            means = (round(families[family] / len(said), 2) if said else None for family in FAMILIES)
            table.append((cell.agent, cell.setting, cell.task, which, len(said), *means))
    return Section(
        "What the critics found",
        "Violations in each plan by family, on average: in the first plan of an episode that critics saw and "
        "in the last. Plans that could not be read are left out.",
        ("agent", "setting", "task", "plan", "plans", *FAMILIES),
        tuple(table),
    )
