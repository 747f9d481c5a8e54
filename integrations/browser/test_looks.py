"""The pages of games in three widths, dark and light: nothing is cut off, everything has a name."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect
from served import Photograph, Site, Somebody, offered, until

GAMES = {
    "cuisineworld": ("cuisineworld/level_3@seats=each,tau=1.5", "agent0"),
    "collab": ("collab_overcooked/baked_bell_pepper", "chef"),
    "robotouille": ("robotouille/asynchronous/3@seed=42", "robot1"),
    "timearena": ("timearena/cooking1+cooking2", "agent"),
    "recipe2plan": ("recipe2plan/Cobbler+Pancakes", "cook"),
}

NAMELESS = """() => [...document.querySelectorAll('button, a, input, select, textarea, [role=button]')]
    .filter(e => e.offsetParent !== null && !(e.innerText || '').trim() && !e.getAttribute('aria-label')
        && !e.labels?.length && !e.getAttribute('title') && !e.getAttribute('aria-labelledby')
        && !e.querySelector(':scope > title')?.textContent.trim())
    .map(e => e.outerHTML.slice(0, 200))"""
"""What somebody who does not see the page would be told nothing of."""


def looks_well(somebody: Somebody, pictures: Photograph, name: str, full: bool = False) -> None:
    page = somebody.page
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it scrolls sideways"
    assert page.evaluate(NAMELESS) == []
    pictures(page, name, full_page=full)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 800, 1400])
def test_a_game_fits_every_screen(
    site: Site, sitting: Any, pictures: Photograph, width: int, scheme: str
) -> None:
    """Each world's game after a few moves; on a telephone the kitchen and a move are on the first screen."""
    for name, (id, seat) in GAMES.items():
        opened = site.opens(id, {seat: {"kind": "person", "name": "Ann"}}, stand_in="greedy")
        ann = sitting(site, opened["seats"][seat], width=width, scheme=scheme)
        for _ in range(3):
            until(lambda a=ann: a.asked_to_move, ann.page, "a move")  # type: ignore[misc]
            turns = len(ann.messages("turn"))
            ann.page.locator(".moves button.option").first.click()
            until(lambda a=ann, t=turns: len(a.messages("turn")) > t, ann.page, "the next")  # type: ignore[misc]
        ann.page.wait_for_timeout(600)
        looks_well(ann, pictures, f"game-{name}-{width}-{scheme}.png", full=True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 800, 1400])
def test_the_lobby_fits_every_screen(
    site: Site, sitting: Any, pictures: Photograph, width: int, scheme: str
) -> None:
    somebody = sitting(site, "", "", width=width, scheme=scheme)
    somebody.page.get_by_role("button", name="Play", exact=True).wait_for()
    looks_well(somebody, pictures, f"lobby-{width}-{scheme}.png", full=True)


def test_the_number_of_a_move_and_the_name_of_a_key_stand_on_one_line(site: Site, sitting: Any) -> None:
    """On a telephone's width: 10 and more, and the space bar."""
    for id, seat in (
        ("recipe2plan/Cobbler+Pancakes", "cook"),
        ("robotouille/asynchronous/3@seed=42", "robot1"),
    ):
        opened = site.opens(id, {seat: {"kind": "person"}})
        ann = sitting(site, opened["seats"][seat], width=360)
        until(lambda a=ann: a.asked_to_move, ann.page, "a move")  # type: ignore[misc]
        ann.page.locator(".moves button.option").first.click()
        until(lambda a=ann: len(a.messages("turn")) > 1 and a.asked_to_move, ann.page, "more")  # type: ignore[misc]
        assert len(offered(ann)) > 9
        heights = ann.page.eval_on_selector_all("kbd", "all => all.map(k => k.offsetHeight)")
        assert heights and max(heights) < 28, heights


@pytest.mark.parametrize("width", [360, 800])
def test_waiting_for_friends_fits_every_screen(
    site: Site, sitting: Any, pictures: Photograph, width: int
) -> None:
    """For somebody who waits, and for the host with all that a host can do."""
    people = {"chef": {"kind": "person"}, "assistant": {"kind": "person"}}
    opened = site.opens("collab_overcooked/baked_bell_pepper", people)
    waits = sitting(site, opened["seats"]["chef"], width=width)
    waits.page.get_by_text("Waiting for assistant").wait_for()
    looks_well(waits, pictures, f"waits-{width}.png")
    host = sitting(site, opened["host"], "host", width=width)
    host.page.get_by_role("button", name="Begin now").wait_for()
    looks_well(host, pictures, f"host-waits-{width}.png")
    host.page.get_by_role("button", name="Host", exact=True).click()
    looks_well(host, pictures, f"host-{width}.png")


def test_what_is_too_small_for_names_has_a_key(site: Site, sitting: Any) -> None:
    """A kitchen of eleven columns on a telephone: who is who, and which sign is which place or thing."""
    opened = site.opens("clocked_kitchen/level_3@asks=always,bodies=2", {"agent0": {"kind": "person"}})
    ann = sitting(site, opened["seats"]["agent0"], width=360)
    key = ann.page.locator("ul.key")
    for words in ("agent0 (you)", "agent1", "chopboard0, chopboard1", "pot0, pot1", "salmon"):
        expect(key.locator("li", has_text=re.compile(f"{re.escape(words)}$"))).to_be_visible()
    ann.page.set_viewport_size({"width": 1400, "height": 900})
    expect(key).to_have_count(0)
