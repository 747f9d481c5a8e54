"""The cook: two models that see their own prompts alone, and what each mechanism leaves in the record."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import pytest

from backburner.agents.models import Message, ScriptedModel, first_prompt, model_policy
from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec, Endpoint
from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.play import play_now
from support.models.cook_models import LESSON, KnowingChef, ObedientAssistant, asked_for, said
from support.models.oracle_model import played

EGG = "collab_overcooked/boiled_egg"


def kitchen(order: str = "boiled_egg", rules: str = "standard") -> Any:
    return registry.world(f"collab_overcooked/{order}", rules=rules)


def talk(
    chef: Sequence[str], assistant: Sequence[str] = (said("wait(1)"),), *, method: str = "cook",
    rules: str = "standard", steps: int = 6,
) -> tuple[Episode, list[str]]:  # fmt: skip
    """What follows when the cooks' models give these answers in turn; and the prompts of the chef.

    Whenever a lesson is asked for it is the same.
    """
    world = kitchen(rules=rules)
    prompts: list[str] = []

    def scripted(replies: Sequence[str], seen: list[str]) -> ScriptedModel:
        given: list[str] = []

        def script(messages: Sequence[Message]) -> str:
            seen.append(messages[-1].content)
            if asked_for(messages[-1].content) == "reflect":
                return LESSON
            given.append(replies[len(given) % len(replies)])
            return given[-1]

        return ScriptedModel(script)

    models = {"chef": scripted(chef, prompts), "assistant": scripted(assistant, [])}
    cooks = {seat: model_policy(method, world, model) for seat, model in models.items()}
    return play_now(world, cooks, max_steps=steps), prompts


def thoughts(episode: Episode, seat: str = "chef") -> list[tuple[str, str]]:
    """All thoughts of a cook, one after the other."""
    answers = [entry.answers[seat] for entry in episode.entries if seat in entry.answers]
    return [(thought.purpose, thought.text) for answer in answers for thought in answer.thoughts]


@pytest.mark.parametrize("order", ["boiled_egg", "baked_potato_slices", "sliced_zucchini_and_chickpea_stew"])
def test_two_models_that_only_read_their_prompts_cook_in_the_fewest_steps(order: str) -> None:
    """The assistant is told no recipe: what it does it has from the chef's requests."""
    world = kitchen(order)
    best = played(world)
    chef, assistant = KnowingChef(world, best), ObedientAssistant()
    cooks = {"chef": model_policy("cook", world, chef), "assistant": model_policy("cook", world, assistant)}
    episode = play_now(world, cooks)
    assert episode.ending is not None and best.ending is not None
    assert episode.ending.numbers == best.ending.numbers
    assert all(f"{order}: takes" in prompt for _, prompt in chef.prompts)
    assert not any(f"{order}: takes" in prompt for _, prompt in assistant.prompts)
    assert "answer" in {ask for ask, _ in assistant.prompts}
    assert check(episode) == len(episode.entries)


def test_each_call_stands_alone() -> None:
    system, asked = first_prompt("cook", kitchen())
    assert (system.role, asked.role) == ("system", "user")
    world = kitchen()
    assert (
        asked.content == f"{world.briefing('chef')}\n\n{world.describe(world.observe(world.start(), 'chef'))}"
    )
    _, prompts = talk([said("wait(1)")])
    assert all(prompt.startswith(asked.content[:200]) and said("wait(1)") not in prompt for prompt in prompts)


def test_the_record_says_what_every_answer_was_for() -> None:
    """``answers[seat].thoughts``: the chef plans, is spoken to by nobody, and goes on talking once."""
    episode, _ = talk(
        [said("wait(1)", "Hello."), said("wait(2)", "Thank you.")], [said("wait(1)", "Hm.")], steps=4
    )
    assert thoughts(episode)[:2] == [("asked for", "plan"), ("asked for", "continue")]
    assert thoughts(episode, "assistant")[0] == ("asked for", "answer")


REFUSED = said("pickup(egg, counter)")
"""There is no egg on any counter at first."""


def test_a_correction_that_is_accepted_teaches_a_lesson() -> None:
    """The pickup is refused; the chef waits instead; at its next turn it says what it learned."""
    episode, prompts = talk([REFUSED, said("wait(1)")])
    assert thoughts(episode)[:4] == [
        ("asked for", "plan"), ("asked for", "correct"), ("lesson", LESSON), ("asked for", "plan")
    ]  # fmt: skip
    assert [asked_for(prompt) for prompt in prompts[:4]] == ["plan", "correct", "reflect", "plan"]
    assert "This was refused: No counter within your reach has egg." in prompts[2]
    assert "You had answered:\nAnalysis: as I see it.\nPlan: pickup(egg, counter)" in prompts[2]
    assert "That was accepted." in prompts[2]
    assert LESSON not in prompts[1] and f"- {LESSON}" in prompts[3]
    usage = [entry.usage["chef"].calls for entry in episode.entries if "chef" in entry.usage]
    assert usage[:3] == [1, 1, 2]


def test_a_correction_that_is_refused_again_teaches_one_too() -> None:
    episode, prompts = talk([REFUSED])
    assert "That was refused as well: No counter within your reach has egg." in prompts[2]
    assert ("lesson", LESSON) in thoughts(episode)


def test_without_reflection_the_lessons_stay_empty() -> None:
    """As in the released program, which never asks for one."""
    episode, prompts = talk([REFUSED, said("wait(1)")], method="cook@reflection=off")
    assert "lesson" not in dict(thoughts(episode))
    assert all("Lessons that you have learned" not in prompt for prompt in prompts)
    assert all(entry.usage[seat].calls == 1 for entry in episode.entries for seat in entry.usage)
    assert episode.header.players["chef"].settings["choices"] == {"lessons": "5", "reflection": "off"}


