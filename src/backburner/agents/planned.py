"""Agents that the packs of worlds offer: the world's own, the oracle's plan, whoever shows how to play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any

from backburner.kernel import packs, registry
from backburner.kernel.answers import answers_at
from backburner.kernel.clock import SECOND, timed
from backburner.kernel.contract import World, rules_of
from backburner.kernel.errors import FEW, Refused
from backburner.kernel.generating import generator_of
from backburner.kernel.oracle import JOINT, Kept, Request, Solution, oracle_of, solve_world
from backburner.kernel.pack import LATENCY
from backburner.kernel.play import play_now
from backburner.kernel.policy import JointPlanPolicy, PlanPolicy, Policy, once_per_world
from backburner.kernel.replay import final_state
from backburner.kernel.schedule import Schedulable
from backburner.kernel.text import Text
from backburner.kernel.values import Seat, digest

ORACLE, GREEDY = "oracle", "greedy"


def world_agents() -> dict[str, dict[str, str]]:
    """The agents of all packs: name to a line about it for each world that has it."""
    by_name: dict[str, dict[str, str]] = {}
    for pack in packs.installed().packs.values():
        for name, help in pack.about_agents.items():
            by_name.setdefault(name, {})[pack.name] = help
    return dict(sorted(by_name.items()))


def world_agent(name: str, world: World[Any, Any, Any]) -> Policy:
    """The world's own agent of this name. ``oracle`` plays the plan of the world's oracle unless the pack
    says otherwise.

    Raises ``Refused`` where the world has no such agent, or the agent can do nothing in it.
    """
    check_world_agent(name, world)
    part = packs.pack_of(world).agents.get(name)
    return _best_plan(world) if part is None else _made(part.path, world)


def check_world_agent(name: str, world: World[Any, Any, Any]) -> None:
    """Raises ``Refused`` where the world has no agent of this name."""
    pack = packs.pack_of(world)
    if name in pack.agents or (name == ORACLE and pack.oracle):
        return
    own = pack.about_agents
    has = f"it has {', '.join(own)}" if own else "it has none of its own"
    others = [other for other in world_agents().get(name, {}) if other != pack.name]
    elsewhere = f"; {name} plays {', '.join(others[:FEW])}" if others else ""
    raise Refused(f"{world.id}: this world has no agent {name!r}; {has}{elsewhere}")


def trained_agent(file: Path, world: World[Any, Any, Any]) -> Policy:
    """Whoever plays a world by the weights of a file.

    Raises ``Refused`` where the world has nobody who does, or the network is another world's; ``BadFile``.
    """
    pack = packs.pack_of(world)
    if not pack.player:
        raise Refused(f"{world.id}: nobody plays this world by a file of weights")
    make: Callable[[World[Any, Any, Any], Path], Policy] = packs.part(pack.name, pack.player)
    return make(world, file)


def demonstrator(world: World[Any, Any, Any]) -> Policy:
    """Shows how a world is played that was named for that, so that nobody waits for a search.

    Raises ``Refused`` where there is neither an agent made for that nor a greedy one.
    """
    return _made_or_greedy(packs.pack_of(world).demonstrator, world)


def guide(world: World[Any, Any, Any]) -> Policy:
    """Whom a stand-in for a language model goes by: see ``Pack.stand_in``.

    Raises ``Refused`` where nobody plays well without a plan made before.
    """
    return _made_or_greedy(packs.pack_of(world).stand_in, world)


def _made_or_greedy(path: str, world: World[Any, Any, Any]) -> Policy:
    return _made(path, world) if path else world_agent(GREEDY, world)


def shipped_plan(world: World[Any, Any, Any]) -> Policy | None:
    """Plays the plan that ships with a world's scenario, without any search; ``None`` where none does."""
    pack = packs.pack_of(world)
    if not pack.shipped_plan:
        return None
    make: Callable[[World[Any, Any, Any]], Policy | None] = packs.part(pack.name, pack.shipped_plan)
    return make(world)


def solved_plan(
    world: World[Any, Any, Any], time_limit_seconds: float, kept: Kept | None = None
) -> tuple[Policy, Solution]:
    """Plays the best plan that the world's oracle finds in the time or has ``kept``, and what it is.

    Raises ``Refused`` where there is no oracle or no plan, ``MissingExtra``.
    """
    solution = solve_world(world, Request(time_limit_seconds=time_limit_seconds), kept)
    return plan_policy(world, solution), solution


AS_BUILT = "as when it was built; the world has played the plan"


