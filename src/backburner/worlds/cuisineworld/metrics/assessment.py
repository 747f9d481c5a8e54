"""What metrics say beyond scores: orders as windows of time, from when they arrive to when they run out."""

from __future__ import annotations

from collections.abc import Iterable

from backburner.kernel.assessment import Assessment, Window, WindowState
from backburner.kernel.episode import Episode
from backburner.kernel.replay import trajectory
from backburner.worlds.cuisineworld.game.compiled import Compiled
from backburner.worlds.cuisineworld.game.state import State
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.orders import TrackedOrder, track_orders


def assessment(world: CuisineWorld) -> Assessment:
    """The windows of a record's orders."""

    def of(episode: Episode) -> tuple[Window, ...]:
        states = (step.state for _, _, step in trajectory(episode, world))
        return windows(world.compiled, (world.start(episode.header.seed), *states))

    return Assessment(windows=of)


def windows(compiled: Compiled, states: Iterable[State]) -> tuple[Window, ...]:
    """The windows of an episode's orders, on the lane of the first serving table."""
    lane = compiled.places[compiled.start]
    return tuple(
        Window(
            lane,
            compiled.dishes[order.dish],
            order.arrived,
            order.runs_out,
            _window_state(order),
            order.closed if order.served else None,
        )
        for order in track_orders((state.steps, state.orders) for state in states)
    )


def _window_state(order: TrackedOrder) -> WindowState:
    if order.closed is None:
        return "open"
    return "kept" if order.served else "missed"
