"""Multitasking efficiency (article, section 4.2, equations 1 and 2), as stated and as released.

``T_save`` is how much shorter the cooking was than its actions one after the other, ``T_auto`` the
time of the complete steps that run by themselves; efficiency is their ratio. Relative efficiency
divides it by that of a beginning of the published heuristic's plan.
"""

from __future__ import annotations

from collections.abc import Sequence

from backburner.worlds.recipe2plan.game.cookbook import Cookbook
from backburner.worlds.recipe2plan.game.scenarios import Recipe, ReferenceAction, Scenario
from backburner.worlds.recipe2plan.game.state import Kitchen

MOST_RELATIVE = 5
"""The release takes no reference below a fifth: relative is at most five times absolute."""


def autonomous_seconds(cookbook: Cookbook, kitchen: Kitchen) -> int:
    """T_auto: the full durations of the complete steps that run by themselves."""
    pairs = zip(cookbook.jobs, kitchen.left, strict=True)
    return sum(job.step.seconds for job, left in pairs if job.step.autonomous and not left)


def efficiency(cookbook: Cookbook, kitchen: Kitchen) -> float | None:
    """T_save / T_auto of what was cooked; ``None`` before a step that runs by itself is complete."""
    auto = autonomous_seconds(cookbook, kitchen)
    return max(0, kitchen.worked - kitchen.finish) / auto if auto else None


def complete_efficiency(recipes: Sequence[Recipe], seconds: int) -> float | None:
    """The same of any plan that completes these recipes in so many seconds.

    Whatever the plan, its actions take as long together as all steps, and all that runs by itself is
    complete. So several optimal plans have one efficiency, and a longer plan has a lower one. ``None``
    if nothing runs by itself.
    """
    steps = [step for recipe in recipes for step in recipe.steps]
    auto = sum(step.seconds for step in steps if step.autonomous)
    return max(0, sum(step.seconds for step in steps) - seconds) / auto if auto else None


def reference_efficiency(scenario: Scenario, n_actions: int) -> float | None:
    """The same of the first ``n_actions`` of the stored plan; it may be below 0, as released.

    ``None`` without a plan, or while nothing in it runs by itself.
    """
    begun = (scenario.reference or ())[:n_actions]
    auto = sum(action.seconds for action in begun if _autonomous(scenario, action))
    return (sum(action.seconds for action in begun) - _last_end(begun)) / auto if auto else None


def released_relative(own: float | None, reference: float | None) -> float:
    """Relative efficiency as released: 0 where it is undefined, and bounded (``MOST_RELATIVE``)."""
    if own is None or not reference:
        return 0.0
    return min(own / reference, MOST_RELATIVE * own)


def article_relative(own: float | None, reference: float | None) -> float | None:
    """Relative efficiency as the article states it; ``None`` where it is undefined."""
    return own / reference if own is not None and reference is not None and reference > 0 else None


def _autonomous(scenario: Scenario, action: ReferenceAction) -> bool:
    return scenario.recipes[action.recipe].steps[action.step].autonomous


def _last_end(actions: Sequence[ReferenceAction]) -> int:
    return max((action.start + action.seconds for action in actions), default=0)
