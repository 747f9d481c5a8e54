"""What hands do at a page: clicks, keys alone, several bodies; the focus stays; a late look back."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from served import Site, Somebody, until

PERSON = {"kind": "person", "name": "Ann"}
GREEDY = {"kind": "agent", "name": "greedy"}
SANDWICH = "robotouille/synchronous/1@seed=42"


def focused(page: Page) -> str:
    """What has the focus: the thing's name in the kitchen, or else what the element is."""
    return str(
        page.evaluate("(e => (e.dataset && e.dataset.key) || e.id || e.tagName)(document.activeElement)")
    )


def thing(page: Page, name: str) -> Any:
    return page.locator(f"svg.scene [data-key='{name}']")


def at_turn(site: Site, sitting: Any, scenario: str, seat: str, **looks: Any) -> Somebody:
    """A person at a game of their own, once the page asks for the first move."""
    ann: Somebody = sitting(site, site.opens(scenario, {seat: PERSON})["seats"][seat], **looks)
    until(lambda: ann.asked_to_move, ann.page, "the first turn")
    return ann


@pytest.mark.parametrize("width", [360, 1400])
def test_a_place_is_clicked_and_what_can_be_done_there_stands_beside_it(
    site: Site, sitting: Any, width: int
) -> None:
    ann = at_turn(site, sitting, SANDWICH, "robot1", width=width)
    for name in ("place table1", "place board2"):  # at the left edge, and at the right one
        thing(ann.page, name).click()
        menu = ann.page.locator(".menu")
        expect(menu).to_be_visible()
        here, there = menu.bounding_box(), thing(ann.page, name).bounding_box()
        assert here and there
        assert here["x"] >= 0 and here["x"] + here["width"] <= width
        assert here["x"] < there["x"] + there["width"] and there["x"] < here["x"] + here["width"]
        ann.page.keyboard.press("Escape")
        expect(menu).to_have_count(0)
    thing(ann.page, "place board2").click()
    ann.page.locator(".menu button").first.click()
    until(lambda: ann.messages("frame")[-1]["number"] == 1, ann.page, "the step")
    assert ann.messages("frame")[-1]["scene"]["bodies"][0]["place"] == "board2"


def test_keys_alone_are_enough_and_the_focus_is_never_lost(site: Site, sitting: Any) -> None:
    ann = at_turn(site, sitting, SANDWICH, "robot1")
    page = ann.page
    thing(page, "place table4").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")  # the first of what can be done there
    until(lambda: ann.messages("frame")[-1]["number"] == 1 and ann.asked_to_move, page, "the step")
    assert focused(page) == "place table4"
    page.keyboard.press("ArrowLeft")
    assert focused(page) == "place sink1"
    page.keyboard.press("Escape")
    page.keyboard.press("9")
    until(
        lambda: ann.messages("frame")[-1]["number"] == 2 and ann.asked_to_move, page, "a move by its number"
    )
    assert focused(page) == "place sink1"
    page.locator(".moves .option").first.focus()
    page.keyboard.press("Enter")  # the moves of the next turn are others
    until(lambda: ann.messages("frame")[-1]["number"] == 3 and ann.asked_to_move, page, "a move by a button")
    assert focused(page) != "BODY"
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_contain_text("The whole task")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.className") == "search"


def test_a_slip_is_explained_beside_the_moves_and_told_to_who_cannot_see(site: Site, sitting: Any) -> None:
    ann = at_turn(site, sitting, SANDWICH, "robot1")
    ann.types("dance with table4 <b>now</b>")
    expect(ann.page.locator(".news.explained")).to_contain_text("<b>now</b>")
    expect(ann.page.get_by_role("status").filter(has_text="dance")).to_have_count(1)
    assert ann.messages("frame")[-1]["number"] == 0
    assert ann.asked_to_move


def test_two_bodies_are_commanded_together(site: Site, sitting: Any) -> None:
    ann = at_turn(site, sitting, "cuisineworld/level_3", "dispatcher")
    page = ann.page
    thing(page, "place pot0").click()
    page.locator(".menu button", has_text="agent1").click()
    expect(page.locator(".plan .chosen")).to_have_text("agent1 go to pot0")
    page.get_by_role("group", name="For whom").get_by_role("button", name="agent0").click()
    ann.clicks("chopboard1")
    page.get_by_role("button", name="Send").click()
    until(lambda: ann.messages("frame")[-1]["number"] == 1, page, "the step")
    where = {body["name"]: body["place"] for body in ann.messages("frame")[-1]["scene"]["bodies"]}
    assert where == {"agent0": "chopboard1", "agent1": "pot0"}


def test_who_comes_late_steps_through_all_of_it(site: Site, sitting: Any) -> None:
    game = site.opens("robotouille/multi_agent/1@seed=42", {"robot1": GREEDY, "robot2": GREEDY})
    first = sitting(site, game["watch"], "watch")
    expect(first.page.locator(".end")).to_be_visible(timeout=60_000)
    late = sitting(site, game["watch"], "watch", width=360, scheme="dark")
    steps = late.page.get_by_label("Moment of the game")
    until(lambda: int(steps.get_attribute("max") or 0) > 5, late.page, "the frames")
    steps.fill("0")
    expect(late.page.locator(".replay output")).to_have_text("step 0")
    begun = thing(late.page, "body robot1").get_attribute("style")
    late.page.get_by_role("button", name="Play", exact=True).click()
    until(lambda: steps.input_value() == "3", late.page, "the third step")
    late.page.get_by_role("button", name="Pause").click()
    assert thing(late.page, "body robot1").get_attribute("style") != begun


def test_sounds_are_off_until_somebody_asks_for_them_and_are_remembered(site: Site, sitting: Any) -> None:
    ann = at_turn(site, sitting, SANDWICH, "robot1")
    ann.page.evaluate("""() => {
        window.tones = 0
        const create = AudioContext.prototype.createOscillator
        AudioContext.prototype.createOscillator = function () { window.tones += 1; return create.call(this) }
    }""")
    button = ann.page.get_by_role("button", name="Sounds")
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(ann.page.get_by_label("Volume of sounds")).to_have_count(0)
    button.click()
    assert ann.page.evaluate("window.tones") == 2  # what is done sounds of two tones
    ann.page.get_by_label("Volume of sounds").fill("0.8")
    ann.page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(ann.page.get_by_label("Volume of sounds")).to_have_value("0.8")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
