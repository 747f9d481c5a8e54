"""Policies that were worked out before play: a plan, or an order of preference.

The worlds' own agents are made of them, and so is whoever plays what an oracle has found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from backburner.kernel.contract import World
from backburner.kernel.digest import digest
from backburner.kernel.errors import PolicyFailure
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.values import Seat

WorldT = TypeVar("WorldT", bound=World[Any, Any, Any])
T = TypeVar("T")


class PlanPolicy:
    """Gives the answers of a plan, one at each turn of its seat; fails when the plan has run out."""

    def __init__(
        self, name: str, plan: Sequence[Any], *, informed: bool, settings: Mapping[str, Any] | None = None
    ) -> None:
        self.name = name
        self.informed = informed
        self.settings: Mapping[str, Any] = settings or {}
        self._plan = tuple(plan)

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The next answer; ``memory`` counts the answers given."""
        given = int(memory or 0)
        if given >= len(self._plan):
            raise PolicyFailure("plan", f"the plan has {given} decisions and the episode goes on")
        return Reply(self._plan[given], given + 1)


class JointPlanPolicy:
    """Gives each seat its own answers of a plan for all seats, one at each turn; fails when they run out."""

    def __init__(
        self,
        name: str,
        plan: Sequence[Mapping[Seat, Any]],
        *,
        informed: bool = True,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.name = name
        self.informed = informed
        self.settings: Mapping[str, Any] = settings or {}
        self._answers: dict[Seat, list[Any]] = {}
        for step in plan:
            for seat, answer in step.items():
                self._answers.setdefault(seat, []).append(answer)

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The seat's next answer; ``memory`` counts those given."""
        given, answers = int(memory or 0), self._answers.get(turn.seat, [])
        if given >= len(answers):
            raise PolicyFailure(
                "plan", f"the plan has {given} decisions for {turn.seat} and the episode goes on"
            )
        return Reply(answers[given], given + 1)


class PriorityPolicy:
    """Takes the decision on the menu that stands first in a list, and passes if none is in it.

    Made from the world by whoever knows a good order, so it may know more than its seat.
    """

    def __init__(self, name: str, order: Sequence[Any], settings: Mapping[str, Any] | None = None) -> None:
        self.name = name
        self.informed = True
        self.settings: Mapping[str, Any] = settings or {}
        self._rank = {decision: rank for rank, decision in enumerate(order)}

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The option of the lowest rank."""
        options = turn.menu.options
        if not options:
            raise PolicyFailure("menu", "the world offers no decision")
        ranked = [option for option in options if option.decision in self._rank]
        if not ranked:
            return Reply(next((option for option in options if option.passes), options[0]).decision)
        return Reply(min(ranked, key=lambda option: self._rank[option.decision]).decision)


class _Key:
    """A world as a key: equal if scenario, rules and limits are equal."""

    def __init__(self, world: Any) -> None:
        self.world = world
        self._digest = digest((world.scenario, world.rules, world.limits))

    def __hash__(self) -> int:
        return hash(self._digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other._digest == self._digest


def once_per_world(work: Callable[[WorldT], T]) -> Callable[[WorldT], T]:
    """``work``, done once for all worlds of equal scenario, rules and limits: such as solving one."""

    @lru_cache(maxsize=512)
    def done(key: _Key) -> T:
        return work(key.world)

    return lambda world: done(_Key(world))
