"""What is read in a reply, and what comes of it: the released reading row by row, and the friendlier one."""

from __future__ import annotations

import re

import pytest

from backburner.kernel.values import Refusal
from backburner.worlds.cuisineworld.game.reading import MOST_READ, pattern_of
from backburner.worlds.cuisineworld.game.rule_set import RELEASED, STANDARD
from backburner.worlds.cuisineworld.game.state import Commands
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from support.cuisineworld.play import DISPATCHER, codes, steps_of, world_of
from support.promptly import within

UNTOLD = "args, untold"
"""Refused without a word."""

RELEASED_ROWS: tuple[tuple[str, list[str], str], ...] = (
    ("wait_agent1", [], "frozen"),
    ("move_agent0_storage0", [], "frozen"),
    ("Goto_agent0_storage0", [], "frozen"),
    ("goto_Agent0_storage0", [], "frozen"),
    ("GOTO_agent0_storage0", [], "frozen"),
    ("wait_agent1\ngoto_agent0_storage0", ["goto_agent0_storage0"], "runs"),
    ("xgoto_agent0_storage0", ["goto_agent0_storage0"], "runs"),
    ("agent0_goto_agent0_storage0", ["goto_agent0_storage0"], "runs"),
    ("_goto_agent0_storage0", ["goto_agent0_storage0"], "runs"),
    ("output_agent0_pot0", ["put_agent0_pot0"], "not_at_location"),
    ("widget_agent0_pot0", ["get_agent0_pot0"], "not_at_location"),
    ("reactivate_agent0_pot0", ["activate_agent0_pot0"], "not_at_location"),
    ("goto_agent0_storage0_", ["goto_agent0_storage0_"], UNTOLD),
    ("_goto_agent0_storage0_", ["goto_agent0_storage0_"], UNTOLD),
    ("goto_agent0_x_nowhere", ["goto_agent0_x_nowhere"], UNTOLD),
    ("noop_agent0_x_nowhere", ["noop_agent0_x_nowhere"], UNTOLD),
    ("put_agent0_pot0_", ["put_agent0_pot0_"], "location"),
    ("get_agent0_pot0_", ["get_agent0_pot0_"], "location"),
    ("noop_agent0_", ["noop_agent0"], "runs"),
    ("noop_agent0_ (waits)", ["noop_agent0"], "runs"),
    ("goto_agent0_", ["goto_agent0"], "no_place"),
    ("goto_agent0_?", ["goto_agent0"], "no_place"),
    ("goto_agent0__storage0", ["goto_agent0__storage0"], UNTOLD),
    ("put_agent0__servingtable0", ["put_agent0__servingtable0"], "put_hands_empty"),
    ("noop_agent0noop_agent1", ["noop_agent0", "noop_agent1"], "runs"),
    ("goto_agent0_pot0goto_agent1_pot1", ["goto_agent0_pot0goto_agent1_pot1"], "arity"),
    ("goto agent0 storage0", [], "frozen"),
    ("goto\\_agent0\\_x", [], "frozen"),
    ("goto-agent0-x", [], "frozen"),
    ("goto(agent0, storage0)", [], "frozen"),
    ("goto_agent-1_storage0", [], "frozen"),
    ("goto_agent_0_storage0", [], "frozen"),
    ("goto_agent0 storage0", ["goto_agent0"], "no_place"),
    ("goto_agent0-x", ["goto_agent0"], "no_place"),
    ("goto_agent0\\_x", ["goto_agent0"], "no_place"),
    ("goto_agent0: x", ["goto_agent0"], "no_place"),
    ("get_agent0_salmon-cake_x", ["get_agent0_salmon"], "location"),
    ("goto_agent\u0660_storage0", ["goto_agent\u0660_storage0"], "runs"),
    ("goto_agent\uff10_storage0", ["goto_agent\uff10_storage0"], "runs"),
    ("goto_agent00_storage0", ["goto_agent00_storage0"], "runs"),
    ("goto_agent0000000000001_storage0", ["goto_agent0000000000001_storage0"], "runs"),
    (f"goto_agent{'0' * 5000}_storage0", [f"goto_agent{'0' * 5000}_storage0"], "agent"),
    ("goto_agent0_pot\u0660", ["goto_agent0_pot"], "location"),
    ("goto_agent0_storage0 goto_agent0_storage0", ["goto_agent0_storage0"] * 2, "duplicate_agent"),
    ("noop_agent0 noop_agent00", ["noop_agent0", "noop_agent00"], "duplicate_agent"),
    (
        "<think>goto_agent1_pot0?</think>\ngoto_agent1_storage0",
        ["goto_agent1_pot0", "goto_agent1_storage0"],
        "duplicate_agent",
    ),
    ("noop_agent1", ["noop_agent1"], "runs"),
    ("", [], "frozen"),
    ("goto_agent7_storage0", ["goto_agent7_storage0"], "no_such_agent"),
    ("noop_agent7", ["noop_agent7"], "no_such_agent"),
    ("goto_agent0_storage0 noop_agent7", ["goto_agent0_storage0", "noop_agent7"], "no_such_agent"),
    ("goto_agent7_storage0 goto_agent0_oven0", ["goto_agent7_storage0", "goto_agent0_oven0"], "location"),
    ("goto_agent0 goto_agent1_a_b_c", ["goto_agent0", "goto_agent1_a_b_c"], "arity"),
    ("goto_agent7_pot0 noop_agent7", ["goto_agent7_pot0", "noop_agent7"], "duplicate_agent"),
    ("goto_agent0 noop_agent0", ["goto_agent0", "noop_agent0"], "duplicate_agent"),
    ("goto_agent0_x_oven0 goto_agent1_oven0", ["goto_agent0_x_oven0", "goto_agent1_oven0"], UNTOLD),
)
"""A reply, the commands in it, and what comes of them: ``frozen``, ``runs``, or the code of the refusal."""


