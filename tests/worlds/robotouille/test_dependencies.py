"""Task dependency graphs: of the published tasks as the article's appendix A.7 words them, and in general."""

from __future__ import annotations

from collections import Counter
from typing import cast

import pytest
from msgspec.structs import replace

from backburner.drawing.graph import graphs_svg
from backburner.drawing.graph_layout import before, layers
from backburner.kernel import registry
from backburner.kernel.schedule import Problem
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.dependencies import dependency_graphs
from backburner.worlds.robotouille.game.rule_set import STANDARD
from backburner.worlds.robotouille.game.scenarios import shipped_domain
from backburner.worlds.robotouille.game.schema import GoalTerm
from backburner.worlds.robotouille.game.world import Robotouille
from support.promptly import within


def graphs(path: str) -> list[Problem]:
    world = registry.world(f"robotouille/{path}", limits="none")
    assert isinstance(world, Robotouille)
    found = world.problems()
    assert found == dependency_graphs(world.compiled)
    return [*found.values()]


BREADS, BUNS = Counter(bread=2), Counter(bottombun=1, topbun=1)
CUT, COOKED, FRIED = "cut", "cook", "fry"


def dish(around: Counter[str], **fillings: str) -> tuple[Counter[str], Counter[str]]:
    """(things put together, work done): ``lettuce="cut"``, ``cheese=""``; twice by ``patty_2``."""
    put, work = Counter(around), Counter[str]()
    for name, done in fillings.items():
        thing = name.partition("_")[0]
        put[thing] += 1
        work.update(f"{one} {thing}" for one in done.split())
    return put, work


def soup(**vegetables: str) -> tuple[Counter[str], Counter[str]]:
    put, work = dish(Counter(), **vegetables)
    added = Counter({f"add-to {thing} water": number for thing, number in put.items()})
    return Counter(), work + added + Counter(
        {"fill-pot water": 1, "boil-water water": 1, "fill-bowl water": 1}
    )


# What the captions of Figures 11 to 40 ask for. Items of the synchronous tasks that have to be cooked are
# cooked from the start, as nothing there takes time by itself.
A_7 = {
    "synchronous/1": [dish(BREADS, cheese="")],
    "synchronous/2": [dish(BREADS, lettuce=CUT)],
    "synchronous/3": [dish(BREADS, lettuce=CUT, tomato=CUT)],
    "synchronous/4": [dish(BUNS, patty="")],
    "synchronous/5": [dish(BUNS, patty="", cheese="")],
    "synchronous/6": [dish(BUNS, patty_1="", cheese_1="", patty_2="", cheese_2="")],
    "synchronous/7": [dish(BUNS, lettuce=CUT, tomato=CUT, cheese="", patty="")],
    "synchronous/8": [dish(BREADS, lettuce=CUT, chicken="")] * 2,
    "synchronous/9": [dish(BUNS, lettuce=CUT, tomato=CUT, patty="")] * 2,
    "synchronous/10": [
        dish(BUNS, patty="", cheese="", onion=CUT),
        dish(BREADS, chicken="", lettuce=CUT, tomato=CUT),
    ],
    "asynchronous/1": [dish(BREADS, cheese="", chicken=COOKED)],
    "asynchronous/2": [dish(BREADS, lettuce=CUT, chicken=COOKED)],
    "asynchronous/3": [dish(BREADS, lettuce=CUT, tomato=CUT, chicken=FRIED)],
    "asynchronous/4": [
        dish(BUNS, patty=COOKED, tomato=CUT),
        dish(Counter(), potato=f"{CUT} {FRIED}"),
    ],
    "asynchronous/5": [
        dish(BUNS, patty=COOKED, cheese="", onion=CUT),
        dish(Counter(), onion=f"{CUT} {FRIED}"),
    ],
    "asynchronous/6": [soup(potato="")],
    "asynchronous/7": [soup(onion_1=CUT, onion_2=CUT, onion_3=CUT)],
    "asynchronous/8": [soup(tomato=""), dish(BREADS, lettuce=CUT, chicken=COOKED)],
    "asynchronous/9": [soup(tomato=CUT, onion=CUT), *[dish(BREADS, chicken=COOKED)] * 2],
    "asynchronous/10": [
        soup(onion="", potato=""),
        dish(BUNS, lettuce=CUT, onion=f"{CUT} {FRIED}"),
        dish(BREADS, onion=CUT, chicken=COOKED),
    ],
    "multi_agent/1": [dish(BUNS, lettuce=CUT, patty=COOKED)],
    "multi_agent/2": [dish(BUNS, lettuce=CUT, tomato=CUT, patty=COOKED)],
    "multi_agent/3": [dish(BUNS, lettuce=CUT, onion=f"{CUT} {FRIED}", chicken=FRIED)],
    "multi_agent/4": [dish(BREADS, lettuce=CUT, chicken=COOKED)],
    "multi_agent/5": [dish(BREADS, lettuce=CUT, tomato=CUT, chicken=COOKED)],
    "multi_agent/6": [dish(BREADS, lettuce_1=CUT, chicken_1=COOKED, lettuce_2=CUT, chicken_2=COOKED)],
    "multi_agent/7": [soup(onion=CUT, potato="", tomato=CUT)],
    "multi_agent/8": [
        dish(BUNS, tomato=CUT, cheese="", patty=COOKED),
        dish(BREADS, onion=CUT, chicken=COOKED),
    ],
    "multi_agent/9": [dish(BUNS, lettuce=CUT, cheese="", patty=COOKED)] * 2,
    "multi_agent/10": [soup(potato="", tomato=CUT, chicken=COOKED), soup(potato="", cheese="", onion=CUT)],
}


