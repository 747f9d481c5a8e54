"""Drafts of the worlds with orders: their worlds, and builds of floors as they were recorded once."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from itertools import count
from random import Random
from typing import Any

from msgspec import to_builtins

from backburner.generation.names import named
from backburner.kernel import registry
from backburner.kernel.generating import Draft, Draw, Generator, Rejected
from backburner.kernel.values import indented_json


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


def recorded_build(
    world: str,
    generator: Generator,
    options: Mapping[str, Any],
    seed: int,
    many: int,
    ways: tuple[float, float],
) -> str:
    """A digest of the names and bytes of so many scenario files whose mean way is as asked for, from seeds
    that count up."""
    files: dict[str, bytes] = {}
    for number in count(seed):
        if len(files) == many:
            break
        draft = generator.draft({}, options, Draw(number, Random(number)))
        if ways[0] <= generator.own(world_of(world, generator, draft), None, ())["ways"] <= ways[1]:
            fields = {"world": world, "id": draft.path, **draft.fields}
            files[f"{draft.path}.json"] = indented_json(fields)
    told = b"".join(name.encode() + b"\0" + files[name] + b"\0" for name in sorted(files))
    return blake2b(told, digest_size=16).hexdigest()
