"""The view in three dimensions looks like the drawn kitchen: same colours, a shape for the same words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from backburner.drawing import palette
from backburner.drawing.scene import appearance

SPACE = Path(__file__).parents[2] / "web" / "src" / "space"


def value_of(name: str) -> Any:
    """A constant of ``colours.ts``; trailing commas and unquoted keys are TypeScript's."""
    text = (SPACE / "colours.ts").read_text()
    found = re.search(rf"export const {name}\b[^=]*= (.*?)( as const)?;\n", text, re.DOTALL)
    assert found, name
    plain = re.sub(r"(\w+):", r'"\1":', found[1])
    return json.loads(re.sub(r",\s*([\]}])", r"\1", plain))


@pytest.mark.parametrize(
    "name",
    [
        *("INK", "MUTED", "EDGE", "HANDS", "WAIT", "REFUSED", "COUNTER", "WOOD", "STEEL", "BASIN"),
        *("FOODS", "BLOCKS", "OTHER_BLOCK"),
    ],
)
def test_colours_are_those_of_the_palette(name: str) -> None:
    assert value_of(name) == getattr(palette, name)


@pytest.mark.parametrize("name", ["FLOOR", "ALONE", "BODIES", "PLAIN_FOOD"])
def test_rows_of_colours_are_those_of_the_palette(name: str) -> None:
    assert tuple(value_of(name)) == getattr(palette, name)


def test_the_colours_of_bodies_in_style_sheets_are_those_of_the_palette() -> None:
    style = (SPACE.parent / "style" / "scene.css").read_text()
    assert tuple(re.findall(r"\.hue-\d \{ --hue: (#\w+)", style)) == palette.BODIES


def test_every_kind_with_a_drawing_has_a_solid_and_no_other() -> None:
    text = (SPACE / "furniture.ts").read_text()
    table = text[text.index("const FURNITURE:") : text.index("};", text.index("const FURNITURE:"))]
    assert re.findall(r"^  (\w+):", table, re.MULTILINE) == list(appearance.SHAPES)
