"""The best that can be done where every decision costs a thought, in any world, and plans for that.

What oracles say of it has one form, ``Reach``. A plan that was made for decisions that take no time is
*stretched* for those that do: what it waits for is thought meanwhile, and no two moments come nearer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.clock import SECOND, Timing, timed
from backburner.kernel.contract import World
from backburner.kernel.menu import Menus
from backburner.kernel.oracle import Kept, Request, Slow, Solution, oracle_of, solve_world
from backburner.kernel.pack import LATENCY
from backburner.kernel.play import play_now
from backburner.kernel.policy import JointPlanPolicy
from backburner.kernel.values import Seat


class Reach(Struct, frozen=True):
    """What can be reached where every decision takes time, in the ``unit`` of the world.

    The best lies from ``lower`` to ``upper``, of which a play has the one (the upper for ``sense`` ``min``)
    and nobody passes the other; ``None`` is not known. ``status``: ``optimal`` if they meet; ``infeasible``
    if nobody can do it at this speed. This is about whoever decides each thing by itself; ``at_once``: what
    somebody comes to who names all in one decision, where a decision can hold a whole plan.
    """

    lower: int | None
    upper: int | None
    status: Literal["optimal", "bounds", "infeasible", "unknown"]
    sense: Literal["min", "max"]
    unit: str
    note: str = ""
    at_once: int | None = None

    @property
    def limit(self) -> int | None:
        """What no play passes, however much its decisions hold; ``None`` where that is not known."""
        passed = self.lower if self.sense == "min" else self.upper
        if self.at_once is None or (passed is None and self.status != "infeasible"):
            return passed
        known = (self.at_once,) if passed is None else (self.at_once, passed)
        return min(known) if self.sense == "min" else max(known)


def reach(
    world: World[Any, Any, Any], microseconds: int, request: Request | None = None, kept: Kept | None = None
) -> Reach:
    """What can be reached in a world where every decision takes so long.

    Where they take no time, what ships is not searched for again. Raises ``Refused`` where the world's oracle
    does not say, or where there is none, and ``MissingExtra``.
    """
    request = request or Request()
    if microseconds:
        seconds = f"{microseconds // SECOND}.{microseconds % SECOND:06}"
        request = replace(request, options={**request.options, LATENCY.name: seconds})
    known = None if microseconds else oracle_of(world).known(world)
    found = known or solve_world(world, request, kept)
    at_once = None
    if microseconds:
        ticks = Fraction(microseconds, timed(world).tick_microseconds)
        at_once = oracle_of(world).at_once(world, ticks, request)
    ends = (found.bound, found.objective)
    lower, upper = ends if found.sense == "min" else ends[::-1]
    status = _status(found)
    return Reach(lower, upper, status, found.sense, found.unit, found.note, at_once)


def _status(found: Solution) -> Literal["optimal", "bounds", "infeasible", "unknown"]:
    if found.status in ("optimal", "infeasible"):
        return found.status
    return "unknown" if found.bound is None else "bounds"


# --- plans, stretched ------------------------------------------------------------------------------------


class Moment(NamedTuple):
    """When something is decided, and for each seat that decides when it is free to think again."""

    at: int
    free: Mapping[Seat, int]


def stretched(
    moments: Sequence[Moment], latency: Fraction, first: Mapping[Seat, int] = {}, turns: int = 1
) -> list[int]:
    """The earliest ticks at which the moments of a plan can come, one after the other, if every decision
    costs so many ticks of thought, what is over a tick being carried to the seat's next one.

    No moment comes nearer to the one before: so a plan without deadlines stays one. Decisions at 0, 1 and 5,
    each of one tick, with thoughts of 2 come at 2, 5 and 9: the last has the 3 ticks of waiting to think.
    ``first``: when seats are asked at first, where that is not 0. ``turns``: every moment is later by a
    multiple of it, where so many seats have their turns in a row.
    """
    times: list[int] = []
    free = dict(first)
    carry: dict[Seat, Fraction] = {}
    before = 0
    for moment in moments:
        since = times[-1] if times else 0
        dues = {seat: carry.get(seat, Fraction(0)) + latency for seat in moment.free}
        earliest = {seat: free.get(seat, 0) + int(due) for seat, due in dues.items()}
        now = max(since + moment.at - before, *earliest.values())
        now += (moment.at - now) % turns
        for seat, until in moment.free.items():
            carry[seat] = dues[seat] % 1 if earliest[seat] == now else Fraction(0)
            free[seat] = now + until - moment.at
        times.append(now)
        before = moment.at
    return times


MOST_TICKS_AFTER = 1000
"""How long it is waited for what a plan has begun to end."""


def slow_plan(
    world: World[Any, Any, Any], plan: Sequence[Mapping[Seat, Any]], latency: Fraction, turns: int = 1
) -> Slow:
    """A plan of decisions, joint where several seats decide, for decisions that cost so many ticks each.

    Without its idle decisions; after its last one each seat thinks for longer than the plan. ``turns``: see
    ``stretched``.
    """
    tick = timed(world).tick_microseconds
    asked, moments, end = _played(world, plan)
    frees = [
        Moment(at, {seat: next((t for t in asked[seat] if t > at), end) for seat in decided})
        for at, decided in moments
    ]
    first = {seat: times[0] if times else 0 for seat, times in asked.items()}
    times = stretched(frees, latency, first, turns)
    over = (times[-1] if times else 0) + end + 1
    answers: dict[Seat, list[Any]] = {seat: [] for seat in world.seats}
    charges: dict[Seat, list[int]] = {seat: [] for seat in world.seats}
    free, spent = dict(first), dict.fromkeys(world.seats, 0)
    least = ceil(latency * tick)
    for now, moment, (_, decided) in zip(times, frees, moments, strict=True):
        for seat, decision in decided.items():
            # What was carried is microseconds thought beyond whole ticks.
            charge = max(least, (now - free[seat]) * tick - spent[seat])
            spent[seat] = (spent[seat] + charge) % tick
            answers[seat].append(decision)
            charges[seat].append(charge)
            free[seat] = now + moment.free[seat] - moment.at
    for seat in world.seats:
        answers[seat].append(_idle(world, world.start(), seat))
        charges[seat].append(max(least, (over - free[seat]) * tick))
    return Slow(
        {seat: tuple(each) for seat, each in answers.items()},
        {seat: ",".join(map(_seconds, each)) for seat, each in charges.items()},
    )


def _played(
    world: World[Any, Any, Any], plan: Sequence[Mapping[Seat, Any]]
) -> tuple[dict[Seat, list[int]], list[tuple[int, dict[Seat, Any]]], int]:
    """When each seat was asked and not occupied, what was decided when that is not idle, and when all was
    over."""
    clock, state = timed(world), world.start()
    asked: dict[Seat, list[int]] = {seat: [] for seat in world.seats}
    moments: list[tuple[int, dict[Seat, Any]]] = []
    for decided in plan:
        if not world.deciders(state):
            break
        now = clock.now(state)
        for seat in decided:
            if not clock.occupied(state, seat):
                asked[seat].append(now)
        if busy := {seat: each for seat, each in decided.items() if each != _idle(world, state, seat)}:
            moments.append((now, busy))
        state = world.step(state, decided).state
    over = clock.now(state)
    while (seats := world.deciders(state)) and clock.now(state) - over < MOST_TICKS_AFTER:
        for seat in seats:
            asked[seat].append(clock.now(state))
        state = world.step(state, {seat: clock.silence(state, seat, 1) for seat in seats}).state
    return asked, moments, clock.now(state)


def _idle(world: World[Any, Any, Any], state: Any, seat: Seat) -> Any:
    """The seat's decision that only lets time go by; ``None`` where no menu lists one."""
    if not isinstance(world, Menus) or seat not in world.deciders(state):
        return None
    option = world.menu(state, seat).passing
    return None if option is None else option.decision


