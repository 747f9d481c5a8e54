"""Assessment: what a world's metrics say of a single decision, of a whole plan, and of being in time.

It is made for one world by ``registry.assessment``; the game itself knows nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol

from msgspec import Struct

from backburner.kernel.episode import Episode
from backburner.kernel.values import Refusal, Seat

# --- one decision ---------------------------------------------------------------------------------------


class Judgement(Struct, frozen=True):
    """A decision by one ``criterion``: it is good if the score is above 0; ``note`` says why it is not."""

    criterion: str
    score: float
    note: str = ""


class Worth(Protocol):
    """Says what one decision is worth where it is taken: for probes, which ask for it again and again."""

    def __call__(
        self,
        past: Sequence[tuple[Any, Mapping[Seat, Any]]],
        state: Any,
        seat: Seat,
        decision: Any,
    ) -> Sequence[Judgement]:
        """A decision of a seat that must decide in ``state``, by the same criteria every time.

        ``past``: the (state, decisions) that have led there from the start. ``decision`` may be a refusal:
        an answer that could not be read. Raises ``Refused`` where the scenario has nothing to compare with.
        """


# --- whole plans ----------------------------------------------------------------------------------------


class Violated(Protocol):
    """One thing that is wrong with a plan."""

    @property
    def family(self) -> str:
        """The kind of constraint that is violated, in the article's words."""


class Criticism(Protocol):
    """What is wrong with a plan; where nothing is, what could be better. Times in the world's unit."""

    @property
    def violations(self) -> Sequence[Violated]:
        """All of them, family by family."""

    @property
    def finish(self) -> int:
        """When the last action ends."""

    @property
    def idle(self) -> Sequence[tuple[int, int]]:
        """From when to when nobody has anything to do, in a plan without violations."""


class Critics(Protocol):
    """Say everything that is wrong with a whole plan at once, where the world stops at the first.

    A plan is a text, rows of JSON values, or a record, of which what was accepted is the plan.
    """

    def criticise(self, plan: str | Sequence[Any] | Episode) -> Criticism | Refusal:
        """What is wrong with a plan. A text that holds no plan comes back as a refusal.

        Raises ``msgspec.ValidationError`` for rows that are no plan, and nothing else.
        """

    def as_decision(self, plan: str | Sequence[Any] | Episode) -> Any | Refusal:
        """The plan as the one decision that the critics looked at: actions that start together stand in
        the order that serves the plan. Refuses and raises as ``criticise`` does.
        """

    def complaint(self, violation: Any) -> str:
        """The violation as a sentence."""

    def moment(self, time: int) -> str:
        """A time of a plan as plans write it."""


# --- windows of time ------------------------------------------------------------------------------------

WindowState = Literal["kept", "missed", "open"]
"""In time; too late, or never before it closed; neither, as play stopped before."""


class Window(Struct, frozen=True, omit_defaults=True):
    """``label`` had to happen from ``opens`` to ``closes``, in the world's unit of time.

    ``lane``: of the body, appliance or place concerned. ``met``: when what was wanted happened, if it
    did.
    """

    lane: str
    label: str
    opens: int | float
    closes: int | float
    state: WindowState
    met: int | float | None = None


# --- all of it ------------------------------------------------------------------------------------------


class Assessment(Struct, frozen=True):
    """What the metrics of a world can say; ``None`` for what they cannot.

    ``worth``: what one decision is worth. ``critics``: what is wrong with a whole plan. ``windows``: what
    had to happen from when to when in a record, finished or not, by when the windows open; timelines draw
    them.
    """

    worth: Worth | None = None
    critics: Critics | None = None
    windows: Callable[[Episode], tuple[Window, ...]] | None = None
