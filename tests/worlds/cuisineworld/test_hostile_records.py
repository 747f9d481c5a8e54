"""A stranger's record is data: what no file or id could have given is one clear line, at once."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from backburner.kernel.claims import check
from backburner.kernel.errors import BadFile
from backburner.kernel.play import play_now
from backburner.kernel.replay import world_of
from backburner.kernel.values import Refusal
from backburner.worlds.cuisineworld.game.catalogue import catalogue
from support.cuisineworld.play import Speaker
from support.cuisineworld.play import world_of as kitchen_of
from support.promptly import within

LEVEL = "level_1@bodies=2,tau=1.0"
BIG = 10**8


def book(**changed: Any) -> dict[str, Any]:
    """Recipes of somebody's own for level_1's dishes, with changes."""
    kinds = [
        {"name": "storage", "gives": "ingredients"},
        {"name": "servingtable", "gives": "nothing"},
        {"name": "blender", "capacity": 5, "busy_steps": 2},
    ]
    dishes = {name: ["flour", name] for name in ("salmon", "lamb", "lobster")}
    recipes = [
        {"product": f"{name}Meatcake", "tool": "blender", "inputs": inputs} for name, inputs in dishes.items()
    ]
    return {"ingredients": ["flour", *dishes], "recipes": recipes, "kinds": kinds, **changed}


def chain(length: int) -> list[dict[str, Any]]:
    """Recipes, each of the one before it, that end in the dishes."""
    names = ["flour", *(f"x{number}" for number in range(length))]
    made = [made_of(product, thing) for thing, product in pairwise(names)]
    return [*made, *(made_of(f"{name}Meatcake", names[-1], name) for name in ("salmon", "lamb", "lobster"))]


def made_of(product: str, *inputs: str) -> dict[str, Any]:
    return {"product": product, "tool": "blender", "inputs": list(inputs)}


def takes_over(**error: Any) -> dict[str, Any]:
    """What an episode took over: one error."""
    return {"before": {"drawn": 1, "refusals": [{"code": "more", "fault": "unreadable", **error}]}}


ROOM_FOR_ALL = ["storage"] * 60 + ["servingtable"] * 39 + ["blender"]

NAME = "a" * 1_000_000

HOSTILE: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("bodies", {"bodies": BIG}, "field 'bodies'"),
    ("no bodies", {"bodies": 0}, "field 'bodies'"),
    ("bodies below zero", {"bodies": -3}, "field 'bodies'"),
    ("a long kitchen", {"kitchen": ["storage", "servingtable"] * 100_000}, "field 'kitchen'"),
    ("no kitchen", {"kitchen": []}, "field 'kitchen'"),
    ("an unknown place", {"kitchen": ["storage", "servingtable", "moon"]}, "kitchen[2] 'moon'"),
    ("a name of a million letters", {"kitchen": ["storage", NAME]}, "kitchen[1]"),
    ("many dishes", {"dishes": [f"d{number}" for number in range(100_000)]}, "field 'dishes'"),
    ("no dishes", {"dishes": [], "lifetimes": []}, "field 'dishes'"),
    ("an unknown dish", {"dishes": ["salmonMeatcake", "moonCake", "lambMeatcake"]}, "dishes[1] 'moonCake'"),
    ("a dish twice", {"dishes": ["salmonMeatcake"] * 3}, "stands here twice"),
    ("too few lifetimes", {"lifetimes": [8]}, "field 'lifetimes'"),
    ("too many lifetimes", {"lifetimes": [8] * 100_000}, "field 'lifetimes'"),
    ("a lifetime of nothing", {"lifetimes": [8, 0, 8]}, "lifetimes[1]: is 0"),
    ("a lifetime below zero", {"lifetimes": [8, 8, -1]}, "lifetimes[2]: is -1"),
    ("an interval of nothing", {"interval": 0}, "field 'interval'"),
    ("an interval below zero", {"interval": -3}, "field 'interval'"),
    ("endless steps", {"steps": BIG}, "field 'steps'"),
    ("any number of open orders", {"most_open": BIG}, "field 'most_open'"),
    ("no open orders", {"most_open": 0}, "field 'most_open'"),
    ("an episode far away", {"episode": BIG}, "field 'episode'"),
    ("an episode before the first", {"episode": -1}, "field 'episode'"),
    ("many draws", {"before": {"drawn": BIG}}, "field 'drawn'"),
    ("draws below zero", {"before": {"drawn": -1}}, "field 'drawn'"),
    ("errors of a million letters", takes_over(code=NAME), "before, refusals[0]"),
    ("an error that moves the cursor", takes_over(code="a\x1b[2J"), "control character"),
    (
        "many errors",
        {"before": {"drawn": 1, "refusals": [{"code": "verb", "fault": "unreadable"}] * 20_000}},
        "field 'refusals'",
    ),
    ("an error with too great a fact", takes_over(detail=[["count", BIG**2]]), "field 'detail'"),
    ("an error with many facts", takes_over(detail=[["a", 1]] * 100), "field 'detail'"),
    ("an error with a list", takes_over(detail=[["a", ["b"]]]), "field 'detail'"),
    ("a seat for nobody", {"groups": [[0], [1], []]}, "each of the bodies"),
    ("a body in two seats", {"groups": [[0, 1], [1]]}, "each of the bodies"),
    ("a body that is not there", {"groups": [[0], [7]]}, "each of the bodies"),
    ("many seats", {"groups": [[0]] * 100_000}, "each of the bodies"),
    ("a tau below zero", {"tau": -1.0}, "field 'tau'"),
    ("a table below zero", {"table_room": -1}, "field 'table_room'"),
    ("spoiling at once", {"spoil_steps": 0}, "field 'spoil_steps'"),
    ("a level's name of two lines", {"level": "level\n1"}, "field 'level'"),
    ("a long level's name", {"level": NAME}, "field 'level'"),
    ("a class that moves the cursor", {"level_class": "\x1b]0;x\x07"}, "field 'level_class'"),
    ("many ingredients", {"cookbook": book(ingredients=[f"i{n}" for n in range(100_000)])}, "'ingredients'"),
    ("many recipes", {"cookbook": book(recipes=chain(100_000))}, "field 'recipes'"),
    ("an odd name", {"cookbook": book(ingredients=["fl_our", "salmon"])}, "letters and digits"),
    (
        "a long name",
        {"cookbook": book(ingredients=[NAME, "flour", "salmon", "lamb", "lobster"])},
        "at most 60 are",
    ),
    ("a long odd name", {"cookbook": book(ingredients=[NAME + "_", "flour"])}, "at most 60 are"),
    ("a kind's long name", {"cookbook": book(kinds=[{"name": NAME}])}, "at most 60 are"),
    ("a capacity below zero", {"cookbook": book(kinds=[{"name": "pot", "capacity": -1}])}, "'capacity'"),
    ("a recipe that needs itself", {"cookbook": book(recipes=[made_of("a", "a")])}, "a circle: a needs a"),
    ("inputs without end", {"cookbook": book(recipes=[made_of("a", *["flour"] * 100_000)])}, "'inputs'"),
    ("menus without end", {"bodies": 64, "kitchen": ROOM_FOR_ALL}, "field 'bodies'"),
    ("an unknown field", {"moon": 1}, "moon"),
    ("a text for a number", {"bodies": "2"}, "bodies"),
)
"""What it is, the fields of a record's scenario, and what the line names."""


