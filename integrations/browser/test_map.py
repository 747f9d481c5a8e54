"""A wide scene is a map: its marks have names that can be read, and are clicked to play."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect
from served import PATIENCE_SECONDS, Site, Somebody, until

FARM = "minecraft/level_2"


def mark(somebody: Somebody, key: str) -> Locator:
    return somebody.page.locator(f'svg.scene [data-key="{key}"]')


def chooses(somebody: Somebody, key: str, words: str) -> None:
    """Click a mark, or its card, and one of the moves that are offered there."""
    mark(somebody, key).click()
    somebody.page.get_by_role("dialog").get_by_role("button", name=words).first.click()


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (360, "dark")])
def test_a_farm_is_played_by_clicks_on_its_map(
    site: Site, sitting: Any, pictures: Any, width: int, scheme: str
) -> None:
    opened = site.opens(FARM, {"dispatcher": {"kind": "person"}})
    somebody = sitting(site, opened["seats"]["dispatcher"], width=width, scheme=scheme)
    page = somebody.page
    until(lambda: somebody.asked_to_move, page, "the first turn")

    scene = somebody.messages("frame")[-1]["scene"]
    names = [each["name"] for each in (*scene["places"], *scene["bodies"])]
    shown = page.locator("svg.scene .map-name")
    assert sorted(shown.all_text_contents()) == sorted(names)
    boxes = shown.evaluate_all("names => names.map(n => n.getBoundingClientRect())")
    assert all(box["left"] >= 0 and box["right"] <= width and box["height"] >= 10 for box in boxes)
    targets = "marks => Math.min(...marks.map(m => m.getBoundingClientRect().width))"
    assert page.locator("svg.scene .hit").evaluate_all(targets) >= 24
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    expect(page.get_by_role("button", name="3D")).to_have_count(0)

    prey = next(
        option["things"][0]
        for option in somebody.messages("turn")[-1]["options"]
        if option["label"] == "killMob(alex, chicken)"
    )
    chooses(somebody, f"place {prey}", f"hunt {prey}")
    chooses(somebody, "place chest", "steve: go to chest")
    page.get_by_role("button", name="Send").click()
    until(lambda: len(somebody.messages("turn")) > 1, page, "the second turn")

    card = page.locator(".map-card", has_text="alex")
    expect(card).to_contain_text("chicken stack", timeout=PATIENCE_SECONDS * 1000)
    expect(card).to_have_accessible_name(mark(somebody, "body alex").locator("title").text_content() or "")
    expect(mark(somebody, "body alex")).to_have_accessible_name(re.compile("alex, you: holds"))
    card.click()
    expect(page.get_by_role("dialog")).to_contain_text("alex, you: holds")
    page.keyboard.press("Escape")
    mark(somebody, "place chest").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="About chest")).to_be_visible()
    pictures(page, f"map-{width}-{scheme}.png", full_page=True)
