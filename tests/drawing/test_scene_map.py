"""Wide scenes as maps: ground, marks with names that can be read, cards of what is held."""

from __future__ import annotations

from itertools import combinations, groupby, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.drawing import palette
from backburner.drawing.palette import following_scheme
from backburner.drawing.scene import scene_svg
from backburner.drawing.scene.appearance import NONE
from backburner.drawing.scene.map import Map, is_map
from backburner.drawing.scene.picture import film_of, first_scene, in_words, stage_of
from backburner.kernel.reported import Ground, Other
from backburner.kernel.view import Body, Place, Progress, Scene, Shot, Thing
from drawing.samples import SVG, parsed
from drawing.scenes import size, texts


def farm(**changes):
    """20 by 15 cells whose first is (-3, 5) of the world's own."""
    places = (
        Place("furnace", "furnace", (10, 3), marks=("burning",), stack=(Thing("coal", "coal", ("x 3",)),)),
        Place("chest", "chest", (10, 4)),
        Place("cow 1", "cow", (2, 2)),
        Place("cow 2", "cow", (3, 2), progress=(Progress("grazing", 1, 4),)),
    )
    bodies = (Body("alex", "agent", (5, 5), holding=(Thing("egg", "egg"),)), Body("steve", "agent", (5, 5)))
    scene = Scene(20, 15, places, bodies, (Thing("order 1", "beef"),), "step 3", (-3, 5))
    return replace(scene, **changes)


def ground(height=lambda x, z: 0, kind=lambda x, z: "grass_block", **more):
    """24 by 19 columns around the farm."""
    width, depth, corner = 24, 19, (-5, 3)
    cells = [(kind(x, z), height(x, z)) for z in range(depth) for x in range(width)]
    kinds = sorted({kind for kind, _ in cells})
    runs = tuple((len(list(same)), kinds.index(kind), high) for (kind, high), same in groupby(cells))
    return Ground(corner, width, depth, tuple(kinds), runs, **more)


def blocks(svg):
    """The columns of each kind of block that are drawn, from the paths' rectangles."""
    found = {}
    for path in parsed(svg).iter(f"{SVG}path"):
        if path.get("class") == "block":
            found[path.findtext(f"{SVG}title")] = covered(path.get("d"))
    return found


def covered(d):
    """Columns covered by rectangles ``Mx yhWvHh-Wz``."""
    cells = []
    for part in d.split("M")[1:]:
        at, _, rest = part.partition("h")
        x, y = map(int, at.split())
        wide, _, rest = rest.partition("v")
        high = rest.partition("h")[0]
        cells += [(x + right, y + down) for down in range(int(high)) for right in range(int(wide))]
    assert len(cells) == len(set(cells)), "no column is drawn twice"
    return set(cells)


