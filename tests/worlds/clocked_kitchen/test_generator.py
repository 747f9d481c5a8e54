"""Floors and kitchens are drafted, and what dishes take on them is told in ticks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from backburner.generation.survey import surveyed
from backburner.kernel import registry
from backburner.kernel.answers import read_answers
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.generating import Draft
from backburner.kernel.oracle import Request, Solution, solve_world
from backburner.kernel.play import play_now
from backburner.kernel.values import digest
from backburner.worlds.clocked_kitchen.agents.greedy import Greedy
from backburner.worlds.clocked_kitchen.game.state import Input
from backburner.worlds.clocked_kitchen.oracle.generator import GENERATOR
from backburner.worlds.clocked_kitchen.oracle.least_work import LeastWork
from support.clocked_kitchen.play import world_of as on_plan
from support.dispatch.drafts import build, drafted, recorded, world_of

USUAL: dict[str, Any] = {
    **{"layers": 2, "dishes": 2, "inputs": 2, "ingredients": 4, "tools": 3, "units": 2, "busy": 2},
    **{"attended": 0.3, "bodies": 3, "interval": 7, "patience": 1.5, "steps": 40, "spare": 1},
}
LEVEL_3: dict[str, Any] = {"level": "level_3", "bodies": 2, "tau": 2.0}


@pytest.mark.parametrize(
    ("options", "digest"),
    [
        (LEVEL_3 | {"ways": "3:4.5", "kitchens": 3}, "387359a0b71e71866ad9e8e8275ed206"),
        (
            {"level": "level_12", "bodies": 3, "tau": 1.5, "seed": 7, "kitchens": 2},
            "be2245bf6f51792223d768ce20e47b45",
        ),
        (
            {"level": "level_0", "ways": ":3.4", "seed": 2**61, "kitchens": 3},
            "c4c0061db94dbd879a547bd5c5c93d1b",
        ),
    ],
)
def test_floors_are_those_of_recorded_builds(tmp_path: Path, options: dict[str, Any], digest: str) -> None:
    told = build("clocked_kitchen", tmp_path / "new", options)
    assert not told.missing and recorded(tmp_path / "new") == digest


def test_kitchens_are_drawn_to_dials_without_a_proof(tmp_path: Path) -> None:
    told = build("clocked_kitchen", tmp_path, {"slack": "1.5:2", "ways": "3:4", "scenarios": 2})
    assert [row[-1] for row in told.rows] == ["", ""] and not (tmp_path / "answers.jsonl").exists()
    for id in registry.expand(str(tmp_path)):
        world = registry.world(id)
        assert 3 <= GENERATOR.own(world, None, ())["ways"] <= 4
        waits = [(job.due or 0) - job.release for job in GENERATOR.structure(world).jobs]
        assert waits and min(waits) > 0


def test_gaps_are_told_against_the_best_known_play(tmp_path: Path) -> None:
    """What is not proven is kept only where a bound is near enough, and marked."""
    asked = {"gap": "greedy=.1:.4", "bounded": 0.5, "scenarios": 2, "effort": 0.2}
    told = build("clocked_kitchen", tmp_path, asked | {"set": "bodies=1+layers=1+steps=30+interval=4"})
    answers = read_answers(tmp_path / "answers.jsonl")
    assert [row[-1] for row in told.rows] == ["proven", "feasible"]
    for id in registry.expand(str(tmp_path)):
        world = registry.world(id)
        answer = answers[digest(world.scenario)]
        solution = solve_world(world, Request(effort=0.2))
        assert (answer.best, answer.bound) == (solution.objective, solution.bound)
        assert answer.bound <= 1.5 * answer.best and answer.status == solution.status
        ending = play_now(world, Greedy(world)).ending
        assert ending is not None
        lost = (answer.best - ending.numbers["completed"]) / answer.best
        assert answer.dials["gap:greedy"] == round(lost, 4) and 0.1 <= lost <= 0.4


@pytest.mark.parametrize("dial", ["rooms", "asymmetry"])
def test_what_says_nothing_here_is_no_dial(tmp_path: Path, dial: str) -> None:
    with pytest.raises(Refused, match="no dial"):
        build("clocked_kitchen", tmp_path / "new", {"grid": f"{dial}=.1:"})


@pytest.mark.parametrize("options", [{"bodies": 99}, {"tau": 1000.0}])
def test_what_cannot_be_asked_for_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(Refused, match="out of range"):
        drafted(GENERATOR, {}, LEVEL_3 | options, 0)


def test_an_unknown_level_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="level_3"):
        drafted(GENERATOR, {}, LEVEL_3 | {"level": "level3"}, 0)


def drawn(seed: int) -> Draft:
    return drafted(GENERATOR, USUAL, {"level": ""}, seed)


@pytest.mark.parametrize("seed", range(3))
def test_a_drawn_kitchen_plays_in_no_less_than_its_least_time(seed: int) -> None:
    world = world_of("clocked_kitchen", GENERATOR, drawn(seed), "pottery")
    assert drawn(seed) == drawn(seed) and world.seats == ("agent0", "agent1", "agent2")
    structure = GENERATOR.structure(world)
    ending = play_now(world, Greedy(world)).ending
    assert ending is not None and 0 < ending.numbers["completed"] <= len(structure.jobs)
    # an order waits 1.5 times the least time, rounded up to whole steps of ten ticks
    for job in structure.jobs:
        assert job.due is not None and 0 <= job.due - job.release - 1.5 * job.alone < 10


def test_the_least_work_is_along_the_shortest_ways() -> None:
    """Level 0 makes a salmon meatcake of salmon and flour, which lie on the shelves at the right end, in the
    blender three cells from there and five from the table at the left end. Hands take 5 ticks, a cell 2, the
    blender 20.

    Each ingredient: taken, carried three cells, put in, 5 + 6 + 5. The cake: the blender is started and
    works, 20; it is taken, carried five cells, and put down, 5 + 10 + 5. From the first step of the nearest
    of two bodies on, who stand at the table and a cell beside it: 7 cells to the shelves, then 5 + 6, 20, 5 +
    10.
    """
    plan = ("#########S#", "T.........S", "######B####")
    world = on_plan("level_0", plan)
    least = LeastWork(world.compiled)
    (dish,) = world.compiled.kitchen.dishes
    assert [(each.duration, each.operator_time) for each in least.tree(dish)] == [
        (16, 16),
        (16, 16),
        (40, 25),
    ]
    assert least.ticks(dish) == (7 * 2 + 11 + 20 + 15, 57)
    assert GENERATOR.own(world, None, ())["ways"] == 76 / 14


LANE = ("#########S#", "T.........S", "######B####")
FETCHED = ("get_{0}_salmon_storage0", "put_{0}_blender0", "get_{0}_flour_storage0", "put_{0}_blender0")
SERVED = ("get_{0}_blender0", "put_{0}_servingtable0")


def _own(bodies: int, *plan: tuple[str, Sequence[str]]) -> Mapping[str, float]:
    """The dials of a play in which one body after the other does what it is told."""
    world = on_plan(f"level_0@bodies={bodies}", LANE, ticks=300)
    owner = dict(zip(world.compiled.names, world.seating.owner, strict=True))
    left = [(owner[body], command.format(body)) for body, commands in plan for command in commands]
    state, decisions = world.start(), []
    while seats := world.deciders(state):
        given = dict.fromkeys(seats, Input())
        if left and left[0][0] in seats:
            seat, command = left.pop(0)
            given[seat] = Input((command,))
        decisions.append(given)
        state = world.step(state, given).state
    assert len(state.served) == 1
    solution = Solution(world.id, "feasible", 1, 2, "max", "orders served", "")
    return GENERATOR.own(world, solution, decisions)


def test_bodies_are_at_work_while_they_walk_use_hands_or_are_kept() -> None:
    """Eight cells to the shelves, 16 ticks, taken in 5, three cells to the blender, put in: 5 + 6 + 5; the
    same way back, 6, and again, 16: 54. It is started, 5, and works until 74; the body waits for 15 ticks.
    The cake is taken, 5, and put on the table five cells on, in tick 89. Of 89 ticks the body is at work in
    74, the blender in 20."""
    dials = _own(1, ("agent0", (*FETCHED, "activate_{0}_blender0", *SERVED)))
    assert dials["attention"] == 74 / 89 and dials["width"] == (74 + 20) / 89
    assert dials["handovers"] == 0


def test_what_another_body_takes_out_is_a_handover() -> None:
    """Of one cake, of three things to bring and make for each order of the episode."""
    dials = _own(2, ("agent1", (*FETCHED, "activate_{0}_blender0")), ("agent0", SERVED))
    world = on_plan("level_0@bodies=2", LANE, ticks=300)
    assert dials["handovers"] == 1 / (3 * len(GENERATOR.orders(world)))


def test_where_nothing_can_be_served_nobody_loses_anything(tmp_path: Path) -> None:
    file = tmp_path / "short.json"
    file.write_text('{"world": "clocked_kitchen", "id": "short", "level": "level_3", "tau": 1.0, "steps": 3}')
    found = surveyed(str(file))
    assert (found.best, found.status) == (0, "optimal") and "gap:busy" not in found.dials


def test_what_no_order_needs_is_a_lure() -> None:
    """The orders of these twenty seconds are for tuna alone, which takes no mixer."""
    world = registry.world("clocked_kitchen/level_2@tau=3.0,seconds=20")
    given = ("get_agent0_tuna_storage0", "get_agent0_salmon_storage0", "goto_agent0_mixer0", "move_agent0_up")
    assert [GENERATOR.is_needed(world, Input((each,))) for each in given] == [True, False, False, True]
