"""A power calculation as tables."""

from __future__ import annotations

from msgspec import Struct

from backburner.kernel.scoring import Estimate, Section
from backburner.study.analysis.power import (
    Effect,
    Power,
    effect_found,
    people_needed,
    power_by_f,
    power_by_simulation,
)

SMALLEST = (0.1, 0.25, 0.4)
"""Cohen's small, medium and large f."""

ABOUT = (
    "By F: noncentral F, exact for normal values whose correlations are all alike. Simulated: the share"
    " of {runs} studies with the test that `study analyse` makes ({test}), with its exact 95 % "
    "interval."
)
NEEDED = "People that find an effect of this size with a chance of {power:g} on the level of {level:g}."
FOUND = "f found: the smallest effect (Cohen's f) that so many find with a chance of {power:g}."
PRINTED = (
    " The printed test gives f = {f:.2f} [{low:.2f}, {high:.2f}]; what is printed was often chosen for "
    "being large, so plan with the lower end."
)


MOST_STEPS = 40
"""Numbers of people that are simulated to find the one that suffices."""


class Plan(Struct, frozen=True):
    """What is asked: these numbers of people, by default those around the number that is needed."""

    people: tuple[int, ...]
    power: float
    level: float
    runs: int
    seed: int


class Calculation(Struct, frozen=True):
    """The answer: how many are needed (``None``: too many to count), by noncentral F and in simulated
    studies, what so many find, and how many other sizes need. ``printed``: f of the test that was printed."""

    effect: Effect
    plan: Plan
    needed: int | None
    needed_simulated: int | None
    powers: tuple[Power, ...]
    found: dict[int, float | None]
    other: dict[str, int | None]
    printed: Estimate | None = None


def power_of(effect: Effect, plan: Plan, printed: Estimate | None = None) -> Calculation:
    """Everything that is asked of an effect."""
    needed = people_needed(effect, plan.power, plan.level)
    people = plan.people or _around(needed, effect)
    sizes = {f"{f:g}": f for f in (*SMALLEST, *(() if printed is None else _ends(printed)))}
    other = {
        name: people_needed(_sized(effect, f), plan.power, plan.level)
        for name, f in sizes.items()
        if abs(f - effect.f) > 0.005
    }
    return Calculation(
        effect,
        plan,
        needed,
        _needed_simulated(effect, plan, needed),
        tuple(_power(effect, plan, number) for number in people),
        {number: effect_found(effect, number, plan.power, plan.level) for number in people},
        other,
        printed,
    )


def _sized(effect: Effect, f: float) -> Effect:
    return Effect(effect.design, effect.conditions, f, effect.correlation, effect.epsilon)


def _ends(printed: Estimate) -> tuple[float, ...]:
    ends = (printed.low, printed.value)
    return tuple(round(end, 2) for end in ends if end is not None and end >= 0.01)


def _around(needed: int | None, effect: Effect) -> tuple[int, ...]:
    """Half, three quarters, all and one and a half of the needed number, in whole groups."""
    if needed is None:
        return ()
    step = effect.conditions if effect.design == "between" else 1
    numbers = {max(2, round(share * needed / step)) * step for share in (0.5, 0.75, 1, 1.5)}
    return tuple(sorted(numbers | {needed}))


def _power(effect: Effect, plan: Plan, people: int) -> Power:
    simulated = Estimate(None)
    if plan.runs:
        simulated = power_by_simulation(effect, people, plan.runs, plan.seed, plan.level)
    return Power(people, power_by_f(effect, people, plan.level), simulated)


def power_sections(found: Calculation) -> list[Section]:
    """The tables: what so many people find, and how many other sizes need."""
    effect, plan = found.effect, found.plan
    within = effect.design == "within"
    how = f", correlation {effect.correlation:g}, epsilon {effect.epsilon:g}" if within else ""
    title = f"f = {effect.f:.3g}, {effect.conditions} conditions {effect.design} subjects{how}"
    test = (
        "repeated measures corrected by Greenhouse and Geisser" if within else "one-way analysis of variance"
    )
    text = f"{ABOUT.format(runs=plan.runs, test=test)} {FOUND.format(power=plan.power)}"
    if found.printed is not None and found.printed.low is not None and found.printed.high is not None:
        text += PRINTED.format(f=found.printed.value, low=found.printed.low, high=found.printed.high)
    rows = tuple(
        (each.people, _percent(each.power), _simulated(each.simulated), _size(found.found[each.people]))
        for each in found.powers
    )
    columns = ("participants", "by F", "simulated", "f found")
    sections = [Section(title, text, columns, rows)] if rows else []
    sizes = {f"{effect.f:.3g} (asked)": found.needed}
    if found.needed_simulated is not None:
        sizes[f"{effect.f:.3g} (asked), simulated"] = found.needed_simulated
    needed = tuple((name, _number(number)) for name, number in (sizes | found.other).items())
    words = NEEDED.format(power=plan.power, level=plan.level)
    return [*sections, Section("Participants needed", words, ("effect f", "participants"), needed)]


def _needed_simulated(effect: Effect, plan: Plan, needed: int | None) -> int | None:
    """The first number of people from the needed one on whose simulated studies have the power."""
    if needed is None or not plan.runs or effect.epsilon < 1:
        return None
    step = effect.conditions if effect.design == "between" else 1
    people = needed
    for _ in range(MOST_STEPS):
        share = _power(effect, plan, people).simulated.value
        if share is not None and share >= plan.power:
            return people
        people += step * max(1, round(people / step / 20))
    return None


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _simulated(share: Estimate) -> str:
    if share.value is None or share.low is None or share.high is None:
        return "–"
    return f"{100 * share.value:.1f} % [{100 * share.low:.1f}, {100 * share.high:.1f}]"


def _size(f: float | None) -> str:
    return "–" if f is None else f"{f:.3f}"


def _number(people: int | None) -> str:
    return "more than 20000" if people is None else str(people)
