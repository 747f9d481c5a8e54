"""LLM-Modulo: plans, critics, and what becomes of both. The recipes stand in ``support.recipe2plan.play``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from backburner.agents.models import Message, ScriptedModel, model_policy
from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.episode import Answer, Episode, write_episode
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now
from backburner.worlds.recipe2plan.game import Recipe2Plan
from backburner.worlds.recipe2plan.game.text import piece_words
from backburner.worlds.recipe2plan.metrics.assessment import accepted
from backburner.worlds.recipe2plan.metrics.plans import rounds_of
from support.models.oracle_model import OracleModel, played
from support.recipe2plan.play import BREAD, SOUP, kitchen_of

WRONG = """\
Step(0, Bread, 00:10:00, 00:00:00), Step(1, Bread, 00:04:00, 00:00:00), Step(1, Bread, 00:04:00, 00:04:00),
Step(1, Soup, 00:10:00, 00:08:00), Step(0, Soup, 00:04:00, 00:08:00), Step(2, Bread, 00:20:00, 00:09:50),
Step(2, Soup, 00:01:00, 00:20:10), Step(3, Soup, 00:02:00, 00:21:10)"""
"""One violation of each family: the last step of Soup is missing; the chopping takes 5 minutes; the baking at
9:50 begins while the cook chops (8-12), before the oven is hot (10), and while the preheating occupies it;
the kneading is split; the water boils from 8 to 18, and is used 130 seconds after that."""

LATER_BAKING = ("Step(2, Bread, 00:20:00, 00:09:50)", "Step(2, Bread, 00:20:00, 00:13:00)")

MENDS = {
    "Completeness: Step 4 of Soup is not in the plan.": (
        "Step(3, Soup, 00:02:00, 00:21:10)",
        "Step(3, Soup, 00:02:00, 00:21:10), Step(4, Soup, 00:01:30, 00:23:10)",
    ),
    "Duration: Step 0 of Soup takes 5 min; the plan gives it 4 min.": (
        "Step(0, Soup, 00:04:00, 00:08:00)",
        "Step(0, Soup, 00:05:00, 00:08:00)",
    ),
    "Concurrency: Step 2 of Bread cannot start at 00:09:50: step 0 of Soup keeps the cook busy "
    "until 00:12:00.": LATER_BAKING,
    "Interruption: Step 1 of Bread is done in 2 pieces and cannot be split.": (
        "Step(1, Bread, 00:04:00, 00:00:00), Step(1, Bread, 00:04:00, 00:04:00)",
        "Step(1, Bread, 00:08:00, 00:00:00)",
    ),
    "Dependency: Step 2 of Bread cannot start at 00:09:50: it needs step 0, which ends at "
    "00:10:00.": LATER_BAKING,
    "Time limit: Step 2 of Soup starts at 00:20:10, 2 min 10 s after the end of step 1; "
    "the limit is 2 min.": ("00:20:10", "00:20:00"),
    "Appliance: Step 2 of Bread cannot start at 00:09:50: step 0 of Bread occupies the oven until "
    "00:10:00.": LATER_BAKING,
}
"""What mends each of these, by the words of the critics: 0-8 knead, 8-13 chop, 13-33 bake; 18 the water
boils, 20-21 put in, 21:10-23:10 stand, 23:10-24:40 season."""

SPLIT = """\
Step(0, Bread, 00:10:00, 00:00:00), Step(1, Bread, 00:08:00, 00:00:00), Step(1, Soup, 00:10:00, 00:08:00),
Step(0, Soup, 00:02:00, 00:08:00), Step(2, Bread, 00:20:00, 00:10:00), Step(0, Soup, 00:03:00, 00:10:00),
Step(2, Soup, 00:01:00, 00:18:00), Step(3, Soup, 00:02:00, 00:19:00), Step(4, Soup, 00:01:30, 00:21:00)"""
"""The best: the chopping is interrupted when the oven is hot; 10 + 20 minutes."""


def mended(prompt: str) -> str:
    """The plan that the prompt shows, with everything changed that its critique complains of."""
    plan = prompt.rpartition("A plan:\n")[2].partition("\n\nWhat the critics say")[0]
    for complaint, (wrong, right) in MENDS.items():
        if complaint in prompt:
            plan = plan.replace(wrong, right)
    return plan


def cooked(
    *said: str, choices: str = "", world: Recipe2Plan | None = None, sent: list[str] | None = None
) -> Episode:
    """The episode in which a model says this, call by call; ``MEND`` stands for the plan mended."""
    left, prompts = list(said), [] if sent is None else sent

    def script(messages: Sequence[Message]) -> str:
        assert len(messages) == 1
        prompts.append(messages[0].content)
        answer = left.pop(0)
        return mended(prompts[-1]) if answer == MEND else answer

    world = world or kitchen_of(SOUP, BREAD, limits="article")
    episode = play_now(world, model_policy(f"modulo{choices}", world, ScriptedModel(script)))
    assert left == []
    check(episode)
    return episode


MEND = "mend"


def answer_of(episode: Episode) -> Answer:
    return episode.entries[0].answers["cook"]


def thoughts_of(episode: Episode) -> list[str]:
    return [thought.purpose for thought in answer_of(episode).thoughts]


def finish_of(episode: Episode) -> tuple[int, float]:
    """(whether everything was cooked, minute at which the last action ended)."""
    assert episode.ending is not None
    return int(episode.ending.numbers["completed"]), episode.ending.numbers["seconds"] / 60


@pytest.mark.parametrize("knowledge", ["none", "beliefs", "gold"])
def test_a_model_that_knows_the_best_plan_gets_its_score(knowledge: str) -> None:
    world = registry.world(f"recipe2plan/Tacos+Vada@knowledge={knowledge}")
    best = played(world)
    episode = play_now(world, model_policy("modulo", world, OracleModel(world, best)))
    assert episode.ending == best.ending
    assert episode.header.players["cook"].informed
    assert set(rounds_of(episode.entries[-1].answers["cook"].thoughts)) == {1}


def test_it_plays_under_the_released_rules_too() -> None:
    """Nobody finishes there, and everything is complete."""
    world = kitchen_of(SOUP, BREAD, rules="released", limits="article")
    episode = cooked(SPLIT.replace("\n", " "), world=world)
    assert finish_of(episode) == (1, 30)
    assert (episode.ending and episode.ending.status) == "stopped"


def test_a_plan_with_one_violation_of_each_family_is_mended_in_the_second_round() -> None:
    sent: list[str] = []
    episode = cooked(WRONG, MEND, sent=sent)
    assert all(sent[1].count(complaint) == 1 for complaint in MENDS)
    assert "A plan:" not in sent[0]
    assert sent[1].startswith(sent[0].rstrip())
    assert thoughts_of(episode) == ["plan 1", "critique 1", "plan 2", "critique 2"]
    assert answer_of(episode).thoughts[1].text.strip().splitlines() == list(MENDS)
    assert "feasible. It ends at 00:33:00" in answer_of(episode).thoughts[3].text
    assert finish_of(episode) == (1, 33)
    assert episode.entries[0].refusals == ()


def test_a_feasible_plan_can_be_improved_until_it_is_called_done() -> None:
    """33 minutes, then 30, which the critics of idle times look at too."""
    sent: list[str] = []
    episode = cooked(WRONG, MEND, SPLIT, "Done.", choices="@improve=on", sent=sent)
    assert finish_of(episode) == (1, 30)
    assert "from 00:13:00 to 00:20:00" in sent[2]
    assert "Reply with a plan that ends earlier" in sent[2]
    assert thoughts_of(episode)[-2:] == ["critique 3", "plan 4"]
    assert set(rounds_of(answer_of(episode).thoughts)) == {1, 2, 3}


@pytest.mark.parametrize(("keep", "kept"), [("best", (1, 30)), ("last", (0, 0))])
def test_what_gets_worse_is_kept_only_if_the_last_is_asked_for(keep: str, kept: tuple[int, float]) -> None:
    """The article takes the last plan. The third round's puts the water in before it is there."""
    choices = f"@improve=on,keep={keep},rounds=3"
    episode = cooked(SPLIT, SPLIT, "Step(2, Soup, 60 s, 00:00:00)", choices=choices)
    assert finish_of(episode) == kept


