"""What the cook can decide in Recipe2Plan, and the codes of what is refused.

The codes are the released program's kinds of error; article, Table 15, has an example of most.
"""

from __future__ import annotations

from msgspec import Struct

from backburner.kernel.values import Fault, Refusal
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
    is done. Each of the three may be missing.
    """

    actions: tuple[Piece, ...] = ()
    finish: bool = False
    beliefs: tuple[Beliefs, ...] = ()


FINISH = Cook(finish=True)

LATEST = 2**53
"""The greatest time that counts, in seconds: all up to it are exact as floating-point numbers, in which the
release counts. An action that starts later is refused; any greater number is read as one more than this."""

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
