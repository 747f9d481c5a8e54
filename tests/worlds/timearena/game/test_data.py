"""The shipped tables, swept: what the article says about them, and that they hang together."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from backburner.kernel.files import Place, check
from backburner.kernel.values import digest
from backburner.worlds.timearena.game import catalogue
from backburner.worlds.timearena.game.scenario_files import check_task, check_verbs
from backburner.worlds.timearena.game.scenarios import (
    SCENARIOS,
    Role,
    RoleName,
    Task,
    kit_names,
    scenario_of,
    shipped_tasks,
    shipped_verbs,
)

TASKS = list(shipped_tasks().values())
VERBS = shipped_verbs()

every_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)


def roles(task: Task) -> dict[RoleName, Role]:
    return {(thing.name, role.verb, role.slot): role for thing in task.things for role in thing.roles}


def minutes(task: Task) -> list[int]:
    return [role.minutes for role in roles(task).values() if role.slot != 2]


def test_the_scenarios_that_ship_are_what_they_have_been() -> None:
    """Records name them by their digests: 783 scenarios, each with kit of its own and with one for all."""
    published = [paths for name, paths in catalogue.suites().items() if not name.startswith("built-1")]
    paths = [path for paths in published for path in paths]
    kits = [(path, kit) for path in paths for kit in ("own", "one")]
    digests = [[path, kit, digest(catalogue.scenario(path, {"kit": kit}))] for path, kit in kits]
    assert (len(digests), digest(digests)) == (1566, "0a7299e609fe6634")


# --- what the article says ---------------------------------------------------------------------


def test_thirty_tasks_ten_for_each_scenario() -> None:
    """Article, section 3.2."""
    ids = [f"{kind}{number}" for kind in SCENARIOS for number in range(1, 11)]
    assert list(shipped_tasks()) == ids
    assert [f"{task.scenario}{task.number}" for task in TASKS] == ids


def test_forty_six_actions_with_the_wait() -> None:
    """Article, section 3.2 and Table 3; no task of the release uses "fill with"."""
    assert len(VERBS) + len(["wait"]) == 46
    used = {verb for task in TASKS for verb in task.verbs}
    assert set(VERBS) - used == {"fill with"}
    assert VERBS["fill with"].occupies_agent is None


def test_durations_are_one_to_ten_minutes() -> None:
    """Article, section 3.2; how often each occurs was counted in the released program."""
    histogram = Counter(duration for task in TASKS for duration in minutes(task))
    assert histogram == {1: 48, 2: 55, 3: 43, 4: 23, 5: 21, 6: 12, 7: 5, 8: 1, 10: 1}


@every_task
def test_the_time_limit_is_more_than_all_actions_one_by_one(task: Task) -> None:
    """Article, section 4.1: 40 minutes for a task exceed the sum of its actions."""
    assert 0 < sum(minutes(task)) <= 31 < 40


def test_sixty_nine_names_of_things() -> None:
    """The article counts 71 objects: 69 names, and a second fryer and a second pot within one task."""
    names = {thing.name for task in TASKS for thing in task.things}
    twice = {
        name
        for task in TASKS
        for name, times in Counter(thing.name for thing in task.things).items()
        if times > 1
    }
    assert len(names) == 69
    assert twice == {"fryer", "pot"}
    assert len(names) + len(twice) == 71
    assert sum(len(task.things) for task in TASKS) == 118


@pytest.mark.parametrize(
    ("kind", "actions", "things"), [("cooking", 5.6, 5.6), ("household", 4.1, 3.5), ("lab", 5.3, 2.7)]
)
def test_means_of_table_1(kind: str, actions: float, things: float) -> None:
    """Article, Table 1, which prints 5.5 things for cooking; the released program has 5.6."""
    mine = [task for task in TASKS if task.scenario == kind]
    assert sum(len(task.verbs) for task in mine) / 10 == actions
    assert sum(len(task.things) for task in mine) / 10 == things


# --- that the tables hang together -------------------------------------------------------------


@every_task
def test_a_shipped_task_passes_the_checks_of_a_users_own(task: Task) -> None:
    check(scenario_of([task]), Place("tasks.json"))
    check_task(task, VERBS, kit_names(), Place("tasks.json"))


def test_verbs_are_spelled_by_their_forms() -> None:
    for verb in VERBS.values():
        assert verb.name.split() == [word for word in verb.form.split() if not word.startswith("OBJ")]
        expected = ["OBJ1", "OBJ2"] if verb.takes_two else ["OBJ"]
        assert [word for word in verb.form.split() if word.startswith("OBJ")] == expected
        assert verb.gloss and verb.name == verb.name.lower()
    assert len({verb.gloss for verb in VERBS.values()}) == len(VERBS)
    check_verbs(list(VERBS.values()), Place("verbs.json"))


@every_task
def test_every_need_is_a_role_with_minutes(task: Task) -> None:
    table = roles(task)
    for role in table.values():
        for thing, verb, slot in (*role.needs, *role.needs_left_out):
            assert table[thing, verb, slot].minutes > 0
        assert not set(role.needs) & set(role.needs_left_out)


@every_task
def test_every_role_with_minutes_is_one_action(task: Task) -> None:
    slots = [0 if len(action.things) == 1 else 1 for action in task.actions]
    led = [(a.things[0], a.verb, slot) for a, slot in zip(task.actions, slots, strict=True)]
    assert len(led) == len(set(led))
    assert set(led) == {name for name, role in roles(task).items() if role.minutes}


@every_task
def test_nothing_is_listed_that_is_not_used(task: Task) -> None:
    assert set(task.verbs) == {action.verb for action in task.actions}
    assert len(task.verbs) == len(set(task.verbs))
    assert {thing.name for thing in task.things} == {name for a in task.actions for name in a.things}
    seconds = {(a.things[1], a.verb, 2) for a in task.actions if len(a.things) == 2}
    assert seconds == {name for name, role in roles(task).items() if role.slot == 2}


@every_task
def test_kit_is_only_ever_a_second_thing(task: Task) -> None:
    """Pots, fryers and ovens carry no progress and no needs, so any of a kind serves as well."""
    for thing in task.things:
        if thing.name in kit_names():
            assert [(role.slot, role.minutes, role.needs) for role in thing.roles] == [(2, 0, ())]


@every_task
def test_states_can_be_told(task: Task) -> None:
    """Progress is told by the state after; the first role's state before is the initial one."""
    for thing in task.things:
        assert thing.roles[0].before
        for role in thing.roles:
            assert role.slot == 2 or (role.before and role.after and role.before != role.after)


