"""Ablations: a row for each set of choices of one method, over what all of them have played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backburner.agents.models import Choices, ScriptedModel, model_policy
from backburner.evaluation.comparing.methods import ablation_sections
from backburner.kernel import registry
from backburner.kernel.contract import World
from backburner.kernel.play import play_now
from backburner.kernel.scoring import Measured, Section

SCORING = registry.scoring("timearena")
SHORT, LONG = "timearena/household9", "timearena/cooking1"


def played(
    method: str,
    id: str = SHORT,
    reply: str = "wait",
    decoding: Choices | None = None,
    rules: str = "standard",
) -> Measured:
    """An episode of three decisions by a scripted model."""
    world: World[Any, Any, Any] = registry.world(id, rules=rules)
    policy = model_policy(method, world, ScriptedModel([reply], name="parrot"), decoding)
    episode = play_now(world, policy, max_steps=3)
    return episode, SCORING.measure(episode)


def table(*rows: Measured) -> list[Section]:
    return ablation_sections(rows, SCORING.metrics[:1], lambda episode: "alone")


def cells(sections: Sequence[Section]) -> list[tuple[Any, ...]]:
    (section,) = sections
    return [section.columns, *section.rows]


def test_a_row_for_each_set_of_choices_names_those_that_differ() -> None:
    """Nobody completes anything in three minutes; one scenario has no interval."""
    section = table(played("dispatcher"), played("dispatcher@history=0"), played("dispatcher@hints=off"))
    metric = SCORING.metrics[0].key
    first, *others = cells(section)
    assert first == ("group", "agent", "hints", "history", "episodes", metric)
    assert [row[:5] for row in others] == [
        ("alone", "dispatcher(parrot)", "on", "2", 1),
        ("alone", "dispatcher(parrot)", "on", "0", 1),
        ("alone", "dispatcher(parrot)", "off", "2", 1),
    ]


def test_only_scenarios_that_all_have_played_count() -> None:
    rows = [played("dispatcher"), played("dispatcher", LONG), played("dispatcher@history=0")]
    assert [row[3] for row in cells(table(*rows))[1:]] == [1, 1]
    assert table(played("dispatcher", LONG), played("dispatcher@history=0")) == []


def test_one_set_of_choices_is_no_ablation() -> None:
    assert table(played("dispatcher"), played("act")) == []
    assert table(played("dispatcher"), played("dispatcher")) == []
    assert ablation_sections([], SCORING.metrics, lambda episode: "") == []


def test_who_differs_in_more_than_choices_stands_apart() -> None:
    """Another temperature, or another rule set, is another experiment; rules are named where they differ."""
    hot = Choices(temperature=1.0)
    assert table(played("dispatcher"), played("dispatcher@history=0", decoding=hot)) == []
    assert table(played("dispatcher"), played("dispatcher@history=0", rules="released")) == []
    both = [
        played(f"dispatcher@history={n}", rules=rules) for rules in ("standard", "released") for n in (0, 2)
    ]
    assert [row[1] for row in cells(table(*both))] == [
        "rules",
        "standard",
        "standard",
        "released",
        "released",
    ]


def test_seats_with_choices_of_their_own_are_named() -> None:
    """The chef of one pair reflects; the other pair never does."""
    world = registry.world("collab_overcooked/boiled_egg")
    scoring = registry.scoring("collab_overcooked")
    rows = []
    for reflection in ("on", "off"):
        cooks = {
            seat: model_policy(f"cook@reflection={value}", world, ScriptedModel(["plan: wait(1)"], name="m"))
            for seat, value in (("chef", reflection), ("assistant", "off"))
        }
        episode = play_now(world, cooks, max_steps=3)
        rows.append((episode, scoring.measure(episode)))
    columns, *found = cells(ablation_sections(rows, (), scoring.group))
    assert columns == ("group", "agent", "chef reflection", "episodes")
    assert [row[1:] for row in found] == [("cook(m)", "on", 1), ("cook(m)", "off", 1)]
