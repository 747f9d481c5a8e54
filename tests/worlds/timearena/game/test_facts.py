"""The shipped tables against what was read out of the released program, number by number."""

from __future__ import annotations

from typing import Any

import pytest

from backburner.worlds.timearena.game.compiled import Compiled
from backburner.worlds.timearena.game.scenarios import kit_names, shipped_tasks, shipped_verbs
from support.timearena.play import world_of

TASK_IDS = list(shipped_tasks())

every_task = pytest.mark.parametrize("task_id", TASK_IDS)

ABSENT_FROM_THE_SCRIPT = {"household4": "fruit", "lab3": "solution"}
"""Tasks for which the oracle script writes a thing that does not exist (not a difference in the graph)."""


@pytest.fixture
def recorded(facts: dict[str, Any], task_id: str) -> dict[str, Any]:
    """The facts of one task."""
    found: dict[str, Any] = next(task for task in facts["tasks"] if task["id"] == task_id)
    return found


def test_the_same_tasks_verbs_and_kit(facts: dict[str, Any]) -> None:
    assert [task["id"] for task in facts["tasks"]] == TASK_IDS
    assert tuple(facts["shared_kit_objects"]) == kit_names()
    vocabulary = {entry["verb"]: entry for entry in facts["vocabulary"] if entry["verb"] != "wait"}
    ours = shipped_verbs()
    assert list(vocabulary) == list(ours)
    for name, entry in vocabulary.items():
        assert ours[name].form == entry["form"]
        assert ours[name].occupies_agent == entry["occupies_agent"]
        assert ours[name].takes_two == (entry["arity"] == 2)


@every_task
def test_head_of_a_task(task_id: str, recorded: dict[str, Any]) -> None:
    task = shipped_tasks()[task_id]
    assert recorded["scenario"].startswith(task.scenario)
    assert task.number == recorded["index"]
    assert list(task.verbs) == recorded["verbs_in_prompt_order"]
    assert len(task.verbs) == recorded["n_verbs"]
    assert len(task.actions) == recorded["n_actions"]
    assert len(task.things) == recorded["n_objects"]


@every_task
def test_things_roles_minutes_states_and_needs(task_id: str, recorded: dict[str, Any]) -> None:
    task = shipped_tasks()[task_id]
    assert [thing.name for thing in task.things] == [thing["name"] for thing in recorded["objects"]]
    for thing, facts_of_it in zip(task.things, recorded["objects"], strict=True):
        assert thing.roles[0].before == facts_of_it["initial_state"]
        ours = [
            (role.verb, role.slot, role.minutes, [role.before, role.after], list(role.needs))
            for role in thing.roles
        ]
        assert ours == [
            (role["verb"], role["role"], role["minutes"], role["state"] or [None, None], needs(role))
            for role in facts_of_it["roles"]
        ]


def needs(role: dict[str, Any]) -> list[tuple[str, str, int]]:
    return [(need["object"], need["verb"], need["role"]) for need in role["requires"]]


@every_task
def test_whether_needs_are_on_the_thing_itself(task_id: str, recorded: dict[str, Any]) -> None:
    """It decides which reason the release gives for a refusal."""
    roles = released(task_id).roles
    kinds = [each["requires_kind"] for thing in recorded["objects"] for each in thing["roles"]]
    for role, kind in zip(roles, kinds, strict=True):
        assert kind is None or role.on_itself == (kind == "self")


@every_task
def test_actions_and_what_they_wait_for(task_id: str, recorded: dict[str, Any]) -> None:
    """Under released rules the dependencies are those of the released environment and its script."""
    compiled = released(task_id)
    by_text = {required.name: required for required in compiled.required}
    assert list(by_text) == [action["text"] for action in recorded["actions"]]
    for action in recorded["actions"]:
        required = by_text[action["text"]]
        assert required.minutes == action["duration"]
        assert required.occupies_agent == action["occupies_agent"]
        assert (required.acts[0].verb, required.acts[0].first) == (action["verb"], action["args"][0])
        assert set(required.after) == set(action["depends_on"])
        script = action.get("oracle_depends_on", action["depends_on"])
        assert set(required.script_after) == set(script)
        role = compiled.role[action["verb"], len(action["args"]) - 1, action["args"][0]]
        assert [[action["args"][0], role.role.after]] == action["result_state"]


@every_task
def test_all_minutes_together(task_id: str, recorded: dict[str, Any]) -> None:
    assert released(task_id).total_minutes == recorded["total_action_minutes"]


def released(task_id: str) -> Compiled:
    return world_of(task_id, "released").compiled


def test_what_was_left_out_is_what_the_graphs_differ_in(facts: dict[str, Any]) -> None:
    """What standard rules add to the environment's needs are the edges of the oracle script's graph."""
    for entry in facts["oracle_graph_differences"]:
        if entry["task"] in ABSENT_FROM_THE_SCRIPT or entry["task"] == "household6":
            continue  # a thing's name; an edge turned round, where the environment is right
        required = {r.name: r for r in world_of(entry["task"]).compiled.required}
        both = {*entry["environment"], *entry["oracle_graph"]}
        assert set(required[entry["action"]].after) == both


def test_durations_and_things_are_as_many_as_in_the_release(facts: dict[str, Any]) -> None:
    counts = facts["counts_against_paper"]
    minutes = [role.minutes for t in shipped_tasks().values() for thing in t.things for role in thing.roles]
    histogram = {str(d): minutes.count(d) for d in range(1, 11) if d in minutes}
    assert histogram == counts["durations"]["histogram"]
    names = {thing.name for task in shipped_tasks().values() for thing in task.things}
    assert len(names) == counts["objects"]["distinct_base_names"]
    assert len(shipped_verbs()) + 1 == counts["actions"]["vocabulary_with_wait"]
