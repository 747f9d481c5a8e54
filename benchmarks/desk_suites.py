"""Makes the desk's suites: scenarios with their proven plans, as they ship.

    python benchmarks/desk_suites.py            # all of them, or those that are named

A suite is what ``backburner build desk`` keeps with the settings below while none of it is shipped: a build
leaves out whatever was published before.
"""

from __future__ import annotations

import gzip
import sys
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from backburner.generation.attempt import attempt
from backburner.generation.builder import asked_of, builder_of
from backburner.generation.steer import drawn, stream
from backburner.kernel.files import write_whole
from backburner.kernel.generating import generator_of
from backburner.worlds.desk.game.shipped import EACH, SUITES, Suite

DATA = Path(__file__).parent.parent / "src/backburner/worlds/desk/data"

STANDARD = {
    **{"jobs": 40, "strands": 4, "joins": 0.15, "hands": 0.25, "resources": 3, "capacity": 1},
    **{"silent": 0.2, "fails": 0.1, "spread": 0.25, "pauses": 0, "requests": 3, "window": 12},
    **{"lure_notices": 3, "grace": 0.3, "check": 7, "content_depth": 2},
}

SETTINGS: dict[str, dict[str, float]] = {
    "plain": {"jobs": 20, "silent": 0, "fails": 0, "spread": 0, "requests": 2, "lure_notices": 0},
    "standard": {},
    "wide": {"strands": 8, "resources": 4},
    "hidden": {"jobs": 30, "spread": 0.6, "fails": 0.3, "silent": 0.5, "pauses": 0.15},
    "storm": {"requests": 8, "lure_notices": 12, "window": 8},
}

SEEDS = {suite: 101 + place for place, suite in enumerate(SUITES)}
"""Chosen once, before anything was looked at."""


def knobs(suite: str) -> str:
    """What a build of the suite is asked to ``--set``."""
    return "+".join(f"{name}={value:g}" for name, value in {**STANDARD, **SETTINGS[suite]}.items())


def made(suite: str) -> Suite:
    """The first scenarios that are proven and differ in form."""
    options: dict[str, Any] = {
        each.name: each.default for each in builder_of("desk").arguments if each.default is not None
    }
    options |= {"seed": SEEDS[suite], "split": "test", "set": knobs(suite)}
    generator = generator_of("desk")
    asked = asked_of("desk", generator, options)
    forms: set[str] = set()
    scenarios: list[dict[str, Any]] = []
    for number in count():
        parameters = drawn(
            generator.parameters, asked.pinned, (), stream(asked.seed, "parameters", 0, number)
        )
        one = attempt(asked, 0, number, parameters)
        if not one.attempt.fits or one.attempt.form in forms:
            continue
        forms.add(one.attempt.form)
        fields = msgspec.json.decode(one.files[f"{one.attempt.name}.json"])
        scenarios.append({name: value for name, value in fields.items() if name not in ("world", "id")})
        if len(scenarios) == EACH:
            break
    command = f"backburner build desk --seed {SEEDS[suite]} --split test --scenarios {EACH}"
    return Suite(f"{command} --set {knobs(suite)}", tuple(scenarios))


if __name__ == "__main__":
    for suite in sys.argv[1:] or SUITES:
        write_whole(DATA / f"{suite}.json.gz", gzip.compress(msgspec.json.encode(made(suite)), 9, mtime=0))
