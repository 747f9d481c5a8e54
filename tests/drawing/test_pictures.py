"""The pictures of things: which one a name has, the same in reports as on the pages of games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from backburner.drawing.scene.pictures import picture_of

CASES = json.loads((Path(__file__).parents[2] / "web" / "test" / "pictures.json").read_text("utf-8"))


@pytest.mark.parametrize(("kind", "marks", "creature", "of"), CASES)
def test_a_thing_has_the_picture_that_its_name_and_its_marks_say(
    kind: str, marks: list[str], creature: bool, of: str
) -> None:
    found = picture_of(kind, tuple(marks), creature)
    assert ("|".join((*found[:3], *found.states)) if found else "") == of
