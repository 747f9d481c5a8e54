"""Job shops, projects and graphs of the field: known answers, and what comes back of what is written."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.formats.files import exported, imported
from backburner.kernel.errors import BackburnerError, BadFile, Refused, UnknownName
from backburner.kernel.schedule import Activity, MaxLag, Problem, Resource
from backburner.scheduling.makespan import solve_problem
from support.scheduling.tiny_problems import tiny_problem, with_windows

FT06 = """# Fisher and Thompson, 1963: 55
6 6
2 1  0 3  1 6  3 7  5 3  4 6
1 8  2 5  4 10  5 10  0 10  3 4
2 5  3 4  5 8  0 9  1 1  4 7
1 5  0 5  2 5  3 3  4 8  5 9
2 9  1 3  4 5  5 4  0 3  3 1
1 3  3 3  5 9  0 10  4 4  2 1
"""


def optimum(problem: Problem) -> int | None:
    return solve_problem(problem).objective


def file_with(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def back(problem: Problem, format: str, folder: Path, suffix: str = "") -> Problem:
    """What is read of what is written."""
    written = exported(problem, format)
    return imported(file_with(folder, f"it{suffix}", written.content), format=format)


# --- drawn problems --------------------------------------------------------------------------------------


def by_hand_or_alone(random: Random) -> Problem:
    """A drawn problem that a project of PSPLIB can say: no lags, states, interruptions, deadlines."""
    problem = with_windows(tiny_problem(random), random)

    def plain(activity: Activity) -> Activity:
        time = random.choice([0, activity.duration])
        bare = replace(activity, max_lags=(), sets=None, requires=None, preemptive=False, deadline=None)
        return replace(bare, operator_time=time)

    return replace(problem, activities=tuple(map(plain, problem.activities)), complete=random.random() < 0.5)


PROJECTS = st.randoms(use_true_random=False).map(by_hand_or_alone)
PROBLEMS = st.randoms(use_true_random=False).map(lambda random: with_windows(tiny_problem(random), random))


@given(PROBLEMS)
@settings(max_examples=50, deadline=None)
def test_our_own_json_brings_everything_back(
    tmp_path_factory: pytest.TempPathFactory, problem: Problem
) -> None:
    assert back(problem, "problem", tmp_path_factory.mktemp("p")) == problem


@pytest.mark.parametrize(("format", "suffix"), [("psplib", ".sm"), ("psplib", ".rcp")])
@given(PROJECTS)
@settings(max_examples=40, deadline=None)
def test_a_project_comes_back_with_its_optimum(
    tmp_path_factory: pytest.TempPathFactory, format: str, suffix: str, problem: Problem
) -> None:
    """Of numbers alone the operator comes back as a resource: what needs none may start at any time."""
    written = exported(problem, "patterson" if suffix == ".rcp" else format)
    found = imported(file_with(tmp_path_factory.mktemp("p"), f"it{suffix}", written.content))
    loose = replace(problem, resources=(*problem.resources, Resource("operator")), activities=tuple(
        replace(a, operator_time=0, resources=(*a.resources, *(["operator"] if a.operator_time else [])))
        for a in problem.activities
    ))  # fmt: skip
    assert optimum(found) == optimum(problem if suffix == ".sm" else loose)
    if suffix == ".sm" and not any(activity.release for activity in problem.activities):
        assert found == problem


# --- job shops ------------------------------------------------------------------------------------------


def test_a_published_job_shop_has_its_optimum_and_comes_back(tmp_path: Path) -> None:
    problem = imported(file_with(tmp_path, "ft06", FT06))
    assert optimum(problem) == 55
    assert problem.activities[7].name == "job 1 step 1" and problem.activities[7].resources == ("machine 2",)
    named = replace(problem, unit="minutes", space='"a" b\\')
    assert back(named, "jsplib", tmp_path) == named


def test_what_is_no_job_shop_is_refused(tmp_path: Path) -> None:
    problem = imported(file_with(tmp_path, "ft06", FT06))
    first, second, *others = problem.activities
    for changed, why in (
        (replace(first, resources=()), "the job that begins with 'job 0 step 0' does not visit each machine"),
        (replace(first, operator_time=1), r"no way to say the operator, .* \(1 of 36 activities\)"),
        (replace(first, max_lags=(MaxLag(second.name, 0),)), "maximum lags"),
    ):
        with pytest.raises(Refused, match=why):
            exported(replace(problem, activities=(changed, second, *others)), "jsplib")
    forked = replace(others[0], predecessors=(first.name,))
    with pytest.raises(Refused, match="'job 0 step 0' is in no chain"):
        exported(replace(problem, activities=(first, second, forked, *others[1:])), "jsplib")


# --- lags between starts -----------------------------------------------------------------------------------

LAGS = """3 1 0 0
0 1 3 1 2 3 [0] [0] [2]
1 1 2 4 2 [5] [{}]
2 1 1 4 [2]
3 1 2 4 1 [1] [-1]
4 1 1 0 [-20]
0 1 0 0
1 1 3 1
2 1 2 1
3 1 1 0
4 1 0 0
1
"""
"""Activities of 3, 2 and 1 units, the first two on one machine. The third starts at 2 or later and at most 1
after the first, and the project ends 5 or more after the start of the first."""


@pytest.mark.parametrize(
    ("delay", "best"),
    [
        ("-9", 6),  # the third at 2, so the first at 1, and the end at 6; the second from 4 to 6
        ("1", 6),
        ("3", 6),  # the second starts when the first has ended, or later
        ("4", 7),  # one later
    ],
)
def test_lags_between_starts_are_kept(tmp_path: Path, delay: str, best: int) -> None:
    problem = imported(file_with(tmp_path, "a.sch", LAGS.format(delay)))
    answer = solve_problem(problem)
    assert answer.objective == best and answer.starts is not None
    start = {name: at for name, at in answer.starts.items() if name in ("a1", "a2", "a3", "a4")}
    assert start["a2"] >= start["a1"] + int(delay) and 2 <= start["a3"] <= start["a1"] + 1
    assert start["a4"] >= start["a1"] + 5 and start["a4"] == best


def starts_with_lags(durations: list[int], lags: list[tuple[int, int, int]], latest: int) -> int | None:
    """The least end of all starts that keep S(j) >= S(i) + d, by trying them."""
    best = None

    def extend(starts: tuple[int, ...]) -> None:
        nonlocal best
        if len(starts) == len(durations):
            if all(starts[j] >= starts[i] + d for i, j, d in lags):
                end = max(s + p for s, p in zip(starts, durations, strict=True))
                best = end if best is None else min(best, end)
            return
        for start in range(latest):
            extend((*starts, start))

    extend(())
    return best


@given(st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_drawn_lags_give_what_trying_gives(tmp_path_factory: pytest.TempPathFactory, random: Random) -> None:
    durations = [random.randint(1, 4) for _ in range(3)]
    pairs = [(i, j) for i in range(3) for j in range(3) if i != j and random.random() < 0.6]
    lags = [(i, j, random.randint(-4, 5)) for i, j in pairs]
    rows = ["3 0 0 0", "0 1 3 1 2 3 [0] [0] [0]"]
    for i, duration in enumerate(durations):
        own = [(j + 1, d) for a, j, d in lags if a == i] + [(4, duration)]
        told = " ".join(str(j) for j, _ in own), " ".join(f"[{d}]" for _, d in own)
        rows.append(f"{i + 1} 1 {len(own)} {told[0]} {told[1]}")
    rows += ["4 1 0", "0 1 0 0", *(f"{i + 1} 1 {p} 0" for i, p in enumerate(durations)), "4 1 0 0", "1"]
    path = file_with(tmp_path_factory.mktemp("lags"), "a.sch", "\n".join(rows) + "\n")
    try:
        found = optimum(imported(path))
    except BadFile as error:  # two that wait for each other's end
        assert "circle" in str(error) or "each other" in str(error) or "needs" in str(error)
        found = None
    assert found == starts_with_lags(durations, lags, 12)


# --- graphs ----------------------------------------------------------------------------------------------

GRAPHS = """[
 {"id": 1, "answer": "3", "graph": {"edges": [[0, 4], [1, 3], [2, 0]],
   "step_to_node": {"1": 0, "2": 1, "3": 2, "4": 3, "5": 4}}},
 {"id": "long", "answer": "9", "graph": {"edges": [[0, 1], [1, 2]], "step_to_node": {"go": 0, "b": 1, "c": 2},
   "durations": [2, 3, 4]}}
]"""


def test_a_graph_has_its_printed_answer(tmp_path: Path) -> None:
    path = file_with(tmp_path, "nodes.json", GRAPHS)
    assert optimum(imported(path, item="1")) == 3  # step 3, step 1, step 5
    assert optimum(imported(path, item="long")) == 9
    with pytest.raises(Refused, match=r"holds 2 questions; name one as .*nodes.json@item=ID"):
        imported(path)
    with pytest.raises(Refused, match="no or more than one question '7'"):
        imported(path, item="7")


@given(PROBLEMS)
@settings(max_examples=30, deadline=None)
def test_a_graph_keeps_edges_and_durations_and_tells_what_it_loses(
    tmp_path_factory: pytest.TempPathFactory, problem: Problem
) -> None:
    found = back(problem, "asyncplan", tmp_path_factory.mktemp("g"))
    edges = [(each.name, each.duration, each.predecessors) for each in problem.activities]
    assert [(each.name, each.duration, each.predecessors) for each in found.activities] == edges
    lost = exported(problem, "asyncplan").lost
    assert any("maximum lags" in line for line in lost) == any(each.max_lags for each in problem.activities)


# --- foreign text is data ------------------------------------------------------------------------------


def test_names_are_no_part_of_a_file(tmp_path: Path) -> None:
    """A name that would be a section of PSPLIB, and one with a line break in it."""
    odd = 'PRECEDENCE RELATIONS "\\n\u2028 * a1 = "x"'
    problem = Problem(
        "steps", (Activity(odd.replace("\u2028", ""), 2, 2),), (Resource("REQUESTS/DURATIONS"),), "all"
    )
    written = exported(problem, "psplib").content
    assert written.isascii() and back(problem, "psplib", tmp_path, ".sm") == problem


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.sm", "nothing", "a.sm: not what a file .sm holds"),
        ("a.rcp", "3 1\n9\n0 0 1 2\n", "not what a file .rcp holds"),
        ("a.rcp", "2 1\n9\n0 0 1 9\n1 0 0\n", "an activity that is not there"),
        ("a.rcp", "3 1\n9\n0 0 1 2\n1 10 1 3\n0 0 0\n", "of 9 units 10 are needed"),
        ("a.rcp", "3 1\n999999999\n0 0 1 2\n1 999999 1 3\n0 0 0\n", "more than 200000 units"),
        ("shop", "1 2\n0 1 2 3\n", "line 2: 2 pairs of a machine and a time are needed"),
        ("shop", "0 999999999\n", "0 jobs are announced"),
        ("shop", "1 1\n0 x\n", "line 2: not whole numbers"),
        ("shop", "1 1\n0 -4\n", "field 'duration': is -4"),
        ("shop", '# a1 = "one\n1 1\n0 4\n', "line 1: not what stands for a code"),
        ("a.json", '[{"graph": {"edges": [[0, 1]], "step_to_node": {"1": 0}}}]', "a node without a step"),
        ("a.json", '{"activities": []}', "field 'activities': 0 entries"),
        ("a.json", '{"activities": [{"name": "a", "relase": 2}]}', "relase"),
        ("a.json", "[]", "holds no question"),
        ("a.rcp", "3 1\n", "it ends too early"),
        ("shop", "1 -2\n0 1\n", "line 1: -2 machines are announced"),
        ("a.pdf", "", "what is it"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line(tmp_path: Path, name: str, text: str, why: str) -> None:
    with pytest.raises(BackburnerError, match=why):
        imported(file_with(tmp_path, name, text))


def test_modes_are_refused_unless_there_is_one(tmp_path: Path) -> None:
    one = Problem("steps", (Activity("a", 2, 0),), (Resource("r"),), "all")
    text = exported(one, "psplib").content.decode()
    assert imported(file_with(tmp_path, "a.mm", text)).activities[0].duration == 2
    more = text.replace("     2     1     1     3", "     2     2     1     3")
    assert more != text
    more = more.replace("     2     1     2     0\n", "     2     1     2     0\n           2     1     1\n")
    with pytest.raises(Refused, match="activity 2 has 2 modes"):
        imported(file_with(tmp_path, "b.mm", more))


def test_what_is_said_of_a_file_must_fit_it(tmp_path: Path) -> None:
    shop = file_with(tmp_path, "ft06.txt", FT06)
    with pytest.raises(Refused, match="read by its ending"):
        imported(shop, format="psplib")
    with pytest.raises(Refused, match="a file of jsplib holds one problem"):
        imported(shop, item="2")


def test_unknown_formats_are_answered_with_the_nearest(tmp_path: Path) -> None:
    problem = imported(file_with(tmp_path, "ft06", FT06))
    with pytest.raises(UnknownName, match="did you mean jsplib"):
        exported(problem, "jslib")
    with pytest.raises(Refused, match="leaves out resources"):
        exported(problem, "asyncplan", strict=True)