def test_few_things_on_many_cells_are_a_map_and_so_is_ground_that_was_seen():
    crowded = replace(farm(), places=tuple(Place(f"p{n}", "table", (n % 20, n // 20)) for n in range(60)))
    assert is_map([farm()]) and not is_map([crowded]) and not is_map([replace(farm(), width=10)])
    assert is_map([replace(farm(), width=10, ground=ground())])
    assert is_map([crowded, replace(farm(), ground=ground())])


def test_names_are_there_and_what_is_held_and_lies_about():
    svg = scene_svg(farm(), title="a farm")
    words = [text.what for text in texts(svg)]
    for word in ("furnace", "chest", "cow 1", "alex", "steve", "egg", "coal", "step 3", "a farm", "order 1"):
        assert word in words
    assert "grazing 1/4" in words
    assert parsed(svg).findtext(f"{SVG}desc") == in_words(farm())
    assert "alex at column 6, row 6 holds egg" in in_words(farm())
    assert "furnace at column 11, row 4, burning with coal x 3" in in_words(farm())


def test_the_ground_is_drawn_where_it_is():
    seen = ground(kind=lambda x, z: "water" if z == 4 and 3 <= x < 9 else "" if x == 0 else "grass_block")
    drawn = blocks(scene_svg(farm(ground=seen)))
    assert drawn["water"] == {(x, 4) for x in range(3, 9)}
    assert drawn["grass_block"] == {(x, z) for x in range(1, 24) for z in range(19)} - drawn["water"]
    stage = Map([farm(ground=seen)], NONE)
    # alex is on cell (5, 5) of the scene, (2, 10) of the world: column 7, row 7 of the ground
    alex = stage.parts(farm(ground=seen))["body alex"]
    assert (alex.x, alex.y) == pytest.approx((8 + 7.5 * stage.cell, stage.top + 7.5 * stage.cell))


def test_what_is_high_is_lighter_and_what_is_low_darker_in_both_schemes():
    svg = scene_svg(farm(ground=ground(height=lambda x, z: 2 if x == 3 else -1 if x == 5 else 0)))
    shades = {
        (path.get("fill"), path.get("fill-opacity")): covered(path.get("d"))
        for path in parsed(svg).iter(f"{SVG}path")
        if path.get("fill-opacity")
    }
    assert shades == {
        ("white", "0.18"): {(3, z) for z in range(19)},
        ("black", "0.09"): {(5, z) for z in range(19)},
    }
    assert 'fill="white"' in following_scheme(svg) and 'fill="black"' in following_scheme(svg)


def test_a_picture_of_its_own_has_both_schemes():
    svg = scene_svg(farm(ground=ground()))
    both = following_scheme(svg)
    grass = palette.block("grass_block")[1:]
    assert f"--c-{grass}: #" in both and f"var(--c-{grass},#{grass})" in both
    assert "prefers-color-scheme: dark" in both and parsed(both) is not None


def test_north_the_scale_and_where_it_was_seen_stand_below():
    words = [text.what for text in texts(scene_svg(farm(ground=ground(source="a server of Maya's"))))]
    assert "north" in words and "5 blocks" in words and "a server of Maya's" in words
    assert "north" not in [text.what for text in texts(scene_svg(farm()))]


def test_a_fire_is_seen():
    def burning(**changes):
        lit = [
            path.get("fill")
            for path in parsed(scene_svg(farm(**changes))).iter(f"{SVG}path")
            if path.get("fill") == "#e8590c"
        ]
        return len(lit)

    assert burning() == 1
    cold = tuple(replace(place, marks=()) for place in farm().places)
    assert burning(places=cold) == 0


def test_others_are_told_apart_and_their_names_are_only_words():
    others = (
        Other("player", (2.5, 9.5), "</svg><script>Maya"),
        Other("cow", (4.0, 9.0)),
        Other("pig", (900.0, 9.0), "far away"),
    )
    svg = scene_svg(farm(ground=ground(others=others)))
    assert "</svg><script>" not in svg and "far away" not in svg
    told = [title.text for title in parsed(svg).iter(f"{SVG}title")]
    assert "</svg><script>Maya (player)" in told and "cow" in told


def test_a_long_name_is_shortened():
    others = (Other("player", (2.5, 9.5), "M" * 80),)
    words = [text.what for text in texts(scene_svg(farm(ground=ground(others=others))))]
    assert "M" * 80 not in words and any(word.startswith("MMM") and word.endswith("…") for word in words)


@st.composite
def wide_scenes(draw):
    cells = st.tuples(st.integers(0, 19), st.integers(0, 14))
    at = draw(st.lists(cells, unique=True, max_size=20))
    kinds = st.sampled_from(["cow", "furnace", "chest", "oak_log", "stove"])
    words = st.text(max_size=30)
    stacks = st.builds(lambda name, n: (Thing(name, "egg"),) * n, words, st.integers(0, 2))
    places = tuple(
        Place(f"{draw(words)} {n}", draw(kinds), cell, stack=draw(stacks)) for n, cell in enumerate(at)
    )
    several = range(draw(st.integers(0, 4)))
    bodies = tuple(Body(f"{draw(words)} body {n}", "agent", draw(st.none() | cells)) for n in several)
    return Scene(20, 15, places, bodies, caption=draw(words), ground=draw(st.sampled_from([None, ground()])))


@settings(max_examples=60)
@given(wide_scenes())
def test_names_on_a_map_overlap_nothing_and_nothing_is_outside(scene):
    svg = scene_svg(scene, title="t")
    boxes = texts(svg)
    assert [box for box in boxes if not box.within(*size(svg))] == []
    names = {place.name for place in scene.places}
    marked = [box for box in boxes if box.what in names]
    assert [pair for pair in combinations(marked, 2) if pair[0].meets(pair[1])] == []
    stage = Map([scene], NONE)
    assert {f"place {name}" for name in names} <= stage.parts(scene).keys()


def test_in_a_film_only_what_moves_moves_though_scenes_show_more_or_less():
    """A later scene begins two cells farther west: what stands stays where it is on the map."""

    def moved(place, by):
        return replace(place, at=(place.at[0] + by, place.at[1]))

    alex, steve = farm().bodies
    first = farm(bodies=(alex, replace(steve, at=(7, 9))))
    later = farm(
        width=22,
        corner=(-5, 5),
        places=tuple(moved(place, 2) for place in first.places),
        bodies=(moved(first.bodies[0], 3), moved(first.bodies[1], 2)),
        ground=ground(),
    )
    stage = stage_of([first, later], NONE)
    assert isinstance(stage, Map)
    before, after = stage.parts(first), stage.parts(later)
    still = {name for name in before if not name.startswith("body alex")}
    assert {name: before[name][:2] for name in still} == {name: after[name][:2] for name in still}
    assert after["body alex"].x - before["body alex"].x == pytest.approx(stage.cell)
    # The ground that was seen later lies under the first scene as well.
    assert before["ground"] == after["ground"]
    film = film_of(stage, [Shot(scene, n, n - 1) for n, scene in enumerate((first, later))])
    assert next(actor for actor in film.actors if actor.name == "ground").cuts[0][0] == 0
    assert "furnace" in "".join(parsed(first_scene(stage, NONE)).itertext())


def test_ground_that_changes_is_drawn_anew():
    dug = ground(height=lambda x, z: -1 if (x, z) == (4, 4) else 0)
    scenes = [farm(ground=ground()), farm(ground=ground()), farm(ground=dug)]
    film = film_of(stage_of(scenes, NONE), [Shot(scene, n, n - 1) for n, scene in enumerate(scenes)])
    assert [cut[0] for cut in film.actors[0].cuts] == [0, 2] and film.actors[0].name == "ground"
    assert all(one[0] < other[0] for one, other in pairwise(film.actors[0].cuts))


def test_blocks_go_by_their_last_word_with_a_colour():
    assert palette.block("oak_planks") == palette.BLOCKS["planks"] != palette.block("oak_log")
    assert palette.block("stone_bricks") == palette.BLOCKS["brick"]
    assert palette.block("something") == palette.OTHER_BLOCK
    assert palette.is_block("grass_block") and not palette.is_block("mooshroom")


def test_what_is_beside_stands_between_the_map_and_the_cards():
    top = {text.what: text.y for text in texts(scene_svg(farm()))}
    assert top["chest"] < top["beside"] < top["order 1"] < top["egg"]


def test_ground_that_is_far_away_is_left_out():
    """Foreign ground does not make a map of millions of cells."""
    far = replace(ground(), corner=(50_000_000, -50_000_000))
    stage = Map([farm(ground=far), farm(ground=ground())], NONE)
    assert (stage.columns, stage.lines) == (24, 19)
    assert stage.parts(farm(ground=far))["ground"] == stage.parts(farm(ground=ground()))["ground"]
    assert "ground" not in Map([farm(ground=far)], NONE).parts(farm(ground=far))


def test_names_of_bodies_leave_those_of_places_free_where_they_can():
    beside = farm(bodies=(Body("alex", "agent", (11, 3)), Body("Maya", "person", (9, 6))))
    found = {
        text.what: text for text in texts(scene_svg(beside)) if text.what in ("furnace", "alex", "chest")
    }
    alex = [text for text in texts(scene_svg(beside)) if text.what == "alex"]
    assert not any(text.meets(found[place]) for text in alex for place in ("furnace", "chest"))
    fills = [circle.get("fill") for circle in parsed(scene_svg(beside)).iter(f"{SVG}circle")]
    assert palette.ALONE[4] in fills and palette.HANDS in fills
