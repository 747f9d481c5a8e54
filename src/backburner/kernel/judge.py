"""The world as the judge of a plan: what it makes of decisions that an oracle proposes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from backburner.kernel.contract import Readable, Schedulable, World
from backburner.kernel.errors import Refused, ReplayMismatch
from backburner.kernel.values import Outcome


class Verdict(NamedTuple):
    """A plan as it was played: each decision with the state it was taken in, and the outcome."""

    states: tuple[Any, ...]
    decisions: tuple[Any, ...]
    words: tuple[str, ...]
    outcome: Outcome

    def finished_at(self, unit: str) -> int | None:
        """When everything was completed, in the world's figures; ``None`` if it was not."""
        numbers = self.outcome.numbers
        return int(numbers[unit]) if numbers.get("completed") else None


def schedulable(world: World[Any, Any, Any]) -> Schedulable[Any]:
    """The world as one that states a scheduling problem; raises ``Refused`` if it does not."""
    if not isinstance(world, Schedulable):
        raise Refused(f"{world.id}: this world does not state its scenario as a scheduling problem")
    return world


def judge(world: World[Any, Any, Any], starts: Mapping[str, int]) -> Verdict:
    """Play the decisions that give these starts, until they or the episode are over.

    Raises ``ReplayMismatch`` if they make no plan, and at the first decision that the world refuses.
    """
    try:
        plan = schedulable(world).plan(starts)
    except Refused as error:
        raise ReplayMismatch(f"{world.id}: the oracle's plan cannot be played: {error}") from error
    state = world.start()
    states: list[Any] = []
    decisions: list[Any] = []
    for decision in plan:
        seats = world.deciders(state)
        if not seats:
            break
        step = world.step(state, dict.fromkeys(seats, decision))
        if step.refusals:
            raise ReplayMismatch(
                f"{world.id}: the oracle's plan is refused at decision {len(states) + 1}, "
                f"{words(world, decision)!r}: {step.refusals[0].code}"
            )
        states.append(state)
        decisions.append(decision)
        state = step.state
    spoken = tuple(words(world, decision) for decision in decisions)
    return Verdict(tuple(states), tuple(decisions), spoken, world.outcome(state))


def words(world: World[Any, Any, Any], decision: Any) -> str:
    """The decision in the world's words, or as the value it is if the world has none."""
    return world.words(decision) if isinstance(world, Readable) else str(decision)
