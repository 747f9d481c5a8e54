"""The released evaluation of one run of Collab-Overcooked, in the words of the recordings."""

from __future__ import annotations

from typing import Any

import pytest

from backburner.worlds.collab_overcooked.metrics.collaboration import OUTCOMES, Dialogue, calls_until
from backburner.worlds.collab_overcooked.metrics.references import CHEF, references_of
from backburner.worlds.collab_overcooked.metrics.released_evaluation import CookScores, Judged, Run, evaluate
from support.collab_overcooked.words import RELEASED_SPACES

NAMES = ("f1", "similarity", "redundancy")
"""What the release calls redundancy is precision."""


def assert_as_recorded(run: Run, task: str, wanted: dict[str, Any], where: str) -> None:
    """Every recorded figure of the run comes out.

    Where the released program stopped with an error IC and RC are not defined here; what is left are the
    cooks' figures.
    """
    found = evaluated(run, task)
    assert (found["evaluate"] == "ok") == (wanted["evaluate"] == "ok"), (where, found["evaluate"])
    if wanted["evaluate"] != "ok":
        wanted = {key: value for key, value in wanted.items() if key.startswith("agent_")}
    assert _only(found, wanted) == near(wanted), where


def _only(found: Any, wanted: Any) -> Any:
    """What is recorded of what was found."""
    if isinstance(wanted, dict):
        return {key: _only(found[key], value) for key, value in wanted.items()}
    if isinstance(wanted, list) and len(wanted) == len(found):
        return [_only(one, other) for one, other in zip(found, wanted, strict=True)]
    return found


def evaluated(run: Run, task: str) -> dict[str, Any]:
    found = evaluate([run], references_of(task), RELEASED_SPACES)
    result: dict[str, Any] = {
        "evaluate": found.undefined or "ok",
        **{f"agent_{cook}": means(scores) for cook, scores in enumerate(found.cooks)},
        "upstream_overall_f1": found.faulty_total,
        "success_rate": found.success_rate,
    }
    if found.collaboration is None:
        return result
    (dialogues,) = found.collaboration.dialogues
    opened = [dialogue for dialogue in run.dialogues if dialogue.opener == CHEF]
    return result | {
        "initiating": found.collaboration.capability.ic or 0.0,
        "responding": found.collaboration.capability.rc or 0.0,
        "confusion": [[list(row) for row in layer] for layer in found.collaboration.cube],
        "per_dialogue_outcomes": [[numbered(one) for one in dialogues]],
        "dialogues": [_dialogue(run, *pair) for pair in zip(opened, dialogues, strict=True)],
    }


def _dialogue(run: Run, dialogue: Dialogue, one: Judged) -> dict[str, Any]:
    return {
        "t": one.timestep,
        "begin": one.began,
        "spoken": len(dialogue.turns),
        "history": list(calls_until(run.histories[1 - one.began], one.timestep)),
        **added_by(one),
    }


def added_by(one: Judged) -> dict[str, Any]:
    return {
        "requested": list(one.exchange.requested),
        "responded": list(one.exchange.responded),
        "ites_request": one.added.ites_request,
        "ites_response": one.added.ites_response,
        "request_minus_response": one.added.ites_request - one.added.ites_response,
        "outcome": numbered(one),
    }


def numbered(one: Judged) -> int:
    return OUTCOMES.index(one.added.outcome)


def means(scores: CookScores) -> dict[str, float]:
    columns = (scores.tes, scores.completeness, scores.precision)
    return {f"mean_{name}": mean for name, (mean, _) in zip(NAMES, columns, strict=True)}


def deviations(scores: CookScores) -> dict[str, float]:
    columns = (scores.tes, scores.completeness, scores.precision)
    return {f"std_{name}": deviation for name, (_, deviation) in zip(NAMES, columns, strict=True)}


def near(recorded: Any) -> Any:
    """Recorded numbers have twelve decimals."""
    if isinstance(recorded, float):
        return pytest.approx(recorded, abs=1e-11)
    if isinstance(recorded, list):
        return [near(one) for one in recorded]
    if isinstance(recorded, dict):
        return {key: near(one) for key, one in recorded.items()}
    return recorded