def _seconds(microseconds: int) -> str:
    return f"{microseconds // SECOND}.{microseconds % SECOND:06}".rstrip("0").rstrip(".")


def slowed_plan(
    world: World[Any, Any, Any],
    best: Solution,
    slow: Slow | None,
    latency: Fraction,
    *,
    limit: int | None,
    n_decisions: int = 1,
    turns: int = 1,
) -> Solution:
    """What is known of a world under latency by the ``best`` that can be done without, its ``limit`` aside.

    ``slow``: a plan for that, where there is one; ``world``: one that lets it be played to its end.
    ``n_decisions``: how many that are not idle some seat must take, at the least. ``turns``: how many seats
    have their turns one after the other; where it is 1 all are asked at the beginning. Before that nothing
    happens in the world, so that nobody is sooner than the best and a first thought; nor than so many
    decisions of a tick, each with its thought.
    """
    if best.bound is None:
        return best
    before = floor(latency) if turns == 1 else 0
    bound = max(best.bound + before, n_decisions + floor(n_decisions * latency))
    objective, note = None if slow is None else reached(world, slow), ""
    if limit is not None and objective is not None and objective > limit:
        note = f"the plan takes {objective} {best.unit}; the world ends play after {limit}"
        objective = None
    found = replace(best, objective=objective, plan=(), starts=None, note=note).bounded(bound)
    if limit is None or bound <= limit:
        return found
    note = f"at this speed it takes {bound} {best.unit} at least; the world ends play after {limit}"
    return replace(found, status="infeasible", note=note)


def reached(world: World[Any, Any, Any], slow: Slow) -> int | None:
    """When the plan has completed everything, as the world has played it; ``None`` where it does not.

    Raises ``Refused`` for a world that does not say how time passes.
    """
    steps = [{seat: answer} for seat, answers in slow.answers.items() for answer in answers]
    clock = Timing(mode="latency").bound(world, slow.latencies)
    ending = play_now(world, JointPlanPolicy("oracle", steps), clock=clock).ending
    numbers = {} if ending is None else ending.numbers
    return int(numbers[world.time_unit]) if numbers.get("completed") else None
