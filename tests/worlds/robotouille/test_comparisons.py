"""Runs of several methods and models in the shapes of the article's Tables 2, 3 and 4."""

from __future__ import annotations

from typing import Any

from backburner.agents.models import ScriptedModel, model_policy
from backburner.kernel import registry
from backburner.kernel.episode import Episode
from backburner.kernel.play import play_now
from backburner.kernel.scoring import Section
from backburner.worlds.robotouille.metrics.score import scoring
from backburner.worlds.robotouille.metrics.tables import comparisons, published_tables
from support.models.oracle_model import OracleModel, played
from support.models.plan_model import PlanModel

FIRST = "robotouille/synchronous/1@seed=42"
SECOND = "robotouille/synchronous/1@seed=84"
ASYNC = "robotouille/asynchronous/1@seed=42"


def lost(id: str, method: str, model: str = "poor") -> Episode:
    """A model gives up at once."""
    world = registry.world(id)
    return play_now(world, model_policy(method, world, ScriptedModel(["Action: Finish"], name=model)))


def won(id: str, method: str) -> Episode:
    """A model that plays as the oracle does."""
    world = registry.world(id)
    best = played(world)
    fake: Any = PlanModel(world, best) if method.startswith("io") else OracleModel(world, best)
    fake.name, fake.origin = "good", {"model": "good"}
    return play_now(world, model_policy(method, world, fake))


def tables(*episodes: Episode) -> dict[str, Section]:
    found = {one.title: one for one in comparisons([(e, scoring.measure(e)) for e in episodes])}
    for section in found.values():
        assert all(len(row) == len(section.columns) for row in section.rows)
    return found


def test_a_line_for_each_model_a_column_for_each_method_in_each_set() -> None:
    """Of the good model's two synchronous kitchens with ReAct one is solved: 50 %."""
    section = tables(
        won(FIRST, "io"),
        won(FIRST, "react"),
        lost(SECOND, "react", "good"),
        lost(ASYNC, "io-cot"),
        lost(FIRST, "react@plan=off"),  # another form of ReAct is none of the article's Table 2
    )["Success by method and model"]
    assert section.columns[1:3] == ("synchronous I/O", "synchronous I/O CoT")
    ours, printed = section.rows[:2], section.rows[2:]
    assert ours == (
        ("good", 100.0, "–", 50.0, "–", "–", "–"),
        ("poor", "–", "–", "–", "–", 0.0, "–"),
    )
    assert printed[0] == ("gpt4-o, article", 4.0, 14.0, 47.0, 1.0, 1.0, 11.0)
    assert [row[0] for row in printed[1:]] == [
        "gpt-4o-mini, article",
        "gemini-1.5-flash, article",
        "claude-3-haiku, article",
    ]


def test_a_line_for_each_task_that_was_played_a_column_for_each_agent() -> None:
    section = tables(
        won(FIRST, "io"), lost(SECOND, "io", "good"), lost(ASYNC, "react"), played(registry.world(ASYNC))
    )["Tasks beside the article"]
    agents = ("io(good)", "react(poor)", "oracle")
    assert section.columns == (
        "task", *agents, "I/O, article", "I/O CoT, article", "ReAct, article", "horizon",
    )  # fmt: skip
    assert section.rows == (
        ("synchronous/1", 50.0, "–", "–", 20.0, 40.0, 70.0, 10),
        ("asynchronous/1", "–", 0.0, 100.0, 10.0, 0.0, 20.0, 21),
    )


def test_a_line_for_each_form_of_react() -> None:
    """The good model needs 7 steps and solves it; giving up takes none: 3.5 in the mean."""
    best = won(FIRST, "react")
    section = tables(
        best,
        lost(FIRST, "react", "good"),
        lost(FIRST, "react@history=none,plan=off,prior=on"),
    )["Forms of ReAct"]
    ours, printed = section.rows[:2], section.rows[2:]
    tokens = sum(s.input_tokens + s.output_tokens for e in best.entries for s in e.usage.values())
    assert ours[0][:5] == ("good", "history=last-reasoning-action, plan", 1, 2, 3.5)
    assert ours[0][5] > tokens == 2 * 7
    assert ours[1][:5] == ("poor", "history=none, prior", 0, 1, 0.0)
    assert len(printed) == len(published_tables().table4) == 8
    assert printed[5] == ("article", "history=last-reasoning-action, plan", 3, 9, 28.33, "–", 2.64)


def test_other_rules_are_another_line() -> None:
    world = registry.world(FIRST, rules="released")
    model = ScriptedModel(["Action: Finish"], name="poor")
    released = play_now(world, model_policy("react", world, model))
    found = tables(lost(FIRST, "react"), released)
    assert [row[0] for row in found["Success by method and model"].rows[:2]] == ["poor", "poor, released"]
    assert found["Tasks beside the article"].columns[1:3] == (
        "react(poor), standard",
        "react(poor), released",
    )


def test_agents_that_are_no_models_have_no_such_tables() -> None:
    assert set(tables(played(registry.world(FIRST)))) == {"Tasks beside the article"}
    assert tables(played(registry.world("robotouille/training/synchronous@seed=26"))) == {}


def test_printed_figures_of_the_reminder_of_rules() -> None:
    """Question 7: 0.30 without, which is the mean of Table 3's tasks 1 to 3, and 0.40 with it."""
    tables = published_tables()
    percent = {one.figure: one.percent for one in tables.figures}
    first_three = [
        task.react for task in tables.table3 if task.task in {f"asynchronous/{n}" for n in (1, 2, 3)}
    ]
    assert percent["success of ReAct on tasks 1 to 3"] == sum(first_three) / 3 == 30
    assert percent["success of ReAct + Prior on tasks 1 to 3"] == 40