def told(problem: Problem) -> tuple[Counter[str], Counter[str]]:
    """What is put together in a graph, and the work in it, numbers of things left out."""
    put, work = Counter[str](), Counter[str]()
    for activity in problem.activities:
        action, *things = [word for word in activity.name.split() if not word.isdigit()]
        if action in ("stack", "place-item"):
            put[things[0]] += 1
        else:
            work[" ".join((action, *(thing for thing in things if thing != "bowl")))] += 1
    return put, work


@pytest.mark.parametrize("path", A_7)
def test_the_published_tasks_take_what_their_goals_name(path: str) -> None:
    def in_order(dishes: list[tuple[Counter[str], Counter[str]]]) -> list[str]:
        return sorted(str((sorted(put.items()), sorted(work.items()))) for put, work in dishes)

    assert in_order([told(problem) for problem in graphs(path)]) == in_order(A_7[path])


def after(problem: Problem) -> dict[str, set[str]]:
    return {activity.name: set(activity.predecessors) for activity in problem.activities}


def test_fillings_come_in_any_order_unless_the_goal_says_so() -> None:
    """Figure 13: lettuce and tomato between two breads; Figure 16: by turns, a patty lowest."""
    (free,) = graphs("synchronous/3")
    needed = after(free)
    assert needed["stack lettuce"] == {"cut lettuce", "place-item bread 1 on table"}
    assert needed["stack tomato"] == {"cut tomato", "place-item bread 1 on table"}
    assert needed["stack bread 2"] == {"stack lettuce", "stack tomato"}
    (by_turns,) = graphs("synchronous/6")
    depth = layers(before(by_turns))
    assert [name for name, _ in sorted(depth.items(), key=lambda item: item[1])] == [
        "place-item bottombun on table",
        "stack patty 1 on bottombun",
        "stack cheese 1 on patty 1",
        "stack patty 2 on cheese 1",
        "stack cheese 2 on patty 2",
        "stack topbun on cheese 2",
    ]


def test_vegetables_may_go_into_the_pot_as_soon_as_there_is_water_in_it() -> None:
    """Section A.7 says so. What goes in is cut before, and all of it is there before the bowl is filled."""
    (soup_graph,) = graphs("asynchronous/7")
    needed = after(soup_graph)
    assert needed["boil-water water"] == {"fill-pot water"}
    assert needed["add-to onion 2 water"] == {"fill-pot water", "cut onion 2"}
    assert needed["fill-bowl water bowl"] == {
        "boil-water water",
        *(f"add-to onion {number} water" for number in (1, 2, 3)),
    }


def test_times_are_those_of_play() -> None:
    """Cooking: one step with the robot and three without it; cutting: three steps, each by hand."""
    times = {
        activity.name: (activity.duration, activity.operator_time, activity.resources)
        for problem in graphs("asynchronous/5")
        for activity in problem.activities
    }
    assert times["cook patty"] == (4, 1, ("stove",))
    assert times["cut onion 1"] == (3, 3, ("board",))
    assert times["fry onion 2"] == (4, 1, ("fryer",))
    assert times["stack cheese"] == (1, 1, ())


@pytest.mark.parametrize("path", A_7)
def test_no_edge_is_there_that_follows_from_others_and_none_leads_in_a_circle(path: str) -> None:
    for problem in graphs(path):
        needed = before(problem)
        depth = layers(needed)
        for name, direct in needed.items():
            assert all(depth[one] < depth[name] for one in direct)
            for one in direct:
                assert not any(one in _all_before(needed, other) for other in direct)
    assert "<svg" in graphs_svg({str(index): one for index, one in enumerate(graphs(path))})


def _all_before(needed: object, name: str) -> set[str]:
    table = cast(dict[str, tuple[str, ...]], needed)
    return {found for one in table[name] for found in (one, *_all_before(table, one))}


def goal_of(*terms: GoalTerm) -> Compiled:
    problem = registry.scenario("robotouille/synchronous/3").problem
    return Compiled(shipped_domain(), replace(problem, goal=terms), STANDARD)


def term(predicate: str, *things: tuple[str, int]) -> GoalTerm:
    return GoalTerm(predicate, tuple(kind for kind, _ in things), tuple(id for _, id in things))


def test_goals_that_cannot_be_met_have_graphs_without_circles() -> None:
    """Each of two things lies on the other; something cooked that nothing can cook; a robot somewhere."""
    lettuce, bread = ("lettuce", 1), ("bread", 2)
    (circle,) = dependency_graphs(
        goal_of(term("atop", lettuce, bread), term("atop", bread, lettuce))
    ).values()
    assert layers(before(circle)).keys() == {"stack lettuce on bread", "stack bread on lettuce"}
    (nothing,) = dependency_graphs(goal_of(term("iscooked", bread))).values()
    assert nothing.activities == ()
    (elsewhere,) = dependency_graphs(goal_of(term("loc", ("robot", 1), ("table", 2)))).values()
    assert elsewhere.activities == ()


def test_goals_without_end_take_no_time() -> None:
    """Of 120 literals about ten things a graph is made within a second; of more there is none."""
    things = [("bread", number) for number in range(10)]
    pairs = [term("atop", one, other) for one in things for other in things if one != other]
    with within(2):
        assert dependency_graphs(goal_of(*pairs[:90], *(term("clear", one) for one in things)))
    assert dependency_graphs(goal_of(*pairs, *pairs[:40])) == {}
