"""Drawn kitchens: legal, complete, the same every time, and none where there is no room."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from math import perm, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.worlds.robotouille.game.domain_files import Place
from backburner.worlds.robotouille.game.generator import Cell, Grid, generate
from backburner.worlds.robotouille.game.problem_files import check_problem
from backburner.worlds.robotouille.game.released_generator import generate_released
from backburner.worlds.robotouille.game.scenarios import shipped_domain, shipped_problem, tasks
from backburner.worlds.robotouille.game.schema import (
    Container,
    Fact,
    Item,
    Meal,
    Player,
    ProblemFile,
    Station,
)

DOMAIN = shipped_domain()

some = settings(max_examples=25)
paths = st.sampled_from(list(tasks()))
seeds = st.integers(0, 10**6)
sizes = st.integers(4, 10)


@st.composite
def kitchens(draw: st.DrawFn) -> tuple[ProblemFile, ProblemFile, int]:
    """(task, kitchen drawn from it, number of robots) on grids with and without much room."""
    problem = shipped_problem(draw(paths))
    robots = draw(st.integers(1, 4))
    width, height = draw(sizes), draw(sizes)
    noise, spread = draw(st.none() | st.integers(0, 6)), draw(st.booleans())
    while True:  # the same request on a larger grid, until there is room
        try:
            made = generate(
                problem,
                DOMAIN,
                draw(seeds),
                width=width,
                height=height,
                robots=robots,
                noise=noise,
                spread=spread,
            )
        except Refused as error:
            assert "no room on a grid of" in str(error)
            assert width * height < 4 * (len(problem.stations) + (noise or 0) + robots + 10)
            width, height = width + 2, height + 2
        else:
            return problem, made.problem, robots


@pytest.mark.slow
@some
@given(kitchens())
def test_a_kitchen_is_legal(drawn: tuple[ProblemFile, ProblemFile, int]) -> None:
    """One station to a cell, things on stations, robots on cells of their own before their own stations."""
    _, kitchen, robots = drawn
    check_problem(kitchen, DOMAIN, Place("kitchen"))
    assert len(kitchen.players) == len({faced(player) for player in kitchen.players}) == robots
    stations = {cell(station) for station in kitchen.stations}
    assert {cell(thing) for thing in (*kitchen.items, *kitchen.containers)} <= stations


@pytest.mark.slow
@some
@given(kitchens())
def test_every_robot_can_walk_to_every_station(drawn: tuple[ProblemFile, ProblemFile, int]) -> None:
    _, kitchen, _ = drawn
    stations = {cell(station) for station in kitchen.stations}
    robots = {cell(player) for player in kitchen.players}
    grid = Grid(kitchen.width, kitchen.height)
    for robot in robots:
        floor = grid.walkable(robot, stations | robots - {robot})
        assert grid.all_beside(floor, stations)


@some
@given(kitchens())
def test_everything_is_there_and_a_table_is_empty(drawn: tuple[ProblemFile, ProblemFile, int]) -> None:
    problem, kitchen, robots = drawn
    for field in ("stations", "items", "containers", "meals"):
        assert not described(problem, field) - described(kitchen, field)
    assert (kitchen.goal, kitchen.config) == (problem.goal, problem.config)
    taken = {cell(thing) for thing in (*kitchen.items, *kitchen.containers)}
    assert any(cell(one) not in taken for one in kitchen.stations if one.name == "table")
    assert len(kitchen.stations) > robots


@some
@given(paths, seeds)
def test_stacks_stay_or_are_taken_apart(path: str, seed: int) -> None:
    problem = shipped_problem(path)
    plain = {"noise": 0, "width": 8, "height": 8}
    assert piles(generate(problem, DOMAIN, seed, **plain).problem) == piles(problem)
    apart = generate(problem, DOMAIN, seed, spread=True, **plain).problem
    assert all(len(pile) == 1 for pile in piles(apart))
    assert Counter(item.name for item in apart.items) == Counter(item.name for item in problem.items)


@some
@given(paths, seeds, st.booleans())
def test_a_seed_says_it_all(path: str, seed: int, released: bool) -> None:
    """The same kitchen every time, and nobody else's chance is used for it."""
    problem = shipped_problem(path)
    before = random.getstate()
    draw = generate_released if released else generate
    assert draw(problem, DOMAIN, seed) == draw(problem, DOMAIN, seed)
    assert random.getstate() == before


def test_a_small_kitchen_by_hand() -> None:
    """Two stations, two things and one robot on 2 x 2 cells: a third station must be empty, so that three
    stations leave one cell. It touches two of them only, and there is no room."""
    pot = ProblemFile(
        2,
        2,
        stations=(Station("table", 0, 1), Station("sink", 1, 1)),
        players=(Player("robot", 0, 0),),
        items=(Item("bread", 0, 1),),
        containers=(Container("pot", 1, 1),),
        goal=(),
    )
    with pytest.raises(Refused, match="no room on a grid of 2 x 2 cells for 3 stations"):
        generate(pot, DOMAIN, 1)
    # 3 x 2 cells: three free cells in one piece, such as the lower row, serve all three.
    kitchen = generate(pot, DOMAIN, 1, width=3).problem
    assert Counter(one.name for one in kitchen.stations) == {"table": 2, "sink": 1}


