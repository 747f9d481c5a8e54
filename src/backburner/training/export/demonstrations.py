"""Demonstrations: what an export is asked for, a scenario as agents play it, and the best that is known of
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from backburner.agents.models.method import AT, split_name
from backburner.agents.models.methods import METHODS
from backburner.agents.models.policy import check_method
from backburner.agents.planned import ORACLE, shipped_plan, solved_plan, world_agent
from backburner.agents.roster import check_spec, make_policies
from backburner.agents.spec import REPLAY, AgentSpec, parted
from backburner.kernel import packs, registry
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.oracle import Kept, Solution, oracle_of
from backburner.kernel.pack import GENERAL
from backburner.kernel.play import play_now
from backburner.kernel.policy import Policy
from backburner.kernel.values import Seat, digest

Format = Literal["messages", "trajectories"]

FORMATS: tuple[Format, ...] = ("messages", "trajectories")

PROMPTED_BY = "act"
"""The method whose prompts stand in pairs of a better and a worse decision: one call for each decision."""


class Settings(Struct, frozen=True):
    """Everything that decides which bytes are written, for one version of the package.

    ``suites``: scenarios, suites, scenario files or folders. ``methods``: prompting methods, with their
    choices, whose conversations are written. ``thoughts``: whether answers that hold thoughts have them.
    ``seeds``: episodes of each scenario and agent. ``plan_seconds``: for one plan of the oracle; ``None``: a
    minute where the oracle plays, five seconds where others are only compared with it. ``unproven``:
    whether plans that are not proven best count as its own. ``effort``: of the search for what each state
    is worth (``Oracle.onward``); 0 for none. ``validation`` and ``test``: shares of the scenarios;
    ``hold_out``: parts of which scenarios for the test are built.
    """

    format: Format
    suites: tuple[str, ...]
    agents: tuple[str, ...] = ("oracle",)
    methods: tuple[str, ...] = (PROMPTED_BY,)
    thoughts: bool = True
    seeds: int = 1
    rules: str = "standard"
    limits: str = "article"
    plan_seconds: float | None = None
    unproven: bool = False
    effort: float = 1.0
    validation: float = 0.1
    test: float = 0.1
    hold_out: tuple[str, ...] = ()


def scenarios_of(settings: Settings) -> list[str]:
    """The ids, or scenario files, that the settings name, each once, in order."""
    return list(dict.fromkeys(id for suite in settings.suites for id in registry.expand(suite)))


def check(settings: Settings) -> None:
    """Raises ``UnknownName`` or ``Refused`` for what cannot be exported, before anything is played."""
    for name in settings.agents:
        spec = AgentSpec(name)
        if spec.needs_model:
            raise Refused(
                f"agents={name}: it asks a model; methods= chooses whose prompts demonstrations answer"
            )
        if name.startswith(REPLAY):
            raise Refused(f"agents={name}: a record is of one scenario; name agents that play any")
        if any(parted(member)[1] is not None for member in spec.members):
            raise Refused(f"agents={name}: demonstrations take no time to think; leave the latency out")
        check_spec(spec)
    for method in settings.methods:
        check_method(method)
    if not 0 <= settings.validation + settings.test < 1:
        raise Refused("validation and test are shares of the scenarios; together they stay below 1")


def by_calls(method: str) -> bool:
    """Whether a method has a model call tools."""
    return "calls" in METHODS[split_name(method)[0]].answers.values()


def names_in(written: str) -> list[str]:
    """The names in a list such as ``oracle,greedy`` or ``react@calls=together,history=none,act``.

    A choice of a method goes on with what it follows.
    """
    names: list[str] = []
    for piece in written.split(","):
        goes_on = names and AT in names[-1] and "=" in piece and AT not in piece
        if goes_on:
            names[-1] += f",{piece.strip()}"
        else:
            names.append(piece.strip())
    return names


def once(names: Sequence[str]) -> tuple[str, ...]:
    """Each name once, in order; raises ``Refused`` for an empty one."""
    if "" in names:
        raise Refused("a name is missing beside a comma")
    return tuple(dict.fromkeys(names))


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
        return self.episode.informed

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
        if pack.oracle in ("", GENERAL) and ORACLE in pack.agents:
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
