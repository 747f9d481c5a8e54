"""What seats are told: the rules with their times, the state in the article's predicates, what others did."""

from __future__ import annotations

import pytest

from backburner.kernel.values import Refusal
from backburner.worlds.clocked_kitchen.game import Input
from backburner.worlds.clocked_kitchen.game.state import CODES
from backburner.worlds.clocked_kitchen.game.text import OWN, refusal_text
from backburner.worlds.cuisineworld.game.text import SENTENCES
from support.clocked_kitchen.play import Played, world_of
from support.promptly import within

ROOM = ("##SS###", "#.....#", "#.....B", "#.....#", "##TT###")


@pytest.mark.parametrize(
    ("id", "told", "never"),
    [
        ("level_3", ("You are agent0", "takes 60 seconds", "Also here", "agent1"), ("dispatcher",)),
        ("level_3", ("next cell takes 0.2 s", "start something 0.5 s", "squeeze past each other"), ()),
        ("level_3", ("pot0: holds 5 at most, works 3 s", "chopboard0: holds 1 at most, works 1 s"), ()),
        ("level_3", ("asked when an agent of yours has nothing under way", "refused command costs 1 s"), ()),
        ("level_3", ("move_AGENT_up", "noop_AGENT", "waiting for it while the tool works"), ()),
        ("level_3", ("salmonSushi: made in a mixer of salmonSashimi, cookedRice", "tuna, salmon, rice"), ()),
        ("level_3", ("get_agent0_tuna_storage0", "What is put into the storage is gone"), ()),
        ("level_3@step=2.0", ("takes 120 seconds", "works 6 s", "refused command costs 2 s"), ()),
        ("level_3@asks=always", ("asked all the time",), ("nothing under way", "refused command costs")),
        ("level_3@hints=no", ("Recipes",), ("Hints", "Orders for dishes keep coming")),
        ("level_3@bodies=1", ("You command agent0",), ("Also here",)),
    ],
)
def test_the_briefing_tells(id: str, told: tuple[str, ...], never: tuple[str, ...]) -> None:
    world = world_of(id)
    briefing = world.briefing(world.seats[0])
    assert all(words in briefing for words in told), [words for words in told if words not in briefing]
    assert not any(words in briefing for words in never)


def test_a_state_is_told_with_its_clocks_and_with_what_others_did() -> None:
    world = world_of("level_0@asks=always", ROOM)
    played = Played(world)
    for command in (
        "get_agent1_salmon_storage0",
        "put_agent1_blender0",
        "get_agent1_flour_storage0",
        "put_agent1_blender0",
    ):
        played.do(command).until_done()
    played.do("activate_agent1_blender0").until_done()
    played.do("goto_agent0_storage0")
    text = world.describe(world.observe(played.state, "agent0"))
    second = played.state.tick / 10
    for words in (
        f"time: {second:g} of 60 s",
        f"salmonMeatcake, {15 - second:g} s left",
        "at(agent0, floor)\nhold(agent0, None)\nunder way(agent0, goto storage0)",
        "at(agent1, blender0)\nhold(agent1, None)\n",
        "inside(blender0, salmonMeatcake)\noccupy(blender0), 1.",
        "s: agent1 got salmon from storage0.",
        "s: agent1 put flour into blender0.",
        "s: agent1 started blender0, for salmonMeatcake.",
    ):
        assert words in text, words
    # What others have under way nobody sees.
    assert "under way" not in world.describe(world.observe(played.state, "agent1"))


def test_every_refusal_has_a_sentence() -> None:
    for code, fault in CODES.items():
        assert code in OWN or code in SENTENCES
        assert not refusal_text(Refusal(code, fault)).startswith("Refused")


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ("keep", Input()),
        (" Keep 30\n", Input(ticks=30)),
        ("keep 999999999", Input(ticks=6000)),
        ("I take rice. GET_agent0_rice_storage0", Input(("get_agent0_rice_storage0",))),
        ("get(agent0, storage0, rice)", Input(("get_agent0_rice_storage0",))),
        ("move_agent0_left\nnoop_agent1", Input(("move_agent0_left", "noop_agent1"))),
    ],
)
def test_answers_are_read(answer: str, read: Input) -> None:
    world = world_of("level_3@seats=one")
    assert world.parse(world.start(), "dispatcher", answer) == read


def test_an_answer_without_a_command_is_unreadable() -> None:
    world = world_of("level_3")
    read = world.parse(world.start(), "agent0", "Let me keep thinking about it.")
    assert isinstance(read, Refusal) and read.code == "no_command"


def test_a_plan_has_the_commands_of_each_decision() -> None:
    world = world_of("level_3@seats=one")
    plan = "Step 1:\ngoto_agent0_pot0\nmove_agent1_up\n\nStep 2:\nnoop_agent0\n"
    assert world.answers_in(plan) == ("goto_agent0_pot0\nmove_agent1_up", "noop_agent0")


@pytest.mark.parametrize(
    "text", ["keep " * 200_000, "move_agent0_" * 90_000, "goto_agent0_pot0 " * 60_000, "9" * 1_000_000]
)
def test_a_million_letters_are_read_quickly(text: str) -> None:
    world = world_of("level_3")
    with within(0.3):
        decision = world.parse(world.start(), "agent0", text)
        world.typed(text, "agent0")
        world.step(world.start(), {"agent0": decision, "agent1": Input()})
