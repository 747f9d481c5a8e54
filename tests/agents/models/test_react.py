"""ReAct's choices: what each form of history tells again, and that a good player plays well in all."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from backburner.agents.models import Message, ScriptedModel, first_prompt, model_policy
from backburner.agents.models.methods.stepwise import HISTORY, parted
from backburner.kernel import registry
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now
from backburner.kernel.policy import Turn
from backburner.kernel.values import Thought
from backburner.worlds.robotouille.game.rule_set import Limits
from support.models.oracle_model import OracleModel, played

ARENA = "timearena/household9"
KITCHEN = "robotouille/synchronous/1@seed=42"


def turn(index: int) -> Turn:
    """A turn of a world that says little."""
    return Turn("cook", index, 0, str, lambda: f"Minute {index}.", lambda: "Boil the tea.", str)  # type: ignore[arg-type]


def last_conversation(method: str, said: Sequence[str], n_turns: int) -> list[tuple[str, str]]:
    """(role, content) of what is sent in the last of so many turns, each answered with the next reply."""
    sent: list[Sequence[Message]] = []

    def script(messages: Sequence[Message]) -> str:
        sent.append(messages)
        return said[len(sent) - 1]

    policy, memory = model_policy(method, registry.world(ARENA), ScriptedModel(script)), None
    for index in range(n_turns):
        memory = asyncio.run(policy.decide(turn(index), memory)).memory
    return [(message.role, message.content) for message in sent[-1]]


OPENING = """\
You carry out a task in a world where time passes. Each message tells you how things stand. Reply with your \
thoughts first and then with your next decision, like this:

Reasoning: <your thoughts>
Action: <the decision, in the form that is asked for>

Boil the tea."""

ASKED = "\n\nFirst your reasoning, in keeping with what you thought and did before, then your next action."
FIRST = "Reasoning: water takes long\nAction: heat water"
SAID = [FIRST, "Reasoning: nothing to do\nAction: wait", "Action: pour tea"]


def test_all_of_the_conversation_can_be_told_again() -> None:
    assert last_conversation("react@calls=together", SAID, 2) == [
        ("user", f"{OPENING}\n\nMinute 0.{ASKED}"),
        ("assistant", FIRST),
        ("user", f"Minute 1.{ASKED}"),
    ]


def test_nothing_of_it_can_be_told_again() -> None:
    sent = last_conversation("react@calls=together,history=none", SAID, 3)
    assert sent == [("user", f"{OPENING}\n\nMinute 2.{ASKED}")]


@pytest.mark.parametrize(
    ("history", "told", "answer"),
    [
        ("last-action", "(How things stood then is left out.)", "Action: wait"),
        ("last-reasoning-action", "(How things stood then is left out.)", SAID[1]),
        ("last-observation-reasoning-action", "Minute 1.", SAID[1]),
    ],
)
def test_some_of_the_turn_before_can_be_told_again(history: str, told: str, answer: str) -> None:
    assert last_conversation(f"react@calls=together,history={history}", SAID, 3) == [
        ("user", f"{OPENING}\n\n{told}"),
        ("assistant", answer),
        ("user", f"Minute 2.{ASKED}"),
    ]


def test_thoughts_in_a_call_of_their_own_are_told_again_with_the_decision() -> None:
    sent = last_conversation("react@history=last-reasoning-action", ["hm", "wait", "so", "stir"], 2)
    assert [role for role, _ in sent] == ["user", "assistant", "user", "assistant", "user"]
    assert [content for role, content in sent if role == "assistant"] == ["hm\n\nwait", "so"]
    assert sent[2][1].startswith("Minute 1.\n\nDo not decide yet.")


def test_a_reminder_of_the_rules_ends_every_observation() -> None:
    sent = last_conversation("react@calls=together,prior=on", SAID, 2)
    assert all("\n\nBefore you decide, go through the rules" in text for role, text in sent if role == "user")
    (prompt,) = first_prompt("react@prior=on", registry.world(KITCHEN))
    assert "Keep these rules in mind" in prompt.content and "holds one thing at most." in prompt.content


def test_a_plan_is_asked_for_and_its_first_action() -> None:
    (prompt,) = first_prompt("react@calls=together,plan=on", registry.world(ARENA))
    assert prompt.content.endswith("Then the first action of this plan.")
    (prompt,) = first_prompt("react@plan=on", registry.world(ARENA))
    assert "Of this plan only the first step will be your next decision." in prompt.content


def in_the_form_asked_for(prompt: str, words: str) -> str | None:
    """The plan's words, with thoughts before them if these are asked for with them."""
    if "First your reasoning" in prompt:
        mark = "" if words.startswith("Action:") else "Action: "
        return f"Reasoning: I go on.\nAction is next.\n{mark}{words}\nObservation: made up"
    last = prompt.rpartition("Do not decide yet")[2]
    return words if "Now decide" in last else None


