"""Recipe2Plan's rules and limits as values. Each field of ``Rules`` is one defect of the release.

``standard`` has none of them, ``released`` has them all.
"""

from __future__ import annotations

from msgspec import Struct

from backburner.kernel.errors import Refused


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """What a step does. A field that is true lets the released program's defect happen."""

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

    exact_text_only: bool = False
    """An action is found only in its exact shape, and beliefs also in the release's. False: spaces,
    capitals and units are free."""


STANDARD = Rules("standard")
RELEASED = Rules("released", *([True] * (len(Rules.__struct_fields__) - 1)))
PRESETS = {"standard": STANDARD, "released": RELEASED}


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """When play is cut off; ``None`` is no limit.

    ``turns``: decisions. ``revisions``: refused decisions that may be followed by another one.
    ``same_failure``: refusals in a row of the same thing. ``lag_violation_ends``: whether a broken
    lag ends play. Raises ``Refused`` for a limit that lets nobody begin.
    """

    turns: int | None = None
    revisions: int | None = None
    same_failure: int | None = None
    lag_violation_ends: bool = False

    def __post_init__(self) -> None:
        for name, least in (("turns", 1), ("revisions", 0), ("same_failure", 1)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise Refused(f"limits: {name} is {value}; it is at least {least}")


NO_LIMITS = Limits()


def article_limits(n_steps: int) -> Limits:
    """Ten revisions, three equal failures, no broken lag (article, section C.2); turns as released."""
    return Limits(turns=n_steps + 10, revisions=10, same_failure=3, lag_violation_ends=True)
