"""What a benchmark tells beside its times."""

from __future__ import annotations

from typing import Any


def rate(benchmark: Any, what: str, count: int) -> None:
    """Note so many things a second, where benchmarks are on."""
    if benchmark.stats is not None:
        benchmark.extra_info[what] = round(count / benchmark.stats.stats.min)
