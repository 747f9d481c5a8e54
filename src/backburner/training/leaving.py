"""Leaving: an episode that somebody leaves in its midst is played on to its end, and that is what is paid.

Who has left waits from then on, and partners play on. So to leave is worth what waiting to the end is worth,
whatever the reward: shaped rewards take back what they hoped for, and orders that come and run out count.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backburner.kernel.episode import Ending, Episode
from backburner.kernel.errors import PolicyFailure, PolicyStops, Refused
from backburner.kernel.play import ended_by
from backburner.kernel.policy import Policy, Reply, Turn
from backburner.kernel.turns import check_length, writable
from backburner.kernel.values import Seat

MOST_STEPS = 5_000
"""So long is an episode played on: several times the longest that the articles' limits allow. One that still
has no end, as without limits, is left there."""

NO_END = "it was left, and has no end"


def waiting(turn: Turn) -> Reply:
    """The answer of somebody who only lets time pass: the menu's, or where it has none nothing at all, which
    the world refuses."""
    try:
        option = turn.menu.passing
    except Refused:  # a world that cannot list decisions
        option = None
    return Reply(None if option is None else option.decision)


class Leaving:
    """Who has left an episode first, if anybody has, and before which step.

    ``seated`` are its players. Once one of them fails or stops it waits, and so does the ``learner``'s seat:
    whatever is played from there on is not its play.
    """

    def __init__(self, learner: Seat) -> None:
        self.learner = learner
        self.error: PolicyFailure | PolicyStops | None = None
        self.index = 0

    def seated(self, players: Mapping[Seat, Policy]) -> dict[Seat, Policy]:
        """The players, who may leave."""
        return {seat: _Seated(policy, self) for seat, policy in players.items()}

    def played(self, whole: Episode, numbers: Mapping[str, int | float]) -> Episode:
        """Of an episode that was played on, the record of what was played before, at whose end the world had
        these numbers; all of it if nobody has left."""
        if self.error is None:
            return whole
        entries = whole.entries[: self.index]
        status, reason, error = ended_by(self.error, begun=bool(entries))
        ending = Ending(status, reason, dict(numbers), len(entries), writable(error))
        return Episode(whole.header, entries, ending)


class _Seated:
    """A policy at its seat until it leaves."""

    def __init__(self, policy: Policy, leaving: Leaving) -> None:
        self.name, self.informed, self.settings = policy.name, policy.informed, policy.settings
        self._policy, self._leaving, self._gone = policy, leaving, False

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The policy's answer; once it has left, to wait."""
        leaving = self._leaving
        left = leaving.error is not None
        if left and turn.index >= leaving.index + MOST_STEPS:
            raise PolicyStops(NO_END)
        if self._gone or (left and turn.seat == leaving.learner):
            return waiting(turn)
        try:
            reply = await self._policy.decide(turn, memory)
            check_length(reply)
        except (PolicyFailure, PolicyStops) as error:
            if not left:
                leaving.error, leaving.index = error, turn.index
            self._gone = True
            return waiting(turn)
        return reply
