"""Drafts of the worlds with orders: their worlds, and builds of floors as they were recorded once."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any

from msgspec import to_builtins

from backburner.generation.builder import builder_of
from backburner.generation.names import named
from backburner.kernel import registry
from backburner.kernel.building import Built
from backburner.kernel.generating import Draft, Draw, Generator, Rejected


def drafted(
    generator: Generator, parameters: Mapping[str, Any], options: Mapping[str, Any], seed: int
) -> Draft:
    """A draft of these parameters; that of another seed where there is none of this one."""
    for number in range(seed, seed + 1000, 100):
        try:
            return generator.draft(parameters, options, Draw(number, Random(number)))
        except Rejected:
            continue
    raise AssertionError("every draft is rejected")


def world_of(world: str, generator: Generator, draft: Draft, theme: str = "nonsense") -> Any:
    """The world of a draft that is told in a theme."""
    fields = named(draft, theme, generator.naming, Random(0)).fields
    catalogue = registry.catalogue(world)
    path, scenario = catalogue.read({"world": world, "id": "new", **to_builtins(fields)}, "new.json")
    return catalogue.build(f"{world}/{registry.USER}/{path}", scenario, "standard", "article")


def build(world: str, out: Path, said: Mapping[str, Any]) -> Built:
    """What ``backburner build`` does with these options, and the usual ones."""
    builder = builder_of(world)
    usual = {each.name: each.default for each in builder.arguments if each.default is not None}
    return builder.build(out, {**usual, **said}, lambda total: None)


def recorded(out: Path) -> str:
    """A digest of the names and bytes of a folder's scenario files."""
    files = sorted(path for path in out.glob("*.json") if path.name != registry.INDEX)
    told = b"".join(path.name.encode() + b"\0" + path.read_bytes() + b"\0" for path in files)
    return blake2b(told, digest_size=16).hexdigest()
