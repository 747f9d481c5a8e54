"""The shipped domain and tasks: by themselves, and against what was read out of the released files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from backburner.worlds.robotouille.game.domain_files import Place, check_domain
from backburner.worlds.robotouille.game.problem_files import check_problem
from backburner.worlds.robotouille.game.scenarios import shipped_domain, shipped_problem, task_file, tasks
from backburner.worlds.robotouille.game.schema import GoalTerm, Item, SpecialEffect, Term
from support.facts import FOLDER as FACTS
from support.facts import facts_about
from support.words import runs

every_task = pytest.mark.parametrize("path", tasks())

CORRECTED = {
    "synchronous/2": "the bread lies on the lettuce, not on a cheese that is not there",
    "synchronous/9": "the burgers have cut tomato in them",
    "asynchronous/6": "a whole potato is not cut",
    "asynchronous/8": "a whole tomato is not cut",
    "asynchronous/10": "a whole onion and a whole potato are not cut",
    "multi_agent/7": "the soup boils, and a whole potato is not cut",
    "multi_agent/8": "no order of the ingredients is asked for",
    "multi_agent/10": "both soups boil",
    "extra/fries_and_sandwich": "the sandwich has its bread below and on top",
}
"""Where the released goal is not what its sentence says."""

PREPARED = {
    "iscut": ("board", {"iscut", "iscuttable"}),
    "iscooked": ("stove", {"iscooked", "iscookable"}),
    "isfried": ("fryer", {"isfried", "isfryable", "isfryableifcut"}),
}
"""What can be done to an item: at which station, and what has to hold of it for that."""


def test_the_domain_is_a_domain() -> None:
    check_domain(shipped_domain(), Place("domain.json"))


@every_task
def test_a_problem_is_a_problem(path: str) -> None:
    check_problem(shipped_problem(path), shipped_domain(), Place(tasks()[path].file))


def test_what_tasks_are_called() -> None:
    assert len(tasks()) == len(task_file().tasks) == 34
    for path, task in tasks().items():
        assert task.number is None or path == f"{task.set}/{task.number}"
        if task.horizon is not None:
            assert task.step_limit == task.horizon * task_file().limit_factor


def test_which_goals_are_corrected() -> None:
    assert {path for path in tasks() if shipped_problem(path).goal_released} == set(CORRECTED)


@every_task
def test_the_kitchen_has_what_the_goal_asks_for(path: str) -> None:
    """For each id a thing of its kind; one sink, stove and pot boil any number of waters."""
    problem = shipped_problem(path)
    there = Counter(thing.name for thing in (*problem.stations, *problem.items, *problem.containers))
    for kind, ids in ids_of_kinds(problem.goal).items():
        if kind == "water":
            assert {"sink", "stove", "pot"} <= set(there)
        else:
            assert len(ids) <= there[kind], kind


@every_task
def test_what_is_to_be_prepared_can_be(path: str) -> None:
    problem = shipped_problem(path)
    stations = {station.name for station in problem.stations}
    asked = Counter((term.predicate, term.args[0]) for term in problem.goal if term.predicate in PREPARED)
    for (predicate, kind), number in asked.items():
        station, fit = PREPARED[predicate]
        items = [item for item in problem.items if item.name == kind and fit & set(item.predicates)]
        assert len(items) >= number, (predicate, kind)
        assert station in stations or all(predicate in item.predicates for item in items)


@every_task
def test_the_sentence_names_what_is_to_be_boiled_and_cut(path: str) -> None:
    """All soups of the tasks boil, and what the goal wants cut, its sentence has among its things."""
    problem = shipped_problem(path)
    waters = ids_of_kinds(problem.goal).get("water", set())
    assert waters == {str(term.ids[0]) for term in problem.goal if term.predicate == "isboiling"}
    for term in problem.goal:
        if term.predicate == "iscut" and not term.is_true:
            assert "whole" in problem.goal_description
        elif term.predicate == "iscut":
            word = {"potato": "fries"}.get(term.args[0], term.args[0])
            assert word in problem.goal_description, word


def test_each_argument_has_its_sentence() -> None:
    for predicate in shipped_domain().predicate_defs:
        places = {str(place) for place in range(len(predicate.param_types))}
        assert set(predicate.language_descriptors) == places
        for sentence in predicate.language_descriptors.values():
            assert set(fields(sentence)) == places


def test_actions_read_differently() -> None:
    """Only what is done to an item and to a container alike is said alike. Whatever is worked on is named."""
    domain = shipped_domain()
    said = Counter(action.language_description.replace("{c1}", "{i1}") for action in domain.action_defs)
    alike = {text for text, number in said.items() if number > 1}
    assert alike == {"{p1} takes {i1} from {s1}", "{p1} puts {i1} on {s1}"}
    for action in domain.action_defs:
        params = {param for term in action.precons for param in term.params}
        assert set(fields(action.language_description)) <= params
    assert not domain.guide.actions, "what is told in any case are the sentences alone"
    names = [action.name for action in domain.action_defs]
    assert sorted({*domain.guide.times, *domain.guide.conditions}) == sorted(names)
    assert list(domain.guide.types) == list(domain.object_types)


# Against the released files


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    """What was read out of the released files; skips where it is not there."""
    return facts_about("robotouille")


def test_predicates_are_those_of_the_release(facts: dict[str, Any]) -> None:
    domain = shipped_domain()
    assert list(domain.object_types) == facts["object_types"]
    ours = [{"name": one.name, "types": list(one.param_types)} for one in domain.predicate_defs]
    assert ours == facts["predicates"]


def test_actions_are_those_of_the_release(facts: dict[str, Any]) -> None:
    """What the release leaves out is set aside."""
    types = {one.name: one.param_types for one in shipped_domain().predicate_defs}
    actions = shipped_domain().action_defs
    assert [action.name for action in actions] == [known["name"] for known in facts["actions"]]
    for action, known in zip(actions, facts["actions"], strict=True):
        terms = (*action.precons, *action.immediate_fx)
        pairs = (zip(term.params, types[term.predicate], strict=True) for term in terms)
        assert {param: type for pair in pairs for param, type in pair} == known["params"]
        assert told(action.precons) == known["preconditions"]
        assert told(action.immediate_fx) == known["immediate"]
        assert [effect(one) for one in action.sfx] == [without_counts(one) for one in known["special"]]


def test_what_the_release_leaves_out() -> None:
    left_out = {
        (action.name, name, term.unless)
        for action in shipped_domain().action_defs
        for name, terms in (("needs", action.precons), ("while", conditions(action.sfx)))
        for term in terms
        if term.unless
    }
    assert left_out == {
        ("cook", "needs", "missing_guards"),
        ("cut", "needs", "missing_guards"),
        ("fry", "needs", "missing_guards"),
        ("boil-water", "needs", "missing_guards"),
        ("boil-water", "while", "boiling_at_a_distance"),
    }


def test_kinds_and_what_is_drawn(facts: dict[str, Any]) -> None:
    """Of the kinds of meals only water is ever made; the release never uses the two others."""
    kinds, names = shipped_domain().kinds, facts["names"]
    for type in ("station", "item", "container", "player"):
        assert list(kinds[type]) == names[f"{type}s"]
    assert set(kinds["meal"]) < set(names["meals"])
    given = facts["generator_item_predicates"]
    drawn = {kind: list(known) for kind, known in shipped_domain().drawn_predicates.items()}
    assert drawn == {kind: known for kind, known in given.items() if known}


def test_seeds_and_limits(facts: dict[str, Any]) -> None:
    known = facts["evaluation"]
    assert list(task_file().seeds) == known["testing_seeds"]
    assert task_file().example_seed == known["in_context_seed"]
    assert task_file().limit_factor == known["step_limit_multiplier"]


@every_task
def test_a_task_is_that_of_the_release(facts: dict[str, Any], path: str) -> None:
    task, problem = tasks()[path], shipped_problem(path)
    known = next(one for one in facts["tasks"] if one["id"] == task.released)
    assert task.number == known.get("paper_task_number")
    assert task.horizon == known.get("paper_horizon") == known.get("upstream_optimal_steps_config")
    assert task.step_limit == known.get("upstream_step_limit")
    assert [problem.width, problem.height] == known["grid"]
    assert problem.config == known["config"]
    assert len(problem.players) == known["players"]
    for field in ("stations", "items", "containers"):
        assert Counter(thing.name for thing in getattr(problem, field)) == known[field]
    given = {item.name: list(item.predicates) for item in problem.items if item.predicates}
    assert given == known["item_predicates"]
    assert sorted(stacks(problem.items)) == sorted(known["initial_stacks"])
    goal = [
        {"predicate": one.predicate, "args": list(one.args), "ids": list(one.ids)}
        for one in problem.goal_released or problem.goal
    ]
    assert goal == known["goal"]


def test_the_words_are_our_own() -> None:
    """No eight words in a row are those of the released files or the article."""
    theirs = [
        FACTS.parent / "upstream" / "robotouille" / "domain" / "robotouille.json",
        FACTS.parent / "papers" / "robotouille.txt",
        *(FACTS.parent / "upstream" / "robotouille").rglob("examples/*/*.json"),
    ]
    if not all(file.is_file() for file in theirs):
        pytest.skip("the released files are not there")
    known = {run for file in theirs for text in sentences(file) for run in runs(text)}
    for text in our_sentences():
        assert not known & set(runs(text)), text


def sentences(file: Path) -> Iterator[str]:
    """The texts in a JSON file that are made of words, or the whole of any other file."""
    raw = file.read_text(encoding="utf-8")
    yield from texts(json.loads(raw)) if file.suffix == ".json" else [raw]


def our_sentences() -> Iterator[str]:
    domain = shipped_domain()
    yield from (text for one in domain.predicate_defs for text in one.language_descriptors.values())
    yield from (action.language_description for action in domain.action_defs)
    guide = domain.guide
    yield from (*guide.types.values(), *guide.rules, *guide.recipes, *guide.actions.values())
    yield from (shipped_problem(path).goal_description for path in tasks())
    yield from (task.title for task in tasks().values())


def texts(value: Any) -> Iterator[str]:
    """All strings within a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from texts(one)


