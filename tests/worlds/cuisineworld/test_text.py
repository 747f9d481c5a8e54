"""What is told and what is read: briefing, state, feedback, commands in free text."""

from __future__ import annotations

import pytest

from backburner.kernel.values import Refusal
from backburner.worlds.cuisineworld.game.state import BAD_COMMAND, FAILED, NO_COMMAND
from backburner.worlds.cuisineworld.game.text import SENTENCES, refusal_text
from support.cuisineworld.play import MEATCAKE, after, steps_of, world_of

DISPATCHER = "dispatcher"

SHOWN = """\
'get_agent1_blender0': nothing can be taken from there now.

Game:
level: level_0
orders:
    salmonMeatcake, lifetime 6
    salmonMeatcake, lifetime 12
step: 9 of 60

Agents:
at(agent0, blender0)
hold(agent0, None)
at(agent1, blender0)
hold(agent1, None)

Kitchen:
inside(storage0, None)
inside(servingtable0, None)
inside(blender0, salmonMeatcake)
occupy(blender0)

Accomplished:
none

Commands:"""


def test_a_state_in_words() -> None:
    """The body that takes too early is told so; the other has just set the blender going."""
    world = world_of("level_0")
    lines = [*MEATCAKE[:7], "put_agent0_blender0 goto_agent1_blender0"]
    state = after(world, *lines, "get_agent1_blender0 activate_agent0_blender0")
    assert world.describe(world.observe(state, DISPATCHER)) == SHOWN


def test_the_briefing_tells_everything_that_the_article_tells() -> None:
    text = world_of("level_3@bodies=3").briefing(DISPATCHER)
    for told in (
        "You command agent0, agent1, agent2",
        "60 steps",
        "salmonSushi: made in a mixer of salmonSashimi, cookedRice",
        "cookedRice: made in a pot of rice",
        "- tuna, salmon, rice",
        "pot1: holds 5 at most",
        "chopboard0: holds 1 at most",
        "servingtable0: holds any number of things",
        "activate_AGENT_PLACE",
        "goto_agent2_storage0",
    ):
        assert told in text
    assert "pork" not in text


def test_how_long_tools_take_is_left_unsaid() -> None:
    world = world_of("level_7")
    assert "steps" not in world.briefing(DISPATCHER).split("Recipes")[1]


def test_variants_are_told() -> None:
    text = world_of("level_0@orders=hidden,spoil=7,table=2").briefing(DISPATCHER)
    assert (
        "room for 2 dishes" in text and "for 7 steps spoils" in text and "hang at the serving table" in text
    )


def test_a_seat_is_told_who_else_is_there() -> None:
    world = world_of("level_3@bodies=3,seats=person")
    assert world.seats == ("agent0", "dispatcher")
    assert world.briefing("agent0").startswith("You are agent0 in a kitchen.")
    assert "Also here, deciding for themselves: agent1, agent2." in world.briefing("agent0")
    assert world.briefing("dispatcher").startswith("You command agent1, agent2 in a kitchen.")


def test_every_code_has_its_sentence() -> None:
    assert set(SENTENCES) == {*BAD_COMMAND, *FAILED, NO_COMMAND.code}


def test_sentences_are_filled_in_from_what_was_refused() -> None:
    world = world_of("level_0")
    told = [
        refusal_text(refusal)
        for step in steps_of(world, *MEATCAKE[:2], "get_agent0_flour_storage0 dance_agent1 goto_agent5_pot0")
        for refusal in step.refusals
    ]
    assert told == [
        "'dance_agent1' begins with no verb that there is: use noop, goto, get, put or activate.",
        "'goto_agent5_pot0' names a place that is not in this kitchen.",
        "'get_agent0_flour_storage0': the agent already holds salmon.",
    ]


@pytest.mark.parametrize(
    ("text", "standard", "released"),
    [
        ("goto_agent0_storage0", ["goto_agent0_storage0"], ["goto_agent0_storage0"]),
        (
            "First, agent0 needs rice:\n1. `goto_agent0_storage0`\n2. **noop_agent1**.",
            ["goto_agent0_storage0", "noop_agent1"],
            ["goto_agent0_storage0", "noop_agent1"],
        ),
        ("put_agent0_blender0, put_agent1_blender0", ["put_agent0_blender0", "put_agent1_blender0"], None),
        ("GOTO_Agent0_Storage0", ["goto_agent0_storage0"], []),
        ("goto(agent0, storage0)", ["goto_agent0_storage0"], []),
        ("get(agent1, storage0, Salmon)", ["get_agent1_salmon_storage0"], []),
        ("get(agent1, salmon, storage0)", ["get_agent1_salmon_storage0"], []),
        ("noop(agent1)", ["noop_agent1"], []),
        ("at(agent0, storage0) hold(agent0, None)", [], []),
        ("chop_agent0_chopboard0", ["chop_agent0_chopboard0"], []),
        ("I am sorry.", [], []),
        ("goto agent0 storage0", [], []),
        ("", [], []),
    ],
)
def test_commands_are_found_in_free_text(text: str, standard: list[str], released: list[str] | None) -> None:
    for rules, expected in (("standard", standard), ("released", standard if released is None else released)):
        world = world_of("level_3", rules)
        found = world.parse(world.start(), DISPATCHER, text)
        assert ([] if isinstance(found, Refusal) else list(found.commands)) == expected, rules
