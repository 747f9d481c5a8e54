"""A kitchen by the clock on the wall: arrow keys, held and pressed, and a model that walks beside people."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect
from served import Photograph, Site, Somebody, until

from backburner.kernel.claims import verify
from backburner.kernel.episode import episode_in


def place_of(somebody: Somebody, body: str) -> tuple[float, float]:
    """Where somebody stands in the newest picture."""
    bodies = somebody.messages("frame")[-1]["scene"]["bodies"]
    x, y = next(each["at"] for each in bodies if each["name"] == body)
    return x, y


def walks(somebody: Somebody, body: str, key: str) -> bool:
    """Hold a key for a while; whether the body is elsewhere then."""
    before = place_of(somebody, body)
    somebody.page.keyboard.down(key)
    somebody.page.wait_for_timeout(700)
    somebody.page.keyboard.up(key)
    somebody.page.wait_for_timeout(200)
    return place_of(somebody, body) != before


def test_two_people_walk_with_arrow_keys_beside_a_model(
    site: Site, sitting: Any, pictures: Photograph
) -> None:
    players = {
        "agent0": {"kind": "person", "name": "Ann"},
        "agent1": {"kind": "person", "name": "Bob"},
        "agent2": {"kind": "model", "name": "act", "model": site.model},
    }
    opened = site.opens("clocked_kitchen/level_0@asks=always,bodies=3,seconds=20,tau=1.5", players)
    people = {seat: sitting(site, opened["seats"][seat]) for seat in ("agent0", "agent1")}
    for somebody in people.values():
        somebody.is_ready()
    for seat, somebody in people.items():
        until(lambda s=somebody: len(s.messages("frame")) > 1, somebody.page, "the clock")  # type: ignore[misc]
        somebody.page.locator("header.top").click()
        went = [walks(somebody, seat, key) for key in ("ArrowUp", "ArrowLeft", "ArrowRight", "ArrowDown")]
        assert sum(went) >= 2, (seat, went)
    ann = people["agent0"]
    ann.page.keyboard.press("Space")
    pictures(ann.page, "live.png")
    until(lambda: all(somebody.is_over for somebody in people.values()), ann.page, "the end", 40)
    expect(ann.page.get_by_text("It is over").first).to_be_visible()
    frames = ann.messages("frame")
    times = [frame["time"] for frame in frames]
    assert times == sorted(times) and times[-1] == 20
    episode = episode_in(site.record(opened["seats"]["agent0"]), "the game")
    assert verify(episode).finished
    walked = {each["name"]: set() for each in frames[0]["scene"]["bodies"]}
    for frame in frames:
        for each in frame["scene"]["bodies"]:
            walked[each["name"]].add(tuple(each["at"]))
    assert all(len(cells) > 1 for cells in walked.values()), "everybody has walked, the model too"
