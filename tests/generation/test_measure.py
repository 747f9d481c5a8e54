"""The dials by hand, in a kitchen of three activities, and what they promise of any scenario."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from backburner.generation.measure import Graph, Planned, contention, gap, of_structure
from backburner.generation.survey import published, surveyed
from backburner.kernel import packs, registry
from backburner.kernel.generating import Job, Result, Structure, Work, attained, generator_of, regret
from backburner.kernel.oracle import Request, solve_world
from backburner.kernel.schedule import Activity, Resource


def role(verb: str, slot: int, minutes: int, *needs: tuple[str, str, int]) -> dict[str, Any]:
    carries = {"before": "raw", "after": "done"} if slot != 2 else {}
    return {"verb": verb, "slot": slot, "minutes": minutes, "needs": needs, **carries}


def kitchen() -> dict[str, Any]:
    """boil: 5 minutes in the pan by itself; chop: 3 by hand; fry, after chop: 4 in the wok by itself."""
    verbs = [("boil in", "boil OBJ1 in OBJ2", False), ("chop", "chop OBJ", True)]
    verbs.append(("fry in", "fry OBJ1 in OBJ2", False))
    return {
        "world": "timearena",
        "id": "by-hand",
        "verbs": [
            {"name": name, "form": form, "occupies_agent": held, "gloss": name} for name, form, held in verbs
        ],
        "tasks": [
            {
                "id": "meal1",
                "scenario": "cooking",
                "number": 1,
                "title": "a meal",
                "goal": "boil the egg and fry the leek",
                "verbs": [name for name, _, _ in verbs],
                "actions": [
                    {"verb": "boil in", "things": ["egg", "pan"]},
                    {"verb": "chop", "things": ["leek"]},
                    {"verb": "fry in", "things": ["leek", "wok"]},
                ],
                "things": [
                    {"name": "egg", "roles": [role("boil in", 1, 5)]},
                    {
                        "name": "leek",
                        "roles": [role("chop", 0, 3), role("fry in", 1, 4, ("leek", "chop", 0))],
                    },
                    {"name": "pan", "roles": [role("boil in", 2, 0)]},
                    {"name": "wok", "roles": [role("fry in", 2, 0)]},
                ],
            }
        ],
    }


@pytest.fixture
def by_hand(tmp_path: Path) -> Path:
    file = tmp_path / "by-hand.json"
    file.write_text(json.dumps(kitchen()))
    return file


def test_the_dials_of_three_activities_worked_out_by_hand(by_hand: Path) -> None:
    """Boil at 0, chop from 1 to 4, fry from 4 to 8: T* = 8, of which the cook is held for 1 + 3 + 1."""
    found = surveyed(str(by_hand))
    assert (found.status, found.best) == ("optimal", 8)
    wanted = {
        "length": 3,
        "depth": 2,
        "joins": 0,
        "width": (5 + 3 + 4) / 8,
        "attention": (1 + 3 + 1) / 8,
        "chain": (3 + 4) / 8,
        "contention": 0,
        "decisions": 3,
    }
    assert {name: found.dials[name] for name in wanted} == wanted


def test_play_that_is_never_idle_chops_or_boils_first_as_it_happens(by_hand: Path) -> None:
    """Boil first: 8 minutes; chop, boil, fry: 8; chop, fry, boil: 3 + 1 + 5 = 9, a regret of 1/8."""
    world = registry.world(str(by_hand))
    found = gap(world, generator_of("timearena"), "busy", 8, None)
    assert found.plays == 8 and found.unfinished == 0
    assert found.regret in [round(bad / 8 / 8, 4) for bad in range(9)]
    assert 0 < found.regret < 1 / 8


def test_serial_play_takes_all_durations(by_hand: Path) -> None:
    world = registry.world(str(by_hand))
    assert gap(world, generator_of("timearena"), "serial", 8, None).regret == (12 - 8) / 8


def test_decisions_that_cost_something_are_told_on_request(by_hand: Path) -> None:
    """After boil, nothing can go wrong. After chop, to fry before boiling costs a minute: one of five points,
    those of the waits among them."""
    found = surveyed(str(by_hand), choice=True)
    plan = solve_world(registry.world(str(by_hand)), Request(effort=5)).plan
    assert found.dials["choice"] == (0.2 if plan[0] == "chop leek" else 0)


@pytest.mark.parametrize("name", [name for name in packs.names() if packs.pack(name).surveyed])
def test_dials_of_suites_without_a_headline_ship(name: str) -> None:
    asks, pack = published(name), packs.pack(name)
    assert asks is not None and pack.headline is None and asks.version == pack.version
    assert [suite.suite for suite in asks.suites] == pack.surveyed.partition(":")[2].split("+")
    for suite in asks.suites:
        assert suite.scenarios == len(registry.expand(f"{name}/{suite.suite}"))
        assert 0 < suite.proven <= suite.scenarios and f"gap:{generator_of(name).yardstick}" in suite.dials


def work(name: str, duration: int, *after: str, uses: tuple[str, ...] = (), job: str = "") -> Work:
    return Work(Activity(name, duration, 1, predecessors=after, resources=uses), job=job)


def test_joins_are_counted_in_the_transitive_reduction() -> None:
    """c after a and b, where a comes before b anyway: no join."""
    graph = Graph([work("a", 1), work("b", 1, "a"), work("c", 1, "a", "b"), work("e", 1)])
    assert graph.joins() == 0
    graph = Graph([work("a", 1), work("b", 1), work("c", 1, "a", "b"), work("d", 1, "a", "b", "c")])
    assert graph.joins() == 1


def test_a_chain_may_be_as_long_as_it_likes() -> None:
    """3,000 in a row, the last first, where Python calls functions some 1,000 deep."""
    names = [f"step {number}" for number in range(3000)]
    works = [
        Work(Activity(name, 1, 1, (before,) if before else ()))
        for name, before in zip(names, ["", *names], strict=False)
    ]
    found = of_structure(Structure(activities=tuple(reversed(works))))
    assert (found["length"], found["depth"], found["joins"]) == (3000, 3000, 0)


def test_orders_are_measured_one_by_one() -> None:
    """Orders of 1 and 3 activities: a median of 2. Due after 4 and 9, alone 4 and 6: slack 1 and 1.5."""
    structure = Structure(
        activities=(
            work("a", 4, job="1"),
            work("b", 2, job="2"),
            work("c", 2, "b", job="2"),
            work("d", 2, "c", job="2"),
        ),
        bodies=("cook", "mate"),
        jobs=(Job("1", 0, 4, alone=4, body_time=4), Job("2", 1, 10, alone=6, body_time=6)),
        horizon=10,
    )
    found = of_structure(structure)
    assert (found["length"], found["depth"], found["slack"]) == (2, 2, 1.25)
    assert found["pressure"] == (4 + 6) / (2 * 10)


def test_contention_leaves_out_what_precedence_orders() -> None:
    ordered = (work("a", 4, uses=("pan",)), work("b", 4, "a", uses=("pan",)))
    free = (work("a", 4, uses=("pan",)), work("b", 4, uses=("pan",)))
    for works, capacity, wanted in ((ordered, 1, 0), (free, 1, 8 / 10), (free, 2, 8 / 20)):
        structure = Structure(activities=works, resources=(Resource("pan", capacity),))
        assert contention(structure, 10) == wanted


def test_regret_and_what_is_attained() -> None:
    late, half = Result(1, 10, True), Result(0.5, 40, False)
    assert regret(late, 8, "min") == 0.25 and attained(late, 8, "min") == 0.8
    assert regret(half, 8, "min", limit=40) == 4 and attained(half, 8, "min") == 0.5 * 8 / 40
    assert regret(Result(0.6, 3, False), 5, "max") == 0.4 and attained(Result(0.6, 3, False), 5, "max") == 0.6


def test_the_plan_is_played_by_the_world(by_hand: Path) -> None:
    world = registry.world(str(by_hand))
    generator = generator_of("timearena")
    solution = solve_world(world, Request(effort=1))
    planned = Planned(world, generator, generator.structure(world), solution)
    assert planned.time == 8
    assert planned.episode.ending is not None and planned.episode.ending.numbers["completed"] == 1
