"""The largest possible number of necessary waits, by hand and as the world counts it."""

from __future__ import annotations

import re
import sys

import pytest

from backburner.kernel import registry
from backburner.kernel.errors import MissingExtra, Refused, install_command
from backburner.worlds.timearena.game import Limits, TimeArena
from backburner.worlds.timearena.game.catalogue import known_optimum
from backburner.worlds.timearena.game.transition import AGENT
from backburner.worlds.timearena.oracle.solver import most_necessary_waits
from support.timearena.play import standard_but, world_of
from support.timearena.small_tasks import Doing, small_world

HEAT = Doing("heat", "rice", minutes=5)
CHOP = Doing("chop", "beef", minutes=2)


def most(world: TimeArena) -> int:
    solution = most_necessary_waits(world)
    assert (solution.status, solution.sense, solution.unit) == ("optimal", "max", "minutes")
    assert solution.objective is not None
    assert solution.bound == solution.objective
    return solution.objective


def test_waiting_is_necessary_when_everything_else_is_done() -> None:
    # chop 0-2, heat 2-7: the agent is free in 3-7 and nothing is left
    assert most(small_world([HEAT, CHOP])) == 4


def test_waiting_is_not_necessary_while_something_could_be_started() -> None:
    # Each runs for 5 minutes, started in 1. Started one after the other: 0-5, 1-6, wait in 2-6. To
    # wait for the first alone is not necessary; when it is over, the second's 4 minutes are.
    activate = Doing("activate", "beef", minutes=5)
    assert most(small_world([HEAT, activate])) == 4


def test_what_must_come_later_makes_waiting_necessary_twice() -> None:
    # heat 0-5, wait in 1-5, dissolve 5-8, wait in 6-8
    dissolve = Doing("dissolve in", "beef", "beaker", minutes=3, after=(0,))
    assert most(small_world([HEAT, dissolve])) == 6


def test_a_pot_in_use_makes_waiting_necessary() -> None:
    rice, beef = Doing("cook in", "rice", "pot", minutes=4), Doing("cook in", "beef", "pot", minutes=4)
    # one pot: 0-4 and 4-8, three free minutes each
    assert most(small_world([rice], [beef], kit="one")) == 6
    # a pot each: the second can be started while the first is on
    assert most(small_world([rice], [beef])) == 3


@pytest.mark.parametrize(("limit", "waits"), [(20, 4), (19, 3), (18, 2), (17, 1), (16, 0)])
def test_the_time_limit_counts(limit: int, waits: int) -> None:
    # 16 minutes of work in cooking1, and 16 are enough to complete it: each wait costs a minute more
    assert most(world_of("cooking1", limits=Limits(minutes=limit))) == waits


def test_no_plan_within_the_limit() -> None:
    solution = most_necessary_waits(world_of("cooking1", limits=Limits(minutes=15)))
    assert (solution.status, solution.objective, solution.starts) == ("infeasible", None, None)
    assert "15 minutes" in solution.note


def test_no_plan_under_rules_that_never_let_it_end() -> None:
    refused = world_of("cooking2+cooking3", standard_but(allow_lists_leave_out_unrenamed=True))
    solution = most_necessary_waits(refused)
    assert (solution.status, solution.objective, solution.bound) == ("infeasible", None, None)
    assert "add mushroom to dish_1" in solution.note


def test_the_plan_plays_and_has_the_waits() -> None:
    world = world_of("lab7+lab8", limits="article")
    solution = most_necessary_waits(world)
    state, necessary = world.start(), 0
    for text in solution.plan:
        necessary += text == "wait" and len(world.menu(state, AGENT).options) == 1
        step = world.step(state, {AGENT: world.parse(state, AGENT, text)})
        assert not step.refusals
        state = step.state
    assert state.ended == "completed"
    assert necessary == solution.objective == 12


@pytest.mark.parametrize("suite", ["singles", "pairs/household", "pairs/lab", "singles/cooking@kit=one"])
def test_the_shipped_numbers_are_what_is_found(suite: str) -> None:
    for id in registry.expand(f"timearena/{suite}"):
        world, known = registry.world(id), known_optimum(id)
        assert isinstance(world, TimeArena) and known is not None
        assert most(world) == known.most_necessary_waits == known.most_necessary_waits_bound


@pytest.mark.parametrize("path", ["cooking9+cooking10", "cooking9+cooking10@kit=one", "lab5+lab6+lab7"])
def test_the_shipped_numbers_of_larger_sets(path: str) -> None:
    known = known_optimum(f"timearena/{path}")
    assert known is not None
    assert most(world_of(path, limits="article")) == known.most_necessary_waits


def test_no_time_leaves_the_answer_open() -> None:
    solution = most_necessary_waits(world_of("cooking1"), time_limit_seconds=0)
    assert (solution.status, solution.objective, solution.plan) == ("unknown", None, ())
    assert solution.bound == 7  # cooking rice 4 and frying beef 5 leave 3 and 4 minutes free


def test_little_time_never_makes_the_answer_dishonest() -> None:
    """Whatever the machine manages in the time: the bound holds, and only a closed gap is optimal."""
    world = world_of("cooking8+cooking9@kit=one", limits="article")
    best = most(world)
    for seconds in (0.001, 0.01, 0.03, 0.1):
        solution = most_necessary_waits(world, time_limit_seconds=seconds)
        assert solution.bound is not None and solution.bound >= best
        assert (solution.objective is None) == (solution.status == "unknown")
        if solution.objective is not None:
            assert solution.objective <= best
            assert (solution.status == "optimal") == (solution.objective == solution.bound)


def test_rules_that_accept_other_pairs_are_refused() -> None:
    with pytest.raises(Refused, match="any_pair_counts"):
        most_necessary_waits(world_of("lab1", "released"))


def test_without_the_solver_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    with pytest.raises(MissingExtra, match=re.escape(install_command("solve"))):
        most_necessary_waits(world_of("lab1"))
