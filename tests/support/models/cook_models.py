"""Stand-ins for the models of two cooks. Each sees its own prompts alone, as models do.

The chef knows the oracle's part by heart, which it says when its prompt shows the time for it. The
assistant knows nothing of any recipe: it does what its prompt says that it is asked to do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from backburner.agents.models import Completion, Message
from backburner.agents.models.client import Settings
from backburner.kernel.episode import Episode
from backburner.kernel.replay import decisions_in, trajectory

ASKS = {
    "You have nothing to do": "plan",
    "Your partner speaks to you": "answer",
    "Your partner has answered": "continue",
    "Your call was refused": "correct",
    "Your last answer could not be used": "repair",
    "Write down, in one sentence": "reflect",
}
LESSON = "Do not ask for what is not there yet."


def asked_for(prompt: str) -> str:
    """What a prompt wants, by the words at its end."""
    return ASKS[max(ASKS, key=prompt.rfind)]


def said(plan: str, words: str = "[NOTHING]") -> str:
    """An answer in three fields."""
    return f"Analysis: as I see it.\nPlan: {plan}\nSay: {words}"


class CookModel:
    """A ``ModelClient`` for one cook. ``prompts`` holds what it was sent, as (purpose, text)."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.prompts: list[tuple[str, str]] = []

    @property
    def origin(self) -> Mapping[str, Any]:
        return {"model": self.name}

    async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
        """The answer to a prompt of two messages; there is never more before it."""
        assert [message.role for message in messages] == ["system", "user"]
        prompt = messages[-1].content
        ask = asked_for(prompt)
        self.prompts.append((ask, prompt))
        return Completion(LESSON if ask == "reflect" else self.answer(ask, prompt), 1, 1)

    def answer(self, ask: str, prompt: str) -> str:
        """The answer to what is asked."""
        raise NotImplementedError

    async def aclose(self) -> None:
        """Nothing to let go of."""


class KnowingChef(CookModel):
    """Says the chef's answers of an episode, each at its time."""

    def __init__(self, world: Any, episode: Episode) -> None:
        super().__init__("knowing-chef")
        self._lines = {
            (state.kitchen.steps, state.ask): world.words(decisions_in(world, entry)["chef"])
            for state, entry, _ in trajectory(episode, world)
            if "chef" in entry.answers
        }

    def answer(self, ask: str, prompt: str) -> str:
        steps = re.findall(r"^Step (\d+)\.", prompt, re.MULTILINE)[-1]
        return self._lines.get((int(steps), ask), said("wait(1)"))


class ObedientAssistant(CookModel):
    """Does what it is asked for; what is refused it tries again a step later, with what was to follow."""

    def __init__(self) -> None:
        super().__init__("obedient-assistant")
        self._agreed: list[str] = []
        self._refused = False

    def answer(self, ask: str, prompt: str) -> str:
        if ask == "answer":
            wanted = re.findall(r"asks you to do: (.*)\.$", prompt, re.MULTILINE)
            self._agreed = wanted[-1].split("; ") if wanted else []
            return said(";".join(self._agreed) or "wait(1)", "I do it. [END]")
        if ask == "correct":
            refused = re.findall(r"you plan: ([^;]*?)(?:;.*)?\.$", prompt, re.MULTILINE)[-1]
            self._agreed = self._agreed[self._agreed.index(refused) :]
            self._refused = True
        elif self._refused:
            self._refused = False
            return said(";".join(self._agreed))
        return said("wait(1)")
