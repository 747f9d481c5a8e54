"""Mistakes in domains, problems and scenario files: each is one message with file, entry and reason.

Whatever is done to a valid file, it is either refused with such a message or can be played.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.kernel.errors import BadFile
from backburner.kernel.files import converted
from backburner.kernel.values import digest
from backburner.worlds.robotouille.game.domain_files import Place, check_domain
from backburner.worlds.robotouille.game.problem_files import check_problem
from backburner.worlds.robotouille.game.rule_set import NO_LIMITS, PRESETS
from backburner.worlds.robotouille.game.scenario_files import read_file
from backburner.worlds.robotouille.game.scenarios import Scenario, shipped_domain, shipped_problem, tasks
from backburner.worlds.robotouille.game.schema import DomainFile, ProblemFile
from backburner.worlds.robotouille.game.world import Robotouille
from support.mutants_of_json import mutant
from support.robotouille.greenhouse import DOMAIN, problem, term
from support.robotouille.small_kitchen import KITCHEN, SCENARIO, opened

Json = dict[str, Any]
Change = Callable[[Json], object]

UPSTREAM = Path(__file__).resolve().parents[4] / "shared" / "upstream" / "robotouille"


def complaint(scenario: Json) -> str:
    with pytest.raises(BadFile) as caught:
        opened(scenario)
    told = str(caught.value)
    assert "\n" not in told and "\x1b" not in told
    return told


# --- domains ------------------------------------------------------------------------------------------


def predicate(domain: Json, name: str) -> Json:
    return next(one for one in domain["predicate_defs"] if one["name"] == name)


def action(domain: Json, name: str) -> Json:
    return next(one for one in domain["action_defs"] if one["name"] == name)


def sowing(domain: Json, depth: int = 0) -> Json:
    """The effect of sowing at this depth: condition, delay, creation, delay."""
    found: Json = action(domain, "sow")["sfx"][0]
    for _ in range(depth):
        found = found["sfx"][0]
    return found


def nested(levels: int) -> Json:
    """A delay in a delay in a delay ..."""
    below = [nested(levels - 1)] if levels > 1 else []
    return {"type": "delayed", "param": "s", "sfx": below}


DOMAIN_MISTAKES: dict[str, tuple[Change, str]] = {
    # the file
    "no name": (lambda d: d.pop("name"), "field 'domain': Object missing required field `name`"),
    "unknown field": (
        lambda d: d.update(object_type=[]),
        "field 'domain': Object contains unknown field `object_type`; did you mean object_types",
    ),
    "actions as an object": (
        lambda d: d.update(action_defs={"wait": {}}),
        "domain, field 'action_defs': Expected `array`, got `object`",
    ),
    "no actions": (
        lambda d: d.update(action_defs=[]),
        "'action_defs': 0 entries; at least one is needed",
    ),
    # types
    "type twice": (
        lambda d: d["object_types"].append("pest"),
        "[5] 'pest': 'pest' stands here twice",
    ),
    "no players": (
        lambda d: d.update(
            object_types=["item"], predicate_defs=[], action_defs=[{"name": "wait"}], kinds={}, guide={}
        ),
        "domain, field 'object_types': no type 'player'; somebody has to act",
    ),
    "type with a space": (
        lambda d: d["object_types"].append("pot plant"),
        "'pot plant': use letters, digits",
    ),
    # predicates
    "unknown type": (
        lambda d: predicate(d, "ripe").update(param_types=["plants"]),
        "domain, predicate 'ripe', param_types[0] 'plants': unknown type 'plants'; did you mean plant?",
    ),
    "predicate twice": (
        lambda d: d["predicate_defs"].append({"name": "ripe"}),
        "domain, predicate 'ripe': 'ripe' stands here twice",
    ),
    "predicate that looks like a fact": (
        lambda d: predicate(d, "ripe").update(name="ripe()"),
        "field 'name': 'ripe()': use letters, digits and _ - only",
    ),
    "sentence for an argument too many": (
        lambda d: predicate(d, "ripe")["language_descriptors"].update({"1": "{0} is ripe"}),
        "field 'language_descriptors': the predicate has no argument '1'; it has 1, counted from 0",
    ),
    "sentence about an argument too many": (
        lambda d: predicate(d, "at")["language_descriptors"].update({"0": "{0} stands at {2}"}),
        "predicate 'at', field 'language_descriptors': the predicate has no argument '2'; it has 2",
    ),
    "sentence that moves the cursor": (
        lambda d: predicate(d, "at")["language_descriptors"].update({"0": "{0} \x1b[2J"}),
        "write one line, without control characters",
    ),
    # kinds and placement
    "kinds of an unknown type": (
        lambda d: d["kinds"].update(stations=["shed"]),
        "domain, kinds 'stations': unknown type 'stations'; did you mean station?",
    ),
    "no kind": (lambda d: d["kinds"].update(pest=[]), "kinds 'pest': 0 entries; at least one is needed"),
    "kind twice": (
        lambda d: d["kinds"]["item"].append("seed"),
        "[2] 'seed': 'seed' stands here twice",
    ),
    "kind that ends in a digit": (
        lambda d: d["kinds"]["item"].append("seed2"),
        "kinds 'item', [2] 'seed2': 'seed2': use letters, digits and _ - only, a letter first and no digit",
    ),
    "kind called like a type": (lambda d: d["kinds"]["item"].append("plant"), "'plant' is a type"),
    "kind of two types": (
        lambda d: d["kinds"]["pest"].append("cress"),
        "field 'kinds': 'cress' is a pest, and 'cress' an item; they need names of their own",
    ),
    "kinds that differ in capitals": (
        lambda d: d["kinds"]["item"].append("Seed"),
        "'Seed' is an item, and 'seed' an item; they need names of their own",
    ),
    "kind with a predicate of another type": (
        lambda d: d["predicate_defs"].append({"name": "issnail", "param_types": ["item"]}),
        "field 'kinds': 'issnail' is about (item), and 'snail' is a pest",
    ),
    "placement by an unknown predicate": (
        lambda d: d["placement"].update(item_at="lies_on"),
        "field 'placement', field 'item_at': unknown predicate 'lies_on'; did you mean lies_at?",
    ),
    "placement by a predicate about other things": (
        lambda d: d["placement"].update(item_at="at"),
        "field 'item_at': 'at' is about (player, station), and this about (item, station); name another",
    ),
    "drawn things of an unknown kind": (
        lambda d: d.update(drawn_predicates={"weed": []}),
        "drawn_predicates 'weed': unknown kind 'weed'; did you mean seed?",
    ),
    "drawn things with a predicate of another type": (
        lambda d: d.update(drawn_predicates={"seed": ["ripe"]}),
        "field 'drawn_predicates': 'ripe' is about (plant), not about an item alone",
    ),
    "guide to an unknown action": (
        lambda d: d["guide"]["actions"].update(watering="long"),
        "guide, actions 'watering': unknown action 'watering'; did you mean water?",
    ),
    # terms
    "action twice": (
        lambda d: d["action_defs"].append(action(d, "wait")),
        "domain, action 'wait': 'wait' stands here twice",
    ),
    "unknown predicate": (
        lambda d: action(d, "feed")["precons"].append(term("tendr m")),
        "action 'feed', precons[3], field 'predicate': unknown predicate 'tendr'; did you mean tender?",
    ),
    "too few parameters": (
        lambda d: action(d, "feed")["precons"].append(term("at p")),
        "action 'feed', precons[3], field 'params': 'at' is about (player, station), not about 1 things",
    ),
    "parameter twice": (
        lambda d: action(d, "feed")["precons"].append(term("at p p")),
        "precons[3], params[1] 'p': 'p' stands here twice",
    ),
    "parameter that is no identifier": (
        lambda d: action(d, "feed")["precons"].append(term("ripe 1m")),
        "precons[3], params[0] '1m': '1m': write a parameter like s1",
    ),
    "parameter of two types": (
        lambda d: action(d, "put")["immediate_fx"].append(term("ripe i")),
        "action 'put', immediate_fx[4], field 'params': 'i' is a plant here and an item elsewhere",
    ),
    "contradictory preconditions": (
        lambda d: action(d, "feed")["precons"].append(term("not tender m")),
        "action 'feed', precons[3]: tender(m) is to be true and false at once",
    ),
    "contradictory effects": (
        lambda d: sowing(d, 1)["fx"].append(term("stirs s")),
        "action 'sow', sfx[0], sfx[0], fx[2]: stirs(s) is to be true and false at once",
    ),
    "unknown defect": (
        lambda d: action(d, "harvest")["precons"][-1].update(unless="missing_guard"),
        "field 'unless': unknown field of the rules 'missing_guard'; did you mean missing_guards?",
    ),
    "name of the rules as a defect": (
        lambda d: action(d, "harvest")["precons"][-1].update(unless="name"),
        "field 'unless': unknown field of the rules 'name'",
    ),
    # effects
    "effect on nothing": (
        lambda d: sowing(d).update(param="q"),
        "action 'sow', sfx[0], field 'param': unknown parameter 'q'; known: p, s, i; preconditions,",
    ),
    "effect about nothing": (
        lambda d: sowing(d, 1)["fx"].append(term("ripe m")),
        "action 'sow', sfx[0], sfx[0], fx[2], field 'params': unknown parameter 'm'",
    ),
    "unknown type of effect": (
        lambda d: sowing(d).update(type="sudden"),
        "domain, action 'sow', sfx[0], field 'type': Invalid enum value 'sudden'",
    ),
    "condition of a delay": (
        lambda d: sowing(d, 1).update(conditions=[term("moist s")]),
        "sfx[0], sfx[0], field 'conditions': only a conditional effect has them, not a delayed one",
    ),
    "count of a condition": (
        lambda d: sowing(d).update(config="germination"),
        "action 'sow', sfx[0], field 'config': a conditional effect counts nothing",
    ),
    "creation of nothing": (
        lambda d: sowing(d, 2).pop("created_obj"),
        "field 'created_obj': is missing; this effect is of type 'creation'",
    ),
    "created by a delay": (
        lambda d: sowing(d, 1).update(created_obj=sowing(d, 2)["created_obj"]),
        "sfx[0], sfx[0], field 'created_obj': stands with a creation alone; this effect is of type 'delayed'",
    ),
    "created thing of an unknown type": (
        lambda d: sowing(d, 2)["created_obj"].update(type="plan"),
        "created_obj, field 'type': unknown type 'plan'; did you mean plant or",
    ),
    "created thing of an unknown kind": (
        lambda d: sowing(d, 2)["created_obj"].update(name="seedlin"),
        "field 'created_obj': unknown plant 'seedlin'; did you mean seedling?",
    ),
    "created player": (
        lambda d: sowing(d, 2)["created_obj"].update(type="player", name="gardener"),
        "field 'created_obj': a player cannot be made; nobody would play it",
    ),
    "created thing with a parameter that is taken": (
        lambda d: sowing(d, 2)["created_obj"].update(param="p"),
        "field 'created_obj': parameter 'p' stands for something else already",
    ),
    "created thing with a parameter that is none": (
        lambda d: sowing(d, 2)["created_obj"].update(param="new plant"),
        "created_obj, field 'param': 'new plant': write a parameter like s1",
    ),
    "deleted player": (
        lambda d: action(d, "pick-off")["sfx"][0].update(param="p"),
        "action 'pick-off', sfx[0], field 'param': a player cannot be deleted; whoever plays it would be",
    ),
    "nested too deep": (
        lambda d: action(d, "sow")["sfx"].append(nested(21)),
        "effects are nested 20 deep at most",
    ),
    # sentences
    "sentence with an unknown parameter": (
        lambda d: action(d, "feed").update(language_description="Feed {q} as {p}"),
        "action 'feed', field 'language_description': unknown parameter 'q'; known: m, p, s",
    ),
    "sentence without a space": (
        lambda d: action(d, "feed").update(language_description="Feed {m}{p}"),
        "two parameters need something between them",
    ),
    "sentence with spaces around": (
        lambda d: action(d, "wait").update(language_description=" Wait"),
        "field 'language_description': no spaces around a sentence, and single ones in it",
    ),
    "sentence of two lines": (
        lambda d: action(d, "wait").update(language_description="Wait\nhere"),
        "field 'language_description': 'Wait\\nhere': write one line",
    ),
    "sentence with a meaning of its own": (
        lambda d: action(d, "wait").update(language_description="finish"),
        "field 'language_description': the answer 'finish' has a meaning of its own",
    ),
}


@pytest.mark.parametrize("mistake", DOMAIN_MISTAKES)
def test_a_mistake_in_a_domain_is_one_message(mistake: str) -> None:
    change, message = DOMAIN_MISTAKES[mistake]
    domain = copy.deepcopy(DOMAIN)
    change(domain)
    told = complaint({**SCENARIO, "problem": problem(), "domain": domain})
    assert told.startswith("mine.json: ")
    assert message in told


# --- problems -----------------------------------------------------------------------------------------


def goal(kitchen: Json, predicate: str, *args: str, ids: tuple[int | str, ...] = (1, 2, 3)) -> None:
    kitchen["goal"].append({"predicate": predicate, "args": args, "ids": ids[: len(args)]})


def fact(kitchen: Json, predicate: str, *args: str) -> None:
    kitchen["facts"] = [{"predicate": predicate, "args": args}]


PROBLEM_MISTAKES: dict[str, tuple[Change, str]] = {
    # the file
    "no players": (lambda k: k.pop("players"), "field 'problem': Object missing required field `players`"),
    "misspelt field": (
        lambda k: k["items"][2].update(stack_level=1),
        "problem, items[2] 'lettuce': Object contains unknown field `stack_level`; did you mean stack-level?",
    ),
    "number in words": (
        lambda k: k["items"][2].update(x="one"),
        "problem, items[2] 'lettuce', field 'x': Expected `int`, got `str`",
    ),
    "no width": (lambda k: k.update(width=0), "problem, field 'width': is 0; it is from 1 to 100"),
    "no players in the list": (lambda k: k.update(players=[]), "field 'players': at least one player is"),
    # things
    "unknown kind": (
        lambda k: k["stations"][1].update(name="stov"),
        "problem, stations[1] 'stov', field 'name': unknown station 'stov'; did you mean stove?",
    ),
    "kind of another type": (
        lambda k: k["items"][1].update(name="pot"),
        "problem, items[1] 'pot', field 'name': unknown item 'pot'",
    ),
    "unknown predicate": (
        lambda k: k["items"][0].update(predicates=["iscokable"]),
        "items[0] 'patty', field 'predicates': unknown predicate 'iscokable'; did you mean iscookable",
    ),
    "predicate of another type": (
        lambda k: k["stations"][0].update(predicates=["iscut"]),
        "stations[0] 'table', field 'predicates': 'iscut' is about (item), not about a station alone",
    ),
    "predicate about two things": (
        lambda k: k["items"][0].update(predicates=["atop"]),
        "field 'predicates': 'atop' is about (item, item), not about an item alone",
    ),
    "thing of an unknown type": (
        lambda k: k.update(objects=[{"name": "cat", "type": "animal"}]),
        "problem, objects[0] 'cat': unknown type 'animal'; did you mean meal?",
    ),
    "id twice": (lambda k: k["items"][0].update(id="A"), "problem: patty1 and table1 have one id: 'A'"),
    "id that another thing is called by": (
        lambda k: k["items"][0].update(id="stove2"),
        "problem: the id of patty1 is the name of another thing: 'stove2'",
    ),
    # cells
    "two stations on a cell": (
        lambda k: k["stations"][2].update(x=1),
        "problem, stations[2] 'sink': station 'stove' is at (1, 2) already",
    ),
    "two players on a cell": (
        lambda k: k["players"].append(k["players"][0]),
        "problem, players[1] 'robot': player 'robot' is at (1, 1) already",
    ),
    "two containers on a cell": (
        lambda k: k["containers"].append({"name": "bowl", "x": 2, "y": 2}),
        "problem, containers[1] 'bowl': container 'pot' is at (2, 2) already",
    ),
    "item with a container": (
        lambda k: k["items"][0].update(x=2),
        "problem, items[0] 'patty': container 'pot' is at (2, 2) already",
    ),
    "off the grid": (
        lambda k: k["stations"][3].update(x=4),
        "stations[3] 'stove': (4, 2) is off the grid of 4 by 3 cells, counted from (0, 0)",
    ),
    "below the grid": (lambda k: k["items"][0].update(y=-1), "items[0] 'patty': (1, -1) is off the grid"),
    "player at a station's cell": (
        lambda k: k["players"][0].update(y=2),
        "players[0] 'robot': (1, 2) is taken by a station; players stand on free cells",
    ),
    "player who faces no station": (
        lambda k: k["players"][0].update(direction=[0, -1]),
        "players[0] 'robot', field 'direction': no station is at (1, 0); who faces none can never move",
    ),
    "player who faces a corner": (
        lambda k: k["players"][0].update(direction=[1, 1]),
        "field 'direction': is one of [0, 1], [0, -1], [1, 0] and [-1, 0]",
    ),
    "direction of three numbers": (
        lambda k: k["players"][0].update(direction=[0, 1, 0]),
        "players[0] 'robot', field 'direction': Expected `array` of length 2, got 3",
    ),
    "item on the floor": (
        lambda k: k["items"][0].update(x=0, y=0),
        "items[0] 'patty': neither a station nor a player is at (0, 0)",
    ),
    "container on the floor": (
        lambda k: k["containers"][0].update(y=0),
        "containers[0] 'pot': neither a station nor a player is at (2, 0)",
    ),
    "meal without a container": (
        lambda k: k.update(containers=[]),
        "meals[0] 'water': no container is at (2, 2); a meal is in one",
    ),
    "two items in the hands": (
        lambda k: [k["items"][number].update(x=1, y=1) for number in (1, 2)],
        "items[2] 'lettuce': the player at (1, 1) has an item already, and holds one at most",
    ),
    "two items on one level": (
        lambda k: k["items"][2].pop("stack-level"),
        "items[2] 'lettuce', field 'stack-level': another item at (0, 2) has level 0 too; which is on top?",
    ),
    "item below its station": (
        lambda k: k["items"][0].update({"stack-level": -1}),
        "items[0] 'patty', field 'stack-level': is -1; it is at least 0",
    ),
    "more things than facts can be about": (
        lambda k: k.update(objects=[{"name": "bread", "type": "item"}] * 200),
        "too many things: ",
    ),
    # config
    "unknown table": (
        lambda k: k["config"].update(cook_times={}),
        "problem, field 'config': unknown table 'cook_times'; did you mean cook_time or",
    ),
    "unknown kind in a table": (
        lambda k: k["config"]["num_cuts"].update(letuce=1),
        "problem, field 'config', table 'num_cuts': unknown kind 'letuce'; did you mean lettuce?",
    ),
    "no cuts": (lambda k: k["config"]["num_cuts"].update(lettuce=0), "'lettuce' is 0; 1 is the least"),
    "negative time": (
        lambda k: k["config"]["cook_time"].update(default=-1),
        "field 'config', table 'cook_time': 'default' is -1; 0 is the least",
    ),
    # facts
    "unknown fact": (
        lambda k: fact(k, "clean", "A"),
        "facts[0], field 'predicate': unknown predicate 'clean'",
    ),
    "fact about an unknown thing": (
        lambda k: fact(k, "iscut", "lettuce2"),
        "problem, facts[0], field 'args': unknown thing 'lettuce2'; did you mean lettuce1?",
    ),
    "fact about another type": (
        lambda k: fact(k, "iscut", "A"),
        "facts[0], field 'args': 'A' is a station; 'iscut' is about an item",
    ),
    "fact about too many": (
        lambda k: fact(k, "iscut", "lettuce1", "A"),
        "facts[0], field 'args': 'iscut' is about (item), not about 2 things",
    ),
    "fact about one thing twice": (
        lambda k: fact(k, "atop", "bread1", "a"),
        "facts[0], field 'args': a fact is about different things",
    ),
    # goals
    "no goal": (lambda k: k.update(goal=[]), "problem, field 'goal': at least one fact to be reached"),
    "goal by an unknown predicate": (
        lambda k: goal(k, "iscoked", "patty"),
        "problem, goal[2], field 'predicate': unknown predicate 'iscoked'; did you mean iscooked",
    ),
    "goal about too many kinds": (
        lambda k: goal(k, "iscut", "lettuce", "lettuce"),
        "goal[2], field 'args': 'iscut' is about (item), not about 2 things",
    ),
    "goal with too few ids": (
        lambda k: goal(k, "atop", "lettuce", "bread", ids=(3,)),
        "goal[2], field 'ids': 'atop' is about (item, item), not about 1 things",
    ),
    "goal about one thing twice": (
        lambda k: goal(k, "atop", "lettuce", "bread", ids=(3, "3")),
        "goal[2], field 'ids': '3' stands twice; a fact is about different things",
    ),
    "goal about an unknown kind": (
        lambda k: goal(k, "iscut", "letuce"),
        "goal[2], field 'args': unknown kind 'letuce'; did you mean lettuce?",
    ),
    "goal about a part of a kind": (lambda k: goal(k, "clear", "bun"), "goal[2], field 'args': unknown kind"),
    "goal about an absent kind": (
        lambda k: goal(k, "iscut", "onion", ids=(9,)),
        "problem, field 'goal': asks for 1 of 'onion'; there are none, and nothing makes more",
    ),
    "goal about another type": (
        lambda k: goal(k, "iscut", "stove"),
        "goal[2], field 'args': 'stove' is a station; 'iscut' is about an item",
    ),
    "goal that wants more than there is": (
        lambda k: [goal(k, "iscut", "lettuce", ids=(id,)) for id in (7, 8)],
        "problem, field 'goal': asks for 2 of 'lettuce'; there is 1, and nothing makes more",
    ),
    "goal about no thing": (
        lambda k: goal(k, "iscut", "lettuce", ids=("b",)),
        "goal[2], field 'ids': unknown id 'b'; known: A, a; an id that is no number is that of a certain",
    ),
    "goal about a thing of another type": (
        lambda k: goal(k, "iscut", "lettuce", ids=("A",)),
        "goal[2], field 'ids': 'A' is a station, not an item",
    ),
    "one id of two types": (
        lambda k: goal(k, "loc", "robot", "stove", ids=(4, 1)),
        "goal[2], field 'ids': '1' is a station here and an item in another term",
    ),
    "goal that only bars": (
        lambda k: k["goal"].append({"predicate": "iscut", "args": ["lettuce"], "ids": [5], "is_true": False}),
        "goal[2], field 'ids': no term that is true has id 5; what must not hold is about such things",
    ),
    "released goal": (
        lambda k: k.update(goal_released=[{"predicate": "iscut", "args": ["letuce"], "ids": [1]}]),
        "problem, goal_released[0], field 'args': unknown kind 'letuce'",
    ),
    "goal in two lines": (
        lambda k: k.update(goal_description="Cook\nthe patty"),
        "problem, field 'goal_description': 'Cook\\nthe patty': write one line",
    ),
}


@pytest.mark.parametrize("mistake", PROBLEM_MISTAKES)
def test_a_mistake_in_a_problem_is_one_message(mistake: str) -> None:
    change, message = PROBLEM_MISTAKES[mistake]
    kitchen = copy.deepcopy(KITCHEN)
    change(kitchen)
    told = complaint({**SCENARIO, "problem": kitchen})
    assert told.startswith("mine.json: ")
    assert message in told


@pytest.mark.slow
def test_nested_beyond_reading() -> None:
    """Deeper than can be read in one go."""
    domain = copy.deepcopy(DOMAIN)
    effect: Json = {"type": "delayed", "param": "s"}
    for _ in range(100_000):
        effect = {"type": "delayed", "param": "s", "sfx": [effect]}
    action(domain, "sow")["sfx"].append(effect)
    with pytest.raises(BadFile, match=r"mine\.json: too deeply nested"):
        read_file({**SCENARIO, "domain": domain}, "mine.json")


def test_what_is_no_mistake() -> None:
    """Gaps between levels, goals by type or by id, a kind in part where the released goal asks for it,
    one id for two kinds of a type (as in a released goal), more things than there are if they are made."""
    kitchen = copy.deepcopy(KITCHEN)
    goal(kitchen, "atop", "lettuce", "bread", ids=(5, 6))
    goal(kitchen, "iscut", "cheese", ids=(5,))
    goal(kitchen, "in", "water", "pot", ids=(7, 8))
    goal(kitchen, "isboiling", "water", ids=(9,))
    kitchen["goal_released"] = [{"predicate": "clear", "args": ["lett"], "ids": [1]}]
    kitchen["facts"] = [{"predicate": "iscut", "args": ["lettuce1"]}]
    assert opened({**SCENARIO, "problem": kitchen}).problem.items[2].stack_level == 2


# --- what is published --------------------------------------------------------------------------------


def test_what_is_shipped_has_no_mistake() -> None:
    check_domain(shipped_domain(), Place("domain.json"))
    for path in tasks():
        check_problem(shipped_problem(path), shipped_domain(), Place(path))


def test_what_was_released_has_no_mistake() -> None:
    if not UPSTREAM.is_dir():
        pytest.skip(f"the released files are not there ({UPSTREAM})")
    domain = converted(
        json.loads((UPSTREAM / "domain" / "robotouille.json").read_text()), DomainFile, Place("domain")
    )
    check_domain(domain, Place("domain"))
    problems = sorted((UPSTREAM / "environments").rglob("*.json"))
    assert problems
    for file in problems:
        read_and_check(json.loads(file.read_text()), domain, file.name)


@pytest.mark.parametrize("file", ["robotouille.json", "robotouille_plans.json"])
def test_what_was_recorded_has_no_mistake(file: str, vectors: Path) -> None:
    for episode in json.loads((vectors / file).read_text())["episodes"]:
        read_and_check(episode["problem"], shipped_domain(), episode["id"])


def read_and_check(raw: Json, domain: DomainFile, source: str) -> None:
    check_problem(converted(raw, ProblemFile, Place(source)), domain, Place(source))


# --- anything else ------------------------------------------------------------------------------------

SOURCES: tuple[Json, ...] = (
    {"world": "robotouille", "id": "a", "problem": problem(2), "domain": DOMAIN, "play": "together"},
    {"world": "robotouille", "id": "b", "problem": problem(ahead=True), "domain": DOMAIN},
    {"world": "robotouille", "id": "c", "problem": KITCHEN, "play": "dispatcher"},
)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.data())
def test_whatever_is_changed_can_be_played_or_is_refused(data: st.DataObject) -> None:
    """Entries gone, twice, elsewhere, renamed, of other types; numbers a little off."""

    def choose(below: int) -> int:
        return data.draw(st.integers(0, below - 1))

    raw = copy.deepcopy(SOURCES[choose(len(SOURCES))])
    part = "domain" if "domain" in raw and choose(2) else "problem"
    raw[part] = mutant(raw[part], choose)
    try:
        scenario = opened(raw)
    except BadFile as error:
        assert str(error).startswith("mine.json: ")
        return
    for rules in ("standard", "released"):
        wander(scenario, rules, Random(choose(1000)))


def wander(scenario: Scenario, rules: str, draw: Random) -> None:
    """A few steps, with all that is shown, said and read on the way."""
    world = Robotouille("robotouille/user/mine", scenario, PRESETS[rules], NO_LIMITS)
    state = world.start()
    for _ in range(8):
        decisions = {}
        for seat in world.deciders(state):
            assert world.briefing(seat)
            assert world.describe(world.observe(state, seat))
            assert world.scene(state, seat)
            option = draw.choice(world.menu(state, seat).options)
            assert world.parse(state, seat, world.words(option.decision)) == option.decision
            world.parse(state, seat, f"{option.label} or not")
            decisions[seat] = option.decision
        step = world.step(state, decisions)
        state = step.state
        assert digest(state)
