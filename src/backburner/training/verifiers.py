"""The worlds as a taskset of verifiers v1: a task is a scenario with a seed, a rollout a conversation.

verifiers finds it as ``backburner-verifiers``, the module that stands beside this package and names these
classes. ``vf-validate`` checks it without a model: *gold* plays the best plan that is known through the same
conversation that a model has, *noop* scores what was never played.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import verifiers.v1 as vf
from pydantic import Field
from verifiers.v1.mcp import SharedToolServer

from backburner.agents.models.toolbox import Received
from backburner.kernel.errors import MissingExtra, Refused
from backburner.training.adversaries import gold_of, plays_alike
from backburner.training.conversation import Conversation, Setting, Told
from backburner.training.curriculum import read_curriculum
from backburner.training.offer import offer_of
from backburner.training.served_tools import served

PLAYED = "backburner"
"""The place in a trace's ``info`` where what was played is kept."""

NO_TURNS_LEFT = "the player has no turns left"


class PlayConfig(vf.TaskConfig):  # type: ignore[misc]  # verifiers is no part of what types are checked against
    """How scenarios are played and paid, under ``--env.taskset.task``; see ``conversation.Setting``."""

    rules: str = "standard"
    limits: str = "article"
    reward: str = "metric"
    discount: float = 1.0
    pay: str = "whole"
    method: str = "act"
    seat: str = ""
    partners: str = ""
    clock: str = ""
    speed: str = ""
    gold_seconds: float = 60.0
    """How long the oracle may look for the plan of a gold check."""

    @property
    def setting(self) -> Setting:
        """These choices as a conversation takes them."""
        chosen = set(Setting.__struct_fields__) & set(type(self).model_fields)
        return Setting(**{name: getattr(self, name) for name in chosen})


class ScenariosConfig(vf.TasksetConfig):  # type: ignore[misc]
    """Which scenarios, under ``--env.taskset``: ids and suites; every quick suite where none is named.

    Each is played with ``seeds`` seeds from ``first_seed`` on. With a ``curriculum`` (the file of one),
    ``tasks`` of them are drawn by it for each ``epoch``, and each is played with a seed of its own.
    """

    scenarios: list[str] = Field(default_factory=list)
    seeds: int = 1
    first_seed: int = 0
    curriculum: str = ""
    tasks: int = 100
    epoch: int = 0
    task: PlayConfig = PlayConfig()


class ScenarioData(vf.TaskData):  # type: ignore[misc]
    """One task: a scenario and the seed of its episode, and the number of its level in a curriculum."""

    scenario: str
    seed: int = 0
    level: int = 0


class ScenarioTask(vf.Task[ScenarioData, vf.State, PlayConfig]):  # type: ignore[misc]
    """What is checked and scored of a task."""

    @property
    def key(self) -> str:
        """The scenario and the seed; they stay what they are in whatever order tasks are loaded."""
        return f"{self.data.scenario}#{self.data.seed}"

    async def validate(self, runtime: Any) -> bool | None:
        """Gold: whether the words of the best plan have in conversation what the plan has. ``None`` where
        nobody has a plan for one seat."""
        data, setting = self.data, self.config.setting
        try:
            gold = await asyncio.to_thread(
                gold_of, data.scenario, setting, data.seed, self.config.gold_seconds
            )
        except Refused:
            return None
        return await asyncio.to_thread(plays_alike, gold, data.scenario, setting, data.seed)

    @vf.reward(weight=1.0)  # type: ignore[untyped-decorator]
    async def earned(self, trace: Any) -> float:
        """The sum of what the replies were worth; 0 where nothing was played."""
        return float(_played(trace).get("reward", 0.0))

    @vf.metric  # type: ignore[untyped-decorator]
    async def main_metric(self, trace: Any) -> float:
        """The world's main metric over the episode, as reports have it; 0 where it is not defined."""
        return float(_played(trace).get("value") or 0.0)

    @vf.metric  # type: ignore[untyped-decorator]
    async def replies(self, trace: Any) -> float:
        """How often the player replied."""
        return float(_played(trace).get("replies", 0))

    @vf.metric  # type: ignore[untyped-decorator]
    async def refusals(self, trace: Any) -> float:
        """How many of its replies were refused, or in part."""
        return float(_played(trace).get("refusals", 0))


def _played(trace: Any) -> dict[str, Any]:
    found: dict[str, Any] = trace.info.get(PLAYED, {})
    return found


