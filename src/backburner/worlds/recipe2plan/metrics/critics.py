"""Critics of a whole plan (article, appendix F and Table 16): everything that is wrong with it.

Seven critics look at the plan, each at one kind of constraint, and none stops at the first violation.
They share the scenario's data with the world, and no code: a plan has no violation if and only if the
world, under standard rules and without a cut, accepts ``in_order`` of it as one decision and completes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any, Literal

from msgspec import Struct

from backburner.worlds.recipe2plan.game.scenarios import LATEST, Scenario, Step
from backburner.worlds.recipe2plan.game.state import Piece
from backburner.worlds.recipe2plan.game.text import clock, length

Family = Literal[
    "completeness", "duration", "concurrency", "interruption", "dependency", "time limit", "appliance"
]
"""What is violated; one critic each, in the article's order."""

Flaw = Literal[
    "missing", "unknown recipe", "unknown step",
    "wrong length", "no length", "out of time",
    "cook busy",
    "split",
    "prerequisite missing", "prerequisite unfinished",
    "too late",
    "occupied", "wrong temperature",
]  # fmt: skip
"""What exactly is wrong: the flaws on the first line are about completeness, and so on in the order of
``Family``."""


class Violation(Struct, frozen=True, omit_defaults=True):
    """One thing that is wrong with a plan, about step ``step`` of ``recipe``.

    ``start``: when the action begins that is at fault; ``None`` where the step as a whole is.
    ``other_recipe`` and ``other_step``: the step that is in its way, and ``other_end`` when that one
    ends. ``given`` is how long the plan takes or waits, ``allowed`` what it should take or may wait.
    ``pieces``: into how many the step is cut. ``appliance``: the one concerned, with the temperature
    it has and should have. All times are seconds.
    """

    family: Family
    problem: Flaw
    recipe: str
    step: int
    start: int | None = None
    other_recipe: str | None = None
    other_step: int | None = None
    other_end: int | None = None
    given: int | None = None
    allowed: int | None = None
    pieces: int | None = None
    appliance: str | None = None
    has_fahrenheit: int | None = None
    needs_fahrenheit: int | None = None


class Critique(Struct, frozen=True):
    """What the critics say of a plan.

    ``violations`` come by family, in each by recipe or by time. ``finish``: the second at which the
    last action ends. ``idle``: from when to when the cook has nothing to do before that; told of
    plans without violation only, as only there it can be made use of.
    """

    violations: tuple[Violation, ...]
    finish: int
    idle: tuple[tuple[int, int], ...] = ()


def criticise(scenario: Scenario, plan: Iterable[Piece]) -> Critique:
    """Every violation of a plan, whose pieces may come in any order; see ``Critique``."""
    case = _Case(scenario, in_order(scenario, plan))
    found = (violation for critic in _CRITICS for violation in critic(case))
    violations = tuple(dict.fromkeys(found))  # a piece that stands twice is told of once
    finish = max((piece.stop for piece in case.all), default=0)
    return Critique(violations, finish, () if violations else tuple(_idle(case, finish)))


def in_order(scenario: Scenario, plan: Iterable[Piece]) -> tuple[Piece, ...]:
    """The plan by start. Of actions that start together, those that go on by themselves come first:
    after the others the cook is no longer free. Who needs an oven's temperature precedes who sets it.
    """
    steps = _steps(scenario)

    def order(piece: Piece) -> tuple[Any, ...]:
        step = steps.get(_name(piece))
        keeps_busy = step is None or not step.autonomous
        heats = step is None or step.sets_fahrenheit is not None
        return piece.start, keeps_busy, heats, piece.recipe, piece.step, piece.seconds

    return tuple(sorted(plan, key=order))


# --- the seven critics ----------------------------------------------------------------------------

_Name = tuple[str, int]


