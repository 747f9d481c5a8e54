"""What a line of a record costs: written with and without its chain, read strictly, verified in full.

One random episode of each world, without limits, in memory. Microseconds per line stand in ``extra_info``.
"""

from __future__ import annotations

from functools import cache

import pytest

from backburner.agents.scripted import RandomPolicy
from backburner.kernel import packs, registry
from backburner.kernel.claims import verify
from backburner.kernel.episode import Episode, Lines, encode_line, record_in
from backburner.kernel.play import play_now

STEPS = 300

OURS = [name for name, pack in packs.installed().packs.items() if pack.catalogue.startswith("backburner.")]
of_worlds = pytest.mark.parametrize("name", OURS)


@cache
def played(name: str) -> Episode:
    world = registry.world(registry.expand(f"{name}/quick")[0], limits="none")
    return play_now(world, RandomPolicy(), max_steps=STEPS)


def chained(episode: Episode) -> bytes:
    lines = Lines()
    return b"".join(map(lines.line, episode.records()))


def tell(benchmark, content: bytes) -> None:
    """The time in microseconds, and the size in bytes, of a line."""
    lines = content.count(b"\n")
    if benchmark.stats is not None:
        benchmark.extra_info["us_per_line"] = round(benchmark.stats.stats.median / lines * 1e6, 2)
    benchmark.extra_info["bytes_per_line"] = len(content) // lines


@of_worlds
def test_encode(benchmark, name: str) -> None:
    """What was written before lines were chained."""
    episode = played(name)
    tell(benchmark, benchmark(lambda: b"".join(map(encode_line, episode.records()))))


@of_worlds
def test_encode_chained(benchmark, name: str) -> None:
    tell(benchmark, benchmark(chained, played(name)))


@of_worlds
def test_read(benchmark, name: str) -> None:
    content = chained(played(name))
    found = benchmark(record_in, content, "memory")
    assert found.seal is not None and found.episode.entries
    tell(benchmark, content)


@of_worlds
def test_verify(benchmark, name: str) -> None:
    content = chained(played(name))
    episode = record_in(content, "memory").episode
    assert benchmark(verify, episode).steps == len(episode.entries)
    tell(benchmark, content)
