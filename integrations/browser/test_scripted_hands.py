"""Hands at a game with a clock: they aim at what they see, and press half a second later.

A hand that aims at a move hits that move or nothing, however the kitchen changes meanwhile, and however slow
the line is. ``pytest -s`` prints what was counted.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import expect
from served import Photograph, Site, Somebody, until

from backburner.kernel.claims import verify
from backburner.kernel.episode import Episode, episode_in

PERSON = {"kind": "person", "name": "Ann"}
GREEDY = {"kind": "agent", "name": "greedy"}
KITCHEN = "clocked_kitchen/level_3@asks=always,bodies=3,tau=1.5"

AIMED_MS = 450
CLICKS = 28

SLOW_LINE = """
(() => {
  const Plain = WebSocket, half = HALF;
  window.WebSocket = class extends Plain {
    send(data) { setTimeout(() => this.readyState === 1 && super.send(data), half); }
    addEventListener(kind, hear, ...more) {
      const later = kind === "message" ? (event) => setTimeout(() => hear(event), half) : hear;
      super.addEventListener(kind, later, ...more);
    }
    set onmessage(hear) { this.addEventListener("message", hear); }
  };
})();
"""

SEEN = """() => [...document.querySelectorAll('.moves .option')].map((button) => {
  const box = button.getBoundingClientRect(), [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const hit = document.elementFromPoint(x, y);
  return {label: button.title, number: button.querySelector('kbd').textContent, x, y, height: box.height,
    grey: button.ariaDisabled === 'true', shown: hit !== null && button.contains(hit)};
})"""

LISTEN = """() => {
  window.hits = [];
  document.addEventListener('click', (event) => {
    const button = event.target.closest?.('.moves .option');
    window.hits.push(button ? button.title : '');
  }, true);
}"""


def seated(site: Site, sitting: Any, slow_ms: int, **looks: Any) -> tuple[Somebody, str]:
    """Ann beside two greedy agents, over a line that takes so long there and back."""
    opened = site.opens(KITCHEN, {"agent0": PERSON, "agent1": GREEDY, "agent2": GREEDY})
    ann: Somebody = sitting(site, "", "", **looks)
    ann.page.add_init_script(SLOW_LINE.replace("HALF", str(slow_ms // 2)))
    ann.page.goto(f"{site.address}/play#{opened['seats']['agent0']}")
    expect(ann.page.locator(".moves .option[aria-disabled=true]").first).to_be_visible()
    ann.is_ready()
    until(lambda: len(ann.messages("turn")) > 0, ann.page, "the clock")
    expect(ann.page.locator(".moves .option[aria-disabled=false]").first).to_be_visible()
    return ann, opened["host"]


def commands(episode: Episode, seat: str) -> list[str]:
    """What the seat has commanded, in its order."""
    said = (entry.answers[seat].decision or {} for entry in episode.entries if seat in entry.answers)
    return [command for decision in said for command in decision.get("commands", ())]


@pytest.mark.parametrize(("slow_ms", "width"), [(0, 1400), (400, 1400), (0, 390)])
def test_a_click_half_a_second_late_is_the_move_that_was_aimed_at(
    site: Site, sitting: Any, slow_ms: int, width: int
) -> None:
    ann, host = seated(site, sitting, slow_ms, width=width)
    ann.page.locator(".moves .option").nth(4).scroll_into_view_if_needed()
    page, draw = ann.page, random.Random(f"hands {slow_ms}")
    page.evaluate(LISTEN)
    first = {move["label"]: move for move in page.evaluate(SEEN)}
    aims: list[str] = []  # what hides behind the pad of a phone is not aimed at
    moved = changed = 0
    for _ in range(CLICKS):
        seen = page.evaluate(SEEN)
        able = [move for move in seen if move["shown"] and not move["grey"] and move["label"] != "keep"]
        aim = draw.choice(able)
        page.wait_for_timeout(AIMED_MS)
        page.mouse.click(aim["x"], aim["y"])
        aims.append(aim["label"])
        for move in page.evaluate(SEEN):
            before = first[move["label"]]
            moved += (move["number"], move["x"], move["y"]) != (before["number"], before["x"], before["y"])
            changed += move["grey"] != before["grey"]
        first = {move["label"]: move for move in page.evaluate(SEEN)}
    hits = page.evaluate("window.hits")
    page.wait_for_timeout(slow_ms + 300)
    answers = [told["status"] for told in ann.messages("told")]
    episode = episode_in(site.record(host), "the game")
    done = commands(episode, "agent0")
    wrong = sum(hit != aim for hit, aim in zip(hits, aims, strict=True))
    stray = [command for command in done if command not in aims]
    print(
        f"\n{slow_ms} ms, {width} wide: {CLICKS} clicks, {wrong} on another move or none, "
        f"{answers.count('accepted')} taken, {answers.count('explained')} no longer possible, "
        f"{len(stray)} taken as another; {moved} moves of a button while {changed} changed colour"
    )
    assert len(hits) == CLICKS and wrong == 0 and not stray and moved == 0
    assert changed > 0, "the kitchen has changed meanwhile"
    assert len(answers) == CLICKS and set(answers) <= {"accepted", "explained"}
    assert answers.count("accepted") == len(done) > CLICKS // 3
    assert verify(episode).steps


def test_a_click_at_a_place_does_the_one_sensible_thing_and_a_menu_stays(
    site: Site, sitting: Any, pictures: Photograph
) -> None:
    ann, host = seated(site, sitting, 0)
    page = ann.page
    thing = page.locator("svg.scene [data-key='place storage0-rice']")
    thing.click()  # to take it is all that can be done there
    until(lambda: bool(ann.messages("frame")[-1]["scene"]["bodies"][0].get("holding")), page, "rice in hand")
    menu = page.locator(".menu")
    expect(menu).to_have_count(0)
    thing.click(button="right")
    expect(menu).to_be_visible()
    lines = menu.locator("button").all_text_contents()
    turns = len(ann.messages("turn"))
    pictures(page, "live-menu.png")
    until(lambda: len(ann.messages("turn")) > turns + 3, page, "other turns")
    assert menu.locator("button").all_text_contents() == lines and len(lines) == 3
    grey = menu.locator("button[aria-disabled=true]").first
    grey.click(force=True)
    expect(page.locator(".news.kept.explained")).to_contain_text("Not possible now")
    expect(menu).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    assert commands(episode_in(site.record(host), "the game"), "agent0") == ["get_agent0_rice_storage0"]


def test_two_people_look_around_and_get_ready(site: Site, sitting: Any, pictures: Photograph) -> None:
    opened = site.opens(KITCHEN, {"agent0": PERSON, "agent1": {"kind": "person", "name": "Bob"}})
    ann, bob = (sitting(site, opened["seats"][seat]) for seat in ("agent0", "agent1"))
    panel = bob.page.locator(".get-ready")
    expect(panel).to_contain_text("Not yet: ")
    expect(bob.page.locator("svg.scene [data-key='body agent1']")).to_be_visible()
    pictures(bob.page, "ready.png")
    ann.is_ready()
    expect(panel).to_contain_text("Ready: ")
    bob.page.keyboard.press("Enter")  # the button has the focus
    counting = ann.page.locator(".counting b")
    expect(counting).to_have_text("2")
    pictures(ann.page, "counting.png")
    assert not ann.messages("frame")
    until(lambda: len(ann.messages("frame")) > 3, ann.page, "the clock")
    expect(counting).to_have_count(0)


def test_what_a_finger_touches_is_large_enough(site: Site, sitting: Any, pictures: Photograph) -> None:
    ann, _ = seated(site, sitting, 0, width=390, has_touch=True)
    page = ann.page
    sizes = page.locator(".moves button, .pad button").evaluate_all(
        "all => all.map((b) => b.getBoundingClientRect()).map((b) => Math.min(b.width, b.height))"
    )
    assert min(sizes) >= 44
    before = ann.messages("frame")[-1]["scene"]["bodies"][0]["at"]
    for way in ("walk up", "walk left", "walk right"):
        page.get_by_role("button", name=way).tap()
        page.wait_for_timeout(250)
    pictures(page, "live-phone.png")
    assert any(frame["scene"]["bodies"][0]["at"] != before for frame in ann.messages("frame"))
