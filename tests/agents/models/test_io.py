"""Whole plans: the oracle's reach the oracle's score, and whatever else is written stops nothing."""

from __future__ import annotations

import pytest

from backburner.agents.models import ScriptedModel, first_prompt, model_policy
from backburner.agents.models.methods.whole_plans import predicted_plan
from backburner.evaluation.comparing.methods import compared, predictions_in
from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now
from backburner.kernel.values import Thought
from support.models.oracle_model import played
from support.models.plan_model import PlanModel

PLAYED = {
    "timearena/cooking1": "oracle",
    "recipe2plan/Tacos+Vada": "oracle",
    "robotouille/synchronous/1@seed=42": "oracle",
    "robotouille/asynchronous/1@seed=42": "oracle",
    "cuisineworld/level_0": "greedy",
}
KITCHEN = "robotouille/synchronous/1@seed=42"


def world(id: str = KITCHEN):
    return registry.world(id)


def run(plan: str, method: str = "io", id: str = KITCHEN, max_steps: int = 300):
    """The episode of a model that answers every call with this plan."""
    there = world(id)
    return play_now(there, model_policy(method, there, ScriptedModel(lambda _: plan)), max_steps=max_steps)


@pytest.mark.parametrize("id", PLAYED)
@pytest.mark.parametrize("method", ["io", "io-cot"])
def test_the_oracles_plan_gets_the_oracles_score_in_one_call(id: str, method: str) -> None:
    there = world(id)
    best = played(there, PLAYED[id])
    model = PlanModel(there, best, predicted=method == "io-cot")
    episode = play_now(there, model_policy(method, there, model))
    assert episode.ending == best.ending
    assert [entry.digest for entry in episode.entries] == [entry.digest for entry in best.entries]
    assert len(model.prompts) == 1
    seat = there.seats[0]
    assert episode.entries[0].answers[seat].thoughts[0] == Thought("plan", model.plan)
    assert sum(entry.usage[seat].calls for entry in episode.entries) == 1
    assert check(episode) == len(best.entries)


@pytest.mark.parametrize("id", PLAYED)
def test_perfect_predictions_are_perfect(id: str) -> None:
    there = world(id)
    best = played(there, PLAYED[id])
    episode = play_now(there, model_policy("io-cot", there, PlanModel(there, best, predicted=True)))
    found = predictions_in(episode)
    assert (found.steps, found.f1) == (len(best.entries), 1.0)
    assert predictions_in(best).steps == 0


def test_what_is_predicted_wrongly_counts_against_it() -> None:
    """Predictions 3, came 4, both 2: precision 2/3, recall 2/4, F1 2 * 2 / (3 + 4)."""
    came = (
        "+ robot1 holds bread1",
        "- nothing is on table1",
        "- robot1 has empty hands",
        "+ table2 is free.",
    )
    found = compared("+ Robot1  holds bread1\n-nothing is on table1.\n+ robot1 is happy\n", came)
    assert (found.predicted, found.came, found.both) == (3, 4, 2)
    assert found.precision == pytest.approx(2 / 3)
    assert found.recall == pytest.approx(1 / 2)
    assert found.f1 == pytest.approx(4 / 7)
    assert compared("", ()).f1 is None
    assert compared("+ a\n+ a", ("+ a",)).both == 1


def test_predictions_stand_with_the_step_that_they_are_about() -> None:
    plan = """\
My plan:

Action: robot1 takes cheese1 from table1
**Next state changes:**
+ robot1 holds cheese1
- robot1 has empty hands

Action: robot1 goes from table1 to table3
Action: robot1 puts cheese1 on table2
Changes: + cheese1 is at table2
"""
    episode = run(plan, "io-cot")
    thoughts = [entry.answers["robot1"].thoughts for entry in episode.entries]
    assert [one[-1] for one in thoughts] == [
        Thought("prediction", "+ robot1 holds cheese1\n- robot1 has empty hands"),
        Thought("prediction", ""),
        Thought("prediction", "+ cheese1 is at table2"),
    ]
    assert [len(entry.refusals) for entry in episode.entries] == [0, 0, 1]
    assert (episode.ending.status, episode.ending.reason) == ("stopped", "plan used up")


SOME = "1. robot1 takes cheese1 from table1\n2. robot1 flies to table3\n3. robot1 goes from table1 to table3"


def test_an_impossible_line_is_the_worlds_to_judge() -> None:
    episode = run(SOME)
    assert [len(entry.refusals) for entry in episode.entries] == [0, 1, 0]
    assert episode.ending.numbers["steps"] == 2


def test_as_released_one_impossible_line_spoils_the_whole_plan() -> None:
    episode = run(SOME, "io@invalid=none")
    assert (episode.ending.status, episode.ending.steps) == ("stopped", 0)
    assert episode.ending.reason == (
        "none of the plan is carried out: line 2 of the plan is not possible: 'robot1 flies to table3'"
    )
    assert run(SOME.replace("robot1 flies to table3", "Wait"), "io@invalid=none").ending.steps == 3


