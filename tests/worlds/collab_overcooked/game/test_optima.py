"""The shipped optima and trajectories: played by the world, they finish at exactly their step."""

from __future__ import annotations

from pathlib import Path

import pytest

from backburner.kernel import registry
from backburner.kernel.errors import BadFile, UnknownName
from backburner.kernel.files import read_optima
from backburner.worlds.collab_overcooked.game.catalogue import Optimum, known_optima, known_optimum
from backburner.worlds.collab_overcooked.game.layout import ACTIONS
from backburner.worlds.collab_overcooked.game.rule_set import PRESETS
from backburner.worlds.collab_overcooked.game.scenarios import order_file, orders
from backburner.worlds.collab_overcooked.game.state import Move
from backburner.worlds.collab_overcooked.metrics.references import (
    references_of,
    shipped_trajectories,
    trajectories_of,
)
from backburner.worlds.collab_overcooked.oracle.solver import played_calls, played_moves
from support.collab_overcooked.kitchens import world_of

STEPS = {"calls": (17, 24, 34, 32, 45, 51), "moves": (16, 22, 31, 28, 40, 48)}
"""By level; of level 1 the longest, in which something is baked."""


@pytest.mark.parametrize("rules", sorted(PRESETS))
@pytest.mark.parametrize("order", sorted(orders()))
def test_plans_end_at_exactly_their_step(order: str, rules: str) -> None:
    world = world_of(order, rules=PRESETS[rules])
    calls = known_optimum(f"collab_overcooked/{order}", rules)
    moves = known_optimum(f"collab_overcooked/{order}", rules, "moves")
    assert calls is not None and moves is not None
    _, state = played_calls(world, world.start(), (calls.chef, calls.assistant))
    assert (state.ended, state.kitchen.steps) == ("completed", calls.steps)
    joint = [(_move(one), _move(other)) for one, other in zip(moves.chef, moves.assistant, strict=True)]
    kitchen = world.compiled.stepper.start((order,))
    assert not played_moves(world.compiled, kitchen, joint).orders
    assert played_moves(world.compiled, kitchen, joint[:-1]).orders
    assert len(joint) == moves.steps <= calls.steps


def _move(word: str) -> Move:
    name, _, parameter = word.partition("(")
    return ACTIONS.index(name), parameter.rstrip(")")


def test_all_are_proven_and_none_exceeds_the_recorded_time() -> None:
    recorded = {level.level: level.released_last_step + 1 for level in order_file().levels}
    for (id, rules, space), optimum in known_optima().items():
        level = orders()[id.split("/")[1]].level
        assert (optimum.status, optimum.bound) == ("optimal", optimum.steps), (id, rules)
        assert STEPS[space][level - 1] - (level == 1) <= optimum.steps <= STEPS[space][level - 1]
        assert optimum.steps <= recorded[level]
        assert optimum.foods == ("own" if space == "calls" and level > 4 else "all")
    assert len(known_optima()) == 30 * 2 * 2


def test_trajectories_hold_every_released_reference_that_is_short_enough() -> None:
    for order, found in shipped_trajectories().items():
        known = {(one.chef, one.assistant): one.steps for one in found.near}
        fewest = min(one.steps for one in found.shortest)
        assert found.complete and set(found.shortest) and len(known) == len(found.near)
        for reference in references_of(order):
            steps = known.get((reference.chef, reference.assistant))
            assert steps == reference.steps if reference.steps <= fewest + 2 else steps is None
        calls = known_optimum(f"collab_overcooked/{order}", "standard")
        assert calls is not None and calls.steps == found.all[0].steps


def test_trajectories_take_the_steps_they_tell() -> None:
    """What is fetched in vain saves steps, otherwise it would not be listed."""
    for found in shipped_trajectories().values():
        fewest = {one.steps for one in found.shortest}
        assert len(fewest) == 1
        assert all(one.steps < min(fewest) for one in found.in_vain)
        assert all(min(fewest) <= one.steps <= min(fewest) + 2 for one in found.near)


def test_unknown_orders_and_files(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="boiled_egg"):
        trajectories_of("boiled_eg")
    assert known_optimum("collab_overcooked/user/x", "standard") is None
    (tmp_path / "optima.json").write_text("[]")
    with pytest.raises(BadFile, match="not a file of optima"):
        read_optima(tmp_path / "optima.json", Optimum)


def test_who_has_the_recipes_changes_no_plan_and_no_limit() -> None:
    """Half as many steps more than the 34 of a soup, whoever is told what, and in whatever order."""
    for options in ("", "@knows=assistant", "@knows=both,recipe=steps", "@recipe=from2"):
        world = registry.world(f"collab_overcooked/baked_pumpkin_soup{options}")
        known = known_optimum(world.id, "standard")
        assert known is not None and (known.steps, world.limits.steps) == (34, 51)
