"""What happens in a kitchen as events: calls, operations of utensils, words, deliveries.

A call lasts from the step in which it is accepted until it is found done, an operation from the step
in which it is started until it is ready.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from backburner.kernel.values import Event, Refusal
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.grid import Grid
from backburner.worlds.collab_overcooked.game.state import (
    SEATS,
    Ask,
    Content,
    Cook,
    Kitchen,
    Operation,
    Reply,
    State,
)
from backburner.worlds.collab_overcooked.game.transition import GridStep

Kind = Literal["work", "wait", "refused"]


class Listener:
    """Is told what happens while answers are taken, more than events say. Its methods do nothing; a subclass
    overrides what it wants to know.

    ``cook`` is 0 or 1; ``now`` is the kitchen's time in steps.
    """

    def planned(self, cook: int, now: int, ask: Ask, reply: Reply, requests: tuple[str, ...]) -> None:
        """An answer is taken for what it was asked for. ``requests``: what the partner asks of the cook."""

    def logged(self, cook: int, opener: int, now: int, reply: Reply) -> None:
        """The say and plan of an answer as the released program logs them, with what cook ``opener`` has
        planned, corrected and begun to talk about in this step.

        Of a plan or correction that was asked for again, the first say with the last plan; of an answer in a
        talk the first of both. A plan that could not be read is empty.
        """

    def said(self, cook: int, now: int, reply: Reply, opens: bool) -> None:
        """A cook's turn in a talk, words or none. ``opens``: it is the first."""

    def refused(self, cook: int, now: int, call: str, refusal: Refusal) -> None:
        """A call cannot be begun or gone on with."""

    def acted(self, cook: int, now: int, call: str) -> None:
        """The kitchen logs a call, which was done in the step that ends now."""

    def passed(self, state: State) -> None:
        """A step of the kitchen is over. ``state.moves`` holds the moves that were made in it."""


SILENT = Listener()
"""Nobody listens."""


class Journal:
    """The events of one decision point, in the order of their times."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._late: list[Event] = []
        self.events: list[Event] = []

    def said(self, cook: int, now: int, words: str) -> None:
        """A cook speaks to its partner."""
        self.events.append(Event(now, "said", SEATS[cook], words.strip()))

    def begun(self, cook: int, now: int, call: Call, kind: Kind = "work") -> None:
        """A cook's call is accepted."""
        kind = "wait" if call.verb == calls.WAIT and kind == "work" else kind
        self.events.append(Event(now, "start", SEATS[cook], call.text, self._key(cook, now), kind))

    def closed(self, cook: int, now: int, call: str, since: int) -> None:
        """A cook's current call is over. One that is done in its very first step ends with that step."""
        end = Event(max(now, since + 1), "end", SEATS[cook], call, self._key(cook, since))
        (self._late if since == now else self.events).append(end)

    def refused(self, cook: int, now: int, call: str) -> None:
        """A call of an earlier plan is refused; the refusal of a call just decided is no event."""
        key = f"{SEATS[cook]}!{now}.{len(self.events)}"
        for what in ("start", "end"):
            self.events.append(Event(now, what, SEATS[cook], call, key, "refused"))

    def _key(self, cook: int, since: int) -> str:
        return f"{SEATS[cook]}@{since}"

    def passed(
        self, before: Kitchen, running: tuple[Operation, ...], step: GridStep
    ) -> tuple[Operation, ...]:
        """A step of the kitchen; returns the operations that run after it."""
        after, now = step.kitchen, before.steps
        in_progress = {operation.utensil: operation for operation in running}
        contents = {content.utensil: content for content in after.contents}
        for content in after.contents:
            if (content.cooking and content.utensil not in in_progress) or self._is_new(before, content):
                in_progress[content.utensil] = Operation(content.utensil, now, content.output)
                self.events.append(self._operation(in_progress[content.utensil], "start", now))
        self.events += self._late
        self._late.clear()
        for utensil, operation in list(in_progress.items()):
            if utensil not in contents or not contents[utensil].cooking:
                self.events.append(self._operation(operation, "end", after.steps))
                del in_progress[utensil]
        self.events += (
            Event(after.steps, "delivered", SEATS[cook], order)
            for cook, order in enumerate(step.met)
            if order
        )
        return tuple(in_progress.values())

    def _is_new(self, before: Kitchen, content: Content) -> bool:
        """Whether an operation that takes a single step was started in this one."""
        earlier = before.content(content.utensil)
        return content.ready and earlier is not None and not earlier.timer

    def _operation(self, operation: Operation, what: Literal["start", "end"], now: int) -> Event:
        utensil = self._grid.utensils[operation.utensil]
        label = f"{utensil.verb} {operation.output}"
        return Event(now, what, utensil.name, label, f"{utensil.name}@{operation.since}")

    def over(self, kitchen: Kitchen, cooks: Sequence[Cook], running: tuple[Operation, ...]) -> None:
        """Play is over: whatever is under way ends with it, calls of these cooks and operations."""
        for index, cook in enumerate(cooks):
            if cook.call and cook.since >= 0:
                self.closed(index, kitchen.steps, cook.call, cook.since)
        for operation in running:
            self.events.append(self._operation(operation, "end", kitchen.steps))
