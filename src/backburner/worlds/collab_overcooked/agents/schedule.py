"""A joint plan as the world carries it out: what each cook begins, and in which step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from backburner.worlds.collab_overcooked.agents.goals import ONE_WAIT, Job
from backburner.worlds.collab_overcooked.game import NO_LIMITS, CollabOvercooked, calls
from backburner.worlds.collab_overcooked.game.menus import reply_of


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


def timed(
    world: CollabOvercooked, plans: tuple[Sequence[str], Sequence[str]], most_steps: int
) -> Schedules | None:
    """When each call is begun if every call is a plan of its own; a cook whose plan is over waits.

    ``None`` if a call is refused when it is planned, or the orders are not met after ``most_steps``.
    """
    free = CollabOvercooked(world.id, world.scenario, world.rules, NO_LIMITS)
    left = tuple(iter(plan) for plan in plans)
    found: tuple[list[Begun], list[Begun]] = ([], [])
    state = free.start()
    while seats := free.deciders(state):
        mine = found[state.asked]
        if state.ask == "correct":
            mine[-1] = replace(mine[-1], broken=True)
        word = next(left[state.asked], ONE_WAIT)
        mine.extend(_in_single_steps(free, state.kitchen.steps, word))
        step = free.step(state, {seats[0]: reply_of(word)})
        if step.refusals or step.state.kitchen.steps > most_steps:
            return None
        state = step.state
    return (tuple(found[0]), tuple(found[1])) if state.ended == "completed" else None


def _in_single_steps(world: CollabOvercooked, steps: int, word: str) -> Iterator[Begun]:
    call = world.ware.reader.read(word)
    if isinstance(call, calls.Call) and call.verb == calls.WAIT:
        yield from (Begun(steps + passed, ONE_WAIT) for passed in range(call.steps))
    else:
        yield Begun(steps, word)


def joined(schedule: Iterable[Begun], longest: int) -> Job:
    """The calls as a plan: waits in a row are one, as far as it may last."""
    plan: list[str] = []
    waiting = 0
    for begun in schedule:
        waiting = waiting + 1 if begun.waits else 0
        if 1 < waiting <= longest:
            plan[-1] = calls.wait(waiting).text
        else:
            waiting = min(waiting, 1)
            plan.append(begun.call)
    return tuple(plan)
