"""TimeArena as a board: what has become of each thing, and what goes on with it, as far as was told."""

from __future__ import annotations

from msgspec.structs import replace

from backburner.kernel.view import Place, Progress, Scene
from backburner.worlds.timearena.game.state import State
from backburner.worlds.timearena.game.world import TimeArena
from support.timearena.play import world_of


def after(world: TimeArena, *lines: str) -> State:
    state = world.start()
    for line in lines:
        step = world.step(state, {"agent": world.parse(state, "agent", line)})
        assert not step.refusals
        state = step.state
    return state


def on(scene: Scene, name: str) -> Place:
    return next(place for place in scene.places if place.name == name)


def test_things_have_the_state_that_was_told_last() -> None:
    world = world_of("household1")
    assert [(place.name, place.marks) for place in world.scene(world.start(), "agent").places] == [
        ("tea", ("dry",)),
        ("kettle", ("inactive",)),
        ("teapot", ("dirty",)),
        ("cup", ("dirty",)),
    ]
    # The kettle goes on by itself from 0 to 4 and holds the agent for the first minute; the teapot is washed
    # in the second: at minute 2 the kettle has come to 2 of 4.
    scene = world.scene(after(world, "activate kettle", "wash teapot"), "agent")
    assert on(scene, "teapot").marks == ("clean",)
    assert on(scene, "kettle") == Place(
        "kettle", "kettle", (1, 0), ("inactive",), progress=(Progress("activate kettle", 2, 4),)
    )
    assert scene.cards and on(scene, "cup").progress == ()


def test_what_was_reported_into_silence_is_not_seen_before_it_is_told() -> None:
    world = world_of("household1")
    state = after(world, "activate kettle")
    silent = world.step(state, {"agent": world.silence(state, "agent", 10)}).state
    assert silent.untold == (("kettle", "done"),)
    assert on(world.scene(silent, "agent"), "kettle").marks == ("inactive",)
    assert on(world.scene(silent), "kettle").marks == ("done",)


def test_an_agent_does_not_see_how_far_the_clock_of_the_world_lags_behind_its_own() -> None:
    world = world_of("household1")
    lagging = replace(after(world, "activate kettle"), lost_minutes=1)
    assert on(world.scene(lagging, "agent"), "kettle").marks == ("inactive", "in use")
    assert on(world.scene(lagging, "agent"), "kettle").progress == ()
    assert on(world.scene(lagging), "kettle").progress == (Progress("activate kettle", 0, 4),)
