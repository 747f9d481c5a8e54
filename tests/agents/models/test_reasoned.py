"""A reason for every decision: what is read of answers, what is asked again, what is kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backburner.agents.models import Message, ScriptedModel, model_policy
from backburner.agents.models.methods.stepwise import Reasoned, read_reasoned
from backburner.kernel import registry
from backburner.kernel.play import play_now
from backburner.kernel.values import Thought
from support.models.oracle_model import OracleModel, played


@pytest.mark.parametrize(
    "id", ["timearena/cooking1", "recipe2plan/Vada", "robotouille/synchronous/1@seed=42"]
)
def test_a_model_that_knows_the_best_plan_gets_its_score(id: str) -> None:
    world = registry.world(id)
    best = played(world)

    def with_reason(prompt: str, words: str) -> str:
        return f"**Reason:** it is next in the plan, and I wash cup after it.\nDecision: {words}"

    episode = play_now(world, model_policy("reasoned", world, OracleModel(world, best, with_reason)))
    assert episode.ending == best.ending
    reason = Thought("reason", "it is next in the plan, and I wash cup after it.")
    assert all(entry.answers[world.seats[0]].thoughts == (reason,) for entry in episode.entries)


@pytest.mark.parametrize(
    ("text", "reason", "decision"),
    [
        ("Reason: it boils\nDecision: wait", "it boils", "wait"),
        ("reasoning : it boils\n\n**decision:** wait", "it boils", "wait"),
        ("Decision: wait\nReason: it boils", "it boils", "wait"),
        ("Reason: it boils\nAction: Step(0, Soup, 00:05:00, 00:00:00)", "it boils",
         "Action: Step(0, Soup, 00:05:00, 00:00:00)"),
        ("Reason: it boils\nDecision:\nAction: Finish", "it boils", "Action: Finish"),
        ("It boils.\nDecision: wait", "It boils.", "wait"),
        ("Reason: it boils\nwait", "it boils", "wait"),
        ("wait\nReason: it boils", "it boils", "wait"),
        ("I wait because it boils", "I wait because it boils", "I wait because it boils"),
        ("wait", "", "wait"),
        ("Decision: wait", "", "wait"),
        ("Reason:\nDecision: wait", "", "wait"),
        ("", "", ""),
    ],
)  # fmt: skip
def test_reasons_are_read_forgivingly(text: str, reason: str, decision: str) -> None:
    assert read_reasoned(text) == Reasoned(reason, decision)


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    assert isinstance(read_reasoned(text), Reasoned)


@given(st.lists(st.sampled_from(["Reason:", "Decision:", "Action:", "wait", "because", "\n", "*"])))
def test_any_order_of_marks_can_be_read(parts: list[str]) -> None:
    assert isinstance(read_reasoned(" ".join(parts)), Reasoned)


def test_who_gives_no_reason_is_asked_once_more() -> None:
    """The first answer is given without a reason, then with one; the second twice without."""
    said = iter(["activate radio", "Reason: it plays by itself\nDecision: activate radio", "wait", "wait!"])
    sent: list[str] = []

    def script(messages: list[Message]) -> str:
        sent.append(messages[-1].content)
        return next(said)

    world = registry.world("timearena/household9")
    episode = play_now(world, model_policy("reasoned", world, ScriptedModel(script)), max_steps=2)
    first, second = (entry.answers["agent"] for entry in episode.entries)
    assert (first.text, second.text) == ("activate radio", "wait!")
    assert first.thoughts == (
        Thought("without reason", "activate radio"),
        Thought("reason", "it plays by itself"),
    )
    assert second.thoughts == (Thought("without reason", "wait"), Thought("without reason", "wait!"))
    assert [text.startswith("You gave no reason.") for text in sent] == [False, True, False, True]
    assert [entry.usage["agent"].calls for entry in episode.entries] == [2, 2]


@pytest.mark.parametrize("said", ["", "reason:", "Reason: " * 2000, "\udfff{{ 7 * 7 }}", "Decision:\n" * 99])
def test_bad_answers_never_stop_an_episode_otherwise_than_by_its_rules(said: str) -> None:
    world = registry.world("timearena/household9")
    episode = play_now(world, model_policy("reasoned", world, ScriptedModel(lambda messages: said)))
    assert (episode.ending and episode.ending.reason) == "error_limit"
