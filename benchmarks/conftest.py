"""After the benchmarks: our rates beside those that were recorded of the released programs.

``released.json`` holds the recorded ones. They are of another day and another machine's load, so a ratio of
the two says little; beside it stands how many times their rate ours was when both ran in one run, and how
many times as fast this package has become since.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

RECORDED = json.loads(Path(__file__).with_name("released.json").read_text())
TOLD = pytest.StashKey[list[str]]()
LINES = pytest.StashKey[list[str]]()


def recorded(world: str, test: str, params: dict[str, Any]) -> dict[str, Any] | None:
    """What is recorded of the released program for a benchmark with these parameters."""
    for rate in RECORDED["rates"]:
        asked = (rate["world"], rate["test"]) == (world, test)
        if asked and rate["of"].items() <= params.items():
            return dict(rate)
    return None


def beside(world: str, params: dict[str, Any], ours: float, rate: dict[str, Any]) -> str:
    """One line of the table."""
    least, most = rate["released"][0], rate["released"][-1]
    theirs = f"{least:,} to {most:,}" if least != most else f"{most:,}"
    case = f"{world}, {', '.join(map(str, params.values()))}"
    return f"{case:45}{ours:>12,.0f}{theirs:>14}{rate['then']:>14}{rate.get('since', ''):>8}"


@pytest.fixture(autouse=True)
def told_beside_the_released_program(request: pytest.FixtureRequest) -> Any:
    """Note the first rate that a benchmark has left in ``extra_info``."""
    yield
    benchmark = request.node.funcargs.get("benchmark")
    rates = [rate for name, rate in getattr(benchmark, "extra_info", {}).items() if "per second" in name]
    params = request.node.callspec.params if hasattr(request.node, "callspec") else {}
    world = request.node.path.stem.removeprefix("test_")
    rate = recorded(world, request.node.originalname, params)
    if rates and rate is not None:
        request.config.stash.setdefault(TOLD, []).append(beside(world, params, rates[0], rate))


@pytest.fixture
def told(request: pytest.FixtureRequest) -> list[str]:
    """Lines that are printed after all benchmarks, in a section of their own."""
    return request.config.stash.setdefault(LINES, [])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """The table, where any of these benchmarks has run."""
    if further := config.stash.get(LINES, []):
        terminalreporter.section("compared in one run")
        for line in further:
            terminalreporter.write_line(line)
    lines = config.stash.get(TOLD, [])
    if not lines:
        return
    terminalreporter.section("per second, beside the released programs")
    head = f"{'':45}{'ours, now':>12}{'theirs, then':>14}{'times, then':>14}{'since':>8}"
    for line in (head, *lines, "", RECORDED["source"]):
        terminalreporter.write_line(line)
