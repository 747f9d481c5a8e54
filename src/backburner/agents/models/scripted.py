"""A scripted stand-in for a model: for trying out a set-up, for tests, for replaying known answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from backburner.agents.models.client import Completion, Message, Settings
from backburner.kernel.errors import BadFile, PolicyFailure
from backburner.kernel.values import digest

Script = Callable[[Sequence[Message]], str]
"""Writes the answer to a conversation. It may raise ``PolicyFailure`` as a model's client does."""


class ScriptedModel:
    """Answers by a script; a ``ModelClient`` that asks nobody.

    ``replies`` is a function of the conversation, or a list that every conversation goes through
    from its beginning: the n-th answer of a conversation is the n-th reply. After the last one the
    list starts again, or, with ``then="fail"``, the call fails. Nothing is remembered between calls,
    so conversations that share one script do not disturb each other.

    Call ``fail_at_call`` of each conversation (from 1) and all after it fail; ``latency_seconds``
    pass before each answer. A token is counted for every run of characters without a blank, the
    input being all messages. The settings of a call have no effect.
    """

    def __init__(
        self,
        replies: Sequence[str] | Script,
        *,
        name: str = "scripted",
        then: Literal["cycle", "fail"] = "cycle",
        latency_seconds: float = 0.0,
        fail_at_call: int | None = None,
    ) -> None:
        self.name = name
        self._script = replies if callable(replies) else _from_list(tuple(replies), then)
        self._replies_digest = None if callable(replies) else digest(tuple(replies))
        self._latency_seconds = latency_seconds
        self._fail_at_call = fail_at_call

    @classmethod
    def from_file(cls, path: Path | str, **options: Any) -> ScriptedModel:
        """One reply in each line of a text file; an empty line is an empty reply.

        ``options`` are those of the class. Raises ``BadFile``.
        """
        try:
            replies = Path(path).read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise BadFile(path, "", error.strerror or str(error)) from error
        except UnicodeDecodeError as error:
            raise BadFile(path, "", "not UTF-8 text") from error
        if not replies:
            raise BadFile(path, "", "a script holds one reply in each line, and this file is empty")
        return cls(replies, **options)

    @property
    def origin(self) -> Mapping[str, Any]:
        """The name, and which replies it gives if they are listed."""
        listed = {} if self._replies_digest is None else {"replies_digest": self._replies_digest}
        return {"model": self.name, **listed}

    async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
        """The script's answer; see ``ModelClient``."""
        await asyncio.sleep(self._latency_seconds)
        if self._fail_at_call is not None and (call := _answers_in(messages) + 1) >= self._fail_at_call:
            raise PolicyFailure("model", f"{self.name}: call {call} fails, as scripted")
        text = self._script(messages)
        read = sum(map(_tokens, [message.content for message in messages]))
        return Completion(text, read, _tokens(text), self._latency_seconds)

    async def aclose(self) -> None:
        """Nothing to let go of."""


def _from_list(replies: tuple[str, ...], then: Literal["cycle", "fail"]) -> Script:
    if not replies:
        raise ValueError("a scripted model needs at least one reply")

    def script(messages: Sequence[Message]) -> str:
        place = _answers_in(messages)
        if then == "fail" and place >= len(replies):
            raise PolicyFailure("model", f"the script ends after {len(replies)} replies")
        return replies[place % len(replies)]

    return script


def _answers_in(messages: Sequence[Message]) -> int:
    return [message.role for message in messages].count("assistant")


@lru_cache(maxsize=1 << 14)  # a growing conversation is counted again at each call
def _tokens(text: str) -> int:
    return len(text.split())
