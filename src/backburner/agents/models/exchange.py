"""The calls that lead to one decision: what is said, thought and spent on the way."""

from __future__ import annotations

from backburner.agents.models.boundary import Completion, Message, ModelClient, Settings
from backburner.agents.models.prompts import Prompts
from backburner.kernel.policy import Spent, Thought, Turn


class Exchange:
    """One decision in the making, on top of the conversation so far.

    A prompting method asks and thinks; the exchange keeps the growing conversation, the thoughts
    and the cost.
    """

    def __init__(
        self,
        client: ModelClient,
        settings: Settings,
        prompts: Prompts,
        turn: Turn,
        conversation: tuple[Message, ...],
    ) -> None:
        self.turn = turn
        self.conversation = conversation
        self.thoughts: tuple[Thought, ...] = ()
        self.spent = Spent()
        self._client, self._settings, self._prompts = client, settings, prompts

    async def ask(self, message: str) -> str:
        """Send the method's message of this name; the model's answer, which stays in the conversation."""
        prompt = self._prompts.render(
            message, first=not self.conversation, briefing=self.turn.briefing, text=self.turn.text
        )
        self.conversation += (Message("user", prompt),)
        completion = await self._client.complete(self.conversation, self._settings)
        self.conversation += (Message("assistant", completion.text),)
        self.spent = _add(self.spent, completion)
        return completion.text

    async def think(self, message: str) -> str:
        """``ask``, and note the answer as a thought of that name."""
        text = await self.ask(message)
        self.thoughts += (Thought(message, text),)
        return text


def _add(spent: Spent, completion: Completion) -> Spent:
    return Spent(
        seconds=spent.seconds + completion.seconds,
        calls=spent.calls + 1,
        input_tokens=spent.input_tokens + completion.input_tokens,
        output_tokens=spent.output_tokens + completion.output_tokens,
    )
