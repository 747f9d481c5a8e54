"""Agents by name: what ``--agent`` accepts, and how each is made for a world."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from backburner.agents.cuisineworld.allocation import allocation
from backburner.agents.models.boundary import ModelClient, Settings
from backburner.agents.models.methods import METHODS, model_policy
from backburner.agents.own import maker, own_policy
from backburner.agents.planned import clumsy, greedy, oracle
from backburner.agents.recordings import replay_policy
from backburner.agents.scripted import FirstLegalPolicy, RandomPolicy, SerialPolicy
from backburner.agents.teams import JOIN, REPLAY, members_of
from backburner.kernel.contract import World
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.policy import Policy
from backburner.kernel.values import Seat

AnyWorld = World[Any, Any, Any]

DESCRIPTIONS: Mapping[str, str] = {
    "random": "draws among the legal decisions, seeded",
    "first-legal": "takes the first legal decision that does something",
    "serial": "one thing at a time: never starts anything while something runs",
    "greedy": "a heuristic: the article's (TimeArena, Recipe2Plan), a recipe follower (the other worlds)",
    "clumsy": "as greedy, with seeded slips (Collab-Overcooked)",
    "allocation": "CuisineWorld: the allocation problem of its article, solved at every step",
    "oracle": "plays the optimal plan (solved exactly, with proof)",
    "human": "a person at the terminal",
    "act": "language model, plain prompting: one call for each decision",
    "react": "language model, ReAct: thinks first, then acts",
    "replay:FILE": "plays the decisions of a recorded episode again, each seat its own",
    "MODULE:CLASS": "an agent of your own, made from the world",
}


class AgentSpec(Struct, frozen=True, omit_defaults=True):
    """An agent as asked for: its name and, for a language model, where it is and how it decodes.

    A name such as ``greedy+random`` is a team, with one agent for each seat in the order of the seats.
    """

    name: str
    model: str = ""
    base_url: str = ""
    temperature: float | None = 0.0
    max_tokens: int = 512

    @property
    def members(self) -> tuple[str, ...]:
        """The names of the team's agents; one that plays every seat if it is no team."""
        return members_of(self.name, _is_agent)

    @property
    def label(self) -> str:
        """What tells it from every other agent; a team of equals is as one agent for every seat."""
        labels = [f"{name}({self.model})" if name in METHODS else name for name in self.members]
        return labels[0] if len(set(labels)) == 1 else JOIN.join(labels)

    @property
    def needs_model(self) -> bool:
        """Whether it is, or has among its members, a language-model method."""
        return any(name in METHODS for name in self.members)


def check_spec(spec: AgentSpec) -> None:
    """Raises ``UnknownName`` for an agent that does not exist, ``Refused`` for one without a model,
    ``BadFile`` for a record that cannot be read; imports agents of the user's own.
    """
    for name in dict.fromkeys(spec.members):
        _check(name, spec)


def _check(name: str, spec: AgentSpec) -> None:
    if not name and len(spec.members) > 1:
        raise Refused(f"agent {spec.name!r}: a name is missing beside a '+'")
    if name == "replay:FILE":
        raise Refused("agent 'replay:FILE' needs the path of a record in place of FILE")
    if name == "human":
        raise Refused("a person plays in the terminal: backburner play SCENARIO")
    if name in METHODS and not spec.model:
        raise Refused(f"agent {name!r} needs a model: --model NAME and, for your own server, --base-url URL")
    if (file := recording_of(name)) is not None:
        read_episode(file)
    elif ":" in name and name != REPLAY:
        maker(name)
    elif name not in METHODS and name not in _SCRIPTED:
        raise UnknownName("agent", name, DESCRIPTIONS)


def recording_of(name: str) -> Path | None:
    """The record that ``replay:FILE`` plays again; ``None`` for any other agent."""
    file = name.removeprefix(REPLAY)
    return Path(file) if name.startswith(REPLAY) and file else None


def names_by_seat(spec: AgentSpec, world: AnyWorld) -> dict[Seat, str]:
    """Who plays which seat; raises ``Refused`` for a team of another number than there are seats."""
    names, seats = spec.members, world.seats
    if len(names) == 1:
        names *= len(seats)
    if len(names) != len(seats):
        there = f"{len(seats)} seat{'s' if len(seats) > 1 else ''} ({', '.join(seats)})"
        raise Refused(
            f"{world.id} has {there}, and agent {spec.name!r} names {len(names)} agents;"
            " name one for each seat in this order, or one for all"
        )
    return dict(zip(seats, names, strict=True))


def make_policies(spec: AgentSpec, world: AnyWorld, client: ModelClient | None = None) -> dict[Seat, Policy]:
    """The policy of each seat, one object for all seats of one name.

    ``client`` is where language-model methods send their calls. Raises what ``check_spec``,
    ``names_by_seat`` and the making of a policy raise.
    """
    check_spec(spec)
    by_seat = names_by_seat(spec, world)
    made: dict[str, Policy] = {}
    for name in dict.fromkeys(by_seat.values()):
        seats = [seat for seat in world.seats if by_seat[seat] == name]
        made[name] = _made(structs.replace(spec, name=name), world, client, seats)
    return {seat: made[name] for seat, name in by_seat.items()}


def make_policy(spec: AgentSpec, world: AnyWorld, client: ModelClient | None = None) -> Policy:
    """The policy of an agent that is no team, for every seat of a world; see ``make_policies``."""
    check_spec(spec)
    if len(spec.members) > 1:
        raise Refused(f"agent {spec.name!r} is a team, with a policy for each seat")
    return _made(spec, world, client, world.seats)


def _made(spec: AgentSpec, world: AnyWorld, client: ModelClient | None, seats: Sequence[Seat]) -> Policy:
    name = spec.name
    if name in METHODS:
        if client is None:
            raise Refused(f"agent {name!r} needs a model client")
        settings = Settings(temperature=spec.temperature, max_tokens=spec.max_tokens)
        return model_policy(name, client, settings)
    if (file := recording_of(name)) is not None:
        return replay_policy(file, world, seats)
    return _SCRIPTED[name](world) if name in _SCRIPTED else own_policy(name, world)


def _is_agent(name: str) -> bool:
    """Whether it looks like the name of an agent, for taking teams apart."""
    module, colon, kind = name.partition(":")
    own = bool(colon) and all(part.isidentifier() for part in (*module.split("."), kind))
    return own or name in DESCRIPTIONS or recording_of(name) is not None


_SCRIPTED: Mapping[str, Callable[[AnyWorld], Policy]] = {
    "random": lambda world: RandomPolicy(),
    "first-legal": lambda world: FirstLegalPolicy(),
    "serial": lambda world: SerialPolicy(),
    "greedy": greedy,
    "clumsy": clumsy,
    "allocation": allocation,
    "oracle": oracle,
}
