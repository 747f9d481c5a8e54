"""Recipe2Plan's values in play: the kitchen, what limits count, and what the cook sees.

All times are seconds from the beginning.
"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from backburner.kernel.values import Refusal
from backburner.worlds.recipe2plan.game.beliefs import Beliefs

Interval = tuple[int, int]
"""From a second up to, not including, another."""


class Running(Struct, frozen=True, gc=False):
    """A job that goes on by itself until ``ends``; it was the ``number``-th accepted action."""

    ends: int
    job: int
    number: int


class Kitchen(Struct, frozen=True, gc=False):
    """What has been cooked so far.

    For each job (see ``Compiled``): the seconds ``left`` and when its last piece ``ends`` (``None``
    if it was not begun). For each appliance: when it is ``busy`` (past intervals are dropped) and its
    temperature in degrees Fahrenheit (``None`` until it is preheated). ``done`` counts the complete
    jobs; one that goes on by itself is complete when it starts. ``actions`` were accepted and take
    ``worked`` seconds together; the last of them to end does so at ``finish``.
    """

    clock: int
    left: tuple[int, ...]
    ends: tuple[int | None, ...]
    busy: tuple[tuple[Interval, ...], ...]
    fahrenheit: tuple[int | None, ...]
    running: tuple[Running, ...] = ()
    done: int = 0
    actions: int = 0
    worked: int = 0
    finish: int = 0


class Feedback(Struct, frozen=True, omit_defaults=True, gc=False):
    """What became of the last decision: how many actions were carried out, and what was refused.

    ``started``: the action goes on by itself; ``cooked``: it kept the cook busy; ``several``: there
    were more; ``refused``: the last of them was refused; ``stated``: beliefs were stated, and no more.
    """

    kind: Literal["opening", "started", "cooked", "several", "refused", "finish", "stated"]
    executed: int = 0
    refusal: Refusal | None = None


OPENING = Feedback("opening")

Ended = Literal["", "completed", "finish", "turn_limit", "revision_limit", "time_constraint", "stuck"]


class State(Struct, frozen=True, gc=False):
    """The kitchen, and what the limits count.

    ``turns`` taken; ``revisions`` begun, each after a refusal; ``alike`` refusals in a row, all of
    the same ``failure``. ``beliefs``: those that were stated last, one for each recipe of which
    any were; unset, and not written down, where the scenario does not ask for them.
    """

    kitchen: Kitchen
    feedback: Feedback = OPENING
    turns: int = 0
    revisions: int = 0
    failure: str = ""
    alike: int = 0
    ended: Ended = ""
    beliefs: tuple[Beliefs, ...] | UnsetType = UNSET


class Appliance(Struct, frozen=True):
    """An appliance as the cook sees it."""

    name: str
    occupied: bool
    fahrenheit: int | None


class UnderWay(Struct, frozen=True):
    """A step that goes on by itself until ``ends``."""

    recipe: str
    step: int
    ends: int


class Missed(Struct, frozen=True):
    """A step that can no longer start within ``seconds`` of the end of step ``after``."""

    recipe: str
    step: int
    after: int
    seconds: int


class Ready(Struct, frozen=True):
    """Steps, as (recipe, number), that can be started from second ``time`` on."""

    time: int
    steps: tuple[tuple[str, int], ...]


class Observation(Struct, frozen=True):
    """What the cook is told: the clock, what became of its decision, what the kitchen looks like.

    ``ready``: what can be started, perhaps nothing; ``None`` where no hint is given. ``beliefs``: what the
    cook has stated; ``None`` where it is not asked to.
    """

    clock: int
    feedback: Feedback
    appliances: tuple[Appliance, ...]
    under_way: tuple[UnderWay, ...]
    missed: tuple[Missed, ...] = ()
    ready: tuple[Ready, ...] | None = None
    beliefs: tuple[Beliefs, ...] | None = None