def test_the_latest_lessons_are_shown() -> None:
    _, prompts = talk([REFUSED], method="cook@lessons=2", steps=20)
    assert max(prompt.count(f"- {LESSON}") for prompt in prompts) == 2


@pytest.mark.parametrize(("rules", "repairs"), [("standard", 1), ("released", 2)])
def test_an_answer_without_a_plan_is_repaired_with_the_answer_in_view(rules: str, repairs: int) -> None:
    episode, prompts = talk(["Let us see.", said("wait(1)")], rules=rules)
    assert thoughts(episode)[: 1 + repairs] == [("asked for", "plan"), *[("asked for", "repair")] * repairs]
    assert prompts[1].endswith("Your last answer was:\nLet us see.")
    assert "Your last answer was" not in prompts[0]
    first = episode.entries[0]
    assert first.answers["chef"].unread is not None and first.answers["chef"].unread.code == "no_plan"


def test_a_correction_that_has_to_be_repaired_is_one_correction() -> None:
    """No lesson before the repaired answer has come to something."""
    episode, _ = talk([REFUSED, "What now?", said("wait(1)")])
    purposes = [text for purpose, text in thoughts(episode)]
    assert purposes[:5] == ["plan", "correct", "repair", LESSON, "plan"]


def test_each_cook_may_have_a_model_of_its_own() -> None:
    """``--seat-model chef=... --seat-model assistant=...``: players, labels and calls are kept apart."""
    spec = AgentSpec("cook", seats=(("chef", Endpoint("large")), ("assistant", Endpoint("small"))))
    assert spec.label == "cook(chef=large,assistant=small)"
    world = kitchen()
    best = played(world)
    clients = {"large": KnowingChef(world, best), "small": ObedientAssistant()}
    episode = play_now(world, make_policies(spec, world, lambda endpoint: clients[endpoint.model]))
    assert {seat: player.name for seat, player in episode.header.players.items()} == {
        "chef": "cook(knowing-chef)",
        "assistant": "cook(obedient-assistant)",
    }
    assert episode.header.agent == "cook(knowing-chef) + cook(obedient-assistant)"
    assert episode.header.players["chef"].settings["model"] == "knowing-chef"
    assert episode.ending is not None and episode.ending.numbers["completed"] == 1


def test_one_model_for_both_is_one_policy() -> None:
    world, client = kitchen(), ScriptedModel([said("wait(1)")])
    policies = make_policies(AgentSpec("cook", "m"), world, lambda endpoint: client)
    assert policies["chef"] is policies["assistant"]
    with pytest.raises(UnknownName, match="waiter"):
        spec = AgentSpec("cook", "m", seats=(("waiter", Endpoint("n")),))
        make_policies(spec, world, lambda endpoint: client)


@pytest.mark.parametrize("id", ["timearena/cooking1", "cuisineworld/level_3", "recipe2plan/Tacos+Vada"])
def test_where_nobody_talks_it_is_refused(id: str) -> None:
    with pytest.raises(Refused, match=r"'cook' makes no sense in .*: nobody talks in this world"):
        first_prompt("cook", registry.world(id))


BAD = {
    "nothing": "",
    "prose": "I would rather talk about the weather. [END]",
    "endless plan": f"Plan: {'pickup(egg, counter);' * 3000}\nSay: [NOTHING]",
    "a flood of ends": said("wait(1)", "[END] " * 5000),
    "endless talk": said("wait(1)", "And another thing: {index}"),
    "broken signs": "Plan: cook(\ud800)\nSay: \udfff {{ briefing }} {% endraw %}",
    "requests only": said("request('cut(chopping_board0)');" * 50, "Do it."),
}


@pytest.mark.parametrize("answer", BAD.values(), ids=BAD)
@pytest.mark.parametrize("rules", ["standard", "released"])
def test_bad_answers_stop_nothing_and_end_with_the_world_s_limits(answer: str, rules: str) -> None:
    """Words that are never the same keep a talk open; its rounds are the world's to count."""
    world = kitchen(rules=rules)
    calls = itertools.count()

    def script(messages: Sequence[Message]) -> str:
        return answer.replace("{index}", str(next(calls)))

    episode = play_now(world, model_policy("cook", world, ScriptedModel(script)), max_steps=60)
    assert episode.ending is not None and episode.ending.status in ("cut off", "capped")
    assert check(episode) == len(episode.entries)
    assert longest_talk(episode) <= 2 * world.limits.rounds


def longest_talk(episode: Episode) -> int:
    """How many answers a talk took beside the one that began it."""
    found, longest = 0, 0
    for entry in episode.entries:
        asked = [t.text for a in entry.answers.values() for t in a.thoughts if t.purpose == "asked for"]
        found = found + 1 if asked[0] in ("answer", "continue") else 0
        longest = max(longest, found)
    return longest


def test_a_cook_that_talks_without_end_is_stopped_by_the_rounds_of_the_world() -> None:
    """The chef speaks 10 times, once to begin with; the assistant answers each time."""
    answers = [said("wait(1)", f"And another thing: {number}") for number in range(30)]
    episode, _ = talk(answers, answers, steps=30)
    assert longest_talk(episode) == 10 + 9


def test_a_lesson_without_end_is_cut() -> None:
    world = kitchen()
    lengths: list[int] = []

    def script(messages: Sequence[Message]) -> str:
        lengths.append(len(messages[-1].content))
        return "x" * 10_000 if asked_for(messages[-1].content) == "reflect" else REFUSED

    play_now(world, model_policy("cook", world, ScriptedModel(script)), max_steps=60)
    assert max(lengths) < 3000 + 5 * 700
