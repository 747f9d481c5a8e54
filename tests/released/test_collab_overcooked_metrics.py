"""Recorded results of the released Collab-Overcooked evaluation, computed again: every recorded field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from backburner.worlds.collab_overcooked.metrics.collaboration import (
    OUTCOMES,
    Contribution,
    Dialogue,
    Turn,
    contribution,
    exchange,
)
from backburner.worlds.collab_overcooked.metrics.measures import align, best_alignment, counted, ites, tes
from backburner.worlds.collab_overcooked.metrics.pipeline import CookScores, Run, evaluate
from backburner.worlds.collab_overcooked.metrics.references import ASSISTANT, CHEF, calls_of, references_of
from support.collab_overcooked_words import SPACES


def test_recorded_metrics_agree(vectors: Path, record_property: Any) -> None:
    file = vectors / "collab_overcooked_metrics.json"
    if not file.is_file():
        pytest.skip(f"no recorded metrics of Collab-Overcooked: {file} is not there")
    recorded = json.loads(file.read_text())
    checks = {"tes": of_history, "ites": of_addition, "dialogue": of_dialogue, "pipeline": of_runs}
    for number, vector in enumerate(recorded["vectors"]):
        computed = checks[vector["type"]](vector, recorded["beta"])
        assert computed == {key: near(vector[key]) for key in computed}, f"vector {number}"
    assert recorded["vectors"]
    record_property("compared", f"Collab-Overcooked: {len(recorded['vectors'])} metrics, all equal")


def near(recorded: Any) -> Any:
    """Recorded numbers have twelve decimals."""
    if isinstance(recorded, float):
        return pytest.approx(recorded, abs=1e-11)
    if isinstance(recorded, list):
        return [near(one) for one in recorded]
    if isinstance(recorded, dict):
        return {key: near(one) for key, one in recorded.items()}
    return recorded


def of_history(vector: dict[str, Any], beta: float) -> dict[str, Any]:
    cook = vector["agent"]
    history = counted(vector["history"], SPACES[cook])
    references = references_of(vector["task"])
    found = {reference.name: align(history, reference.of(cook)) for reference in references}
    return {
        "per_rat_completeness_precision_f": {
            name: [one.completeness, one.precision, one.score(beta)] for name, one in found.items()
        },
        "tes": best_alignment(history, calls_of(references, cook), beta).score(beta),
    }


def of_addition(vector: dict[str, Any], beta: float) -> dict[str, Any]:
    cook = vector["agent"]
    references = calls_of(references_of(vector["task"]), cook)
    history, addition = (counted(vector[key], SPACES[cook]) for key in ("history", "addition"))
    return {
        "tes_before": tes(history, references, beta),
        "tes_after": tes(history + addition, references, beta),
        "ites": ites(addition, history, references, beta),
    }


def of_dialogue(vector: dict[str, Any], beta: float) -> dict[str, Any]:
    dialogue = talk(0, vector["contents"])
    assert vector["initiator"] == CHEF
    history = [(0, call) for call in vector["teammate_history"]]
    seen = exchange(dialogue, ASSISTANT, history, SPACES[ASSISTANT], "released")
    added = contribution(seen, calls_of(references_of(vector["task"]), ASSISTANT), beta)
    return {
        "requested": list(seen.requested),
        "responded": list(seen.responded),
        "ites_request": added.ites_request,
        "ites_response": added.ites_response,
        "request_minus_response": added.ites_request - added.ites_response,
        "outcome": numbered(added),
    }


def talk(timestep: int, contents: list[dict[str, Any]]) -> Dialogue:
    return Dialogue(timestep, CHEF, tuple(Turn(turn["agent"], turn["plan"]) for turn in contents))


def numbered(added: Contribution) -> int:
    return OUTCOMES.index(added.outcome)


def of_runs(vector: dict[str, Any], beta: float) -> dict[str, Any]:
    found = evaluate([run(one) for one in vector["runs"]], references_of(vector["task"]), SPACES, beta)
    result = {
        **{f"agent_{cook}": of_cook(scores) for cook, scores in enumerate(found.cooks)},
        "pc_mean_of_f1": found.pc,
        "upstream_overall_f1": found.faulty_total,
        "success_rate": found.success_rate,
        "time_avg": found.last_index[0],
        "time_std": found.last_index[1],
        "initiating": found.capability.ic or 0.0,
        "responding": found.capability.rc or 0.0,
        "per_dialogue_outcomes": [[numbered(one) for one in judged] for judged in found.contributions],
        "confusion": [[list(row) for row in layer] for layer in found.cube],
    }
    assert result.keys() == vector["result"].keys()
    return {"result": result}


def run(recorded: dict[str, Any]) -> Run:
    chef, assistant = (tuple((time, call) for time, call in history) for history in recorded["history"])
    dialogues = tuple(talk(one["t"], one["contents"]) for one in recorded["chef_dialogues"])
    return Run(recorded["finished"], recorded["last_index"], (chef, assistant), dialogues)


def of_cook(scores: CookScores) -> dict[str, float]:
    """What the release calls redundancy is precision."""
    names = ("f1", "similarity", "redundancy")
    columns = (scores.tes, scores.completeness, scores.precision)
    pairs = list(zip(names, columns, strict=True))
    return {f"mean_{name}": mean for name, (mean, _) in pairs} | {
        f"std_{name}": deviation for name, (_, deviation) in pairs
    }