@pytest.mark.parametrize("id", ["timearena/cooking1", KITCHEN, "robotouille/asynchronous/1@seed=42"])
@pytest.mark.parametrize("history", HISTORY.values)
@pytest.mark.parametrize("calls", ["apart", "together"])
def test_a_good_player_plays_well_with_any_history(id: str, history: str, calls: str) -> None:
    world = registry.world(id)
    best = played(world)
    model = OracleModel(world, best, in_the_form_asked_for)
    episode = play_now(world, model_policy(f"react@calls={calls},history={history}", world, model))
    assert episode.ending == best.ending
    assert [entry.digest for entry in episode.entries] == [entry.digest for entry in best.entries]


@pytest.mark.parametrize("id", ["recipe2plan/Tacos+Vada", "cuisineworld/level_0"])
def test_reasoning_in_the_same_answer_is_kept_apart_from_the_decision(id: str) -> None:
    world = registry.world(id)
    best = played(world, "greedy")
    model = OracleModel(world, best, in_the_form_asked_for)
    episode = play_now(world, model_policy("react@calls=together,reads=decision", world, model))
    assert [entry.digest for entry in episode.entries] == [entry.digest for entry in best.entries]
    thoughts = {entry.answers[world.seats[0]].thoughts for entry in episode.entries}
    assert thoughts == {(Thought("think", "Reasoning: I go on.\nAction is next."),)}


@pytest.mark.parametrize(
    ("answer", "thoughts", "decision"),
    [
        ("Reasoning: cut first\n**Action:** cut", "Reasoning: cut first", "**Action:** cut"),
        ("Thought: now. Action: Step(0, Vada)", "Thought: now.", "Action: Step(0, Vada)"),
        ("Action: a\nAction: b\n\nReasoning: as a is first", "", "Action: a\nAction: b"),
        ("my action: none, as of now\nAction: wait", "my action: none, as of now", "Action: wait"),
        ("wait", "", "wait"),
        ("", "", ""),
    ],
)
def test_an_answer_is_parted_at_its_first_action(answer: str, thoughts: str, decision: str) -> None:
    assert parted(answer) == (thoughts, decision)


def test_robotouille_is_asked_as_the_article_asked() -> None:
    world = registry.world("robotouille/asynchronous/1@seed=42")
    policy = model_policy("react", world, ScriptedModel(["Action: Wait"]))
    assert policy.settings["choices"] == {
        "calls": "together",
        "reads": "decision",
        "history": "last-reasoning-action",
        "plan": "on",
        "prior": "off",
        "examples": "1",
        "aim": "time",
        "tries": "1",
    }
    (prompt,) = first_prompt("react", world)
    example = prompt.content.partition("An example of how")[2].partition("This was the example.")[0]
    assert example.count("\nAction: ") == 22
    assert example.count("Station ") == 12, "only the first time is everything told"
    assert "Goal: A sandwich with onion and chicken" in example
    assert "Under way by itself: cook chicken1." in example
    assert prompt.content.rindex("Goal:") > prompt.content.index("This was the example.")


def test_the_synchronous_tasks_have_an_example_of_their_kind() -> None:
    (prompt,) = first_prompt("react", registry.world(KITCHEN))
    assert "Goal: A sandwich with onion and cheese" in prompt.content
    assert "Under way by itself" not in prompt.content


def test_an_example_is_refused_where_there_is_none() -> None:
    with pytest.raises(
        Refused, match="'react@examples=1' makes no sense in timearena/household9: this world names"
    ):
        first_prompt("react@examples=1", registry.world(ARENA))


BAD = ("", " ", "I will not.", "Action:", "Action: \ud800", "Reasoning: " * 20_000, "Action: Wait\n" * 5000)


