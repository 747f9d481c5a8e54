"""Plans of small TimeArena tasks: the solver's, and the same with one thing spoilt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from backburner.kernel.schedule import problem_of
from backburner.scheduling.makespan import solve_problem
from backburner.scheduling.preemption import without_preemption
from backburner.worlds.timearena.game import Act, TimeArena, Wait
from support.scheduling.verdicts import by_model, by_world
from support.timearena.small_tasks import VERBS, Doing, random_doings, small_world


class TaskPlan(NamedTuple):
    """A plan for one or two tasks. Its verdicts are the minute in which it ends, or ``None``.

    ``besides``: something else, to be done in place of the last wait, or when all is done.
    """

    tasks: tuple[list[Doing], ...]
    kit: str
    starts: Mapping[str, int]
    besides: Act | None = None

    @property
    def world(self) -> TimeArena:
        """Compiled anew."""
        return small_world(*self.tasks, kit=self.kit)

    def by_model(self) -> int | None:
        """What the model says of the plan; it knows of nothing else to be done."""
        last = by_model(without_preemption(problem_of(self.world)), self.starts)
        return last if self.besides is None else None

    def by_world(self) -> int | None:
        """What the world says of it."""
        world = self.world
        return by_world(world, lambda: self._decisions(world))

    def joined_by_world(self) -> int | None:
        """The same: nothing is in pieces."""
        return self.by_world()

    def _decisions(self, world: TimeArena) -> Sequence[Act | Wait]:
        decisions = list(world.plan(self.starts))
        if self.besides is not None:
            waits = [place for place, decision in enumerate(decisions) if isinstance(decision, Wait)]
            last = waits[-1] if waits else len(decisions)
            decisions[last : last + 1] = [self.besides]
        return decisions


POTS = ("cook in", "cook in", "cook in", "chop")


def task_plans(random: Random) -> list[TaskPlan]:
    """A plan, and three in which one thing is not as in that one; none may exist."""
    verbs = random.choice([VERBS, POTS])
    tasks = tuple(random_doings(random, verbs=verbs) for _ in range(random.choice([1, 2, 2])))
    plan = TaskPlan(tasks, random.choice(["own", "one"]), {})
    starts = solve_problem(problem_of(plan.world)).starts
    if starts is None:
        return []
    plan = plan._replace(starts=starts)
    return [plan, *(_spoilt(random, plan) for _ in range(3))]


WAYS = (
    *["sooner or later", "all from here on"] * 3,
    *["besides"] * 2, "swapped", "together", "left out", "of no task",
)  # fmt: skip


def _spoilt(random: Random, plan: TaskPlan) -> TaskPlan:
    """The plan with one thing changed, which may well be as good."""
    starts, names = plan.starts, sorted(plan.starts)
    here, there = random.choice(names), random.choice(names)
    by = random.choice([-2, -1, -1, 1, 1, 2])
    match random.choice(WAYS):
        case "sooner or later":
            return plan._replace(starts={**starts, here: starts[here] + by})
        case "all from here on":
            later = {name: start + by for name, start in starts.items() if start >= starts[here]}
            return plan._replace(starts={**starts, **later})
        case "swapped":
            return plan._replace(starts={**starts, here: starts[there], there: starts[here]})
        case "together":
            return plan._replace(starts={**starts, here: starts[there]})
        case "left out":
            return plan._replace(starts={name: starts[name] for name in names if name != here})
        case "of no task":
            return plan._replace(starts={**starts, f"{here} again": starts[there]})
        case _:
            acts = [required.acts[0] for required in plan.world.rulebook.compiled.required]
            one, other = random.choice(acts), random.choice(acts)
            return plan._replace(besides=random.choice([one, replace(one, first=other.first)]))


# --- what chance hardly ever comes upon -----------------------------------------------------------


def rare_plans() -> list[TaskPlan]:
    """Four dishes for two pots, in which each cooks for 4 minutes: all at once, and two at a time."""
    tasks = ([Doing("cook in", thing, "pot", 4) for thing in ("rice", "beef")],) * 2
    plan = TaskPlan(tasks, "own", {})
    names = [activity.name for activity in problem_of(plan.world).activities]
    minutes = ((0, 1, 2, 3), (0, 1, 4, 5))
    return [plan._replace(starts=dict(zip(names, starts, strict=True))) for starts in minutes]
