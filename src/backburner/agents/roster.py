"""Agents by name: what ``--agent`` accepts, and how each is made for a world."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import structs

from backburner.agents.latency import LatePolicy, check_latency
from backburner.agents.models.method import AT, split_name
from backburner.agents.models.policy import SLOW, check_method, method_settings, model_policy
from backburner.agents.own import maker, own_policy
from backburner.agents.planned import (
    ORACLE,
    check_world_agent,
    slow_oracle,
    trained_agent,
    world_agent,
    world_agents,
)
from backburner.agents.planner import check_planner, planner_policy
from backburner.agents.scripted import (
    AsPredictedPolicy,
    BusyPolicy,
    FirstLegalPolicy,
    RandomPolicy,
    SerialPolicy,
    replay_policy,
)
from backburner.agents.spec import (
    LATENCY,
    PLANNER,
    REPLAY,
    WEIGHTS,
    AgentSpec,
    Clients,
    descriptions,
    is_method,
    is_planner,
    parted,
    recording_of,
    weights_of,
)
from backburner.kernel.contract import World
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.files import check_regular
from backburner.kernel.policy import Policy
from backburner.kernel.reported import reporter_of
from backburner.kernel.values import Seat

AnyWorld = World[Any, Any, Any]


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
    if name in (WEIGHTS, "weights:FILE"):
        raise Refused("agent 'weights:FILE' needs the path of a file of weights in place of FILE")
    if name == "human":
        raise Refused("a person plays in the terminal: backburner play SCENARIO")
    given, (name, latency) = name, parted(name)
    check_latency(given, latency)
    if is_method(name):
        if LATENCY in split_name(name)[1]:
            raise Refused(f"agent {name!r}: a language model takes as long as its answers do, and no latency")
        check_method(name)
        if not spec.endpoints:
            raise Refused(
                f"agent {name!r} needs a model: --model NAME, or NAME@base_url=URL on your own server"
            )
        if spec.needs_clock != (SLOW in dict(spec.seats)):
            raise Refused(
                f"agent {name!r} needs a second model: --model slow=NAME"
                if spec.needs_clock
                else f"agent {name!r} asks no slow model; agile does"
            )
    elif (file := recording_of(name)) is not None:
        read_episode(file)
    elif (file := weights_of(name)) is not None:
        check_regular(file)
    elif is_planner(name):
        check_planner(name)
    elif ":" in name and name not in (REPLAY, PLANNER):
        maker(name)
    elif name not in _SCRIPTED and name not in world_agents():
        plain, at, key = name.partition(AT)
        if at and (plain in _SCRIPTED or plain in world_agents()):
            raise UnknownName("key", key.partition("=")[0], (LATENCY,), f"agent {given}")
        raise UnknownName("agent", name, descriptions())


def names_by_seat(spec: AgentSpec, world: AnyWorld) -> dict[Seat, str]:
    """Who plays which seat; raises ``Refused`` for a team of another number than there are seats.

    Nobody is named for a seat that reports, unless a record is played again or a team names one: there all is
    as predicted.
    """
    names, seats, reporter = spec.members, world.seats, reporter_of(world)
    if reporter and len(names) in (1, len(seats) - 1) and recording_of(names[0]) is None:
        others = [seat for seat in seats if seat != reporter]
        names = names * len(others) if len(names) == 1 else names
        return {**dict(zip(others, names, strict=True)), reporter: AsPredictedPolicy.name}
    if len(names) == 1:
        names *= len(seats)
    if len(names) != len(seats):
        there = f"{len(seats)} seat{'s' if len(seats) > 1 else ''} ({', '.join(seats)})"
        raise Refused(
            f"{world.id} has {there}, and agent {spec.name!r} names {len(names)} agents;"
            " name one for each seat in this order, or one for all"
        )
    return dict(zip(seats, names, strict=True))


def check_plays(spec: AgentSpec, world: AnyWorld) -> None:
    """Raises what the making of policies would raise, as far as that is known without making them: where a
    method makes no sense in the world, or the world has no such agent."""
    for name in dict.fromkeys(parted(name)[0] for name in names_by_seat(spec, world).values()):
        if is_method(name):
            method_settings(name, world, spec.decoding, prompts=spec.prompts_folder)
        elif is_planner(name):
            planner_policy(name, world)
        elif name not in _SCRIPTED and name in world_agents():
            check_world_agent(name, world)


def make_policies(spec: AgentSpec, world: AnyWorld, clients: Clients | None = None) -> dict[Seat, Policy]:
    """The policy of each seat, one object for all seats of one name and model.

    ``clients`` tells where the calls to a model go. Raises what ``check_spec``, ``names_by_seat`` and the
    making of a policy raise, and ``UnknownName`` for a model of a seat that the world does not have.
    """
    check_spec(spec)
    for seat, _ in spec.seats:
        if seat not in world.seats and seat != SLOW:
            raise UnknownName("seat", seat, world.seats, world.id)
    if slow := _slow_oracle(spec, world):
        return slow
    by_seat = {
        seat: (name, spec.endpoint_of(seat) if is_method(name) else None)
        for seat, name in names_by_seat(spec, world).items()
    }
    made: dict[Any, Policy] = {}
    for key in dict.fromkeys(by_seat.values()):
        seats = [seat for seat in world.seats if by_seat[seat] == key]
        made[key] = _made(structs.replace(spec, name=key[0]), world, clients, seats)
    return {seat: made[key] for seat, key in by_seat.items()}


def agent(name: str, world: AnyWorld) -> dict[Seat, Policy]:
    """Who plays which seat of a world under a name that the command line knows, such as ``greedy``, or
    ``greedy+random`` where there are two seats; raises what ``make_policies`` raises."""
    return make_policies(AgentSpec(name), world)


def make_policy(spec: AgentSpec, world: AnyWorld, clients: Clients | None = None) -> Policy:
    """The policy of an agent that is no team, for every seat of a world; see ``make_policies``."""
    check_spec(spec)
    if len(spec.members) > 1 or any(seat != SLOW for seat, _ in spec.seats):
        raise Refused(f"agent {spec.name!r} is a team, with a policy for each seat")
    slow = _slow_oracle(spec, world) if len(world.seats) == 1 else {}
    return slow[world.seats[0]] if slow else _made(spec, world, clients, world.seats)


def _slow_oracle(spec: AgentSpec, world: AnyWorld) -> dict[Seat, Policy]:
    """The oracle with a latency that plays all seats, where it has plans for that."""
    name, latency = parted(spec.name)
    return slow_oracle(world, latency) if name == ORACLE and latency is not None else {}


def _made(spec: AgentSpec, world: AnyWorld, clients: Clients | None, seats: Sequence[Seat]) -> Policy:
    name, latency = parted(spec.name)
    if latency is not None:
        return LatePolicy(_made(structs.replace(spec, name=name), world, clients, seats), latency)
    if is_method(name):
        if clients is None:
            raise Refused(f"agent {name!r} needs a model client")
        endpoint = spec.endpoint_of(seats[0])
        if not endpoint.model:
            raise Refused(f"agent {name!r}: no model is named for seat {seats[0]}")
        slow = clients(spec.endpoint_of(SLOW)) if spec.needs_clock else None
        return model_policy(
            name, world, clients(endpoint), spec.decoding, prompts=spec.prompts_folder, slow=slow
        )
    if (file := recording_of(name)) is not None:
        return replay_policy(file, world, seats)
    if (file := weights_of(name)) is not None:
        return trained_agent(file, world)
    if is_planner(name):
        return planner_policy(name, world)
    if name in _SCRIPTED:
        return _SCRIPTED[name]()
    return world_agent(name, world) if name in world_agents() else own_policy(name, world)


_SCRIPTED: Mapping[str, Callable[[], Policy]] = {
    "random": RandomPolicy,
    "busy": BusyPolicy,
    "first-legal": FirstLegalPolicy,
    "serial": SerialPolicy,
    AsPredictedPolicy.name: AsPredictedPolicy,
}