@pytest.mark.parametrize(("text", "commands", "then"), RELEASED_ROWS, ids=lambda value: str(value)[:40])
def test_the_released_reading(text: str, commands: list[str], then: str) -> None:
    world = world_of("level_3", "released")
    assert read(world, text) == commands
    step = steps_of(world, text)[0]
    assert step.state.steps == (then != "frozen")
    told = world.observe(step.state, DISPATCHER).refusals
    if then == "frozen":
        assert (codes(step), told) == (["no_command"], ())
    elif then == UNTOLD:
        assert (codes(step), told) == (["args"], ())
    else:
        assert codes(step) == ([] if then == "runs" else [then])
        assert told == step.refusals
    if then != "runs":
        assert step.state.at == world.start().at


def test_commands_in_numbers_below_zero() -> None:
    """No text holds them, but lists of commands may: with one body 0 and -1 are two numbers for it."""
    world = world_of("level_3@bodies=1", "released")
    both = Commands(("goto_agent0_storage0", "goto_agent-1_pot0"))
    step = world.step(world.start(), {DISPATCHER: both})
    assert (codes(step), world.compiled.places[step.state.at[0]]) == ([], "pot0")
    step = world.step(world.start(), {DISPATCHER: Commands(("goto_agent-1_pot0", "noop_agent-1"))})
    assert codes(step) == ["duplicate_agent"]
    step = world.step(world.start(), {DISPATCHER: Commands(("goto_agent-2_pot0",))})
    assert codes(step) == ["no_such_agent"]


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("\u0130goto_agent1_pan1", ["goto_agent1_pan1"]),
        ("ACT\u0131VATE_agent0_pot0", ["vate_agent0_pot0"]),
        ("goto_agent0_\u017ftorage0", ["goto_agent0"]),
        ("goto_a\u0261ent0_pot0", []),
        ("wait_agent1", ["wait_agent1"]),
        ("Put_Agent0_POT0", ["put_agent0_pot0"]),
    ],
)
def test_the_friendlier_reading_takes_no_letter_for_another(text: str, commands: list[str]) -> None:
    """Without regard to capitals, the letters of other scripts that fold to ours would be read as ours."""
    world = world_of("level_3")
    assert read(world, text) == commands
    decision = Commands(tuple(commands))
    assert not commands or world.parse(world.start(), DISPATCHER, world.words(decision)) == decision


REPEATED = (
    "a",
    "_",
    "0",
    "goto_agent",
    "goto_agent0_",
    "goto_agent0_a",
    "noop_agent0",
    "noop_agent0 ",
    "wait_agent1 ",
    "goto(agent0",
    "goto(agent0,a",
    " ,a",
    "put_agent0_pot0\n",
    "agent0_",
    "get_agent\u0660",
    "\u0130",
    "(",
    "GOTO ( agent0 , x ) ",
)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("part", REPEATED)
@pytest.mark.parametrize("before", ["", "goto_agent0_", "goto(agent0 , "])
def test_a_million_letters_are_read_in_no_time(rules: str, part: str, before: str) -> None:
    """Generous: what took time that grows faster than its length would take minutes."""
    world = world_of("level_3", rules)
    text = before + part * (1_000_000 // len(part))
    with within(5):
        decision = world.parse(world.start(), DISPATCHER, text)
        world.remembered(DISPATCHER, text)
        step = world.step(world.start(), {DISPATCHER: decision})
    assert len(world.describe(world.observe(step.state, DISPATCHER))) < 20_000


@pytest.mark.parametrize("rules", [STANDARD, RELEASED], ids=lambda rules: rules.name)
def test_unbounded_repetitions_end_a_command(rules: object) -> None:
    """Whatever follows a repetition without a bound may be left out, so that no search ever goes back."""
    assert isinstance(rules, type(STANDARD))
    written = pattern_of(rules).pattern
    for place in re.finditer(r"[^\\][+*]", written):
        rest = written[place.end() :].lstrip(")")
        assert rest == "" or rest.startswith(("?", "(?:_")), rest


def test_so_many_commands_of_an_answer_are_looked_at() -> None:
    world = world_of("level_3")
    assert len(read(world, "noop_agent0 " * (MOST_READ + 1))) == MOST_READ


def read(world: CuisineWorld, text: str) -> list[str]:
    found = world.parse(world.start(), DISPATCHER, text)
    return [] if isinstance(found, Refusal) else list(found.commands)
