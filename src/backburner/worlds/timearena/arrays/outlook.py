"""What can still be reached of a scenario, and the fewest minutes that it takes: a bound, cheap and proven.

A *work* is a role that carries progress; an act whose lead role it is does it. Whatever act that is, the
work needs what all of them need, and takes the same minutes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import and_
from typing import NamedTuple

from backburner.worlds.timearena.game import TimeArena
from backburner.worlds.timearena.game.legality import Attempt
from backburner.worlds.timearena.game.state import State


class Work(NamedTuple):
    """A role that carries progress, and what is known of doing it.

    ``duration``: minutes from start to end. ``agent_minutes``: those of them that hold the agent.
    ``chain``: the minutes from its start to the end of the longest chain of works that begins with it.
    ``last``: whether no other work needs it, so that it may be the last to be started.
    """

    name: str
    bit: int
    duration: int
    agent_minutes: int
    chain: int
    last: bool


class Outlook:
    """The works of one world under its rules, and what is left of them in a state.

    ``works`` are in the order of their roles. ``reachable``: the per cent of progress that the rules let
    anybody reach.
    """

    def __init__(self, world: TimeArena) -> None:
        compiled, legality = world.compiled, world.rulebook.legality
        doing: dict[int, list[Attempt]] = {role.bit: [] for role in compiled.roles if role.bit}
        for attempt in legality.fitting:
            if attempt.bit:
                doing[attempt.bit].append(attempt)
        needs = {
            bit: reduce(and_, (attempt.needs for attempt in attempts))
            for bit, attempts in doing.items()
            if attempts
        }
        finished = _reachable(legality.fitting)
        total = compiled.total_minutes
        earned = sum(role.role.minutes for role in compiled.roles if role.bit & finished)
        self.reachable = 100 * earned // total
        chains = _chains(needs, {bit: doing[bit][0].duration for bit in needs}, finished)
        self.works = tuple(
            _work(f"{role.role.verb} {role.item.name}", role.bit, doing[role.bit], needs, chains)
            for role in compiled.roles
            if role.bit
        )
        # Where something else may be done in the minute of what was refused, work that goes on by itself
        # goes on twice as fast, and begun work may be put off.
        self._all_minutes_count = not world.rules.second_try
        self._work_of = {attempt.act: attempt.bit for attempt in legality.fitting}

    def minutes_left(self, state: State) -> int:
        """No play from this state has finished every work earlier than in so many minutes.

        That is the longest chain of works, or the agent's minutes and those after it of what it starts last.
        """
        if not self._all_minutes_count:
            return 0
        left = {self._work_of[each.act]: each.ends + state.lost_minutes for each in state.running}
        chain = agent = 0
        alone_at_last = -1
        for work in self.works:
            if work.bit & state.finished:
                continue
            if work.bit in left:
                chain = max(chain, left[work.bit] - state.minute + work.chain - work.duration)
                continue
            chain = max(chain, work.chain)
            agent += work.agent_minutes
            alone = work.duration - work.agent_minutes
            if work.last and not 0 <= alone_at_last <= alone:
                alone_at_last = alone
        return max(chain, agent + max(alone_at_last, 0))


def _work(
    name: str, bit: int, doing: list[Attempt], needs: Mapping[int, int], chains: Mapping[int, int]
) -> Work:
    """A work that no act does is never finished; of its minutes nothing is known."""
    last = not any(mask & bit for mask in needs.values())
    if not doing:
        return Work(name, bit, 0, 0, 0, last)
    duration = doing[0].duration
    return Work(name, bit, duration, duration if doing[0].occupies_agent else 1, chains[bit], last)


def _reachable(fitting: tuple[Attempt, ...]) -> int:
    """What is finished when every act that fits is done as soon as it can be; nothing is ever undone."""
    finished, before = 0, -1
    while finished != before:
        before = finished
        for attempt in fitting:
            if not attempt.needs & ~finished:
                finished |= attempt.bit
    return finished


def _chains(needs: Mapping[int, int], durations: Mapping[int, int], reachable: int) -> dict[int, int]:
    """The minutes of the longest chain that begins with each work, among those that can be reached.

    What can be reached needs nothing that needs it, so that this ends.
    """
    chains = dict(durations)
    changed = True
    while changed:
        changed = False
        for bit, needed in needs.items():
            for earlier in needs if bit & reachable else ():
                if earlier & needed and chains[earlier] < durations[earlier] + chains[bit]:
                    chains[earlier] = durations[earlier] + chains[bit]
                    changed = True
    return chains