class ScenarioTaskset(vf.Taskset[ScenarioTask, ScenariosConfig]):  # type: ignore[misc]
    """The scenarios that the configuration names, each with its seeds."""

    def load(self) -> Iterator[ScenarioTask]:
        """Every task; raises what ``offer_of`` raises for what cannot be played."""
        config = self.config
        if config.curriculum:
            yield from self._epoch()
            return
        for scenario in offer_of(config.scenarios, config.task.setting).scenarios:
            for seed in range(config.first_seed, config.first_seed + config.seeds):
                id = f"{scenario}#{seed}"
                yield ScenarioTask(ScenarioData(name=id, id=id, scenario=scenario, seed=seed), config.task)

    def _epoch(self) -> Iterator[ScenarioTask]:
        """What the curriculum draws for this epoch."""
        config = self.config
        curriculum = read_curriculum(Path(config.curriculum))
        offer_of([level.scenarios[0] for level in curriculum.levels], config.task.setting)
        for n in range(config.epoch * config.tasks, (config.epoch + 1) * config.tasks):
            drawn, seed = curriculum.draw(config.first_seed, n), config.first_seed + n
            id = f"{drawn.scenario}#{seed}"
            data = ScenarioData(name=id, id=id, scenario=drawn.scenario, seed=seed, level=drawn.level)
            yield ScenarioTask(data, config.task)


class ScenarioEnvConfig(vf.EnvConfig):  # type: ignore[misc]
    """One player, who talks, and with the method ``calls`` has the world's tools, in a process of this
    machine."""

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})


def find_uv() -> None:
    """Verifiers starts a player of this machine by the program ``uv``, and looks for it on the PATH: where it
    stands beside this Python alone, its folder is put there. Raises ``MissingExtra`` where there is none, as
    verifiers would download one."""
    beside = str(Path(sys.executable).parent)
    path = os.environ.get("PATH", os.defpath)
    if shutil.which("uv", path=os.pathsep.join((str(Path.home() / ".local" / "bin"), path))):
        return
    if not shutil.which("uv", path=beside):
        raise MissingExtra("verifiers", "a player of verifiers runs by the program uv, which")
    os.environ["PATH"] = os.pathsep.join((beside, path))


def failure_of(trace: Any) -> str:
    """Why a player could not go on through no doing of its own, such as an endpoint that does not answer;
    empty where it ended, or reached a limit of the run."""
    condition = str(trace.stop_condition or "")
    if condition != "error" and not condition.endswith("_error"):
        return ""
    error = trace.last_error
    return condition if error is None else f"{error.type}: {error.message}"


class Game:
    """A conversation, and what came of it so far. It takes one reply at a time, in words or by a call; none
    once it is over."""

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self.replies, self.refusals, self.reward = 0, 0, 0.0
        self._one_at_a_time = asyncio.Lock()

    async def reply(self, text: str, *calls: Received) -> str:
        """What is told then."""
        async with self._one_at_a_time:
            if not self.conversation.told.over:
                self._count(await asyncio.to_thread(self.conversation.reply, text, calls=calls))
                self.replies += 1
        return self.conversation.told.text

    def leave(self) -> None:
        """The player has no turns left."""
        if not self.conversation.told.over:
            self._count(self.conversation.stop(NO_TURNS_LEFT))

    def _count(self, told: Told) -> None:
        self.refusals += bool(told.refused)
        self.reward += told.reward

    @asynccontextmanager
    async def tools(self) -> AsyncIterator[dict[str, Any]]:
        """What a player is given beside its task: the world's tools where it may call some."""
        if not (tools := self.conversation.tools):
            yield {}
            return
        async with served(tools, partial(self.reply, "")) as url:
            yield {"tools": {"": SharedToolServer(url, local=True, external=True)}}


class ScenarioEnv(vf.Env[ScenarioEnvConfig]):  # type: ignore[misc]
    """One conversation of the player with the world."""

    async def start(self) -> None:
        """Before any rollout: whether a player can be started."""
        if self.config.player.runtime.type == "subprocess":
            find_uv()

    async def run(self, task: ScenarioTask, agents: Any) -> None:
        """Play to the end, or as long as the player has turns. Where it fails through no doing of its own, as
        an endpoint does, nothing is paid: verifiers tells of the error, and the game did not end."""
        data = task.data
        conversation = await asyncio.to_thread(Conversation, data.scenario, data.seed, task.config.setting)
        game = Game(conversation)
        async with game.tools() as tools, agents.player.interaction(task, **tools) as player:
            while not conversation.told.over:
                said = await player.turn(conversation.told.text)
                if not said.terminated:
                    await game.reply(said.last_reply)
                elif not conversation.told.over and (failure := failure_of(player.trace)):
                    player.trace.info[PLAYED] = {**conversation.summary(), "failed": failure}
                    return
                else:
                    game.leave()
            # Before the exchange closes: what is scored then is read from here.
            player.trace.info[PLAYED] = {
                **conversation.summary(),
                "reward": game.reward,
                "replies": game.replies,
                "refusals": game.refusals,
            }
