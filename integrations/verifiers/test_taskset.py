"""The taskset as verifiers' own commands see it. ``vf-validate`` ends well whatever it finds: only
its numbers tell."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable, Mapping
from itertools import chain, repeat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mcp.client.client import Client
from msgspec import structs
from verifiers.v1.mcp import SharedToolServer
from verifiers.v1.utils.loaders import environment_class, taskset_class

import backburner
import backburner_verifiers
from backburner.kernel.errors import MissingExtra, Refused, UnknownName
from backburner.training import adversaries, verifiers
from backburner.training.adversaries import gamed, scripts_of
from backburner.training.conversation import Setting
from backburner.training.curriculum import curriculum_of, write_curriculum
from backburner.training.verifiers import PlayConfig, ScenarioData, ScenariosConfig, ScenarioTask

BIN = Path(sys.executable).parent
ID = "backburner-verifiers"
COOKING = "timearena/cooking1"

WORLDS = {
    "timearena/quick": 18,
    "cuisineworld/quick": 4,
    "recipe2plan/quick": 6,
    "robotouille/quick": 6,
}
"""Suites of one seat, with how many scenarios they have."""


def validated(folder: Path, *arguments: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """(summary, rows) that ``vf-validate`` leaves."""
    command = [str(BIN / "vf-validate"), ID, "--runtime.type", "subprocess", "--rich", "False", "-o", "out"]
    run = subprocess.run([*command, *arguments], cwd=folder, capture_output=True, text=True, timeout=240)
    assert run.returncode == 0, run.stdout + run.stderr
    (summary,) = folder.glob("out/*/summary.json")
    rows = [json.loads(line) for line in summary.with_name("results.jsonl").read_text().splitlines()]
    return json.loads(summary.read_text()), rows


def test_it_is_the_wheel_that_is_tried_and_verifiers_finds_the_taskset_in_it() -> None:
    for module in (backburner, backburner_verifiers):
        assert Path(module.__file__ or "").is_relative_to(sys.prefix)
    assert taskset_class(ID) is backburner_verifiers.ScenarioTaskset
    assert environment_class(ID) is backburner_verifiers.ScenarioEnv


def test_gold_and_noop_hold_in_every_scenario_of_four_worlds(tmp_path: Path) -> None:
    summary, rows = validated(tmp_path, "--taskset.scenarios", json.dumps(list(WORLDS)))
    total = sum(WORLDS.values())
    assert summary["total"] == summary["recorded"] == total
    for check in ("gold", "noop"):
        counts = summary["checks"][check]
        assert counts == {**dict.fromkeys(counts, 0), "valid": total}
    assert summary["valid_rate"] == 1.0
    assert {row["noop"]["reward"] for row in rows} == {0.0}
    by_world = [row["name"].partition("/")[0] for row in rows]
    assert {f"{world}/quick": by_world.count(world) for world in by_world} == WORLDS


def test_beside_partners_gold_is_checked_as_well(tmp_path: Path) -> None:
    pairs = ("--taskset.scenarios", '["collab_overcooked/quick"]', "--taskset.task.partners", "greedy")
    summary, _ = validated(tmp_path, *pairs, "-n", "2")
    for check in ("gold", "noop"):
        assert summary["checks"][check]["valid"] == 2


def test_a_plan_that_is_not_the_best_and_one_that_does_not_end_are_no_gold() -> None:
    found = adversaries.gold_of(COOKING, Setting())
    assert found.proven and found.share == 1.0 and adversaries.plays_alike(found, COOKING, Setting())
    for wrong in (found.replies[:-1], ("wait", *found.replies), found.replies[::-1], ()):
        assert not adversaries.plays_alike(structs.replace(found, replies=wrong), COOKING, Setting())


def test_scenarios_and_seeds_are_those_that_are_named() -> None:
    config = ScenariosConfig(id=ID, scenarios=["timearena/singles/cooking"], seeds=2, first_seed=5)
    tasks = list(backburner_verifiers.ScenarioTaskset(config))
    assert len(tasks) == 20 and [task.key for task in tasks[:3]] == [
        "timearena/cooking1#5",
        "timearena/cooking1#6",
        "timearena/cooking2#5",
    ]
    for wrong in (["timearena/nothing"], ["nowhere/quick"]):
        with pytest.raises(UnknownName):
            list(backburner_verifiers.ScenarioTaskset(ScenariosConfig(id=ID, scenarios=wrong)))
    with pytest.raises(Refused, match="partners"):
        list(
            backburner_verifiers.ScenarioTaskset(
                ScenariosConfig(id=ID, scenarios=["collab_overcooked/quick"])
            )
        )


def test_a_curriculum_draws_the_tasks_of_each_epoch(tmp_path: Path) -> None:
    file = tmp_path / "curriculum.json"
    curriculum = curriculum_of(["timearena/singles/cooking", "timearena/pairs/cooking"], "ladder")
    write_curriculum(file, curriculum)
    config = ScenariosConfig(id=ID, curriculum=str(file), tasks=12, epoch=1, first_seed=5)
    tasks = [task.data for task in backburner_verifiers.ScenarioTaskset(config)]
    assert [task.scenario for task in tasks] == [curriculum.draw(5, n).scenario for n in range(12, 24)]
    assert [task.seed for task in tasks] == list(range(17, 29))
    for _ in range(10):
        curriculum = curriculum.told(0, 0.9)
    write_curriculum(file, curriculum)
    assert {task.data.level for task in backburner_verifiers.ScenarioTaskset(config)} == {1}


class Player:
    """Stands for an agent of verifiers: replies from a list, and then has no turns left, or fails."""

    def __init__(self, replies: Iterable[str], condition: str = "max_turns") -> None:
        failed = SimpleNamespace(type="ProviderError", message="no answer (503)")
        self.trace = SimpleNamespace(info={}, stop_condition=condition, last_error=failed)
        self.heard: list[str] = []
        self._replies = iter(replies)

    @contextlib.asynccontextmanager
    async def interaction(
        self, task: ScenarioTask, tools: Mapping[str, SharedToolServer] | None = None
    ) -> AsyncIterator[Player]:
        self.tools = tools
        yield self

    async def turn(self, text: str) -> SimpleNamespace:
        self.heard.append(text)
        reply = next(self._replies, None)
        return SimpleNamespace(terminated=reply is None, last_reply=reply or "")


def played(
    replies: Iterable[str],
    condition: str = "max_turns",
    scenario: str = COOKING,
    player: type[Player] | None = None,
    **config: Any,
) -> tuple[Player, ScenarioTask]:
    """A player after a rollout."""
    task = ScenarioTask(ScenarioData(scenario=scenario, seed=0), PlayConfig(**config))
    made = (player or Player)(replies, condition)
    run = backburner_verifiers.ScenarioEnv.run
    asyncio.run(run(None, task, SimpleNamespace(player=made)))  # type: ignore[arg-type]
    return made, task


def test_a_rollout_is_scored_by_what_was_played() -> None:
    found = adversaries.gold_of(COOKING, Setting())
    player, task = played(("fly to the moon", *found.replies))
    scores = {
        name: asyncio.run(getattr(task, name)(player.trace))
        for name in ("earned", "main_metric", "replies", "refusals")
    }
    count = float(len(found.replies) + 1)
    assert scores["earned"] == 1.0 and scores["main_metric"] == 100.0
    assert (scores["replies"], scores["refusals"]) == (count, 1.0)
    assert "Your action?" in player.heard[0] and len(player.heard) == count
    assert player.trace.info["backburner"]["why"] == "completed"


class Caller(Player):
    """Calls tools where it is given some, all in its first turn, and then says what is on its list."""

    async def turn(self, text: str) -> SimpleNamespace:
        if not self.heard:
            (server,) = self.tools.values()
            async with Client(server.url) as client:
                for name, given in (("pick", {"thing": "beef"}), ("wash", {"thing": "moon"})):
                    self.heard.append((await client.call_tool(name, given)).content[0].text)
        return await super().turn(text)


def test_with_calls_a_player_has_the_worlds_tools_and_words_beside_them() -> None:
    """Beef takes two minutes, what is refused one, and the word another."""
    player, _ = played(("wait",), player=Caller, method="calls")
    told = player.trace.info["backburner"]
    assert (told["replies"], told["refusals"], told["reward"]) == (3, 1, 0.08)
    assert told["why"] == "the player has no turns left" and told["numbers"]["minutes"] == 4
    results = [json.loads(heard.partition("\n")[0]) for heard in player.heard[:2]]
    assert [result["ok"] for result in results] == [True, False]
    plain, _ = played(("wait",))
    assert plain.tools is None


def test_a_rollout_that_runs_out_of_turns_is_stopped_and_says_so() -> None:
    player, task = played(("wait", "wait"))
    assert player.trace.info["backburner"]["status"] == "stopped"
    assert player.trace.info["backburner"]["why"] == "the player has no turns left"
    assert asyncio.run(task.earned(player.trace)) == 0.0


@pytest.mark.parametrize("condition", ["provider_error", "sandbox_error", "error"])
def test_an_endpoint_that_fails_is_a_failure_and_no_game_with_a_reward(condition: str) -> None:
    player, _ = played(("wait", "wait"), condition, reward="potential")
    told = player.trace.info["backburner"]
    assert told["failed"] == "ProviderError: no answer (503)"
    assert (told["status"], told["why"], "reward" in told) == ("running", "", False)


def test_who_has_no_turns_left_is_charged_what_was_hoped_for() -> None:
    player, task = played(("wait", "wait"), reward="potential")
    assert asyncio.run(task.earned(player.trace)) < -1


@pytest.mark.parametrize("reward", ["metric", "potential"])
def test_who_leaves_floods_or_sleeps_earns_less_than_who_plays(reward: str) -> None:
    table = {}
    for name, script in scripts_of(COOKING, Setting()).items():
        again = () if script.again is None else repeat(script.again)
        player, task = played(chain(script.replies, again), reward=reward)
        table[name] = asyncio.run(task.earned(player.trace))
    assert not gamed(table)


def test_a_player_is_started_by_uv_which_comes_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = {"PATH": "/nowhere", "HOME": "/nowhere"}
    for name, value in nowhere.items():
        monkeypatch.setenv(name, value)
    verifiers.find_uv()
    assert os.environ["PATH"].startswith(str(BIN))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(MissingExtra, match="uv, which needs an optional part"):
        verifiers.find_uv()


def test_a_trace_in_which_nothing_happened_is_worth_nothing() -> None:
    task = ScenarioTask(ScenarioData(scenario=COOKING, seed=0), PlayConfig())
    for name in ("earned", "main_metric", "replies", "refusals"):
        assert asyncio.run(getattr(task, name)(SimpleNamespace(info={}))) == 0.0
