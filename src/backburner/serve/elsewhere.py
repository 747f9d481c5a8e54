"""Games that are carried out elsewhere as well: by bots on a server of the game itself, for all to see.

In such a game one seat reports what was seen there (``kernel/reported.py``). Whoever carries games out plays
it; without anybody, all is as the rules predict. What is built elsewhere is gone when a game ends, so that no
such game goes on after the site has started again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from backburner.agents.scripted import AsPredictedPolicy
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused
from backburner.kernel.policy import Policy, Reply, Turn

LIVE, PREDICTED = "live", AsPredictedPolicy.name
"""Who has the seat that reports, as the store and pages call it."""

CHAT = "chat"
"""The agent that says what persons have said in the chat there."""


class Elsewhere(Protocol):
    """A server on which games are carried out, one at a time."""

    @property
    def place(self) -> str:
        """What people call it, such as ``localhost:25565``."""

    async def changes(self, world: World[Any, Any, Any]) -> Sequence[str]:
        """What a game would change there, a line each, for whoever opens it to agree to; nothing is changed.
        There is none where everybody has agreed beforehand. Raises ``BackburnerError``."""

    async def begin(self, game: str, world: World[Any, Any, Any]) -> Policy:
        """Make these changes, and give who plays the seat that reports.

        Raises ``BackburnerError``; ``Refused`` while another game is played there.
        """

    def chat(self, game: str, world: World[Any, Any, Any]) -> Policy:
        """Who says, at the seat for that, what persons will have said there in a game's time; of a game that
        is played already, from now on."""

    async def end(self, game: str) -> None:
        """Put back what was changed for a game, if anything was; never raises ``BackburnerError``."""

    async def close(self) -> None:
        """No further games."""


class Unconfirmed(Refused):
    """A game is not opened before somebody agrees to ``changes`` on the server at ``place``."""

    def __init__(self, place: str, changes: Sequence[str]) -> None:
        self.place, self.changes = place, tuple(changes)
        super().__init__(f"nobody has agreed to the {len(changes)} changes that this game makes on {place}")


class PolicyBrain:
    """A policy as a ``Brain``."""

    def __init__(self, policy: Policy) -> None:
        self.name, self.informed = policy.name, policy.informed
        self.settings: Mapping[str, Any] = policy.settings
        self._policy, self._memory = policy, None

    async def think(self, turn: Turn) -> Reply:
        """See ``Brain``."""
        reply = await self._policy.decide(turn, self._memory)
        self._memory = reply.memory
        return reply


class Reporter(PolicyBrain):
    """Who plays the seat that reports. Nobody stands in for it: where it fails, the game ends, with what was
    seen until then."""
