"""How the kitchen is drawn: what is under way, in whole seconds."""

from __future__ import annotations

from math import ceil

from support.clocked_kitchen.play import Played, world_of

ROOM = ("##SS###", "#.....#", "#.....B", "#.....#", "##TT###")
ALWAYS = world_of("level_0@asks=always", ROOM)


def test_tools_and_orders_count_seconds_that_are_left_rounded_up() -> None:
    """As the texts tell them, so that a clock in the picture runs out when the seconds do."""
    played = Played(ALWAYS)
    for command in (
        "get_agent0_salmon_storage0",
        "put_agent0_blender0",
        "get_agent0_flour_storage0",
        "put_agent0_blender0",
        "activate_agent0_blender0",
    ):
        played.do(command).until_done()
    seen: set[tuple[int, int]] = set()
    while True:
        scene = ALWAYS.scene(played.state)
        told = ALWAYS.observe(played.state, "agent0")
        works = next(place.busy_seconds for place in told.places if place.name == "blender0")
        bars = next(place.progress for place in scene.places if place.name == "blender0")
        for thing, order in zip(scene.beside, told.orders, strict=True):
            assert thing.progress[0].full - thing.progress[0].done == ceil(order.left_seconds)
        if not works:
            assert bars == ()
            break
        (bar,) = bars
        assert bar.full - bar.done == ceil(works)
        seen.add((bar.done, bar.full))
        played.do()
    assert seen == {(0, 2), (1, 2)}, "two seconds in the blender"
