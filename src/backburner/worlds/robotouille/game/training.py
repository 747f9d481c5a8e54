"""The training tasks, from which the article took its examples: outside every test set."""

from __future__ import annotations

from backburner.kernel.errors import Refused
from backburner.worlds.robotouille.game.ids import scenario_of
from backburner.worlds.robotouille.game.scenarios import SHIPPED_DOMAIN, Scenario, task_file

SYNCHRONOUS, ASYNCHRONOUS = "training/synchronous", "training/asynchronous"


def scenario_for(id: str, scenario: Scenario) -> tuple[str, Scenario]:
    """Id and scenario of the training task that goes with a kitchen, with the article's seed.

    Raises ``Refused`` for a kitchen in another domain, of which no training task is an example.
    """
    if scenario.domain != SHIPPED_DOMAIN:
        raise Refused(f"{id} has a domain of its own, and the training tasks are examples of the shipped one")
    path = SYNCHRONOUS if scenario.task.startswith(("synchronous/", SYNCHRONOUS)) else ASYNCHRONOUS
    seed = str(task_file().example_seed)
    return f"robotouille/{path}@seed={seed}", scenario_of(path, {"seed": seed})
