"""Scenes as PNG: their sizes, what they are counted as, the font that comes with them."""

from __future__ import annotations

import struct

import pytest

pytest.importorskip("resvg_py", reason="pictures need it: pip install -e '.[png]'")

from backburner.drawing.png import DRAWING, FONT, LONGEST_SIDE, Picture, picture_of, png
from backburner.kernel import packs, registry
from backburner.kernel.errors import NotDrawn
from backburner.kernel.values import digest
from backburner.kernel.view import Body, Place, Scene, draws
from drawing.scenes import kitchen

HEAD = f'<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60" font-family="{FONT}">'


def size_of(content: bytes) -> tuple[int, int]:
    """Width and height as a PNG's first chunk tells them."""
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    return width, height


def sign(letter: str) -> bytes:
    return png(Picture(f'{HEAD}<text x="9" y="40" font-size="30">{letter}</text></svg>', 60, 60))


@pytest.mark.parametrize("name", packs.names())
def test_a_scene_of_every_world_is_as_large_as_told(name: str) -> None:
    world = registry.world(registry.expand(f"{name}/quick")[0])
    if not draws(world):
        pytest.skip("nothing to be seen")
    scene = world.scene(world.start(), world.seats[0])
    once, twice = picture_of(scene), picture_of(scene, 2)
    assert size_of(png(once)) == (once.width, once.height)
    assert once.svg == twice.svg
    assert max(twice.width, twice.height) <= LONGEST_SIDE
    assert png(once) == png(once)


def test_a_token_is_counted_for_each_square_that_is_begun() -> None:
    # 685.84 x 337 pixels: 686 are 24.5 squares of 28, 337 are 12.04 of them
    world = registry.world("collab_grid/baked_potato_slices")
    picture = picture_of(world.scene(world.start(), "chef"))
    assert (picture.width, picture.height, picture.tokens) == (686, 337, 25 * 13)


def test_a_wide_scene_is_made_smaller() -> None:
    wide = Scene(30, 2, (Place("a place with a long name", "table", (0, 0)),))
    picture = picture_of(wide)
    assert picture.width == LONGEST_SIDE
    assert 1 < picture.height < 200


def test_a_scene_that_is_drawn_otherwise_raises_the_number_of_the_drawing() -> None:
    """The figures stand with the number: who moves one raises the other."""
    logs = tuple(Place(f"log {x}", "oak_log", (x, x)) for x in (1, 30))
    spread = Scene(40, 40, logs, (Body("a", "b", (5, 9)),))
    drawn = (DRAWING, digest(picture_of(kitchen()).svg), digest(picture_of(spread).svg))
    assert drawn == (1, "16d2738cccaeada0", "87c3af60b62db2f8")


def test_words_are_drawn_in_the_font_that_ships() -> None:
    """Signs without a shape of their own would all look alike."""
    assert len({sign(letter) for letter in " Aaéж·…→×−●"}) == 11


def test_what_cannot_be_drawn_says_so() -> None:
    with pytest.raises(NotDrawn, match="60 x 60 pixels"):
        png(Picture("<svg", 60, 60))
