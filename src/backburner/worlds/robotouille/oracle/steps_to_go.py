"""How far failures were from the goal: the shortest plan from where they ended (Robotouille, question 3)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from backburner.kernel.episode import Episode
from backburner.kernel.oracle import Kept
from backburner.kernel.replay import final_state, world_of
from backburner.kernel.scoring import Measures
from backburner.worlds.robotouille.game import Robotouille
from backburner.worlds.robotouille.game.optima import known_optimum
from backburner.worlds.robotouille.oracle.kitchens import solve_kitchen, unlimited


def to_go_of_failures(kept: Kept, time_limit_seconds: float) -> Callable[[Episode], Measures]:
    """Gives each failure of Robotouille its measure ``to go``.

    That is the steps of the shortest plan from the final state over those from the beginning; where it is
    not proven in the time given, those of the best plan found. There is none where no plan is found, or
    where the kitchen's own shortest plan is not known.
    """

    def measure(episode: Episode) -> Measures:
        world = world_of(episode)
        state = final_state(episode, world)
        if not isinstance(world, Robotouille) or state.ended == "completed":
            return {}
        known = known_optimum(world.id, episode.header.rules_name, world.scenario.known_plan)
        if known is None:
            return {}
        free, here = unlimited(world), replace(state, ended="", steps=0)
        found = kept.get(free, here.kitchen, here.turn)
        if found is None:
            found = solve_kitchen(free, state=here, time_limit_seconds=time_limit_seconds)
            kept.add(free, found, here.kitchen, here.turn)
        return {} if found.objective is None else {"to go": found.objective / known.steps}

    return measure
