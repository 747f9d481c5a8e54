"""The tutorial: what is asked in it can be done, in its order, and is seen when it is done."""

from __future__ import annotations

from backburner.kernel import registry
from backburner.kernel.pack import TutorialStep
from backburner.kernel.values import Event
from backburner.kernel.view import Scene
from backburner.worlds.clocked_kitchen.game.state import Input
from backburner.worlds.clocked_kitchen.pack import TUTORIAL

WORLD = registry.world(f"clocked_kitchen/{TUTORIAL.scenario}")

COMMANDS = (
    "get_agent0_potato_storage0",
    "put_agent0_chopboard1",
    "activate_agent0_chopboard1",
    "get_agent0_chopboard1",
    "put_agent0_fryer0",
    "activate_agent0_fryer0",
    "get_agent0_fryer0",
    "put_agent0_servingtable0",
)


def is_done(step: TutorialStep, scene: Scene, events: list[Event]) -> bool:
    places = [place for place in scene.places if {place.kind, place.name} & set(step.places)]
    assert places
    held = {thing.kind for body in scene.bodies for thing in body.holding}
    there = {thing.kind for place in places for thing in place.stack}
    seen = {event.what for event in events}
    return step.holds in {*held, ""} and step.has in {*there, ""} and step.event in {*seen, ""}


def test_each_step_is_done_by_its_command_and_not_before() -> None:
    assert WORLD.id == f"clocked_kitchen/{TUTORIAL.scenario}"  # a page knows it by this
    (seat,) = WORLD.seats
    state, events = WORLD.start(0), list[Event]()
    assert [order.kind for order in WORLD.scene(state).beside] == ["frenchFries"]
    for step, command in zip(TUTORIAL.steps, COMMANDS, strict=True):
        assert not is_done(step, WORLD.scene(state), events)
        done = WORLD.step(state, {seat: Input((command,), ticks=60)})
        assert not done.refusals
        state, events = done.state, [*events, *done.events]
        assert is_done(step, WORLD.scene(state), events)
    # 8 x 6 s; a person needs less, as tools are done in two seconds and walks in three
    assert state.tick == 480 and len(state.orders) == 0
