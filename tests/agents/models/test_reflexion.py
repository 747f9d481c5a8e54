"""Reflexion: what was refused, or a failed attempt, is reflected on before going on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from backburner.agents.models import Completion, Message, ScriptedModel, model_policy
from backburner.agents.models.client import Settings
from backburner.agents.spec import AgentSpec
from backburner.evaluation.records import former, records
from backburner.evaluation.running.jobs import Job
from backburner.evaluation.running.runner import run
from backburner.evaluation.scoring.scores import load, score
from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import PolicyFailure, Refused
from backburner.kernel.play import play_now
from backburner.kernel.values import Thought
from support.models.oracle_model import OracleModel, played

ARENA = "timearena/household9"
KITCHEN = "robotouille/synchronous/1@seed=42"

REFLECTION = "I only waited; begin with the cheese."
LOOK_BACK = "You will try the same task again from the beginning."


class LearnsOnce:
    """Waits until it has looked back on an attempt so many times, then plays as the oracle does."""

    name = "learner"
    origin: Mapping[str, Any] = {"model": "learner"}

    def __init__(self, id: str, lessons: int = 1, fails_at: int | None = None) -> None:
        world = registry.world(id)
        self.oracle = OracleModel(world, played(world), self._say)
        self.prompts: list[str] = []
        self.lessons, self.fails_at = lessons, fails_at

    def _say(self, prompt: str, words: str) -> str | None:
        last = prompt.rpartition("Do not decide yet")[2]
        if "First your reasoning" in prompt:
            return f"Reasoning: as I noted.\n{words}"
        return words if "Now decide" in last or "Do not decide yet" not in prompt else None

    async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
        """The oracle's words as soon as enough was learned."""
        self.prompts.append("\n".join(message.content for message in messages))
        if len(self.prompts) == self.fails_at:
            raise PolicyFailure("model", "gone")
        if LOOK_BACK in self.prompts[-1]:
            self.lessons -= 1
            return Completion(f"Let me see.\n**Reflection:** {REFLECTION}", 10, 2)
        if self.lessons > 0:
            return Completion("Reasoning: no hurry.\nAction: wait", 1, 1)
        return await self.oracle.complete(messages, settings)

    async def aclose(self) -> None:
        """Nothing to let go of."""


def one_job(model: LearnsOnce, id: str, out: Path, method: str, **options: Any) -> Any:
    job = Job(id, AgentSpec(method, "learner"), 0)
    return run([job], out, client_of=lambda endpoint: model, **options)


@pytest.mark.parametrize(
    ("id", "method"),
    [(KITCHEN, "reflexion"), (ARENA, "reflexion@after=budget"), (KITCHEN, "reflexion@calls=apart")],
)
def test_a_second_attempt_with_the_reflection_in_mind_succeeds(id: str, method: str, tmp_path: Path) -> None:
    """The first attempt waits until the limit, the second one plays as the oracle does."""
    model = LearnsOnce(id)
    summary = one_job(model, id, tmp_path, method)
    assert (summary.played, summary.failed, summary.broken) == (1, 0, 0), summary.errors
    (path,) = records(tmp_path)
    first, second = read_episode(former(path, 1)), read_episode(path)
    assert first.ending is not None and second.ending is not None
    assert (first.ending.status, first.ending.numbers["completed"]) == ("cut off", 0)
    assert (second.ending.status, second.ending.numbers["completed"]) == ("ended", 1)
    best = played(registry.world(id))
    assert [entry.digest for entry in second.entries] == [entry.digest for entry in best.entries]
    assert check(first) and check(second)

    (seat,) = second.header.players
    thoughts = second.entries[0].answers[seat].thoughts
    assert thoughts[:2] == (Thought("attempt", "2"), Thought("reflection", REFLECTION))
    assert not any(thought.purpose == "attempt" for thought in first.entries[0].answers[seat].thoughts)
    assert second.header.players == first.header.players

    (look_back,) = [prompt for prompt in model.prompts if LOOK_BACK in prompt]
    assert look_back.count("\nAction: wait") == len(first.entries) * (1 + method.endswith("apart"))
    later = model.prompts[model.prompts.index(look_back) + 1 :]
    assert all(prompt.count(REFLECTION) >= 1 for prompt in later)


