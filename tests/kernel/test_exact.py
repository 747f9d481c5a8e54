"""The general oracle: what it finds is what trying everything finds, and what it cannot search it refuses."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import inf
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.kernel.conformance.declared import estimates_are_passed_by_no_play
from backburner.kernel.conformance.walk import ContractViolation, Expect
from backburner.kernel.errors import Refused
from backburner.kernel.exact import ORACLE, ExactOracle
from backburner.kernel.oracle import Request, solve_world
from support.hurried import hurry
from support.small_worlds.maze import Maze, State, Way
from support.small_worlds.relay import Relay
from support.timearena.play import world_of

PLACES = 4


def everything(maze: Maze, state: State) -> dict[State, float]:
    """What is best from each state that can be reached: least time, or most coins with the sign turned."""
    known: dict[State, float] = {}

    def best(state: State, passed: frozenset[State]) -> float:
        seats = maze.deciders(state)
        numbers = maze.outcome(state).numbers
        if not seats:
            ends = -numbers["coins"] if maze.maximised else numbers["steps"]
            found = ends if maze.maximised or numbers["completed"] else inf
        else:
            menus = [[option.decision for option in maze.menu(state, seat).options] for seat in seats]
            followers = [maze.step(state, dict(zip(seats, ways, strict=True))) for ways in product(*menus)]
            new = [step.state for step in followers if not step.refusals and step.state not in passed]
            found = min((best(after, passed | {after}) for after in new), default=inf)
        known[state] = min(found, known.get(state, inf))
        return found

    best(state, frozenset({state}))
    return known


@st.composite
def mazes(draw: st.DrawFn, maximised: str = "") -> Maze:
    """Ways may take no time at all; coins lie on those that do."""
    least = 1 if maximised else 0
    place = st.integers(0, PLACES - 1)
    way = st.builds(Way, place, place, st.integers(least, 3), st.integers(0, 3) if maximised else st.just(0))
    ways = draw(st.lists(way, min_size=1, max_size=7, unique_by=lambda way: (way.start, way.end)))
    walkers = draw(st.sampled_from((1, 1, 2)))
    return Maze(ways, PLACES - 1, draw(st.integers(3, 6)), walkers, maximised)


def informed(maze: Maze, slack: Mapping[int, int]) -> Maze:
    """The maze with estimates that are never better than what can be had, and not consistent."""
    sign = -1 if maze.maximised else 1
    exact = everything(maze, maze.start())
    estimates = {
        state: int(sign * (best - slack[state.places[0]])) for state, best in exact.items() if best < inf
    }
    return Maze(maze.scenario, maze.goal, maze.limits, len(maze.seats), maze.maximised, estimates)


@settings(max_examples=150)
@given(
    st.one_of(mazes(), mazes("coins")),
    st.lists(st.integers(0, 3), min_size=PLACES, max_size=PLACES),
    st.sampled_from((1, 3, 10, 100_000)),
)
def test_it_finds_what_trying_everything_finds(maze: Maze, slack: list[int], most_states: int) -> None:
    """With estimates and without, with room for all states and for a few."""
    best = everything(maze, maze.start())[maze.start()]
    for tried in (maze, informed(maze, dict(enumerate(slack)))):
        found = ExactOracle(most_states).solve(tried, Request(effort=2))
        if best == inf:
            assert (found.status, found.objective, found.plan) == ("infeasible", None, ())
        else:
            assert (found.status, found.objective, found.bound) == ("optimal", abs(best), abs(best))
            assert estimates_kept(tried) == ""


def estimates_kept(maze: Any) -> str:
    """What the kit finds wrong with a world's estimates, or what it cannot look at."""
    expect = Expect("estimates", maze.id, "start")
    estimates_are_passed_by_no_play(SimpleNamespace(world=maze), expect)  # type: ignore[arg-type]
    return expect.obstacle


# From 0 a way of 1 and one of 5 to place 3, which is the goal: 0 -> 1 -> 2 -> 3 takes 1 + 1 + 2 = 4.
LADDER = (Way(0, 1, 1), Way(1, 2, 1), Way(2, 3, 2), Way(0, 3, 5))


def test_the_plan_is_in_the_words_of_the_world() -> None:
    found = solve_world(Maze(LADDER, 3))
    assert (found.status, found.objective, found.unit) == ("optimal", 4, "steps")
    assert found.plan == ("0 1 1 0", "1 2 1 0", "2 3 2 0")
    assert found.space == "every decision on the menus"


@pytest.mark.parametrize("task", ("cooking1", "cooking3", "cooking8", "household1", "household4"))
def test_a_world_with_an_oracle_of_its_own_has_the_same_optimum(task: str) -> None:
    """CP-SAT on what TimeArena states as a scheduling problem, a search of its steps minute by minute."""
    world = world_of(task)
    found, own = ORACLE.solve(world, Request(effort=1)), solve_world(world)
    assert (found.status, found.objective, found.bound) == ("optimal", own.objective, own.bound)


def test_most_can_be_best() -> None:
    """3 coins for 2 steps, again and again, and 1 for 1: in 5 steps 3 + 3 + 1."""
    found = solve_world(Maze((Way(0, 0, 2, 3), Way(0, 0, 1, 1)), 3, limit=5, maximised="coins"))
    assert (found.status, found.objective, found.bound, found.sense, found.unit) == (
        "optimal",
        7,
        7,
        "max",
        "coins",
    )


