"""Agents by name: what ``--agent`` accepts, and how each is made for a world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from backburner.agents.models.boundary import ModelClient, Settings
from backburner.agents.models.methods import METHODS, model_policy
from backburner.agents.planned import greedy, oracle
from backburner.agents.scripted import FirstLegalPolicy, PlanPolicy, RandomPolicy, SerialPolicy
from backburner.kernel.contract import World
from backburner.kernel.episode import Answer, read_episode
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.policy import Policy

AnyWorld = World[Any, Any, Any]

DESCRIPTIONS: Mapping[str, str] = {
    "random": "draws among the legal decisions, seeded",
    "first-legal": "takes the first legal decision that does something",
    "serial": "one thing at a time: never starts anything while something runs",
    "greedy": "a heuristic: the article's (TimeArena, Recipe2Plan), a recipe follower (Robotouille)",
    "oracle": "plays the optimal plan (solved exactly, with proof)",
    "replay:FILE": "gives the answers of a recorded episode",
    "human": "a person at the terminal",
    "act": "language model, plain prompting: one call for each decision",
    "react": "language model, ReAct: thinks first, then acts",
}


class AgentSpec(Struct, frozen=True, omit_defaults=True):
    """An agent as asked for: its name and, for a language model, where it is and how it decodes."""

    name: str
    model: str = ""
    base_url: str = ""
    temperature: float | None = 0.0
    max_tokens: int = 512

    @property
    def label(self) -> str:
        """The name it goes by in records and reports."""
        return f"{self.name}({self.model})" if self.model else self.name

    @property
    def needs_model(self) -> bool:
        """Whether it is a language-model method."""
        return self.name in METHODS


def check_spec(spec: AgentSpec) -> None:
    """Raises ``UnknownName`` for an agent that does not exist, ``Refused`` for one without a model."""
    plain, _, file = spec.name.partition(":")
    if spec.name not in DESCRIPTIONS and not (plain == "replay" and file):
        raise UnknownName("agent", spec.name, DESCRIPTIONS)
    if plain == "human":
        raise Refused("a person plays in the terminal: backburner play SCENARIO")
    if spec.name == "replay:FILE" and not Path(file).exists():
        raise Refused("agent 'replay:FILE' needs the path of a record in place of FILE")
    if spec.needs_model and not spec.model:
        raise Refused(
            f"agent {spec.name!r} needs a model: --model NAME and, for your own server, --base-url URL"
        )


def make_policy(spec: AgentSpec, world: AnyWorld, client: ModelClient | None = None) -> Policy:
    """The policy of an agent for a world; ``client`` is where language-model methods send their calls."""
    check_spec(spec)
    if spec.needs_model:
        if client is None:
            raise Refused(f"agent {spec.name!r} needs a model client")
        settings = Settings(temperature=spec.temperature, max_tokens=spec.max_tokens)
        return model_policy(spec.name, client, settings)
    if spec.name.startswith("replay:"):
        return replay_policy(Path(spec.name.removeprefix("replay:")), world)
    return _SCRIPTED[spec.name](world)


def replay_policy(path: Path, world: AnyWorld) -> PlanPolicy:
    """Gives the recorded texts again, or the decisions where no text was given."""
    episode = read_episode(path)
    if len(world.seats) != 1:
        raise Refused("a recording can be replayed by an agent in worlds with one seat only")
    answers = [entry.answers[world.seats[0]] for entry in episode.entries]
    return PlanPolicy("replay", [_answer(world, answer) for answer in answers], informed=False)


def _answer(world: AnyWorld, answer: Answer) -> Any:
    if answer.text is not None:
        return answer.text
    return answer.unread or msgspec.convert(answer.decision, world.decision_type)


_SCRIPTED: Mapping[str, Callable[[AnyWorld], Policy]] = {
    "random": lambda world: RandomPolicy(),
    "first-legal": lambda world: FirstLegalPolicy(),
    "serial": lambda world: SerialPolicy(),
    "greedy": greedy,
    "oracle": oracle,
}
