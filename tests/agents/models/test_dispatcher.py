"""The dispatcher: what it is shown and what is left out, which each record tells by its thoughts."""

from __future__ import annotations

import re
from typing import Any

import pytest

from backburner.agents.models import Message, ScriptedModel, first_prompt, model_policy
from backburner.agents.models.client import Settings
from backburner.agents.models.policy import method_settings
from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.clock import Timing
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now
from backburner.kernel.values import Thought
from support.models.oracle_model import OracleModel, played

LEVEL = "cuisineworld/level_3@bodies={},tau=1.5"


def kitchen(bodies: int = 2) -> Any:
    return registry.world(LEVEL.format(bodies))


def talk(method: str, replies: Any, world: Any = None, steps: int = 5) -> tuple[Episode, list[list[Message]]]:
    """An episode with a scripted model, and the conversations that it was sent."""
    world = world or kitchen()
    sent: list[list[Message]] = []

    def script(messages: Any) -> str:
        sent.append(list(messages))
        return replies[(len(sent) - 1) % len(replies)]

    episode = play_now(world, model_policy(method, world, ScriptedModel(script)), max_steps=steps)
    return episode, sent


def thoughts(episode: Episode, index: int = 0) -> tuple[Thought, ...]:
    return episode.entries[index].answers["dispatcher"].thoughts


def answers(messages: list[Message]) -> list[str]:
    return [message.content for message in messages if message.role == "assistant"]


@pytest.mark.parametrize("bodies", [1, 2, 4])
@pytest.mark.parametrize("choices", ["", "@demonstration=none,feedback=off,hints=off,recipes=off"])
def test_a_model_that_knows_what_to_do_serves_as_well_as_who_told_it(bodies: int, choices: str) -> None:
    """It has to be shown every state, and what it answers has to reach the kitchen."""
    world = kitchen(bodies)
    best = played(world, "greedy")
    episode = play_now(world, model_policy(f"dispatcher{choices}", world, OracleModel(world, best)))
    assert episode.ending == best.ending
    assert [entry.digest for entry in episode.entries] == [entry.digest for entry in best.entries]


def test_the_conversation_has_the_four_parts_of_the_article() -> None:
    """Rules; the example in 9 decisions; who one is, with the oldest state in view; the present state."""
    said = ["goto_agent0_storage0", "get_agent0_tuna_storage0", "goto_agent0_pot0", "noop_agent0"]
    _, sent = talk("dispatcher", said)
    assert [len(messages) for messages in sent] == [20, 22, 24, 24, 24]
    rules, opening, *_ = sent[4]
    assert rules.role == "system" and "tunaSushi: made in a mixer" in rules.content
    assert "beefMeatcake: made in a blender of beef, flour" in opening.content
    assert "beefMeatcake, lifetime 30" in opening.content
    assert all(a.role != b.role for a, b in zip(sent[4], sent[4][1:], strict=False))
    assert answers(sent[4])[0] == "goto_agent0_storage0\ngoto_agent1_storage0"
    assert answers(sent[4])[-2:] == said[2:4]
    window = [message.content for message in sent[4][19::2]]
    assert window[0].startswith("The example is over. Here begins your own game. You command agent0, agent1")
    assert [f"step: {step} of 60" in text for step, text in zip((2, 3, 4), window, strict=True)] == [True] * 3


def test_the_record_names_what_was_shown_and_what_was_left_out() -> None:
    """``answers[seat].thoughts`` of the first decision; ``players[seat].settings`` has the choices."""
    told, _ = talk("dispatcher", ["noop_agent0"])
    assert thoughts(told) == (Thought("demonstration", "cuisineworld/example, dispatcher: 9 decisions"),)
    assert thoughts(told, 1) == ()
    bare, _ = talk("dispatcher@demonstration=two-steps,feedback=off,hints=off", ["noop_agent0"])
    assert thoughts(bare) == (
        Thought("demonstration", "cuisineworld/example, dispatcher: 2 decisions"),
        Thought("left out", "hints, feedback"),
    )
    settings = bare.header.players["dispatcher"].settings
    assert settings["choices"] == {
        "demonstration": "two-steps", "demonstration-bodies": "same", "feedback": "off", "hints": "off",
        "history": "2", "instructions": "on", "recipes": "on",
    }  # fmt: skip
    assert (settings["decoding"], settings["temperature"], settings["max_tokens"]) == (
        "cuisineworld",
        0.1,
        100,
    )


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ("recipes", "made in a"),
        ("hints", "holds one thing at most"),
        ("instructions", "the agent goes to the place"),
        ("feedback", "When a command is refused you are told why"),
    ],
)
def test_each_part_can_be_left_out(choice: str, words: str) -> None:
    with_it, without_it = (
        "\n".join(message.content for message in first_prompt(f"dispatcher@{choice}={value}", kitchen()))
        for value in ("on", "off")
    )
    assert words in with_it
    assert words not in without_it
    assert "Write one command for each agent that is yours" in without_it


