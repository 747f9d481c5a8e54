"""Recorded results of the released Collab-Overcooked evaluation, computed again: every recorded field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from backburner.worlds.collab_overcooked.metrics.collaboration import (
    Dialogue,
    History,
    Turn,
)
from backburner.worlds.collab_overcooked.metrics.measures import align, best_alignment, ites, tes
from backburner.worlds.collab_overcooked.metrics.references import (
    ASSISTANT,
    CHEF,
    Calls,
    calls_of,
    counted_as_released,
    references_of,
)
from backburner.worlds.collab_overcooked.metrics.released_evaluation import Run, evaluate, judged
from support.collab_overcooked.evaluations import (
    added_by,
    assert_as_recorded,
    deviations,
    means,
    near,
    numbered,
)
from support.collab_overcooked.words import RELEASED_SPACES
from support.recordings import Case, Compare, each, recorded_in

DEEDS = RELEASED_SPACES[CHEF] | RELEASED_SPACES[ASSISTANT]


def test_recorded_metrics_agree(vectors: Path, compare: Compare) -> None:
    told = recorded_in(vectors, "collab_overcooked_metrics.json")
    checks = {"tes": of_history, "ites": of_addition, "dialogue": of_dialogue, "pipeline": of_runs}

    def check(vector: Case) -> int:
        computed = checks[vector["type"]](vector, told["beta"])
        assert computed == {key: near(vector[key]) for key in computed}
        return len(computed)

    compare("collab_overcooked_metrics.json", "values", each(told["vectors"], check))


def test_the_calls_that_count_are_the_recorded_ones(vectors: Path, compare: Compare) -> None:
    """They are the same for every order."""
    told = recorded_in(vectors, "collab_action_space.json")
    assert told["same_for_all_orders"] is True

    def check(cook: Case) -> int:
        assert sorted(RELEASED_SPACES[cook["cook"]]) == cook["calls"]
        return len(cook["calls"])

    cooks = [{"id": f"agent_{cook}", "cook": cook} for cook in (CHEF, ASSISTANT)]
    cases = [cook | {"calls": told["action_space"][cook["id"]]} for cook in cooks]
    compare("collab_action_space.json, spaces", "calls", each(cases, check))


def test_recorded_dialogues_are_judged_alike(vectors: Path, compare: Compare) -> None:
    """Whole runs, with calls that neither cook, or only the other one, has."""

    def check(pair: Case) -> int:
        assert_as_recorded(run_of_pair(pair), pair["task"], pair["result"], f"pair {pair['id']}")
        return len(pair["result"].get("dialogues", ()))

    pairs = recorded_in(vectors, "collab_action_space.json")["pairs"]
    compare("collab_action_space.json, runs", "dialogues", each(pairs, check))


def run_of_pair(pair: dict[str, Any]) -> Run:
    dialogues = (talk(one["t"], one["contents"], one["opener"]) for one in pair["dialogues"])
    return Run(pair["finished"], pair["last_index"], histories_of(pair["history"]), tuple(dialogues))


def of_history(vector: dict[str, Any], beta: float) -> dict[str, Any]:
    cook = vector["agent"]
    history = counted_as_released(vector["history"], DEEDS)
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
    history: Calls = counted_as_released(vector["history"], DEEDS)
    addition: Calls = counted_as_released(vector["addition"], DEEDS)
    return {
        "tes_before": tes(history, references, beta),
        "tes_after": tes(history + addition, references, beta),
        "ites": ites(addition, history, references, beta),
    }


def of_dialogue(vector: dict[str, Any], beta: float) -> dict[str, Any]:
    dialogue = talk(0, vector["contents"], vector["initiator"])
    history = tuple((0, call) for call in vector["teammate_history"])
    references = references_of(vector["task"])
    one = judged(dialogue, ((), history), RELEASED_SPACES, references, beta)
    assert one is not None and one.began == CHEF
    return added_by(one)


def talk(timestep: int, contents: list[dict[str, Any]], opener: int = CHEF) -> Dialogue:
    turns = (Turn(turn["agent"], turn["plan"], turn["say"]) for turn in contents)
    return Dialogue(timestep, opener, tuple(turns))


def of_runs(vector: dict[str, Any], beta: float) -> dict[str, Any]:
    runs = [run(one) for one in vector["runs"]]
    found = evaluate(runs, references_of(vector["task"]), RELEASED_SPACES, beta)
    told = found.collaboration
    assert told is not None, found.undefined
    result = {
        **{f"agent_{cook}": means(scores) | deviations(scores) for cook, scores in enumerate(found.cooks)},
        "pc_mean_of_f1": found.pc,
        "upstream_overall_f1": found.faulty_total,
        "success_rate": found.success_rate,
        "time_avg": found.last_index[0],
        "time_std": found.last_index[1],
        "initiating": told.capability.ic or 0.0,
        "responding": told.capability.rc or 0.0,
        "per_dialogue_outcomes": [[numbered(one) for one in of_run] for of_run in told.dialogues],
        "confusion": [[list(row) for row in layer] for layer in told.cube],
    }
    assert result.keys() == vector["result"].keys()
    return {"result": result}


def run(told: dict[str, Any]) -> Run:
    dialogues = tuple(talk(one["t"], one["contents"]) for one in told["chef_dialogues"])
    return Run(told["finished"], told["last_index"], histories_of(told["history"]), dialogues)


def histories_of(told: list[list[list[Any]]]) -> tuple[History, History]:
    chef, assistant = (tuple((timestamp, call) for timestamp, call in history) for history in told)
    return chef, assistant
