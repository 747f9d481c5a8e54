"""Every agent in every seat beside every other: the teams of a cross-play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import structs

from backburner.agents.spec import JOIN, AgentSpec
from backburner.evaluation.jobs import Job, jobs_of
from backburner.kernel import registry
from backburner.kernel.errors import Refused


def crossed(agents: Sequence[AgentSpec], n_seats: int) -> list[AgentSpec]:
    """Each agent by itself, and each in each of ``n_seats`` seats with another one in all other seats.

    With two seats these are all ordered pairs. Agents that ask models share one set of options. Raises
    ``Refused`` for fewer than two agents or seats, and for agents that are teams already.
    """
    check_crossed(agents)
    if n_seats < 2:
        raise Refused("cross-play needs at least two seats")
    teams = [
        _team(one, other, seat, n_seats)
        for one in agents
        for other in agents
        for seat in range(n_seats)
        if one != other
    ]
    return list({spec.label: spec for spec in (*agents, *teams)}.values())


def check_crossed(agents: Sequence[AgentSpec]) -> None:
    """Raises ``Refused`` for agents that cannot be crossed, wherever they play."""
    if len({spec.label for spec in agents}) < 2:
        raise Refused("cross-play seats agents beside each other: name at least two with --agent")
    for spec in agents:
        if len(spec.members) > 1:
            raise Refused(f"agent {spec.name!r} is a team; cross-play makes the teams of single agents")
        if spec.seats:
            raise Refused("cross-play puts every agent into every seat: --seat-model names one seat's model")


def _team(one: AgentSpec, other: AgentSpec, seat: int, n_seats: int) -> AgentSpec:
    """``one`` in this seat, ``other`` in the rest."""
    names = [one.name if at == seat else other.name for at in range(n_seats)]
    asks = next((spec for spec in (one, other) if spec.needs_model), one)
    return structs.replace(asks, name=JOIN.join(names))


def crossed_jobs(
    names: Sequence[str], agents: Sequence[AgentSpec], seeds: int, rules: str, limits: str
) -> list[Job]:
    """Scenarios x the teams that their seats make x seeds; raises what ``jobs_of`` and ``crossed`` raise,
    and ``Refused`` for a scenario with a single seat."""
    check_crossed(agents)
    return list(dict.fromkeys(_crossed_jobs(names, agents, seeds, rules, limits)))


def _crossed_jobs(
    names: Sequence[str], agents: Sequence[AgentSpec], seeds: int, rules: str, limits: str
) -> Iterator[Job]:
    scenarios = dict.fromkeys(scenario for name in names for scenario in registry.expand(name))
    for scenario in scenarios:
        seats = registry.world(scenario, rules=rules, limits=limits).seats
        if len(seats) < 2:
            raise Refused(f"{scenario} has one seat, {seats[0]}: cross-play needs at least two")
        yield from jobs_of([scenario], crossed(agents, len(seats)), seeds, rules, limits)
