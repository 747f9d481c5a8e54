"""What the pages take for the server's data (``api.ts``) is what the server answers with."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
from msgspec import Struct
from msgspec.structs import fields

from backburner.serve import games, offers

SOURCE = (Path(__file__).parents[2] / "web" / "src" / "api.ts").read_text("utf-8")

STRUCTS: dict[str, type[Struct]] = {
    kind.__name__: kind
    for kind in (
        offers.Named,
        offers.SuiteTold,
        offers.WorldTold,
        offers.OffersTold,
        offers.ScenarioTold,
        games.GameTold,
    )
}


def mirrored() -> dict[str, dict[str, str]]:
    """Interface to its fields with their types."""
    return {
        name: dict(re.findall(r"^  (\w+): (.*);$", body, re.MULTILINE))
        for name, body in re.findall(r"export interface (\w+) \{\n(.*?)\n\}", SOURCE, re.DOTALL)
    }


def test_nothing_else_is_taken_for_data() -> None:
    assert mirrored().keys() == STRUCTS.keys()


@pytest.mark.parametrize("name", STRUCTS)
def test_fields_and_their_types(name: str) -> None:
    found = mirrored()[name]
    assert list(found) == list(STRUCTS[name].__struct_fields__)
    for field in fields(STRUCTS[name]):
        assert found[field.name] == script_type(field.type), field.name


def script_type(kind: Any) -> str:
    """``tuple[Named, ...]`` is ``Named[]``."""
    if get_origin(kind) is tuple:
        return f"{script_type(get_args(kind)[0])}[]"
    if get_origin(kind) is dict:
        return f"Record<{', '.join(map(script_type, get_args(kind)))}>"
    if get_origin(kind) is Literal:
        return " | ".join(f'"{word}"' for word in get_args(kind))
    return {str: "string", int: "number", bool: "boolean"}.get(kind, kind.__name__)
