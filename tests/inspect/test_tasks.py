"""What Inspect finds by name: the worlds as tasks, the solver and the scorer."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput

from backburner.inspect.tasks import TASKS, play
from backburner.kernel import packs, registry
from backburner.kernel.errors import Refused, UnknownName

Evaluate = Callable[..., EvalLog]


def record(log: EvalLog, number: int = 0) -> list[dict[str, Any]]:
    """The lines of the record of a sample."""
    assert log.status == "success" and log.samples is not None
    sample = log.samples[number]
    assert sample.error is None
    return [json.loads(line) for line in sample.store["backburner:attempts"][-1].splitlines()]


@pytest.mark.parametrize("world", packs.names())
def test_every_world_is_a_task(world: str) -> None:
    task = TASKS[world](suite="quick", seeds=2)
    ids = [sample.id for sample in task.dataset]
    assert ids == [f"{id}.seed{seed}" for id in registry.expand(f"{world}/quick") for seed in (0, 1)]
    assert len(set(ids)) == len(ids)
    assert task.version == packs.pack(world).version
    assert task.fail_on_error is False


def test_samples_tell_what_to_group_by() -> None:
    (sample,) = TASKS["cuisineworld"](suite="level_2@bodies=3,tau=3.0").dataset
    assert sample.metadata == {
        "scenario": "cuisineworld/level_2@bodies=3,tau=3.0",
        "seed": 0,
        "rules": "standard",
        "limits": "article",
        "world": "cuisineworld",
        "path": "level_2",
        "options": {"bodies": "3", "tau": "3.0"},
        "group": "level_2, 3 agents",
    }


def test_what_makes_no_sense_is_said_before_play() -> None:
    with pytest.raises(UnknownName, match="quick"):
        TASKS["timearena"](suite="quik")
    with pytest.raises(UnknownName, match="greedy"):
        TASKS["timearena"](method="gredy")
    with pytest.raises(Refused, match="at least once"):
        TASKS["timearena"](seeds=0)


def test_tasks_are_found_by_name_and_options_reach_the_record(evaluate: Evaluate, answers) -> None:
    log = evaluate(
        "backburner/timearena",
        task_args={"suite": "cooking1", "method": "react@history=none", "max_tokens": 33},
        temperature=0.25,
    )
    settings = record(log)[0]["players"]["agent"]["settings"]
    assert settings["method"] == "react@history=none"
    assert (settings["temperature"], settings["max_tokens"], settings["model"]) == (0.25, 33, "fake/m")
    assert log.eval.task == "backburner/timearena"


def test_agents_without_a_model(evaluate: Evaluate) -> None:
    log = evaluate(
        "backburner/timearena",
        task_args={"suite": "cooking1"},
        solver=play(agent="greedy"),
        model="none/none",
    )
    assert record(log)[-1]["reason"] == "completed"
    assert log.results is not None
    assert log.results.scores[0].metrics["cooking, 1 task: CR"].value == 100


def test_a_method_without_a_model_says_what_is_missing(evaluate: Evaluate) -> None:
    log = evaluate("backburner/timearena", task_args={"suite": "cooking1"}, model="none/none")
    assert log.samples is not None and log.samples[0].error is not None
    assert "needs a model for seat agent" in log.samples[0].error.message


def test_a_seat_with_a_role_of_its_name_has_a_model_of_its_own(evaluate: Evaluate, answers) -> None:
    asked = []
    answers["chef"] = lambda messages, config: asked.append("chef") or "wait"
    log = evaluate(
        "backburner/collab_overcooked",
        task_args={"suite": "level1"},
        limit=1,
        model_roles={"chef": "fake/chef"},
    )
    players = record(log)[0]["players"]
    assert {seat: player["name"] for seat, player in players.items()} == {
        "chef": "act(fake/chef)",
        "assistant": "act(fake/m)",
    }
    assert asked and log.samples is not None
    assert (
        log.samples[0]
        .store["backburner:file"]
        .startswith("collab_overcooked/standard/act(fake%2Fm,chef=fake%2Fchef)/")
    )


@pytest.mark.parametrize("words", ["context length exceeded", ""])
def test_a_failed_call_is_a_failed_episode_with_a_score(evaluate: Evaluate, answers, words: str) -> None:
    answers["m"] = lambda messages, config: ModelOutput.from_content("m", words, "model_length")
    log = evaluate("backburner/timearena", task_args={"suite": "cooking1"})
    ending = record(log)[-1]
    assert (ending["status"], ending["reason"]) == ("failed", "model")
    assert "too long for the model" in ending["error"]
    assert log.samples is not None and log.samples[0].scores is not None
    score = log.samples[0].scores["article"]
    assert score.answer == "failed" and score.as_dict()["P"] == 0
    assert log.results is not None
    metrics = log.results.scores[0].metrics
    assert metrics["cooking, 1 task: failed"].value == 1 and "cooking, 1 task: AS" not in metrics


def test_a_limit_of_inspect_ends_the_episode_and_is_noted(evaluate: Evaluate, answers) -> None:
    """Each call costs four tokens: the third brings twelve, and there is no fourth."""
    log = evaluate("backburner/timearena", task_args={"suite": "cooking1"}, token_limit=10)
    ending = record(log)[-1]
    assert ending["status"] == "failed" and "limit of Inspect" in ending["error"]
    assert log.samples is not None and log.samples[0].limit is not None
    assert log.samples[0].limit.type == "token"
    assert log.samples[0].scores is not None


def test_epochs_are_further_episodes_of_their_scenario(evaluate: Evaluate, answers) -> None:
    log = evaluate("backburner/timearena", task_args={"suite": "cooking1"}, epochs=2)
    assert log.samples is not None
    assert [sample.store["backburner:file"].partition("cooking1.")[2] for sample in log.samples] == [
        "seed0.jsonl",
        "seed0.epoch2.jsonl",
    ]
    assert log.results is not None
    assert not any("low 95" in name for name in log.results.scores[0].metrics)  # one scenario: no interval


def test_records_are_written_where_asked(evaluate: Evaluate, answers, tmp_path) -> None:
    out = tmp_path / "out"
    log = evaluate(
        "backburner/timearena",
        task_args={"suite": "cooking1"},
        solver=play(out=str(out)),
    )
    assert log.samples is not None
    file = out / log.samples[0].store["backburner:file"]
    assert file.read_text() == log.samples[0].store["backburner:attempts"][-1]
    assert [each for each in out.rglob("*") if each.is_file()] == [file]


def test_former_attempts_are_kept(evaluate: Evaluate, answers, tmp_path) -> None:
    """Reflexion plays again after a failure; the last attempt counts, those before it lie beside it."""
    from backburner.inspect.samples import convert

    log = evaluate(
        "backburner/timearena", task_args={"suite": "cooking1", "method": "reflexion@after=budget"}
    )
    assert log.samples is not None
    attempts = log.samples[0].store["backburner:attempts"]
    assert len(attempts) > 1
    (written,) = convert(next((tmp_path / "logs").glob("*.eval")), tmp_path / "out").written
    assert written.read_text() == attempts[-1]
    assert written.with_name(f"{written.name}.attempt1").read_text() == attempts[0]
