"""How fast new scenarios come: drafts per second of TimeArena, their forms and shapes, and whole attempts.

An attempt drafts, names, proves the best, lets scripts play, and measures. The rates stand in ``extra_info``.
"""

from __future__ import annotations

from typing import Any

import pytest

from backburner.generation.attempt import Asked, attempt, world_of
from backburner.generation.canonical import form, shape
from backburner.generation.names import THEMES, named, unnamed
from backburner.generation.steer import Cell, drawn, stream
from backburner.kernel.generating import Draft, Draw, Structure, generator_of

WORLD = "timearena"

GENERATOR = generator_of(WORLD)

by_length = pytest.mark.parametrize("length", [10, 20, 40])


def parameters(length: int, number: int) -> dict[str, Any]:
    """Those of an attempt of which nothing is asked but a length."""
    draw = stream(0, "parameters", 0, number)
    return drawn(GENERATOR.parameters, {"activities": length}, (), draw)


def draft(length: int, number: int) -> Draft:
    return GENERATOR.draft(parameters(length, number), {}, Draw(number, stream(0, "draft", 0, number)))


def structures(length: int, many: int) -> list[Structure]:
    drafts = [unnamed(draft(length, number)) for number in range(many)]
    return [GENERATOR.structure(world_of(WORLD, "draft", fields)) for fields in drafts]


@by_length
def test_drafts(benchmark: Any, length: int) -> None:
    """Parameters are drawn, and a scenario of them."""
    benchmark(lambda: [draft(length, number) for number in range(20)])
    note_rate(benchmark, 20, "drafts per second")


@by_length
def test_naming(benchmark: Any, length: int) -> None:
    """Each draft is told in every theme."""
    drafts = [draft(length, number) for number in range(10)]
    naming = GENERATOR.naming
    benchmark(lambda: [named(each, theme, naming, stream(0, "names")) for each in drafts for theme in THEMES])
    note_rate(benchmark, len(drafts) * len(THEMES), "namings per second")


@by_length
def test_forms(benchmark: Any, length: int) -> None:
    found = structures(length, 20)
    assert len({form(each) for each in found}) == 20
    benchmark(lambda: [form(each) for each in found])
    note_rate(benchmark, len(found), "forms per second")


@by_length
def test_shapes(benchmark: Any, length: int) -> None:
    """What the split of a draft is told by."""
    found = structures(length, 20)
    benchmark(lambda: [shape(each) for each in found])
    note_rate(benchmark, len(found), "shapes per second")


@by_length
def test_attempts(benchmark: Any, length: int) -> None:
    """Drafted, named, proven, played by all scripts, measured; nothing is asked for, so that all are kept."""
    cells = (Cell(),)
    asked = Asked(WORLD, 0, {}, cells, {}, "open", "plausible", False, 5.0, None, True)
    pieces = [parameters(length, number) for number in range(3)]

    def attempt_all() -> None:
        for number, piece in enumerate(pieces):
            assert attempt(asked, 0, number, piece).attempt.fits

    benchmark.pedantic(attempt_all, rounds=5)
    note_rate(benchmark, len(pieces), "attempts per second")


def note_rate(benchmark: Any, count: int, unit: str) -> None:
    """Where benchmarks are switched off there is no time to divide by."""
    if benchmark.stats is not None:
        benchmark.extra_info[unit] = round(count / benchmark.stats.stats.min, 1)
