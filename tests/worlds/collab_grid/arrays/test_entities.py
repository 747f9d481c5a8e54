"""What a policy that reads the kitchen sees: jobs by hand, the partner in them, rows left as they were."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

from backburner.arrays.entities import UNDECIDED, Entities, entities_of
from backburner.kernel import registry
from backburner.worlds.collab_grid.arrays.entities import CODE_NAMES, CONTEXT_NAMES
from backburner.worlds.collab_grid.arrays.jobs import JOBS
from backburner.worlds.collab_grid.game import PRESETS, CollabGrid, State
from backburner.worlds.collab_overcooked.game.state import SEATS, Body, Content, Lying
from support.collab_overcooked.kitchens import kitchen_with

CHEF, ASSISTANT = 0, 1

#    01234
# 0  XXXPX     the chef's room is on the right, the assistant's on the left
# 1  I X1X
# 2  C2X X
# 3  D X O
# 4  XBXSX


class Sight(NamedTuple):
    """What one cook sees: numbers by name, and those of each allowed code by its action."""

    progress: float
    context: dict[str, float]
    codes: dict[str, dict[str, float]]

    @property
    def jobs(self) -> set[str]:
        return {job for job in JOBS if self.context[f"is there: {job}"]}

    def doing(self, action: str) -> set[str]:
        return {job for job in JOBS if self.codes[action][f"done: {job}"]}

    def nearer(self, job: str) -> set[str]:
        return {action for action, told in self.codes.items() if told[f"nearer: {job}"] > 0}


def world_of(path: str, rules: str = "standard") -> CollabGrid:
    world = registry.world(f"collab_grid/{path}", rules=rules)
    assert isinstance(world, CollabGrid)
    return world


def row_of(made: Entities, state: State) -> Any:
    rows = made.batch.rows(1)
    for name, value in made.batch.fields(state).items():
        getattr(rows, name)[0] = value
    return rows


def sight(world: CollabGrid, state: State, cook: int, partner: str = "") -> Sight:
    """``partner``: what the chef has chosen, where the assistant looks."""
    made = entities_of(world)
    actions = made.batch.encoding.actions
    chosen = np.array([actions.index(partner) if partner else UNDECIDED, UNDECIDED])
    mask = np.zeros(len(actions), np.uint8)
    context = np.zeros(len(CONTEXT_NAMES), np.float32)
    codes = np.zeros((len(actions), len(CODE_NAMES)), np.float32)
    tables = made.batch.tables, made.tables
    progress = made.look(*tables, row_of(made, state), 0, cook, chosen, mask, context, codes)
    return Sight(
        progress,
        dict(zip(CONTEXT_NAMES, context.tolist(), strict=True)),
        {actions[c]: dict(zip(CODE_NAMES, codes[c].tolist(), strict=True)) for c in np.flatnonzero(mask)},
    )


def kitchen(chef: Body, assistant: Body, **there: Any) -> State:
    return State(kitchen_with(chef, assistant, **{"orders": ("baked_potato_soup",), **there}))


SOUP = world_of("baked_potato_soup")


def test_at_the_beginning_the_assistant_fetches_and_the_chef_waits() -> None:
    state = SOUP.start()
    seen = sight(SOUP, state, ASSISTANT)
    assert seen.jobs == {"fetch", "fetch a dish", "wait"}
    assert seen.nearer("fetch") == {"north"} and seen.nearer("fetch a dish") == {"south"}
    assert sight(SOUP, state, CHEF).jobs == {"wait"}
    assert seen.progress == 0


def test_of_all_ingredients_the_lacking_one_is_fetched() -> None:
    state = kitchen(Body(8, 0), Body(6, 3))
    seen = sight(SOUP, state, ASSISTANT)
    assert seen.doing("interact(potato)") == {"fetch"}
    assert not any(seen.doing(f"interact({item})") for item in ("egg", "tofu", "bean"))
    told = seen.codes["interact(potato)"]
    assert told["has a place here"] and told["the most urgent to fetch"] and not told["elsewhere"]


def test_what_is_held_goes_into_the_board_and_no_utensil_else() -> None:
    seen = sight(SOUP, kitchen(Body(8, 0), Body(11, 3, "potato")), ASSISTANT)
    assert seen.jobs == {"put in"} and seen.doing("interact") == {"put in"}
    seen = sight(SOUP, kitchen(Body(8, 0), Body(16, 1, "potato")), ASSISTANT)
    assert seen.doing("interact") == set(), "the blender makes nothing of potatoes here"


def test_slices_are_handed_over_where_the_partner_is_soonest() -> None:
    """The oven is in the lower right corner: over the lowest counter the way on is the shortest."""
    chef = Body(18, 3)
    seen = sight(SOUP, kitchen(chef, Body(11, 2, "potato_slices")), ASSISTANT)
    assert seen.jobs == {"hand over"}
    assert seen.nearer("hand over") == {"south"}
    assert seen.codes["interact"]["done: hand over"] == 0.5
    lowest = sight(SOUP, kitchen(chef, Body(16, 2, "potato_slices")), ASSISTANT)
    assert lowest.codes["interact"]["done: hand over"] == 1
    waits = sight(SOUP, kitchen(Body(13, 0), Body(16, 2, "potato_slices")), CHEF)
    assert waits.jobs == {"wait"} and waits.nearer("wait") == {"south"}


def test_what_the_chef_puts_down_now_can_be_taken_now() -> None:
    state = kitchen(Body(8, 3, "potato"), Body(6, 2))
    assert sight(SOUP, state, ASSISTANT).jobs == {"fetch a dish", "wait"}
    seen = sight(SOUP, state, ASSISTANT, partner="interact")
    assert "take" in seen.jobs and seen.doing("interact") == {"take"}
    assert seen.context["the partner acts"] == 1


def test_a_utensil_is_started_when_it_has_all_and_emptied_when_it_is_ready() -> None:
    at_board = Body(8, 0), Body(11, 3)
    full = kitchen(*at_board, contents=(Content(1, ("potato",)),))
    assert sight(SOUP, full, ASSISTANT).doing("interact(start)") == {"start"}
    ready = kitchen(*at_board, contents=(Content(1, ("potato",), "potato_slices", 3, 3),))
    assert sight(SOUP, ready, ASSISTANT).doing("interact") == {"take out"}


def test_soup_is_taken_out_with_a_dish_alone() -> None:
    pot = Content(0, ("baked_potato_slices",), "baked_potato_soup", 3, 3)
    at_pot = Body(8, 0)
    assert "take out" not in sight(SOUP, kitchen(at_pot, Body(11, 0), contents=(pot,)), CHEF).jobs
    dish = kitchen(Body(8, 0, "dish"), Body(11, 0), contents=(pot,))
    assert sight(SOUP, dish, CHEF).doing("interact") == {"take out"}
    served = kitchen(Body(18, 1, "baked_potato_soup", True), Body(11, 0))
    assert sight(SOUP, served, CHEF).doing("interact") == {"deliver"}


def test_one_shared_counter_stays_free_for_what_is_needed_now() -> None:
    """Dishes on two of three counters: a third waits in the assistant's hands, slices do not."""
    pair = world_of("baked_potato_soup+baked_carrot_soup")
    lying = (Lying(7, "dish"), Lying(12, "dish"))
    orders = ("baked_potato_soup", "baked_carrot_soup")
    held = kitchen(Body(8, 0), Body(11, 0, "dish"), orders=orders, lying=lying)
    assert sight(pair, held, ASSISTANT).jobs == {"put away"}
    slices = kitchen(Body(8, 0), Body(11, 0, "potato_slices"), orders=orders, lying=lying)
    assert sight(pair, slices, ASSISTANT).jobs == {"hand over"}


