"""The end of a play as a lesson: how good it was, and the decision that cost the most.

``lesson_of`` takes any episode, finished or not, read from a record or held in memory, and gives a
``Lesson``: what was attained beside the best that is known and beside the greedy agent, the events of all
three for timelines on one axis, and the *turning points*, the decisions after which less could still be
reached than before. What can still be reached is proven where the world's oracle says how soon all can be
done from a state on (``Oracle.onward``); elsewhere it is estimated as what the world's guide comes to from
there, and the moment says so. What is not known in the time is left out, and ``lacks`` says what.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from typing import Any, Literal

import msgspec
from msgspec import Struct

from backburner.agents.planned import GREEDY, answered, plan_policy, shipped_plan, world_agent
from backburner.evaluation.transcripts.steps import places_of, timed_places
from backburner.evaluation.transcripts.turning_points import (
    Loss,
    Sense,
    TurningPoints,
    Walked,
    seated,
    worth,
)
from backburner.kernel import packs
from backburner.kernel.assessment import Window
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BackburnerError, amount, one_line, shorten, why
from backburner.kernel.oracle import Request, Solution, oracle_of, solve_world
from backburner.kernel.play import play_now
from backburner.kernel.policy import Policy
from backburner.kernel.replay import story_of, trajectory, windows_of
from backburner.kernel.values import Event

EFFORT = 1.0
"""Of the search for a best plan where none is known."""

SECONDS = 3.0
"""So long a lesson may take of a core to itself, but for what is under way then."""

MOST_EVENTS = 4000
"""A play with more events than that has no timeline."""

Who = Literal["you", "best", "greedy"]


class Played(Struct, frozen=True):
    """A play of the scenario. ``value``: in the lesson's ``unit``; ``share``: of the required work, from 0 to
    1; ``complete``: nothing is left. ``ends``: when the last thing happened."""

    who: Who
    value: int
    share: float
    complete: bool
    ends: int | float
    events: tuple[Event, ...]


class Moment(Struct, frozen=True):
    """A turning point: from step ``step`` to ``last``, begun at ``time``, in the world's unit.

    ``did``: what was decided, each time, in words; empty of a stretch in which it is not known which decision
    it was. ``better``: what would have kept what could be reached, empty where
    that was not found. ``cost``: in the lesson's unit; ``None``: after it not everything could be done any
    more. ``estimated``: the cost is no proof.
    """

    step: int
    last: int
    time: int | float
    did: str
    cost: int | None
    estimated: bool
    better: str = ""


class Lesson(Struct, frozen=True, kw_only=True):
    """What is told at the end of a play.

    ``unit``: of what counts, such as ``minutes`` or ``orders served``; ``sense``: ``min`` if less of it is
    better. ``total``: how much there was to do, where that is counted. ``plays``: the play itself (``you``),
    and where they are known the ``best`` and ``greedy``, in this order, on one axis of time in ``time_unit``.
    ``proven``: nothing is better than the best; else ``bound``, if known, is what no play passes.
    ``costliest``: the costliest of ``points``, which are in order of time. ``lacks``: what could not be said,
    a line each.
    """

    unit: str
    sense: Sense
    time_unit: str
    total: int | None
    plays: tuple[Played, ...]
    proven: bool
    bound: int | None
    windows: tuple[Window, ...]
    costliest: Moment | None
    points: tuple[Moment, ...]
    lacks: tuple[str, ...]

    def play(self, who: Who) -> Played | None:
        """One of the plays."""
        return next((each for each in self.plays if each.who == who), None)

    def headline(self, who: str = "You") -> str:
        """``You served 3 of 6 orders; 5 were possible; greedy serves 4.``"""
        return f"{'; '.join(filter(None, (self._own(who), self._best(), self._greedy())))}."

    def _own(self, who: str) -> str:
        (own, *_) = self.plays
        if self.sense == "max":
            of = "" if self.total is None else f" of {self.total}"
            thing, served, _ = self.unit.partition(" served")
            return f"{who} served {own.value}{of} {thing}" if served else f"{who} came to {own.value} {thing}"
        if not own.complete:
            done = f"{who} had done {own.share:.0%}" if own.share else f"{who} had not done it"
            return f"{done} when play ended after {amount(own.ends, self.time_unit)}"
        right = "" if own.share == 1 else f", {own.share:.0%} of it right"
        return f"{who} finished in {amount(own.value, self.unit)}{right}"

    def _best(self) -> str:
        own, best = self.plays[0], self.play("best")
        if best is None:
            return "" if self.bound is None else f"no play passes {self.bound}"
        most = self.sense == "max"
        possible = "possible" if most else "enough"
        if worth(own, self.sense) >= worth(best, self.sense):
            least = "most" if most else "least"
            told = f"that is the {least} possible" if self.proven else f"that is the {least} that is known"
        elif self.proven:
            told = f"{best.value} {'was' if best.value == 1 else 'were'} {possible}"
        else:
            told = f"{best.value} {'is' if best.value == 1 else 'are'} known to be {possible}"
        if self.proven or self.bound is None:
            return told
        return f"{told}, and no play {'passes' if most else 'takes less than'} {self.bound}"

    def _greedy(self) -> str:
        greedy = self.play("greedy")
        if greedy is None:
            return ""
        if self.sense == "max":
            return f"greedy serves {greedy.value}" if " served" in self.unit else f"greedy: {greedy.value}"
        return f"greedy takes {greedy.value}" if greedy.complete else "greedy does not finish"


def lesson_of(episode: Episode, *, seconds: float = SECONDS, effort: float = EFFORT) -> Lesson:
    """The lesson of an episode; see the module's text. Raises ``BadFile`` where its world is not here.

    It takes about ``seconds`` at most, in which what takes longest comes last; ``effort`` bounds the search
    for a best plan where none is known.
    """
    return _Lessons(episode, time.process_time() + seconds).lesson(effort)


class _Lessons(Walked):
    """One lesson in the making."""

    def lesson(self, effort: float) -> Lesson:
        own = self._played("you", self.episode, story_of(self.episode, self.world))
        greedy = self._attempt("greedy", lambda: self._by("greedy", world_agent(GREEDY, self.world)))
        best, solution = self._best(effort)
        points = self._attempt("turning points", self._points) or ()
        known = max(filter(None, (best, own, greedy)), key=lambda each: worth(each, self.counts.sense))
        if worth(known, self.counts.sense) > -inf:
            best = msgspec.structs.replace(known, who="best")
        plays = tuple(filter(None, (own, best, greedy)))
        if self.episode.header.clock is not None:
            self.lacks.append("best and greedy think in no time here")
        bound = self._bound(solution)
        return Lesson(
            unit=self.counts.unit(solution),
            sense=self.counts.sense,
            time_unit=self.world.time_unit,
            total=_total(plays) if self.counts.sense == "max" else None,
            plays=plays,
            proven=best is not None and bound == best.value,
            bound=bound,
            windows=self._attempt("windows", lambda: windows_of(self.episode, self.world)) or (),
            costliest=max(points, key=_cost) if points else None,
            points=points,
            lacks=tuple(self.lacks),
        )

    def _attempt(self, what: str, make: Any) -> Any:
        """What is made; nothing where a world of others, or a record of a stranger, does not allow it."""
        try:
            return make()
        except Exception as error:
            self.lacks.append(one_line(shorten(f"without {what}: {why(error)}", 300)))
            return None

    # --- plays ------------------------------------------------------------------------------------------

    def _played(self, who: Who, episode: Episode, events: tuple[Event, ...]) -> Played:
        state = self.states[-1]
        if episode is not self.episode:
            *_, (_, _, step) = trajectory(episode, self.world)
            state = step.state
        result = self.counts.result(state)
        if len(events) > MOST_EVENTS:
            self.lacks.append(f"without a timeline of {who}: {len(events)} events")
        ends = max((0, *(event.time for event in events)))
        told = events if len(events) <= MOST_EVENTS else ()
        return Played(who, result.value, result.share, result.complete, ends, told)

    def _by(self, who: Who, policy: Policy) -> Played:
        played = play_now(self.world, seated(self.world, policy), self.seed)
        return self._played(who, played, tuple(played.events()))

    def _best(self, effort: float) -> tuple[Played | None, Solution | None]:
        """The best play that is known or found, and what is known of it."""
        world, known = self.world, None
        with suppress(BackburnerError):
            known = oracle_of(world).known(world) or answered("", world)[0]
        policy = (
            None if known is not None and known.starts else self._attempt("plan", lambda: shipped_plan(world))
        )
        if known is None and time.process_time() < self.until:
            known = self._attempt("best play", lambda: solve_world(world, Request(effort=effort)))
        if policy is None and known is not None:
            with suppress(BackburnerError):
                policy = plan_policy(world, known)
        return None if policy is None else self._attempt("best play", lambda: self._by("best", policy)), known

    def _bound(self, solution: Solution | None) -> int | None:
        """What no play passes."""
        if solution is not None and solution.bound is not None:
            return solution.bound
        pack = packs.pack_of(self.world)
        if not pack.bounds:
            return None
        measures = self._attempt("bound", lambda: packs.part(pack.name, pack.bounds)(self.episode)) or {}
        scoring = packs.part(pack.name, pack.scoring)
        keys = [bound for metric in scoring.metrics for of, bound in metric.bounds if of == "completed"]
        return next((int(measures[key]) for key in keys if key in measures), None)

    # --- turning points ---------------------------------------------------------------------------------

    def _points(self) -> tuple[Moment, ...]:
        found = TurningPoints(self).losses()
        clocked = self.episode.header.clock is not None
        places = timed_places(self.episode, self.world) if clocked else places_of(self.episode)
        return tuple(self._moment(loss, places[loss.first].begins) for loss in found)

    def _moment(self, loss: Loss, begins: int | float) -> Moment:
        entries = self.episode.entries
        return Moment(
            step=entries[loss.first].index,
            last=entries[loss.last].index,
            time=begins,
            did=self.said(loss.first) if loss.alike else "",
            cost=None if loss.cost == inf else int(loss.cost),
            estimated=not loss.exact,
            better=loss.better,
        )


def _cost(moment: Moment) -> float:
    return inf if moment.cost is None else moment.cost


def _total(plays: Sequence[Played]) -> int | None:
    """How many there were to be served, by the first play that says it; ``None`` where that holds not for
    all."""
    total = next((round(each.value / each.share) for each in plays if each.share), 0)
    return total if total >= max(each.value for each in plays) else None
