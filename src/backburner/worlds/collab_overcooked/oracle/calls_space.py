"""The article's decision space: each cook, when its call is done, begins another one or waits a step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from backburner.worlds.collab_overcooked.game.grid import STAY
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.oracle.accepting import Accepting
from backburner.worlds.collab_overcooked.oracle.carrying import NO_WAY, Carrying
from backburner.worlds.collab_overcooked.oracle.codes import Codes
from backburner.worlds.collab_overcooked.oracle.floors import Floor
from backburner.worlds.collab_overcooked.oracle.known_calls import IDLE, WAIT, KnownCalls
from backburner.worlds.collab_overcooked.oracle.needs import Needs
from backburner.worlds.collab_overcooked.oracle.steps import Steps


class Node(NamedTuple):
    """A kitchen and the calls that the cooks are at. Who is at none decides."""

    floor: Floor
    call0: int = IDLE
    call1: int = IDLE


class Move(NamedTuple):
    """What there is at the next decision, after so many steps.

    ``begun``: the calls that the cooks began (``IDLE``: did not decide); ``ended``: those that were
    carried out to their end meanwhile.
    """

    steps: int
    node: Node
    begun: tuple[int, int]
    ended: tuple[int, int]


class CallsSpace:
    """The joint decisions of two cooks in one kitchen. What chance would decide is left out."""

    def __init__(self, ware: Kitchenware, codes: Codes, needs: Needs, steps: Steps) -> None:
        self.known = KnownCalls(ware, codes, needs.fetched)
        self._accepting = Accepting(ware, codes, needs, self.known)
        self._carrying = Carrying(ware, codes, self.known)
        self._steps = steps
        self._never_end = ware.rules.calls_never_end

    def moves(self, node: Node) -> Iterator[Move]:
        """Every way to decide here, and what follows until somebody decides again."""
        floor, call0, call1 = node
        for begun0 in self._options(floor, 0) if call0 == IDLE else (IDLE,):
            for begun1 in self._options(floor, 1) if call1 == IDLE else (IDLE,):
                found = self._carried_out(floor, begun0 or call0, begun1 or call1)
                if found is not None:
                    steps, after, ended = found
                    yield Move(steps, after, (begun0, begun1), ended)

    def _options(self, floor: Floor, cook: int) -> list[int]:
        accepted, action = self._accepting.accepted, self._carrying.action
        options = [
            call
            for call in self._accepting.candidates(floor, cook)
            if accepted(floor, cook, call) and action(floor, cook, call) != NO_WAY
        ]
        return [*options, WAIT]

    def _carried_out(self, floor: Floor, call0: int, call1: int) -> tuple[int, Node, tuple[int, int]] | None:
        """The steps until somebody decides again or the orders are met, what there is then, what ended.

        ``None`` if chance would decide, or if nothing changes any more.
        """
        action, steps = self._carrying.action, 0
        while True:
            action0 = STAY if call0 < 0 else action(floor, 0, call0)
            action1 = STAY if call1 < 0 else action(floor, 1, call1)
            if action0 == NO_WAY or action1 == NO_WAY:
                return None
            after = self._steps.step(floor, action0, action1)
            steps += 1
            still0, still1 = self._still(after, 0, call0), self._still(after, 1, call1)
            if after == floor and still0 >= 0 <= still1 and (still0 or call0 < 0) and (still1 or call1 < 0):
                return None
            if not after.orders or still0 == IDLE or still1 == IDLE:
                return (
                    steps,
                    Node(after, still0, still1),
                    (self._ended(after, 0, call0), self._ended(after, 1, call1)),
                )
            floor, call0, call1 = after, still0, still1

    def _still(self, floor: Floor, cook: int, call: int) -> int:
        """The call that a cook is still at."""
        if call < 0:
            return call + 1
        if self._accepting.done(floor, cook, call):
            return IDLE
        if self._never_end:
            return call
        goes_on = self._accepting.accepted(floor, cook, call)
        return call if goes_on and self._carrying.action(floor, cook, call) != NO_WAY else IDLE

    def _ended(self, floor: Floor, cook: int, call: int) -> int:
        return call if call > 0 and self._accepting.done(floor, cook, call) else IDLE
