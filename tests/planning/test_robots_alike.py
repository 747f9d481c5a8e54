"""Where robots can do the same, one stands for all: what is looked at then, and when it is not so."""

from __future__ import annotations

from typing import Any

from backburner.planning.choosing import Chosen
from backburner.planning.mutexes import Mutexes
from backburner.planning.overview import Overview
from backburner.planning.repertoire import PlanRepertoire
from backburner.planning.wants import Wants
from support.robotouille import world_in

CUT = [{"predicate": "iscut", "args": ["lettuce"], "ids": [1]}]
STATIONS = ["table", "table lettuce", "board", "stove"]


def overview(*robots: int, **more: Any) -> Overview:
    engine = world_in(STATIONS, robots=robots, goal=CUT).compiled
    return Overview(engine, engine.start, **more)


def words(seen: Overview, facts: int) -> set[str]:
    return {seen.layout.words(atom) for atom in seen.layout.true_atoms(facts)}


def test_one_robot_stands_for_two_that_can_do_the_same() -> None:
    seen = overview(0, 3)
    first, second = seen.players
    assert seen.actors == [first]
    there = seen.facts & seen.places[second]
    assert words(seen, there) == {"loc(robot2,stove1)"}
    assert words(seen, seen.as_actor(second, there)) == {"loc(robot1,stove1)"}
    assert seen.as_actor(first, seen.facts) == seen.facts


def test_either_may_begin_where_the_other_does() -> None:
    seen = overview(0, 3)
    places = {frozenset(one for one in words(seen, start) if one.startswith("loc")) for start in seen.starts}
    assert places == {
        frozenset({"loc(robot1,table1)", "loc(robot2,stove1)"}),
        frozenset({"loc(robot1,stove1)", "loc(robot2,table1)"}),
    }


def test_robots_that_a_plan_gives_different_deeds_are_told_apart() -> None:
    engine = world_in(STATIONS, robots=(0, 3), goal=CUT).compiled
    plan = [("move(p1=robot1,s1=table1,s2=table2)",)]
    own = PlanRepertoire(engine, engine.start, plan, any_robot=False)
    seen = Overview(engine, engine.start, own)
    assert seen.actors == seen.players and len(list(seen.starts)) == 1


def test_a_projection_does_not_grow_with_the_number_of_robots() -> None:
    def points(*robots: int) -> list[int]:
        seen = overview(*robots)
        chosen = Chosen(seen, Mutexes(seen), Wants(seen), seen.start)
        return [len(projection.points) for projection in chosen.projections]

    assert points(0, 3) == points(0, 3, 2)
