"""Worlds out of strangers' records: the checks that scenario files get, quick, in one line each."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.claims import verify
from backburner.kernel.episode import Answer, Episode, read_episode, write_episode
from backburner.kernel.errors import BackburnerError, BadFile
from backburner.kernel.play import play_now
from backburner.kernel.replay import world_of
from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game.catalogue import catalogue
from backburner.worlds.collab_overcooked.game.rule_set import EARLIER_FIELDS, STANDARD, Limits
from backburner.worlds.collab_overcooked.game.text import refusal_text
from backburner.worlds.collab_overcooked.metrics.chronicle import chronicle, timeline
from backburner.worlds.collab_overcooked.metrics.score import scoring
from support.collab_overcooked.cooks import spoken
from support.collab_overcooked.kitchens import OPEN_KITCHEN
from support.collab_overcooked.kitchens import world_of as world_with
from support.evaluation.forged import forge
from support.policies import FirstOnMenu
from support.promptly import within

Raw = dict[str, Any]

QUICK_S = 1.0
"""A bad scenario takes less than a tenth of a second; a busy machine may take ten times that."""


def raw_scenario() -> Raw:
    """A scenario with a kitchen of its own, as a record has it."""
    found: Raw = json.loads(msgspec.json.encode(world_with("gratin", layout=OPEN_KITCHEN).scenario))
    return found


def restored(raw: Raw) -> None:
    catalogue.restore("collab_overcooked/theirs", raw, msgspec.to_builtins(STANDARD), {})


def of_layout(**fields: Any) -> Callable[[Raw], None]:
    return lambda raw: raw["layout"].update(fields)


def doubling(levels: int) -> Callable[[Raw], None]:
    """Each thing takes two of the one before it: 2 ** levels - 1 operations."""

    def change(raw: Raw) -> None:
        rows = [
            {
                "utensil": "pot",
                "output": f"a{n}",
                "inputs": [f"a{n - 1}"] * 2 if n else ["egg"] * 2,
                "steps": 1,
            }
            for n in range(levels)
        ]
        raw["layout"].update(recipes=rows, needs_dish={f"a{levels - 1}": False})
        raw.update(orders=[f"a{levels - 1}"])

    return change


def chain(length: int) -> Callable[[Raw], None]:
    def change(raw: Raw) -> None:
        rows = [
            {"utensil": "pot", "output": f"a{n}", "inputs": [f"a{n - 1}" if n else "egg"], "steps": 1}
            for n in range(length)
        ]
        raw["layout"].update(recipes=rows, needs_dish={f"a{length - 1}": False})
        raw.update(orders=[f"a{length - 1}"])

    return change


def of_pot(**fields: Any) -> Callable[[Raw], None]:
    return lambda raw: raw["layout"]["utensils"]["pot"].update(fields)


LONG = "a" * 100_000
NAMES = [f"a{number}" for number in range(50_000)]
RECIPE = {"utensil": "pot", "output": "soup", "inputs": ["egg"], "steps": 1}
EGG = {"layout": "two_rooms", "orders": ["boiled_egg"]}

HOSTILE: list[tuple[str, Callable[[Raw], object], str]] = [
    ("a huge grid", of_layout(grid=["X" * 52] * 20_000), "field 'grid': 20000 entries; at most 2500"),
    ("a wide grid", of_layout(grid=["X" * 1_000_000] * 3), "has 1000000 characters; at most 2500"),
    ("empty rows", of_layout(grid=[""] * 1_000_000), "field 'grid': 1000000 entries; at most 2500"),
    ("no grid", of_layout(grid=[]), "field 'grid': 0 entries; at least 3"),
    ("an open border", of_layout(grid=[" " * 7] * 5), "the border is open at (0, 0)"),
    (
        "many ingredients",
        of_layout(ingredients=[f"a{n}" for n in range(50_000)]),
        "50000 entries; at most 500",
    ),
    (
        "many recipes",
        of_layout(recipes=[raw_scenario()["layout"]["recipes"][0]] * 50_000),
        "50000 entries; at most",
    ),
    (
        "many utensils",
        of_layout(utensils={key: {"symbol": "a", "verb": "v"} for key in NAMES}),
        "50000 entries; at most 50",
    ),
    (
        "many dishes",
        of_layout(needs_dish={f"a{n}": True for n in range(50_000)}),
        "50000 entries; at most 1000",
    ),
    ("a long name", of_layout(ingredients=[LONG, "egg", "potato"]), "is no name of food"),
    (
        "a long verb",
        lambda raw: raw["layout"]["utensils"]["pot"].update(verb=LONG),
        "use small letters and _ only",
    ),
    (
        "a long symbol",
        lambda raw: raw["layout"]["utensils"]["pot"].update(symbol=LONG),
        "has 100000 characters; at most 1",
    ),
    ("a large utensil", of_layout(capacity=10**9), "field 'capacity': is 1000000000; it is from 1 to 20"),
    ("a large reward", of_layout(delivery_reward=10**9), "field 'delivery_reward': is 1000000000"),
    ("doubling recipes", doubling(60), "takes 1152921504606846975 operations; at most 200"),
    ("doubling recipes for ever", doubling(400), "operations; at most 200"),
    ("a long chain", chain(499), "takes 499 operations; at most 200"),
    (
        "another file",
        lambda raw: raw.update(layout="../../../../etc/passwd"),
        "unknown layout '../../../../etc/pas",
    ),
    ("another layout", lambda raw: raw.update(layout="two_room"), "did you mean two_rooms?"),
    ("no orders", lambda raw: raw.update(orders=[]), "at least one order is needed"),
    ("an unknown order", lambda raw: raw.update(orders=[LONG]), "unknown order 'aaa"),
    ("many orders", lambda raw: raw.update(orders=["gratin"] * 100_000), "100000 entries; at most 20"),
    (
        "many open orders",
        lambda raw: raw.update(order_weights={"gratin": 1}, open_orders=10**8),
        "from 1 to 20",
    ),
    ("weights of nothing", lambda raw: raw.update(order_weights={"gratin": 0}), "every weight is 0"),
    (
        "weights too large",
        lambda raw: raw.update(order_weights={"gratin": 1e308, "boiled_egg": 1e308}),
        "too large to be added up",
    ),
    ("a step limit", lambda raw: raw.update(step_limit=10**9), "field 'step_limit': is 1000000000"),
    ("a cook twice", lambda raw: raw.update(informed=["chef"] * 1000), "'chef' stands here twice"),
    ("a level", lambda raw: raw.update(level=7), "field 'level': is 7; gratin has no level"),
    (
        "a wrong level",
        lambda raw: raw.update(layout="two_rooms", orders=["boiled_egg"], level=2),
        "of level 1",
    ),
    ("a first action", lambda raw: raw.update(first_action=10**9), "field 'first_action': is 1000000000"),
    ("another telling", lambda raw: raw.update(told="less"), "told"),
]


@pytest.mark.parametrize(
    ("change", "told"), [case[1:] for case in HOSTILE], ids=[case[0] for case in HOSTILE]
)
def test_a_scenario_that_no_file_could_give_is_refused_at_once(
    change: Callable[[Raw], object], told: str
) -> None:
    raw = raw_scenario()
    restored(raw)
    change(raw)
    with within(QUICK_S), pytest.raises((BadFile, msgspec.ValidationError)) as caught:
        restored(raw)
    message = str(caught.value)
    assert told in message
    assert "\n" not in message and len(message) < 400


def test_limits_are_bounded() -> None:
    with pytest.raises(BackburnerError, match="steps is 1000000000"):
        catalogue.restore("x", raw_scenario(), msgspec.to_builtins(STANDARD), {"steps": 10**9})


def test_the_largest_kitchen_is_restored_and_walked_in_bounded_memory() -> None:
    """One room of 50 by 50 cells; every way that is looked for would take half a gigabyte."""
    inside = ["X" + " " * 48 + "X"] * 46
    grid = ("XPCOIDS" + "X" * 43, "X1" + " " * 48, *inside, "X" + " " * 47 + "2X", "X" * 50)
    grid = tuple(row if row.endswith("X") else row[:-1] + "X" for row in grid)
    world = world_with("gratin", layout=replace(OPEN_KITCHEN, grid=grid), limits=Limits(100))
    raw = json.loads(msgspec.json.encode(world.scenario))
    with within(QUICK_S):
        restored(raw)
    ways = world.compiled.grid
    for cell in range(51, 1500):
        ways.ways(cell, -1)
    assert sum(len(found) for found in ways._ways.values()) < 3_000_000


# --- records that nobody could have played ---------------------------------------------------------------


def played() -> Episode:
    replies = (
        ("request('pickup(egg,ingredient_dispenser)');wait(3)", "an egg please"),
        ("pickup(egg,ingredient_dispenser);place_obj_on_counter()", "yes [END]"),
        ("wait(3)", "[NOTHING]"),
    )
    return spoken(world_with("boiled_egg", limits=Limits(12, 10), level=1), *replies)


ODD = (
    None,
    "",
    [],
    {},
    0,
    -1,
    10**30,
    LONG,
    True,
    1.5,
    [[]],
    {"plan": [""] * 1000},
    {"plan": ["a"], "say": LONG},
)


def test_metrics_of_odd_records_are_figures_or_one_line() -> None:
    """Answers, refusals, events and headers that no play of ours has come to."""
    episode, dice = played(), random.Random(1)
    outcomes = [outcome_of(mutant(episode, dice)) for _ in range(300)]
    assert {"measured", "refused"} == set(outcomes)


def mutant(episode: Episode, dice: random.Random) -> Episode:
    """The record with one thing changed."""
    raw = json.loads(msgspec.json.encode(episode))
    places = list(_places(raw))
    place, key = dice.choice(places)
    if dice.random() < 0.5 and isinstance(place, list):
        place.extend(place * 2)
    else:
        place[key] = dice.choice(ODD)
    try:
        return msgspec.convert(raw, Episode)
    except msgspec.ValidationError:
        return mutant(episode, dice)


def _places(raw: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) in a JSON value."""
    items = raw.items() if isinstance(raw, dict) else enumerate(raw) if isinstance(raw, list) else ()
    found: list[tuple[Any, Any]] = []
    for key, value in items:
        found += [(raw, key), *_places(value)]
    return found