@pytest.mark.parametrize("answer", BAD)
@pytest.mark.parametrize("history", ["none", "last-observation-reasoning-action"])
@pytest.mark.parametrize("id", [KITCHEN, ARENA])
def test_bad_answers_stop_nothing(answer: str, history: str, id: str) -> None:
    world = registry.world(id)
    model = ScriptedModel(lambda _: answer)
    episode = play_now(world, model_policy(f"react@calls=together,history={history}", world, model))
    assert episode.ending.status in ("cut off", "ended")


def test_feasibility_first_takes_the_hurry_out_of_the_words() -> None:
    kitchen, arena = registry.world("recipe2plan/Tacos+Vada"), registry.world("timearena/lab1")
    for world in (kitchen, arena):
        (usual,) = first_prompt("react", world)
        (careful,) = first_prompt("react@aim=feasibility", world)
        assert "How much time it takes does not count" in careful.content
        assert "How much time it takes does not count" not in usual.content
    assert "finished soonest" in usual.content and "finished soonest" not in careful.content


# --- several tries within a decision, as in Robotouille's released program ---------------------------------

VALID = "Reasoning: off we go\nAction: Wait"
IMPOSSIBLE = "Reasoning: up\nAction: Fly"
NO_PARTS = "I would rather sing."


def tried(method: str, said: Sequence[str], steps: int) -> tuple[Episode, list[Sequence[Message]]]:
    """The play of a model that gives these answers and then waits, and everything that it was sent."""
    sent: list[Sequence[Message]] = []

    def script(messages: Sequence[Message]) -> str:
        sent.append(tuple(messages))
        return said[len(sent) - 1] if len(sent) <= len(said) else VALID

    world = registry.world(KITCHEN, rules="released", limits=Limits(steps=steps, attempts=5, failed_calls=3))
    return play_now(world, model_policy(method, world, ScriptedModel(script))), sent


def test_an_answer_that_cannot_be_carried_out_is_fed_back_within_the_step() -> None:
    """No parts, then an impossible action, then a good one: one decision, three calls, nothing refused."""
    episode, sent = tried("react@tries=5", [NO_PARTS, IMPOSSIBLE, VALID], steps=1)
    (entry,) = episode.entries
    assert (entry.refusals, entry.usage["robot1"].calls) == ((), 3)
    thoughts = entry.answers["robot1"].thoughts
    assert [one.text for one in thoughts if one.purpose == "try"] == [NO_PARTS, IMPOSSIBLE]
    # What could not be read stays in full, before the next question.
    assert [message.content for message in sent[1] if message.role == "assistant"] == [NO_PARTS]
    assert sent[1][:1] == sent[0]
    assert "both parts, reasoning and action" in sent[1][-1].content
    # What was impossible takes the place of the turn before.
    assert [message.content for message in sent[2] if message.role == "assistant"] == [IMPOSSIBLE]
    assert "This cannot be done now, and nothing has happened: Action: Fly" in sent[2][-1].content


def test_a_decision_without_an_answer_is_refused_and_the_third_ends_the_run() -> None:
    episode, sent = tried("react@tries=5", [IMPOSSIBLE] * 5 + [NO_PARTS] * 5 + [VALID] + [IMPOSSIBLE] * 5, 9)
    assert [len(entry.refusals) for entry in episode.entries] == [1, 1, 0, 1]
    assert [entry.usage["robot1"].calls for entry in episode.entries] == [5, 5, 1, 5]
    assert len(sent) == 16
    assert episode.ending is not None
    assert "3 decisions in which no answer could be carried out" in str(episode.ending)


def test_without_the_choice_a_refused_answer_comes_back_as_a_turn() -> None:
    """The world counts it, and asks again; no step passes."""
    episode, _ = tried("react", [IMPOSSIBLE, NO_PARTS, VALID], steps=1)
    assert [len(entry.refusals) for entry in episode.entries] == [1, 1, 0]
    assert [entry.usage["robot1"].calls for entry in episode.entries] == [1, 1, 1]


def test_tries_need_a_world_that_lists_what_can_be_done() -> None:
    with pytest.raises(Refused, match="a number from 0 to 20"):
        model_policy("react@tries=21", registry.world(KITCHEN), ScriptedModel(lambda _: VALID))
