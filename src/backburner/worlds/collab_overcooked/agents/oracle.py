"""A pair of cooks that plays a shortest joint plan, with the talk it takes if only one has the recipes.

That cook asks for what the other has to do, batch by batch: a batch of calls is asked for when everything
that was asked for before is done. Talk takes no time, so the plan takes as many steps as without it.

The plan is the shipped one, or searched for, with its times and without calls that are made in vain.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.errors import Refused, ReplayMismatch
from backburner.kernel.policy import PlainPolicy, Reply, Turn, once_per_world
from backburner.worlds.collab_overcooked.agents.cooks import (
    GreedyCooks,
    agreeing,
    asking,
    inquiring,
    leader_of,
    ordering,
    quiet,
)
from backburner.worlds.collab_overcooked.agents.task_allocation import Plan
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import ONE_WAIT
from backburner.worlds.collab_overcooked.game.catalogue import known_optimum
from backburner.worlds.collab_overcooked.game.reading import reply_of
from backburner.worlds.collab_overcooked.game.rule_set import NO_LIMITS, Rules, longest_wait
from backburner.worlds.collab_overcooked.game.state import Observation
from backburner.worlds.collab_overcooked.game.state import Reply as Decision
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.oracle.solver import joined_waits, plans_by_cook, solve_cooks

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


def joined(schedule: Iterable[Begun], rules: Rules) -> Plan:
    """The calls as a plan; waits in a row are joined up to the longest that is allowed."""
    return joined_waits((begun.call for begun in schedule), longest_wait(rules))


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


class Given(Struct, frozen=True):
    """How many lines of its script a cook has given."""

    plans: int = 0
    answers: int = 0


class Astray(Struct, frozen=True):
    """Play is no longer as scripted. ``memory``: that of the greedy cook that goes on."""

    memory: Any = None


class OracleCooks(PlainPolicy):
    """Plays either cook's script of a shortest plan.

    As soon as play is not as scripted, because the partner does something else, it goes on as the greedy
    cooks do. Raises ``Refused`` where there is no plan.
    """

    name = "oracle"
    informed = True

    def __init__(self, world: CollabOvercooked) -> None:
        leader = world.seats.index(leader_of(world))
        both = scripts(best_schedules(world), leader, world.rules)
        self._scripts = dict(zip(world.seats, both, strict=True))
        self._greedy = GreedyCooks(world)

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The next line of the script."""
        if not isinstance(memory, Astray):
            scripted = self._scripted(turn.seat, turn.observation, memory or Given())
            if scripted is not None:
                return Reply(*scripted)
            memory = Astray()
        reply = await self._greedy.decide(turn, memory.memory)
        return Reply(reply.answer, Astray(reply.memory))

    def _scripted(self, seat: str, seen: Observation, given: Given) -> tuple[Decision, Given] | None:
        """The answer and what is given by then; ``None`` if the script has no line for this."""
        script = self._scripts[seat]
        match seen.ask:
            case "continue" if given.plans:
                return quiet(*script.plans[given.plans - 1].plan), given
            case "plan" | "correct":
                lines, number, after = script.plans, given.plans, Given(given.plans + 1, given.answers)
            case "answer":
                lines, number, after = script.answers, given.answers, Given(given.plans, given.answers + 1)
            case _:
                return None
        if number >= len(lines) or lines[number].steps != seen.steps:
            return None
        return lines[number].answer, after


oracle_cooks = once_per_world(OracleCooks)
"""``OracleCooks`` of a world; its plan is searched for once."""


def shipped_cooks(world: CollabOvercooked) -> OracleCooks | None:
    """``OracleCooks`` where a plan ships with the scenario."""
    return None if known_optimum(world.id, world.rules.name) is None else oracle_cooks(world)


def known_cooks(world: CollabOvercooked) -> OracleCooks | GreedyCooks:
    """``OracleCooks`` where a plan ships with the scenario, else the greedy cooks: no search."""
    return shipped_cooks(world) or GreedyCooks(world)


class Line(Struct, frozen=True):
    """What a cook answers after so many steps, and what it plans if it is asked to go on talking."""

    steps: int
    answer: Decision
    plan: Plan = ()


class Script(Struct, frozen=True):
    """What a cook answers when it has nothing to do (``plans``), and when it is spoken to (``answers``)."""

    plans: tuple[Line, ...] = ()
    answers: tuple[Line, ...] = ()


