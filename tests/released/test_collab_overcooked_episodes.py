"""Recorded conversations of the released Collab-Overcooked program, played as episodes and scored."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from backburner.worlds.collab_overcooked.game.rule_set import RELEASED, Limits
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics.chronicle import Chronicle, chronicle
from backburner.worlds.collab_overcooked.metrics.collaboration import OUTCOMES
from backburner.worlds.collab_overcooked.metrics.references import CHEF, references_of
from backburner.worlds.collab_overcooked.metrics.released_evaluation import Run, evaluate
from support.collab_overcooked.conversations import without_blanks
from support.collab_overcooked.cooks import spoken
from support.collab_overcooked.evaluations import assert_as_recorded
from support.collab_overcooked.kitchens import world_of
from support.collab_overcooked.words import RELEASED_SPACES
from support.recordings import Case, Compare, each, episodes_in, recorded_in


def played(conversation: Case) -> tuple[CollabOvercooked, Chronicle]:
    world = world_of(conversation["task"], rules=RELEASED, limits=Limits(conversation["n_steps"]))
    replies = [call["reply"] for call in conversation["calls"]]
    episode = spoken(world, *replies)
    assert len(episode.entries) == len(replies), conversation["id"]
    return chronicle(episode)


def conversations(vectors: Path) -> list[Case]:
    episodes = episodes_in(vectors, "collab_overcooked.json")
    return [episode for episode in episodes if episode["kind"] == "llm"]


def test_the_log_of_a_conversation_is_the_recorded_one(vectors: Path, compare: Compare) -> None:
    def check(conversation: Case) -> int:
        run = played(conversation)[1].released_run()
        histories = [[list(entry) for entry in history] for history in run.histories]
        assert histories == conversation["history"]
        assert run.finished == (conversation["outcome"] == "success")
        assert run.last_index == conversation["n_steps"] - 1
        return sum(map(len, histories))

    compare("collab_overcooked.json, histories", "logged calls", each(conversations(vectors), check))


def test_conversations_that_were_evaluated_have_the_recorded_figures(vectors: Path, compare: Compare) -> None:
    """A recorded evaluation is of a conversation if it has its order, its histories and its dialogues."""
    found = evaluations_in(vectors)

    def check(conversation: Case) -> int:
        run = played(conversation)[1].released_run()
        evaluations = of_these_dialogues(run, candidates(found, conversation))
        assert evaluations, "no recorded evaluation has these dialogues"
        for evaluation in evaluations:
            check_figures(run, evaluation)
        return len(evaluations)

    evaluated = [one for one in conversations(vectors) if candidates(found, one)]
    compare("collab_overcooked_metrics.json, conversations", "evaluations", each(evaluated, check))


def test_an_evaluation_of_the_same_deeds_without_the_words_is_not_the_conversation_s(vectors: Path) -> None:
    found = evaluations_in(vectors)
    conversation = next(one for one in conversations(vectors) if candidates(found, one))
    (spoken_one,) = candidates(found, conversation)
    silent = {**spoken_one, "runs": [{**spoken_one["runs"][0], "chef_dialogues": []}]}
    run = played(conversation)[1].released_run()
    assert of_these_dialogues(run, candidates([silent, spoken_one], conversation)) == [spoken_one]


def evaluations_in(vectors: Path) -> list[Case]:
    """The recorded evaluations of single runs."""
    told = recorded_in(vectors, "collab_overcooked_metrics.json")["vectors"]
    return [vector for vector in told if vector["type"] == "pipeline" and len(vector["runs"]) == 1]


def candidates(evaluations: Iterable[Case], conversation: Case) -> list[Case]:
    """The evaluations of its order and its histories."""
    wanted = conversation["task"], conversation["history"]
    return [one for one in evaluations if (one["task"], one["runs"][0]["history"]) == wanted]


def of_these_dialogues(run: Run, evaluations: Iterable[Case]) -> list[Case]:
    told = dialogues_of(run)
    return [one for one in evaluations if chef_dialogues(one) == told]


def dialogues_of(run: Run) -> list[Any]:
    """The dialogues that the chef opened, as ``chef_dialogues`` gives the recorded ones."""
    return [
        (one.timestep, [(turn.cook, bare(turn.plan), turn.say) for turn in one.turns])
        for one in run.dialogues
        if one.opener == CHEF
    ]


def chef_dialogues(evaluation: Case) -> list[Any]:
    (run,) = evaluation["runs"]
    return [
        (one["t"], [(turn["agent"], bare(turn["plan"]), turn["say"]) for turn in one["contents"]])
        for one in run["chef_dialogues"]
    ]


def bare(plan: str) -> str:
    """A plan is recorded with the field's name before it."""
    return re.sub(r"^(Chef|Assistant) plan:", "", plan).strip()


def check_figures(run: Run, evaluation: Case) -> None:
    found = evaluate([run], references_of(evaluation["task"]), RELEASED_SPACES)
    told, result = found.collaboration, evaluation["result"]
    assert told is not None
    outcomes = [[OUTCOMES.index(one.added.outcome) for one in of] for of in told.dialogues]
    assert outcomes == result["per_dialogue_outcomes"]
    assert found.pc == pytest.approx(result["pc_mean_of_f1"], abs=1e-11)
    assert (told.capability.ic or 0, told.capability.rc or 0) == pytest.approx(
        (result["initiating"], result["responding"]), abs=1e-11
    )


def test_conversations_have_the_recorded_figures(vectors: Path, compare: Compare) -> None:
    """Histories, what was logged of each dialogue, and what the released evaluation makes of them."""

    def check(conversation: Case) -> int:
        run = played(conversation)[1].released_run()
        histories = [[[time, call] for time, call in history] for history in run.histories]
        assert histories == without_blanks(conversation["history"])
        assert_as_recorded(run, conversation["task"], conversation["metrics"], conversation["id"])
        return len(conversation["metrics"].get("dialogues", ()))

    episodes = episodes_in(vectors, "collab_conversations.json")
    compare("collab_conversations.json, figures", "dialogues", each(episodes, check))
