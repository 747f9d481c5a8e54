"""The end of a game: what is told there, and a game that goes on from the moment that cost the most."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect
from served import Photograph, Site

from backburner.kernel.claims import verify
from backburner.kernel.episode import episode_in

TEA = ("activate kettle", "wash teapot", "wash cup", "pour kettle into teapot", "brew tea with teapot")


def test_a_game_is_played_again_from_the_moment_that_cost_the_most(
    site: Site, sitting: Any, pictures: Photograph
) -> None:
    """Two waits too many: 15 minutes, where 13 are enough. From there on nobody waits."""
    opened = site.opens("timearena/household1", {"agent": {"kind": "person"}})
    page = sitting(site, opened["seats"]["agent"]).page

    def play(*lines: str) -> None:
        for line in lines:
            field = page.locator(".moves .search, .moves textarea").first
            expect(field).to_be_enabled()
            field.fill(line)
            field.press("Enter")
            if line != lines[-1]:
                expect(field).to_have_value("")

    play(*TEA, "wait", "wait", "wait", "wait", "pour teapot into cup")
    expect(page.get_by_text("You finished in 15 minutes; 13 were enough")).to_be_visible(timeout=60_000)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    pictures(page, "end.png", full_page=True)
    page.get_by_role("button", name="Play again from here").click()
    expect(page.locator(".question", has_text="Minute 10. Your action?")).to_be_visible()
    play("pour teapot into cup")
    expect(page.get_by_text("You finished in 13 minutes; that is the least possible")).to_be_visible(
        timeout=60_000
    )
    episode = episode_in(site.record(page.url.partition("#")[2]), "the second game")
    assert verify(episode).finished and episode.header.players["agent"].settings["replayed"] == 7
    page.goto(site.address)
    expect(page.get_by_role("heading", name="Today:")).to_be_visible(timeout=60_000)