def test_the_record_that_counts_holds_what_all_attempts_cost(tmp_path: Path) -> None:
    """Every call of the first attempt, one to look back, one for each decision of the second."""
    model = LearnsOnce(KITCHEN)
    one_job(model, KITCHEN, tmp_path, "reflexion")
    (path,) = records(tmp_path)
    first, second = read_episode(former(path, 1)), read_episode(path)
    usage = [entry.usage["robot1"] for entry in second.entries]
    assert usage[0].calls == len(first.entries) + 1 + 1
    assert sum(one.calls for one in usage) == len(model.prompts)
    assert {one.calls for one in usage[1:]} == {1}


def test_one_job_is_one_episode_in_scores_and_is_kept_when_run_again(tmp_path: Path) -> None:
    one_job(LearnsOnce(KITCHEN), KITCHEN, tmp_path, "reflexion")
    (scores,) = score([episode for _, episode in load(tmp_path).episodes])
    (row,) = scores.rows
    assert (row.episodes, row.figures["Success"].value) == (1, 100.0)
    assert one_job(LearnsOnce(KITCHEN), KITCHEN, tmp_path, "reflexion").kept == 1


def test_attempts_are_as_many_as_were_chosen(tmp_path: Path) -> None:
    """Of three attempts the third succeeds, with two reflections; one attempt leaves no chance to."""
    one_job(LearnsOnce(KITCHEN, 2), KITCHEN, tmp_path / "three", "reflexion@attempts=3")
    (path,) = records(tmp_path / "three")
    last = read_episode(path)
    assert last.ending is not None and last.ending.numbers["completed"] == 1
    assert former(path, 1).exists() and former(path, 2).exists() and not former(path, 3).exists()
    purposes = [thought.purpose for thought in last.entries[0].answers["robot1"].thoughts]
    assert purposes == ["attempt", "reflection", "reflection", "think"]
    one_job(LearnsOnce(KITCHEN), KITCHEN, tmp_path / "one", "reflexion@attempts=1")
    (path,) = records(tmp_path / "one")
    only = read_episode(path)
    assert only.ending is not None and only.ending.numbers["completed"] == 0
    assert not former(path, 1).exists()


def test_a_call_that_fails_while_looking_back_can_be_tried_again(tmp_path: Path) -> None:
    limit = registry.world(KITCHEN).limits.steps
    summary = one_job(LearnsOnce(KITCHEN, fails_at=limit + 1), KITCHEN, tmp_path, "reflexion")
    assert summary.failed == 1
    (path,) = records(tmp_path)
    first = read_episode(former(path, 1))
    assert read_episode(path).entries == () and len(first.entries) == limit
    assert one_job(LearnsOnce(KITCHEN, 0), KITCHEN, tmp_path, "reflexion", retry_failed=True).failed == 0
    assert read_episode(former(path, 1)) == first  # out of the journal: nothing was asked again


# --- after an error -----------------------------------------------------------------------------------


def talk(id: str, method: str, *said: str) -> tuple[Any, list[Sequence[Message]]]:
    """The episode of a model that answers so, call by call, until its answers are used up."""
    sent: list[Sequence[Message]] = []

    def script(messages: Sequence[Message]) -> str:
        sent.append(messages)
        if len(sent) > len(said):
            raise PolicyFailure("model", "no more")
        return said[len(sent) - 1]

    world = registry.world(id)
    return play_now(world, model_policy(method, world, ScriptedModel(script))), sent


def test_what_was_refused_is_reflected_on_before_the_next_decision() -> None:
    """radio 0-7 in the background; humming 1-2 is refused, reflected on, and something else is done."""
    episode, sent = talk(
        ARENA, "reflexion", "activate radio", "I hum a tune", "No tunes here.", "find newspaper"
    )
    assert [len(entry.refusals) for entry in episode.entries] == [0, 1, 0]
    assert [entry.usage["agent"].calls for entry in episode.entries] == [1, 1, 2]
    assert episode.entries[2].answers["agent"].thoughts == (Thought("reflect", "No tunes here."),)
    assert episode.entries[2].answers["agent"].text == "find newspaper"
    assert episode.entries[0].answers["agent"].thoughts == ()
    assert "No single action could be found" in sent[2][-1].content
    assert "Your last decision, or a part of it, was not carried out." in sent[2][-1].content
    assert sent[3][-1].content.startswith("Now decide in keeping with these thoughts.")
    assert episode.events and [event.time for event in episode.events() if event.what == "start"][-1] == 2


