"""Recipe2Plan's rules and limits as values. Each field of ``Rules`` in ``DEFECTS`` is one of the release.

``standard`` has none of them, ``released`` has them all. The other fields are choices, in which both agree.
"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from backburner.kernel.errors import Refused

PlanReader = Literal["summary", "summary-repaired", "agent"]
"""Who reads a whole plan, in the release; see ``reading.PlanReading``."""


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """What a step does. A field of ``DEFECTS`` that is true lets the released program's defect happen."""

    name: str = "standard"

    refused_actions_move_clock: bool = False
    """An action of a known step moves the clock to its start, even when it is then refused."""

    zero_length_actions: bool = False
    """Zero seconds of a splittable or complete step are accepted. They end a running step for those
    that wait for it, and restart every lag that counts from a complete one."""

    lags_checked_first: bool = False
    """A lag is judged before it is asked whether the step is done, or its prerequisites are: a
    repeated step can break a lag. False: it is judged last."""

    expired_lags_unnoticed: bool = False
    """A lag is broken only when the late step is tried. False: as soon as it can no longer be kept."""

    running_mixed_up: bool = False
    """A step that is running is refused as done. A piece that is too long for what is left of a begun step
    is refused as running."""

    second_0_forgotten: bool = False
    """Where steps are mixed up so, a piece that ended at second 0 counts as none: the next one is refused
    for its length."""

    goes_on_when_complete: bool = False
    """When every step is complete, play goes on until the cook says that all is done."""

    last_revision_ends_play: bool = False
    """The action after the last revision ends play, even if it is accepted."""

    stuck_by_message: bool = False
    """The stuck rule compares messages, in which lengths are cut down to whole minutes or hours and
    the clock may differ. False: it compares decisions (article, section C.2)."""

    thoughts_are_read: bool = False
    """An action that is merely considered in the thought is carried out, one before it is lost, and
    ``*/`` finishes. False: the answer is what follows the first ``Action:``."""

    reasoning_is_read: bool = False
    """Of a model of DeepSeek's, the reasoning that its server tells apart stands before the answer, between
    ``<think>`` and ``</think>``. False: it is no part of the answer."""

    exact_text_only: bool = False
    """An action is found only in its exact shape, and beliefs also in the release's. False: spaces,
    capitals and units are free."""

    lags_bind_first_piece: bool = False
    """A choice. A lag of a step that is done in pieces binds only the first of them. False: each has to
    start in time. The article says that the step is *performed* within the interval (section 3.1), and the
    release judges every piece; if the first were enough, one second of a step would keep its lag, and the
    lag would bind nothing."""

    plan_reader: PlanReader = "summary"
    """A choice. Who of the release reads an answer that is a whole plan: the summarizer, whose numbers are
    reported, with its repair of times or without, or the program that asks for the plan."""


DEFECTS = tuple(
    field
    for field in Rules.__struct_fields__
    if field not in ("name", "lags_bind_first_piece", "plan_reader")
)
STANDARD = Rules("standard")
RELEASED = replace(STANDARD, name="released", **dict.fromkeys(DEFECTS, True))
PRESETS = {"standard": STANDARD, "released": RELEASED}


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """When play is cut off; ``None`` is no limit.

    ``turns``: decisions. ``revisions``: refused decisions that may be followed by another one.
    ``same_failure``: refusals in a row of the same thing. ``lag_violation_ends``: whether a broken
    lag ends play. ``seconds``: the decision with which the clock gets there is the last one; not written
    where there is no such limit. Raises ``Refused`` for a limit that lets nobody begin.
    """

    turns: int | None = None
    revisions: int | None = None
    same_failure: int | None = None
    lag_violation_ends: bool = False
    seconds: int | UnsetType = UNSET

    def __post_init__(self) -> None:
        for name, least in (("turns", 1), ("revisions", 0), ("same_failure", 1), ("seconds", 1)):
            value = getattr(self, name)
            if value is not None and value is not UNSET and value < least:
                raise Refused(f"limits: {name} is {value}; it is at least {least}")


NO_LIMITS = Limits()

LOG_RULES = replace(RELEASED, name="released log", last_revision_ends_play=False)
LOG_LIMITS = Limits(revisions=10)
"""How the released summarizer plays a log of the loop again: texts as they were kept, read whole, without
the loop's ends, up to the eleventh failure."""


def article_limits(n_steps: int) -> Limits:
    """Ten revisions, three equal failures, no broken lag (article, section C.2); turns as released."""
    return Limits(turns=n_steps + 10, revisions=10, same_failure=3, lag_violation_ends=True)