def test_without_feedback_nobody_is_told_what_was_refused() -> None:
    said = ["get_agent0_tuna_storage0"]
    told, silent = (talk(f"dispatcher@feedback={value}", said, steps=3)[1][-1] for value in ("on", "off"))
    assert "the agent is not there." in told[-1].content
    assert not any("the agent is not there" in message.content for message in silent)
    assert told[-1].content.endswith(silent[-1].content)


def test_a_demonstration_by_fewer_bodies_than_there_are() -> None:
    """Table 3: four agents after an example with two."""
    messages = first_prompt("dispatcher@demonstration-bodies=2", kitchen(4))
    assert answers(messages)[0].count("goto_") == 2
    assert "You command agent0, agent1, agent2, agent3" in messages[-1].content


def test_no_demonstration_and_no_history() -> None:
    _, sent = talk("dispatcher@demonstration=none,history=0", ["noop_agent0"])
    assert [[message.role for message in messages] for messages in sent] == [["system", "user"]] * 5
    assert sent[4][1].content.startswith("You command agent0, agent1 in a kitchen.")


def test_the_article_s_settings_reach_the_model() -> None:
    seen: list[Settings] = []

    class Watched(ScriptedModel):
        async def complete(self, messages: Any, settings: Settings) -> Any:
            seen.append(settings)
            return await super().complete(messages, settings)

    world = kitchen()
    play_now(world, model_policy("dispatcher", world, Watched(["noop_agent0"])), max_steps=1)
    assert (seen[0].temperature, seen[0].max_tokens) == (0.1, 100)


@pytest.mark.parametrize(
    ("method", "id", "why"),
    [
        ("dispatcher@demonstration=whole", "timearena/cooking1", "choose demonstration=none"),
        ("dispatcher@try=2,feedback=off", "timearena/cooking1", "feedback=off does not"),
        ("dispatcher@demonstration-bodies=3", "timearena/cooking1", "needs a demonstration"),
        ("dispatcher@demonstration-bodies=2", "cuisineworld/level_3@bodies=3,seats=0.1+2", "how 2 bodies"),
        (
            "dispatcher@demonstration=whole,demonstration-bodies=2",
            "robotouille/synchronous/1@seed=42",
            "for one robot, not for 2",
        ),
    ],
)
def test_where_it_makes_no_sense_it_is_refused(method: str, id: str, why: str) -> None:
    with pytest.raises(Refused, match=f"makes no sense in {re.escape(id.partition('@')[0])}.*{why}"):
        first_prompt(method, registry.world(id))


def test_each_dispatcher_of_its_own_bodies_is_shown_their_part() -> None:
    world = registry.world("cuisineworld/level_3@bodies=2,seats=each,tau=1.5")
    mine, yours = (first_prompt("dispatcher", world, seat=seat) for seat in world.seats)
    assert [answers(messages)[1] for messages in (mine, yours)] == [
        "get_agent0_beef_storage0",
        "get_agent1_flour_storage0",
    ]
    assert "Here begins your own game. You are agent1 in a kitchen." in yours[-1].content


