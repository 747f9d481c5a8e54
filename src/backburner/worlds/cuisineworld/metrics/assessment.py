"""What metrics say beyond scores: orders as windows of time, from when they arrive to when they run out."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from backburner.kernel.assessment import Assessment, Window, WindowState
from backburner.kernel.episode import Episode
from backburner.kernel.replay import trajectory
from backburner.worlds.cuisineworld.game.kitchen import Kitchen
from backburner.worlds.cuisineworld.game.state import Order, State
from backburner.worlds.cuisineworld.game.world import CuisineWorld


def assessment(world: CuisineWorld) -> Assessment:
    """The windows of a record's orders."""

    def of(episode: Episode) -> tuple[Window, ...]:
        states = (step.state for _, _, step in trajectory(episode, world))
        return windows(world.kitchen, (world.start(episode.header.seed), *states))

    return Assessment(windows=of)


class Course(Struct, frozen=True):
    """An order from ``arrived`` (a step's end) on: ``closed`` when it was ``served`` or ran out, if ever."""

    dish: int
    number: int
    arrived: int
    runs_out: int
    closed: int | None
    served: bool


def courses(states: Iterable[State]) -> list[Course]:
    """Every order of an episode, from the states that it went through, by when it arrived."""
    found: dict[int, Course] = {}
    before: dict[int, Order] = {}
    for state in states:
        now = {order.number: order for order in state.orders}
        for number, order in before.items():
            if number not in now:
                old = found[number]
                found[number] = Course(
                    old.dish, number, old.arrived, old.runs_out, state.steps, served=order.left > 0
                )
        for number, order in now.items():
            if number not in found:
                runs_out = state.steps + order.left
                found[number] = Course(order.dish, number, state.steps, runs_out, None, served=False)
        before = now
    return list(found.values())


def windows(kitchen: Kitchen, states: Iterable[State]) -> tuple[Window, ...]:
    """The windows of an episode's orders, on the lane of the first serving table."""
    lane = kitchen.places[kitchen.start]
    return tuple(
        Window(
            lane,
            kitchen.dishes[course.dish],
            course.arrived,
            course.runs_out,
            _state(course),
            course.closed if course.served else None,
        )
        for course in courses(states)
    )


def _state(course: Course) -> WindowState:
    if course.closed is None:
        return "open"
    return "kept" if course.served else "missed"
