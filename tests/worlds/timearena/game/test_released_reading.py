"""What a reply becomes under ``released``: one test for each rule of the released program."""

from __future__ import annotations

import pytest

from backburner.kernel.values import Refusal
from backburner.worlds.timearena.game import Act, Decision, Quit, Wait
from backburner.worlds.timearena.game.transition import AGENT
from support.timearena.play import Game, world_of

TEA = "household1"
"""Things: tea, kettle, teapot, cup."""


def read(text: str, rules: str = "released") -> Decision | str:
    """The decision, or the code of the refusal."""
    world = world_of(TEA, rules)
    found = world.parse(world.start(), AGENT, text)
    return found.code if isinstance(found, Refusal) else found


both = pytest.mark.parametrize("rules", ["released", "released-reflexion"])


@both
@pytest.mark.parametrize("text", ["*wash cup*", "**wash** cup", "wa*sh c*up", "***wash cup", "wash cup *"])
def test_every_asterisk_is_removed_wherever_it_stands(text: str, rules: str) -> None:
    assert read(text, rules) == Act("wash", "cup")


@pytest.mark.parametrize("text", ["* *quit", "*exit*", "w*ait"])
def test_so_it_is_before_quit_and_wait(text: str) -> None:
    assert isinstance(read(text), Quit | Wait)


@pytest.mark.parametrize("around", [" ", "\n", "\t\r\n ", "\u2003", "\u00a0", "\u3000", "\x1f"])
def test_unicode_white_space_around_is_removed(around: str) -> None:
    assert read(f"{around}wash cup{around}") == Act("wash", "cup")


@both
@pytest.mark.parametrize("text", ["quit", "exit", "QUIT", "Exit", " eXiT\n"])
def test_quit_and_exit_in_any_case_end_play_without_a_minute(text: str, rules: str) -> None:
    assert read(text, rules) == Quit()
    game = Game(TEA, rules).say("wait", text)
    assert (game.state.ended, game.state.minute) == ("quit", 1)


def test_exactly_wait_is_a_minute() -> None:
    assert read("wait") == Wait()
    assert [read(text) for text in ("Wait", "WAIT", "wait.", "wait 1", "i wait")] == [
        "invalid_action", "invalid_action", "invalid_action", "invalid_action", "invalid_action",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("wash  cup", "invalid_action"),  # three fields, one of them empty
        ("pour  kettle into teapot", "invalid_action"),
        ("pour  into teapot", "nonexistent_object"),  # four fields: the first thing is the empty one
        ("pour kettle into  teapot", "invalid_action"),
        ("wash\tcup", "invalid_action"),
        ("wash\u00a0cup", "invalid_action"),
        ("wash", "invalid_action"),
        ("wash cup in", "invalid_action"),
        ("wash cup in teapot now", "invalid_action"),
    ],
)
def test_fields_stand_between_single_spaces_and_are_two_or_four(text: str, code: str) -> None:
    assert read(text) == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("clean cup", "invalid_action"),  # a verb of no task
        ("clean pan", "invalid_action"),  # the verb comes first, and one thing is told, never both
        ("wash pan", "nonexistent_object"),
        ("pour kettle in teapot", "invalid_action"),  # "pour in" is no verb
        ("pour pan into moon", "nonexistent_object"),
    ],
)
def test_the_verb_is_looked_up_before_the_things(text: str, code: str) -> None:
    assert read(text) == code


@pytest.mark.parametrize("text", ["sing", "wash pan"])
def test_in_a_minute_of_a_malformed_answer_nothing_goes_on(text: str) -> None:
    """The kettle boils for its minutes, and one more for each malformed answer."""
    plain, slipped = (
        Game(TEA, "released").say("activate kettle"),
        Game(TEA, "released").say("activate kettle"),
    )
    slipped.say(text)
    while plain.state.running:
        plain.say("wait")
    while slipped.state.running:
        slipped.say("wait")
    assert slipped.state.minute == plain.state.minute + 1


@pytest.mark.parametrize(
    "text", ["Wash cup", "wash Cup", "WASH CUP", "pour Kettle into teapot", "wash \u212aettle"]
)
def test_capitals_in_a_sound_action_crash_there_and_are_refused_here(text: str) -> None:
    assert read(text) in ("invalid_action", "nonexistent_object")
    assert read("Wash pan") == "nonexistent_object"  # found before the capital does harm


def test_a_thing_paired_with_itself_twice_in_a_row_is_refused() -> None:
    game = Game(TEA, "released").say("wash cup", "wash teapot", "pour teapot into teapot")
    assert game.refused == ""
    assert game.say("pour teapot into teapot").refused == "already_completed"
    assert game.say("wait", "pour teapot into teapot").refused == ""


@pytest.mark.parametrize(
    "text",
    [
        "wash cup.",
        "Action: wash cup",
        "wash cup\nwash teapot",
        "wash the cup",
        '"wash cup"',
        "1. wash cup",
        "`wash cup`",
    ],
)
def test_nothing_else_is_looked_through(text: str) -> None:
    assert isinstance(read(text), str)
