"""A list scheduler: what has the longest way to go is started first, as soon as it can be."""

from __future__ import annotations

from typing import Any

from backburner.kernel.policy import PlainPolicy, Reply, Turn
from backburner.kernel.schedule import Activity
from backburner.worlds.projects.game import Projects, Start, State

HOPELESS = ("missed", "stuck")


class Greedy(PlainPolicy):
    """Starts what must start soonest, then what the longest chain of activities begins with.

    While anything else is on the menu, it does not end the play at once, change the state of a machine that
    something open requires, or begin what must be followed up soon by something that is not prepared.
    """

    name = "greedy"

    def __init__(self, world: Projects) -> None:
        self._world, self._legality = world, world.legality
        self._tails = tails(world)

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The first in its order that spoils nothing; waits stand at the end."""
        state: State = turn.observation
        decisions = [option.decision for option in turn.menu.options]
        decisions.sort(key=lambda decision: self._rank(state, decision))
        for decision in decisions:
            ended = self._world.step(state, {turn.seat: decision}).state.ended
            if ended not in HOPELESS and not self._spoils(state, decision):
                return Reply(decision)
        return Reply(decisions[0])

    def _rank(self, state: State, decision: Any) -> tuple[float, ...]:
        if not isinstance(decision, Start):
            return (2, 0, 0, 0)
        latest = self._legality.latest(state, self._legality.index[decision.activity])
        urgent = (1, 0) if latest is None else (0, latest)
        return (*urgent, -self._tails[decision.activity], decision.ticks or 0)

    def _spoils(self, state: State, decision: Any) -> bool:
        if not isinstance(decision, Start):
            return self._legality.next_moment(state) is None  # waiting for nothing
        started = self._legality.activities[self._legality.index[decision.activity]]
        for index, other in enumerate(self._legality.activities):
            if other is started or not state.works[index].is_open:
                continue
            wanted, sets = other.requires, started.sets
            ready = wanted is None or self._legality.is_in(state, wanted, index)
            if wanted and sets and ready and sets.resource == wanted.resource and sets != wanted:
                return True
            follows = any(lag.after == started.name for lag in other.max_lags)
            if follows and not (ready and self._is_prepared(state, other, started)):
                return True
        return False

    def _is_prepared(self, state: State, follower: Activity, started: Activity) -> bool:
        """Whether all else that an activity comes after is begun."""
        before = (self._legality.index[name] for name in follower.predecessors if name != started.name)
        return not any(state.works[index].is_open for index in before)


def tails(world: Projects) -> dict[str, int]:
    """For each activity, how long it takes with the longest chain of what comes after it, or requires the
    state that it sets."""
    activities = world.problem.activities
    after = {
        a.name: [b.name for b in activities if a.name in b.predecessors or (a.sets and a.sets == b.requires)]
        for a in activities
    }
    found: dict[str, int] = {}
    while waiting := [a for a in activities if a.name not in found]:
        ready = [a for a in waiting if all(name in found for name in after[a.name])]
        for each in ready or waiting:  # setups may go round in a circle
            found[each.name] = each.duration + max(
                (found.get(name, 0) for name in after[each.name]), default=0
            )
    return found
