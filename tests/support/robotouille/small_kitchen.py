"""A kitchen of four stations in which a patty is to be cooked, and files about it with mistakes."""

from __future__ import annotations

import copy
from typing import Any

from backburner.worlds.robotouille.game.scenario_files import read_file
from backburner.worlds.robotouille.game.scenarios import Scenario

Json = dict[str, Any]

KITCHEN: Json = {
    "version": "1.0.0",
    "width": 4,
    "height": 3,
    "config": {"num_cuts": {"lettuce": 2, "default": 3}, "cook_time": {"default": 3}},
    "stations": [
        {"name": "table", "x": 0, "y": 2, "id": "A"},
        {"name": "stove", "x": 1, "y": 2},
        {"name": "sink", "x": 2, "y": 2},
        {"name": "stove", "x": 3, "y": 2},
    ],
    "items": [
        {"name": "patty", "x": 1, "y": 2, "predicates": ["iscookable"]},
        {"name": "bread", "x": 0, "y": 2, "stack-level": 0, "id": "a"},
        {"name": "lettuce", "x": 0, "y": 2, "stack-level": 2, "predicates": ["iscuttable"]},
    ],
    "containers": [{"name": "pot", "x": 2, "y": 2}],
    "meals": [{"name": "water", "x": 2, "y": 2}],
    "players": [{"name": "robot", "x": 1, "y": 1, "direction": [0, 1]}],
    "goal_description": "Cook the patty",
    "goal": [
        {"predicate": "iscooked", "args": ["patty"], "ids": [1]},
        {"predicate": "item_at", "args": ["item", "station"], "ids": ["a", "A"]},
    ],
}

SCENARIO: Json = {"world": "robotouille", "id": "lunch", "problem": KITCHEN}


def opened(scenario: Json, source: str = "mine.json") -> Scenario:
    """The scenario in a user's file, which is left as it is."""
    path, found = read_file(copy.deepcopy(scenario), source)
    assert path == scenario["id"]
    return found