@every_task
def test_one_verb_of_a_thing_is_one_role(task: Task) -> None:
    for thing in task.things:
        names = [(role.verb, role.slot) for role in thing.roles]
        assert len(names) == len(set(names))


def test_no_two_tasks_are_equal() -> None:
    bare = {replace(task, id="", scenario="", number=0, title="", goal="") for task in TASKS}
    assert len(bare) == 30
    for words in ({task.title for task in TASKS}, {task.goal for task in TASKS}):
        assert len(words) == 30


def test_what_the_release_left_out() -> None:
    """The three needs of the article's Figures 6 to 8 that the released environment lacks."""
    found = {
        (task.id, thing, verb): role.needs_left_out
        for task in TASKS
        for (thing, verb, _), role in roles(task).items()
        if role.needs_left_out
    }
    assert found == {
        ("cooking6", "dish", "bake in"): (("beef", "add to", 1),),
        ("household7", "coffee_machine", "pour into"): (("coffee_machine", "activate", 0),),
        ("lab5", "aluminum_foil", "add to"): (("sodium_hydroxide", "dissolve in", 1),),
    }


def test_the_oracle_script_has_a_graph_of_its_own() -> None:
    """Where the graph of the released oracle script is not the article's: it turns one edge round."""
    differs = {task.id for task in TASKS for action in task.actions if action.script_after is not None}
    assert differs == {"cooking6", "household6", "household7", "lab5"}
