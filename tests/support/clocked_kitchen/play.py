"""Clocked kitchens for tests: plans drawn in the test, commands by the tick."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.files import Place
from backburner.kernel.values import Event, Refusal
from backburner.worlds.clocked_kitchen.game import ClockedKitchen, Input, Limits, Rules, Scenario
from backburner.worlds.clocked_kitchen.game.rule_set import STANDARD
from backburner.worlds.clocked_kitchen.game.scenarios import check_scenario
from backburner.worlds.clocked_kitchen.game.state import State


def scenario_of(id: str, plan: Sequence[str] = ()) -> Scenario:
    """The scenario of an id, on another plan if one is given."""
    scenario: Scenario = registry.scenario(f"clocked_kitchen/{id}")
    scenario = replace(scenario, plan=tuple(plan)) if plan else scenario
    check_scenario(scenario, Place("the test"))
    return scenario


def world_of(
    id: str, plan: Sequence[str] = (), rules: Rules = STANDARD, ticks: int | None = None
) -> ClockedKitchen:
    """A world without a limit, unless one is given."""
    return ClockedKitchen(f"clocked_kitchen/{id}", scenario_of(id, plan), rules, Limits(ticks))


class Played:
    """An ``asks=always`` world in play: what was commanded, and what came of it."""

    def __init__(self, world: ClockedKitchen) -> None:
        self.world = world
        self.state: State = world.start()
        self.events: list[Event] = []
        self.refusals: list[Refusal] = []

    def do(self, *commands: str, ticks: int = 1) -> Played:
        """Commands, each from the seat of its body (else the first), then so many ticks in all."""
        by_seat: dict[str, tuple[str, ...]] = dict.fromkeys(self.world.seats, ())
        for command in commands:
            body, owner = command.split("_")[1], self.world.seating.owner
            known = self.world.compiled.names
            seat = owner[known.index(body)] if body in known else self.world.seats[0]
            by_seat[seat] = (*by_seat[seat], command)
        step = self.world.step(self.state, {s: Input(c, ticks) for s, c in by_seat.items()})
        self.state = step.state
        self.events += step.events
        self.refusals += step.refusals
        return self

    def until_done(self, most: int = 3000) -> Played:
        """On until nobody has anything under way."""
        for _ in range(most):
            if not any(self.state.errands):
                return self
            self.do()
        raise AssertionError(f"not done after {most} ticks: {self.state}")

    def cell(self, body: int) -> tuple[int, int]:
        """(column, row) of a body."""
        return self.world.compiled.floor.cell(self.state.at[body])