def test_what_is_in_a_pot_moves_with_it() -> None:
    problem = replace(shipped_problem("asynchronous/6"), meals=(Meal("water", 2, 1),))
    kitchen = generate(problem, DOMAIN, 7).problem
    (pot,) = (one for one in kitchen.containers if one.name == "pot")
    assert [cell(meal) for meal in kitchen.meals] == [cell(pot)]


def test_noise_is_drawn_from_the_kinds() -> None:
    """Five stations that nobody needs, and not more items than that, as they are fresh."""
    problem = shipped_problem("synchronous/1")
    for seed in range(20):
        kitchen = generate(problem, DOMAIN, seed, noise=5, width=9, height=9).problem
        added = described(kitchen, "items") - described(problem, "items")
        assert len(kitchen.stations) == 4 + 5
        assert added.total() <= 5
        assert all(predicates == DOMAIN.drawn_predicates.get(name, ()) for name, _, predicates in added)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"robots": 0}, "0 robots"),
        ({"width": 0}, "width 0"),
        ({"height": 101}, "height 101"),
        ({"noise": -1}, "-1 stations"),
        ({"noise": 10**9}, "no room"),
        ({"robots": 10**9}, "no room"),
    ],
)
def test_what_cannot_be(asked: Mapping[str, int], why: str) -> None:
    with pytest.raises(Refused, match=why):
        generate(shipped_problem("synchronous/1"), DOMAIN, 1, **asked)


def test_numbers_change_and_ids_stay() -> None:
    """``chicken1`` is the leftmost one, wherever that is in a drawn kitchen."""
    problem = replace(shipped_problem("synchronous/8"), facts=(Fact("iscut", ("chicken1",)),))
    with pytest.raises(Refused, match="'chicken1', which gets another number; give it an id"):
        generate(problem, DOMAIN, 1)
    items = (*problem.items[:-1], replace(problem.items[-1], id="bird"))
    generate(replace(problem, items=items, facts=(Fact("iscut", ("bird",)),)), DOMAIN, 1)


def test_a_domain_without_kinds_has_no_noise() -> None:
    problem, bare = shipped_problem("synchronous/1"), replace(DOMAIN, kinds={})
    made = generate(problem, bare, 1, width=9, height=9).problem
    assert described(made, "stations") == described(problem, "stations")
    with pytest.raises(Refused, match="no kinds of station"):
        generate(problem, bare, 1, noise=2, width=9, height=9)
    with pytest.raises(Refused, match="no kinds of station"):
        generate_released(problem, bare, 1)


@settings(max_examples=30)
@given(paths, seeds)
def test_the_released_generator_takes_stacks_apart_and_keeps_one_robot(path: str, seed: int) -> None:
    problem = shipped_problem(path)
    made = generate_released(problem, DOMAIN, seed)
    assert made.effective_seed >= seed
    for field in ("stations", "containers"):
        names = Counter(one.name for one in getattr(made.problem, field))
        assert not Counter(one.name for one in getattr(problem, field)) - names
    assert all(len(pile) == 1 for pile in piles(made.problem))
    assert len(made.problem.players) == 1


@pytest.mark.parametrize(
    ("path", "seed", "effective"),
    [("synchronous/1", 420, 421), ("synchronous/9", 378, 380), ("asynchronous/10", 378, 381)],
)
def test_where_the_released_generator_gets_stuck(path: str, seed: int, effective: int) -> None:
    """It goes on with the next seed; so it is with these of the article's kitchens."""
    assert generate_released(shipped_problem(path), DOMAIN, seed).effective_seed == effective


def test_the_kitchen_with_a_quarter_of_a_million_ways() -> None:
    """Ways to choose things for the ids of the goal, measured in the released program: for each kind
    those to take as many as it has ids out of those there are, in order."""
    kitchen = generate_released(shipped_problem("asynchronous/10"), DOMAIN, 252).problem
    there = Counter(one.name for one in (*kitchen.stations, *kitchen.items, *kitchen.containers))
    ids: dict[str, set[object]] = {}
    for term in kitchen.goal:
        for kind, id in zip(term.args, term.ids, strict=True):
            ids.setdefault(kind, set()).add(id)
    there["water"] = 1
    assert prod(perm(there[kind], len(members)) for kind, members in ids.items()) == 253_440


# --- the released generator's noisy way -----------------------------------------------------------------


@some
@given(paths, seeds)
def test_the_noisy_way_moves_stations_with_what_is_on_them(path: str, seed: int) -> None:
    """Own things come first in each list, whole; containers are lost, and all robots but one."""
    problem = shipped_problem(path)
    made = generate_released(problem, DOMAIN, seed, noisy=True)
    kitchen, n_own = made.problem, len(problem.stations)
    assert made.n_layouts >= 1
    assert described(problem, "items") <= described(kitchen, "items")
    assert not piles(replace(problem, containers=(), meals=())) - piles(kitchen)
    by_cell = [one.name for one in sorted(problem.stations, key=cell)]
    assert [one.name for one in kitchen.stations[:n_own]] == by_cell
    assert kitchen.containers == () and len(kitchen.players) == 1
    own = {cell(one) for one in kitchen.stations[:n_own]}
    assert not own & {cell(item) for item in kitchen.items[len(problem.items) :]}


