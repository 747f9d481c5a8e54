"""What changes in play, what can be decided, what is told."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backburner.kernel.values import Refusal
from backburner.worlds.desk.game.content import Value

Phase = Literal["running", "paused", "ok", "failed", "rejected", "cancelled"]
"""``rejected``: it ended, and something that it was given was wrong."""


class Run(Struct, frozen=True, array_like=True, gc=False):
    """The last time that a job was begun.

    ``number``: how often it was begun, itself included. ``attempt``: which of its attempts this is, from 0.
    ``began``, ``end``: of the part that runs, with its hands; ``answered``: whether that comes after a pause.
    ``right``: whether all that it was given is right. ``told``: whether the seat knows how it ended.
    ``asked``: the minute of the last check in vain, -1 for none.
    """

    job: str
    number: int
    attempt: int
    began: int
    end: int
    phase: Phase = "running"
    right: bool = True
    told: bool = False
    answered: bool = False
    asked: int = -1


class Done(Struct, frozen=True, array_like=True, gc=False):
    """A deliverable or an answer that was given at a minute, and whether it is right."""

    name: str
    minute: int
    right: bool


class Telling(Struct, frozen=True, array_like=True, gc=False):
    """Something that the seat is told. ``name``: of the job or request, or which notice of the scenario's it
    is. ``how``: how a job ended. ``attempt``: which one."""

    minute: int
    what: Literal["end", "pause", "request", "notice"]
    name: str
    how: str = ""
    attempt: int = 0


class Feedback(Struct, frozen=True, omit_defaults=True, gc=False):
    """What became of the last decision, which was taken at the minute ``since``."""

    kind: Literal[
        "", "begun", "filed", "checked", "wasted", "replied", "resumed", "cancelled", "waited", "refused"
    ]
    name: str = ""
    since: int = 0
    refusal: Refusal | None = None


class State(Struct, frozen=True, gc=False):
    """``runs``: in the order of the scenario's jobs. ``news``: what was told with what came of the last
    decision; ``unshown``: what has been told since. ``decisions``: calls that were made. ``closed``: why play
    is over. ``busy_until``: the minute until which the attention is held; as calls last until then, it is set
    between two of them only where every minute is asked about."""

    minute: int = 0
    runs: tuple[Run, ...] = ()
    filed: tuple[Done, ...] = ()
    answered: tuple[Done, ...] = ()
    feedback: Feedback = Feedback("")
    news: tuple[Telling, ...] = ()
    unshown: tuple[Telling, ...] = ()
    decisions: int = 0
    seed: int = 0
    closed: Literal["", "done", "left", "out of time", "out of decisions"] = ""
    busy_until: int | UnsetType = UNSET

    @property
    def held(self) -> bool:
        """Whether the attention is held."""
        return self.busy_until is not UNSET

    @property
    def free_at(self) -> int:
        """The minute at which the attention is free."""
        return self.minute if self.busy_until is UNSET else self.busy_until

    @property
    def checking(self) -> str:
        """The job that is being checked; what is found shows when that is over."""
        return self.feedback.name if self.held and self.feedback.kind in ("checked", "wasted") else ""


# --- decisions ----------------------------------------------------------------------------------------------


class Start(
    Struct, frozen=True, tag_field="call", tag="start", forbid_unknown_fields=True, omit_defaults=True
):
    """Begin the job of a tool and a subject with these inputs."""

    tool: str
    subject: str = ""
    inputs: tuple[tuple[str, Value], ...] = ()


class Check(Struct, frozen=True, tag_field="call", tag="check", forbid_unknown_fields=True):
    """Look how a job stands."""

    job: str


class Reply(
    Struct, frozen=True, tag_field="call", tag="reply", forbid_unknown_fields=True, omit_defaults=True
):
    """Answer a request, or the question of a job that pauses."""

    to: str
    value: Value = ""


class Cancel(Struct, frozen=True, tag_field="call", tag="cancel", forbid_unknown_fields=True):
    """Stop a job."""

    job: str


class Wait(Struct, frozen=True, tag_field="call", tag="wait", forbid_unknown_fields=True, omit_defaults=True):
    """Let time pass: so many minutes, or until a minute, or until something is told that ``wakes``: all of a
    level or above, or all of a job."""

    minutes: int | None = None
    until: int | None = None
    wakes: tuple[str, ...] = ("note",)


class Idle(Struct, frozen=True, tag_field="call", tag="idle", forbid_unknown_fields=True):
    """Say nothing for so many minutes."""

    ticks: Annotated[int, Meta(ge=1, le=100_000)]


class Finish(Struct, frozen=True, tag_field="call", tag="finish", forbid_unknown_fields=True):
    """Leave the desk."""


Decision = Start | Check | Reply | Cancel | Wait | Idle | Finish
NEXT_NOTICE = Wait()
A_MINUTE = Wait(1)
FINISH = Finish()

# --- what the seat sees -------------------------------------------------------------------------------------


class Seen(Struct, frozen=True, array_like=True, gc=False):
    """A job that was begun, as the seat knows it: since when it runs, between which minutes it is said to end
    (or to ask), when a check was made in vain."""

    job: str
    phase: Phase
    number: int
    attempt: int
    since: int
    least: int | None = None
    most: int | None = None
    asked: int = -1
    answered: bool = False

    @property
    def run(self) -> str:
        """What this run of the job is called, and no other: ``export orders#2``."""
        return f"{self.job}#{self.number}"


class Observation(Struct, frozen=True, gc=False):
    """All that the seat knows. ``answered``, ``open``, ``lost``: requests that have come, by name.
    ``busy_until``: the minute until which its attention is held; ``None`` when it is free."""

    minute: int
    feedback: Feedback
    news: tuple[Telling, ...]
    jobs: tuple[Seen, ...]
    answered: tuple[str, ...]
    open: tuple[str, ...]
    lost: tuple[str, ...]
    busy_until: int | None = None

    def seen(self, job: str) -> Seen | None:
        """How a job stands, if it was ever begun."""
        return next((each for each in self.jobs if each.job == job), None)