def scripts(schedules: Schedules, leader: int, rules: Rules) -> tuple[Script, Script]:
    """Both cooks' scripts; ``leader`` (0, 1) has the recipes.

    Nobody speaks if a call of the plan breaks off, nor if the second cook leads under rules by which what
    it requests costs it a step (``first_call_twice``).
    """
    broken = any(begun.broken for schedule in schedules for begun in schedule)
    if broken or (leader == 1 and rules.first_call_twice):
        first, second = (tuple(_quiet_lines(schedule, rules)) for schedule in schedules)
        return Script(first), Script(second)
    return _led_by_first(*schedules, rules) if leader == 0 else _led_by_second(*schedules, rules)


def _led_by_first(first: Schedule, second: Schedule, rules: Rules) -> tuple[Script, Script]:
    """The first cook speaks before the second decides, at times at which both do."""
    before, batches = _batches(second, {begun.steps for begun in first})
    wanted = {batch[0].steps: _calls(batch) for batch in batches}
    leading = [
        Line(line.steps, asking(line.plan, wanted[line.steps]), line.plan) if line.steps in wanted else line
        for line in _quiet_lines(first, rules, wanted)
    ]
    plans, answers = list(_quiet_lines(before, rules)), []
    for batch in batches:
        agreed = _agreed(batch, rules)
        plan = joined(batch[:agreed], rules)
        answers.append(Line(batch[0].steps, agreeing(plan, "My partner knows what is needed.")))
        plans += _quiet_lines(batch[agreed:], rules)
    return Script(tuple(leading)), Script(tuple(plans), tuple(answers))


def _led_by_second(first: Schedule, second: Schedule, rules: Rules) -> tuple[Script, Script]:
    """The first cook decides before the second can speak; so it asks what it should do."""
    before, batches = _batches(first, {begun.steps for begun in first})
    plans, answers = list(_quiet_lines(before, rules)), []
    for batch in batches:
        steps, agreed = batch[0].steps, _agreed(batch, rules)
        plans.append(Line(steps, inquiring(), joined(batch[:agreed], rules)))
        plans += _quiet_lines(batch[agreed:], rules)
        answers.append(Line(steps, ordering(_calls(batch))))
    return Script(tuple(plans)), Script(tuple(_quiet_lines(second, rules)), tuple(answers))


def _batches(schedule: Schedule, times: Collection[int]) -> tuple[Schedule, list[Schedule]]:
    """What a cook waits at first, and the batches, each of which begins at one of these times.

    A batch ends when the cook waits for something.
    """
    batches: list[list[Begun]] = [[]]
    for begun in schedule:
        last = batches[-1][-1:]
        pauses = not last or last[0].waits
        if begun.steps in times and pauses and not begun.waits:
            batches.append([])
        batches[-1].append(begun)
    if _calls(batches[0]):
        batches.insert(0, [])
    return tuple(batches[0]), [tuple(batch) for batch in batches[1:]]


def _calls(batch: Sequence[Begun]) -> Plan:
    return tuple(begun.call for begun in batch if not begun.waits)


def _agreed(batch: Schedule, rules: Rules) -> int:
    """How much of a batch is planned at once.

    Up to its last call, or where waits give way to what is queued behind them, up to its first wait.
    """
    if rules.waits_give_way:
        return next((index for index, begun in enumerate(batch) if begun.waits), len(batch))
    return max(index for index, begun in enumerate(batch) if not begun.waits) + 1


def _quiet_lines(schedule: Sequence[Begun], rules: Rules, stops: Collection[int] = ()) -> Iterator[Line]:
    """One call or wait at a time; no wait goes on beyond one of the stops."""
    longest = longest_wait(rules)
    waiting: list[Begun] = []
    for begun in schedule:
        if waiting and (len(waiting) == longest or not begun.waits or begun.steps in stops):
            yield _quiet_line(waiting, rules)
            waiting = []
        if begun.waits:
            waiting.append(begun)
        else:
            yield _quiet_line([begun], rules)
    if waiting:
        yield _quiet_line(waiting, rules)


def _quiet_line(schedule: Sequence[Begun], rules: Rules) -> Line:
    plan = joined(schedule, rules)
    return Line(schedule[0].steps, quiet(*plan), plan)