class _Case:
    """A plan in order, and by step; ``pieces`` leaves out what is no step of the recipes."""

    def __init__(self, scenario: Scenario, ordered: tuple[Piece, ...]) -> None:
        self.lags = scenario.lags
        self.recipes = {recipe.name for recipe in scenario.recipes}
        self.steps = _steps(scenario)
        self.all = ordered
        self.pieces = tuple(piece for piece in ordered if _name(piece) in self.steps)
        self.of: dict[_Name, list[Piece]] = {name: [] for name in self.steps}
        for piece in self.pieces:
            self.of[_name(piece)].append(piece)

    def step(self, piece: Piece) -> Step:
        return self.steps[_name(piece)]


def _completeness(case: _Case) -> Iterator[Violation]:
    """Each step is in the plan, and nothing else is."""
    for (recipe, step), pieces in case.of.items():
        if not pieces:
            yield Violation("completeness", "missing", recipe, step)
    for piece in case.all:
        if _name(piece) not in case.steps:
            problem: Flaw = "unknown step" if piece.recipe in case.recipes else "unknown recipe"
            yield Violation("completeness", problem, piece.recipe, piece.step, piece.start)


def _duration(case: _Case) -> Iterator[Violation]:
    """The pieces of a step take as long as the step, each some time, between 0 and ``LATEST``."""
    for piece in case.pieces:
        if piece.seconds < 1:
            yield _about(piece, "duration", "no length", given=piece.seconds)
        if not 0 <= piece.start <= LATEST:
            yield _about(piece, "duration", "out of time")
    for (recipe, number), pieces in case.of.items():
        given, allowed = sum(piece.seconds for piece in pieces), case.steps[recipe, number].seconds
        if pieces and given != allowed:
            yield Violation("duration", "wrong length", recipe, number, given=given, allowed=allowed)


def _concurrency(case: _Case) -> Iterator[Violation]:
    """Nothing starts while another action keeps the cook busy; told once for each step that does."""
    busy: dict[_Name, Piece] = {}
    for piece in case.pieces:
        for other in busy.values():
            if other.stop > piece.start:
                yield _between(piece, other, "concurrency", "cook busy")
        if not case.step(piece).autonomous:
            busy[_name(piece)] = max(piece, busy.get(_name(piece), piece), key=lambda one: one.stop)


def _interruption(case: _Case) -> Iterator[Violation]:
    """A step that cannot be split is done in one piece. Done in full twice it is too long instead."""
    for (recipe, number), pieces in case.of.items():
        step = case.steps[recipe, number]
        if len(pieces) > 1 and not step.splittable and any(p.seconds < step.seconds for p in pieces):
            yield Violation("interruption", "split", recipe, number, pieces[0].start, pieces=len(pieces))


def _dependency(case: _Case) -> Iterator[Violation]:
    """Each piece of a step starts when the last pieces of all steps before it are over."""
    for piece in case.pieces:
        for need in case.step(piece).after:
            before = case.of[piece.recipe, need]
            if not before:
                yield _about(
                    piece, "dependency", "prerequisite missing", other_recipe=piece.recipe, other_step=need
                )
            elif before[-1].stop > piece.start:
                yield _between(piece, before[-1], "dependency", "prerequisite unfinished")


def _time_limit(case: _Case) -> Iterator[Violation]:
    """Each piece of a step starts within its maximum lags, which count from the last piece before it."""
    last: dict[_Name, Piece] = {}
    for piece in case.pieces:
        for lag in case.step(piece).lags if case.lags else ():
            earlier = last.get((piece.recipe, lag.after))
            if earlier is not None and piece.start - earlier.stop > lag.seconds:
                given = piece.start - earlier.stop
                yield _between(piece, earlier, "time limit", "too late", given=given, allowed=lag.seconds)
        last[_name(piece)] = piece


