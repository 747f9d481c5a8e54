"""An episode's page in a real browser, from a disk: it plays, tells what was sent, shows a plan beside."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from served import Photograph

from backburner.drawing import palette
from backburner.drawing.palette import dark

WORLDS = {
    "timearena": ("timearena/cooking1+cooking2", "react", True),
    "robotouille": ("robotouille/synchronous/1@seed=42", "act", True),
    "recipe2plan": ("recipe2plan/Cobbler+Okra-Fry", "plan-and-solve", True),
    "collab_overcooked": ("collab_overcooked/baked_bell_pepper", "cook", True),
    "cuisineworld": ("cuisineworld/level_0@tau=1.5", "dispatcher", False),
    "minecraft": ("minecraft/level_2", "dispatcher", False),
}
"""A scenario, a method, and whether a plan is shipped or found in a few seconds."""


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory, command: Callable[..., str]) -> Mapping[str, Path]:
    """A page for each world, of what a stand-in has played."""
    folder = tmp_path_factory.mktemp("transcripts")
    found = {}
    for world, (scenario, method, planned) in WORLDS.items():
        runs = folder / world
        command("run", scenario, "--agent", method, "--model", "stand-in:skill=0.7", "--out", runs)
        (record,) = runs.rglob("*.jsonl")
        found[world] = folder / f"{world}.html"
        command("replay", record, "--html", found[world], "--oracle-seconds", 20 if planned else 0)
    return found


def time_shown(page: Any) -> float:
    told = page.locator("#told").inner_text()
    return float(told.partition(" · ")[2].split()[0])


@pytest.mark.parametrize("world", WORLDS)
def test_an_episode_is_stepped_through_and_played(
    opening: Any, pages: Mapping[str, Path], world: str
) -> None:
    page = opening(pages[world]).page
    expect(page.locator("#told")).to_contain_text("before the first step")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".step.current")).to_have_attribute("id", "step-0")
    page.keyboard.press("End")
    last = page.locator(".step").last
    expect(last).to_have_class(re.compile("current"))
    end = time_shown(page)
    page.keyboard.press("Home")
    page.select_option("#speed", "10")
    page.get_by_role("button", name="play").click()
    expect(page.get_by_role("button", name="pause")).to_be_visible()
    expect(page.locator("#slider")).not_to_have_value("0")
    assert 0 <= time_shown(page) <= end


@pytest.mark.parametrize("world", WORLDS)
def test_what_was_sent_is_there_when_it_is_opened(
    opening: Any, pages: Mapping[str, Path], world: str
) -> None:
    page = opening(pages[world]).page
    sent = page.locator("#step-0 details.sent").first
    expect(sent.locator(".message")).to_have_count(0)
    sent.locator("summary").first.click()
    expect(sent.locator(".call").first).to_contain_text("call 1 of")
    assert len(sent.locator(".message").first.inner_text()) > 100


@pytest.mark.parametrize("world", [world for world, (_, _, planned) in WORLDS.items() if planned])
def test_a_plan_stands_beside_it(opening: Any, pages: Mapping[str, Path], world: str) -> None:
    page = opening(pages[world]).page
    expect(page.locator("svg.timeline:not(.behind)")).to_have_count(2)
    mine, planned = (
        page.locator("svg.timeline:not(.behind) .axis").nth(at).get_attribute("data-scale") for at in (0, 1)
    )
    assert mine == planned
    expect(page.locator(".step .plan li").first).to_be_visible()


def test_a_link_to_a_step_shows_that_step(opening: Any, pages: Mapping[str, Path]) -> None:
    page = opening(pages["timearena"]).page
    page.goto(f"{pages['timearena'].as_uri()}#step-3")
    expect(page.locator("#step-3")).to_be_in_viewport()
    expect(page.locator("#step-3")).to_have_class(re.compile("current"))
    page.locator("svg.timeline").first.click(position={"x": 400, "y": 60})
    assert time_shown(page) > 0


def test_the_scene_moves_with_the_steps(opening: Any, pages: Mapping[str, Path]) -> None:
    page = opening(pages["robotouille"]).page
    robot = page.locator("svg.scene .actor", has_text="robot1").last
    before = robot.evaluate("group => group.style.transform")
    page.keyboard.press("End")
    assert robot.evaluate("group => group.style.transform") != before


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 800, 1366])
@pytest.mark.parametrize("world", WORLDS)
def test_nothing_is_wider_than_the_screen(
    opening: Any, pages: Mapping[str, Path], pictures: Photograph, world: str, width: int, scheme: str
) -> None:
    page = opening(pages[world], width=width, scheme=scheme).page
    expect(page.locator("#controls")).to_be_visible()
    page.locator("details").evaluate_all("all => all.forEach((each) => (each.open = true))")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(23, 27, 33)")
    pictures(page, f"transcript-{world}-{width}-{scheme}.png", full_page=True)


LIVE = Path(__file__).parents[2] / "examples" / "live" / "level_2.html"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1366])
def test_what_was_played_on_a_server_plays_over_its_ground(
    opening: Any, pictures: Photograph, width: int, scheme: str
) -> None:
    page = opening(LIVE, width=width, scheme=scheme).page
    expect(page.locator("svg.scene .terrain")).to_have_count(1)
    expect(page.locator("svg.scene .strip")).to_contain_text("flying-squid")
    alex = page.locator("svg.scene .actor", has=page.locator(".map-body", has_text="alex"))
    before = alex.evaluate("group => group.style.transform")
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    assert alex.evaluate("group => group.style.transform") != before
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    grass = page.locator("svg.scene .block", has=page.locator("title", has_text="grass_block"))
    assert grass.evaluate("path => getComputedStyle(path).fill") == (
        "rgb(188, 216, 148)" if scheme == "light" else grass_in_the_dark()
    )
    page.locator("#stage").scroll_into_view_if_needed()
    pictures(page, f"live-{width}-{scheme}.png")


def grass_in_the_dark() -> str:
    shade = dark(palette.block("grass_block"))
    return f"rgb({', '.join(str(int(shade[at : at + 2], 16)) for at in (1, 3, 5))})"


def test_a_reports_episodes_lead_to_each_other_and_back(opening: Any, folder: Path) -> None:
    page = opening(folder / "report-files" / "episodes" / "0002.html").page
    page.get_by_role("link", name="next episode").click()
    expect(page).to_have_url(re.compile("0003.html"))
    expect(page.locator("#controls")).to_be_visible()
    page.get_by_role("link", name="former episode").click()
    expect(page).to_have_url(re.compile("0002.html"))
    page.get_by_role("link", name="report").click()
    expect(page).to_have_url(re.compile("report.html#episodes"))


def test_a_strangers_words_stay_words(opening: Any, folder: Path, script: str) -> None:
    episodes = sorted((folder / "report-files" / "episodes").glob("*.html"))
    odd = [file for file in episodes if "broken into" in file.read_text()]
    assert odd
    page = opening(odd[0]).page
    expect(page.locator("#steps")).to_contain_text(script)
    page.locator("details").evaluate_all("all => all.forEach((each) => (each.open = true))")
