from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from rich.console import Console

from backburner.drawing import graph_svg, graph_text
from backburner.drawing.graph import graphs_svg
from backburner.drawing.graph_layout import Gap, Spacing, before, components, layers, layout
from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.kernel.schedule import Activity, Problem, problem_of
from drawing.samples import SVG, bars, parsed, problems, shown

TEA = Problem(
    "minutes",
    (
        Activity("boil water", 8, 1, (), ("kettle",)),
        Activity("wash cup", 5, 5),
        Activity("make tea", 2, 2, ("boil water", "wash cup")),
        Activity("drink & <rest>", 10, 10, ("make tea", "wash cup")),
        Activity("sweep", 1, 1),
    ),
    (),
    "",
    forbidden=("sweep",),
)
SPACING = Spacing(node=10, gap=4, component=6)


def nodes(problem):
    return dict(zip((a.name for a in problem.activities), bars(graph_svg(problem), "node"), strict=True))


def edges(svg):
    paths = (path for path in parsed(svg).iter(f"{SVG}path") if path.get("class") == "edge")
    return [path.findtext(f"{SVG}title") for path in paths]


def text(problem, width=100):
    console = Console(width=width, color_system=None)
    with console.capture() as capture:
        console.print(graph_text(problem))
    return capture.get()


def test_nodes_tell_when_there_is_a_release_or_a_deadline():
    bus = Activity("meet the bus", 2, 1, release=30, deadline=45)
    lunch = Activity("serve lunch", 5, 5, ("meet the bus",), deadline=60)
    late = Problem("minutes", (bus, lunch, Activity("sweep", 1, 1)), (), "")
    told = {name: node.told.split("\n")[1:] for name, node in nodes(late).items()}
    assert told == {
        "meet the bus": ["from 30 minutes on, done by 45 minutes"],
        "serve lunch": ["after meet the bus", "done by 60 minutes"],
        "sweep": ["can start at once"],
    }
    assert re.search(r"meet the bus +2 +\(background\) from 30 on, done by 45 +–", text(late))
    assert re.search(r"serve lunch +5 +done by 60 +meet the bus", text(late))


def test_nodes_tell_duration_agent_and_precedence():
    drawn = nodes(TEA)
    assert drawn["boil water"].told == (
        "boil water: 8 minutes, the agent is held for 1 minute\ncan start at once\nuses kettle"
    )
    assert drawn["make tea"].told == "make tea: 2 minutes\nafter boil water, wash cup"
    assert "alone" in drawn["boil water"].classes
    assert "hands" in drawn["wash cup"].classes
    assert "forbidden" in drawn["sweep"].classes
    assert {"10 minutes", "1 minute", "drink & <rest>", "never allowed"} <= set(
        shown(graph_svg(TEA)).split("\n")
    )


def test_every_edge_is_there_once():
    assert sorted(edges(graph_svg(TEA))) == [
        "boil water → make tea",
        "make tea → drink & <rest>",
        "wash cup → drink & <rest>",
        "wash cup → make tea",
    ]


def test_layers_are_the_longest_chains():
    assert layers(before(TEA)) == {
        "boil water": 0,
        "wash cup": 0,
        "make tea": 1,
        "drink & <rest>": 2,
        "sweep": 0,
    }


def test_tasks_that_do_not_touch_stand_in_rows_of_their_own():
    assert components(before(TEA))[1] == ["sweep"]
    drawn = nodes(TEA)
    assert drawn["sweep"].y > max(drawn[name].y + drawn[name].height for name in drawn if name != "sweep")


def test_an_edge_over_several_layers_has_a_gap_between_the_nodes():
    placed = layout(before(TEA), SPACING)
    assert placed.routes["wash cup", "drink & <rest>"] == ["wash cup", Gap("wash cup", 1), "drink & <rest>"]
    # half a node and half a gap: 5 + 2
    assert abs(placed.y[Gap("wash cup", 1)] - placed.y["make tea"]) >= 7


def test_a_plane_graph_is_drawn_without_crossings():
    problem = problem_of(registry.world("timearena/cooking8"))
    placed = layout(before(problem), SPACING)
    steps = {
        (placed.layer[one], placed.y[one], placed.y[other])
        for route in placed.routes.values()
        for one, other in pairwise(route)
    }
    assert not [(a, b) for a in steps for b in steps if a[0] == b[0] and a[1] < b[1] and a[2] > b[2]]


