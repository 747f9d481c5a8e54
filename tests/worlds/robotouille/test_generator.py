"""Drafts of kitchens: for a task, the very files that builds have always made; and for dishes drawn too."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from backburner.generation import build
from backburner.generation.builder import builder_of
from backburner.generation.canonical import form
from backburner.kernel import registry
from backburner.kernel.answers import answers_at
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.generating import Draft, Draw, Parameter, Rejected
from backburner.kernel.oracle import Request, solve_world
from backburner.kernel.testing import check_world
from backburner.kernel.values import digest
from backburner.worlds.robotouille.game import Robotouille, catalogue
from backburner.worlds.robotouille.game.scenarios import PLAYS, scenario_of
from backburner.worlds.robotouille.oracle.generator import GENERATOR

SMALL = {"task": "synchronous/1", "size": "4x3"}


HANDS = (
    *("robot1 goes from table2 to table3", "robot2 takes bread1 from table1"),
    *("Wait", "robot2 puts bread1 on table1"),
    *("Wait", "robot2 goes from table1 to table2"),
    *("robot1 goes from table3 to table1", "Wait"),
    *("robot1 takes bread1 from table1", "Wait"),
)


def world_of(fields: Mapping[str, Any], rules: str = "standard", limits: str = "none") -> Robotouille:
    path, scenario = catalogue.read({"world": "robotouille", "id": "draft", **fields}, "draft")
    return catalogue.build(f"robotouille/user/{path}", scenario, rules, limits)


def value(parameter: Parameter, random: Random) -> Any:
    if parameter.kind == "choice":
        return random.choice(parameter.values)
    if parameter.kind == "whole":
        return random.randint(int(parameter.low), int(parameter.high))
    return random.uniform(parameter.low, parameter.high)


def drafted(seed: int, options: Mapping[str, Any] | None = None, **pinned: Any) -> Draft:
    """A free draft; whatever is not pinned is drawn."""
    random = Random(seed)
    parameters = {each.name: value(each, random) for each in GENERATOR.parameters} | {"stacks": 1} | pinned
    return GENERATOR.draft(parameters, options or {}, Draw(seed, random))


def of_task(options: Mapping[str, Any], seed: int) -> Draft:
    return GENERATOR.draft({}, options, Draw(seed, Random(seed)))


# --- for a task ---------------------------------------------------------------------------------------------


RECORDED = [
    ({**SMALL, "seed": 3, "steps": "8:8"}, {"synchronous-1-4x3-seed3": "8f7df5167cd4173ca2bed9b2"}),
    (
        {**SMALL, "seed": 3, "robots": 2, "noise": 1, "play": "together", "rules": "released"},
        {
            "synchronous-1-4x3-robots2-noise1-together-released-seed3": "f8fb168875dcfe7046b29348",
            "synchronous-1-4x3-robots2-noise1-together-released-seed4": "a0eca42c09bc745178c7e6dd",
        },
    ),
    (
        {"task": "synchronous/4", "size": "4x4", "seed": 5, "spread": True, "noise": 0},
        {
            "synchronous-4-4x4-noise0-spread-seed5": "2b4aa5fb27bb1fc995c05205",
            "synchronous-4-4x4-noise0-spread-seed6": "73c222bc5c7e01c85fe419cb",
        },
    ),
]
"""What was asked of the builder that kept an index of its own, and the digests of its files."""


@pytest.mark.parametrize(("options", "files"), RECORDED)
def test_builds_for_a_task_come_out_as_they_were_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: Mapping[str, Any], files: Mapping[str, str]
) -> None:
    monkeypatch.setattr(build, "GENERATION", len(files))
    monkeypatch.setattr(build, "seen_before", lambda *asked: set())
    builder = builder_of("robotouille")
    usual = {each.name: each.default for each in builder.arguments if each.default is not None}
    asked = {**usual, "split": "open", "scenarios": len(files), "attempts": 1, **options}
    builder.build(tmp_path / "new", asked, lambda total: None)
    made = [path for path in sorted((tmp_path / "new").glob("*.json")) if path.name != "index.json"]
    assert {path.stem: sha256(path.read_bytes()).hexdigest()[:24] for path in made} == files
    assert all(registry.world(str(path), rules=asked["rules"]).limits.steps for path in made)
    answers = answers_at(tmp_path / "new").values()
    assert len(answers) == len(files) and all(each.is_about(asked["rules"]) for each in answers)


def test_a_file_tells_its_shortest_plan_and_what_is_told_of_actions() -> None:
    options = {**SMALL, "told": "times"}
    draft = of_task(options, 2)
    solution = solve_world(world_of(draft.fields), Request(effort=1))
    fields = GENERATOR.with_answer(draft.fields, options, solution)
    world = world_of(fields, limits="article")
    assert world.scenario.known_plan is not None
    assert (world.scenario.known_plan.steps, world.limits.steps, world.scenario.told) == (8, 12, "times")
    assert list(fields) == ["problem", "known_plan", "told"]
    assert draft.path == "synchronous-1-4x3-times-seed2"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"task": "synchronous/1", "size": "4"}, "size is cells across and up, such as 4x3, not '4'"),
        ({"task": "synchronous/1", "robots": 0}, "0 robots"),
        ({"task": "synchronous/1", "domain": "own.json"}, "has its own domain"),
        ({"domain": "own.json"}, "say task=FILE"),
    ],
)
def test_options_that_make_no_kitchen_are_refused(options: Mapping[str, Any], why: str) -> None:
    with pytest.raises(Refused, match=why):
        drafted(0, options)
    with pytest.raises(Rejected, match="no room"):
        drafted(0, {"task": "synchronous/1", "size": "2x2"})
    with pytest.raises(UnknownName, match="unknown rule set 'own'"):
        drafted(0, {"rules": "own"})


# --- of dishes drawn as well --------------------------------------------------------------------------------


def test_drafts_are_kitchens_and_equal_arguments_give_equal_ones() -> None:
    found = []
    for seed in range(60):
        try:
            draft = drafted(seed)
        except Rejected as error:
            assert str(error) == "no room"
            continue
        world = world_of(draft.fields)
        assert world.problems() and not draft.path
        assert msgspec.json.encode(draft) == msgspec.json.encode(drafted(seed))
        found.append(digest(draft.fields))
    assert len(set(found)) == len(found) > 50


@pytest.mark.parametrize("play", PLAYS)
def test_drafts_pass_the_kit(play: str) -> None:
    draft = drafted(5, {"play": play, "robots": 1 + (play != "turns")}, fillings=1, soups=0)
    check_world(world_of(draft.fields), episodes=1, max_steps=60)


def test_knobs_say_what_is_asked_for() -> None:
    """A burger of two fillings that are cooked or fried, and a soup of two whole vegetables, where water runs
    and boils for five steps each."""
    draft = drafted(1, stacks=1, soups=1, fillings=2, worked=1.0, alone=1.0, units=2, times=5, spare=0)
    world = world_of(draft.fields)
    works = [work.activity for work in GENERATOR.structure(world).activities]
    assert sum(each.name.split()[1] in ("cook", "fry") for each in works) == 2
    assert {each.duration for each in works if each.name.split()[1] in ("fill-pot", "boil-water")} == {6}
    assert all(resource.capacity == 2 for resource in GENERATOR.structure(world).resources)
    assert {each.name.split()[0] for each in works} == {"1", "2"}
    bare = drafted(1, stacks=2, soups=0, fillings=1, worked=0.0, stacked=0.0, ordered="yes")
    goal = [term["predicate"] for term in bare.fields["problem"]["goal"]]
    assert sorted(goal) == ["atop", "atop", "atop", "atop", "item_on", "item_on"]
    assert drafted(3, stacks=0, soups=0) == drafted(3, stacks=1, soups=0)


def test_whatever_lies_on_what_the_goal_can_be_reached() -> None:
    """Everything lies in one pile, and has to be put in another order: two more tables are enough."""
    asked = {"soups": 0, "fillings": 2, "worked": 0.0, "stacked": 1.0, "ordered": "yes", "spare": 0}
    for seed in range(6):
        world = world_of(drafted(seed, **asked).fields)
        assert solve_world(world, Request(effort=5)).status == "optimal"
    three = drafted(1, **{**asked, "stacks": 2, "soups": 1})
    assert "soup" in three.fields["problem"]["goal_description"]
    assert three == drafted(1, **{**asked, "stacks": 1, "soups": 1})


# --- what is measured ---------------------------------------------------------------------------------------


def test_what_no_dish_takes_is_counted() -> None:
    """The sandwich takes two slices of bread, a slice of cheese and tables; there is a sink besides."""
    world = world_of(of_task({**SMALL, "noise": 1, "robots": 2}, 3).fields)
    objects = GENERATOR.structure(world).objects
    assert [name for name, is_needed in objects.items() if not is_needed] == ["sink1"]
    state = world.start()
    lures = [
        option.label
        for option in world.menu(state, "robot1").options
        if not option.passes and not GENERATOR.is_needed(world, option.decision)
    ]
    assert lures and all("sink1" in label for label in lures)


def test_what_briefings_do_not_tell_is_counted() -> None:
    """Two slices of bread and cut lettuce: four pieces of work, of which cutting takes long. What is put on
    something comes after that, and the lettuce after its cutting: three facts."""
    asked = {"stacks": 1, "soups": 0, "fillings": 1, "worked": 1.0, "alone": 0.0, "cuts": 3, "ordered": "yes"}
    for told, hidden in (("plain", (1, 3)), ("times", (0, 3)), ("conditions", (0, 0))):
        facts = GENERATOR.structure(world_of(drafted(2, {"told": told}, **asked).fields)).told
        assert facts == {"durations": (1, hidden[0]), "precedence": (3, hidden[1])}


def test_things_that_change_hands_are_counted() -> None:
    """The second robot takes up a slice of bread, puts it down and goes away; the first one takes it: one
    handover, of three pieces of work."""
    world = world_of(of_task({**SMALL, "robots": 2, "noise": 0}, 0).fields)
    solution = solve_world(world, Request(effort=1))
    assert GENERATOR.own(world, None, ()) == {}
    assert GENERATOR.own(world, solution, ()) == {"steps": solution.objective, "handovers": 0}
    state, decisions = world.start(), list[Any]()
    for words in HANDS:
        (seat,) = world.deciders(state)
        decisions.append({seat: world.parse(state, seat, f"Action: {words}")})
        step = world.step(state, decisions[-1])
        assert not step.refusals
        state = step.state
    assert GENERATOR.own(world, solution, decisions)["handovers"] == pytest.approx(1 / 3)


def test_the_grid_and_the_order_of_things_are_no_part_of_the_structure() -> None:
    """Seeds 0 and 2 give one kitchen on other cells: forms of both are equal, that of seed 3 is another."""
    forms = [form(GENERATOR.structure(world_of(of_task(SMALL, seed).fields))) for seed in (0, 2, 3)]
    assert forms[0] == forms[1] != forms[2]


# --- what was there -----------------------------------------------------------------------------------------


def test_published_kitchens_are_what_they_were() -> None:
    known = {
        "synchronous/1": "10d3aec7b9f00fe8",
        "asynchronous/10": "fed0c2cfa761fc9c",
        "multi_agent/5": "0aeb3d04377359bf",
    }
    assert {path: digest(scenario_of(path, {"seed": "42"})) for path in known} == known
