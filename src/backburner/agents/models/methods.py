"""Prompting methods: how a model is asked for a decision. They know no world.

A method is a few calls written down as a function over an ``Exchange``, and a folder of templates
with the words of each call. Each decision adds to one conversation, which is never cut.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from backburner.agents.models.boundary import Message, ModelClient, Settings
from backburner.agents.models.exchange import Exchange
from backburner.agents.models.prompts import Prompts
from backburner.kernel.errors import UnknownName
from backburner.kernel.policy import Reply, Turn


class Method(Struct, frozen=True):
    """A prompting method: the message it opens a conversation with, and the calls of a decision."""

    opening: str
    decide: Callable[[Exchange], Awaitable[str]]


async def act(exchange: Exchange) -> str:
    """Plain prompting: tell how things stand, take the answer as the decision.

    One call for each decision (TimeArena, section 4.1).
    """
    return await exchange.ask("act")


async def react(exchange: Exchange) -> str:
    """ReAct (Yao et al., 2023): ask for thoughts first, then for a decision in keeping with them.

    Two calls for each decision; the thoughts stay in the conversation.
    """
    await exchange.think("think")
    return await exchange.ask("act")


METHODS: Mapping[str, Method] = {
    "act": Method("act", act),
    "react": Method("think", react),
}
"""The methods by name; each has its templates in ``templates/<name>``."""


class ModelPolicy:
    """A language model, asked by one method; a ``Policy`` that holds nothing of any episode.

    What an episode remembers is its conversation, a tuple of ``Message``.
    """

    informed = False

    def __init__(self, method: str, client: ModelClient, settings: Settings, prompts: Prompts) -> None:
        self.name = f"{method}({client.name})"
        self.settings: Mapping[str, Any] = {
            "method": method,
            **client.origin,
            **structs.asdict(settings),
            "prompts": prompts.digest,
        }
        self._decide = METHODS[method].decide
        self._client, self._settings, self._prompts = client, settings, prompts

    async def decide(self, turn: Turn, memory: tuple[Message, ...] | None) -> Reply:
        """The model's answer as text; raises ``PolicyFailure`` if a call fails."""
        exchange = Exchange(self._client, self._settings, self._prompts, turn, memory or ())
        answer = await self._decide(exchange)
        return Reply(answer, exchange.conversation, exchange.thoughts, exchange.spent)


def model_policy(
    method: str, client: ModelClient, settings: Settings | None = None, *, prompts: Path | None = None
) -> ModelPolicy:
    """A model asked by the method of this name.

    ``settings`` default to temperature 0. ``prompts`` is a folder with wording of one's own; see
    ``Prompts``. Raises ``UnknownName``, and ``BadFile`` for faulty templates.
    """
    return ModelPolicy(method, client, settings or Settings(), _prompts(method, prompts))


def first_prompt(method: str, briefing: str, text: str, *, prompts: Path | None = None) -> list[Message]:
    """What a model is sent first, word for word, when the world says ``briefing`` and ``text``."""
    wording = _prompts(method, prompts)
    opening = wording.render(METHODS[method].opening, first=True, briefing=briefing, text=text)
    return [Message("user", opening)]


def _prompts(method: str, folder: Path | None) -> Prompts:
    if method not in METHODS:
        raise UnknownName("prompting method", method, METHODS)
    return Prompts(method, folder)