def test_a_plan_that_cannot_be_read_is_put_into_form_by_another_call() -> None:
    sent: list[str] = []
    episode = cooked("I preheat, knead, chop ...", SPLIT, sent=sent)
    assert "I preheat, knead, chop ..." in sent[1]
    assert thoughts_of(episode) == ["plan 1", "reformatted 1", "critique 1"]
    assert rounds_of(answer_of(episode).thoughts) == {1: SPLIT}
    assert episode.entries[0].usage["cook"].calls == 2


def test_the_rounds_are_counted_and_the_last_plan_is_carried_out() -> None:
    episode = cooked(WRONG, WRONG, WRONG, choices="@rounds=3")
    assert thoughts_of(episode)[-1] == "critique 3"
    assert episode.ending is not None
    assert (episode.ending.status, episode.ending.reason) == ("stopped", "the plan is used up")
    assert episode.entries[0].refusals != ()


def test_earlier_attempts_are_told_again_if_asked_for() -> None:
    for history, told in (("last", 1), ("all", 2)):
        sent: list[str] = []
        cooked(WRONG, WRONG, SPLIT, choices=f"@history={history}", sent=sent)
        assert sent[2].count("What the critics say of it:") == told


@pytest.mark.parametrize("said", ["", "Done", "Step(" * 3000, "\ud800{{ 7 * 7 }}", "Step(9, Stew, 1 s, 1 s)"])
def test_whatever_is_said_the_world_has_the_last_word(said: str) -> None:
    world = kitchen_of(SOUP, limits="article")
    episode = play_now(world, model_policy("modulo", world, ScriptedModel(lambda messages: said)))
    assert (episode.ending and episode.ending.status) == "stopped"
    assert thoughts_of(episode)[-1] == "critique 10"


