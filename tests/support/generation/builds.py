"""Small builds of one world."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from backburner.generation.builder import builder_of
from backburner.kernel.building import Built

WORLD = "recipe2plan"


def build(out: Path, **said: Any) -> Built:
    """A build with these options, the others being as usual."""
    builder = builder_of(WORLD)
    usual = {each.name: each.default for each in builder.arguments if each.default is not None}
    built = builder.build(out, {**usual, **said}, lambda total: None)
    assert isinstance(built, Built)
    return built
