"""Demonstrations: a scenario as agents play it, and the best that is known of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from backburner.agents.planned import ORACLE, shipped_plan, solved_plan, world_agent
from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.kernel import packs
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.oracle import Kept, Solution, oracle_of
from backburner.kernel.play import play_now
from backburner.kernel.policy import Policy
from backburner.kernel.values import Seat, digest
from backburner.training.export.settings import Settings

MOST_STEPS = 2000
"""Decision points of one demonstration; an agent that goes on for longer is cut off."""


class Demonstration(Struct, frozen=True):
    """An episode of one agent, with ``best``, what the oracle knows of its scenario (``None``: nothing)."""

    world: World[Any, Any, Any]
    agent: str
    seed: int
    episode: Episode
    best: Solution | None

    @property
    def id(self) -> str:
        """Such as ``timearena/cooking1 oracle 0``; no two of an export are alike."""
        return f"{self.world.id} {self.agent} {self.seed}"

    @property
    def informed(self) -> bool:
        """Whether the agent knows more than its seats may know."""
        return any(player.informed for player in self.episode.header.players.values())

    @property
    def completed(self) -> bool:
        """Whether the world says that everything was done; where it counts something, that play was over."""
        ending = self.episode.ending
        return bool(ending and ending.numbers.get("completed", ending.status == "ended"))

    @property
    def objective(self) -> int | None:
        """What it is worth, in the unit of ``best``; ``None`` where that cannot be compared."""
        return None if self.best is None else worth(self.best, self.numbers)

    @property
    def numbers(self) -> Mapping[str, int | float]:
        """The world's own figures at the end."""
        return self.episode.ending.numbers if self.episode.ending is not None else {}

    @property
    def regret(self) -> int | None:
        """By how much it is worse than the best plan; ``None`` where none is proven, or nothing compares."""
        if self.best is None or self.best.status != "optimal" or self.best.objective is None:
            return None
        objective = self.objective
        return None if objective is None else abs(objective - self.best.objective)


class LeftOut(Struct, frozen=True):
    """Something that was asked for and is not there: what, and why."""

    what: str
    why: str


def worth(best: Solution, numbers: Mapping[str, int | float]) -> int | None:
    """The figure of an outcome that an oracle's objective is about: the time it took if all was completed, or
    how much was."""
    if best.sense == "max":
        return int(numbers["completed"]) if "completed" in numbers else None
    return int(numbers[best.unit]) if numbers.get("completed") and best.unit in numbers else None


PLAN_SECONDS, COMPARISON_SECONDS = 60.0, 5.0
"""For one plan of the oracle, where the settings name no time: to play it, to compare others with it."""


class Best(Struct, frozen=True):
    """The oracle's plan of a scenario: who plays it and what is proven of it; ``why`` one is missing."""

    policy: Policy | None
    solution: Solution | None
    why: str = ""


def best_of(world: World[Any, Any, Any], settings: Settings, kept: Kept | None) -> Best:
    """The plan that ships, else one that is kept, else one that is found in the time.

    The time is that of the settings, or shorter where the oracle does not play.

    Of a world that has an agent called oracle and no oracle, nothing is known of the plan. Raises
    ``MissingExtra`` where the search needs one.
    """
    pack = packs.pack_of(world)
    try:
        if not pack.oracle and ORACLE in pack.agents:
            return Best(world_agent(ORACLE, world), None, "nothing is proven of its plan")
        known = oracle_of(world).known(world)
        policy = shipped_plan(world) if known is not None else None
        if policy is not None:
            return Best(policy, known)
        usual = PLAN_SECONDS if ORACLE in settings.agents else COMPARISON_SECONDS
        policy, solution = solved_plan(world, settings.plan_seconds or usual, kept)
    except Refused as refusal:
        return Best(None, None, str(refusal))
    return Best(policy, solution)


def played(world: World[Any, Any, Any], settings: Settings, best: Best) -> Iterator[Demonstration | LeftOut]:
    """What each agent does with each seed. An episode that repeats another of its agent is left out."""
    for agent in settings.agents:
        seen: set[str] = set()
        for seed in range(settings.seeds):
            what = f"{world.id} {agent} {seed}"
            try:
                episode = play_now(
                    world, _policies(world, agent, seed, settings, best), seed, max_steps=MOST_STEPS
                )
            except Refused as refusal:
                yield LeftOut(what, str(refusal))
                continue
            story = digest((episode.header.start_digest, [entry.digest for entry in episode.entries]))
            if story in seen:
                yield LeftOut(what, "chance changes nothing: it is the same as with an earlier seed")
                continue
            seen.add(story)
            if episode.ending is not None and episode.ending.status in ("failed", "capped"):
                yield LeftOut(what, f"play {episode.ending.status}: {episode.ending.reason}")
            else:
                yield Demonstration(world, agent, seed, episode, best.solution)


def _policies(
    world: World[Any, Any, Any], agent: str, seed: int, settings: Settings, best: Best
) -> Mapping[Seat, Policy]:
    if agent != ORACLE:
        return make_policies(AgentSpec(agent), world)
    if best.policy is None:
        raise Refused(best.why)
    if best.solution is None and not settings.unproven:
        raise Refused(best.why)
    if best.solution is not None and best.solution.status != "optimal" and not settings.unproven:
        raise Refused(f"its plan is not proven best in the time ({best.solution.status})")
    if seed and digest(world.start(seed)) != digest(world.start()):
        raise Refused("its plan is for seed 0, with which chance decides otherwise")
    return dict.fromkeys(world.seats, best.policy)
