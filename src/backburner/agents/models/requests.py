"""Names of requests: what is sent to a model, as 32 hexadecimal digits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

from backburner.agents.models.client import Message, Settings
from backburner.kernel.values import canonical_json

MOST_CONVERSATIONS = 16
"""So many conversations of an episode are remembered in the making of digests."""


class RequestDigests:
    """Names requests by the digests of their messages and settings; the same request has the same name in
    every process. A conversation that has grown since it was last asked about costs its new messages alone.
    """

    def __init__(self) -> None:
        self._begun: dict[int, tuple[tuple[Message, ...], blake2b]] = {}

    def of(self, messages: Sequence[Message], settings: Settings) -> str:
        """The request's name, 32 hexadecimal digits."""
        conversation = tuple(messages)
        key = id(conversation[0])  # which the entry below keeps alive
        before, begun = self._begun.get(key, ((), None))
        if begun is None or conversation[: len(before)] != before:
            before, begun = (), blake2b(digest_size=16)
        for message in conversation[len(before) :]:
            begun.update(_digest_of(message))
        if len(self._begun) >= MOST_CONVERSATIONS and key not in self._begun:
            self._begun.pop(next(iter(self._begun)))
        self._begun[key] = conversation, begun
        whole = begun.copy()
        whole.update(_digest_of(settings))
        return whole.hexdigest()


@lru_cache(maxsize=1 << 16)
def _digest_of(part: Message | Settings) -> bytes:
    return blake2b(canonical_json(part), digest_size=16).digest()


def sent_to(model: str, request: str) -> str:
    """The name of a request as records have it: with the name of the model that it was sent to.

    Messages, decoding settings and the model's name are all that it is made of: no address, header or key.
    """
    return blake2b(canonical_json((model, request)), digest_size=16).hexdigest()
