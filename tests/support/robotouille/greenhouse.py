"""A domain that is no kitchen: cress in a greenhouse, with every kind of effect, two and three deep.

A bed has to be rid of its snail (a deletion) and watered (a repetitive effect, with a delay in it
after which the bed is dry). What is sown comes up in a moist bed (a condition around a delay around a
creation) and grows by itself (a delay in the creation), or faster when it is fed. Under the released
rules a delay in a delay never ends: there the cress has to be fed, and beds stay moist.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from backburner.worlds.robotouille.game.rule_set import NO_LIMITS, PRESETS, Limits
from backburner.worlds.robotouille.game.scenario_files import read_file
from backburner.worlds.robotouille.game.scenarios import Scenario
from backburner.worlds.robotouille.game.world import Robotouille

Json = dict[str, Any]


def term(words: str, **more: Any) -> Json:
    """``at p s`` or, for what is false, ``not at p s``."""
    name, *params = words.removeprefix("not ").split()
    return {"predicate": name, "params": params, "is_true": not words.startswith("not "), **more}


def terms(*words: str) -> list[Json]:
    """Several terms."""
    return [term(one) for one in words]


def predicate(words: str, *sentences: str) -> Json:
    """``at player station`` with a sentence for each of its first arguments."""
    name, *types = words.split()
    described = {str(place): sentence for place, sentence in enumerate(sentences)}
    return {"name": name, "param_types": types, "language_descriptors": described}


def action(name: str, text: str, needs: Sequence[str], follows: Sequence[str], *sfx: Json) -> Json:
    """An action as the file has it."""
    return {
        "name": name,
        "precons": terms(*needs),
        "immediate_fx": terms(*follows),
        "sfx": list(sfx),
        "language_description": text,
    }


GERMINATION: Json = {
    "type": "conditional",
    "param": "s",
    "conditions": terms("moist s"),
    "fx": terms("stirs s"),
    "sfx": [
        {
            "type": "delayed",
            "param": "s",
            "config": "germination",
            "fx": terms("not stirs s", "not sown s"),
            "sfx": [
                {
                    "type": "creation",
                    "param": "s",
                    "created_obj": {"name": "seedling", "type": "plant", "param": "m"},
                    "fx": terms("grows_in m s", "tender m"),
                    "sfx": [
                        {
                            "type": "delayed",
                            "param": "m",
                            "config": "growth",
                            "fx": terms("not tender m", "ripe m"),
                        }
                    ],
                }
            ],
        }
    ],
}

WEEDS: Json = {"type": "delayed", "param": "s", "fx": terms("weedy s")}

WATERING: Json = {
    "type": "repetitive",
    "param": "s",
    "config": "pourings",
    "fx": terms("moist s"),
    "sfx": [{"type": "delayed", "param": "s", "config": "drying", "fx": terms("not moist s")}],
}

HARVEST: Json = {
    "type": "creation",
    "param": "m",
    "created_obj": {"name": "cress", "type": "item", "param": "i"},
    "fx": terms("carries p i", "not empty_handed p", "not grows_in m s"),
}

DOMAIN: Json = {
    "name": "greenhouse",
    "object_types": ["station", "item", "plant", "pest", "player"],
    "predicate_defs": [
        predicate("isbench station", "{0} is a bench"),
        predicate("isbed station", "{0} is a bed of earth"),
        predicate("istap station", "{0} is a tap"),
        predicate("isseed item", "{0} is a seed"),
        predicate("at player station", "{0} stands at {1}", "{0} stands here"),
        predicate("free station", "Nobody stands at {0}"),
        predicate("unused station"),
        predicate("lies_at item station", "{0} lies on {1}", "{0} lies here"),
        predicate("carries player item", "{0} carries {1}", "{0} carries {1}"),
        predicate("empty_handed player", "{0} has nothing in hands"),
        predicate("moist station", "{0} is moist"),
        predicate("sown station", "{0} is sown"),
        predicate("stirs station", "Something stirs in {0}"),
        predicate("weedy station", "{0} is full of weeds"),
        predicate("gnawed station", "Something gnaws at all that grows in {0}"),
        predicate("creeps_in pest station"),
        predicate("grows_in plant station", "{0} grows in {1}", "{0} grows here"),
        predicate("tender plant", "{0} is tender"),
        predicate("ripe plant", "{0} is ripe"),
        predicate("shut"),
        predicate("daytime"),
    ],
    "kinds": {
        "station": ["bench", "bed", "tap"],
        "item": ["seed", "cress"],
        "plant": ["seedling"],
        "pest": ["snail"],
        "player": ["gardener"],
    },
    "placement": {
        "player_at": "at",
        "station_free": "free",
        "station_empty": "unused",
        "item_at": "lies_at",
        "holds_item": "carries",
        "holds_nothing": "empty_handed",
        "item_on": "",
    },
    "action_defs": [
        action(
            "walk",
            "Walk from {a} to {b} as {p}",
            ["at p a", "free b"],
            ["at p b", "not at p a", "free a", "not free b"],
        ),
        action(
            "take",
            "Take {i} from {s} as {p}",
            ["empty_handed p", "at p s", "lies_at i s"],
            ["carries p i", "not empty_handed p", "not lies_at i s", "unused s"],
        ),
        action(
            "put",
            "Put {i} on {s} as {p}",
            ["carries p i", "at p s", "isbench s", "unused s"],
            ["not carries p i", "empty_handed p", "lies_at i s", "not unused s"],
        ),
        action("open-tap", "Open {s} as {p}", ["at p s", "istap s", "shut"], ["not shut"]),
        action("shut-tap", "Shut {s} as {p}", ["at p s", "istap s", "not shut"], ["shut"]),
        action("water", "Water {s} as {p}", ["at p s", "isbed s", "not shut"], [], WATERING),
        action(
            "pick-off",
            "Pick {n} off {s} as {p}",
            ["at p s", "creeps_in n s", "empty_handed p"],
            ["not gnawed s"],
            {"type": "deletion", "param": "n"},
        ),
        action(
            "sow",
            "Sow {i} in {s} as {p}",
            ["at p s", "isbed s", "carries p i", "isseed i", "not gnawed s", "not sown s"],
            ["sown s", "empty_handed p"],
            GERMINATION,
            WEEDS,
            {"type": "deletion", "param": "i"},
        ),
        action("weed", "Weed {s} as {p}", ["at p s", "weedy s"], ["not weedy s"]),
        action(
            "feed",
            "Feed {m} as {p}",
            ["at p s", "grows_in m s", "tender m"],
            [],
            {"type": "repetitive", "param": "m", "fx": terms("ripe m", "not tender m")},
        ),
        action(
            "harvest",
            "Harvest {m} as {p}",
            ["at p s", "grows_in m s", "ripe m", "empty_handed p", "daytime"],
            [],
            HARVEST,
            {"type": "deletion", "param": "m"},
        ),
        action("wait", "Wait", [], []),
    ],
    "guide": {
        "types": {"plant": "what has come up"},
        "rules": ["A gardener carries one thing at most."],
        "actions": {"water": "only while the tap is open"},
    },
}
DOMAIN["action_defs"][-2]["precons"].append(term("not weedy s", unless="missing_guards"))

PROBLEM: Json = {
    "width": 5,
    "height": 3,
    "config": {
        "pourings": {"bed": 2},
        "germination": {"default": 3},
        "growth": {"seedling": 4},
        "drying": {"default": 6},
        "sow_time": {"default": 2},
        "num_feeds": {"default": 2},
    },
    "stations": [
        {"name": "bench", "x": 0, "y": 2},
        {"name": "tap", "x": 1, "y": 2},
        {"name": "bed", "x": 2, "y": 2},
        {"name": "bed", "x": 3, "y": 2},
    ],
    "items": [{"name": "seed", "x": 0, "y": 2, "stack-level": 1}],
    "players": [{"name": "gardener", "x": 0, "y": 1, "direction": [0, 1]}],
    "objects": [{"name": "snail", "type": "pest", "id": "slow"}],
    "facts": [
        {"predicate": "creeps_in", "args": ["slow", "bed1"]},
        {"predicate": "gnawed", "args": ["bed1"]},
        {"predicate": "shut", "args": []},
        {"predicate": "daytime"},
    ],
    "goal_description": "Lay cress on the bench, and shut the tap",
    "goal": [
        {"predicate": "lies_at", "args": ["cress", "bench"], "ids": [1, 2]},
        {"predicate": "shut"},
        {"predicate": "weedy", "args": ["bench"], "ids": [2], "is_true": False},
    ],
}

OPENING = (
    "Walk from bench1 to bed1 as gardener1",
    "Pick snail1 off bed1 as gardener1",
    "Walk from bed1 to tap1 as gardener1",
    "Open tap1 as gardener1",
    "Walk from tap1 to bench1 as gardener1",
    "Take seed1 from bench1 as gardener1",
    "Walk from bench1 to bed1 as gardener1",
    "Sow seed1 in bed1 as gardener1",
)
"""Eight steps, the same under both rule sets: the snail is gone, the tap open, the bed sown and dry."""

CLOSING = (
    "Harvest seedling1 as gardener1",
    "Walk from bed1 to tap1 as gardener1",
    "Shut tap1 as gardener1",
    "Walk from tap1 to bench1 as gardener1",
    "Put cress1 on bench1 as gardener1",
)
"""Five steps that bring the goal about."""


AHEAD: Json = {
    "items": [{"name": "seed", "x": 2, "y": 1}],
    "players": [{"name": "gardener", "x": 2, "y": 1, "direction": [0, 1]}],
    "objects": [],
    "facts": [{"predicate": "moist", "args": ["bed1"]}, {"predicate": "daytime"}],
}
"""A gardener with the seed in hand at a moist bed, so that whoever wanders about gets to all effects."""


def problem(n_gardeners: int = 1, *, ahead: bool = False) -> Json:
    """One gardener where the file has it, and others at the beds."""
    found = copy.deepcopy(PROBLEM) | (copy.deepcopy(AHEAD) if ahead else {})
    for number in range(1, n_gardeners):
        found["players"].append({"name": "gardener", "x": 4 - number, "y": 1, "direction": [0, 1]})
    return found


def scenario(play: str = "turns", n_gardeners: int = 1, *, ahead: bool = False) -> Scenario:
    """The greenhouse as a user's scenario file has it."""
    raw = {"world": "robotouille", "id": "cress", "problem": problem(n_gardeners, ahead=ahead)}
    _, found = read_file(copy.deepcopy(raw | {"domain": DOMAIN, "play": play}), "greenhouse.json")
    return found


def greenhouse(
    rules: str = "standard",
    play: str = "turns",
    n_gardeners: int = 1,
    limits: Limits = NO_LIMITS,
    *,
    ahead: bool = False,
) -> Robotouille:
    """The greenhouse as a world."""
    found = scenario(play, n_gardeners, ahead=ahead)
    return Robotouille("robotouille/user/cress", found, PRESETS[rules], limits)
