"""From when to when each order of a record waited, and when it was served."""

from __future__ import annotations

from collections.abc import Iterator

from backburner.kernel.assessment import Assessment, Window, WindowState
from backburner.kernel.episode import Episode
from backburner.kernel.replay import trajectory
from backburner.kernel.values import Event
from backburner.worlds.minecraft.game.facts import CHEST
from backburner.worlds.minecraft.game.levels import STEP_TICKS
from backburner.worlds.minecraft.game.order_book import arriving
from backburner.worlds.minecraft.game.state import State, seconds
from backburner.worlds.minecraft.game.world import Minecraft


def assessment(world: Minecraft) -> Assessment:
    """The windows of a record's orders."""
    return Assessment(windows=lambda episode: tuple(_windows(world, episode)))


def _windows(world: Minecraft, episode: Episode) -> Iterator[Window]:
    """On the lane of the chest, the order that came first before all others."""
    state = world.start(episode.header.seed)
    closed: dict[str, Event] = {}
    step_ticks = [0]
    for _, _, step in trajectory(episode, world):
        state = step.state
        if len(step_ticks) <= state.steps:
            step_ticks.append(state.ticks)
        closed |= {event.key: event for event in step.events if event.what in ("delivered", "expired")}
    for number in range(state.arrived):
        yield _window(world, state, step_ticks, number, closed.get(f"order {number}"))


def _window(
    world: Minecraft, state: State, step_ticks: list[int], number: int, event: Event | None
) -> Window:
    """The window of an order by its number; ``event``: how it ended, if it did."""
    compiled = world.compiled
    came = number * compiled.interval
    lost = int(world.rules.later_orders_lose_a_step and number > 0)
    order = arriving(compiled, state.stream, number, came, lost=lost)
    opens, closes = (_second(world, step_ticks, moment) for moment in (came, order.due))
    kind: WindowState = "open"
    if event is not None:
        kind = "kept" if event.what == "delivered" else "missed"
    met = event.time if event is not None and kind == "kept" else None
    return Window(CHEST, compiled.dishes[order.dish], opens, closes, kind, met)


def _second(world: Minecraft, step_ticks: list[int], moment: int) -> float:
    """A moment in what orders count as a second; a step that was never made is taken as one of usual
    length."""
    if world.compiled.unit == "ticks":
        return seconds(moment)
    beyond = max(0, moment - len(step_ticks) + 1)
    return seconds(step_ticks[min(moment, len(step_ticks) - 1)] + beyond * STEP_TICKS)