def ids_of_kinds(goal: Sequence[GoalTerm]) -> dict[str, set[str]]:
    """The ids that stand with each kind."""
    found: dict[str, set[str]] = {}
    for term in goal:
        for kind, id in zip(term.args, term.ids, strict=True):
            found.setdefault(kind, set()).add(str(id))
    return found


def fields(sentence: str) -> list[str]:
    """The names in braces."""
    return [name for _, name, _, _ in Formatter().parse(sentence) if name is not None]


def told(terms: Sequence[Term]) -> list[str]:
    """Terms as the facts have them, without those that the release leaves out."""
    return [
        f"{'' if term.is_true else 'not '}{term.predicate}({','.join(term.params)})"
        for term in terms
        if not term.unless
    ]


def effect(one: SpecialEffect) -> dict[str, Any]:
    """A special effect as the facts have it, without counts."""
    found: dict[str, Any] = {"type": one.type, "on": one.param, "effects": told(one.fx)}
    if one.conditions:
        found["conditions"] = told(one.conditions)
    if one.created_obj:
        made = one.created_obj
        found["creates"] = {"name": made.name, "type": made.type, "param": made.param}
    return found | ({"nested": [effect(below) for below in one.sfx]} if one.sfx else {})


def without_counts(known: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: value for key, value in known.items() if key not in ("ticks", "repetitions")}
    return found | ({"nested": [without_counts(one) for one in found["nested"]]} if "nested" in found else {})


def conditions(effects: Sequence[SpecialEffect]) -> list[Term]:
    return [term for one in effects for term in (*one.conditions, *conditions(one.sfx))]


def stacks(items: Sequence[Item]) -> list[list[str]]:
    """The kinds in each stack of two or more, from below."""
    found: dict[tuple[int, int], list[Item]] = {}
    for item in items:
        found.setdefault((item.x, item.y), []).append(item)
    levels = [sorted(stack, key=lambda item: item.stack_level) for stack in found.values()]
    return [[item.name for item in stack] for stack in levels if len(stack) > 1]
