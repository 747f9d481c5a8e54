"""Plan-and-Solve: the whole plan at once, and no word of what becomes of it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from backburner.agents.models import Completion, Message, ScriptedModel, Settings, first_prompt, model_policy
from backburner.kernel import registry
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.play import play_now
from backburner.kernel.values import Thought
from support.models.oracle_model import OracleModel, played

PAIR = "recipe2plan/Tacos+Vada"


def after_the_outline(prompt: str, words: str) -> str | None:
    return (
        None if "Do not write the plan yet" in prompt and "Now write the whole plan" not in prompt else words
    )


def with_an_outline(prompt: str, words: str) -> str:
    return f"While step 1 runs, chop. Step(99, Vada) is none.\n{words}"


@pytest.mark.parametrize(
    ("method", "knowledge", "say", "calls"),
    [
        ("plan-and-solve", "none", with_an_outline, [1]),
        ("plan-and-solve@calls=apart", "gold", after_the_outline, [2]),
        ("plan-and-solve", "beliefs", lambda prompt, words: words, [1, 1]),
        ("plan-and-solve@aim=feasibility,calls=apart", "beliefs", after_the_outline, [1, 2]),
    ],
)
def test_a_model_that_knows_the_best_plan_gets_its_score(method, knowledge, say, calls) -> None:
    world = registry.world(f"{PAIR}@knowledge={knowledge}")
    best = played(world)
    model = OracleModel(world, best, say)
    episode = play_now(world, model_policy(method, world, model))
    assert episode.ending == best.ending
    assert [entry.usage["cook"].calls for entry in episode.entries] == calls
    assert ("finish one part of the task before" in model.prompts[-1]) == ("feasibility" in method)


def test_the_outline_is_a_thought_and_stays_in_the_conversation() -> None:
    world = registry.world(PAIR)
    caps: list[int | None] = []
    sent: list[list[Message]] = []

    class Planner(ScriptedModel):
        async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
            sent.append(list(messages))
            caps.append(settings.max_tokens)
            return Completion("First the oil." if len(messages) == 1 else "Action: Step(0, Vada, 00:00:00)")

    episode = play_now(world, model_policy("plan-and-solve@calls=apart", world, Planner([""])))
    assert episode.entries[0].answers["cook"].thoughts == (Thought("outline", "First the oil."),)
    assert sent[1][1] == Message("assistant", "First the oil.")
    assert caps == [2048, 2048]


def test_what_goes_wrong_is_never_heard_of() -> None:
    """Step 1 of Vada needs step 0, which the plan has after it: the first action stays, the rest is lost."""
    plan = "Action: Step(2, Vada, 00:05:00, 00:00:00), Step(1, Vada, 00:03:00, 00:05:00)"
    world = registry.world(PAIR)
    model = ScriptedModel([plan])
    episode = play_now(world, model_policy("plan-and-solve", world, model))
    assert episode.ending is not None
    assert (episode.ending.status, episode.ending.reason) == ("stopped", "the plan is used up")
    assert [refusal.code for refusal in episode.entries[0].refusals] == ["dep_incomplete"]
    assert (len(episode.entries), episode.ending.numbers["actions"]) == (1, 1)


@pytest.mark.parametrize("said", ["", "First I would boil water.", "Step(" * 5000, "\ud800 Action: {{ 7 }}"])
def test_an_answer_without_a_plan_ends_the_episode(said: str) -> None:
    world = registry.world(PAIR)
    episode = play_now(world, model_policy("plan-and-solve", world, ScriptedModel(lambda messages: said)))
    assert (episode.ending and episode.ending.status) == "stopped"
    assert episode.entries[0].answers["cook"].unread is not None


@pytest.mark.parametrize(
    ("choices", "shown"),
    [("", (True, True)), ("@examples=0", (False, False)), ("@aim=feasibility", (True, False))],
)
def test_a_worked_example_is_shown(choices: str, shown: tuple[bool, bool]) -> None:
    """Two recipes planned together; with feasibility first, one alone."""
    (message,) = first_prompt(f"plan-and-solve{choices}", registry.world(PAIR))
    assert tuple(f"Recipe {name}" in message.content for name in ("Baked-Apples", "Leek-Soup")) == shown
    assert ("Action: Step(0, Baked-Apples, " in message.content) == shown[0]


def test_it_needs_a_world_that_takes_whole_plans() -> None:
    world = registry.world("timearena/household9")
    with pytest.raises(Refused, match="plan-and-solve' makes no sense in timearena/household9"):
        model_policy("plan-and-solve", world, ScriptedModel([""]))
    with pytest.raises(UnknownName, match="unknown aim of method plan-and-solve 'tme'; did you mean time"):
        model_policy("plan-and-solve@aim=tme", registry.world(PAIR), ScriptedModel([""]))