def outcome_of(episode: Episode) -> str:
    try:
        world, _ = chronicle(episode)
        rows = [(episode, scoring.measure(episode))]
        scoring.group(episode)
        scoring.sections(rows)
        timeline(episode, world)
    except (BackburnerError, msgspec.ValidationError) as error:
        assert "\n" not in str(error)
        return "refused"
    return "measured"


def test_a_refusal_of_somebody_else_s_is_told() -> None:
    """Records hold refusals as they were; one without its facts, or of a code of its own, is a line."""
    assert refusal_text(Refusal("fmt_wait_too_long", "format")) == "Refused: fmt_wait_too_long."
    assert refusal_text(Refusal("x" * 1000, "format")) == f"Refused: {'x' * 79}…."


def test_an_unread_answer_of_somebody_else_s_is_replayed() -> None:
    episode = played()
    odd = Answer(unread=Refusal("{0.__class__}", "format", (("said", LONG),)))
    first, *others = episode.entries
    changed = replace(episode, entries=(replace(first, answers={"chef": odd}), *others))
    world = world_of(changed)
    state = world.step(world.start(0), {"chef": odd.unread}).state
    assert "Refused: {0.__class__}." in world.describe(world.observe(state, "chef"))
    assert scoring.measure(changed)["success"] == 0


def earlier_record(tmp_path: Path, **fields: Any) -> Episode:
    """A record under standard rules from before version 2 of the world; ``fields`` of its rules."""
    world = registry.world("collab_overcooked/boiled_egg")
    file = tmp_path / "earlier.jsonl"
    write_episode(play_now(world, FirstOnMenu(), max_steps=5), file)

    def change(objects: list[Raw]) -> None:
        header = objects[0]
        header["world_version"] = 1
        header["rules"] |= dict.fromkeys(EARLIER_FIELDS, False) | fields

    return read_episode(forge(file, change))


def test_standard_records_from_before_version_2_replay_and_say_what_is_gone(tmp_path: Path) -> None:
    verdict = verify(earlier_record(tmp_path))
    (gone,) = (fact for fact in verdict.claimed if "is not what was read" in fact.why)
    assert gone.part == "header.rules" and "the world has changed since" in gone.why


def test_a_field_that_never_was_is_refused_in_earlier_records_too(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="doors_open"):
        verify(earlier_record(tmp_path, doors_open=False))