@pytest.mark.parametrize(
    ("id", "choices"),
    [
        ("timearena/cooking1", ""),
        ("robotouille/multi_agent/1@play=dispatcher,seed=42", ""),
        ("robotouille/synchronous/1@seed=42", "@demonstration=two-steps"),
    ],
)
def test_it_plays_in_other_worlds_that_tell_their_parts(id: str, choices: str) -> None:
    world = registry.world(id, limits="none")
    best = played(world, "greedy")
    episode = play_now(world, model_policy(f"dispatcher{choices}", world, OracleModel(world, best)))
    assert episode.ending == best.ending


IMPOSSIBLE = {
    "cuisineworld/level_3@bodies=2,tau=1.5": (
        "get_agent0_tuna_storage0\nnoop_agent1",
        "'get_agent0_tuna_storage0': the agent is not there.",
        "goto_agent0_storage0\ngoto_agent1_pot0",
    ),
    "minecraft/level_1": (
        "['killMob(alex, chicken)', 'goto(steve, oak_log)']",
        "alex: no chicken near me; send me to one first.",
        "['goto(alex, chicken)', 'goto(steve, oak_log)']",
    ),
    "clocked_kitchen/level_3@tau=1.5,bodies=2,seats=one": (
        "put_agent0_pot0\ngoto_agent1_pot0",
        "'put_agent0_pot0': the agent holds nothing.",
        "get_agent0_tuna_storage0\ngoto_agent1_pot0",
    ),
}
"""An answer with a command that cannot be carried out at the beginning, what is said of it, a better one."""


@pytest.mark.parametrize(("id", "said"), IMPOSSIBLE.items())
def test_what_would_be_refused_is_told_back_before_anything_is_carried_out(
    id: str, said: tuple[str, str, str]
) -> None:
    world, (bad, why, good) = registry.world(id), said
    episode, sent = talk("dispatcher@demonstration=none,try=2", [bad, good], world, steps=1)
    first, again = sent
    assert again[:-1] == [*first, Message("assistant", bad)] and why in again[-1].content
    straight, _ = talk("dispatcher@demonstration=none", [good], world, steps=1)
    assert episode.entries[0].digest == straight.entries[0].digest and not episode.entries[0].refusals
    assert episode.entries[0].answers["dispatcher"].text == good
    assert thoughts(episode) == (Thought("try", bad),) and episode.header.players["dispatcher"].informed
    # Both calls are paid for: all that was sent, and 2 commands each, or in Minecraft 4 words.
    cost, n_read = episode.entries[0].usage["dispatcher"], sum(len(m.content.split()) for m in first + again)
    assert (cost.calls, cost.input_tokens) == (2, n_read)
    assert cost.output_tokens == (8 if "minecraft" in id else 4)


def test_the_last_try_is_carried_out_whatever_it_is_and_a_clock_charges_them_all() -> None:
    """5 tokens are a step here: three answers of 20 bytes, which are 5 tokens each, take 3 steps."""
    world = kitchen()
    policy = model_policy("dispatcher@try=3", world, ScriptedModel(["put_agent0_pot1     "]))
    episode = play_now(world, policy, max_steps=1, clock=Timing(speed="5/step", count="bytes").bound(world))
    silent, entry = episode.entries[:2]
    assert silent.answers["dispatcher"].silent
    answer = entry.answers["dispatcher"]
    assert answer.thought is not None and len(answer.thought.calls) == 3
    assert answer.thought.charge == 3 * 1_000_000
    assert [thought.purpose for thought in answer.thoughts] == ["demonstration", "try", "try"]
    assert entry.refusals


REASONS = {
    "both parts": "Reason: tuna is needed, so get_agent0_tuna_storage0 is next\nDecision:\n{}",
    "one label": "Reason: tuna is needed, so get_agent0_tuna_storage0 is next\n{}",
    "at the end": "{}\nReason: tuna is needed, so get_agent0_tuna_storage0 is next",
    "in bold": "**Reason:** tuna is needed, so get_agent0_tuna_storage0 is next\n**Decision:**\n{}",
}