def test_a_plan_out_of_a_record_is_mended(tmp_path: Path) -> None:
    """In the record the chopping is carried out and the putting in refused: the water does not boil."""
    world = kitchen_of(SOUP, BREAD, limits="article")
    said = "Action: Step(0, Soup, 00:05:00, 00:00:00), Step(2, Soup, 00:01:00, 00:05:00)"
    failed = play_now(world, model_policy("plan-and-solve", world, ScriptedModel([said])))
    assert [piece_words(piece) for piece in accepted(failed)] == ["Step(0, Soup, 00:05:00, 00:00:00)"]
    write_episode(failed, tmp_path / "plans" / "failed.jsonl")
    sent: list[str] = []
    for place in (tmp_path / "plans", tmp_path / "plans" / "failed.jsonl"):
        episode = cooked(SPLIT, choices=f"@start={place}", world=world, sent=sent)
        assert thoughts_of(episode) == ["plan 0", "critique 0", "plan 1", "critique 1"]
        assert finish_of(episode) == (1, 30)
    assert "Completeness: Step 1 of Soup is not in the plan." in sent[0]


def test_a_feasible_plan_out_of_a_record_stands_unless_it_is_to_be_improved(tmp_path: Path) -> None:
    world = kitchen_of(SOUP, BREAD, limits="article")
    write_episode(cooked(WRONG, MEND, world=world), tmp_path / "feasible.jsonl")
    assert finish_of(cooked(choices=f"@start={tmp_path}", world=world)) == (1, 33)
    episode = cooked(SPLIT, "done", choices=f"@improve=on,start={tmp_path}", world=world)
    assert finish_of(episode) == (1, 30)


@pytest.mark.parametrize(
    ("recorded", "why"),
    [
        (("Vada",), "needs one record of recipe2plan/Tacos with seed 0; has none"),
        (("Tacos", "Tacos"), "needs one record of recipe2plan/Tacos with seed 0; has several, such as"),
    ],
)
def test_an_episode_without_a_record_to_start_from_fails_alone(tmp_path: Path, recorded, why: str) -> None:
    folder = tmp_path / "plans"
    folder.mkdir()
    (folder / "notes.jsonl").write_text("no record")
    for number, name in enumerate(recorded):
        write_episode(played(registry.world(f"recipe2plan/{name}")), folder / f"{number}.jsonl")
    world = registry.world("recipe2plan/Tacos")
    episode = play_now(world, model_policy(f"modulo@start={folder}", world, ScriptedModel([""])))
    assert episode.ending is not None
    assert (episode.ending.status, episode.ending.reason) == ("failed", "record")
    assert why in episode.ending.error


def test_it_needs_a_world_with_critics() -> None:
    with pytest.raises(Refused, match="this world has no critics of whole plans"):
        model_policy("modulo", registry.world("timearena/household9"), ScriptedModel([""]))


def test_there_has_to_be_something_where_it_is_to_start() -> None:
    with pytest.raises(Refused, match="start=nowhere: no such file or folder"):
        model_policy("modulo@start=nowhere", registry.world("recipe2plan/Vada"), ScriptedModel([""]))
