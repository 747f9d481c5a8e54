"""Whatever friendly words stand around an action, every world reads it under ``standard`` rules, from every
method; of several different ones none is done, unless the world takes several."""

from __future__ import annotations

from typing import Any

import pytest

from backburner.agents.models import METHODS, ScriptedModel, model_policy
from backburner.kernel import claims, registry
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now
from backburner.kernel.turns import read
from backburner.kernel.values import Refusal

SCENARIOS = {
    "timearena": "timearena/household9",
    "recipe2plan": "recipe2plan/Tacos+Vada",
    "robotouille": "robotouille/synchronous/4@seed=42",
    "collab_overcooked": "collab_overcooked/boiled_egg",
    "cuisineworld": "cuisineworld/level_0",
}
ACTIONS = {
    "timearena": ("activate radio", "read newspaper"),
    "recipe2plan": ("Step(0, Tacos, 3:00, 0:00)", "Step(0, Vada, 10:00, 0:00)"),
    "robotouille": ("robot1 goes from table1 to table2", "robot1 goes from table1 to table3"),
    "collab_overcooked": ("pickup(egg, ingredient_dispenser)", "wait(2)"),
    "cuisineworld": ("goto_agent0_storage0", "goto_agent1_storage0"),
}
FRIENDLY = (
    "{action}",
    "{action}.",
    "Action: {action}",
    "ACTION: {action}",
    "Action 1: {action}",
    "Action:\n{action}",
    "Sure! Here is my action:\n\nAction: {action}",
    "Sure! Here is my action:\n\n{action}",
    "Sure, here's the next action: {action}",
    "Certainly!\n\nAction: {action}",
    "Okay, I will do this.\n\n{action}",
    "I will do this: {action}.",
    "My next action is: {action}",
    "Final answer: {action}",
    "**Final Answer:** {action}",
    "Final answer:\n\n{action}",
    "Answer: {action}",
    "**{action}**",
    "**Action:** {action}",
    "**Action: {action}**",
    "*Action*: {action}",
    "### Action\n{action}",
    "### Action\n\n**{action}**",
    '"{action}"',
    "'{action}'",
    "“{action}”",
    "`{action}`",
    "Action: `{action}`",
    'Action: "{action}"',
    "```\n{action}\n```",
    "```text\nAction: {action}\n```",
    "Here you are:\n\n```\n{action}\n```\n\nGood luck!",
    "\\boxed{{{action}}}",
    "$\\boxed{{{action}}}$",
    "\\boxed{{\\text{{{action}}}}}",
    "The answer is \\boxed{{{action}}}.",
    "<answer>{action}</answer>",
    "<answer>\nAction: {action}\n</answer>",
    "<action>{action}</action>",
    '{{"action": "{action}"}}',
    "- {action}",
    "1. {action}",
    "> {action}",
    "{action}\n\nLet me know if you need anything else!",
    "Action: {action}\n\nLet me know how it goes!",
    "Action: {action}\n\nThank you, and have a nice day.",
    "<think>{other}?</think>Sure! Here is my action:\n\nAction: {action}",
)


def standing(world: str) -> tuple[Any, Any, str]:
    kitchen = registry.world(SCENARIOS[world])
    state = kitchen.start()
    return kitchen, state, kitchen.deciders(state)[0]


@pytest.mark.parametrize("form", FRIENDLY)
@pytest.mark.parametrize("world", SCENARIOS)
def test_it_is_read_whatever_stands_around_it(world: str, form: str) -> None:
    kitchen, state, seat = standing(world)
    action, other = ACTIONS[world]
    wanted = read(kitchen, state, seat, action)
    assert not isinstance(wanted, Refusal)
    assert wanted != read(kitchen, state, seat, other)
    found = read(kitchen, state, seat, form.format(action=action, other=other))
    assert not isinstance(found, Refusal)
    if world == "collab_overcooked":
        calls = kitchen.compiled.reader
        assert [calls.read(entry) for entry in found.plan] == [calls.read(entry) for entry in wanted.plan]
    else:
        assert found == wanted


ONE_ONLY = ("timearena", "robotouille", "collab_overcooked")
"""Worlds in which one answer is one action, or one plan; the others take several actions at once."""

AMBIGUOUS = (
    "Either of these:\n\n{action}\n\n{other}",
    "I will do one of these: {action}\nor: {other}",
    "```\n{action}\n```\n\n```\n{other}\n```",
    "<answer>{action}</answer> <answer>{other}</answer>",
)


@pytest.mark.parametrize("form", AMBIGUOUS)
@pytest.mark.parametrize("world", ONE_ONLY)
def test_of_two_different_actions_none_is_done(world: str, form: str) -> None:
    kitchen, state, seat = standing(world)
    action, other = ACTIONS[world]
    found = read(kitchen, state, seat, form.format(action=action, other=other))
    assert isinstance(found, Refusal)
    assert found.fault == "unreadable"
    state = kitchen.step(state, {seat: found}).state
    told = kitchen.describe(kitchen.observe(state, seat)) if seat in kitchen.deciders(state) else "several"
    assert any(words in told for words in ("several", "single action"))


def test_an_action_behind_its_mark_is_not_replaced_by_one_elsewhere() -> None:
    kitchen, state, seat = standing("robotouille")
    text = "robot1 goes from table1 to table2\nThat was before.\nAction: robot1 flies"
    found = read(kitchen, state, seat, text)
    assert isinstance(found, Refusal)
    assert (found.code, found.get("said")) == ("unknown_action", "robot1 flies")


@pytest.mark.parametrize("world", SCENARIOS)
@pytest.mark.parametrize("method", METHODS)
def test_every_method_hands_on_what_is_read(method: str, world: str) -> None:
    """A lead-in before the first action: with every method that asks for actions, it is carried out."""
    kitchen = registry.world(SCENARIOS[world])
    action, _ = ACTIONS[world]
    model = ScriptedModel([f"Sure! Here is my action:\n\nAction: {action}"])
    try:
        policy = model_policy(method, kitchen, model)
    except Refused:
        return
    episode = play_now(kitchen, policy, max_steps=1)
    assert claims.check(episode) == 1
    for answer in episode.entries[0].answers.values():
        assert answer.unread is None