def test_a_circle_is_refused_by_name():
    circle = Problem(
        "minutes",
        (
            Activity("a", 1, 1),
            Activity("b", 1, 1, ("a", "d")),
            Activity("c", 1, 1, ("b",)),
            Activity("d", 1, 1, ("c",)),
        ),
        (),
        "",
    )
    for draw in (graph_svg, graph_text):
        with pytest.raises(Refused, match="wait for each other: b → c → d → b"):
            draw(circle)


def test_an_unknown_or_repeated_name_is_refused():
    unknown = Problem("minutes", (Activity("wash", 1, 1), Activity("dry", 1, 1, ("wasch",))), (), "")
    with pytest.raises(
        Refused, match="'dry' waits for 'wasch', which is not in the problem; did you mean wash"
    ):
        graph_svg(unknown)
    twice = Problem("minutes", (Activity("wash", 1, 1), Activity("wash", 2, 2)), (), "")
    with pytest.raises(Refused, match="two activities called 'wash'"):
        graph_svg(twice)


def test_the_table_tells_the_same():
    lines = [re.split(r"\s{2,}", line.strip()) for line in text(TEA).splitlines() if line.strip()]
    assert lines[0] == ["layer", "action", "minutes", "waits for"]
    assert lines[2:] == [
        ["1", "boil water", "8", "(background)", "–"],
        ["1", "wash cup", "5", "–"],
        ["2", "make tea", "2", "boil water, wash cup"],
        ["3", "drink & <rest>", "10", "make tea, wash cup"],
        ["1", "sweep", "1", "never allowed", "–"],
    ]


def test_a_kitchen_with_two_tasks():
    problem = problem_of(registry.world("timearena/cooking1+cooking2"))
    drawn = nodes(problem)
    assert sum("alone" in node.classes for node in drawn.values()) == 5  # two pots, three fryers
    assert len(edges(graph_svg(problem))) == sum(
        len(activity.predecessors) for activity in problem.activities
    )
    assert all(activity.name in text(problem) for activity in problem.activities)


def test_an_empty_problem_is_an_empty_picture():
    assert nodes(Problem("minutes", (), (), "")) == {}


@given(problems())
def test_what_comes_before_stands_to_the_left_and_nothing_overlaps(problem):
    drawn = nodes(problem)
    for activity in problem.activities:
        for needed in activity.predecessors:
            assert drawn[needed].x + drawn[needed].width < drawn[activity.name].x
    boxes = list(drawn.values())
    assert not any(box.meets(other) for at, box in enumerate(boxes) for other in boxes[at + 1 :])
    assert len(edges(graph_svg(problem))) == sum(
        len(set(activity.predecessors)) for activity in problem.activities
    )


@given(problems())
def test_edges_pass_no_node(problem):
    placed = layout(before(problem), SPACING)
    gaps = [vertex for vertex in placed.y if isinstance(vertex, Gap)]
    for gap in gaps:
        for name in (vertex for vertex in placed.y if isinstance(vertex, str)):
            if placed.layer[name] == placed.layer[gap]:
                assert abs(placed.y[name] - placed.y[gap]) >= (SPACING.node + SPACING.gap) / 2 - 1e-6


@given(problems())
def test_the_table_names_every_action(problem):
    assert text(problem, width=200).count("\n") >= len(problem.activities)


def test_several_graphs_stand_one_below_the_other_with_one_legend():
    milk = Problem("minutes", (Activity("warm milk", 3, 3),), (), "")
    picture = parsed(graphs_svg({"tea": TEA, "milk": milk}))
    groups = [each for each in picture if each.tag == f"{SVG}g"]
    titled = [group.findtext(f"{SVG}text") for group in groups]
    assert titled[:2] == ["tea", "milk"] and groups[-1].get("class") == "legend"
    _, top = re.findall(r"[\d.]+", groups[1].get("transform"))
    assert float(top) > 5 * 44, "below the five nodes of the first"
    names = [
        text.text for group in groups for text in group.iter(f"{SVG}text") if text.get("class") == "name"
    ]
    assert names == [activity.name for problem in (TEA, milk) for activity in problem.activities]


@pytest.mark.parametrize("unit", ["minutes", "seconds", "steps"])
def test_the_picture_is_wide_enough_for_its_legend(unit):
    picture = parsed(graph_svg(Problem(unit, (Activity("boil", 8, 1), Activity("cut", 1, 1)), (), "")))
    *_, legend = picture
    *_, last = legend.iter(f"{SVG}text")
    assert float(last.get("x")) + 6 * len(last.text) < float(picture.get("width"))