@pytest.mark.parametrize("form", REASONS.values(), ids=REASONS)
@pytest.mark.parametrize("rules", ["standard", "released"])
def test_a_reason_is_read_off_and_kept_as_a_thought(form: str, rules: str) -> None:
    """A command that it names is not carried out, even where the world reads commands anywhere."""
    world, commands = registry.world(LEVEL.format(2), rules=rules), "goto_agent0_storage0\ngoto_agent1_pot0"
    episode, sent = talk("dispatcher@why=on", [form.format(commands)], world, steps=2)
    reason = "tuna is needed, so get_agent0_tuna_storage0 is next"
    assert thoughts(episode, 1) == (Thought("reason", reason),)
    assert episode.entries[0].answers["dispatcher"].text == commands and not episode.entries[0].refusals
    shown = answers(sent[1])
    assert shown[-1].strip() == f"Reason: {reason}\nDecision:\n{commands}"
    assert shown[0] == (
        "Reason: agent0: so that it can get beef storage0, then goto blender0; "
        "agent1: so that it can get flour storage0, then goto blender0\n"
        "Decision:\ngoto_agent0_storage0\ngoto_agent1_storage0"
    )
    assert "agent0: waits for beefMeatcake in blender0" in shown[5]  # the sixth decision: the blender works
    assert "nothing but commands" not in sent[0][0].content


def test_examples_of_other_worlds_have_reasons_too() -> None:
    prompts = (
        answers(first_prompt("dispatcher@why=on,demonstration=whole", registry.world(id)))
        for id in ("minecraft/level_1", "clocked_kitchen/level_0@tau=1.5")
    )
    assert [shown[0] for shown in prompts] == [
        "Reason: alex: so that it can goto furnace, then putFuelFurnace oak log; "
        "steve: so that it can mineBlock oak log, then goto furnace\n"
        "Decision:\n['mineBlock(alex, oak_log)', 'goto(steve, oak_log)']",
        "Reason: agent0: so that it can put blender0, then get beef storage0\n"
        "Decision:\nget_agent0_flour_storage0",
    ]


def test_an_answer_without_a_reason_is_played_as_it_stands() -> None:
    episode, _ = talk("dispatcher@why=on", ["goto_agent0_storage0"], steps=2)
    assert thoughts(episode, 1) == () and not episode.entries[0].refusals


def test_as_they_are_by_default_the_later_choices_are_none() -> None:
    usual, said = (method_settings(f"dispatcher{more}", kitchen()) for more in ("", "@try=1,why=off"))
    assert said.pop("method") == "dispatcher@try=1,why=off" and usual.pop("method") == "dispatcher"
    assert usual == said and usual["prompts_version"] == "any 5"
    later = method_settings("dispatcher@try=2", kitchen())
    assert later["choices"] == {**usual["choices"], "try": "2"}
    assert later["prompts_version"] == "added 1, any 5"


BAD = {
    "nothing": [""],
    "prose": ["I am sorry. The agents had better hurry up."],
    "agents that are not there": ["goto_agent9_storage0 goto_agent1_pot0 put_agent-1_pot0"],
    "broken signs": ["goto_agent0_\ud800 \x00 get_agent0_\udfff_storage0 {{ briefing }} {% endraw %}"],
}


@pytest.mark.parametrize("replies", BAD.values(), ids=BAD)
@pytest.mark.parametrize("rules", ["standard", "released"])
def test_bad_answers_stop_nothing_and_prompts_stay_short(replies: list[str], rules: str) -> None:
    world: Any = registry.world(LEVEL.format(2), rules=rules)
    episode, sent = talk("dispatcher", replies, world, steps=100)
    assert episode.ending is not None and episode.ending.status == "ended"
    assert check(episode) == 60
    told_again = {message.content for messages in sent for message in messages if message.role == "assistant"}
    assert all(message.content.strip() for messages in sent for message in messages if message.role == "user")
    # The released loop keeps the commands of an answer alone, and of one without any the empty text.
    assert ("" in told_again) == (rules == "released" and "goto" not in replies[0])
    assert max(sum(len(message.content) for message in messages) for messages in sent) < 20_000


def test_ten_thousand_commands_are_answered_in_a_few_lines() -> None:
    episode, sent = talk("dispatcher", ["goto_agent0_storage0\n" * 10_000], steps=3)
    assert len(episode.entries) == 3
    assert "more commands were refused" in sent[-1][-1].content
    assert sum(len(message.content) for message in sent[-1]) < 20_000
