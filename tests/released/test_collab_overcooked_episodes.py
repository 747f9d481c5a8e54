"""Recorded conversations of the released Collab-Overcooked program, played as episodes and scored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from backburner.worlds.collab_overcooked.game.rule_set import RELEASED, Limits
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics.chronicle import Chronicle, chronicle
from backburner.worlds.collab_overcooked.metrics.collaboration import OUTCOMES
from backburner.worlds.collab_overcooked.metrics.pipeline import evaluate
from backburner.worlds.collab_overcooked.metrics.references import references_of
from support.collab_overcooked import world_of
from support.collab_overcooked_conversations import without_blanks
from support.collab_overcooked_cooks import spoken
from support.collab_overcooked_evaluations import assert_as_recorded
from support.collab_overcooked_words import RELEASED_SPACES


def recorded(vectors: Path, name: str) -> Any:
    file = vectors / name
    if not file.is_file():
        pytest.skip(f"no recorded runs of Collab-Overcooked: {file} is not there")
    return json.loads(file.read_text())


def played(conversation: dict[str, Any]) -> tuple[CollabOvercooked, Chronicle]:
    world = world_of(conversation["task"], rules=RELEASED, limits=Limits(conversation["n_steps"]))
    replies = [call["reply"] for call in conversation["calls"]]
    episode = spoken(world, *replies)
    assert len(episode.entries) == len(replies), conversation["id"]
    return chronicle(episode)


def conversations(vectors: Path) -> list[dict[str, Any]]:
    episodes = recorded(vectors, "collab_overcooked.json")["episodes"]
    return [episode for episode in episodes if episode["kind"] == "llm"]


def test_the_log_of_a_conversation_is_the_recorded_one(vectors: Path) -> None:
    found = conversations(vectors)
    for conversation in found:
        run = played(conversation)[1].released_run()
        histories = [[list(entry) for entry in history] for history in run.histories]
        assert histories == conversation["history"], conversation["id"]
        assert run.finished == (conversation["outcome"] == "success")
        assert run.last_index == conversation["n_steps"] - 1
    assert found


def test_conversations_that_were_evaluated_have_the_recorded_figures(vectors: Path) -> None:
    """A recorded evaluation is of a conversation if it has its order and its histories."""
    evaluated = [
        vector
        for vector in recorded(vectors, "collab_overcooked_metrics.json")["vectors"]
        if vector["type"] == "pipeline" and len(vector["runs"]) == 1
    ]
    compared = 0
    for conversation in conversations(vectors):
        for vector in evaluated:
            (run,) = vector["runs"]
            if (vector["task"], run["history"]) == (conversation["task"], conversation["history"]):
                compared += 1
                run = played(conversation)[1].released_run()
                found = evaluate([run], references_of(vector["task"]), RELEASED_SPACES)
                told = found.collaboration
                assert told is not None
                outcomes = [[OUTCOMES.index(one.added.outcome) for one in of] for of in told.dialogues]
                result = vector["result"]
                assert outcomes == result["per_dialogue_outcomes"], conversation["id"]
                assert found.pc == pytest.approx(result["pc_mean_of_f1"], abs=1e-11)
                assert (told.capability.ic or 0, told.capability.rc or 0) == pytest.approx(
                    (result["initiating"], result["responding"]), abs=1e-11
                )
    assert compared


def test_conversations_have_the_recorded_figures(vectors: Path, record_property: Any) -> None:
    """Histories, what was logged of each dialogue, and what the released evaluation makes of them."""
    episodes = recorded(vectors, "collab_conversations.json")["episodes"]
    for conversation in episodes:
        run = played(conversation)[1].released_run()
        histories = [[[time, call] for time, call in history] for history in run.histories]
        assert histories == without_blanks(conversation["history"]), conversation["id"]
        assert_as_recorded(run, conversation["task"], conversation["metrics"], conversation["id"])
    record_property("compared", f"Collab-Overcooked: figures of {len(episodes)} conversations, all equal")