def test_a_new_plan_can_be_asked_for_from_where_the_old_one_ended() -> None:
    there = world()
    sent: list[str] = []

    def script(messages):
        sent.append(messages[-1].content)
        return "robot1 goes from table1 to table3" if len(sent) % 2 else "robot1 goes from table3 to table1"

    episode = play_now(there, model_policy("io@then=again", there, ScriptedModel(script)))
    assert episode.ending.reason == "step_limit"
    assert len(sent) == len(episode.entries) == there.limits.steps
    assert "robot1 stands at table1" in sent[0] and "robot1 stands at table3" in sent[1]
    assert "and again when it is used up" in sent[0]


MALICE = {
    "nothing": "",
    "blank": " \n\n \n",
    "prose": "I am sorry, but as a language model I cannot cook.\nPlease ask somebody else.",
    "headings": "Plan:\n\nPlan:\nAction:\n- \n1.\n```\n```",
    "ten thousand lines": "robot1 cuts nothing at all\n" * 10_000,
    "one endless line": "Action: " * 50_000,
    "signs": "+ a\n- b\nChanges:\n+ c\n" * 1000,
    "not unicode": "Action: \ud800 \x00 \u202e robot1",
    "brackets": "((((" * 20_000 + "* _ *" * 20_000,
}


@pytest.mark.parametrize("id", PLAYED)
@pytest.mark.parametrize("method", ["io", "io-cot@then=again", "io@invalid=none"])
@pytest.mark.parametrize("plan", MALICE)
def test_no_plan_crashes_anything(plan: str, method: str, id: str) -> None:
    episode = run(MALICE[plan], method, id, max_steps=12)
    assert episode.ending.status in ("stopped", "cut off", "ended", "capped")
    assert check(episode) == len(episode.entries)


def test_an_answer_without_a_plan_is_judged_as_it_stands() -> None:
    episode = run("")
    assert [entry.answers["robot1"].text for entry in episode.entries] == [""]
    assert [refusal.code for refusal in episode.entries[0].refusals] == ["no_action"]


def test_a_dispatchers_plan_has_steps_of_several_lines() -> None:
    there = registry.world("robotouille/multi_agent/1@play=dispatcher,seed=42", limits="none")
    plan = "Step 1:\n- Action: robot1 waits\n- robot2 waits\nIdle\n\nrobot2 waits\nrobot2 waits"
    assert there.answers_in(plan) == (
        "Action: robot1 waits\nAction: robot2 waits",
        "Action: Idle",
        "Action: robot2 waits",
        "Action: robot2 waits",
    )


def test_commands_of_a_step_stay_together() -> None:
    plan = (
        "1. goto_agent0_storage0, goto_agent1_storage0\n2. get_agent0_salmon_storage0\nnoop_agent1\n"
        "put_agent1_blender0\n\nThen we are done."
    )
    assert world("cuisineworld/level_0").answers_in(plan) == (
        "goto_agent0_storage0, goto_agent1_storage0",
        "get_agent0_salmon_storage0\nnoop_agent1",
        "put_agent1_blender0",
    )


def test_worlds_without_such_plans_say_so() -> None:
    with pytest.raises(
        Refused, match=r"method 'io' makes no sense in collab_overcooked/boiled_egg: its answ"
    ):
        first_prompt("io", world("collab_overcooked/boiled_egg"))
    with pytest.raises(Refused, match="names no scenario in which its play is shown; choose examples=0"):
        first_prompt("io@examples=1", world("timearena/cooking1"))
    with pytest.raises(Refused, match="invalid=none tries out a whole plan, and here others act as well"):
        first_prompt("io@invalid=none", registry.world("robotouille/multi_agent/1@seed=42", limits="none"))


def test_the_example_is_the_training_task_as_the_oracle_plays_it() -> None:
    (prompt,) = first_prompt("io-cot", world("robotouille/asynchronous/1@seed=42"))
    example = prompt.content.partition("An example of a plan")[2].partition("This was the example.")[0]
    assert "Goal: A sandwich with onion and chicken" in example
    assert example.count("Action: ") == 22  # its shortest plan
    assert "Action: robot1 cooks chicken1 on stove1\nChanges:\n+ chicken1" in example
    assert "An example" not in first_prompt("io@examples=0", world())[0].content


def test_endless_blanks_after_a_sign_are_read_at_once() -> None:
    kitchen = world("timearena/cooking1")
    answer = f"Action: wait\nChanges:\n+{' ' * 1_000_000}\n- beef{' ' * 1_000_000}gone"
    (planned,) = predicted_plan(kitchen, answer)[:1]
    assert planned.answer == "wait"
    assert planned.predicted is not None and planned.predicted.startswith("- beef")
