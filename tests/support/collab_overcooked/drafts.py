"""Drafts of kitchens with plain names, and the worlds that they give."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from random import Random
from typing import Any

from backburner.kernel import packs, registry
from backburner.kernel.generating import Draft, Draw, Generator, Rejected

USUAL: Mapping[str, Any] = {
    **{"orders": 1, "depth": 2, "joins": 0.2, "utensils": 3, "steps": 3.0, "crossing": 0.5, "common": 0.2},
    **{"spare": 2, "knows": "chef"},
}


def generator_of(world: str) -> Generator:
    """What drafts kitchens for a world."""
    found: Generator = packs.part(world, packs.pack(world).generator)
    return found


def drafted(world: str, seed: int, **parameters: Any) -> Draft:
    """A draft of these parameters; of another seed where the first has no place for everything."""
    for number in range(seed, seed + 1000, 100):
        try:
            return generator_of(world).draft({**USUAL, **parameters}, {}, Draw(number, Random(number)))
        except Rejected:
            continue
    raise AssertionError("every draft is rejected")


def scenario_file(draft: Draft) -> dict[str, Any]:
    """The draft's fields, its symbols in letters: ``v1`` is called ``vb``, and what it has made ``vb``."""
    letters = re.sub(
        r"<([a-z]+)(\d*)(\.past)?>",
        lambda found: found[1] + "".join(chr(ord("a") + int(digit)) for digit in found[2]),
        json.dumps(draft.fields),
    )
    found: dict[str, Any] = json.loads(letters)
    return found


def world_of_draft(world: str, draft: Draft, **fields: Any) -> Any:
    """The world of a draft, with further fields."""
    catalogue = registry.catalogue(world)
    raw = {"world": world, "id": "new", **scenario_file(draft), **fields}
    path, scenario = catalogue.read(raw, "new.json")
    return catalogue.build(f"{world}/user/{path}", scenario, "standard", "article")
