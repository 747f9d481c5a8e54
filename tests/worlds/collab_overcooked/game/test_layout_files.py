"""Layouts and scenario files: what is read, and what is told of each thing that makes no sense."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from backburner.kernel.errors import BadFile
from backburner.kernel.files import Place
from backburner.worlds.collab_overcooked.game.layout import SHIPPED, shipped_layout
from backburner.worlds.collab_overcooked.game.scenario_files import (
    LONGEST_FILE,
    check_layout,
    read_file,
    read_layout,
    read_released_layout,
)
from support.collab_overcooked.kitchens import OPEN_KITCHEN
from support.promptly import within

RELEASED = (
    Path(__file__).resolve().parents[5] / "shared" / "upstream" / "collab_overcooked" / "new_env.layout"
)
Raw = dict[str, Any]


def raw_layout() -> Raw:
    found: Raw = json.loads(msgspec.json.encode(OPEN_KITCHEN))
    return found


def pot(**fields: str) -> Callable[[Raw], object]:
    return lambda raw: raw["utensils"]["pot"].update(fields)


def test_a_layout_is_the_same_when_written_and_read(tmp_path: Path) -> None:
    for layout in (OPEN_KITCHEN, shipped_layout(SHIPPED)):
        file = tmp_path / "kitchen.json"
        file.write_bytes(msgspec.json.encode(layout))
        assert read_layout(file) == layout


def in_grid(row: int, text: str) -> Callable[[Raw], object]:
    def change(raw: Raw) -> None:
        raw["grid"] = [*raw["grid"][:row], text, *raw["grid"][row + 1 :]]

    return change


def recipe(output: str, *inputs: str, utensil: str = "pot", **more: Any) -> Callable[[Raw], object]:
    row = {"utensil": utensil, "output": output, "inputs": list(inputs), **more}
    return lambda raw: raw.update(recipes=[*raw["recipes"], row])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (in_grid(3, "D    C"), "field 'grid': row 3 has 6 cells and row 0 has 7"),
        (in_grid(0, "XPXP XX"), "field 'grid': the border is open at (4, 0)"),
        (in_grid(1, "I1   QS"), "field 'grid': 'Q' at (5, 1) is the letter of nothing"),
        (in_grid(1, "I    2S"), "field 'grid': 0 cells with '1'"),
        (in_grid(1, "I11  2S"), "field 'grid': 2 cells with '1'"),
        (in_grid(1, "X1   2S"), "field 'grid': there is no dispenser of ingredients"),
        (in_grid(3, "X     C"), "field 'grid': there is no dispenser of dishes"),
        (in_grid(1, "I1   2X"), "field 'grid': there is no serving place"),
        (in_grid(0, "SPXPXXI"), "field 'grid': no cook can reach the serving place at (0, 0)"),
        (in_grid(4, "XXXXXXO"), "field 'grid': no cook can reach oven0 at (6, 4)"),
        (lambda raw: raw.update(grid=["XX", "XX"]), "2 entries; at least 3 are needed"),
        (lambda raw: raw.update(grid=["X" * 51] * 50), "51 x 50 cells; at most 2500"),
        (recipe("soup", "egg", utensil="pto"), "recipes[3] 'soup', field 'utensil': unknown utensil 'pto'"),
        (recipe("soup", "egg", utensil="pto"), "did you mean pot?"),
        (recipe("soup", "eg"), "recipes[3] 'soup', inputs[0] 'eg': unknown thing 'eg'; did you mean egg?"),
        (recipe("soup"), "field 'inputs': 0 entries; at least one is needed"),
        (recipe("soup", *["egg"] * 3), "field 'inputs': has 3 things; a utensil takes 1 to 2"),
        (recipe("soup", "egg"), "pot makes something of these inputs already: recipes[0]"),
        (recipe("egg", "potato"), "field 'output': 'egg' is a raw ingredient"),
        (recipe("Dish Soup", "potato"), "field 'output': 'Dish Soup': is no name of food"),
        (recipe("dish", "potato"), "'dish': is no name of food"),
        (recipe("soup", "potato", steps=0), "field 'steps': is 0; it is from 1"),
        (recipe("potato_slices", "gratin"), "a circle: gratin needs potato_slices needs gratin"),
        (recipe("soup", "soup"), "a circle: soup needs soup"),
        (lambda raw: raw["needs_dish"].update(gratn=True), "needs_dish 'gratn': unknown thing 'gratn'"),
        (lambda raw: raw.update(capacity=0), "field 'capacity': is 0"),
        (lambda raw: raw.update(delivery_reward=-1), "field 'delivery_reward': is -1"),
        (lambda raw: raw.update(ingredients=[]), "field 'ingredients': 0 entries; at least one"),
        (lambda raw: raw.update(ingredients=["egg", "egg"]), "ingredients[1] 'egg': 'egg' stands here twice"),
        (pot(symbol="X"), "utensils 'pot', field 'symbol': 'X' is no letter"),
        (pot(symbol="O"), "'O' stands here twice"),
        (pot(verb="wait"), "field 'verb': 'wait' is no verb of its own"),
        (pot(verb="bake"), "'bake' stands here twice"),
        (lambda raw: raw["utensils"].update(pot1={"symbol": "Z", "verb": "fry"}), "'pot1': a kind"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_one_message(change: Callable[[Raw], object], told: str) -> None:
    raw = raw_layout()
    change(raw)
    with pytest.raises(BadFile) as error:
        read_file({"world": "collab_overcooked", "id": "a", "layout": raw, "orders": ["gratin"]}, "mine.json")
    assert str(error.value).startswith("mine.json: layout")
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"id": "a b"}, "field 'id': 'a b': use letters"),
        ({"orders": ["boiled_eg"]}, "field 'orders': unknown order 'boiled_eg'; did you mean boiled_egg"),
        ({"orders": []}, "field 'orders': at least one order"),
        ({"layuot": SHIPPED}, "unknown field `layuot`; did you mean layout?"),
        ({"layout": {"grid": 3}}, "layout, field 'grid': Expected `array`"),
        ({"layout": "none.json"}, "none.json: No such file"),
        ({"layout": "none.layout"}, "none.layout: No such file"),
        ({"informed": ["cook"]}, "informed"),
        ({"informed": ["chef", "chef"]}, "informed[1] 'chef': 'chef' stands here twice"),
        ({"order_weights": {"boiled_egg": -1.0}}, "order_weights 'boiled_egg': is -1.0; it is at least 0"),
        ({"order_weights": {"boiled_egg": 0.0}}, "every weight is 0"),
        ({"order_weights": {"soup": 1.0}}, "field 'order_weights': unknown order 'soup'"),
        ({"open_orders": 0}, "field 'open_orders': is 0"),
        ({"step_limit": 0}, "field 'step_limit': is 0; it is from 1 to 100000"),
    ],
)
def test_scenario_files_are_checked(tmp_path: Path, fields: Raw, told: str) -> None:
    raw = {"world": "collab_overcooked", "id": "lunch", "orders": ["boiled_egg"], **fields}
    with pytest.raises(BadFile) as error:
        read_file(raw, str(tmp_path / "lunch.json"))
    assert told in str(error.value)


def test_an_order_needs_its_utensils() -> None:
    raw = raw_layout()
    raw["grid"][4] = "XXXXXXX"
    scenario = {"world": "collab_overcooked", "id": "a", "layout": raw, "orders": ["gratin"]}
    with pytest.raises(BadFile, match="gratin needs the utensil oven, and there is none in the grid"):
        read_file(scenario, "mine.json")


def test_a_scenario_names_its_layout_file(tmp_path: Path) -> None:
    (tmp_path / "open.json").write_bytes(msgspec.json.encode(OPEN_KITCHEN))
    raw = {"world": "collab_overcooked", "id": "lunch", "layout": "open.json", "orders": ["gratin", "gratin"]}
    path, scenario = read_file(raw | {"informed": ["assistant"]}, str(tmp_path / "lunch.json"))
    assert (path, scenario.layout, scenario.orders) == ("lunch", OPEN_KITCHEN, ("gratin", "gratin"))


SMALL = """{
    "grid": '''XPXX
               I12S
               XXDX''',
    "start_order_list": ["boiled_egg"],
    "order_probability": {"boiled_egg": 2, "onion_soup": 1},
    "utensils": {"pot": {"symbol": "P", "operation": "cook"}, "none": {"symbol": "N", "operation": "none"}},
    "utensil_agent0": {"pot": "cook"},
    "cook_time": 4,
    "num_items_for_soup": 2,
    "delivery_reward": 5,
    "rew_shaping_params": None,
    "ingredients": ["egg"],
    "recipes": {"pot": {"boiled_egg": {"recipe": ["egg"]}}, "none": {"egg": {"recipe": ["egg"]}}},
    "need_dish": {"boiled_egg": 1},
}"""


def test_the_released_format_is_read() -> None:
    found = read_released_layout(SMALL, "small.layout")
    assert found.layout.grid == ("XPXX", "I12S", "XXDX")
    assert [(one.output, one.steps) for one in found.layout.recipes] == [("boiled_egg", 4)]
    assert (found.layout.capacity, found.layout.delivery_reward) == (2, 5)
    assert found.layout.needs_dish == {"boiled_egg": True}
    assert (found.orders, found.order_weights) == (("boiled_egg",), {"boiled_egg": 2.0})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "not a Python dict of plain values"),
        ("__import__('os').getcwd()", "not a Python dict of plain values"),
        ("[" * 70_000, "not a Python dict of plain values"),
        ("{1: 2}", "not a Python dict with names as keys"),
        ("'" + "x" * 600_000 + "'", "at most 80000 are read"),
        (SMALL.replace("I12S", "I12"), "field 'grid': row 1 has 3 cells"),
        (SMALL.replace('["boiled_egg"]', '["soup"]'), "field 'start_order_list': unknown order 'soup'"),
        (SMALL.replace('"recipes": {"pot"', '"recipes": {"pan"'), "field 'recipes': unknown utensil 'pan'"),
        (SMALL.replace('"grid"', '"gird"'), "missing required field `grid`"),
    ],
)
def test_released_files_are_checked(text: str, told: str) -> None:
    with pytest.raises(BadFile) as error:
        read_released_layout(text, "small.layout")
    assert str(error.value).startswith("small.layout: ")
    assert told in str(error.value)


@pytest.mark.parametrize("piece", ["1,", "1+", "-", "{1:", "'", "\\N{", "(", "9", "1j+", "\n", " ", '"a":1,'])
def test_released_files_are_read_quickly(piece: str) -> None:
    text = piece * (LONGEST_FILE // len(piece) - 1)
    for whole in (text, f"{{{text}}}", f"[{text}]"):
        with within(1), pytest.raises(BadFile):
            read_released_layout(whole, "small.layout")


def test_a_layout_is_a_regular_file(tmp_path: Path) -> None:
    """No device and no pipe is waited for; nothing larger than a layout can be is read."""
    raw = {"world": "collab_overcooked", "id": "mine", "layout": "kitchen.layout", "orders": ["boiled_egg"]}
    kitchen = tmp_path / "kitchen.layout"
    kitchen.symlink_to("/dev/zero")
    with pytest.raises(BadFile, match="is no regular file"):
        read_file(raw, str(tmp_path / "mine.json"))
    kitchen.unlink()
    kitchen.write_bytes(b" " * 1_000_000)
    with pytest.raises(BadFile, match="1000000 bytes; at most 80000"):
        read_file(raw, str(tmp_path / "mine.json"))


def test_the_released_kitchen_is_the_shipped_one(tmp_path: Path) -> None:
    if not RELEASED.is_file():
        pytest.skip(f"the released layout is not there: {RELEASED}")
    found = read_released_layout(RELEASED.read_text("utf-8"), str(RELEASED))
    assert found.layout == shipped_layout(SHIPPED)
    raw = {"world": "collab_overcooked", "id": "new_env", "layout": RELEASED.name, "orders": ["boiled_egg"]}
    _, scenario = read_file(raw, str(RELEASED.with_name("mine.json")))
    assert scenario.layout == shipped_layout(SHIPPED)


def test_the_shipped_kitchen_passes_its_own_checks() -> None:
    check_layout(shipped_layout(SHIPPED), Place("two_rooms.json"))
