"""Robotouille's values in play: the kitchen, what limits count, and what a player sees.

Time is counted in steps. The facts that hold are the bits of one integer; ``layout`` says which bit is
which fact.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backburner.kernel.values import Refusal
from backburner.worlds.robotouille.game.layout import Object


class Running(Struct, frozen=True):
    """A special effect at work: its index in the domain, and its things (-1: not made yet).

    ``counts`` has a number for each node of its tree: the ticks or pushes so far, or 1 where a node
    that counts nothing is complete. Example: lettuce cut twice, on a board that asks for three cuts,
    has the counts ``(2,)``.
    """

    effect: int
    args: tuple[int, ...]
    counts: tuple[int, ...]


class Kitchen(Struct, frozen=True, cache_hash=True):
    """What is true, the things made in play, those that are gone, and the effects at work in their order.

    ``facts`` and ``gone`` are bit sets: of facts, and of the indices of things (``0b100``: thing 2 is
    gone).
    """

    facts: int
    made: tuple[Object, ...] = ()
    gone: int = 0
    effects: tuple[Running, ...] = ()


class Feedback(Struct, frozen=True, omit_defaults=True):
    """What became of the last decisions: the names of the actions carried out, and what was refused."""

    done: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()


class Process(Struct, frozen=True):
    """An effect that takes time and goes on by itself; ``key`` is that of its activity in the log.

    ``label`` is what a person calls it, such as ``cook patty1``.
    """

    key: str
    label: str
    effect: int
    args: tuple[int, ...]
    paused: bool


Ended = Literal["", "completed", "finish", "step_limit", "attempts"]


class State(Struct, frozen=True):
    """The kitchen, whose turn it is (an index of robots), and what the limits count.

    ``jobs`` are the processes that are not complete. So many ``steps`` have passed, so many
    ``attempts`` were refused in a row, and so many ``failed_calls`` were used up by refused attempts.
    """

    kitchen: Kitchen
    jobs: tuple[Process, ...] = ()
    turn: int = 0
    steps: int = 0
    feedback: Feedback = Feedback()
    attempts: int = 0
    failed_calls: int = 0
    ended: Ended = ""


class Seen(Struct, frozen=True, cache_hash=True):
    """A thing and all that holds of it, each a sentence about it."""

    name: str
    type: str
    facts: tuple[str, ...]


class Observation(Struct, frozen=True):
    """What a player sees: every thing, the applicable actions, the robots it decides for.

    ``refusals`` are those of its own last decision, ``done`` the actions of it that were carried out.
    As in the release, timers, the grid and the steps that are left are not shown.
    """

    things: tuple[Seen, ...]
    possible: tuple[str, ...]
    goal: str
    robots: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()