@pytest.mark.parametrize(("what", "changed", "named"), HOSTILE, ids=[row[0] for row in HOSTILE])
def test_a_hostile_scenario_is_one_line(what: str, changed: dict[str, Any], named: str) -> None:
    episode = play_now(kitchen_of(LEVEL), Speaker("noop_agent0"), max_steps=3)
    header = replace(episode.header, scenario={**episode.header.scenario, **changed})
    with within(1), pytest.raises(BadFile) as raised:
        world_of(replace(episode, header=header))
    line = str(raised.value)
    assert named in line
    assert len(line) < 500 and line.isprintable(), line


def test_what_is_large_and_can_be_played_is_restored_at_once() -> None:
    """The greatest kitchens that are let through are made and played in a moment."""
    scenario = kitchen_of(LEVEL).scenario
    for changed in (
        {"bodies": 64, "kitchen": ["storage", "servingtable", *["blender"] * 98]},
        {"cookbook": book(recipes=chain(490))},
        {"episode": 999, "steps": 90, "interval": 1},
        {"steps": 100_000, "interval": 1_000_000_000, "before": {"drawn": 100_000}},
    ):
        raw = {**msgspec.to_builtins(scenario), **changed}
        with within(3):
            world = catalogue.restore(f"cuisineworld/{LEVEL}", raw, {}, {})
            state = world.start()
            for _ in range(3):
                first = world.menu(state, "dispatcher").options[0].decision
                state = world.step(state, {"dispatcher": first}).state


def test_hostile_decisions_are_refused_and_replayed() -> None:
    """Long, numerous, of other types: each costs a step and a bounded record."""
    world = kitchen_of(LEVEL, "released")
    for commands in (
        ["goto_agent" + "9" * 10_000 + "_storage0"],
        ["_" * 100_000],
        ["goto_agent0_" + NAME],
        [f"goto_agent{number}_storage0" for number in range(50_000)],
        ["\x1b[2J_agent0_storage0"],
    ):
        with within(1):
            step = world.step(world.start(), {"dispatcher": world.decision_type(tuple(commands))})
        assert 1 <= len(step.refusals) <= 2
        assert len(msgspec.json.encode(step.state)) < 10_000


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_records_of_ours_are_restored(rules: str) -> None:
    for path in (LEVEL, "level_12@bodies=4,feedback=full,orders=hidden,seats=each,seed=play,spoil=6,table=1"):
        episode = play_now(
            kitchen_of(path, rules), Speaker("x", "dance_agent0", "get_agent1_pot0"), max_steps=9
        )
        assert check(episode) == 9


def test_what_an_episode_takes_over_is_restored() -> None:
    """Errors with all that they hold, of whatever an agent handed in."""
    before = kitchen_of("level_1@stream=coupled,tau=1.0", "released")
    said = before.decision_type(("get_agent0_pot0_" + "x" * 500, "noop_agent1"))
    state = before.step(before.start(), {"dispatcher": said}).state
    assert isinstance(state.feedback.refusals[0], Refusal)
    after = kitchen_of("level_1@episode=1,stream=coupled,tau=1.0", "released")
    scenario = catalogue.continued(after.scenario, before, state)
    restored = catalogue.restore(
        after.id, msgspec.to_builtins(scenario), msgspec.to_builtins(after.rules), {}
    )
    assert restored.scenario == scenario and scenario.before is not None and scenario.before.drawn == 1
