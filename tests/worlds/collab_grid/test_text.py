"""What is told, what is read, and who is told the recipes."""

from __future__ import annotations

import pytest

from backburner.kernel import registry
from backburner.kernel.values import Refusal
from backburner.worlds.collab_grid.game import Action, CollabGrid
from backburner.worlds.collab_grid.game.legality import FAULTS
from backburner.worlds.collab_grid.game.text import SENTENCES
from backburner.worlds.collab_overcooked.game.text import refusal_text

WORLD: CollabGrid = registry.world("collab_grid/boiled_egg")


def test_every_refusal_has_a_sentence() -> None:
    assert set(SENTENCES) == set(FAULTS)
    assert (
        refusal_text(Refusal("of_another_world", FAULTS["unreadable"]), SENTENCES)
        == "Refused: of_another_world."
    )


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ("north", Action("north")),
        ("  North. ", Action("north")),
        ("n", Action("north")),
        ("up", Action("north")),
        ("go left", Action("west")),
        ("wait", Action("stay")),
        ("interact(egg)", Action("interact", "egg")),
        ("interact egg", Action("interact", "egg")),
        ("Interact( Egg )", Action("interact", "egg")),
        ("start", Action("interact", "start")),
        ("interact(start)", Action("interact", "start")),
        ("The pot is north of me.\nAction: north", Action("north")),
        ("`east`", Action("east")),
        ("east\neast", Action("east")),
    ],
)
def test_an_action_is_read(answer: str, read: Action) -> None:
    assert WORLD.parse(WORLD.start(), "chef", answer) == read


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("", "unreadable"),
        ("north(egg)", "unreadable"),
        ("start(egg)", "unreadable"),
        ("interact(egg, pot0)", "unreadable"),
        ("north\nsouth", "several_actions"),
        ("n" * 100_000, "unreadable"),
    ],
)
def test_what_is_no_action_is_refused(answer: str, code: str) -> None:
    read = WORLD.parse(WORLD.start(), "chef", answer)
    assert isinstance(read, Refusal) and read.code == code
    assert refusal_text(read, SENTENCES)


def test_the_map_and_the_moment_are_told() -> None:
    told = WORLD.briefing("chef")
    assert "XXXPX\nI.X.X\nC.X.X\nD.X.O\nXBXSX" in told
    assert "- P at (3, 0): pot0" in told
    moment = WORLD.describe(WORLD.observe(WORLD.start(), "chef"))
    assert "Step 0 of 24. Orders: boiled_egg. Delivered: 0." in moment
    assert "You are at (3, 1), looking north, towards pot0; hold nothing." in moment


def test_only_who_has_the_recipes_is_told_them() -> None:
    line = "Put egg into a pot"
    assert line in WORLD.briefing("chef") and line not in WORLD.briefing("assistant")
    both = registry.world("collab_grid/boiled_egg@knows=both")
    assert line in both.briefing("assistant")


def test_what_was_refused_is_told_to_whom_it_concerns() -> None:
    state = WORLD.step(WORLD.start(), {"chef": Action("interact"), "assistant": Action("stay")}).state
    assert "pot0 is empty." in WORLD.describe(WORLD.observe(state, "chef"))
    assert "pot0 is empty." not in WORLD.describe(WORLD.observe(state, "assistant"))
