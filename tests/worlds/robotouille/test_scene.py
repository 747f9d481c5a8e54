"""What a kitchen looks like: where things are, what has become of them, how far work has come."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.kernel import registry
from backburner.kernel.menu import Menus
from backburner.kernel.view import Body, Place, Progress, Scene, Thing, View
from backburner.worlds.robotouille.game.view import stands
from backburner.worlds.robotouille.game.world import Robotouille
from support.robotouille.greenhouse import OPENING, greenhouse
from support.robotouille.kitchens import say, world_in


def place(scene: Scene, name: str) -> Place:
    return next(place for place in scene.places if place.name == name)


def thing(scene: Scene, name: str) -> Thing:
    return next(thing for thing in scene.things() if thing.name == name)


def body(scene: Scene, name: str = "robot1") -> Body:
    return next(body for body in scene.bodies if body.name == name)


def test_a_small_kitchen() -> None:
    """Row 1 of the file is the upper one of the two: files count from below, scenes from above."""
    world = world_in(["stove patty", "table bread cheese"], goal_description="A patty")
    scene = world.scene(world.start())
    assert scene == Scene(
        2,
        2,
        (
            Place("stove1", "stove", (0, 0), stack=(Thing("patty1", "patty", (), ("cookable",)),)),
            Place("table1", "table", (1, 0), stack=(Thing("bread1", "bread"), Thing("cheese1", "cheese"))),
        ),
        (Body("robot1", "robot", (0, 1), (0, -1), "stove1"),),
        (),
        "A patty",
    )


def test_what_cooks_shows_how_far_it_is_and_pauses_in_the_hand() -> None:
    world = world_in(["stove patty", "table"])
    state = say(world, world.start(), "robot1 cooks patty1 on stove1")
    # the tick of the step that starts it counts; done with the 4th
    assert thing(world.scene(state), "patty1").progress == (Progress("cook", 1, 4),)
    assert "cooking" in thing(world.scene(state), "patty1").marks
    state = say(world, state, "robot1 takes patty1 from stove1")
    held = Thing("patty1", "patty", (), ("cookable",), (Progress("cook", 1, 4, paused=True),))
    assert body(world.scene(state)).holding == (held,)
    state = say(world, state, "robot1 puts patty1 on stove1", "Wait", "Wait")
    patty = thing(world.scene(state), "patty1")
    assert (patty.marks, patty.progress) == (("cooked",), ())


def test_cuts_are_counted() -> None:
    world = world_in(["board lettuce"])
    cut = "robot1 cuts lettuce1 on board1"
    state = say(world, world.start(), cut, cut)
    assert thing(world.scene(state), "lettuce1").progress == (Progress("cut", 2, 3),)
    state = say(world, state, cut)
    assert thing(world.scene(state), "lettuce1").marks == ("cut",)


def test_a_seat_is_not_shown_how_far_things_have_come() -> None:
    """As in its text: timers are hidden, that something is cooking is not."""
    world = world_in(["stove patty"])
    state = say(world, world.start(), "robot1 cooks patty1 on stove1")
    patty = thing(world.scene(state, "robot1"), "patty1")
    assert (patty.marks, patty.progress) == (("cooking",), ())


def test_a_soup_is_in_its_pot_with_what_was_added() -> None:
    """Filling takes 4 ticks, the first of them in the step that starts it."""
    world = world_in(["sink pot", "table tomato", "table bowl"])
    state = say(world, world.start(), "robot1 fills pot1 with water at sink1")
    assert thing(world.scene(state), "pot1").progress == (Progress("fill-pot", 1, 4),)
    for action in (
        "robot1 goes from sink1 to table1",
        "robot1 takes tomato1 from table1",
        "robot1 goes from table1 to sink1",
        "robot1 adds tomato1 to what is in pot1",
    ):
        state = say(world, state, action)
    tomato = Thing("tomato1", "tomato", (), ("cuttable",))
    water = Thing("water1", "water", inside=(tomato,))
    assert place(world.scene(state), "sink1").stack == (Thing("pot1", "pot", inside=(water,)),)
    state = say(
        world,
        state,
        "robot1 takes pot1 from sink1",
        "robot1 goes from sink1 to table2",
        "robot1 pours what is in pot1 into bowl1",
    )
    scene = world.scene(state)
    assert place(scene, "table2").stack == (Thing("bowl1", "bowl", inside=(water,)),)
    assert body(scene).holding == (Thing("pot1", "pot"),)


# --- where robots stand ----------------------------------------------------------------------------


def test_a_robot_stands_where_it_began_else_on_the_first_free_cell_beside() -> None:
    stove, board = (1, 1), (1, 2)
    usual = {7: ((0, 1), (1, 0))}
    # it began to the left of the stove and looks right
    assert stands({7: stove}, usual, {stove, board}, (3, 4)) == {7: ((0, 1), (1, 0))}
    # below the board is free; from there it looks up
    assert stands({7: board}, usual, {stove, board}, (3, 4)) == {7: ((1, 3), (0, -1))}


def test_robots_share_a_cell_only_if_they_have_to() -> None:
    left, right = (0, 0), (2, 0)
    # one row: robot 2 could stand only at (1, 0), robot 1 also at (3, 0)
    found = stands({1: right, 2: left}, {}, {left, right}, (4, 1))
    assert found == {1: ((3, 0), (-1, 0)), 2: ((1, 0), (-1, 0))}
    found = stands({1: right, 2: left}, {}, {left, right}, (3, 1))
    assert found == {1: ((1, 0), (1, 0)), 2: ((1, 0), (-1, 0))}


def test_a_robot_before_a_walled_in_station_stands_nowhere() -> None:
    assert stands({1: (0, 0)}, {}, {(0, 0), (1, 0)}, (2, 1)) == {1: (None, (0, 0))}


# --- other domains ---------------------------------------------------------------------------------


def test_a_greenhouse_is_drawn_by_its_own_words() -> None:
    """Nothing in a scene knows the published domain: placement comes from the domain's file."""
    world = greenhouse()
    state = say(world, world.start(), *OPENING)
    scene = world.scene(say(world, state, "Water bed1 as gardener1"))
    bed = place(scene, "bed1")
    assert bed.marks == ("sown",)
    assert Progress("water", 1, 2) in bed.progress and Progress("sow", 0, 4, paused=True) in bed.progress
    assert body(scene, "gardener1").place == "bed1"
    state = say(world, state, *["Water bed1 as gardener1"] * 2, *["Wait"] * 3)
    seedling = place(world.scene(state), "bed1").stack[0]
    assert (seedling.name, seedling.marks) == ("seedling1", ("tender",))


