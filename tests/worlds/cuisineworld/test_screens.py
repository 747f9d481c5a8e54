"""What is drawn: orders as windows, tools and bodies as lanes, the kitchen as a scene, keys."""

from __future__ import annotations

from msgspec.structs import replace

from backburner.kernel.activities import Activity, activities
from backburner.kernel.assessment import Window
from backburner.kernel.replay import windows_of
from support.cuisineworld.play import MEATCAKE, after, episode_of, steps_of, world_of


def test_orders_are_windows_from_arrival_to_deadline() -> None:
    """Orders of τ = 3.0 come every 9 steps and wait for 23; the cake of step 13 serves the first."""
    world = world_of("level_0@bodies=1,tau=3.0")
    windows = windows_of(episode_of(world, *MEATCAKE), world)
    cake, table = "salmonMeatcake", "servingtable0"
    assert windows[:3] == (
        Window(table, cake, 0, 23, "kept", 13),
        Window(table, cake, 9, 32, "missed"),
        Window(table, cake, 18, 41, "missed"),
    )
    assert [window.state for window in windows[-2:]] == ["open", "open"]
    assert len(windows) == 7


def test_bodies_and_tools_have_lanes() -> None:
    world = world_of("level_0@bodies=1")
    found = activities(episode_of(world, *MEATCAKE[:9], "get_agent0_blender0").events())
    assert Activity("blender0", "salmonMeatcake", 8, 10) in found
    assert Activity("agent0", "activate blender0", 8, 9) in found
    assert Activity("agent0", "get blender0", 9, 10, "refused") in found
    assert {activity.end - activity.start for activity in found if activity.lane == "agent0"} == {1}


def test_a_tool_that_works_in_no_time_has_marks() -> None:
    """Also where what it made is taken in the same step."""
    world = world_of("level_3@bodies=2")
    start, thing = world.start(), world.compiled.thing_number
    mixer = world.compiled.place_number["mixer0"]
    content = {mixer: (thing["tunaSashimi"], thing["cookedRice"])}
    inside = tuple(content.get(place, ()) for place in range(len(start.inside)))
    ready = replace(start, at=(mixer, mixer), inside=inside)
    (step,) = steps_of(world, "activate_agent0_mixer0 get_agent1_mixer0", state=ready)
    assert not step.refusals
    made = [activity for activity in activities(step.events) if activity.lane == "mixer0"]
    assert made == [Activity("mixer0", "tunaSushi", 0, 0)]


def test_the_score_curve_counts_orders_served() -> None:
    events = list(episode_of(world_of("level_0@bodies=1"), *MEATCAKE * 2).events())
    assert [(event.time, event.value) for event in events if event.what == "score"] == [(13, 1), (26, 2)]


def test_the_scene_shows_places_bodies_and_orders() -> None:
    world = world_of("level_0")
    scene = world.scene(after(world, *MEATCAKE[:9], "goto_agent0_storage0"))
    blender = next(place for place in scene.places if place.name == "blender0")
    assert [thing.kind for thing in blender.stack] == ["salmonMeatcake"]
    assert [body.place for body in scene.bodies] == ["storage0", "servingtable0"]
    assert [thing.kind for thing in scene.beside] == ["salmonMeatcake"] * 2
    assert [thing.name for thing in scene.beside] == ["salmonMeatcake, order 0", "salmonMeatcake, order 1"]
    # Activated in the ninth step: after it the blender has done one step of two.
    at_work = next(p for p in world.scene(after(world, *MEATCAKE[:9])).places if p.name == "blender0")
    assert (at_work.progress[0].done, at_work.progress[0].full) == (1, 2)


def test_a_seat_is_shown_no_timers_and_only_orders_that_it_knows() -> None:
    world = world_of("level_0@orders=hidden")
    state = after(world, *MEATCAKE[:9], "goto_agent1_storage0")
    for place in world.scene(state, "dispatcher").places:
        assert not place.progress
    away = after(world, "goto_agent0_storage0 goto_agent1_storage0", *["noop_agent0"] * 5)
    assert len(world.scene(away).beside) == 2
    assert len(world.scene(away, "dispatcher").beside) == 1


def test_keys_and_clicks_have_actions_of_this_world() -> None:
    world = world_of("level_3")
    for _, entry in world.controls.entries():
        assert entry.name in world.verbs
        assert entry.param in (None, *world.verbs[entry.name])
    at_storage = after(world, "goto_agent0_storage0")
    fetched = [o for o in world.menu(at_storage, "dispatcher").options if o.verb == "fetch"]
    assert world.verbs["fetch"] == ("item", "place")
    assert [option.things for option in fetched] == [
        (item, "storage0") for item in ("tuna", "salmon", "rice")
    ]