def test_it_does_so_in_any_world_and_with_any_history() -> None:
    episode, sent = talk(
        KITCHEN,
        "reflexion@after=error",
        "Reasoning: go\nAction: robot1 flies",
        "It cannot fly.",
        "Action: robot1 takes cheese1 from table1",
        "Action: Finish",
    )
    assert [entry.usage["robot1"].calls for entry in episode.entries] == [1, 2, 1]
    assert episode.entries[1].answers["robot1"].thoughts == (Thought("reflect", "It cannot fly."),)
    assert episode.ending.reason == "finish"
    assert sent[1][1] == Message("assistant", "Reasoning: go\nAction: robot1 flies")
    assert sent[3][1].content == "It cannot fly.\n\nAction: robot1 takes cheese1 from table1"


@pytest.mark.parametrize("answer", ["", "prose", "Action: \ud800", "Reflection:" * 1000])
@pytest.mark.parametrize("id", [ARENA, KITCHEN])
@pytest.mark.parametrize("after", ["error", "budget"])
def test_bad_answers_stop_nothing(answer: str, id: str, after: str, tmp_path: Path) -> None:
    job = Job(id, AgentSpec(f"reflexion@after={after}", "bad"), 0)
    summary = run([job], tmp_path, client_of=lambda endpoint: ScriptedModel(lambda _: answer, name="bad"))
    assert (summary.played, summary.failed, summary.broken) == (1, 0, 0), summary.errors


# --- where the world asks for something else in place of what was refused: the released TimeArena ----------


def test_a_correction_is_reflected_on_and_does_not_enter_the_conversation() -> None:
    """Humming is refused in minute 0 and folding (3 minutes) begins in its place. In minutes 1 and 2 humming
    is carried out once more and refused, and the folding goes on: in silence at first."""
    world = registry.world(ARENA, rules="released-reflexion", limits="none")
    sent: list[Sequence[Message]] = []
    said = iter(["hum tune", "No.", "fold quilt", "Again.", "fold quilt", "Well.", "fold quilt", "wait"])

    def script(messages: Sequence[Message]) -> str:
        sent.append(messages)
        if (answer := next(said, None)) is None:
            raise PolicyFailure("model", "no more")
        return answer

    episode = play_now(world, model_policy("reflexion@after=correction", world, ScriptedModel(script)))
    assert [len(entry.refusals) for entry in episode.entries] == [1, 0, 0, 0, 0]
    assert episode.entries[1].answers["agent"].thoughts == (Thought("why", "No."),)
    assert [entry.usage["agent"].calls for entry in episode.entries] == [1, 2, 2, 2, 1]
    assert "".join(message.role[0] for message in sent[-1]) == "uaauauauauauauau"
    texts = [message.content for message in sent[-1]]
    refused = "This is not one of the actions."
    assert (texts[1], texts[3], texts[7], texts[11]) == ("hum tune", texts[7], texts[3], texts[3])
    assert (texts[4], texts[8], texts[12]) == ("No.", "Again.", "Well.")
    assert all(texts[place].startswith(refused) for place in (2, 6, 10))
    asked = [f"Minute {minute}. Which action do you take in its place?" for minute in range(3)]
    assert all("- fold OBJ: " in texts[place] for place in (2, 6, 10))  # all actions again
    assert all(line in texts[place] for line, place in zip(asked, (5, 9, 13), strict=True))
    assert texts[5].endswith("You begin to fold quilt; this takes 3 minutes.")  # what came of it
    assert texts[9].endswith(asked[1])  # of what goes on nothing is told
    assert texts[13].endswith("quilt is tidy.\nMinute 3. Your action?")
    assert texts[14] == "wait" and "fold quilt" not in texts


@pytest.mark.parametrize(
    ("id", "rules", "method", "why"),
    [
        (ARENA, "released", "reflexion@after=correction", "needs rules that ask for something else"),
        (KITCHEN, "released", "reflexion@after=correction", "needs rules that ask for something else"),
        (ARENA, "released-reflexion", "reflexion@after=correction,calls=apart", "goes with calls=plain"),
        (ARENA, "released-reflexion", "reflexion@after=correction,history=none", "history=all"),
    ],
)
def test_corrections_need_a_world_that_asks_for_them(id: str, rules: str, method: str, why: str) -> None:
    world = registry.world(id, rules=rules)
    with pytest.raises(Refused, match=why):
        model_policy(method, world, ScriptedModel(["wait"]))