# --- everything is there ---------------------------------------------------------------------------

IDS = (
    "synchronous/3@seed=42",
    "asynchronous/9",
    "asynchronous/4@seed=84",
    "multi_agent/8@play=dispatcher,seed=42",
    "multi_agent/9@height=12,noise=40,play=together,robots=4,seed=42,width=12",
)


def names_of(world: Robotouille, kitchen: object) -> set[str]:
    layout = world.compiled.layout(kitchen)  # type: ignore[arg-type]
    gone = kitchen.gone  # type: ignore[attr-defined]
    return {thing.name for index, thing in enumerate(layout.objects) if not gone >> index & 1}


@pytest.mark.slow
@settings(max_examples=15)
@given(st.sampled_from(IDS), st.integers(0, 10_000))
def test_on_any_walk_everything_is_in_the_scene_once(id: str, seed: int) -> None:
    world = registry.world(f"robotouille/{id}", limits="none")
    draw, state = random.Random(seed), world.start()
    for _ in range(25):
        seats = world.deciders(state)
        decisions = {}
        for seat in seats:
            options = world.menu(state, seat).options
            weights = [1 if option.verb in ("move", "wait") else 8 for option in options]
            decisions[seat] = draw.choices(options, weights)[0].decision
        state = world.step(state, decisions).state
        scene = world.scene(state)
        shown = [one.name for one in (*scene.places, *scene.bodies, *scene.things())]
        assert Counter(shown) == Counter(names_of(world, state.kitchen))
        assert not scene.beside, "in the published domain everything has a place"
        free = {place.at for place in scene.places}
        assert all(body.at is not None and body.at not in free for body in scene.bodies)


def test_things_without_a_place_are_beside() -> None:
    objects = [{"name": "water", "type": "meal"}, {"name": "stove", "type": "station"}]
    facts = [{"predicate": "item_at", "args": ["bread1", "stove1"]}]
    world = world_in(["table"], objects=[*objects, {"name": "bread", "type": "item"}], facts=facts)
    stove = Thing("stove1", "stove", inside=(Thing("bread1", "bread"),))
    assert world.scene(world.start()).beside == (stove, Thing("water1", "water"))


def test_the_world_has_both_capabilities() -> None:
    world = world_in(["table"])
    assert isinstance(world, View) and isinstance(world, Menus)


# --- keys --------------------------------------------------------------------------------------------


def test_every_shipped_key_is_for_an_action_of_the_domain() -> None:
    world = world_in(["table"])
    assert sorted(entry.name for _, entry in world.controls.entries()) == sorted(world.verbs)
    assert world.controls.known(world.verbs) == world.controls


def test_another_domain_keeps_the_keys_of_the_actions_that_it_has() -> None:
    assert {entry.name for _, entry in greenhouse().controls.entries()} <= set(greenhouse().verbs)


@pytest.mark.parametrize("play", ["turns", "dispatcher"])
def test_options_name_body_verb_and_things(play: str) -> None:
    world = world_in(["table bread", "table"], robots=(0, 1), play=play)
    seat = world.seats[0]
    options = world.menu(world.start(), seat).options
    assert all(option.verb in world.verbs for option in options)
    take = next(option for option in options if option.verb == "pick-up-item")
    params = dict(zip(world.verbs[take.verb], take.things, strict=True))
    assert (params, take.body) == ({"i1": "bread1", "p1": "robot1", "s1": "table1"}, "robot1")
