"""What starting operations comes to is written three times: for play, for the search, and in arrays."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from backburner.arrays.batch import batch_of
from backburner.worlds.collab_grid.game import PRESETS, CollabGrid, Rules
from backburner.worlds.collab_grid.game.catalogue import kitchen as drawn_kitchen
from backburner.worlds.collab_grid.game.legality import Action
from backburner.worlds.collab_grid.game.state import NO_LIMITS, State
from backburner.worlds.collab_overcooked.game.layout import (
    INTERACT,
    SHIPPED,
    START,
    STAY,
    Layout,
    shipped_layout,
)
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.game.state import SEATS, Body, Content, Kitchen
from backburner.worlds.collab_overcooked.oracle.heuristic import Requirements
from backburner.worlds.collab_overcooked.oracle.packing import START_ACT, Packing
from backburner.worlds.collab_overcooked.oracle.successors import Dynamics
from support.collab_overcooked.kitchens import OPEN_KITCHEN

MOMENTS = 300
LAYOUTS = {"open": OPEN_KITCHEN, "shipped": shipped_layout(SHIPPED)} | {
    f"drawn {seed}": drawn_kitchen(seed) for seed in (3, 5)
}
ACTS = {START_ACT: Action("interact", START), INTERACT: Action("interact"), STAY: Action("stay")}
"""The search's numbers for what cooks do, and the grid's actions."""

RULES = {
    **PRESETS,
    "stalls": Rules("stalls", starting_stalls_timers=True),
    "one pass": Rules("one pass", starts_found_in_one_pass=True),
}


class Thrice:
    """A step in the world, in the search's numbers and in arrays."""

    def __init__(self, world: CollabGrid, order: str) -> None:
        self.world, self.batch = world, batch_of(world)
        self.rows, self.codes = self.batch.rows(1), list(self.batch.encoding.actions)
        self.packing = Packing(world.compiled)
        requirements = Requirements(world.compiled, self.packing, (order,), "all")
        self.budget = requirements.budget
        self.dynamics = Dynamics(world.compiled, self.packing, requirements.fetched)

    def step(self, kitchen: Kitchen, acts: list[int]) -> Kitchen:
        """What all of them make of it; what the world refuses is to stay."""
        actions = [ACTS[act] for act in acts]
        step = self.world.step(State(kitchen), dict(zip(SEATS, actions, strict=True)))
        refused = {one.seat for one in step.refusals}
        first, second = (STAY if seat in refused else acts[cook] for cook, seat in enumerate(SEATS))
        packed = self.dynamics.step(self.packing.pack(kitchen, self.budget), first, second)
        assert packed == self.packing.pack(step.state.kitchen, self.budget), (kitchen, actions)
        for field, value in self.batch.fields(State(kitchen)).items():
            getattr(self.rows, field)[0] = value
        codes = np.array([self.codes.index(one.text) for one in actions], np.int32)
        self.batch.step(self.batch.tables, self.rows, 0, self.batch.draws([0])[0], codes)
        for field, value in self.batch.fields(step.state).items():
            assert (getattr(self.rows, field)[0] == value).all(), (field, kitchen, actions)
        return step.state.kitchen


@pytest.mark.slow
@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("rules", RULES)
def test_operations_start_alike_wherever_the_rule_is_written(name: str, rules: str) -> None:
    """Any contents, loaded in any order, at work, ready or not begun; cooks that start them, or do not."""
    layout, draw, seen = LAYOUTS[name], Random(f"{name}/{rules}"), Counter[tuple[int, int]]()
    order = min(layout.needs_dish)
    world = CollabGrid("collab_grid/user/moments", Scenario((order,), layout), RULES[rules], NO_LIMITS)
    thrice = Thrice(world, order)
    for _ in range(MOMENTS):
        kitchen = moment(draw, world, order)
        after = thrice.step(kitchen, draw.choices(list(ACTS), (8, 1, 1), k=2))
        begun = sum(not content.timer for content in kitchen.contents)
        left = sum(not content.timer for content in after.contents)
        seen[begun - left - len(after.ruined), len(after.ruined)] += 1
    assert {(2, 0), (1, 1), (0, 1)} <= set(seen), seen
    assert ((0, 2) in seen) != RULES[rules].starts_found_in_one_pass, seen


def moment(draw: Random, world: CollabGrid, order: str) -> Kitchen:
    """Cooks before utensils, and something in most of these; timers from nothing begun to ready."""
    grid, layout = world.compiled.grid, world.compiled.layout
    places = [
        Body(cell, facing)
        for cell in range(len(grid.tiles))
        if grid.is_floor[cell]
        for facing, delta in enumerate(grid.deltas)
        if cell + delta in grid.utensil_at
    ]
    first = draw.choice(places)
    second = draw.choice([body for body in places if body.cell != first.cell] or [first])
    utensils = draw.sample(range(len(grid.utensils)), draw.randint(1, len(grid.utensils)))
    contents = tuple(content_of(draw, layout, utensil, grid.utensils[utensil].kind) for utensil in utensils)
    return Kitchen((first, second), (order,), contents)


def content_of(draw: Random, layout: Layout, utensil: int, kind: str) -> Content:
    """What a recipe of the utensil takes, whatever was begun of it; or any foods, mostly no recipe's."""
    recipe = draw.choice([one for one in layout.recipes if one.utensil == kind])
    if draw.random() < 0.4:
        return Content(utensil, tuple(draw.choices(layout.ingredients, k=draw.randint(1, layout.capacity))))
    if draw.random() < 0.5:
        return Content(utensil, recipe.inputs)
    return Content(utensil, recipe.inputs, recipe.output, draw.randint(1, recipe.steps), recipe.steps)
