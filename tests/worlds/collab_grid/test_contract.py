"""The grid keeps the contract of the kernel; the kit that says so is the one shipped to users."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.testing import check_pack, check_world
from backburner.worlds.collab_grid.game import PRESETS, CollabGrid, Limits, State
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.game.state import Lying, cook_of
from support.collab_overcooked.kitchens import OPEN_KITCHEN


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("id", ["boiled_egg", "mashed_potato_and_pea_patty+boiled_egg@knows=both"])
def test_the_contract_is_kept(id: str, rules: str) -> None:
    checked = check_world(registry.world(f"collab_grid/{id}", rules=rules), episodes=2, max_steps=90)
    assert checked.steps > 40
    assert checked.ran["what_is_offered_is_accepted"] > 0
    assert checked.ran["what_a_complete_menu_lacks_is_refused"] > 0
    assert ("+" in id) or "what_is_over_stays_as_it_is" not in checked.not_checked


@pytest.mark.parametrize("rules", PRESETS)
def test_it_is_kept_where_the_cooks_share_a_room_and_orders_keep_coming(rules: str) -> None:
    scenario = Scenario((), OPEN_KITCHEN, order_weights={"boiled_egg": 2.0, "gratin": 1.0}, open_orders=2)
    world = CollabGrid("collab_grid/user/test", scenario, PRESETS[rules], Limits(80))
    checked = check_world(world, episodes=3)
    assert checked.steps == 240


def hidden(world: CollabGrid) -> object:
    """States that differ in what lies on the counters that only the partner reaches."""
    reach = world.compiled.grid.reach

    def variants(state: State, seat: str) -> Iterator[State]:
        cook, kitchen = cook_of(seat), state.kitchen
        shown = tuple(lying for lying in kitchen.lying if lying.cell in reach[cook])
        for cell in sorted(reach[1 - cook] - reach[cook]):
            if world.compiled.grid.tiles[cell] == "X":
                lying = (*shown, Lying(cell, "potato"))
                yield replace(state, kitchen=replace(kitchen, lying=lying))

    return variants


@pytest.mark.parametrize("rules", PRESETS)
def test_a_cook_does_not_see_the_other_rooms_counters(rules: str) -> None:
    world: CollabGrid = registry.world("collab_grid/boiled_egg", rules=rules)
    checked = check_world(world, hidden_variants=hidden(world), episodes=2)  # type: ignore[arg-type]
    assert checked.ran["hidden_facts_stay_hidden"] > 0


def test_the_pack_keeps_its_promises() -> None:
    assert check_pack("collab_grid").ran["scorings_measure_episodes"] > 0