def answered(place: str, world: World[Any, Any, Any]) -> tuple[Solution | None, str]:
    """What is proven of a scenario that was built, by its answer; or why the answer that it has does not
    count, empty where it has none.

    The answer stands beside the file of this place, or ships with the world. It is about the rules of the
    world, and its plan has to come to what it says when the world plays it; that no plan is better is
    believed, as it is of ``Kept``. Raises ``BadFile``.
    """
    pack, key, rules = packs.pack_of(world), digest(world.scenario), rules_of(world)
    beside = answers_at(Path(place)) if place.endswith(".json") else {}
    answer = beside.get(key) or registry.shipped_answers(pack.name).get(key)
    if answer is None or answer.status != "optimal" or not answer.is_about(rules) or not pack.generator:
        return None, ""
    generator, best, unit, plan = generator_of(pack.name), answer.best, answer.unit, answer.plan
    told = Solution(world.id, "optimal", best, answer.bound, generator.sense, unit, AS_BUILT, plan=plan)
    try:
        episode = play_now(world, plan_policy(world, told))
    except Refused as error:
        return None, f"its answer does not count: {error}"
    result = generator.result(world, world.outcome(final_state(episode, world)))
    if result.value == best and (result.complete or generator.sense == "max"):
        return told, ""
    come = f"{'' if result.complete else 'less than all done at '}{result.value}"
    return None, f"its answer does not count: it tells of {best}, and its plan comes to {come}"


def _made(path: str, world: World[Any, Any, Any]) -> Policy:
    make: Callable[[World[Any, Any, Any]], Policy] = packs.part(packs.pack_of(world).name, path)
    return make(world)


class SlowPlanPolicy(PlanPolicy):
    """Gives the answers of a plan for decisions that take time.

    ``thoughts``: how long each of its thoughts is, as ``clock.Profile.latency`` has it; where it waits, that
    is more than the latency of its settings.
    """

    def __init__(self, plan: Sequence[Any], latency: str, thoughts: str) -> None:
        name = f"{ORACLE}@{LATENCY.name}={latency}"
        super().__init__(name, plan, informed=True, settings={LATENCY.name: latency})
        self.thoughts = thoughts


def slow_oracle(
    world: World[Any, Any, Any], latency: str, time_limit_seconds: float = 60.0
) -> dict[Seat, Policy]:
    """Whoever plays the plan of the world's oracle for decisions that take so many seconds, by seat.

    Empty where no such plan is made or found.
    """
    try:
        ticks = Fraction(latency) * SECOND / timed(world).tick_microseconds
        slow = oracle_of(world).slow(world, ticks, Request(time_limit_seconds=time_limit_seconds))
    except (ValueError, Refused):
        return {}
    return {
        seat: SlowPlanPolicy(slow.answers[seat], latency, thoughts)
        for seat, thoughts in slow.latencies.items()
    }


@once_per_world
def _best_plan(world: World[Any, Any, Any]) -> Policy:
    return plan_policy(world, solve_world(world))


def plan_policy(world: World[Any, Any, Any], solution: Solution) -> Policy:
    """Plays a plan that an oracle has found; raises ``Refused`` where it has found none."""
    if solution.starts and isinstance(world, Schedulable):
        return PlanPolicy(ORACLE, tuple(world.plan(solution.starts)), informed=True)
    if solution.objective is None:
        raise Refused(f"{world.id}: no plan under these rules ({solution.status}): {solution.note}")
    if solution.objective and not solution.plan:
        raise Refused(f"{world.id}: the plan that was found is not told in words")
    if len(world.seats) == 1:
        return PlanPolicy(ORACLE, solution.plan, informed=True)
    return JointPlanPolicy(ORACLE, _by_seat(world, solution))


def _by_seat(world: World[Any, Any, Any], solution: Solution) -> Sequence[Mapping[Seat, Any]]:
    """A plan's words for each step, in the order of the seats that decide in it."""
    if not isinstance(world, Text):
        raise Refused(f"{world.id}: this world has no words, so that nobody can play a plan in words")
    state, given = world.start(), chain.from_iterable(line.split(JOINT) for line in solution.plan)
    steps: list[Mapping[Seat, Any]] = []
    while seats := world.deciders(state):
        words = dict(zip(seats, given, strict=False))
        if len(words) < len(seats):
            break
        steps.append(words)
        state = world.step(
            state, {seat: world.parse(state, seat, text) for seat, text in words.items()}
        ).state
    return steps
