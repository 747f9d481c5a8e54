"""Whose builder builds, where a world has one of its own beside its drafts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from backburner.generation import build as building
from backburner.generation.build import builder_of
from backburner.kernel import packs
from backburner.kernel.building import Builder, Built
from backburner.kernel.errors import Refused
from backburner.kernel.pack import Argument, Pack

NEITHER = Pack(name="neither", title="", version=1, catalogue="")

TOLD: list[tuple[str, dict[str, Any]]] = []


def builder(name: str, *arguments: Argument) -> Builder:
    """One that tells ``TOLD`` what it is asked for."""
    return Builder(
        help=f"{name}.",
        things="",
        arguments=arguments,
        build=lambda out, options, progress: TOLD.append((name, dict(options))) or Built(None),
    )


OWN = builder(
    "own",
    Argument(name="size", kind="whole number", default=2, help="How many."),
    Argument(name="width", kind="whole number", default=6, help="Of the grid."),
    Argument(name="seed", kind="whole number", help="Any."),
)
DRAFTS = builder(
    "drafts",
    Argument(name="width", help="A range."),
    Argument(name="seed", kind="whole number", default=0, help="Any."),
    Argument(name="scenarios", kind="whole number", default=10, help="How many."),
)


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ({}, ("own", {"size": 2, "width": 6})),
        ({"seed": 5, "size": 3}, ("own", {"size": 3, "width": 6, "seed": 5})),
        ({"width": "4", "sealed": True}, ("own", {"size": 2, "width": 4, "sealed": True})),
        ({"width": "4:5"}, ("drafts", {"width": "4:5", "seed": 0, "scenarios": 10})),
        ({"width": "4", "scenarios": 1}, ("drafts", {"width": "4", "seed": 0, "scenarios": 1})),
    ],
)
def test_what_its_own_builder_knows_is_built_by_it(
    said: dict[str, Any], asked: tuple[str, dict[str, Any]]
) -> None:
    TOLD.clear()
    either = building._either("here", OWN, DRAFTS)
    assert {each.name: each.kind for each in either.arguments} == {
        **{"size": "whole number", "seed": "whole number", "width": "text", "scenarios": "whole number"}
    }
    either.build(Path(), said, lambda most: None)
    assert [asked] == TOLD


def test_keys_of_both_are_not_said_together() -> None:
    with pytest.raises(Refused, match="here: size is no key of drafts, and scenarios is one of theirs alone"):
        building._either("here", OWN, DRAFTS).build(Path(), {"size": 2, "scenarios": 3}, lambda most: None)


def test_a_world_without_either_builds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packs, "pack", lambda name: NEITHER)
    with pytest.raises(Refused, match="neither: no scenarios are built for it"):
        builder_of("neither")
