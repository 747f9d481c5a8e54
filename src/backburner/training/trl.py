"""The worlds as an environment of TRL: a class for ``GRPOTrainer(environment_factory=...)``.

    from functools import partial

    trainer = GRPOTrainer(
        model="...",
        train_dataset=Dataset.from_list(rows(["timearena/singles"], seeds=range(8))),
        environment_factory=partial(WorldEnvironment, Setting(reward="metric")),
        args=GRPOConfig(num_generations=8, max_completion_length=4096, ...),
    )

TRL calls ``reset`` with a row's columns, offers every other public method to the model as a tool, and asks
``get_reward`` once the rollout is over. It makes few instances and resets them again and again. It is not
imported here: any trainer that takes such a class can use it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from backburner.kernel import registry
from backburner.kernel.errors import Refused, shorten
from backburner.training.conversation import Conversation, Setting

BY_TOOL = "Give every reply by calling the tool `act`, one call at a time, until you hear that it is over."
"""Said at the beginning, as the world itself knows nothing of tools."""

OVER = "There is nothing more to do; end with a short answer and no tool call."

NO_MORE_CALLS = "the model called no more tools"


class WorldEnvironment:
    """One episode at a time, of any world with words. Helpers are underscored: whatever else is public,
    TRL makes a tool."""

    def __init__(self, setting: Setting | None = None) -> None:
        self._setting = setting or Setting()
        self._conversation: Conversation | None = None
        self._earned = 0.0

    def reset(self, scenario: str = "", seed: int = 0, **row: Any) -> str:
        """Begin the episode of a row and forget the one before; what the model is told first.

        All rollouts of a group have the same row, hence the same scenario and seed. Other columns are left
        alone. Raises ``Refused`` for a row without a scenario, and what a conversation raises.
        """
        self._conversation, self._earned = None, 0.0
        if not isinstance(scenario, str) or not scenario:
            columns = ", ".join(sorted(row)) or "none"
            raise Refused(f"a row needs a column 'scenario', such as timearena/cooking1; it has {columns}")
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise Refused(f"column 'seed': a whole number, not {shorten(repr(seed))}")
        self._conversation = Conversation(scenario, seed, self._setting)
        return f"{self._conversation.told.text}\n\n{BY_TOOL}"

    def act(self, text: str) -> str:
        """
        Reply to the world: carry out your next decision and learn what follows from it.

        Args:
            text: Your decision, written in the form that the instructions ask for.

        Returns:
            What became of it, how things stand now, and what is asked next.
        """
        conversation = self._begun()
        if not conversation.told.over:
            self._earned += conversation.reply(str(text)).reward
        told = conversation.told.text
        return f"{told}\n\n{OVER}" if conversation.told.over else told

    def get_reward(self) -> float:
        """What the episode was worth. One that the model has left in its midst is stopped, and paid for as
        far as it went."""
        conversation = self._begun()
        if not conversation.told.over:
            self._earned += conversation.stop(NO_MORE_CALLS).reward
        return self._earned

    def _begun(self) -> Conversation:
        if self._conversation is None:
            raise Refused("reset begins an episode, and was not called")
        return self._conversation


def rows(scenarios: Sequence[str] | str, seeds: Iterable[int] = (0,)) -> list[dict[str, Any]]:
    """A row for each scenario and seed, for ``datasets.Dataset.from_list``.

    ``scenarios``: ids and suites, or one of them. The prompt is empty: ``reset`` adds what is told first.
    Raises ``UnknownName``.
    """
    names = [scenarios] if isinstance(scenarios, str) else scenarios
    ids = [id for name in names for id in registry.expand(name)]
    return [
        {"prompt": [{"role": "user", "content": ""}], "scenario": scenario, "seed": seed}
        for scenario, seed in product(ids, seeds)
    ]
