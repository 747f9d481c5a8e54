"""Two thousand episodes: the page is to open in two seconds. What it takes is printed."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

EPISODES, SECONDS = 2000, 2.0

BOUND = 10.0
"""Seconds that no machine needs but one that is busy with other things."""


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory, command: Any) -> Path:
    """Short episodes of TimeArena: twenty scenarios, two agents, fifty seeds."""
    folder = tmp_path_factory.mktemp("many") / "runs"
    suites = [f"timearena/{kind}{number}" for kind in ("household", "lab") for number in range(1, 11)]
    agents = ("--agent", "random", "--agent", "first-legal")
    command("run", *suites, *agents, "--seeds", "50", "--out", folder)
    return folder


def test_two_thousand_episodes_open_in_two_seconds(
    opening: Any, command: Any, many: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    began = time.monotonic()
    command("report", many)
    wrote = time.monotonic() - began
    began = time.monotonic()
    page = opening(many / "report.html").page
    expect(page.locator("#agents th button").first).to_be_visible()
    opened = time.monotonic() - began
    began = time.monotonic()
    page.goto((many / "report.html").as_uri() + "#episodes")
    expect(page.locator("#found")).to_contain_text(f"{EPISODES:,} of {EPISODES:,} episodes")
    listed = time.monotonic() - began
    began = time.monotonic()
    page.locator("#list thead th").last.get_by_role("button").click()
    expect(page.locator("#list thead th").last).to_have_attribute("aria-sort", "descending")
    ordered = time.monotonic() - began
    size = (many / "report.html").stat().st_size / 1e6
    with capsys.disabled():
        print(
            f"\n{EPISODES} episodes: written in {wrote:.0f} s; a page of {size:.1f} MB opened in "
            f"{opened:.2f} s ({SECONDS:g} wanted), all listed in {listed:.2f} s, sorted in {ordered:.2f} s"
        )
    assert max(opened, listed, ordered) < BOUND
