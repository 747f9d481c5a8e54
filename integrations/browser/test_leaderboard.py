"""The leaderboard in a real browser: sorted, followed to a submission, on a telephone, in the dark."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from served import Photograph

WORLD = ("--over", "timearena")


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory, command: Callable[..., str], script: str) -> Path:
    """Two submissions with a place, one of them with a hostile name, one without, and one that is refused."""
    folder = tmp_path_factory.mktemp("leaderboard")
    agents = [part for name in ("random", "first-legal", "greedy") for part in ("--agent", name)]
    command("run", "timearena/all", *agents, "--out", folder / "runs")
    for name in ("random", "first-legal", "greedy"):
        told = ("--agent", name, "--about", f"organisation={script}", *WORLD)
        command("submit", folder / "runs", "--out", folder / "all" / name, *told)
    bad = Path(shutil.copytree(folder / "all" / "random", folder / "all" / "worse"))
    raw = json.loads((bad / "submission.json").read_text())
    raw["figures"]["headline"]["value"] = 99.0
    (bad / "submission.json").write_text(json.dumps(raw))
    line = [
        sys.executable,
        "-m",
        "backburner",
        "leaderboard",
        folder / "all",
        "--out",
        folder / "board",
        *WORLD,
    ]
    assert subprocess.run(line, capture_output=True).returncode == 1, "one was refused"
    return folder / "board" / "index.html"


def agents(page: Page) -> list[str]:
    return [name.strip() for name in page.locator("table.sortable tbody td.name a").all_text_contents()]


def test_it_is_ranked_and_sorted_by_any_column(opening: Any, board: Path) -> None:
    page = opening(board).page
    assert agents(page) == ["first-legal", "random"]
    expect(page.locator("th[aria-sort=descending]")).to_have_text("headline")
    page.get_by_role("button", name="agent").click()
    page.get_by_role("button", name="agent").click()
    assert agents(page) == ["random", "first-legal"]
    expect(page.locator("th[aria-sort=descending]")).to_have_text("agent")
    page.get_by_role("button", name="headline").press("Enter")
    assert agents(page) == ["first-legal", "random"]


def test_a_name_leads_to_what_is_verified_and_claimed(opening: Any, board: Path) -> None:
    page = opening(board).page
    page.locator("table.sortable td.name a", has_text="random").click()
    shown = page.locator("details[open]")
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text("played again: 90 records")
    expect(shown).to_contain_text("claimed")
    expect(page.get_by_text("it knew more than a player may")).to_be_visible()
    expect(page.get_by_text("figures, 'headline': claims 99")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 768, 1366])
def test_it_fits_every_screen_in_both_colour_schemes(
    opening: Any, board: Path, pictures: Photograph, width: int, scheme: str
) -> None:
    page = opening(board, width, scheme).page
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator("table.sortable td.name a").first).to_be_in_viewport()
    dark = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert (dark == "rgb(20, 25, 30)") == (scheme == "dark")
    pictures(page, f"leaderboard-{scheme}-{width}.png", full_page=True)
