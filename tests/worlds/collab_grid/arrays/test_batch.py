"""The grid in batches: in lockstep with the exact world, in every field, mask, feature and reward."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from msgspec.structs import replace

from backburner.arrays.batch import batch_of
from backburner.arrays.encoding import encoding_of
from backburner.kernel import registry
from backburner.kernel.play import play_now
from backburner.kernel.replay import decisions_in
from backburner.training.batches import Episodes
from backburner.training.lockstep import Compared, lockstep
from backburner.worlds.collab_grid.agents.cooks import GreedyCooks, OracleCooks
from backburner.worlds.collab_grid.game import PRESETS, CollabGrid, Limits, Rules
from backburner.worlds.collab_overcooked.game.layout import Layout, Recipe
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.game.state import SEATS
from support.collab_overcooked.kitchens import OPEN_KITCHEN

NARROW = replace(
    OPEN_KITCHEN,
    grid=("XIPX", "D1 S", "O 2C", "XXXX"),
    recipes=(
        *OPEN_KITCHEN.recipes,
        Recipe("oven", "boiled_egg", ("egg",), 1),
        Recipe("pot", "pair", ("egg", "egg"), 1),
    ),
    needs_dish={"boiled_egg": True, "gratin": False, "pair": True, "egg": False},
)
"""Four cells in which everything is near: cooks in each other's way, two recipes for an egg."""


def compare(world: CollabGrid, legal_share: float, rows: int, steps: int, seed: int = 0) -> Compared:
    """Lockstep in which cooks seldom stay and often interact."""
    weights = [3.0 if name.startswith("interact") else 1.0 for name in encoding_of(world).actions]
    return lockstep(world, rows, steps, legal_share, seed, [0.1, *weights[1:]])


def crowded(layout: Layout, rules: Rules, steps: int | None = 80) -> CollabGrid:
    """Orders keep coming in a room that both cooks share."""
    weights = dict.fromkeys(layout.needs_dish, 1.0)
    scenario = Scenario(("boiled_egg",), layout, ("chef", "assistant"), weights, open_orders=3)
    return CollabGrid("collab_grid/user/crowded", scenario, rules, Limits(steps))


@pytest.mark.slow
@pytest.mark.parametrize("rules", PRESETS)
def test_published_orders_are_played_alike(rules: str) -> None:
    for number, id in enumerate(registry.expand("collab_grid/quick")):
        knows = ("", "@knows=both", "@knows=assistant")[number % 3]
        world = registry.world(f"{id}{knows}", rules=rules)
        assert compare(world, 1.0, 2, 40, number).outside == 0
        assert compare(world, 0.6, 1, 40, number).outside > 0


FIELDS = ("starting_stalls_timers", "starts_found_in_one_pass", "food_is_lost", "first_order_only")


@pytest.mark.slow
@pytest.mark.parametrize("fields", [(), FIELDS, *((field,) for field in FIELDS)], ids=len)
def test_crowded_kitchens_are_played_alike_under_all_rules(fields: tuple[str, ...]) -> None:
    rules = Rules("changed", **dict.fromkeys(fields, True), private_counters_unseen=bool(fields))
    compared = [
        compare(crowded(layout, rules), legal_share, rows, 90, seed=3)
        for (layout, rows), legal_share in product(((OPEN_KITCHEN, 2), (NARROW, 4)), (1.0, 0.7))
    ]
    assert all(each.episodes >= 2 for each in compared)
    assert fields or sum(each.score for each in compared) > 0


def test_several_orders_at_once_and_no_limit_are_played_alike() -> None:
    pairs = registry.world(registry.expand("collab_grid/pairs")[2], limits="none")
    assert compare(pairs, 0.9, 2, 80).steps == 160
    many = Scenario(("boiled_egg", "gratin", "boiled_egg", "gratin", "boiled_egg"), OPEN_KITCHEN)
    compare(CollabGrid("collab_grid/user/many", many, PRESETS["standard"], Limits(70)), 0.9, 2, 80)


@pytest.mark.parametrize("cooks", [GreedyCooks, OracleCooks])
def test_whole_plays_are_delivered_in_batches(cooks: type[GreedyCooks | OracleCooks]) -> None:
    """Play by chance seldom delivers a published order; whole plays do, and are paid alike."""
    for id in registry.expand("collab_grid/quick"):
        world: CollabGrid = registry.world(id)
        numbers, batch = encoding_of(world), Episodes(world, 1, reward="progress", autoreset="disabled")
        acts, state, paid = list(encoding_of(world).actions), world.start(), 0.0
        for entry in play_now(world, cooks(world)).entries:
            decisions = decisions_in(world, entry)
            codes = [acts.index(decisions[seat].text) for seat in SEATS]
            assert all(batch.masks[0, body, code] for body, code in enumerate(codes))
            batch.step(np.array([codes]))
            state = world.step(state, decisions).state
            paid += float(batch.rewards[0])
            for body, seat in enumerate(SEATS):
                seen = np.array(numbers.features(state, seat)[0], np.float32)
                assert np.array_equal(batch.features[0, body], seen)
        assert batch.over[0] and not batch.cut_off[0] and batch.scores[0] == 1
        assert paid == pytest.approx(1.0, abs=1e-5)


def test_orders_to_come_are_drawn_in_time() -> None:
    """More than two cooks can ever deliver, for every seed its own."""
    batch = batch_of(crowded(OPEN_KITCHEN, PRESETS["standard"], 41))
    drawn = batch.draws([0, 1, 2**40])
    assert drawn.shape == (3, 3 + 2 * 11) and drawn.min() > 0
    assert len({tuple(row) for row in drawn.tolist()}) == 3
    assert batch_of(registry.world("collab_grid/boiled_egg")).draws([0, 1]).shape == (2, 0)