def _appliance(case: _Case) -> Iterator[Violation]:
    """An appliance serves one action at a time, at the temperature that was last set before.

    An oven that is at a temperature may be set to the same again while something else occupies it
    for exactly that time: recipes preheat together.
    """
    used: dict[str, dict[Piece, None]] = {}
    heat: dict[str, int] = {}
    for piece in case.pieces:
        step = case.step(piece)
        if step.appliance is None:
            continue
        name, now = step.appliance, heat.get(step.appliance)
        for other in used.setdefault(name, {}):
            same = (other.start, other.stop) == (piece.start, piece.stop)
            together = same and now is not None and now == step.sets_fahrenheit
            if piece.start < other.stop and other.start < piece.stop and not together:
                yield _between(piece, other, "appliance", "occupied", appliance=name)
        if step.needs_fahrenheit is not None and step.needs_fahrenheit != now:
            yield _about(
                piece,
                "appliance",
                "wrong temperature",
                appliance=name,
                has_fahrenheit=now,
                needs_fahrenheit=step.needs_fahrenheit,
            )
        used[name][piece] = None
        if step.sets_fahrenheit is not None:
            heat[name] = step.sets_fahrenheit


_CRITICS: tuple[Callable[[_Case], Iterator[Violation]], ...] = (
    _completeness, _duration, _concurrency, _interruption, _dependency, _time_limit, _appliance,
)  # fmt: skip


def _idle(case: _Case, finish: int) -> Iterator[tuple[int, int]]:
    busy = [(piece.start, piece.stop) for piece in case.pieces if not case.step(piece).autonomous]
    for (_, over), (begun, _) in pairwise([(0, 0), *busy, (finish, finish)]):
        if over < begun:
            yield over, begun


def _steps(scenario: Scenario) -> dict[_Name, Step]:
    return {
        (recipe.name, number): step for recipe in scenario.recipes for number, step in enumerate(recipe.steps)
    }


def _name(piece: Piece) -> _Name:
    return piece.recipe, piece.step


def _about(piece: Piece, family: Family, problem: Flaw, **facts: Any) -> Violation:
    return Violation(family, problem, piece.recipe, piece.step, piece.start, **facts)


def _between(piece: Piece, other: Piece, family: Family, problem: Flaw, **facts: Any) -> Violation:
    end = other.stop
    return _about(
        piece, family, problem, other_recipe=other.recipe, other_step=other.step, other_end=end, **facts
    )


# --- in words -------------------------------------------------------------------------------------


def describe(violation: Violation) -> str:
    """A violation as a sentence."""
    v = violation
    step, other = f"Step {v.step} of {v.recipe}", f"step {v.other_step} of {v.other_recipe}"
    at = f"{step} cannot start at {clock_words(v.start)}"
    match v.problem:
        case "missing":
            return f"{step} is not in the plan."
        case "unknown recipe":
            return f"{v.recipe} (step {v.step}) is none of the recipes."
        case "unknown step":
            return f"{v.recipe} has no step {v.step}."
        case "wrong length":
            return f"{step} takes {_length(v.allowed)}; the plan gives it {_length(v.given)}."
        case "no length":
            return f"{step} at {clock_words(v.start)} has to be done for some time."
        case "out of time":
            return f"{step} cannot start at second {v.start}."
        case "cook busy":
            return f"{at}: {other} keeps the cook busy until {clock_words(v.other_end)}."
        case "split":
            return f"{step} is done in {v.pieces} pieces and cannot be split."
        case "prerequisite missing":
            return f"{at}: it needs step {v.other_step}, which is not in the plan."
        case "prerequisite unfinished":
            return f"{at}: it needs step {v.other_step}, which ends at {clock_words(v.other_end)}."
        case "too late":
            late = f"{_length(v.given)} after the end of step {v.other_step}"
            return f"{step} starts at {clock_words(v.start)}, {late}; the limit is {_length(v.allowed)}."
        case "occupied":
            return f"{at}: {other} occupies the {v.appliance} until {clock_words(v.other_end)}."
        case "wrong temperature":
            has = "is not preheated" if v.has_fahrenheit is None else f"is at {v.has_fahrenheit}"
            return f"{at}: it needs {v.needs_fahrenheit} degrees Fahrenheit; the {v.appliance} {has}."


def clock_words(seconds: int | None) -> str:
    """A second of the clock as HH:MM:SS; one that no clock shows as a number."""
    return clock(seconds) if seconds is not None and seconds >= 0 else f"second {seconds}"


def _length(seconds: int | None) -> str:
    return length(seconds) if seconds is not None and seconds >= 0 else f"{seconds} s"
