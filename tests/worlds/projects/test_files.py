"""Scenario files: what is refused, and where; what is read back; answers in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from backburner.kernel import registry
from backburner.kernel.errors import BadFile, Refused
from backburner.kernel.schedule import Activity, MachineState, Problem, Resource
from backburner.kernel.values import Refusal
from backburner.worlds.projects.game import Projects, Start, Wait, catalogue


def act(name: str, duration: int = 4, operator_time: int = 0, **more: Any) -> dict[str, Any]:
    return {"name": name, "duration": duration, "operator_time": operator_time, **more}


def file(*activities: dict[str, Any], **problem: Any) -> dict[str, Any]:
    fields = {"unit": "minutes", "activities": list(activities), "resources": [{"name": "oven"}], **problem}
    return {"world": "projects", "id": "mine", "name": "mine", "problem": fields}


STATE = {"resource": "oven", "value": 200}


@pytest.mark.parametrize(
    ("raw", "where", "why"),
    [
        (file(act("a", predecessors=["b"]), act("bb")), "'a', predecessors[0] 'b'", "did you mean bb?"),
        (file(act("a", predecessors=["b"]), act("b", predecessors=["a"])), "field 'activities'", "circle"),
        (file(act("a", resources=["ofen"])), "activities[0] 'a', resources[0] 'ofen'", "did you mean oven?"),
        (file(act("a", resources=["oven", "oven"])), "field 'resources'", "2 units of 'oven', of which"),
        (file(act("a", max_lags=[{"after": "c", "at_most": 1}])), "max_lags[0]", "unknown activity 'c'"),
        (file(act("a", duration=-1)), "field 'duration'", "from 0"),
        (file(act("a", operator_time=5)), "field 'operator_time'", "more than the duration of 4"),
        (file(act("a", preemptive=True)), "field 'preemptive'", "holds the operator throughout"),
        (file(act("a"), grid=3), "field 'duration'", "4 is no multiple of the grid of 3"),
        (file(act("a", release=5, deadline=8)), "field 'deadline'", "cannot end by then"),
        (file(act("a"), act("A")), "field 'activities'", "capitals alone"),
        (file(act("a ")), "field 'name'", "blanks"),
        (file(act("a", operator_time=4, preemptive=True), act("a+2")), "field 'name'", "a piece of 'a'"),
        (file(act("a", resources=["oven"], requires=STATE)), "activities[0] 'a'", "can never start"),
        (file(act("a", requires=STATE)), "field 'requires'", "that the activity holds"),
        (file(act("a"), decision_ticks=2), "field 'decision_ticks'", "said when it is played"),
        (file(act("a"), impossible=["a"]), "field 'impossible'", "'a' can never be done"),
        (file(act("a", 0, resources=["oven"])), "field 'resources'", "holds nothing"),
        (file(act("a", 90_000, 90_000, preemptive=True)), "field 'grid'", "90000 steps"),
        (file(act("a", colour="red")), "activities[0] 'a'", "colour"),
        (file(), "field 'activities'", "at least one"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused_with_its_place(raw: dict[str, Any], where: str, why: str) -> None:
    with pytest.raises(BadFile) as caught:
        catalogue.read(raw, "mine.json")
    assert where in str(caught.value) and why in str(caught.value)


def test_any_problem_becomes_a_file_that_is_played(tmp_path: Path) -> None:
    bake = Activity("bake", 3, 1, ("heat",), ("oven",), requires=MachineState("oven", 1))
    heat = Activity("heat", 2, 1, (), ("oven",), sets=MachineState("oven", 1), release=1, deadline=9)
    problem = Problem("seconds", (bake, heat), (Resource("oven"),), "of another world", complete=False)
    path = tmp_path / "made.json"
    path.write_bytes(registry.scenario_file_of(problem, "a cake: for two"))
    world = registry.world(str(path))
    assert isinstance(world, Projects) and world.id == "projects/user/a-cake-for-two"
    space = world.problem.space
    assert world.problem == msgspec.structs.replace(problem, space=space, complete=True)
    with pytest.raises(BadFile, match="decision_ticks"):
        registry.scenario_file_of(msgspec.structs.replace(problem, decision_ticks=1), "slow")


def test_answers_are_read_whatever_stands_around_them() -> None:
    raw = file(act("Boil water"), act("chop", 6, 6, preemptive=True), act("chop for 2"))
    world = Projects(
        "projects/user/x",
        catalogue.read(raw, "x")[1],
        registry.catalogue("projects").rules["standard"],
        catalogue.no_limits,
    )
    state = world.start()

    def read(answer: str) -> Any:
        return world.parse(state, "agent", answer)

    assert (
        read("start boil  WATER.") == read("I think so.\n\nAction: start Boil water") == Start("Boil water")
    )
    assert read("start chop for 4 minutes") == Start("chop", 4)
    assert read("start chop for 2") == Start("chop for 2")  # a name comes first
    assert read("wait") == Wait() and read("Wait for 12 minutes") == Wait(12)
    several = read("start chop\nstart boil water")
    assert isinstance(several, Refusal) and several.code == "unreadable"
    unknown = read("start boil watr")
    assert isinstance(unknown, Refusal) and unknown.get("nearest") == "Boil water"


def test_what_is_no_schedule_is_no_plan() -> None:
    world: Any = registry.world("projects/bakery")
    with pytest.raises(Refused, match="does not start"):
        world.plan({"mix dough": 0})
    with pytest.raises(Refused, match="slice bread"):
        world.plan({"slise bread": 0})