ROW = ProblemFile(
    3,
    3,
    stations=(Station("table", 0, 1), Station("table", 2, 1)),
    players=(Player("robot", 1, 1, (1, 0)),),
    items=(Item("bread", 1, 1), Item("cheese", 0, 1)),
    goal=(),
)
"""Two tables, and between them a robot that holds bread: it is beside both, and belongs to both."""


def test_a_robot_of_two_stations_holds_its_bread_twice() -> None:
    """The same bread moves with each of the two tables and is listed with each; the robot stands beside the
    first station at last, and its bread lies where the layout had the robot."""
    apart = 0
    for seed in range(40):
        kitchen = generate_released(ROW, DOMAIN, seed, noisy=True).problem
        names = [item.name for item in kitchen.items[:3]]
        assert names == ["cheese", "bread", "bread"]
        assert kitchen.items[1] == kitchen.items[2]
        assert cell(kitchen.items[0]) == cell(kitchen.stations[0]) == faced(kitchen.players[0])
        apart += cell(kitchen.items[1]) != cell(kitchen.players[0])
    assert apart


def test_what_is_beside_no_station_is_lost_in_the_noisy_way() -> None:
    """A robot away from all stations with what it holds, and one that comes after another at its station."""
    beside, away = Player("robot", 1, 1, (1, 0)), Player("robot", 1, 2, (0, 1))
    lost = replace(ROW, players=(beside, away), items=(*ROW.items, Item("onion", 1, 2)))
    for seed in range(10):
        kitchen = generate_released(lost, DOMAIN, seed, noisy=True).problem
        assert "onion" not in [item.name for item in kitchen.items[:3]]
        assert len(kitchen.players) == 1


@pytest.mark.parametrize(
    ("problem", "why"),
    [
        (replace(ROW, items=()), "lists no items"),
        (replace(ROW, players=(Player("robot", 1, 2, (0, 1)),)), "no robot is beside a station"),
        (replace(ROW, stations=()), "no robot is beside a station"),
        (
            ProblemFile(
                2,
                1,
                (Station("table", 0, 0), Station("table", 1, 0)),
                (Player("robot", 0, 1, (0, -1)),),
                (),
                items=(Item("bread", 0, 0),),
            ),
            "2 stations and 1 robots are more than the 2 cells",
        ),
        (replace(ROW, items=(Item("item", 0, 1),)), "'item' stands for any kind of item"),
        (
            # Three stations in a single row of cells: whoever stands there reaches two of them at most.
            replace(
                ROW,
                width=6,
                height=1,
                stations=tuple(Station("table", x, 1) for x in (0, 2, 3)),
                players=(Player("robot", 1, 1, (1, 0)),),
            ),
            "none of 10000 layouts",
        ),
    ],
)
def test_where_the_noisy_way_never_ends(problem: ProblemFile, why: str) -> None:
    """The released program fails with every seed, or lays out for ever; here it is an error that says why."""
    with pytest.raises(Refused, match=why):
        generate_released(problem, DOMAIN, 1, noisy=True)


@pytest.mark.parametrize("path", ["synchronous/1", "asynchronous/6", "multi_agent/1", "training/synchronous"])
def test_every_task_has_noisy_kitchens(path: str) -> None:
    """Also those with containers, whose goals are then out of reach, and those for several robots."""
    id = f"robotouille/{path}@noisy=yes,seed=7"
    world = registry.world(id, rules="released", limits="none")
    assert world.id == id
    assert len(world.seats) == 1 and world.deciders(world.start())
    assert world.scenario.problem == generate_released(shipped_problem(path), DOMAIN, 7, noisy=True).problem
    with pytest.raises(Refused, match="noisy=yes belongs to generator=released"):
        registry.world(f"robotouille/{path}@generator=own,noisy=yes,seed=7", limits="none")


def cell(thing: Station | Item | Container | Meal | Player) -> Cell:
    return thing.x, thing.y


def faced(player: Player) -> Cell:
    return player.x + player.direction[0], player.y + player.direction[1]


def described(problem: ProblemFile, field: str) -> Counter[tuple[str, object, tuple[str, ...]]]:
    """Kinds, ids and predicates of the things in a field."""
    return Counter((one.name, one.id, one.predicates) for one in getattr(problem, field))


def piles(problem: ProblemFile) -> Counter[tuple[str, ...]]:
    """The kinds of what is on each cell, from below; a container with its meals."""
    found: dict[Cell, list[str]] = {}
    for item in sorted(problem.items, key=lambda item: item.stack_level):
        found.setdefault(cell(item), []).append(item.name)
    for thing in (*problem.containers, *problem.meals):
        found.setdefault(cell(thing), []).append(thing.name)
    return Counter(tuple(pile) for pile in found.values())
