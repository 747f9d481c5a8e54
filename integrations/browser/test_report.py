"""The report in a real browser, from a disk: what a person sees, and where it leads."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from served import Photograph


def column(page: Page, table: str, at: int) -> list[float]:
    """The exact figures of a table's column, from top to bottom, as far as rows are shown."""
    cells = page.locator(f"{table} tr:visible td:nth-child({at})")
    texts = cells.evaluate_all("cells => cells.map((cell) => cell.dataset.value ?? cell.textContent)")
    return [float(text) for text in texts if re.fullmatch(r"-?[\d.]+(e-?\d+)?", text)]


def unfolded(page: Page, world: str) -> str:
    """A world's table, which is folded if it is long."""
    part = page.locator(f"#{world}-table")
    if part.get_attribute("open") is None:
        part.locator("> summary").click()
    return f"table.main[data-world={world}]"


def test_the_first_screen_says_how_good_where_it_fails_and_what_it_cost(
    opened: Any, figures: list[dict[str, Any]]
) -> None:
    page = opened.page
    expect(page.locator("h1")).to_be_in_viewport()
    agents = page.locator("#agents")
    expect(agents).to_be_in_viewport(ratio=1)
    for world in figures:
        expect(agents.locator("thead")).to_contain_text(str(world["title"]).partition(" (")[0])
    for panel in ("#fails", "#cost", "#mind"):
        expect(page.locator(panel)).to_be_in_viewport()
    expect(page.locator("#mind")).to_contain_text("stand-in:skill=0.7 is no model")
    expect(agents.locator("tr", has_text="act(stand-in")).to_contain_text("stand-in, no model")
    expect(page.locator("nav")).to_contain_text("Ranking")


def test_a_table_is_sorted_by_a_column_both_ways_and_by_key(opened: Any) -> None:
    page = opened.page
    table = unfolded(page, "cuisineworld")
    head = page.locator(f"{table} thead th").nth(3)
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    groups = page.locator(f"{table} tbody").count()
    for group in range(1, groups + 1):
        shown = column(page, f"{table} > tbody:nth-of-type({group})", 4)
        assert shown == sorted(shown, reverse=True) and len(shown) > 1
    head.get_by_role("button").press("Enter")
    expect(head).to_have_attribute("aria-sort", "ascending")
    shown = column(page, f"{table} > tbody:nth-of-type(1)", 4)
    assert shown == sorted(shown)


def test_rows_are_narrowed_down_by_words_and_the_articles_rows_hidden(opened: Any) -> None:
    page = opened.page
    table = page.locator(unfolded(page, "timearena"))
    rows = table.locator("tbody tr:not(.group):visible")
    every = rows.count()
    words = page.get_by_role("searchbox", name=re.compile("TimeArena.*all metrics"))
    words.fill("greedy cooking")
    expect(rows).not_to_have_count(every)
    assert all("greedy" in text for text in rows.all_text_contents())
    words.fill("")
    page.locator("#timearena").get_by_label("the article's rows").uncheck()
    assert not [text for text in rows.all_text_contents() if "GPT-4" in text]


def test_a_figure_leads_to_its_episodes_these_to_transcripts_and_replays(
    opened: Any, figures: list[dict[str, Any]]
) -> None:
    page = opened.page
    world = next(world for world in figures if world["world"] == "timearena")
    row = next(row for row in world["rows"] if row["agent"] == "greedy")
    unfolded(page, "timearena")
    cells = page.locator(f"tr[data-agent=greedy][data-group='{row['group']}'] td[data-metric=CT] a")
    cells.first.click()
    expect(page.locator("#episodes")).to_be_in_viewport()
    lines = page.locator("#list tbody tr")
    expect(lines).to_have_count(row["episodes"])
    expect(page.locator("#found")).to_contain_text(f"{row['episodes']} of")
    expect(page.locator("#narrow select[name=agent]")).to_have_value("greedy")
    scenario = lines.first.locator("th a")
    name = scenario.text_content() or ""
    scenario.click()
    expect(page.locator(".summary .who")).to_contain_text(name)
    expect(page.locator("#step-0")).to_be_visible()
    page.go_back()
    expect(lines).to_have_count(row["episodes"])
    lines.first.get_by_role("link", name="play").click()
    expect(page.locator("#play")).to_have_text("pause")  # it plays
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_text("play")
    page.get_by_role("link", name="report").click()
    expect(page.locator("h1")).to_contain_text("runs")


