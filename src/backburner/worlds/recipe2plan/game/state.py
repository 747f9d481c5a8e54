"""Recipe2Plan's values in play: the kitchen, what limits count, and what the cook sees.

All times are seconds from the beginning.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backburner.kernel.values import MOST_SPENT, Fault, Refusal
from backburner.worlds.recipe2plan.game.beliefs import Beliefs


class Piece(Struct, frozen=True, gc=False):
    """Do step ``step`` of ``recipe`` for ``seconds``, beginning at second ``start`` of the clock.

    A later start than now is the only way to wait.
    """

    step: int
    recipe: str
    seconds: int
    start: int

    @property
    def stop(self) -> int:
        """When it ends."""
        return self.start + self.seconds


class Cook(Struct, frozen=True, omit_defaults=True, gc=False):
    """One decision, which may be a whole plan.

    First come the ``beliefs`` that the cook states, where the scenario asks for them; then ``actions``, which
    are tried in this order up to the first that is refused; then, if ``finish``, the cook's word that all
    is done. Each of the three may be missing. ``silent``: the seconds for which the cook says nothing, in
    thought; then nothing else counts. No text reads as that and no menu lists it.
    """

    actions: tuple[Piece, ...] = ()
    finish: bool = False
    beliefs: tuple[Beliefs, ...] = ()
    silent: Annotated[int, Meta(ge=0, le=MOST_SPENT)] = 0


FINISH = Cook(finish=True)

NO_ACTION = Refusal("no_action", Fault.UNREADABLE)
"""No action could be found in the answer."""


BELIEFS_NOT_ASKED = Refusal("beliefs_not_asked", Fault.ROLE)
"""Beliefs were stated in a scenario that does not ask for any."""


def unknown_recipe(name: str) -> Refusal:
    """No recipe of that name is to be cooked."""
    return Refusal("unknown_recipe", Fault.UNKNOWN_THING, (("recipe", name),))


def unknown_step(piece: Piece, last: int) -> Refusal:
    """The recipe has no such step; ``max`` is its last."""
    return Refusal("unknown_step", Fault.UNKNOWN_THING, (*_named(piece), ("max", last)))


def past_time(piece: Piece, clock: int) -> Refusal:
    """It would begin before now."""
    return Refusal("past_time", Fault.TIMING, (*_named(piece), ("start", piece.start), ("clock", clock)))


def beyond_time(piece: Piece) -> Refusal:
    """It would begin after ``LATEST``."""
    return Refusal("beyond_time", Fault.TIMING, _named(piece))


def no_duration(piece: Piece) -> Refusal:
    """It would take no time."""
    return Refusal("no_duration", Fault.MISMATCH, _named(piece))


def object_occupied(piece: Piece, appliance: str) -> Refusal:
    """The appliance is in use."""
    detail = (*_named(piece), ("start", piece.start), ("object", appliance))
    return Refusal("object_occupied", Fault.OCCUPIED, detail)


def object_property(piece: Piece, appliance: str, have: int | None, need: int) -> Refusal:
    """The appliance is not at the temperature that the step needs, in degrees Fahrenheit."""
    detail = (
        *_named(piece), ("start", piece.start), ("object", appliance), ("property", "temperature"),
        ("have", have), ("need", need),
    )  # fmt: skip
    return Refusal("object_property", Fault.MISMATCH, detail)


def time_constraint(piece: Piece, after: int, limit: int) -> Refusal:
    """The piece starts more than ``limit`` seconds after the end of step ``after``."""
    return Refusal("time_constraint", Fault.TIMING, (*_named(piece), ("after", after), ("limit", limit)))


def already_done(piece: Piece) -> Refusal:
    """The step is complete."""
    return Refusal("already_done", Fault.ALREADY_DONE, _named(piece))


def already_running(piece: Piece, finish: int) -> Refusal:
    """The step runs until ``finish`` (see ``Rules.running_mixed_up``)."""
    return Refusal("already_running", Fault.ALREADY_DONE, (*_named(piece), ("finish", finish)))


def duration_exceeds(piece: Piece, left: int) -> Refusal:
    """The piece is longer than what is left of the step."""
    detail = (*_named(piece), ("given", piece.seconds), ("left", left))
    return Refusal("duration_exceeds", Fault.MISMATCH, detail)


def not_interruptible(piece: Piece, left: int) -> Refusal:
    """The piece is shorter than the step, which cannot be split."""
    return Refusal("not_interruptible", Fault.MISMATCH, (*_named(piece), ("left", left)))


def dep_incomplete(piece: Piece, needs: int) -> Refusal:
    """Step ``needs`` of the recipe must come before, and is not complete."""
    return Refusal("dep_incomplete", Fault.MISSING_PREREQUISITE, (*_named(piece), ("needs", needs)))


def dep_unfinished(piece: Piece, needs: int, finish: int) -> Refusal:
    """Step ``needs`` of the recipe must come before, and runs until ``finish``."""
    detail = (*_named(piece), ("needs", needs), ("finish", finish))
    return Refusal("dep_unfinished", Fault.MISSING_PREREQUISITE, detail)


def _named(piece: Piece) -> tuple[tuple[str, int], tuple[str, str]]:
    return ("step", piece.step), ("recipe", piece.recipe)


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

Ended = Literal[
    "", "completed", "finish", "turn_limit", "revision_limit", "time_constraint", "stuck", "time_limit"
]


class State(Struct, frozen=True, gc=False):
    """The kitchen, and what the limits count.

    ``turns`` taken; ``revisions`` begun, each after a refusal; ``alike`` refusals in a row, all of
    the same ``failure``. ``beliefs``: those that were stated last, one for each recipe of which
    any were; unset, and not written down, where the scenario does not ask for them. ``asked``: the second
    that the cook was shown, if it has been silent since; unset otherwise.
    """

    kitchen: Kitchen
    feedback: Feedback = OPENING
    turns: int = 0
    revisions: int = 0
    failure: str = ""
    alike: int = 0
    ended: Ended = ""
    beliefs: tuple[Beliefs, ...] | UnsetType = UNSET
    asked: int | UnsetType = UNSET


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
