from __future__ import annotations

import base64
import json
from itertools import combinations

import pytest
from hypothesis import given, settings

from backburner.drawing import palette
from backburner.drawing.scene import Images, read_rendering, scene_svg
from backburner.drawing.scene.appearance import shape_of
from backburner.kernel.errors import BadFile
from backburner.kernel.view import Body, Place, Scene, Thing
from drawing.samples import SVG, parsed, shown
from drawing.scenes import kitchen, scenes, size, texts, tops

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def written(svg):
    return [text.what for text in texts(svg)]


def bars(svg):
    return [g for g in parsed(svg).iter(f"{SVG}g") if "progress" in g.get("class", "").split()]


def test_a_kitchen_says_what_is_where():
    svg = scene_svg(kitchen())
    for word in (
        "stove1",
        "patty1",
        "pot1",
        "water1",
        "boiling",
        "tomato1",
        "cut",
        "robot1",
        "plate1",
        "order1",
    ):
        assert word in written(svg)
    assert "Make a burger & a <soup>" in written(svg)
    assert "beside" in written(svg) and "robot3" in written(svg)
    assert "cookable" not in written(svg) and "cookable" in shown(svg), "traits stand in the tooltip"


def test_a_stack_stands_on_its_lowest_thing():
    top = tops(scene_svg(kitchen()))
    assert top["topbun1"] < top["cheese1"] < top["bottombun1"]


def test_what_is_inside_lies_within():
    top = tops(scene_svg(kitchen()))
    assert top["pot1"] < top["water1"] < top["tomato1"]


def test_bars_tell_how_far_and_grey_ones_that_it_is_paused():
    cook, bake = sorted(bars(scene_svg(kitchen())), key=lambda bar: bar.findtext(f"{SVG}title"), reverse=True)
    background, filled, _ = cook.iter(f"{SVG}rect")
    # two of four ticks
    assert float(filled.get("width")) == pytest.approx(float(background.get("width")) / 2, abs=0.01)
    assert filled.get("fill") != palette.WAIT
    assert "paused" in bake.get("class") and list(bake.iter(f"{SVG}rect"))[1].get("fill") == palette.WAIT
    assert bake.findtext(f"{SVG}text") == "bake 1/8 paused"


def test_a_body_that_cannot_stand_where_it_is_said_to_is_shown_beside():
    places = (Place("stove1", "stove", (0, 0)),)
    scene = Scene(1, 1, places, (Body("robot1", "robot", (0, 0)),))
    (title, name) = (text for text in texts(scene_svg(scene)) if text.what in ("stove1", "robot1"))
    assert name.y > title.y + 50


@settings(max_examples=60)
@given(scenes())
def test_nothing_overlaps_nothing_is_outside_and_nothing_is_forgotten(scene):
    svg = scene_svg(scene)
    boxes = texts(svg)
    assert [pair for pair in combinations(boxes, 2) if pair[0].meets(pair[1])] == []
    assert [box for box in boxes if not box.within(*size(svg))] == []
    groups = parsed(svg).iter(f"{SVG}g")
    assert sum(group.get("class") == "thing" for group in groups) == len(list(scene.things()))


def test_the_largest_kitchen_stays_legible():
    """12 by 12 cells with 60 places and 60 things: names of ten letters are written in full."""
    cells = [(x, y) for y in range(12) for x in range(12) if (x + 2 * y) % 5 in (0, 2, 3)][:60]
    names = [f"bottombun{index}" for index in range(60)]
    places = tuple(
        Place(f"table{index}", "table", cell, stack=(Thing(names[index], "bottombun"),))
        for index, cell in enumerate(cells)
    )
    svg = scene_svg(Scene(12, 12, places))
    assert set(names) <= set(written(svg))
    assert size(svg)[0] < 1320 and size(svg)[1] < 1000


def test_shapes_go_by_the_longest_word_in_a_kind():
    assert shape_of("chopping_board") == shape_of("board") != shape_of("frying_pan") == shape_of("pan")
    assert shape_of("monolith") == shape_of("")
    assert palette.food("bottombun") == palette.food("bun") != palette.food("patty")


# --- images ------------------------------------------------------------------------------------------


def rendering(tmp_path, raw=None, **files):
    for name in files:
        (tmp_path / f"{name}.png").write_bytes(PIXEL + name.encode())
    figure_9 = {
        "player": {"robot": {"front": "front.png", "back": "back.png"}},
        "floor": "floor.png",
        "item": {
            "constants": {"STATION_ITEM_OFFSET": 0.25},
            "entities": {
                "tomato": {
                    "assets": {"default": "raw.png", "cut": {"asset": "cut.png", "predicates": ["iscut"]}},
                    "constants": {},
                }
            },
        },
        "station": {"entities": {"stove": {"assets": {"default": "stove.png"}}}},
    }
    file = tmp_path / "rendering.json"
    file.write_text(json.dumps(figure_9 if raw is None else raw))
    return file


def used(svg):
    """What the pictures in use were made of: the last bytes of each, in order of drawing."""
    root = parsed(svg)
    data = {s.get("id"): s.find(f"{SVG}image").get("href") for s in root.iter(f"{SVG}symbol")}
    raw = (data[use.get("href").removeprefix("#")].partition("base64,")[2] for use in root.iter(f"{SVG}use"))
    return [base64.b64decode(text).removeprefix(PIXEL).decode() for text in raw]


def test_images_stand_in_for_shapes_where_the_files_are(tmp_path):
    images = read_rendering(rendering(tmp_path, raw=None, cut=1, back=1, stove=1))
    assert [name.rpartition("/")[2] for name in images.missing] == ["floor.png", "front.png", "raw.png"]
    # a tomato that is cut, two stoves, and robot1, who looks up and so shows its back
    assert sorted(used(scene_svg(kitchen(), images=images))) == ["back", "cut", "stove", "stove"]


def test_the_state_in_which_most_predicates_hold_is_shown(tmp_path):
    file = rendering(tmp_path, raw=None, cut=1, raw_=1)
    (tmp_path / "raw.png").write_bytes(PIXEL + b"raw")
    images = read_rendering(file)
    stacks = (Thing("tomato1", "tomato", ("cut",)), Thing("tomato2", "tomato", ("boiled",)))
    scene = Scene(1, 1, (Place("table1", "table", (0, 0), stack=stacks),))
    assert used(scene_svg(scene, images=images)) == ["raw", "cut"]


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ([], "not a rendering JSON"),
        ({"floor": 3}, "entry 'floor'"),
        ({"player": {"robot": ["front.png"]}}, "entry 'player'"),
        ({"item": {"entities": {"tomato": {"assets": {"default": 7}}}}}, "entry 'item'"),
        ({"floor": "floor.txt"}, "no image"),
    ],
)
def test_a_file_that_is_no_rendering_is_told(tmp_path, raw, message):
    with pytest.raises(BadFile, match=message):
        read_rendering(rendering(tmp_path, raw))


def test_a_missing_rendering_is_told(tmp_path):
    with pytest.raises(BadFile, match=r"none\.json"):
        read_rendering(tmp_path / "none.json")


def test_no_images_are_no_images():
    assert Images().use("stove", ("cut",), 10.0) is None
