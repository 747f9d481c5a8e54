"""Sets of references by name, and what is said where there are none."""

from __future__ import annotations

from typing import Any

import pytest

from backburner.kernel.errors import Refused, UnknownName
from backburner.worlds.collab_overcooked.game.scenarios import Scenario, orders
from backburner.worlds.collab_overcooked.metrics import references
from backburner.worlds.collab_overcooked.metrics.references import (
    REFERENCE_SETS,
    OrderTrajectories,
    Reference,
    references_for,
    references_of,
)
from support.collab_overcooked.kitchens import OPEN_KITCHEN

EGG = Scenario(("boiled_egg",))


def test_every_published_order_has_released_references() -> None:
    for order in orders():
        assert references_for(Scenario((order,))) == references_of(order)


def reference(name: str, steps: int) -> Reference:
    return Reference(name, steps, (f"{name}()",), ())


def test_searched_references_are_chosen_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of plans of 14 steps one fetches a dish in vain; one takes 15."""
    in_vain, shortest, near = reference("in_vain", 14), reference("shortest", 14), reference("near", 15)
    found = OrderTrajectories("boiled_egg", 1, True, (shortest,), (shortest, near), (in_vain,))
    monkeypatch.setattr(references, "trajectories_of", {"boiled_egg": found}.__getitem__)
    assert set(references_for(EGG, "minimal")) == {in_vain, shortest}
    assert set(references_for(EGG, "near")) == {in_vain, shortest, near}


def test_a_set_that_is_not_there_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean released"):
        references_for(EGG, "relesed")


@pytest.mark.parametrize("name", REFERENCE_SETS)
@pytest.mark.parametrize(
    ("scenario", "why"),
    [
        (Scenario(("gratin",), OPEN_KITCHEN), "are for the article's kitchen"),
        (Scenario(("boiled_egg", "boiled_egg")), "are for one order alone"),
        (Scenario((), order_weights={"boiled_egg": 1.0}), "are for one order alone"),
        (Scenario(("mashed_potato",)), "have none for mashed_potato"),
    ],
)
def test_where_there_are_none_it_is_said_why(scenario: Any, why: str, name: str) -> None:
    with pytest.raises(Refused, match=f"the {name} references {why}"):
        references_for(scenario, name)