def test_the_list_is_narrowed_down_and_kept_in_the_address(opened: Any) -> None:
    page = opened.page
    page.get_by_role("link", name=re.compile(r"^\d+ episodes$")).click()
    lines = page.locator("#list tbody tr")
    expect(lines).to_have_count(100)
    page.get_by_role("button", name=re.compile("show .* more")).click()
    expect(lines).not_to_have_count(100)
    page.locator("#narrow select[name=fault]").select_option("any")
    expect(page).to_have_url(re.compile("fault=any"))
    few = lines.count()
    refused = page.locator("#list thead th", has_text="refused")
    at = 1 + page.locator("#list thead th").evaluate_all(
        "heads => heads.findIndex((head) => head.textContent.includes('refused'))"
    )
    refused.get_by_role("button").click()
    shown = column(page, "#list", at)
    assert shown == sorted(shown, reverse=True) and shown[-1] >= 1
    page.reload()
    expect(lines).to_have_count(few)
    page.locator("#narrow").get_by_role("button", name="all episodes").click()
    expect(page).not_to_have_url(re.compile("fault=any"))
    page.locator("h2#episodes-title").click()
    page.keyboard.press("/")
    expect(page.locator("#narrow input[name=q]")).to_be_focused()
    page.keyboard.type("household greedy")
    assert all("household" in text and "greedy" in text for text in lines.all_text_contents())


def test_names_and_words_of_strangers_stay_words(opened: Any, script: str) -> None:
    page = opened.page
    expect(page.locator("#agents tbody th", has_text=script)).to_have_count(1)
    page.locator("#agents tbody th a", has_text=script).click()
    lines = page.locator("#list tbody tr")
    expect(lines).to_have_count(1)
    expect(lines).to_contain_text(script)
    lines.locator("th a").click()
    expect(page.locator("#step-0")).to_contain_text("<script>")
    assert page.locator("img").count() == 0


def test_pictures_are_loaded_when_they_are_looked_at(opened: Any) -> None:
    page = opened.page
    part = page.locator("#timearena-progress")
    assert not [url for url in opened.asked if "progress" in url]
    part.locator("summary").click()
    expect(part.locator("svg[role=img]").first).to_be_visible()
    assert [url for url in opened.asked if url.endswith("progress-timearena.js")]
    described = part.locator("svg[role=img]")
    assert described.count() == part.locator("svg[role=img] > title").count() > 10


def test_all_is_reached_by_key_and_opened_by_the_contents(opened: Any) -> None:
    page = opened.page
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the summary")).to_be_focused()
    entry = page.locator("nav").get_by_role("link", name="Waits and loops")
    entry.focus()
    entry.press("Enter")
    part = page.locator("details", has=page.get_by_text("Waits and loops", exact=True)).last
    expect(part).to_have_attribute("open", "")
    expect(part.locator("table")).to_be_in_viewport()


def test_colours_are_the_systems_until_the_reader_chooses(opening: Any, folder: Path) -> None:
    page = opening(folder / "report.html", scheme="dark").page
    background = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(background)
    page.get_by_role("button", name="light colours").click()
    assert page.evaluate(background) == "rgb(255, 255, 255)" != dark
    page.reload()
    assert page.evaluate(background) == "rgb(255, 255, 255)", "the choice is kept"
    fill = "getComputedStyle(document.querySelector('.grid svg rect')).fill"
    page.locator("details.part:has(.grid svg rect)").first.evaluate("part => { part.open = true; }")
    light = page.evaluate(fill)
    page.get_by_role("button", name="dark colours").click()
    assert page.evaluate(fill) != light, "pictures follow"


def test_printing_opens_what_is_folded(opened: Any) -> None:
    page = opened.page
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("main details:not([open]):not([data-file])").count() == 0
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    expect(page.locator("nav")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 800, 1600])
def test_nothing_runs_off_the_screen(
    opening: Any, folder: Path, pictures: Photograph, width: int, scheme: str
) -> None:
    page = opening(folder / "report.html", width, scheme).page
    for number, hash in enumerate(("", "#ranking", "#timearena", "#episodes?world=timearena&by=CT")):
        page.goto((folder / "report.html").as_uri() + hash)
        if "episodes" in hash:
            expect(page.locator("#list tbody tr").first).to_be_visible()
        pictures(page, f"report-{width}-{scheme}-{number}.png")
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    expect(page.locator(".later > p")).to_have_count(0)
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width, f"{wide} pixels on a screen of {width}"
    pictures(page, f"report-{width}-{scheme}-all.png", full_page=width == 1600)
