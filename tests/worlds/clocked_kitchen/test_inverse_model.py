"""The text game's actions are inferred from what changed: of errands and of bodies that are steered."""

from __future__ import annotations

import random

import pytest

from backburner.worlds.clocked_kitchen.game.inverse_model import Glimpse, inferred
from backburner.worlds.clocked_kitchen.game.state import ACTIVATE, GET, GOTO, PUT, State
from backburner.worlds.clocked_kitchen.game.world import ClockedKitchen
from support.clocked_kitchen.play import Played, world_of

ROOM = ("##SS###", "#.....#", "#.....B", "#.....#", "##TT###")


def done(played: Played) -> list[tuple[str, str, str, str]]:
    """What everybody is seen to have done: body, verb, place, thing."""
    seen = played.world.observe(played.state, "agent0")
    return [(deed.body, deed.verb, deed.place, deed.thing) for deed in seen.deeds]


def test_what_a_steered_body_does_is_told_in_the_text_games_words() -> None:
    """Arrow keys to the flour shelf and to the blender, the hands used at both; nobody named a place before
    standing at it."""
    played = Played(world_of("level_0@asks=always", ROOM))
    way = ["up", "up", "right", "up"]  # from (2, 3) to (3, 1), before the flour
    for step in way:
        played.do(f"move_agent0_{step}", ticks=2)
    played.do("get_agent0_flour_storage0", ticks=6)
    for step in ("right", "right", "down", "right"):
        played.do(f"move_agent0_{step}", ticks=3)
    played.do("put_agent0_blender0", ticks=6)
    assert done(played) == [
        ("agent0", "goto", "storage0", ""),
        ("agent0", "get", "storage0", "flour"),
        ("agent0", "goto", "blender0", ""),
        ("agent0", "put", "blender0", "flour"),
    ]


def test_who_walks_past_a_place_has_not_gone_there() -> None:
    """Along the wall to its end, and on: the body faces the blender for a moment, and does not rest."""
    played = Played(world_of("level_0@asks=always", ROOM))
    for step in ("up", "right", "right", "right", "up", "left", "left"):
        played.do(f"move_agent0_{step}", ticks=2)
    assert played.cell(0) == (3, 1)
    assert not done(played)


def seen_of(world: ClockedKitchen, state: State) -> Glimpse:
    faced = tuple(map(world.compiled.faced, state.at, state.facing))
    rests = tuple(free < state.tick for free in state.free_at)
    return Glimpse(faced, rests, state.held, state.inside, state.until)


@pytest.mark.parametrize("level", ["level_2", "level_5", "level_8"])
def test_what_hands_do_is_inferred_as_it_was(level: str) -> None:
    """Random errands of three bodies: each get, put and start that the events tell, and no other."""
    world = world_of(f"{level}@asks=always,bodies=3")
    played, draw, compared = Played(world), random.Random(level), 0
    for _ in range(2500):
        before, told = played.state, len(played.events)
        commands = []
        for seat in world.seats:
            if not world.occupied(played.state, seat):
                hands = [o for o in world.menu(played.state, seat).options if o.verb in HANDS]
                commands += draw.choice(hands).decision.commands if hands else ()
        played.do(*commands)
        deeds = inferred(world.compiled, seen_of(world, before), seen_of(world, played.state))
        seen = [(world.compiled.names[b], v, world.compiled.kitchen.places[p]) for b, v, p, _ in deeds]
        ends = [e for e in played.events[told:] if e.what == "end" and e.lane.startswith("agent")]
        lost = {e.key.removesuffix(" refused") for e in ends if e.kind == "refused"}
        acted = [
            (e.lane, NUMBER[e.label.split()[0]], e.label.split()[-1])
            for e in ends
            if e.kind == "work" and e.label.split()[0] in NUMBER
        ]
        if len({place for _, _, place in acted}) == len(acted) and not lost:
            assert sorted(d for d in seen if d[1] != GOTO) == sorted(acted)
            compared += len(acted)
    assert compared > 100


NUMBER = {"get": GET, "put": PUT, "activate": ACTIVATE}
HANDS = ("get", "fetch", "put", "activate")


def test_between_distant_states_it_tells_what_can_be_told() -> None:
    """From the start to a body with salmon at the shelf: it went there and got it."""
    world = world_of("level_0@asks=always", ROOM)
    played = Played(world)
    before = seen_of(world, played.state)
    played.do("get_agent0_salmon_storage0").until_done()
    salmon = world.compiled.kitchen.thing_number["salmon"]
    assert inferred(world.compiled, before, seen_of(world, played.state)) == (
        (0, GOTO, 0, -1),
        (0, GET, 0, salmon),
    )
