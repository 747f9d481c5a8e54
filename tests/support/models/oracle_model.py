"""A stand-in for a model that plays as well as the oracle, seeing only what a model sees.

It knows the oracle's plan of one scenario, word for word, and nothing else: it answers with the next
words of the plan when the prompt shows the text that the world shows there. A prompt that leaves the
present state out, or a parser that loses the answer, makes it fail.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from backburner.agents.models import Completion, Message
from backburner.agents.models.client import Settings
from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.kernel.episode import Episode
from backburner.kernel.play import play_now
from backburner.kernel.replay import decisions_in, trajectory

Say = Callable[[str, str], str | None]
"""From the prompt and the plan's next words to the answer; ``None`` where it only asks for thoughts."""


def played(world: Any, agent: str = "oracle") -> Episode:
    """The episode that the oracle, or another agent without a model, plays."""
    return play_now(world, make_policies(AgentSpec(agent), world))


class OracleModel:
    """Says the words of a recorded episode's decisions, one after the other; a ``ModelClient``.

    ``say`` puts them into the form that a method asks for. ``prompts`` holds what it was sent.
    """

    name = "oracle-model"
    origin: Mapping[str, Any] = {"model": "oracle-model"}

    def __init__(self, world: Any, episode: Episode, say: Say = lambda prompt, words: words) -> None:
        self.prompts: list[str] = []
        self._say = say
        self._left = deque(_shown_and_said(world, episode))

    async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
        """The next words of the plan, or a thought."""
        prompt = "\n".join(message.content for message in messages)
        self.prompts.append(prompt)
        text, words = self._left[0]
        assert text in prompt, "the model is not shown how things stand"
        answer = self._say(prompt, words)
        if answer is None:
            return Completion("Let me think.", 1, 1)
        self._left.popleft()
        return Completion(answer, 1, 1)

    async def aclose(self) -> None:
        """Nothing to let go of."""


def _shown_and_said(world: Any, episode: Episode) -> list[tuple[str, str]]:
    """For each decision of the episode, seat by seat: what its seat is shown, and how it is said."""
    return [
        (world.describe(world.observe(state, seat)).strip(), world.words(decision))
        for state, entry, _ in trajectory(episode, world)
        for seat, decision in decisions_in(world, entry).items()
    ]
