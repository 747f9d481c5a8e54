"""The training tasks as examples for prompts."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backburner.agents.models import first_prompt
from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.worlds.robotouille.game.catalogue import known_optimum
from backburner.worlds.robotouille.game.scenarios import shipped_domain, training_scenario
from backburner.worlds.robotouille.game.world import Robotouille

KITCHENS = {
    "robotouille/synchronous/3@seed=42": "robotouille/training/synchronous@seed=26",
    "robotouille/asynchronous/3@seed=42": "robotouille/training/asynchronous@seed=26",
    "robotouille/multi_agent/3@seed=42": "robotouille/training/asynchronous@seed=26",
    "robotouille/training/synchronous@seed=26": "robotouille/training/synchronous@seed=26",
}


@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("id", KITCHENS)
def test_each_set_has_its_training_task_with_a_shipped_plan(id: str, rules: str) -> None:
    world = registry.world(id, rules=rules, limits="none")
    shown, seat = world.demonstration(world.seats[0])
    assert (shown.id, seat) == (KITCHENS[id], "robot1")
    assert shown.scenario == registry.world(KITCHENS[id], rules=rules, limits="none").scenario
    assert shown.rules == world.rules
    known = known_optimum(shown.id, rules)
    assert known is not None and (known.status, known.steps) == ("optimal", 22)


def test_no_training_task_is_in_a_test_set() -> None:
    tested = registry.expand("robotouille/all")
    assert not any(id.startswith("robotouille/training") for id in tested)
    assert set(KITCHENS.values()) == set(registry.expand("robotouille/training"))


def test_a_domain_of_ones_own_has_no_example() -> None:
    shipped = registry.world("robotouille/synchronous/1@seed=42")
    scenario = replace(shipped.scenario, domain=shipped_domain())
    with pytest.raises(Refused, match="robotouille/user/own has a domain of its own"):
        training_scenario("robotouille/user/own", scenario)
    world = Robotouille("robotouille/user/own", scenario, shipped.rules, shipped.limits)
    with pytest.raises(Refused, match=r"makes no sense in robotouille/user/own: .*; choose examples=0"):
        first_prompt("react", world)
    assert first_prompt("react@examples=0", world)
