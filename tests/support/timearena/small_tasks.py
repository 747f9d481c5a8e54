"""Tiny TimeArena tasks made for tests, and a search through everything that can be done in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec
from hypothesis import strategies as st

from backburner.worlds.timearena.game import Limits, Task, TimeArena, Wait, catalogue
from backburner.worlds.timearena.game.scenarios import Action, Role, RoleName, Thing
from backburner.worlds.timearena.game.state import State
from backburner.worlds.timearena.game.transition import AGENT


class Doing(NamedTuple):
    """One action of a small task.

    ``after`` and ``second_after`` are places in the task's list of actions: what the first thing
    and what the second thing waits for.
    """

    verb: str
    first: str
    second: str = ""
    minutes: int = 1
    after: tuple[int, ...] = ()
    second_after: tuple[int, ...] = ()

    @property
    def things(self) -> tuple[str, ...]:
        """The one or two things."""
        return (self.first, self.second) if self.second else (self.first,)

    @property
    def role(self) -> RoleName:
        """The role that is finished when the action is."""
        return self.first, self.verb, 1 if self.second else 0


def small_task(doings: Sequence[Doing], id: str = "small") -> Task:
    """A task of just these actions, not checked yet."""
    roles: dict[str, dict[tuple[str, int], Role]] = {}
    for doing in doings:
        first, verb, slot = doing.role
        needs = tuple(doings[place].role for place in doing.after)
        roles.setdefault(first, {})[verb, slot] = Role(verb, slot, doing.minutes, "new", "done", needs)
        if doing.second:
            needs = tuple(doings[place].role for place in doing.second_after)
            roles.setdefault(doing.second, {})[verb, 2] = Role(verb, 2, 0, needs=needs)
    return Task(
        id=id,
        scenario="small",
        number=1,
        title=id,
        goal=id,
        verbs=tuple(dict.fromkeys(doing.verb for doing in doings)),
        actions=tuple(Action(doing.verb, doing.things) for doing in doings),
        things=tuple(Thing(name, tuple(mine.values())) for name, mine in roles.items()),
    )


def small_world(*tasks: Sequence[Doing], kit: str = "own", limits: Limits | None = None) -> TimeArena:
    """These tasks together under standard rules; without limits unless some are given."""
    listed = [small_task(doings, f"small{number}") for number, doings in enumerate(tasks, 1)]
    file = {"world": "timearena", "id": "small", "tasks": msgspec.to_builtins(listed), "kit": kit}
    _, scenario = catalogue.read(file, "small tasks")
    return catalogue.build("timearena/small", scenario, "standard", limits or "none")


# --- made at random ---------------------------------------------------------------------------

ALONE = ("wash", "chop", "heat", "activate")
TOGETHER = {"add to": ("dish", "beaker"), "dissolve in": ("dish", "beaker"), "cook in": ("pot",)}
VERBS = (*ALONE, *TOGETHER)
THINGS = ("rice", "beef", "dish")


def doings(most: int = 4) -> st.SearchStrategy[list[Doing]]:
    """Small tasks for Hypothesis."""
    return st.randoms(use_true_random=False).map(lambda random: random_doings(random, most))


def random_doings(random: Random, most: int = 4, verbs: Sequence[str] = VERBS) -> list[Doing]:
    """Up to ``most`` actions with the agent's hands or in the background; needs point backwards.

    ``random`` may be Python's generator or one that Hypothesis controls.
    """
    drawn: list[Doing] = []
    for _ in range(random.randint(1, most)):
        verb = random.choice(verbs)
        first = random.choice(THINGS)
        seconds = [name for name in TOGETHER.get(verb, ()) if name != first]
        second = random.choice(seconds) if seconds else ""
        if any((verb, first) == (other.verb, other.first) for other in drawn):
            continue  # a thing goes through an action once
        places = range(len(drawn))
        after = tuple(place for place in places if random.randint(0, len(drawn)) == 0)
        of_second = [d.second_after for d in drawn if (d.verb, d.second) == (verb, second)]
        waits = drawn and second not in ("", "pot") and random.choice([True, False])
        # Every action with this second thing waits for the same: one role holds the needs.
        second_after = of_second[0] if of_second else (random.choice(places),) if waits else ()
        drawn.append(Doing(verb, first, second, random.randint(1, 4), after, second_after))
    return drawn


# --- everything that can be done --------------------------------------------------------------


class Extremes(NamedTuple):
    """The shortest completion and the most necessary waits; ``None`` if nothing can be completed."""

    minutes: int | None
    necessary_waits: int | None


def search_everything(world: TimeArena) -> Extremes:
    """Look at every way of playing without a refused decision, minute by minute.

    The world must have a time limit. Two ways of play that have finished the same and run the same
    at the same minute have the same futures; of these only the one with more necessary waits is
    followed.
    """
    assert world.limits.minutes is not None
    open_at: dict[int, dict[Any, tuple[State, int]]] = {0: {"start": (world.start(), 0)}}
    completed: list[tuple[int, int]] = []
    for minute in range(world.limits.minutes):
        for state, waits in open_at.pop(minute, {}).values():
            for after, more in _continuations(world, state):
                if after.ended == "completed":
                    completed.append((after.minute, waits + more))
                elif not after.ended:
                    key = after.finished, after.running
                    known = open_at.setdefault(after.minute, {})
                    if key not in known or known[key][1] < waits + more:
                        known[key] = after, waits + more
    minutes = min((minute for minute, _ in completed), default=None)
    return Extremes(minutes, max((waits for _, waits in completed), default=None))


def _continuations(world: TimeArena, state: State) -> Iterator[tuple[State, int]]:
    """Each state that one legal decision leads to, with the necessary waits on the way: 0 or 1."""
    options = world.menu(state, AGENT).options
    for option in options:
        step = world.step(state, {AGENT: option.decision})
        assert not step.refusals
        yield step.state, int(isinstance(option.decision, Wait) and len(options) == 1)
