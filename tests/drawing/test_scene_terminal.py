from __future__ import annotations

import io

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

import backburner
from backburner.drawing.scene import scene_text
from backburner.kernel.view import Place, Scene, Thing
from drawing.scenes import kitchen, scenes


def printed(scene, width=100, **more):
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(scene_text(scene, width=width, **more))
    return console.file.getvalue().splitlines()


def test_a_kitchen_in_rows_of_two_lines():
    lines = printed(kitchen())
    assert lines[0] == "Make a burger & a <soup>"
    assert lines[1].split() == ["▌stove1", "▌stove2", "▌oven1"]
    assert lines[2].split() == ["▌patty1", "▌pot1", "▌"]
    # two robots share a cell; the first one looks up, the second holds a plate
    assert lines[3].split() == ["▲robot1+1"] and lines[4].split() == ["plate1"]
    # the top of the burger, and two layers below it
    assert lines[5].split() == ["▌table1"] and lines[6].split() == ["▌topbun1+2"]
    told = "\n".join(lines[7:])
    assert "patty1 (cook 2/4)" in told and "oven1: bake 1/8 paused" in told
    assert "pot1 with water1 (boiling) with tomato1 (cut)" in told
    assert "topbun1, cheese1, bottombun1" in told and "beside: order1 (late)" in told
    assert "robot1 at stove1, says: The patty needs two more steps" in told


def test_labels_stand_before_the_names_of_places():
    lines = printed(kitchen(), labels={"stove1": "a", "stove2": "b"})
    assert lines[1].split()[:4] == ["▌a", "stove1", "▌b", "stove2"]
    assert any("a stove1: patty1" in line for line in lines[7:])


def test_where_cells_are_narrow_things_keep_their_numbers():
    places = tuple(
        Place(f"table{x}", "table", (x, 0), stack=(Thing(f"bottombun{x}", ""),)) for x in range(12)
    )
    lines = printed(Scene(12, 1, places), width=72)
    assert lines[0].split()[:2] == ["▌tab0", "▌tab1"] and lines[1].split()[-1] == "▌bo11"
    assert "table11: bottombun11" in "\n".join(lines)


def test_of_a_map_only_what_is_there_is_drawn_and_its_cells_are_told():
    """15 x 28 cells with seven things on them; the farm counts its own cells from (-11, -16)."""
    world = backburner.world("minecraft/level_1@tau=1.5")
    lines = printed(world.scene(world.start()), width=80)
    assert len(lines) < 24 and max(map(cell_len, lines)) <= 80
    rows = [line.split() for line in lines[1:-1:2]]
    assert [row[0] for row in rows[:3]] == ["●alex", "▌sheep", "▌furnace"] and rows[1][1] == "▌chicken"
    told = "\n".join(lines[-5:])
    assert "alex (-10, -15)" in told and "steve (-10, 10)" in told and "oak_log (2, 4)" in told
    assert "left out" in lines[-1]


@settings(max_examples=60)
@given(scenes(), st.integers(1, 160))
def test_the_grid_keeps_to_the_width(scene, width):
    """As long as a cell has three characters and a gap at the least."""
    rows = scene_text(scene, width=width).renderables
    grid = rows[bool(scene.caption) :][: 2 * scene.height]
    assert all(cell_len(row.plain) <= max(width, 4 * scene.width) for row in grid)
    assert printed(scene, 40)
