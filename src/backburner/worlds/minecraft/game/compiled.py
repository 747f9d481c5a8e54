"""A scenario made ready for its rules: what is ordered, sites by kind, the pace of orders."""

from __future__ import annotations

from collections.abc import Collection

from backburner.worlds.minecraft.game.physics import CHEST, FURNACE, RAW, Cell, squared
from backburner.worlds.minecraft.game.rule_set import Rules
from backburner.worlds.minecraft.game.scenarios import BOTS, STEP_TICKS, Scenario, seating_of

RELEASED_DISHES = ("cooked_chicken", "cooked_mutton")


class Compiled:
    """``dishes``: those that are ordered. ``unit``: in what orders count; ``interval`` and ``lifetime`` in
    it.

    ``taken``: the cells of blocks, on which nobody stands. ``of_kind``: the sites of each kind.
    """

    def __init__(self, scenario: Scenario, rules: Rules) -> None:
        self.scenario = scenario
        self.rules = rules
        self.seating = seating_of(scenario)
        self.names = BOTS[: scenario.bodies]
        self.number = {name: body for body, name in enumerate(self.names)}
        few = tuple(dish for dish in scenario.dishes if dish in RELEASED_DISHES)
        self.dishes = few if rules.two_dishes and few else scenario.dishes
        self.raw = tuple(RAW[dish] for dish in self.dishes)
        self.unit = "steps" if rules.orders_by_step else "ticks"
        each = 1 if rules.orders_by_step else STEP_TICKS
        self.interval, self.lifetime = scenario.interval * each, scenario.lifetime * each
        self.sites = scenario.sites
        self.taken = frozenset(block.at for block in scenario.blocks)
        self.of_kind: dict[str, tuple[int, ...]] = {}
        for number, site in enumerate(self.sites):
            self.of_kind[site.kind] = (*self.of_kind.get(site.kind, ()), number)
        self.site_names = tuple(self._site_name(number) for number in range(len(self.sites)))
        self.mob_kinds = tuple(sorted({mob.kind for mob in scenario.mobs}))
        self.block_kinds = tuple(sorted({block.kind for block in scenario.blocks}))
        self.furnace = self.sites[self.of_kind[FURNACE][0]].at
        self.chest = self.sites[self.of_kind[CHEST][0]].at

    def _site_name(self, number: int) -> str:
        """``chest``, or ``pig 2`` where there are several."""
        kind = self.sites[number].kind
        several = self.of_kind[kind]
        return kind if len(several) == 1 else f"{kind} {several.index(number) + 1}"

    def nearest(self, here: Cell, kind: str, blocks: int, out: Collection[int]) -> tuple[int, int] | None:
        """(squared distance, site) of the nearest of a kind within so many blocks that is not ``out``."""
        there = [
            (squared(here, self.sites[number].at), number)
            for number in self.of_kind.get(kind, ())
            if number not in out
        ]
        found = min(there, default=None)
        return found if found is not None and found[0] <= blocks * blocks else None
