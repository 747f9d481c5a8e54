"""The search's steps are the world's: the same kitchens, whatever the cooks do."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import INTERACT, SHIPPED, Layout, shipped_layout
from backburner.worlds.collab_overcooked.game.rule_set import PRESETS
from backburner.worlds.collab_overcooked.oracle.heuristic import Requirements
from backburner.worlds.collab_overcooked.oracle.packing import START_ACT, TAKE_ACT, Packing
from backburner.worlds.collab_overcooked.oracle.solver import world_moves
from backburner.worlds.collab_overcooked.oracle.successors import Dynamics, MoveEdge
from support.collab_overcooked.kitchens import OPEN_KITCHEN

KITCHENS = {"open": (OPEN_KITCHEN, "gratin"), "rooms": (shipped_layout(SHIPPED), "baked_potato_soup")}
JOINT = st.tuples(st.integers(0, START_ACT + 4), st.integers(0, START_ACT + 4))


@pytest.mark.parametrize("kitchen", sorted(KITCHENS))
@pytest.mark.parametrize("rules", sorted(PRESETS))
@settings(max_examples=40)
@given(joint=st.lists(JOINT, max_size=120))
def test_a_step_in_numbers_is_the_step_of_the_world(
    kitchen: str, rules: str, joint: list[tuple[int, int]]
) -> None:
    layout, order = KITCHENS[kitchen]
    _same_steps(Compiled(layout, PRESETS[rules]), order, joint, layout)


def _same_steps(compiled: Compiled, order: str, joint: list[tuple[int, int]], layout: Layout) -> None:
    packing = Packing(compiled)
    requirements = Requirements(compiled, packing, (order,), "all")
    dynamics = Dynamics(compiled, packing, requirements.fetched)
    foods = [packing.item(name) for name in layout.ingredients]
    now = compiled.stepper.start((order,))
    packed = packing.pack(now, requirements.budget)
    for pair in joint:
        acts, more = (
            _sensible(compiled, body.cell + compiled.grid.deltas[body.facing], action, foods)
            for body, action in zip(now.bodies, pair, strict=True)
        )
        packed = dynamics.step(packed, acts, more)
        (moves,) = world_moves([MoveEdge(1, packed, (acts, more))], packing)
        now = compiled.stepper.step(now, moves).kitchen
        assert packing.pack(now, requirements.budget) == packed


def _sensible(compiled: Compiled, faced: int, action: int, foods: list[int]) -> int:
    """A food is named before the ingredients' dispenser, and only there."""
    if action >= INTERACT and faced in compiled.grid.ingredients:
        return TAKE_ACT + foods[action % len(foods)]
    return min(action, START_ACT)
