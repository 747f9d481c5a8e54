"""What hands can do is the text game's: the same reasons in the same situations, and what it leads to."""

from __future__ import annotations

import random

import pytest

from backburner.worlds.clocked_kitchen.game import Input
from backburner.worlds.clocked_kitchen.game.legality import Hands
from backburner.worlds.clocked_kitchen.game.state import Errand
from backburner.worlds.cuisineworld.game.rule_set import STANDARD
from backburner.worlds.cuisineworld.game.state import (
    ACTIVATE,
    GET,
    NOTHING,
    PUT,
    Act,
    Command,
    State,
)
from backburner.worlds.cuisineworld.game.transition import Transition
from support.clocked_kitchen.play import Played, world_of

ROOM = ("##SS###", "#.....#", "#.....B", "#.....#", "##TT###")


@pytest.mark.parametrize("level", ["level_2", "level_3", "level_5", "level_7", "level_12"])
def test_the_reasons_are_those_of_the_text_game(level: str) -> None:
    """Kitchens drawn at random, sound or not: the text game's own transition gives the same first reason."""
    kitchen = world_of(level).compiled.kitchen
    draw, refused, done = random.Random(level), 0, 0
    for _ in range(6000):
        place, verb = draw.randrange(len(kitchen.places)), draw.choice((GET, PUT, ACTIVATE))
        product = draw.random() < 0.3
        content = draw.sample(range(len(kitchen.things)), draw.choice((0, 1, 1, 2, 3)))
        if draw.random() < 0.7:
            content = [thing for thing in content if kitchen.addable(place, ()) >> thing & 1]
        inside: list[tuple[int, ...]] = [()] * len(kitchen.places)
        if place not in (0, kitchen.start):
            inside[place] = tuple(content[: kitchen.capacity[place]])
        ready = 1 << place if product and inside[place] else 0
        works = bool(ready) and draw.random() < 0.5
        held = draw.choice((NOTHING, draw.randrange(len(kitchen.things))))
        item = draw.choice((NOTHING, NOTHING, held, draw.randrange(len(kitchen.things))))
        if verb == ACTIVATE:
            item = NOTHING
        state = State(
            at=(place,),
            held=(held,),
            hands_busy=(0,),
            inside=tuple(inside),
            busy=tuple(2 if works and p == place else 0 for p in range(len(inside))),
            ready=ready,
        )
        result = Transition(kitchen, STANDARD, None, state).do(Command(verb, 0, place, item, "", "", 0))
        expected = "" if isinstance(result, Act) else result[0]
        ours = Hands(kitchen, (held,), inside, ready, {place: works}).obstacle(0, verb, place, item)
        if kitchen.places[place] == "storage0" and expected == "" and verb == GET:
            assert ours == ("" if item in kitchen.level_ingredients else "storage_needs_base_item")
        else:
            assert ours == expected, (kitchen.places[place], verb, inside[place], held, item)
        refused, done = refused + bool(expected), done + (not expected)
    assert refused > 500 and done > 100


@pytest.mark.parametrize(
    ("command", "code", "sentence"),
    [
        ("put_agent0_blender0", "put_hands_empty", "the agent holds nothing"),
        ("get_agent0_blender0", "not_pickable", "nothing can be taken"),
        ("activate_agent0_blender0", "activate_empty", "nothing is inside"),
        ("get_agent0_rice_storage0", "storage_needs_base_item", "base ingredients only"),
        ("move_agent0_north", "direction", "up, right, down, left"),
        ("move_agent9_left", "no_such_agent", "not here"),
        ("move_agent0", "arity", "is no command"),
        ("jump_agent0_blender0", "verb", "begins with no verb"),
        ("goto_agent0_oven0", "location", "not in this kitchen"),
        ("goto_agent0", "no_place", "does not say at which place"),
    ],
)
def test_what_cannot_be_done_is_refused_at_sight(command: str, code: str, sentence: str) -> None:
    world = world_of("level_0@asks=always", ROOM)
    played = Played(world).do(command)
    (refusal,) = played.refusals
    assert (refusal.code, refusal.seat) == (code, "agent0")
    assert sentence in world.describe(world.observe(played.state, "agent0"))
    assert not world.observe(played.state, "agent1").refusals


def test_a_seat_commands_its_own_bodies_once_each() -> None:
    world = world_of("level_0@asks=always", ROOM)
    state = world.start()
    told = Input(("goto_agent1_blender0", "goto_agent0_blender0", "goto_agent0_storage0"))
    step = world.step(state, {"agent0": told, "agent1": Input()})
    assert [(r.code, r.index) for r in step.refusals] == [("other_agent", 0), ("duplicate_agent", 2)]
    errand = step.state.errands[0]
    assert isinstance(errand, Errand)
    assert world.compiled.label(errand.verb, errand.target, errand.item) == "goto blender0"


def test_a_very_long_list_of_commands_is_refused_in_few_words() -> None:
    world = world_of("level_0@asks=always", ROOM)
    step = Played(world).do(*["goto_agent0_nowhere"] * 5000)
    assert len(step.refusals) == 21 and step.refusals[-1].code == "more"


def test_who_comes_too_late_is_told_and_refused_nothing() -> None:
    """Two go for one product; the second finds the blender empty."""
    world = world_of("level_0@asks=always", ROOM)
    played = Played(world)
    for command in ("get_agent0_salmon_storage0", "put_agent0_blender0", "get_agent0_flour_storage0"):
        played.do(command).until_done()
    played.do("put_agent0_blender0", "goto_agent1_storage0").until_done()
    played.do("activate_agent0_blender0").until_done()
    played.do("get_agent0_blender0", "get_agent1_blender0").until_done()
    assert not played.refusals
    (late,) = played.state.feedback
    assert (late.seat, late.code) == ("agent1", "not_pickable")
    told = world.describe(world.observe(played.state, "agent1"))
    assert told.startswith("It came to nothing when the agent was there. 'agent1: get blender0': nothing can")
    assert [e.lane for e in played.events if e.kind == "refused"] == ["agent1", "agent1"]
    # The next command takes the place of what was told.
    assert not played.do("goto_agent1_storage0").state.feedback


def test_a_chopping_board_keeps_its_body() -> None:
    world = world_of("level_2@asks=always")
    played = Played(world)
    played.do("get_agent0_salmon_storage0").until_done()
    played.do("put_agent0_chopboard0").until_done()
    played.do("activate_agent0_chopboard0").until_done()
    seen = world.observe(played.state, "agent1")
    assert seen.bodies[0].busy and "occupy(agent0)" in world.describe(seen)
    began, cell = played.state.tick, played.cell(0)
    played.do("goto_agent0_storage0", ticks=8)
    assert played.cell(0) == cell and played.state.until[2] > began
    assert not world.observe(played.do(ticks=4).state, "agent1").bodies[0].busy


def test_what_is_put_into_the_storage_is_gone() -> None:
    world = world_of("level_0@asks=always", ROOM)
    played = Played(world).do("get_agent0_salmon_storage0").until_done()
    played.do("put_agent0_storage0").until_done()
    assert played.state.held[0] == NOTHING and not any(played.state.inside)
