"""Searches among the deeds of a plan: what is in a repertoire, and what is found with it."""

from __future__ import annotations

from typing import Any

import pytest

from backburner.planning.kitchens import KitchenSearch, Known
from backburner.planning.limits import Limits
from backburner.planning.phases import Phase, Phases
from backburner.planning.repertoire import PlanRepertoire, Repertoire
from backburner.planning.space import Space
from backburner.planning.symmetry import sorted_kinds
from backburner.worlds.robotouille.game.compiled import Compiled
from support.robotouille import world_in

CUT = [{"predicate": "iscut", "args": ["lettuce"], "ids": [1]}]
ENOUGH = Limits(seconds=60, states=100_000)

ONE_ALONE = (
    "move(p1=robot1,s1=table1,s2=table2)",
    "",
    "pick-up-item(i1=lettuce1,p1=robot1,s1=table2)",
    "",
    "move(p1=robot1,s1=table2,s2=board1)",
    "",
    "place-item(i1=lettuce1,p1=robot1,s1=board1)",
    "",
    *("cut(i1=lettuce1,p1=robot1,s1=board1)", "") * 3,
)


def kitchen(play: Any = "turns") -> Any:
    """Two robots: one at a table with nothing to do there, one at a stove."""
    return world_in(["table", "table lettuce", "board", "stove", "table"], robots=(0, 3), goal=CUT, play=play)


def has(repertoire: Repertoire, engine: Compiled, name: str) -> bool:
    layout = engine.layout(engine.start)
    deed = engine.find(layout, name)
    assert deed is not None
    return repertoire.has(layout, deed)


@pytest.mark.parametrize("any_robot", [False, True])
def test_a_plan_s_repertoire_has_its_deeds_and_ways_between_its_places(any_robot: bool) -> None:
    engine = kitchen().compiled
    plan = [(name,) for name in ONE_ALONE]
    repertoire = PlanRepertoire(engine, engine.start, plan, any_robot)
    assert all(has(repertoire, engine, name) for name in ONE_ALONE if name)
    assert has(repertoire, engine, "move(p1=robot1,s1=board1,s2=table1)")
    # The other robot stands at the stove in the beginning; nobody ever goes to the third table.
    assert has(repertoire, engine, "move(p1=robot2,s1=stove1,s2=table2)") == any_robot
    assert has(repertoire, engine, "move(p1=robot1,s1=table1,s2=stove1)") == any_robot
    assert not has(repertoire, engine, "move(p1=robot2,s1=stove1,s2=table3)")
    assert not has(repertoire, engine, "place-item(i1=lettuce1,p1=robot1,s1=table2)")
    assert has(repertoire, engine, "cut(i1=lettuce1,p1=robot2,s1=board1)") == any_robot


def test_a_deed_that_there_is_not_is_named() -> None:
    engine = kitchen().compiled
    with pytest.raises(KeyError, match="juggle"):
        PlanRepertoire(engine, engine.start, [("juggle(i1=lettuce1)",)], any_robot=True)


def test_among_a_plan_s_deeds_a_shorter_plan_is_found() -> None:
    """In turn, one robot alone takes 13 steps, seven deeds and the other's six turns between them. None that
    takes part with it makes it fewer; a plan that dawdles is shortened to that."""
    world = kitchen()
    dawdling = ("", "", *ONE_ALONE)
    plan = [(name,) for name in dawdling]
    repertoire = PlanRepertoire(world.compiled, world.compiled.start, plan, any_robot=True)
    search = KitchenSearch(world, known=Known(dawdling), repertoire=repertoire)
    search.run(ENOUGH)
    played = search.replay()
    assert search.proven and played is not None and played.steps == 13


def test_robots_change_places_only_where_any_of_them_may_act_at_any_time() -> None:
    engine = kitchen().compiled

    def robots_sorted(any_robot: bool, repertoire: Repertoire | None = None) -> bool:
        phases = Phases("turns", engine.robots, any_robot)
        space = Space(engine, phases, engine.start, Phase(), repertoire)
        kinds = sorted_kinds(space)
        return any(set(engine.robots) == set(members.tolist()) for group in kinds for members in group)

    plan = [(name,) for name in ONE_ALONE]
    assert robots_sorted(any_robot=True)
    assert not robots_sorted(any_robot=False)
    assert robots_sorted(True, PlanRepertoire(engine, engine.start, plan, any_robot=True))
    assert not robots_sorted(True, PlanRepertoire(engine, engine.start, plan, any_robot=False))
