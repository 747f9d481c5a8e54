"""A headset, emulated: a session begins and ends, rays point, triggers select, sticks walk and turn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WAYS = ("up", "down", "left", "right")

Worn = Callable[[], tuple[Any, Any]]


def begun(worn: Worn, game: Any) -> tuple[Any, Any]:
    """(view, headset) of a game, the headset on."""
    view, headset = worn()
    view.begin(game.about)
    view.play(game)
    headset.enter()
    return view, headset


def test_a_move_is_pointed_at_and_selected(worn: Worn, game: Callable[..., Any], pictures: Path) -> None:
    played = game("cuisineworld/level_9@tau=1.5", 9)
    view, headset = begun(worn, played)
    scene = played.scene
    place = next(place for place in scene["places"] if place["name"] == "pan0")
    assert headset.aim_down_at(scene, place) == "pan0"
    headset.page.screenshot(path=pictures / "space-headset-points.png")
    headset.press()
    wanted = next(option["label"] for option in played.options if "pan0" in option["things"])
    assert headset.find_line(scene, place, wanted)
    headset.page.screenshot(path=pictures / "space-headset-panel.png")
    headset.press()
    assert [played.options[act["option"]]["label"] for act in view.acts] == [wanted]
    assert not headset.find_line(scene, place, wanted)  # it has closed


def test_the_grip_does_what_a_click_does(worn: Worn, game: Callable[..., Any]) -> None:
    played = game("collab_overcooked/baked_carrot_soup")
    view, headset = begun(worn, played)
    pot = next(place for place in played.scene["places"] if place["kind"] == "pot")
    assert headset.aim_down_at(played.scene, pot) == pot["name"]
    headset.press("squeeze")
    assert view.acts == [{"press": {"place": pot["name"], "button": "left"}}]


def test_new_frames_are_shown_while_it_is_worn(
    worn: Worn, game: Callable[..., Any], place_in: Callable[..., Any]
) -> None:
    played = game("robotouille/synchronous/9@seed=42")
    view, headset = begun(worn, played)
    for _ in range(4):
        played.go_on(1)
        view.play(played)
        headset.pause(5)
    body = played.scene["bodies"][0]
    headset.page.wait_for_timeout(900)
    there = place_in(played.scene, body["at"], above=0.9)
    assert headset.aim(there, at=(0.1, 1.7, -0.2)) == body["name"]


def test_a_session_ends_and_the_page_has_its_picture_back(worn: Worn, game: Callable[..., Any]) -> None:
    played = game("cuisineworld/level_9@tau=1.5")
    view, headset = worn()
    for _ in range(2):  # and can be entered again
        view.begin(played.about)
        view.play(played)
        headset.enter()
        # The emulator lies over the page, where no mouse reaches it.
        headset.page.get_by_text("leave the headset").dispatch_event("click")
        headset.page.wait_for_function("!emulated.activeSession")
        assert headset.page.get_by_text("enter the headset").is_visible()
        assert view.find("pan0")
        headset.page.evaluate("space.close()")


@pytest.mark.parametrize("mode", ["put it on your own table", "enter the headset"])
def test_a_session_that_is_refused_is_told(worn: Worn, game: Callable[..., Any], mode: str) -> None:
    view, headset = worn()
    headset.page.evaluate(
        """() => {
            const refuse = async () => { throw new DOMException("busy", "InvalidStateError"); };
            navigator.xr.requestSession = refuse;
        }"""
    )
    view.begin(game("cuisineworld/level_9@tau=1.5").about)
    headset.page.get_by_text(mode).click()
    headset.page.wait_for_function("document.querySelector('.space-note').textContent")
    assert view.said == "No session: busy"


def test_sticks_walk_in_a_game_with_a_clock(worn: Worn, game: Callable[..., Any]) -> None:
    view, headset = worn()
    walks = [{"name": "walk", "input_instructions": {"key": key, "at": None}} for key in WAYS]
    controls = {"mouse_click_actions": [], "keyboard_actions": walks}
    view.begin({"controls": controls, "verbs": {}, "live": True})
    view.show(game("collab_overcooked/baked_carrot_soup").scene, "chef")
    headset.enter()
    headset.lean(0, -1)
    headset.lean(1, 0)
    headset.lean(0, 0)
    # From the other side of the table, away from oneself is down the rows.
    headset.look((0, 0.8, -1.2), at=(0, 1.6, -3.2))
    headset.lean(0, -1)
    headset.lean(0, 0)
    headset.lean(1, 0, hand="right")  # that one turns the kitchen
    headset.lean(0, 0, hand="right")
    presses = [f"{act['press']['key']} {act['press']['hold']}" for act in view.acts]
    assert presses == ["up start", "up end", "right start", "right end", "down start", "down end"]


def test_a_page_without_a_headset_offers_none(opening: Callable[..., Any]) -> None:
    view = opening()
    view.begin({"controls": None, "verbs": {}, "live": False})
    view.page.wait_for_timeout(200)
    assert view.page.get_by_text("headset").count() == 0
