"""The shortest plan of a world: played in it, measured by it, within its limits."""

from __future__ import annotations

import re
import sys
from typing import Any

import pytest

from backburner.kernel import registry
from backburner.kernel.errors import MissingExtra, Refused, ReplayMismatch, UnknownName, install_command
from backburner.kernel.oracle import Request, solve_world
from backburner.worlds.timearena.game import Limits
from backburner.worlds.timearena.game.transition import AGENT
from support.timearena.play import standard_but, world_of


def test_the_tree_cannot_be_trimmed_while_it_is_watered() -> None:
    solution = solve_world(world_of("household4"))
    # add water 3, water the tree 6 (the can and the tree are in use), trim 5: nothing overlaps
    assert (solution.status, solution.objective, solution.bound) == ("optimal", 14, 14)
    assert (solution.sense, solution.unit, solution.scenario) == ("min", "minutes", "timearena/household4")


def test_one_fryer_makes_one_dish_wait_for_the_other() -> None:
    # Rice: pick 1, cook 5, fry 7, add 1. Chicken: pick 1, chop 3, fry 4, add 3. The dish: wash 3.
    # A fryer for each: pick rice 0-1, cook rice 1-6, pick chicken 2-3, chop 3-6, fry rice 6-13, fry
    # chicken 7-11, wash 8-11, add chicken 11-14, add rice 14-15: the agent is never idle.
    assert solve_world(world_of("cooking7")).objective == 15
    # One fryer, the same beginning: fry chicken 6-10, fry rice 10-17, add rice 17-18. With the rice
    # in the fryer first: 6-13, chicken 13-17, add chicken 17-20. With the chicken in the fryer at 4,
    # the rice is picked and cooked from 5 on: 5-6, 6-11, fried 11-18, added 18-19.
    assert solve_world(world_of("cooking7@kit=one")).objective == 18


def test_the_plan_is_in_the_worlds_words_and_plays() -> None:
    world = world_of("lab1")
    solution = solve_world(world)
    # wash 4, add 4, heat 5: a chain; 4 of heating's 5 minutes are left to wait for
    assert solution.plan == (
        "wash test_tube",
        "add solution to test_tube",
        "heat test_tube",
        *["wait"] * 4,
    )
    state = world.start()
    for text in solution.plan:
        state = world.step(state, {AGENT: world.parse(state, AGENT, text)}).state
    assert (state.ended, state.minute) == ("completed", solution.objective)


def test_a_time_limit_that_no_plan_meets_is_reported() -> None:
    assert solve_world(world_of("household4", limits=Limits(minutes=14))).objective == 14
    solution = solve_world(world_of("household4", limits=Limits(minutes=13)))
    assert (solution.status, solution.objective, solution.starts, solution.plan) == (
        "infeasible",
        None,
        None,
        (),
    )
    assert solution.bound == 14
    assert "14 minutes" in solution.note and "time_limit" in solution.note


def test_what_the_released_allow_lists_refuse_has_no_plan() -> None:
    solution = solve_world(world_of("cooking2+cooking3", "released"))
    assert (solution.status, solution.objective, solution.plan) == ("infeasible", None, ())
    assert "add mushroom to dish_1" in solution.note
    assert solve_world(world_of("cooking2+cooking3")).objective == 37
    one_defect = standard_but(allow_lists_leave_out_unrenamed=True)
    assert solve_world(world_of("cooking2+cooking3", one_defect)).status == "infeasible"


def test_what_is_proven_holds_for_every_decision_even_if_some_were_left_out() -> None:
    assert "every decision" in solve_world(world_of("lab1")).space
    # released rules accept pairs of things that are not searched. lab1: wash 4, add 4, heat 1 of 5
    # make 9 minutes of attention; the plan takes 13, and who knows
    lab1 = solve_world(world_of("lab1", "released"))
    assert "left out" in lab1.space
    assert (lab1.status, lab1.objective, lab1.bound) == ("feasible", 13, 9)
    # cooking1+cooking2 keeps the agent busy for all of its 37 minutes: no decision can beat that
    pair = solve_world(world_of("cooking1+cooking2", "released"))
    assert (pair.status, pair.objective, pair.bound) == ("optimal", 37, 37)


def test_no_time_leaves_the_answer_open() -> None:
    solution = solve_world(world_of("cooking1"), Request(time_limit_seconds=0))
    assert (solution.status, solution.objective, solution.plan) == ("unknown", None, ())
    assert solution.bound == 16  # the agent's work: 3 + 2 + 2 + 1 + 2 + 3 + 1 + 2


def test_the_world_has_the_last_word(monkeypatch: pytest.MonkeyPatch) -> None:
    world = world_of("lab1")
    outcome = world.outcome

    def slower(state: Any) -> Any:
        numbers = {**outcome(state).numbers, "minutes": state.minute + 1}
        return type(outcome(state))("ended", "completed", numbers)

    monkeypatch.setattr(world, "outcome", slower)
    with pytest.raises(ReplayMismatch, match="13 minutes"):
        solve_world(world)


def test_a_world_without_a_scheduling_problem_is_refused() -> None:
    class Chess:
        id = "chess/opening"

    with pytest.raises(Refused, match="chess/opening"):
        solve_world(Chess())  # type: ignore[arg-type]


def test_without_the_solver_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    with pytest.raises(MissingExtra, match=re.escape(install_command("solve"))):
        solve_world(world_of("lab1"))


def test_two_cooks_are_solved_in_calls_or_in_moves() -> None:
    """An egg: 16 steps by calls, 15 where the chef may turn to the counter before the egg is there."""
    world = registry.world("collab_overcooked/boiled_egg")
    calls, moves = solve_world(world), solve_world(world, Request(options={"space": "moves"}))
    assert (calls.objective, calls.status, moves.objective, moves.status) == (16, "optimal", 15, "optimal")
    with pytest.raises(UnknownName, match="did you mean moves"):
        solve_world(world, Request(options={"space": "mover"}))
    with pytest.raises(UnknownName, match="unknown foods 'none'; known: own, all"):
        solve_world(world, Request(options={"foods": "none"}))
    with pytest.raises(Refused, match=r"no option 'space'; that of collab_overcooked has$"):
        solve_world(world_of("cooking1"), Request(options={"space": "calls"}))
    with pytest.raises(Refused, match=r"no option 'speed'$"):
        solve_world(world_of("cooking1"), Request(options={"speed": "high"}))
