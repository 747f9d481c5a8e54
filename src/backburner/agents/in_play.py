"""A schedule in play: what of it is begun, what of its problem is left, and what is decided next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import gcd
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.menu import Menus
from backburner.kernel.policy import Turn
from backburner.kernel.schedule import Activity, Problem, Schedulable
from backburner.scheduling.preemption import Block, in_order

Times = Mapping[str, int]


class InPlay(Struct, frozen=True):
    """``blocks``: of a schedule, those that are left, in order, up to when it ``ends``.

    ``begun``: the starts of activities, or of their last pieces; ``done``: how much of each went before, in
    other pieces. ``last``: the block that was decided last, if that was one; ``before``: what was begun and
    done before the last decision.
    """

    blocks: tuple[Block, ...] = ()
    ends: int = 0
    begun: Times = {}
    done: Times = {}
    last: Block | None = None
    before: tuple[Times, Times] = ({}, {})

    def refused(self) -> InPlay:
        """After the last decision was refused: only what was begun before it is begun."""
        begun, done = self.before
        return replace(self, begun=begun, done=done, last=None)

    def left(self, problem: Problem, now: int) -> Problem:
        """What is left of a problem at a moment: what is begun, at its time, is as it is whatever was stated
        of it, nothing else starts before, and what was interrupted is shorter."""
        grid = gcd(problem.grid, now, *self.begun.values(), *self.done.values())
        return replace(problem, grid=grid, activities=tuple(self._left(a, now) for a in problem.activities))

    def _left(self, each: Activity, now: int) -> Activity:
        if each.name in self.done:
            duration = max(each.duration - self.done[each.name], 0)
            held, in_parts = min(each.operator_time, duration), each.preemptive and duration > 0
            each = replace(each, duration=duration, operator_time=held, preemptive=in_parts)
        start = self.begun.get(each.name)
        if start is None:
            return replace(each, release=max(each.release, now))
        end = start + each.duration
        return replace(
            each,
            operator_time=max(min(each.operator_time, now - start), 0),
            predecessors=(),
            max_lags=(),
            requires=None,
            preemptive=False,
            release=start,
            deadline=end,
            resources=each.resources if end > now or each.sets else (),
        )

    def following(self, left: Problem, starts: Times) -> InPlay:
        """With a schedule of what is left."""
        blocks = in_order(left, starts)
        ours = tuple(block for block in blocks if block.name not in self.begun)
        return replace(self, blocks=ours, ends=max(block.end for block in blocks), last=None)

    def wait(self, now: int) -> int:
        """How long until the next block is to start, or the schedule ends."""
        return max((self.blocks[0].start if self.blocks else self.ends) - now, 0)

    def beginning(self, names: Iterable[str], start: int) -> InPlay:
        """With these activities begun, none of them for a wait; what is attempted again is begun before."""
        begun = {**dict.fromkeys(names, start), **self.begun}
        return replace(self, begun=begun, last=None, before=(self.begun, self.done))

    def next(self, now: int) -> tuple[Block, InPlay]:
        """The block that is next, from its time or a later moment on, and the schedule with that begun."""
        first, *others = self.blocks
        late = max(now - first.start, 0)
        first = first._replace(start=first.start + late, end=first.end + late)
        then = self.beginning((first.name,) if first.last else (), first.start)
        if not first.last:
            done = self.done.get(first.name, 0) + first.end - first.start
            then = replace(then, done={**self.done, first.name: done})
        return first, replace(then, blocks=tuple(others), last=first)


def decided(world: Schedulable[Any], turn: Turn, decision: Any, block: Block) -> Any:
    """A decision that begins an activity, for a block of it; of several things of a kind, if only another
    one is free, with that."""
    if isinstance(world, Menus) and (names := world.begins(decision)):
        options = [each.decision for each in turn.menu.options if world.begins(each.decision) == names]
        decision = options[0] if len(names) == 1 and options and decision not in options else decision
    return world.at(decision, block.start, block.duration, ends=block.last)
