"""Agents as they are asked for: a name or a team, and of language models where they are, how they write."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import Path

from msgspec import Struct

from backburner.agents.models.client import Choices, ModelClient
from backburner.agents.models.method import AT, joined, split_name
from backburner.agents.models.methods import METHODS
from backburner.agents.planned import world_agents
from backburner.kernel.values import Seat

JOIN = "+"
REPLAY = "replay:"
WEIGHTS = "weights:"
PLANNER = "planner:"
SUFFIX = ".jsonl"
LATENCY = "latency"

_LATE = re.compile(r"(.+)@latency=([^/\\@]*)(?<!\.jsonl)", re.DOTALL)
"""A name with a latency; in the path of a record there may be others."""


def parted(name: str) -> tuple[str, str | None]:
    """(name, latency) of ``NAME@latency=SECONDS``; none of a name without, or of a language-model method."""
    late = None if is_method(name) else _LATE.fullmatch(name)
    return (name, None) if late is None else (late[1], late[2].strip())


def members_of(name: str, is_agent: Callable[[str], bool]) -> tuple[str, ...]:
    """The names of a team's members, one if it is no team; an empty one where a name is missing.

    The path of a record may itself hold ``+``, as names of scenarios and of teams do. It goes on to the
    end of the part that ends in ``.jsonl`` and that no agent's name (as ``is_agent`` has it) or nothing
    follows; without such a part, to the next agent's name.
    """
    members: list[str] = []
    parts = name.split(JOIN)
    for at, part in enumerate(parts):
        if members and _goes_on(members[-1], parts[at:], is_agent):
            members[-1] += JOIN + part
        else:
            members.append(part.strip())
    return tuple(members)


def _goes_on(member: str, rest: Sequence[str], is_agent: Callable[[str], bool]) -> bool:
    """Whether ``member`` is the beginning of a record's path that the rest goes on with."""
    if not member.startswith(REPLAY):
        return False
    if not is_agent(rest[0].strip()):
        return True
    own = takewhile(lambda part: not part.strip().startswith(REPLAY), rest)
    return not _ends(member) and any(map(_ends, own))


def _ends(part: str) -> bool:
    """Whether a record's path ends here, where its latency may follow."""
    return parted(part)[0].endswith(SUFFIX)


class Endpoint(Struct, frozen=True, omit_defaults=True):
    """A model and the server that has it; without a URL the client's usual one."""

    model: str
    base_url: str = ""


Clients = Callable[[Endpoint], ModelClient]
"""Where the calls to a model go."""


class AgentSpec(Struct, frozen=True, omit_defaults=True):
    """An agent as asked for.

    A name such as ``greedy+random`` is a team, with one agent for each seat in the order of the seats; a
    language-model method may have choices behind it, as in ``react@history=none``, any other agent the
    seconds that it takes for a decision, as in ``greedy@latency=2``. ``seats``: the models of single seats,
    (seat, endpoint) each, where these differ from ``model``; as that of ``slow`` the second of a method that
    asks two models. ``prompts``: a folder with wording of one's own.
    """

    name: str
    model: str = ""
    base_url: str = ""
    seats: tuple[tuple[Seat, Endpoint], ...] = ()
    decoding: Choices = Choices()
    prompts: str = ""

    @property
    def members(self) -> tuple[str, ...]:
        """The names of the team's agents; one that plays every seat if it is no team."""
        return members_of(self.name, is_agent)

    @property
    def label(self) -> str:
        """What tells it from every other agent; a team of equals is as one agent for every seat."""
        labels = [f"{plain(name)}({self._models})" if is_method(name) else name for name in self.members]
        return labels[0] if len(set(labels)) == 1 else JOIN.join(labels)

    @property
    def _models(self) -> str:
        own = [f"{seat}={endpoint.model}" for seat, endpoint in self.seats]
        return ",".join([self.model] * bool(self.model) + own)

    @property
    def needs_model(self) -> bool:
        """Whether it is, or has among its members, a language-model method."""
        return any(is_method(name) for name in self.members)

    @property
    def needs_clock(self) -> bool:
        """Whether it can play only where thinking takes time, as one does that a slow model advises."""
        return any(map(is_advised, self.members))

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """Every model that it asks."""
        if not self.needs_model:
            return ()
        usual = (Endpoint(self.model, self.base_url),) if self.model else ()
        return tuple(dict.fromkeys((*usual, *(endpoint for _, endpoint in self.seats))))

    def endpoint_of(self, seat: Seat) -> Endpoint:
        """The model that a seat is played by, if it is played by one."""
        return dict(self.seats).get(seat, Endpoint(self.model, self.base_url))

    @property
    def prompts_folder(self) -> Path | None:
        """The folder with one's own wording, if there is one."""
        return Path(self.prompts) if self.prompts else None


def is_method(name: str) -> bool:
    """Whether it is the name of a language-model method, with or without choices."""
    return name.partition(AT)[0].strip() in METHODS


def is_advised(name: str) -> bool:
    """Whether it is the name of a method that asks a second model."""
    return is_method(name) and METHODS[split_name(name)[0]].advised


def plain(name: str) -> str:
    """The name of a method with its choices in order."""
    return joined(*split_name(name))


def recording_of(name: str) -> Path | None:
    """The record that ``replay:FILE`` plays again; ``None`` for any other agent."""
    return _file_behind(REPLAY, name)


def weights_of(name: str) -> Path | None:
    """The weights that ``weights:FILE`` plays by; ``None`` for any other agent."""
    return _file_behind(WEIGHTS, name)


def _file_behind(kind: str, name: str) -> Path | None:
    file = parted(name)[0].removeprefix(kind)
    return Path(file) if name.startswith(kind) and file else None


def is_planner(name: str) -> bool:
    """Whether it is the name of a planner, with or without choices."""
    return name.startswith(PLANNER) and name != PLANNER


def is_agent(name: str) -> bool:
    """Whether it looks like the name of an agent, for taking teams apart."""
    name = parted(name)[0]
    module, colon, kind = name.partition(":")
    own = bool(colon) and all(part.isidentifier() for part in (*module.split("."), kind))
    filed = recording_of(name) is not None or weights_of(name) is not None
    return own or filed or is_planner(name) or name in descriptions() or is_method(name)


def descriptions() -> dict[str, str]:
    """Every agent that there is, in a few words: those that play every world, and those of some worlds."""
    of_worlds = {
        name: "; ".join(f"{world}: {help}" for world, help in by_world.items())
        for name, by_world in world_agents().items()
    }
    return {**GENERAL, **of_worlds, **OTHERS}


GENERAL = {
    "random": "draws among the legal decisions, seeded",
    "first-legal": "takes the first legal decision that does something",
    "serial": "one thing at a time: never starts anything while something runs",
}
"""Agents that play every world and are no language model."""

OTHERS = {
    "human": "a person at the terminal",
    **{method.name: f"language model, {method.summary}" for method in METHODS.values()},
    "replay:FILE": "plays the decisions of a recorded episode again, each seat its own",
    "planner:NAME": "plays by plans of what is left: ours, aries and other engines, or command:FILE",
    "weights:FILE": "plays by what a network has learned (backburner train)",
    "MODULE:CLASS": "an agent of your own, made from the world; its code is run",
}
"""Agents with somebody or something behind them."""
