from __future__ import annotations

import json
import re
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.drawing.replay import film_of, replay_html
from backburner.drawing.scene.appearance import NONE
from backburner.drawing.scene.picture import Part, Stage
from backburner.kernel import registry
from backburner.kernel.play import play_now
from backburner.kernel.replay import shots_of
from backburner.kernel.view import Scene, Shot
from drawing.samples import parsed
from drawing.scenes import kitchen, scenes
from drawing.test_timeline_page import Scripted
from support.relay import Relay
from support.robotouille import world_in

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


def film_in(page):
    return json.loads(parsed(page).find(".//script[@id='film']").text)


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


@settings(max_examples=40, deadline=None)
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


def test_the_page_plays_scenes_steps_and_timeline():
    episode, shots = dinner()
    assert [shot.step for shot in shots] == [-1, *range(len(episode.entries))]
    page = replay_html(episode, shots)
    assert page.count("<svg") == 2
    assert film_in(page)["times"] == [shot.time for shot in shots] == [0, 1, 1, 2, 3, 4, 5, 5]
    rows = [row.get("data-step") for row in parsed(page).iter("tr") if row.get("data-step")]
    assert rows == ["0", "1", "2", "3", "4", "5", "6"]
    assert "robot1 sings &lt;b&gt;" in page and "refused: unknown action" in page
    assert f"robotouille, version {episode.header.world_version}" in page and "ended: finish" in page
    axis = next(group for group in parsed(page).iter() if group.get("class") == "axis")
    assert float(axis.get("data-scale")) > 0 and axis.get("data-begin") == "0"


def test_without_its_script_the_page_shows_the_first_scene():
    page = replay_html(*dinner())
    stage = next(e for e in parsed(page).iter() if e.get("class") == "actors")
    assert "patty1" in "".join(stage.itertext())
    assert parsed(page).find(".//*[@id='controls']").get("hidden") == "hidden"


def test_the_page_needs_nothing_from_elsewhere():
    page = replay_html(*dinner()).replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|@import|<img|src=|href=", page)


def test_foreign_words_cannot_leave_their_place():
    """Neither in the markup nor in the script's data."""
    episode, _ = dinner()
    page = replay_html(episode, taken([Scene(4, 1, caption="</script><script>'&'")] * 2))
    assert page.count("<script") == 2 and page.count("</script>") == 2
    (drawing,) = film_in(page)["drawings"]
    assert "&lt;/script&gt;&lt;script&gt;&#39;&amp;&#39;" in drawing


def test_any_world_that_can_be_drawn_can_be_replayed():
    episode = play_now(Relay(), Scripted(("oil", "press red", "rest", "nod")))
    shots = shots_of(episode, Relay())
    assert len(shots) == len(episode.entries) + 1
    assert parsed(replay_html(episode, shots)) is not None


def test_a_world_that_cannot_be_drawn_has_no_scenes():
    episode = play_now(registry.world("timearena/cooking1"), Scripted(()))
    assert shots_of(episode) == ()
