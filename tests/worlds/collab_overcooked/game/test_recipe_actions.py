"""Recipes told action by action are those of the article's Listings 5 and 6, in our words."""

from __future__ import annotations

import pytest

from backburner.kernel.errors import Refused, UnknownName
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import SHIPPED, shipped_layout
from backburner.worlds.collab_overcooked.game.recipes import asked_calls, method_of
from backburner.worlds.collab_overcooked.game.rule_set import NO_LIMITS, STANDARD
from backburner.worlds.collab_overcooked.game.scenarios import scenario_of, suites
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics.references import references_of

SOUP = "baked_bell_pepper_soup"
COMPILED = Compiled(shipped_layout(SHIPPED), STANDARD)
CHEF = 0

ASKED = [
    "Pick up bell_pepper.",
    "Put bell_pepper into a chopping_board.",
    "Start the chopping_board (cut); it becomes bell_pepper_slices.",
    "Pick up bell_pepper_slices.",
    "Put bell_pepper_slices on a counter.",
]
OWN = [
    "Put bell_pepper_slices into an oven and start it; after 3 steps it is baked_bell_pepper_slices.",
    "Put baked_bell_pepper_slices into a pot and start it; after 3 steps it is baked_bell_pepper_soup.",
    "Fill a dish with it and deliver it.",
]


def told(path: str, seat: str = "chef", **options: str) -> list[str]:
    """The steps of a recipe as a cook is briefed, without their numbers."""
    world = CollabOvercooked(f"collab_overcooked/{path}", scenario_of(path, options), STANDARD, NO_LIMITS)
    lines = world.briefing(seat).partition("Recipes\n")[2].partition("\n\n")[0].splitlines()
    numbered = [line.partition(". ") for line in lines if line[0].isdigit()]
    assert [number for number, _, _ in numbered] == [str(n) for n in range(1, len(numbered) + 1)]
    return [words for _, _, words in numbered]


def test_one_action_to_a_step() -> None:
    """Listing 5."""
    assert told(SOUP, recipe="steps") == [*ASKED, *OWN]


def test_the_second_action_comes_first() -> None:
    """Listing 6: steps 2, 3, 4, 5, 1, then those that are not the partner's."""
    assert told(SOUP, recipe="from2") == [*ASKED[1:], ASKED[0], *OWN]


@pytest.mark.parametrize("first", [2, 3, 4, 5])
def test_every_rearrangement_has_the_same_steps(first: int) -> None:
    steps = told(SOUP, recipe=f"from{first}")
    assert steps[0] == ASKED[first - 1]
    assert sorted(steps) == sorted([*ASKED, *OWN])


def test_what_is_told_depends_on_who_reads_it() -> None:
    """The assistant, if it has the recipe, fetches the egg itself; what the chef does is told as actions."""
    assert told("boiled_egg", "assistant", recipe="steps", knows="assistant")[:3] == [
        "Pick up egg.",
        "Put egg into a pot.",
        "Start the pot (cook); after 3 steps it is boiled_egg.",
    ]


@pytest.mark.parametrize("path", suites()["all"])
def test_the_actions_of_simple_orders_are_those_of_the_reference(path: str) -> None:
    """Levels 1 to 3: the assistant's calls but for the two about a dish, which Listing 5 leaves out too."""
    listed = asked_calls(COMPILED.layout, COMPILED.grid, method_of(COMPILED.layout, path), CHEF)
    calls = references_of(path)[0].assistant
    if scenario_of(path, {}).level in (1, 2, 3):
        fetched = next((at for at, call in enumerate(calls) if "dish_dispenser" in call), len(calls))
        assert listed == (*calls[:fetched], *calls[fetched + 2 :])
    assert len(listed) >= 2


def test_values_of_the_option_that_mean_nothing_are_named() -> None:
    with pytest.raises(UnknownName, match="from2"):
        scenario_of(SOUP, {"recipe": "from1"})
    with pytest.raises(Refused, match="has 5 actions"):
        scenario_of(SOUP, {"recipe": "from6"})
    assert scenario_of(SOUP, {"recipe": "whole"}) == scenario_of(SOUP, {})
