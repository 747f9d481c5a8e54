"""A body has one colour, in scenes and in timelines; who does nothing keeps theirs."""

from __future__ import annotations

import re

from backburner.drawing import palette, timeline_svg
from backburner.drawing.png import picture_of
from backburner.drawing.scene import scene_svg
from backburner.kernel.values import Event
from backburner.kernel.view import Body, Scene

STANDING = ("ann", "ben", "cat")
SCENE = Scene(3, 1, (), tuple(Body(name, "cook", (x, 0)) for x, name in enumerate(STANDING)))
WORK = [
    Event(float(time), what, lane, "chop", lane)
    for lane in ("cat", "ben")
    for time, what in enumerate(("start", "end"))
]


def fills(picture: str) -> set[str]:
    return set(re.findall(r'fill="(#\w+)"', picture)) & set(palette.BODIES)


def test_the_lanes_of_bodies_have_the_colours_of_their_heads() -> None:
    assert fills(scene_svg(SCENE)) == set(palette.BODIES[:3])
    picture = timeline_svg(WORK, bodies=("cat", "ben"), standing=STANDING)
    assert fills(picture.partition('class="legend"')[0]) == {palette.BODIES[1], palette.BODIES[2]}


def test_without_a_scene_they_have_them_in_the_order_of_their_lanes() -> None:
    assert fills(timeline_svg(WORK, bodies=("cat", "ben"))) == set(palette.BODIES[:2])


def test_models_see_bodies_as_they_have_seen_them() -> None:
    assert fills(picture_of(SCENE).svg) == {palette.HANDS}
