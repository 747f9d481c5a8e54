"""Thoughts of a model are kept, and are no answer: in all worlds under ``standard`` rules, with any method.

Under ``released`` rules a reader gets them with the answer, as the released one does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from backburner.agents.models import Message, model_policy
from backburner.agents.models.client import Completion, Settings
from backburner.agents.models.methods import METHODS
from backburner.agents.models.toolbox import NO_TOOLS, Toolbox
from backburner.kernel import claims, registry
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.values import Refusal, Thought
from backburner.kernel.wrapping import REASONING

SCENARIOS = {
    "timearena": "timearena/household9",
    "recipe2plan": "recipe2plan/Tacos+Vada",
    "robotouille": "robotouille/synchronous/4@seed=42",
    "collab_overcooked": "collab_overcooked/boiled_egg",
    "cuisineworld": "cuisineworld/level_0",
}
CONSIDERED = {
    "timearena": ("activate radio", "wait"),
    "recipe2plan": ("Action: Step(0, Tacos, 3:00, 0:00)", "Action: Step(0, Vada, 10:00, 0:00)"),
    "robotouille": (
        "Action: robot1 goes from table1 to table2",
        "Action: robot1 goes from table1 to table3",
    ),
    "collab_overcooked": ("Plan: wait(1)", "Plan: wait(2)"),
    "cuisineworld": ("goto_agent0_storage0", "goto_agent1_storage0"),
}
"""An action that is only considered, and the one that is the answer."""


def written(world: str, form: str) -> str:
    considered, answer = CONSIDERED[world]
    return form.format(considered=considered, answer=answer)


class Thinker:
    """Always answers with the same; ``asked`` holds what it was sent."""

    def __init__(self, text: str, reasoning: str = "", ending: str = "", name: str = "thinker") -> None:
        self.name, self.origin = name, {"model": name}
        self._completion = Completion(text, ending=ending, reasoning=reasoning)
        self.asked: list[Sequence[Message]] = []

    async def complete(
        self, messages: Sequence[Message], settings: Settings, tools: Toolbox = NO_TOOLS
    ) -> Completion:
        self.asked.append(messages)
        return self._completion

    async def aclose(self) -> None:
        """Nothing to let go of."""


def first_entry(world: str, model: Any, rules: str = "standard") -> Any:
    kitchen = registry.world(SCENARIOS[world], rules=rules)
    episode = play_now(kitchen, model_policy("act", kitchen, model), max_steps=2)
    assert claims.check(episode) == len(episode.entries)
    return kitchen, episode.entries[0]


FORMS = (
    "<think>{considered}</think>\n\n{answer}",
    "<think>\nSo, {considered}?\nOr else:\n{considered}\n</think>\n{answer}",
    "So, {considered}?\n</think>\n\n{answer}",
    "<thinking>{considered}</thinking>{answer}",
    "<think>{considered}</think>{answer}<think>{considered}",
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("world", SCENARIOS)
def test_what_is_considered_is_not_done(world: str, form: str) -> None:
    kitchen, entry = first_entry(world, Thinker(written(world, form)))
    ((seat, answer),) = list(entry.answers.items())[:1]
    _, meant = CONSIDERED[world]
    assert not isinstance(answer.decision, Refusal)
    assert answer.unread is None
    assert (answer.text, answer.decision) == (meant, kitchen.parse(kitchen.start(), seat, meant))
    (thought,) = answer.thoughts
    assert thought.purpose == REASONING
    assert CONSIDERED[world][0] in thought.text
    assert "think" not in thought.text
    assert entry.usage[seat].endings == {}


@pytest.mark.parametrize("world", SCENARIOS)
def test_a_thought_that_was_cut_off_is_no_answer(world: str) -> None:
    for ending, told in (("length", "length"), ("", "empty")):
        text = written(world, "<think>First, {considered}\n{considered}")
        _, entry = first_entry(world, Thinker(text, ending=ending))
        ((seat, answer),) = list(entry.answers.items())[:1]
        assert answer.text == ""
        assert answer.unread is not None
        assert answer.thoughts == (Thought(REASONING, text.removeprefix("<think>")),)
        assert entry.usage[seat].endings == {told: 1}


@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("world", SCENARIOS)
def test_thoughts_beside_the_answer_are_kept(world: str, rules: str) -> None:
    considered, answer = CONSIDERED[world]
    kitchen, entry = first_entry(world, Thinker(answer, f" {considered}\n"), rules)
    ((seat, said),) = list(entry.answers.items())[:1]
    assert (said.text, said.thoughts) == (answer, (Thought(REASONING, considered),))
    assert said.unread is None or said.unread == kitchen.parse(kitchen.start(), seat, answer)


@pytest.mark.parametrize("world", SCENARIOS)
def test_under_released_rules_the_reader_gets_all_of_the_text(world: str) -> None:
    """What each does with it is told by its recordings; here, that it is that text that is read."""
    text = written(world, FORMS[0])
    kitchen, entry = first_entry(world, Thinker(text), "released")
    ((seat, answer),) = list(entry.answers.items())[:1]
    assert (answer.text, answer.thoughts) == (text, ())
    read = kitchen.parse(kitchen.start(), seat, text)
    assert (answer.unread or answer.decision) == read


RELEASED = {
    "timearena": None,
    "recipe2plan": "Tacos",
    "robotouille": "table3",
    "collab_overcooked": None,
    "cuisineworld": "goto_agent0_storage0",
}
"""What is found in ``FORMS[0]`` under released rules: the considered action of Recipe2Plan, both commands of
CuisineWorld, the marked line of Robotouille alone; in the others no action, as the shape is another."""


@pytest.mark.parametrize("world", SCENARIOS)
def test_what_released_readers_find_in_thoughts(world: str) -> None:
    _, entry = first_entry(world, Thinker(written(world, FORMS[0])), "released")
    ((_, answer),) = list(entry.answers.items())[:1]
    wanted = RELEASED[world]
    assert (answer.unread is not None) == (wanted is None)
    assert wanted is None or wanted in repr(answer.decision)


@pytest.mark.parametrize("world", SCENARIOS)
@pytest.mark.parametrize("method", METHODS)
def test_thoughts_are_never_sent_back(method: str, world: str) -> None:
    model = Thinker(written(world, "<think>SECRETLY</think>{answer}"), "QUIETLY")
    kitchen = registry.world(SCENARIOS[world])
    try:
        policy = model_policy(method, kitchen, model)
    except Refused:
        return
    episode = play_now(kitchen, policy, max_steps=6)
    assert len(model.asked) > 1 or method in ("io", "io-cot", "plan-and-solve", "modulo")
    sent = "".join(message.content for messages in model.asked for message in messages)
    assert "SECRETLY" not in sent
    assert "QUIETLY" not in sent
    kept = [
        thought.text
        for entry in episode.entries
        for answer in entry.answers.values()
        for thought in answer.thoughts
        if thought.purpose == REASONING
    ]
    assert kept == ["QUIETLY\n\nSECRETLY"] * len(model.asked)


@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("name", ["thinker", "deepseek-reasoner"])
@pytest.mark.parametrize("world", SCENARIOS)
def test_reasoning_beside_the_answer_is_read_in_one_case(world: str, name: str, rules: str) -> None:
    """Recipe2Plan's released client writes what DeepSeek's server tells apart before the answer, so that an
    action that is merely considered there is carried out; nobody else's does."""
    considered, answer = CONSIDERED[world]
    _, entry = first_entry(world, Thinker(answer, considered, name=name), rules)
    _, alone = first_entry(world, Thinker(answer), rules)
    said, plain = next(iter(entry.answers.values())), next(iter(alone.answers.values()))
    if (world, name, rules) == ("recipe2plan", "deepseek-reasoner", "released"):
        assert said.text == f"<think>{considered}</think>{answer}"
        assert said.decision == first_entry(world, Thinker(said.text), rules)[1].answers["cook"].decision
        assert said.decision != plain.decision
        assert said.thoughts == ()
    else:
        assert (said.text, said.decision, said.unread) == (plain.text, plain.decision, plain.unread)
        assert [thought.text for thought in said.thoughts] == [considered]


class Outsider:
    """Somebody's own agent, which hands on what its model says."""

    name, informed, settings = "outsider", False, {}

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        return Reply("<think>activate radio</think>wait", thoughts=(Thought("plan", "none"),))


def test_thoughts_in_answers_of_any_agent_are_parted_off() -> None:
    episode = play_now(registry.world("timearena/household9"), Outsider(), max_steps=1)
    assert claims.check(episode) == 1
    answer = episode.entries[0].answers["agent"]
    assert answer.text == "wait"
    assert answer.thoughts == (Thought("plan", "none"), Thought(REASONING, "activate radio"))


def test_a_broken_pair_of_surrogates_in_a_thought_stops_nothing() -> None:
    _, entry = first_entry("timearena", Thinker("<think>\ud83d</think>wait"))
    assert entry.answers["agent"].thoughts == (Thought(REASONING, "?"),)
