"""What strangers send: records, files and answers that are too large, impossible or full of escapes.

A record's scenario passes the checks of files. Whatever is refused is refused soon and in one printable line.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from backburner.kernel import registry
from backburner.kernel.errors import BadFile, Refused
from backburner.kernel.values import Refusal
from backburner.worlds.robotouille.game.catalogue import catalogue
from backburner.worlds.robotouille.game.rule_set import PRESETS
from backburner.worlds.robotouille.game.scenario_files import read_file
from backburner.worlds.robotouille.game.scenarios import DISPATCHER
from backburner.worlds.robotouille.game.state import Acts
from backburner.worlds.robotouille.game.world import Robotouille
from support.promptly import least_seconds, within
from support.robotouille.greenhouse import DOMAIN, problem
from support.robotouille.kitchens import world_in
from support.robotouille.small_kitchen import SCENARIO, opened

Json = dict[str, Any]
Change = Callable[[Json], object]

MEGABYTE = 1_000_000
SOON_SECONDS = 0.1
"""CPU within which a megabyte of anything is read."""


def soon(work: Callable[[], object]) -> float:
    """Processor seconds on a quiet machine."""
    return least_seconds(work, enough=SOON_SECONDS)


def printable(told: str) -> bool:
    return all(sign.isprintable() for sign in told)


# --- records ------------------------------------------------------------------------------------------


def restored(scenario: Any, id: str = "robotouille/synchronous/1") -> Robotouille:
    """The world of a header with this scenario, as plain values."""
    limits = msgspec.to_builtins(catalogue.no_limits)
    return catalogue.restore(id, scenario, msgspec.to_builtins(PRESETS["standard"]), limits)


@pytest.mark.parametrize(
    "id",
    [
        "robotouille/synchronous/1",
        "robotouille/asynchronous/10@seed=252",
        "robotouille/asynchronous/6@noisy=yes,seed=3",
        "robotouille/multi_agent/10@noisy=yes,seed=3",
        "robotouille/multi_agent/10@play=dispatcher,robots=4,seed=42",
        "robotouille/synchronous/9@generator=own,height=20,noise=60,seed=1,told=times,width=20",
        "robotouille/training/asynchronous@seed=26",
    ],
)
def test_what_can_be_recorded_can_be_restored(id: str) -> None:
    """Also released levels whose goal cannot be reached, as their containers are lost."""
    world = registry.world(id, limits="none")
    assert restored(msgspec.to_builtins(world.scenario), id).scenario == world.scenario


def test_the_scenarios_of_all_suites_can_be_restored() -> None:
    for id in registry.expand("robotouille/all")[::7]:
        scenario = registry.scenario(id)
        assert restored(msgspec.to_builtins(scenario), id).scenario == scenario


def more_items(n: int) -> Change:
    return lambda raw: raw["problem"]["items"].extend([{"name": "bread", "x": 0, "y": 0}] * n)


def in_problem(field: str, value: Any) -> Change:
    return lambda raw: raw["problem"].update({field: value})


HOSTILE: dict[str, tuple[Change, str]] = {
    "items": (more_items(3000), "3005 entries; at most 500"),
    "two items on one cell": (more_items(2), "(0, 0)"),
    "grid": (in_problem("width", 10**9), "field 'width': is 1000000000; it is from 1 to 100"),
    "no stations": (in_problem("stations", []), "players[0] 'robot'"),
    "no players": (in_problem("players", []), "at least one player"),
    "players": (
        in_problem("players", [{"name": "robot", "x": 0, "y": 0}] * 200_000),
        "200000 entries; at most 500",
    ),
    "no goal": (in_problem("goal", []), "at least one fact"),
    "goal": (
        in_problem("goal", [{"predicate": "iscut", "args": ["bread"], "ids": [1]}] * 18_000),
        "18000 entries; at most 200",
    ),
    "facts": (
        in_problem("facts", [{"predicate": "iscut", "args": ["bread1"]}] * 20_000),
        "20000 entries; at most 1000",
    ),
    "a wildcard": (in_problem("items", [{"name": "item", "x": 2, "y": 1}]), "'item' is a type"),
    "goal of unknown things": (
        in_problem("goal", [{"predicate": "iscut", "args": ["ghost"], "ids": [1]}]),
        "unknown kind 'ghost'",
    ),
    "a long sentence": (in_problem("goal_description", "x" * 10_000), "10000 characters; at most 1000"),
    "config": (
        in_problem("config", {"num_cuts": {f"k{n}": 3 for n in range(50_000)}}),
        "50000 entries; at most 1000",
    ),
    "domain": (lambda raw: raw.update(domain="/dev/zero"), "unknown domain '/dev/zero'"),
    "task": (lambda raw: raw.update(task="synchronous/11"), "unknown task 'synchronous/11'"),
    "step limit": (lambda raw: raw.update(step_limit=-1), "is -1; it is at least 1"),
    "known plan": (
        lambda raw: raw.update(known_plan={"steps": 1, "bound": 0, "plan": ["Action: Wait"]}),
        "it ends before the goal is reached",
    ),
    "long plan": (
        lambda raw: raw.update(known_plan={"steps": 1, "bound": 0, "plan": ["Action: Wait"] * 50_000}),
        "50000 entries; at most 1000",
    ),
    "escape": (in_problem("goal_description", "\x1b]0;mine\x07"), "control character"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_record_passes_the_checks_of_files(name: str) -> None:
    change, why = HOSTILE[name]
    raw = msgspec.to_builtins(registry.scenario("robotouille/synchronous/1@seed=42"))
    raw = msgspec.json.decode(msgspec.json.encode(raw))
    change(raw)
    with pytest.raises(BadFile) as caught:
        restored(raw)
    told = str(caught.value)
    assert why in told
    assert printable(told) and len(told) < 500
    assert soon(lambda: refused(raw)) < SOON_SECONDS


def refused(raw: Json) -> None:
    with pytest.raises(BadFile):
        restored(raw)


def test_a_domain_in_a_record_is_checked_too() -> None:
    raw = {"problem": problem(2), "domain": copy.deepcopy(DOMAIN)}
    assert restored(raw).scenario.domain
    raw["domain"]["action_defs"][0]["precons"][0]["predicate"] = "lock\x1b[2J"
    with pytest.raises(BadFile, match="unknown predicate") as caught:
        restored(raw)
    assert printable(str(caught.value))


@pytest.mark.slow
def test_an_id_that_asks_for_too_much_is_refused() -> None:
    """Its kitchen could be drawn, but no record of it could be read."""
    with pytest.raises(Refused, match="too many things"):
        registry.world("robotouille/synchronous/1@generator=own,height=40,noise=150,seed=1,width=40")


# --- files --------------------------------------------------------------------------------------------


def many(n: int, entry: Callable[[int], Any]) -> list[Any]:
    return [entry(number) for number in range(n)]


def filled(source: Json, part: str, field: str, value: Any) -> Json:
    raw = copy.deepcopy(source)
    raw[part][field] = value
    return raw


DELAY: Json = {"type": "delayed", "param": "p"}
GREENHOUSE: Json = {"world": "robotouille", "id": "a", "problem": problem(2), "domain": DOMAIN}

LARGE: dict[str, Json] = {
    "types": filled(GREENHOUSE, "domain", "object_types", many(100_000, lambda n: f"t{n}")),
    "one type": filled(GREENHOUSE, "domain", "object_types", ["x" * MEGABYTE]),
    "kinds": filled(GREENHOUSE, "domain", "kinds", {"bed": many(100_000, lambda n: f"k{n}a")}),
    "predicates": filled(
        GREENHOUSE, "domain", "predicate_defs", many(20_000, lambda n: {"name": f"p{n}", "param_types": []})
    ),
    "arguments": filled(
        GREENHOUSE, "domain", "predicate_defs", [{"name": "p", "param_types": ["bed"] * 100_000}]
    ),
    "actions": filled(GREENHOUSE, "domain", "action_defs", many(40_000, lambda n: {"name": f"a{n}"})),
    "braces": filled(
        GREENHOUSE, "domain", "action_defs", [{"name": "a", "language_description": "{" * MEGABYTE}]
    ),
    "effects": filled(
        GREENHOUSE,
        "domain",
        "action_defs",
        [{"name": "a", "sfx": [{"type": "delayed", "param": "p"}] * 20_000}],
    ),
    "nested": filled(
        GREENHOUSE,
        "domain",
        "action_defs",
        [
            {
                "name": "a",
                "sfx": [{"type": "delayed", "param": "p", "sfx": [{"type": "delayed", "param": "p"}]}],
            }
        ]
        * 9_000,
    ),
    "guide": {
        **GREENHOUSE,
        "domain": {**DOMAIN, "guide": {"rules": ["Wash your hands.\u2028"] * 40_000}},
    },
    "items": filled(SCENARIO, "problem", "items", many(25_000, lambda n: {"name": "bread", "x": n, "y": 1})),
    "one name": filled(SCENARIO, "problem", "items", [{"name": "x" * MEGABYTE, "x": 0, "y": 1}]),
    "predicates of a thing": filled(
        SCENARIO, "problem", "items", [{"name": "bread", "x": 0, "y": 2, "predicates": ["iscut"] * 100_000}]
    ),
    "an id": filled(SCENARIO, "problem", "items", [{"name": "bread", "x": 0, "y": 2, "id": "x" * MEGABYTE}]),
    "goal": filled(
        SCENARIO,
        "problem",
        "goal",
        many(18_000, lambda n: {"predicate": "iscut", "args": ["item"], "ids": [n]}),
    ),
    "config": filled(SCENARIO, "problem", "config", {f"table{n}": {} for n in range(60_000)}),
    "a large number": filled(SCENARIO, "problem", "config", {"num_cuts": {"default": 10**18}}),
    "id of the file": {**SCENARIO, "id": "a" * MEGABYTE + "!"},
}
"""Scenario files of about a megabyte, each with too much of one thing."""


@pytest.mark.parametrize("name", LARGE)
def test_a_megabyte_of_a_file_is_read_soon(name: str) -> None:
    def read() -> None:
        try:
            read_file(LARGE[name], "mine.json")
        except BadFile as error:
            assert printable(str(error)) and len(str(error)) < 500

    assert soon(read) < SOON_SECONDS


@pytest.mark.parametrize("part", ["problem", "domain"])
def test_a_part_in_a_pipe_or_a_device_is_not_opened(part: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for file in ("pipe", "/dev/zero"):
        with pytest.raises(BadFile, match="is no regular file"):
            opened({**SCENARIO, part: file}, str(tmp_path / "mine.json"))
    with pytest.raises(BadFile, match="folder"):
        opened({**SCENARIO, part: "."}, str(tmp_path / "mine.json"))
    for file in ("x" * 300, "a\x00b", "\x1b[2J"):
        with pytest.raises(BadFile) as caught:
            opened({**SCENARIO, part: file}, str(tmp_path / "mine.json"))
        assert printable(str(caught.value))


def with_escapes(value: Any) -> Iterator[Any]:
    """The value, each time with an escape in another one of its names or texts."""
    escape = "\x1b]0;x\x07\u2028"
    if isinstance(value, str):
        yield value + escape
    elif isinstance(value, dict):
        for key, part in value.items():
            yield {**{k: v for k, v in value.items() if k != key}, key + escape: part}
            yield from ({**value, key: changed} for changed in with_escapes(part))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from ([*value[:index], changed, *value[index + 1 :]] for changed in with_escapes(part))


@pytest.mark.slow
def test_no_message_holds_a_control_character() -> None:
    refused = 0
    for source in (SCENARIO, GREENHOUSE):
        for raw in with_escapes(source):
            try:
                opened(raw)
            except BadFile as error:
                assert printable(str(error)), repr(str(error))
                refused += 1
    assert refused > 500


# --- answers ------------------------------------------------------------------------------------------

ANSWERS = {
    "letters": "a" * MEGABYTE,
    "spaces": "Action:" + " " * MEGABYTE,
    "stars": "Action:" + "*" * MEGABYTE,
    "marks": "Action: " * (MEGABYTE // 8),
    "lines": "Action: robot1 goes\n" * (MEGABYTE // 20),
    "idle": "Action: Idle\n" * (MEGABYTE // 13),
    "empty lines": "\n" * MEGABYTE,
    "brackets": "move(" * (MEGABYTE // 5),
    "pairs": "move(" + "p1=robot1," * (MEGABYTE // 10) + ")",
    "names": "robot1 " * (MEGABYTE // 7),
    "long s": "\u017f" * (MEGABYTE // 2),
    "a sentence": "robot1 goes from " + "table1" * (MEGABYTE // 6) + " to table1",
}


@pytest.mark.slow
@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("name", ANSWERS)
def test_a_megabyte_of_an_answer_is_read_soon(name: str, rules: str) -> None:
    alone = world_in(["table", "stove"], rules=rules)
    team = world_in(["table", "stove", "table"], robots=(0, 1), play="dispatcher", rules=rules)
    for world, seat in ((alone, "robot1"), (team, DISPATCHER)):
        state, answer = world.start(), ANSWERS[name]
        assert isinstance(world.parse(state, seat, answer), Acts | Refusal)

        def read(world: Robotouille = world, seat: str = seat) -> None:
            world.parse(world.start(), seat, ANSWERS[name])

        assert soon(read) < SOON_SECONDS


def test_names_are_found_where_one_begins_with_another() -> None:
    """Twelve tables: a sentence with table1 and table12 names these two, and no letter more."""
    world = world_in(["table"] * 12)
    state = world.start()
    assert world.parse(state, "robot1", "robot1 goes from table12 to table1") == Acts(
        ("move(p1=robot1,s1=table12,s2=table1)",)
    )
    for line in ("robot1 goes from table1 to table123", "robot1 goes from table1 to table13"):
        answer = world.parse(state, "robot1", line)
        assert isinstance(answer, Refusal) and answer.code == "unknown_action"


def test_long_names_side_by_side_are_read_soon() -> None:
    """A sentence of five names with dashes between them, which stand in the names as well."""
    kind = "a-" * 45 + "b"
    sentence = "-".join(f"{{{param}}}" for param in ("p1", "s1", "s2"))
    domain = {
        "name": "d",
        "object_types": ["station", "player"],
        "predicate_defs": [
            {"name": "loc", "param_types": ["player", "station"]},
            {"name": "vacant", "param_types": ["station"]},
        ],
        "action_defs": [
            {
                "name": "move",
                "precons": [
                    {"predicate": "loc", "params": ["p1", "s1"], "is_true": True},
                    {"predicate": "vacant", "params": ["s2"], "is_true": True},
                ],
                "language_description": sentence,
            }
        ],
    }
    kitchen = {
        "width": 30,
        "height": 2,
        "stations": [{"name": kind, "x": x, "y": 1} for x in range(30)],
        "players": [{"name": "robot", "x": 0, "y": 0}],
        "goal": [
            {"predicate": "vacant", "args": ["station"], "ids": [1]},
            {"predicate": "vacant", "args": ["station"], "ids": [2]},
        ],
    }
    world = restored({"problem": kitchen, "domain": domain}, "robotouille/user/mine")
    line = "robot1-" + f"{kind}1-" * 400
    assert soon(lambda: world.parse(world.start(), "robot1", line)) < SOON_SECONDS


# --- goals --------------------------------------------------------------------------------------------


def test_a_goal_that_cannot_be_decided_soon_is_refused() -> None:
    """Ten slices of bread of which each lies on all before it: a clique in a graph that a stranger drew."""
    draw = Random(1)
    pairs = [(i, j) for i in range(1, 49) for j in range(1, 49) if i != j and draw.random() < 0.4]
    raw = {
        "problem": {
            "width": 48,
            "height": 2,
            "stations": [{"name": "table", "x": x, "y": 1} for x in range(48)],
            "items": [{"name": "bread", "x": x, "y": 1} for x in range(48)],
            "players": [{"name": "robot", "x": 0, "y": 0}],
            "facts": [{"predicate": "atop", "args": [f"bread{i}", f"bread{j}"]} for i, j in pairs[:1000]],
            "goal": [
                {"predicate": "atop", "args": ["bread", "bread"], "ids": [i, j]}
                for i in range(10)
                for j in range(i)
            ],
        }
    }
    world = restored(raw)
    with within(3), pytest.raises(Refused, match="the goal is too hard"):
        world.start()
