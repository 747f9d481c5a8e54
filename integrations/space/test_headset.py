"""A headset, emulated: a session begins and ends, rays point, triggers select, sticks walk and turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

HEAD = (0.0, 1.6, 0.0)
WAYS = ("up", "down", "left", "right")


def where(scene: dict[str, Any], cell: tuple[int, int], above: float = 0.3) -> tuple[float, float, float]:
    """Where a cell is, in metres, for somebody who stands at the origin: on a table 0.72 m high that begins
    half a metre before them, 1.5 m wide at most and a cell 0.3 m at most."""
    width, height = scene["width"], scene["height"]
    size = min(0.3, 1.5 / max(width, height))
    back = -(0.5 + height * size / 2)
    return (
        (cell[0] - (width - 1) / 2) * size,
        0.72 + above * size,
        back + (cell[1] - (height - 1) / 2) * size,
    )


def above(scene: dict[str, Any], cell: tuple[int, int]) -> tuple[float, float, float]:
    """Where a hand is that points down at a cell."""
    x, y, z = where(scene, cell)
    return (x + 0.02, y + 0.5, z + 0.02)


def panel(about: tuple[float, float, float]) -> Iterator[tuple[float, float, float]]:
    """Points down the middle of a panel that opened for what is there: on the way from the eyes to it."""
    away = sum((b - a) ** 2 for a, b in zip(HEAD, about, strict=True)) ** 0.5
    x, y, z = (a + (b - a) * min(1.0, 0.7 / away) for a, b in zip(HEAD, about, strict=True))
    yield from ((x, y + 0.15 - 0.03 * step, z) for step in range(12))


def enter(headset: Any, game: Any) -> None:
    headset.view.begin(game.about)
    headset.view.play(game)
    headset.page.get_by_text("enter the headset").click()
    headset.page.wait_for_function("emulated.activeSession")
    headset.look((0, 0.8, -1.2))


def test_a_move_is_pointed_at_and_selected(
    worn: Callable[[], Any], game: Callable[..., Any], pictures: Path
) -> None:
    headset, played = worn(), game("cuisineworld/level_9@tau=1.5", 9)
    enter(headset, played)
    scene = played.scene
    place = next(place for place in scene["places"] if place["name"] == "pan0")
    assert headset.aim(where(scene, place["at"]), at=above(scene, place["at"])) == "pan0"
    headset.page.screenshot(path=pictures / "space-headset-points.png")
    headset.press()
    wanted = next(option["label"] for option in played.options if "pan0" in option["things"])
    points = panel(where(scene, place["at"], above=0.6 + 0.8))
    assert any(headset.aim(point) == wanted for point in points)
    headset.page.screenshot(path=pictures / "space-headset-panel.png")
    headset.press()
    assert [played.options[act["option"]]["label"] for act in headset.view.acts] == [wanted]
    assert not any(headset.aim(point) == wanted for point in panel(where(scene, place["at"], above=1.4)))


def test_the_grip_does_what_a_click_does(worn: Callable[[], Any], game: Callable[..., Any]) -> None:
    headset, played = worn(), game("collab_overcooked/baked_carrot_soup")
    enter(headset, played)
    pot = next(place for place in played.scene["places"] if place["kind"] == "pot")
    assert headset.aim(where(played.scene, pot["at"]), at=above(played.scene, pot["at"])) == pot["name"]
    headset.press("squeeze")
    assert headset.view.acts == [{"press": {"place": pot["name"], "button": "left"}}]


def test_new_frames_are_shown_while_it_is_worn(worn: Callable[[], Any], game: Callable[..., Any]) -> None:
    headset, played = worn(), game("robotouille/synchronous/9@seed=42")
    enter(headset, played)
    for _ in range(4):
        played.go_on(1)
        headset.view.play(played)
        headset.pause(5)
    body = played.scene["bodies"][0]
    headset.page.wait_for_timeout(900)
    assert headset.aim(where(played.scene, body["at"], above=0.9), at=(0.1, 1.7, -0.2)) == body["name"]


def test_a_session_ends_and_the_page_has_its_picture_back(
    worn: Callable[[], Any], game: Callable[..., Any]
) -> None:
    headset, played = worn(), game("cuisineworld/level_9@tau=1.5")
    for _ in range(2):  # and can be entered again
        enter(headset, played)
        headset.page.get_by_text("leave the headset").dispatch_event(
            "click"
        )  # the emulator lies over the page
        headset.page.wait_for_function("!emulated.activeSession")
        assert headset.page.get_by_text("enter the headset").is_visible()
        assert headset.view.find("pan0")
        headset.page.evaluate("space.close()")


@pytest.mark.parametrize("mode", ["put it on your own table", "enter the headset"])
def test_a_session_that_is_refused_is_told(
    worn: Callable[[], Any], game: Callable[..., Any], mode: str
) -> None:
    headset = worn()
    headset.page.evaluate(
        """() => {
            const refuse = async () => { throw new DOMException("busy", "InvalidStateError"); };
            navigator.xr.requestSession = refuse;
        }"""
    )
    headset.view.begin(game("cuisineworld/level_9@tau=1.5").about)
    headset.page.get_by_text(mode).click()
    headset.page.wait_for_function("document.querySelector('.space-note').textContent")
    assert headset.view.said == "No session: busy"


def test_sticks_walk_in_a_game_with_a_clock(worn: Callable[[], Any], game: Callable[..., Any]) -> None:
    headset, played = worn(), game("collab_overcooked/baked_carrot_soup")
    walks = [{"name": "walk", "input_instructions": {"key": key, "at": None}} for key in WAYS]
    about = {"controls": {"mouse_click_actions": [], "keyboard_actions": walks}, "verbs": {}, "live": True}
    headset.view.begin(about)
    headset.view.show(played.scene, "chef")
    headset.page.get_by_text("enter the headset").click()
    headset.page.wait_for_function("emulated.activeSession")
    headset.look((0, 0.8, -1.2))
    headset.lean(0, -1)
    headset.lean(1, 0)
    headset.lean(0, 0)
    # From the other side of the table, away from oneself is down the rows.
    headset.look((0, 0.8, -1.2), at=(0, 1.6, -3.2))
    headset.lean(0, -1)
    headset.lean(0, 0)
    headset.lean(1, 0, hand="right")  # that one turns the kitchen
    headset.lean(0, 0, hand="right")
    presses = [f"{act['press']['key']} {act['press']['hold']}" for act in headset.view.acts]
    assert presses == ["up start", "up end", "right start", "right end", "down start", "down end"]


def test_a_page_without_a_headset_offers_none(opening: Callable[..., Any]) -> None:
    view = opening()
    view.begin({"controls": None, "verbs": {}, "live": False})
    view.page.wait_for_timeout(200)
    assert view.page.get_by_text("headset").count() == 0
