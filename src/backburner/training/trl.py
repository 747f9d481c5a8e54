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

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from inspect import Parameter, Signature
from itertools import product
from typing import Any

from backburner.agents.models.toolbox import Received
from backburner.kernel import registry
from backburner.kernel.errors import Refused, shorten
from backburner.training.conversation import NO_CALLS, Conversation, Setting

BY_TOOL = "Give every reply by calling the tool `act`, one call at a time, until you hear that it is over."
"""Said at the beginning, as the world itself knows nothing of tools."""

OVER = "There is nothing more to do; end with a short answer and no tool call."

NO_MORE_CALLS = "the model called no more tools"


BY_TOOLS = "Act by calling tools, one call at a time, until you hear that it is over."


class _Rollout:
    """One episode at a time. Helpers are underscored: whatever else is public, TRL makes a tool."""

    _how = BY_TOOL
    _tools: Sequence[Mapping[str, Any]] = ()

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
        conversation = Conversation(scenario, seed, self._setting)
        if conversation.tools != list(self._tools):
            raise Refused(f"{scenario} has other tools than this environment; with_tools makes one for it")
        self._conversation = conversation
        return f"{conversation.told.text}\n\n{self._how}"

    def get_reward(self) -> float:
        """What the episode was worth. One that the model has left in its midst is stopped, and paid for as
        far as it went."""
        conversation = self._begun()
        if not conversation.told.over:
            self._earned += conversation.stop(NO_MORE_CALLS).reward
        return self._earned

    def _replied(self, text: str, *calls: Received) -> str:
        conversation = self._begun()
        if not conversation.told.over:
            self._earned += conversation.reply(text, calls=calls).reward
        told = conversation.told.text
        return f"{told}\n\n{OVER}" if conversation.told.over else told

    def _begun(self) -> Conversation:
        if self._conversation is None:
            raise Refused("reset begins an episode, and was not called")
        return self._conversation


class WorldEnvironment(_Rollout):
    """Of any world with words, by a tool that takes them."""

    def act(self, text: str) -> str:
        """
        Reply to the world: carry out your next decision and learn what follows from it.

        Args:
            text: Your decision, written in the form that the instructions ask for.

        Returns:
            What became of it, how things stand now, and what is asked next.
        """
        return self._replied(str(text))


# --- a world's own tools ------------------------------------------------------------------------------------


def with_tools(scenario: str, setting: Setting) -> Callable[[], _Rollout]:
    """An ``environment_factory`` whose tools are those that the method ``calls`` offers in a scenario; for
    rows of this one, and of others with the same tools.

    Raises ``Refused`` for another method, and what a conversation raises.
    """
    tools = Conversation(scenario, 0, setting).tools
    if not tools:
        raise Refused(f"{scenario}: {NO_CALLS}")
    own = {each["function"]["name"]: _method(each["function"]) for each in tools}
    return partial(type(scenario, (_Rollout,), {"_how": BY_TOOLS, "_tools": tools, **own}), setting)


def _method(tool: Mapping[str, Any]) -> Callable[..., str]:
    """A method from whose signature and docstring TRL makes the schema of a tool again; what it is given, the
    world reads."""

    def call(self: _Rollout, /, **given: Any) -> str:
        return self._replied("", Received(tool["name"], json.dumps(given)))

    properties: Mapping[str, Any] = tool["parameters"]["properties"]
    types: dict[str, Any] = {name: _type(schema["type"]) for name, schema in properties.items()}
    parameters = [
        Parameter(
            name, Parameter.KEYWORD_ONLY, annotation=kind, **({"default": None} if kind in OPEN else {})
        )
        for name, kind in types.items()
    ]
    about = [f"    {name}: {' '.join(_said(schema).split())}" for name, schema in properties.items()]
    call.__name__ = call.__qualname__ = tool["name"]
    call.__doc__ = "\n".join([tool["description"], *(["", "Args:", *about] if about else [])])
    call.__annotations__ = types
    call.__signature__ = Signature([Parameter("self", Parameter.POSITIONAL_ONLY), *parameters])  # type: ignore[attr-defined]
    return call


OPEN = (int | None, str | None)
"""Of what may be null, which need not be given."""


def _type(kinds: str | Sequence[str]) -> Any:
    plain = int if "integer" in kinds else str
    return plain | None if "null" in kinds else plain


def _said(schema: Mapping[str, Any]) -> str:
    choices = f" (choices: {json.dumps(schema['enum'])})" if "enum" in schema else ""
    return f"{schema['description']}{choices}"


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
