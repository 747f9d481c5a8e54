"""Robotouille's values in play: the kitchen, what limits count, and what a player sees.

Time is counted in steps. Facts are the bits of one integer; ``layout`` says which is which.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backburner.kernel.values import Refusal
from backburner.worlds.robotouille.game.layout import Object


class Running(Struct, frozen=True):
    """A special effect at work: which one of the domain's, over which things (-1: not made yet).

    ``counts`` has a number for each node of its tree: ticks or times so far, or 1 where a node
    without a count is complete.
    """

    effect: int
    args: tuple[int, ...]
    counts: tuple[int, ...]


class Kitchen(Struct, frozen=True):
    """What is true, what was made in play, what is no more, and the effects at work, in their order.

    ``facts`` and ``gone`` are sets of bits: of facts, and of the indices of things.
    """

    facts: int
    made: tuple[Object, ...] = ()
    gone: int = 0
    effects: tuple[Running, ...] = ()


class Feedback(Struct, frozen=True, omit_defaults=True):
    """What became of the last decision: which actions were carried out, what was refused."""

    done: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()


class Job(Struct, frozen=True):
    """An effect that takes time, under the key of its activity and what a person calls that."""

    key: str
    label: str
    effect: int
    args: tuple[int, ...]
    paused: bool


Ended = Literal["", "completed", "finish", "step_limit", "attempts"]


class State(Struct, frozen=True):
    """The kitchen, whose turn it is (an index of robots), and what the limits count.

    ``jobs`` are the effects that take time and are not complete. ``steps`` have passed; ``attempts``
    were refused in a row, ``failed_calls`` used up so.
    """

    kitchen: Kitchen
    jobs: tuple[Job, ...] = ()
    turn: int = 0
    steps: int = 0
    feedback: Feedback = Feedback()
    attempts: int = 0
    failed_calls: int = 0
    ended: Ended = ""


class Seen(Struct, frozen=True):
    """A thing and all that holds of it, each a sentence about it."""

    name: str
    type: str
    facts: tuple[str, ...]


class Observation(Struct, frozen=True):
    """What a player sees: every thing, the possible actions, the robots it decides for.

    ``refusals`` are those of its own last decision, ``done`` the actions of it that were carried out.
    Timers, the grid and the steps that are left are not shown (as released).
    """

    things: tuple[Seen, ...]
    possible: tuple[str, ...]
    goal: str
    robots: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()
