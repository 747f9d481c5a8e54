"""The view in three dimensions shows the scenes of every world that can be drawn, and takes moves."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SCENARIOS = {
    "cuisineworld": ("cuisineworld/level_9@tau=1.5", 9),
    "collab_overcooked": ("collab_overcooked/baked_carrot_soup", 20),
    "robotouille": ("robotouille/synchronous/9@seed=42", 15),
    "robotouille_two": ("robotouille/multi_agent/3@seed=42", 6),
    "clocked_kitchen": ("clocked_kitchen/level_3@bodies=3", 12),
}

COLOURS = """async (png) => {
  const picture = new Image();
  picture.src = "data:image/png;base64," + png;
  await picture.decode();
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const pen = canvas.getContext("2d");
  pen.drawImage(picture, 0, 0);
  const { data } = pen.getImageData(0, 0, picture.width, picture.height);
  const seen = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const colour = (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
    seen.set(colour, (seen.get(colour) ?? 0) + 1);
  }
  return [seen.size, Math.max(...seen.values()) / (data.length / 4)];
}"""


def colours(view: Any, path: Path) -> tuple[int, float]:
    """How many colours the canvas shows, and the share of the most frequent one; the picture is kept."""
    raw = view.page.locator(".space-canvas").screenshot(path=path)
    found = view.page.evaluate(COLOURS, base64.b64encode(raw).decode())
    return int(found[0]), float(found[1])


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (800, "dark"), (1366, "light")])
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_kitchen_fills_the_picture(
    opening: Callable[..., Any], game: Callable[..., Any], pictures: Path, name: str, width: int, scheme: str
) -> None:
    view, played = opening(width, color_scheme=scheme), game(*SCENARIOS[name])
    view.begin(played.about)
    view.play(played)
    view.page.wait_for_timeout(300)
    many, most = colours(view, pictures / f"space-{name}-{width}-{scheme}.png")
    assert many > 300
    assert most < 0.75  # the rest is page behind it
    assert view.page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_place_is_clicked_and_one_of_its_moves(
    opening: Callable[..., Any], game: Callable[..., Any]
) -> None:
    view, played = opening(), game(*SCENARIOS["cuisineworld"])
    view.begin(played.about)
    view.play(played)
    view.page.mouse.click(*view.find("storage0"))
    wanted = next(option["label"] for option in played.options if "storage0" in option["things"])
    view.page.mouse.click(*view.find(wanted))
    assert [played.options[act["option"]]["label"] for act in view.acts] == [wanted]


def test_a_click_beside_everything_closes_the_panel(
    opening: Callable[..., Any], game: Callable[..., Any]
) -> None:
    view, played = opening(), game(*SCENARIOS["cuisineworld"])
    view.begin(played.about)
    view.play(played)
    view.page.mouse.click(*view.find("storage0"))
    assert view.find("close")
    view.page.mouse.click(*view.find(""))
    with pytest.raises(AssertionError, match="nowhere"):
        view.find("close")
    assert view.acts == []


def test_a_click_with_shift_is_the_click_of_the_drawn_kitchen(
    opening: Callable[..., Any], game: Callable[..., Any]
) -> None:
    view, played = opening(), game(*SCENARIOS["cuisineworld"])
    view.begin(played.about)
    view.play(played)
    where = view.find("pan0")
    view.page.keyboard.down("Shift")
    view.page.mouse.click(*where)
    assert view.acts == [{"press": {"place": "pan0", "button": "left"}}]


def test_a_drag_turns_the_kitchen_and_decides_nothing(
    opening: Callable[..., Any], game: Callable[..., Any]
) -> None:
    view, played = opening(), game(*SCENARIOS["cuisineworld"])
    view.begin(played.about)
    view.play(played)
    x, y = view.find("storage0")
    view.page.mouse.down()
    view.page.mouse.move(x + 300, y + 20, steps=8)
    view.page.mouse.up()
    assert view.acts == []
    assert view.find("storage0") != (x, y)
    assert view.pointed == "storage0"


def test_keys_alone_are_enough(opening: Callable[..., Any], game: Callable[..., Any]) -> None:
    view, played = opening(), game(*SCENARIOS["robotouille"])
    view.begin(played.about)
    view.play(played)
    view.page.focus(".space-canvas")
    view.page.keyboard.press("PageDown")
    first = view.said
    assert first in {place["name"] for place in played.scene["places"]}
    while view.said != "the board":
        view.page.keyboard.press("PageDown")
    for key in ("Enter", "ArrowDown", "Enter"):
        view.page.keyboard.press(key)
    free = [i for i, option in enumerate(played.options) if option["verb"] == "wait"]
    assert view.acts == [{"option": free[0]}]


def test_fingers_open_and_take(opening: Callable[..., Any], game: Callable[..., Any]) -> None:
    view, played = opening(360, has_touch=True), game(*SCENARIOS["robotouille"])
    view.begin(played.about)
    view.play(played)
    wanted, place = next((option["label"], option["things"][-1]) for option in played.options)
    view.page.touchscreen.tap(*view.find(place))
    view.page.touchscreen.tap(*view.find(wanted))
    assert [played.options[act["option"]]["label"] for act in view.acts] == [wanted]


def test_walking_keys_go_down_and_come_up_in_a_game_with_a_clock(opening: Callable[..., Any]) -> None:
    walks = [{"name": "walk", "input_instructions": {"key": key, "at": None}} for key in WAYS]
    view = opening()
    view.begin(
        {"controls": {"mouse_click_actions": [], "keyboard_actions": walks}, "verbs": {}, "live": True}
    )
    view.show(CORNER, "cook")
    view.page.focus(".space-canvas")
    view.page.keyboard.down("ArrowUp")
    view.page.keyboard.down("ArrowUp")  # the key repeats
    view.page.keyboard.up("ArrowUp")
    for _ in range(3):  # a quarter round: up is to the left now
        view.page.get_by_label("turn right").click()
    view.page.focus(".space-canvas")
    view.page.keyboard.down("ArrowUp")
    view.page.evaluate("document.activeElement.blur()")  # a key that comes up elsewhere is not held for ever
    presses = [(act["press"]["key"], act["press"]["hold"]) for act in view.acts]
    assert presses == [("up", "start"), ("up", "end"), ("left", "start"), ("left", "end")]


WAYS = ("up", "down", "left", "right")

CORNER = {
    "width": 3,
    "height": 3,
    "places": [{"name": "stove", "kind": "stove", "at": [0, 0]}],
    "bodies": [{"name": "cook", "kind": "cook", "at": [1, 1], "facing": [0, 1]}],
}


def test_a_still_kitchen_costs_no_pictures(opening: Callable[..., Any]) -> None:
    count = """window.pictures = 0;
        const ask = window.requestAnimationFrame.bind(window);
        window.requestAnimationFrame = (draw) => { window.pictures += 1; return ask(draw); };"""
    view = opening(scripts=[count])
    view.begin({"controls": None, "verbs": {}, "live": False})
    view.show(CORNER)
    view.page.wait_for_timeout(800)
    before = view.page.evaluate("pictures")
    view.page.wait_for_timeout(500)
    assert view.page.evaluate("pictures") == before > 0
    moved = {**CORNER, "bodies": [{**CORNER["bodies"][0], "at": [2, 2]}]}  # type: ignore[index]
    view.show(moved)
    view.page.wait_for_timeout(900)
    assert view.page.evaluate("pictures") > before + 5  # it walked


def test_who_wants_less_motion_sees_none(opening: Callable[..., Any]) -> None:
    view = opening(reduced_motion="reduce")
    view.begin({"controls": None, "verbs": {}, "live": False})
    view.show(CORNER)
    view.page.wait_for_timeout(500)
    places = {**CORNER, "bodies": [{**CORNER["bodies"][0], "at": [2, 2]}]}  # type: ignore[index]
    view.page.evaluate("s => { space.show(s, '', [{ time: 0, scene: s }]); window.shown = 1; }", places)
    view.page.wait_for_timeout(60)
    x, y = view.find("cook")
    view.page.wait_for_timeout(500)
    view.page.mouse.move(0, 0)
    assert view.find("cook") == (x, y)


def test_a_browser_without_webgl_says_so(opening: Callable[..., Any]) -> None:
    view = opening(flags=["--no-sandbox", "--disable-3d-apis"])
    view.begin({"controls": None, "verbs": {}, "live": False})
    view.show(CORNER)
    assert "WebGL" in view.said
    assert view.page.locator(".space-canvas").count() == 0
    view.page.evaluate("space.close()")
    assert view.page.locator(".space").count() == 0


def test_names_are_never_markup(opening: Callable[..., Any]) -> None:
    name = "<img src=x onerror=\"document.title='broken into'\">"
    hostile = {"name": name, "kind": name, "marks": [name]}
    view = opening()
    view.begin({"controls": None, "verbs": {}, "live": False})
    view.show(
        {
            "width": 1, "height": 2, "caption": name,
            "places": [{**hostile, "at": [0, 0], "stack": [{**hostile, "inside": [hostile]}]}],
            "bodies": [{**hostile, "at": [0, 1], "says": name, "holding": [hostile]}],
            "beside": [hostile],
        },
        name,
        [{"label": name, "gloss": name, "body": name, "verb": name, "things": [name], "passes": False}],
    )  # fmt: skip
    view.page.focus(".space-canvas")
    view.page.keyboard.press("PageDown")
    assert view.said == name
    view.page.keyboard.press("Enter")
    assert view.page.title() == "space"


def test_the_view_can_be_closed_and_opened_again(opening: Callable[..., Any]) -> None:
    view = opening()
    for _ in range(3):
        view.begin({"controls": None, "verbs": {}, "live": False})
        view.show(CORNER)
        assert view.find("stove")
        view.page.evaluate("space.close()")
        assert view.page.locator("canvas").count() == 0