def test_two_seats_decide_together() -> None:
    """The one takes 1 + 3 and the other 4 at once: both wait for the slower, 4 + 3, or go alike, 1 + 3."""
    ways = (Way(0, 1, 1), Way(1, 3, 3), Way(0, 3, 4), Way(3, 3, 1))
    found = solve_world(Maze(ways, 3, walkers=2))
    assert (found.objective, found.plan) == (4, ("0 1 1 0 | 0 1 1 0", "1 3 3 0 | 1 3 3 0"))


def test_an_end_of_play_before_is_no_plan() -> None:
    found = solve_world(Maze(LADDER, 3, limit=3))
    assert (found.status, found.objective, found.plan) == ("infeasible", None, ())
    assert found.note == "no plan completes everything before play ends"


def wide(limit: int = 40) -> Maze:
    """Ways of 3, 5 and 7 back and forth, with two walkers, and no way to the goal."""
    ways = [Way(a, b, 3 + (a + b) % 3, a * b % 4) for a in range(6) for b in range(6)]
    return Maze(ways, 9, limit, 2, maximised="coins")


@pytest.mark.parametrize("most_states", (50, 100_000))
def test_an_effort_is_the_same_on_every_machine(monkeypatch: pytest.MonkeyPatch, most_states: int) -> None:
    """An effort of .01 is 300 steps: a plan, and nothing proven."""
    oracle, request = ExactOracle(most_states), Request(effort=0.01, time_limit_seconds=0.0)
    first = oracle.solve(wide(), request)
    hurry(monkeypatch)
    assert replace(oracle.solve(wide(), request), seconds=first.seconds) == first
    assert (first.status, first.bound) == ("feasible", None) and first.plan


def test_a_search_that_is_over_tells_the_bound_so_far() -> None:
    """By the estimate nothing is done before step 30, and the goal cannot be reached."""
    maze = Maze([Way(a, b, 1) for a in range(5) for b in range(5)], 9, 40, 2, estimates={State((0, 0)): 30})
    found = ExactOracle().solve(maze, Request(effort=0.001))
    assert (found.status, found.objective, found.bound) == ("unknown", None, 1)
    assert ExactOracle().solve(maze, Request(effort=0.0)).bound == 30


def test_from_any_state_on_it_tells_when_all_is_done() -> None:
    maze = Maze(LADDER, 3)
    onward = ORACLE.onward(maze, State((2,), time=7), effort=1)
    assert (onward.status, onward.now, onward.finish, onward.to_go) == ("optimal", 7, 9, 2)
    assert ORACLE.onward(Maze(LADDER[:2], 3), State((1,), time=1), effort=1).status == "infeasible"
    with pytest.raises(Refused, match="coins count"):
        ORACLE.onward(wide(), State((1, 1)), effort=1)


class Lucky(Maze):
    """Where it begins, chance says."""

    def start(self, seed: int = 0) -> State:
        return State((seed % 2,))


class Mutable(Maze):
    """Its states cannot be known again."""

    def start(self, seed: int = 0) -> Any:
        return [0]


class Backwards(Maze):
    """Time may go back in it."""

    def outcome(self, state: State) -> Any:
        numbers = super().outcome(state).numbers
        return replace(super().outcome(state), numbers={**numbers, "steps": 9 - state.time})


class Vague(Maze):
    """It does not tell the time."""

    def outcome(self, state: State) -> Any:
        return replace(super().outcome(state), numbers={"completed": 0})


class Endless(Maze):
    """It tells a time that is no number of steps."""

    def outcome(self, state: State) -> Any:
        return replace(super().outcome(state), numbers={"completed": 0, "steps": inf})


@pytest.mark.parametrize(
    ("world", "lacking"),
    [
        (Lucky(LADDER, 3), "play depends on the seed"),
        (Relay(), "play depends on the seed"),
        (Mutable(LADDER, 3), "its states cannot be hashed"),
        (Maze(LADDER, 3, complete=False), "does not list every decision"),
        (Maze([Way(0, 0, n) for n in range(1, 8)], 3, walkers=3), "343 joint decisions, too many"),
        (Endless(LADDER, 3), "do not tell the number 'steps', a whole one"),
        (Vague(LADDER, 3), "do not tell the number 'steps'"),
        (Backwards(LADDER, 3), "after 9 steps a decision takes the time back"),
    ],
)
def test_what_a_world_lacks_is_named(world: Any, lacking: str) -> None:
    with pytest.raises(Refused, match=lacking):
        ORACLE.solve(world, Request(effort=1))


def test_the_kit_catches_an_estimate_that_promises_too_little() -> None:
    """From place 2 in step 2 all is done in step 4; who says 5 hides the best plan, and one that says 6 in
    the beginning as well."""
    assert estimates_kept(Maze(LADDER, 3, estimates={State((2,), 2): 4})) == ""
    for wrong in ({State((2,), 2): 5}, {State((0,)): 6}):
        with pytest.raises(ContractViolation, match="and 4 can be had"):
            estimates_kept(Maze(LADDER, 3, estimates=wrong))
    with pytest.raises(ContractViolation, match="and 7 can be had"):
        ways = (Way(0, 0, 2, 3), Way(0, 0, 1, 1))
        estimates_kept(Maze(ways, 3, 5, maximised="coins", estimates={State((0,)): 6}))
