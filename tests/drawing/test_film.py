from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.drawing.scene import moving_svg
from backburner.drawing.scene.appearance import NONE
from backburner.drawing.scene.picture import Stage, film_of, first_scene
from backburner.drawing.scene.pieces import Part
from backburner.kernel import registry
from backburner.kernel.play import play_now
from backburner.kernel.replay import shots_of
from backburner.kernel.view import Body, Place, Scene, Shot, Thing
from drawing.samples import parsed
from drawing.scenes import kitchen, scenes
from support.robotouille.kitchens import world_in
from support.scripted import Scripted
from support.small_worlds.relay import Relay
from support.undrawn import undraw

# patty1 is put on the stove at 0-1, cooks from 1 to 5 (3 steps after the one that starts it), while the
# robot says something unreadable, walks to the table, and waits; then it takes the patty.
DINNER = (
    "robot1 cooks patty1 on stove1",
    "robot1 sings <b>",
    "robot1 goes from stove1 to table1",
    "wait",
    "robot1 goes from table1 to stove1",
    "robot1 takes patty1 from stove1",
    "finish",
)


def dinner():
    world = world_in(["stove patty", "table bread"])
    episode = play_now(world, Scripted(DINNER))
    assert episode.ending.numbers["steps"] == 5
    return episode, shots_of(episode, world)


def taken(scenes):
    """Shots of these scenes, a step each."""
    return [Shot(scene, number, number - 1) for number, scene in enumerate(scenes)]


def frame(film, number):
    """What the page's script puts on the stage: of each actor its last cut up to the frame."""
    shown = {}
    for actor in film.actors:
        cuts = [cut for cut in actor.cuts if cut[0] <= number]
        if cuts and cuts[-1][3] >= 0:
            _, x, y, drawing = cuts[-1]
            shown[actor.name] = Part(x, y, film.drawings[drawing])
    return shown


def rounded(parts):
    return {name: Part(round(part.x, 2), round(part.y, 2), part.markup) for name, part in parts.items()}


@settings(max_examples=40)
@given(st.lists(scenes(), min_size=1, max_size=5))
def test_every_frame_of_a_film_is_its_scene(shown):
    stage = Stage(shown, NONE)
    film = film_of(stage, taken(shown))
    for number, scene in enumerate(shown):
        assert frame(film, number) == rounded(stage.parts(scene))


def test_what_stays_as_it_is_has_one_cut():
    film = film_of(Stage([kitchen()] * 30, NONE), taken([kitchen()] * 30))
    assert all(len(actor.cuts) == 1 for actor in film.actors)


def test_only_what_moves_moves():
    """The places and sizes of cells are those of all scenes together."""
    shown = [shot.scene for shot in dinner()[1]]
    stage = Stage(shown, NONE)
    for before, after in pairwise(map(stage.parts, shown)):
        assert {name: part[:2] for name, part in before.items() if name.startswith("place")} == {
            name: part[:2] for name, part in after.items() if name.startswith("place")
        }


def test_each_recorded_step_has_its_frames():
    episode, shots = dinner()
    assert [shot.step for shot in shots] == [-1, *range(len(episode.entries))]
    film = film_of(Stage([shot.scene for shot in shots], NONE), shots)
    assert film.times == [shot.time for shot in shots] == [0, 1, 1, 2, 3, 4, 5, 5]
    assert film.steps == [-1, *range(7)]


def test_the_first_scene_is_drawn_without_a_script():
    _, shots = dinner()
    picture = parsed(first_scene(Stage([shot.scene for shot in shots], NONE), NONE))
    stage = next(e for e in picture.iter() if e.get("class") == "actors")
    assert "patty1" in "".join(stage.itertext())


def test_foreign_words_are_escaped_in_drawings():
    scenes = [Scene(4, 1, caption="</script><script>'&'")] * 2
    (drawing,) = film_of(Stage(scenes, NONE), taken(scenes)).drawings
    assert "&lt;/script&gt;&lt;script&gt;&#39;&amp;&#39;" in drawing


def test_any_world_that_can_be_drawn_can_be_replayed():
    episode = play_now(Relay(), Scripted(("oil", "press red", "rest", "nod")))
    shots = shots_of(episode, Relay())
    assert len(shots) == len(episode.entries) + 1
    assert film_of(Stage([shot.scene for shot in shots], NONE), shots).actors


def test_a_world_that_cannot_be_drawn_has_no_scenes(monkeypatch):
    undraw(monkeypatch)
    episode = play_now(registry.world("timearena/cooking1"), Scripted(()))
    assert shots_of(episode) == ()


def test_a_film_as_a_picture_shows_each_scene_in_its_time_and_stands_still_on_request():
    """Three scenes, each a fifth of the film and the last three fifths: the cook walks, a dish appears."""

    def seen(x, *things):
        cook = Body("cook", "chef", at=(x, 0))
        table = Place("table", "table", at=(2, 0), stack=tuple(Thing(thing, thing) for thing in things))
        return Scene(3, 1, places=(table,), bodies=(cook,))

    shots = [Shot(seen(0), 0, -1), Shot(seen(1), 1, 0), Shot(seen(1, "dish"), 2, 1)]
    picture = moving_svg(shots, title="a film")
    rules = re.findall(r"@keyframes k\d+\{(.*?)\}\}", picture)
    assert [rule for rule in rules if "visibility" in rule] == [
        "0.00%{visibility:visible}40.00%{visibility:hidden}100%{visibility:hidden",
        "0.00%{visibility:hidden}40.00%{visibility:visible}100%{visibility:visible",
    ]
    (walk,) = (rule for rule in rules if "translate" in rule)
    assert [float(stop) for stop in re.findall(r"([\d.]+)%", walk)] == [0, 12, 20, 100]
    assert "@media (prefers-reduced-motion: reduce)" in picture and "<script" not in picture
    assert "<title>a film</title>" in picture and picture.count("<title>") == 1
