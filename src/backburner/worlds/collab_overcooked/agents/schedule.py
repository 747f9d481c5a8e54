"""A shortest joint plan with its times: shipped or searched for, without calls that are made in vain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.errors import Refused, ReplayMismatch
from backburner.worlds.collab_overcooked.agents.task_allocation import ONE_WAIT, Plan
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.catalogue import known_optimum
from backburner.worlds.collab_overcooked.game.reading import reply_of
from backburner.worlds.collab_overcooked.game.rule_set import NO_LIMITS
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.oracle.solver import plans_by_cook, solve_cooks

MOST_LEFT_OUT = 4
"""How many calls in a row are tried to be left out together."""


class Begun(Struct, frozen=True):
    """A call that is begun after so many steps. Waits are of one step each.

    ``broken``: it cannot be gone on with before it is done; it only leads somewhere.
    """

    steps: int
    call: str
    broken: bool = False

    @property
    def waits(self) -> bool:
        """Whether nothing is done."""
        return self.call == ONE_WAIT


Schedule = tuple[Begun, ...]
"""What one cook does, each call begun when the one before is over."""

Schedules = tuple[Schedule, Schedule]
"""The chef's and the assistant's."""


def best_schedules(world: CollabOvercooked, *, time_limit_seconds: float = 60.0) -> Schedules:
    """What each cook does in the shortest plan that is known, or else in one that is searched for.

    Raises ``Refused`` where none is found in the time, and where orders are drawn for ever.
    """
    known = known_optimum(world.id, world.rules.name)
    if known is not None:
        steps, plans = known.steps, (known.chef, known.assistant)
    else:
        free = CollabOvercooked(world.id, world.scenario, world.rules, NO_LIMITS)
        solution = solve_cooks(free, time_limit_seconds=time_limit_seconds)
        if solution.objective is None:
            raise Refused(f"{world.id}: no plan ({solution.status}) in {time_limit_seconds:g} s")
        steps, plans = int(solution.objective), plans_by_cook(free, solution.plan, "calls")
    schedules = timed(world, plans, steps)
    if schedules is None:
        raise ReplayMismatch(f"{world.id}: the plan does not meet the orders in {steps} steps")
    return _without_vain(world, schedules, steps)


def timed(
    world: CollabOvercooked, plans: tuple[Sequence[str], Sequence[str]], most_steps: int
) -> Schedules | None:
    """When each call is begun if every call is a plan of its own; a cook whose plan is over waits.

    ``None`` if a call is refused when it is planned, or the orders are not met after ``most_steps``.
    """
    free = CollabOvercooked(world.id, world.scenario, world.rules, NO_LIMITS)
    left = tuple(iter(plan) for plan in plans)
    schedules: tuple[list[Begun], list[Begun]] = ([], [])
    state = free.start()
    while seats := free.deciders(state):
        schedule = schedules[state.asked]
        if state.ask == "correct":
            schedule[-1] = replace(schedule[-1], broken=True)
        text = next(left[state.asked], ONE_WAIT)
        schedule.extend(_in_single_steps(free, state.kitchen.steps, text))
        step = free.step(state, {seats[0]: reply_of(text)})
        if step.refusals or step.state.kitchen.steps > most_steps:
            return None
        state = step.state
    return (tuple(schedules[0]), tuple(schedules[1])) if state.ended == "completed" else None


def _in_single_steps(world: CollabOvercooked, steps: int, text: str) -> Iterator[Begun]:
    call = world.compiled.reader.read(text)
    if isinstance(call, calls.Call) and call.verb == calls.WAIT:
        yield from (Begun(steps + passed, ONE_WAIT) for passed in range(call.steps))
    else:
        yield Begun(steps, text)


def joined(schedule: Iterable[Begun], longest: int) -> Plan:
    """The calls as a plan; waits in a row are joined up to the longest that is allowed."""
    plan: list[str] = []
    waiting = 0
    for begun in schedule:
        waiting = waiting + 1 if begun.waits else 0
        if 1 < waiting <= longest:
            plan[-1] = calls.wait(waiting).text
        else:
            waiting = min(waiting, 1)
            plan.append(begun.call)
    return tuple(plan)


def _without_vain(world: CollabOvercooked, schedules: Schedules, steps: int) -> Schedules:
    """The schedules without calls that can be left out: the cook waits meanwhile."""
    for cook in (0, 1):
        shorter: Schedules | None = schedules
        while shorter is not None:
            schedules = shorter
            shorter = _shorter(world, schedules, cook, steps)
    return schedules


def _shorter(world: CollabOvercooked, schedules: Schedules, cook: int, steps: int) -> Schedules | None:
    own, partner = schedules[cook], tuple(begun.call for begun in schedules[1 - cook])
    for plan in _with_calls_left_out(own, steps):
        shorter = timed(world, (plan, partner) if cook == 0 else (partner, plan), steps)
        if shorter is not None:
            return shorter
    return None


def _with_calls_left_out(schedule: Schedule, steps: int) -> Iterator[Plan]:
    """The plans without some calls in a row, the last calls first.

    From where the cook then stands the way to the next call may be longer, so shorter waits are tried as
    well.
    """
    texts = tuple(begun.call for begun in schedule)
    ends = (*(begun.steps for begun in schedule[1:]), steps)
    for last in range(len(schedule) - 1, -1, -1):
        for number in range(1, MOST_LEFT_OUT + 1):
            first = last - number + 1
            if first < 0 or schedule[first].waits or schedule[last].waits:
                continue
            freed = ends[last] - schedule[first].steps
            for waits in range(freed, max(freed - 3, -1), -1):
                yield (*texts[:first], *(ONE_WAIT,) * waits, *texts[last + 1 :])
