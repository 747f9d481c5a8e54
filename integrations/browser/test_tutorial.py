"""Forty seconds that teach a kitchen: it is offered, taken by clicks and keys, and not offered again."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect
from served import PATIENCE_SECONDS, Photograph, Site, Somebody

GREEDY = {"kind": "agent", "name": "greedy"}
PLACES = (
    "storage0-potato",
    "chopboard0",
    "chopboard0",
    "chopboard0",
    "fryer0",
    "fryer0",
    "fryer0",
    "servingtable0",
)
OFFER = "Learn it in 40 seconds"


def test_a_tutorial_is_taken_and_remembered(site: Site, sitting: Any, pictures: Photograph) -> None:
    ann: Somebody = sitting(site, "", "")
    page = ann.page
    page.get_by_text("The clocked kitchen").first.click()
    page.get_by_role("button", name=OFFER).click()
    ann.is_ready()
    tutorial = page.locator(".tutorial")
    expect(page.locator(".get-ready")).to_have_count(0)
    for number, place in enumerate(PLACES, 1):
        expect(tutorial.locator("h2")).to_have_text(
            f"{number} of {len(PLACES)}", timeout=PATIENCE_SECONDS * 1000
        )
        expect(page.locator(f"[data-key='place {place}'].asked")).to_have_count(1)
        if number in (1, 6):
            pictures(page, f"tutorial-{number}.png")
        if number == 3:
            page.keyboard.press("e")  # it stands before the board
        else:
            page.locator(f"svg.scene [data-key='place {place}']").click()
    expect(tutorial.locator("h2")).to_have_text("That is all there is to it")
    expect(page.locator("[data-key].asked")).to_have_count(0)
    pictures(page, "tutorial-end.png")
    tutorial.get_by_role("button", name="To the game").click()
    expect(page.get_by_role("heading", name="A new game")).to_be_visible()
    opened = site.opens(
        "clocked_kitchen/level_0@asks=always", {"agent0": {"kind": "person"}, "agent1": GREEDY}
    )
    page.goto(f"{site.address}/play#{opened['seats']['agent0']}")
    expect(page.get_by_role("button", name="Ready", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name=OFFER)).to_have_count(0)
    bob: Somebody = sitting(site, opened["seats"]["agent0"])
    expect(bob.page.get_by_role("button", name=OFFER)).to_be_visible()
    pictures(bob.page, "offer.png")
    bob.page.get_by_role("button", name="I know it").click()
    expect(bob.page.get_by_role("button", name=OFFER)).to_have_count(0)
