"""A stand-in for a model that writes the oracle's whole plan when it is shown the beginning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backburner.agents.models import Completion, Message
from backburner.agents.models.client import Settings
from backburner.agents.models.examples import changes_between
from backburner.kernel.episode import Episode
from backburner.kernel.replay import decisions_in, trajectory


class PlanModel:
    """Answers every call with the decisions of a recorded episode in words; a ``ModelClient``.

    ``predicted``: with what changes after each of them. ``prompts`` holds what it was sent.
    """

    name = "plan-model"
    origin: Mapping[str, Any] = {"model": "plan-model"}

    def __init__(self, world: Any, episode: Episode, predicted: bool = False) -> None:
        self.prompts: list[str] = []
        self.plan = written(world, episode, predicted)

    async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
        """The plan."""
        self.prompts.append("\n".join(message.content for message in messages))
        return Completion(self.plan, 1, 1)

    async def aclose(self) -> None:
        """Nothing to let go of."""


def written(world: Any, episode: Episode, predicted: bool = False) -> str:
    """The plan of one seat, with an empty line between decisions."""
    parts = []
    for state, entry, step in trajectory(episode, world):
        for seat, decision in decisions_in(world, entry).items():
            words = world.words(decision)
            if predicted:
                words += "\nChanges:\n" + "\n".join(changes_between(world, state, step.state, seat))
            parts.append(words)
    return "\n\n".join(parts)