def test_cooks_in_one_room_see_each_other_coming() -> None:
    crossed = kitchen(Body(11, 0), Body(6, 0))
    seen = sight(SOUP, crossed, ASSISTANT)
    assert seen.codes["south"]["the partner stands there"] == 1
    swapped = sight(SOUP, crossed, ASSISTANT, partner="north")
    assert swapped.codes["south"]["runs into the partner"] == 1
    gone = sight(SOUP, crossed, ASSISTANT, partner="south")
    assert gone.codes["south"]["runs into the partner"] == 0


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("path", ["mashed_potato_and_pea_patty@layout=2", "baked_potato_soup+boiled_egg"])
def test_looking_changes_nothing_and_everything_is_small(path: str, rules: str) -> None:
    world = world_of(path, rules)
    made, draw = entities_of(world), Random(3)
    codes_there = len(made.batch.encoding.actions)
    state = world.start()
    while world.deciders(state) and state.kitchen.steps < 60:
        options = {seat: world.menu(state, seat).options for seat in SEATS}
        decisions = {seat: draw.choice(options[seat]).decision for seat in SEATS}
        rows, before = row_of(made, state), row_of(made, state)
        first = made.batch.encoding.actions.index(decisions["chef"].text)
        for cook, chosen in ((0, UNDECIDED), (1, first)):
            mask = np.zeros(codes_there, np.uint8)
            context = np.full(len(CONTEXT_NAMES), 7, np.float32)
            codes = np.zeros((codes_there, len(CODE_NAMES)), np.float32)
            partner = np.array([chosen, UNDECIDED])
            made.look(made.batch.tables, made.tables, rows, 0, cook, partner, mask, context, codes)
            assert mask.tolist() == list(made.batch.encoding.mask(state, SEATS[cook])[0])
            assert np.abs(context).max() <= 1 and np.abs(codes).max() <= 1
            for name in rows._fields:
                if name != "scratch":
                    assert (getattr(rows, name) == getattr(before, name)).all(), name
        state = world.step(state, decisions).state


def test_the_network_reads_the_same_numbers_in_every_kitchen() -> None:
    ids = ("boiled_egg", "mashed_potato_and_pea_patty@layout=9", "baked_potato_soup+boiled_egg")
    assert len({entities_of(world_of(id)).reads for id in ids}) == 1
