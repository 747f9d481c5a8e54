"""Models that cook: what they are told at each level of knowledge, and what becomes of their answers."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from backburner.agents.models import Completion, Message, ScriptedModel, Settings, first_prompt, model_policy
from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.episode import Episode
from backburner.kernel.play import play_now
from backburner.worlds.recipe2plan.game.beliefs import gold, parts, statement
from backburner.worlds.recipe2plan.game.scenarios import shipped_recipes

STATED = (
    "Beliefs about Tacos. Autonomous: 0. Dependencies: 0->1. Appliances: stove: 2. "
    "Beliefs about Vada. Autonomous: none. Dependencies: none. Appliances: none"
)
"""In one line, as a script of recorded replies has it."""

APART = "react@calls=apart"
METHODS = ("act", "react", APART)
QUESTION = "Before you begin: state what you believe about each recipe."
CHOP = "Action: Step(0, Vada, 00:00:00)"
TRUTHS = ["\n".join(parts(gold(shipped_recipes()[name]))) for name in ("Tacos", "Vada")]


def talk(method: str, knowledge: str, *answers: str) -> tuple[Episode, list[str]]:
    """The episode in which a model answers so, and all that it was sent, in order."""
    said = [
        text
        for answer in answers
        for text in (["Let me think."] if method == APART and answer != STATED else []) + [answer]
    ]
    sent: list[str] = []

    def script(messages: list[Message]) -> str:
        sent.append(messages[-1].content)
        return said[len(sent) - 1]

    world = registry.world(f"recipe2plan/Tacos+Vada@knowledge={knowledge}")
    episode = play_now(world, model_policy(method, world, ScriptedModel(script)))
    assert check(episode) == len(answers)
    return episode, sent


@pytest.mark.parametrize("method", METHODS)
def test_a_model_states_its_beliefs_first_and_reads_them_from_then_on(method: str) -> None:
    episode, sent = talk(method, "beliefs", STATED, CHOP, "Action: Finish")
    opening, later = sent[0], sent[1 :: 2 if method == APART else 1]
    assert len(later) == 2
    assert opening.rstrip().count(QUESTION) == 1
    assert not any(truth in text for truth in TRUTHS for text in sent)
    tacos, vada = (entry.recipe for entry in episode.entries[0].answers["cook"].decision.beliefs)
    assert (tacos, vada) == ("Tacos", "Vada")
    for text in later:
        assert QUESTION not in text
        assert all(statement(one) in text for one in episode.entries[0].answers["cook"].decision.beliefs)
    assert episode.entries[1].refusals == ()


def test_beliefs_are_asked_for_apart_and_capped_as_the_article_has_it() -> None:
    """Three kinds of beliefs about each of two recipes, of 128 tokens each; what is said then is not carried
    on, as the world tells it again."""
    calls: list[tuple[int, int | None]] = []

    class Metered(ScriptedModel):
        async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
            calls.append((len(messages), settings.max_tokens))
            return Completion(STATED if len(calls) == 1 else CHOP)

    world = registry.world("recipe2plan/Tacos+Vada@knowledge=beliefs")
    play_now(world, model_policy("act", world, Metered([""])), max_steps=3)
    assert calls == [(1, 3 * 2 * 128), (1, 512), (3, 512)]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("knowledge", ["none", "gold"])
def test_a_model_is_told_the_truth_or_nothing(method: str, knowledge: str) -> None:
    episode, sent = talk(method, knowledge, CHOP, "Action: Finish")
    assert [truth in sent[0] for truth in TRUTHS] == [knowledge == "gold"] * 2
    assert not any("beliefs" in text.lower() for text in sent)
    assert not any(entry.refusals for entry in episode.entries)


@pytest.mark.parametrize(("method", "parts"), [("react", 2), ("react@aim=feasibility", 1)])
def test_react_is_shown_an_example_as_in_the_article(method: str, parts: int) -> None:
    """Tables 13 and 14: of two recipes that are cooked together, or of one; both take 32 minutes."""
    world = registry.world("recipe2plan/Tacos+Vada")
    (prompt,) = first_prompt(method, world)
    briefing, _, rest = prompt.content.partition("An example of how")
    example, _, task = rest.partition("This was the example.")
    assert "Recipe Tacos" in briefing and "Baked-Apples" not in briefing + task
    assert example.count("\nRecipe ") == parts
    assert example.count("\nAction: Step(") == (13 if parts == 2 else 7)
    assert example.rstrip().endswith("Action: Step(6, Baked-Apples, 00:02:00, 00:30:00)")
    assert "Reasoning:" not in prompt.content
    assert "You have carried out the action.\nIt is 00:04:00.\n\nThought: Under way" in example


@pytest.mark.parametrize("method", ["react", "react@examples=0", "reflexion"])
def test_thoughts_have_the_heading_that_the_cook_is_told(method: str) -> None:
    """What is kept of an answer begins at this heading under released rules, so it is the only one told."""
    (prompt, *_) = first_prompt(method, registry.world("recipe2plan/Tacos+Vada", rules="released"))
    assert "Thought: <your thoughts>" in prompt.content and 'behind "Thought:"' in prompt.content
    assert "Reasoning:" not in prompt.content


def test_under_released_rules_what_stands_in_the_thoughts_of_react_is_carried_out() -> None:
    """The released loop hands its evaluator the whole answer; ``standard`` reads the action alone."""
    said = "Thought: Step(1, Pancakes, 00:00:00, 00:00:30)?\nAction: Step(0, Cobbler, 00:00:00, 00:10:00)"
    pieces = {}
    for rules in ("standard", "released"):
        kitchen = registry.world("recipe2plan/Cobbler+Pancakes", rules=rules)
        episode = play_now(kitchen, model_policy("react", kitchen, ScriptedModel([said])), max_steps=1)
        answer = episode.entries[0].answers["cook"]
        assert answer.text == said
        pieces[rules] = [piece["recipe"] for piece in msgspec.to_builtins(answer.decision)["actions"]]
    assert pieces == {"standard": ["Cobbler"], "released": ["Pancakes", "Cobbler"]}
