"""Persons on the server who speak in its chat, as the seat that instructs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from backburner.kernel.policy import Reply, Turn
from backburner.live.messages import Event

Said = tuple[str, str]
"""Who said something in the chat, and a line of it."""


class ChatInstructor:
    """Says what persons have said on the server since its last turn; it waits for nobody.

    ``hear`` gives what was said since it was last asked, the oldest first; our own bots are not among those
    who say it. ``answer`` makes of these lines the seat's decision. ``persons``: whose
    words count, whatever the case of their letters; everybody's, if there is none.
    """

    name = "chat"
    informed = False

    def __init__(
        self,
        hear: Callable[[], Sequence[Event]],
        answer: Callable[[Sequence[Said]], Any],
        persons: Sequence[str] = (),
    ) -> None:
        self._hear, self._answer = hear, answer
        self._persons = frozenset(name.lower() for name in persons)
        self.settings: Mapping[str, Any] = {"persons": sorted(persons)} if persons else {}

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """Their lines in order, as one instruction."""
        said = [(event.sender, event.text) for event in self._hear()]
        return Reply(self._answer([each for each in said if self._counts(each[0])]))

    def _counts(self, speaker: str) -> bool:
        return not self._persons or speaker.lower() in self._persons
