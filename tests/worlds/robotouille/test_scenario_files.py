"""Scenario files of a user's own: where problem and domain may stand, wildcards, and mistakes about files."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from backburner.kernel import packs, registry
from backburner.kernel.errors import BadFile, Refused
from backburner.worlds.robotouille.game.rule_set import NO_LIMITS, STANDARD
from backburner.worlds.robotouille.game.scenario_files import read_file
from backburner.worlds.robotouille.game.scenarios import shipped_domain, shipped_problem
from backburner.worlds.robotouille.game.schema import KindName
from backburner.worlds.robotouille.game.world import Robotouille
from support.robotouille.greenhouse import DOMAIN, problem
from support.robotouille.kitchens import holds, say
from support.robotouille.small_kitchen import KITCHEN, SCENARIO, opened

Json = dict[str, Any]


def written(folder: Path, name: str, content: object) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


# --- good ones ----------------------------------------------------------------------------------------


def test_a_problem_over_our_domain() -> None:
    scenario = opened(SCENARIO)
    assert (scenario.domain, scenario.play, scenario.step_limit, scenario.seed) == (
        "robotouille",
        "turns",
        None,
        None,
    )
    assert opened({**SCENARIO, "domain": "robotouille"}) == scenario
    told = opened({**SCENARIO, "play": "dispatcher", "step_limit": 30})
    assert (told.play, told.step_limit) == ("dispatcher", 30)


def test_files_are_looked_for_from_the_scenario_files_folder(tmp_path: Path) -> None:
    written(tmp_path, "problems/cress.json", problem())
    written(tmp_path, "greenhouse.json", DOMAIN)
    path = written(
        tmp_path,
        "mine.json",
        {
            "world": "robotouille",
            "id": "cress",
            "problem": "problems/cress.json",
            "domain": "greenhouse.json",
        },
    )
    _, found = read_file(json.loads(path.read_text()), str(path))
    raw = {"world": "robotouille", "id": "cress", "problem": problem(), "domain": DOMAIN}
    assert found == opened(raw)


def test_a_released_problem_file_needs_a_wrapper_alone(tmp_path: Path) -> None:
    """What the released program reads stands beside three lines that name it."""
    written(tmp_path, "lunch_problem.json", KITCHEN)
    path = written(
        tmp_path, "lunch.json", {"world": "robotouille", "id": "lunch", "problem": "lunch_problem.json"}
    )
    _, found = read_file(json.loads(path.read_text()), str(path))
    assert found == opened(SCENARIO)


def test_a_published_problem_written_out() -> None:
    raw = msgspec.to_builtins(shipped_problem("asynchronous/1"))
    assert opened({**SCENARIO, "problem": raw}).problem == shipped_problem("asynchronous/1")


# --- wildcards ----------------------------------------------------------------------------------------


def wild() -> Json:
    scenario = copy.deepcopy(SCENARIO)
    kitchen = scenario["problem"]
    kitchen["stations"][3]["name"] = "station"
    kitchen["items"][2] = {"name": "item", "x": 0, "y": 2, "stack-level": 1}
    kitchen["players"][0]["name"] = "player"
    return scenario


def test_a_thing_called_after_its_type_is_any_kind_of_it() -> None:
    """As in the released program, but drawn from the file's seed: 0 if it names none."""
    kinds = shipped_domain().kinds
    drawn = {seed: opened({**wild(), "seed": seed}) for seed in range(30)}
    assert opened(wild()) == drawn[0]
    assert {one.problem.items[2].name for one in drawn.values()} == set(kinds["item"])
    assert {one.problem.stations[3].name for one in drawn.values()} == set(kinds["station"])
    assert all(one.problem.players[0].name == "robot" for one in drawn.values())
    assert all(one.seed == seed for seed, one in drawn.items())
    assert opened({**wild(), "seed": 7}) == drawn[7]


def test_a_seed_without_wildcards_says_nothing() -> None:
    assert opened({**SCENARIO, "seed": 3}) == opened(SCENARIO)


def test_wildcards_need_a_domain_that_lists_its_kinds() -> None:
    domain = copy.deepcopy(DOMAIN)
    del domain["kinds"]["item"]
    greenhouse = problem()
    greenhouse["items"][0]["name"] = "item"
    with pytest.raises(BadFile) as caught:
        opened({**SCENARIO, "problem": greenhouse, "domain": domain})
    assert str(caught.value) == (
        "mine.json: problem, items[0] 'item', field 'name': 'item' stands for any kind of item, "
        "and the domain lists none under 'kinds'"
    )


def test_a_domain_without_kinds_says_what_there_is_by_predicates() -> None:
    """``isseed`` and the like; where a type has no such predicate, any name will do."""
    domain = copy.deepcopy(DOMAIN)
    del domain["kinds"]
    greenhouse = problem()
    greenhouse["objects"][0]["name"] = "slug"
    assert opened({**SCENARIO, "problem": greenhouse, "domain": domain}).problem.objects[0].name == "slug"
    greenhouse["items"][0]["name"] = "seeds"
    with pytest.raises(BadFile, match="unknown item 'seeds'; did you mean seed"):
        opened({**SCENARIO, "problem": greenhouse, "domain": domain})


@pytest.mark.parametrize("name", ["seed1", "1seed", "", "see d", "seed(", "seed,", "seed=", "{seed}", "-"])
def test_names_that_no_kind_has(name: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(name, KindName)


@pytest.mark.parametrize("name", ["s", "seed", "two2three", "Brötchen", "apple-pie", "olive_oil"])
def test_names_that_a_kind_may_have(name: str) -> None:
    assert msgspec.convert(name, KindName) == name


# --- mistakes -----------------------------------------------------------------------------------------

MISTAKES: dict[str, tuple[Json, str]] = {
    "no problem": ({"problem": None}, "mine.json: field 'problem': Expected `str | object`, got `null`"),
    "unknown field": ({"plays": "turns"}, "mine.json: Object contains unknown field `plays`"),
    "unknown play": ({"play": "alone"}, "mine.json: field 'play': Invalid enum value 'alone'"),
    "bad id": ({"id": "my lunch"}, "mine.json: field 'id': 'my lunch': use letters, digits and _ . + - only"),
    "no steps": ({"step_limit": 0}, "mine.json: field 'step_limit': is 0; it is at least 1"),
    "no such problem": ({"problem": "lunch.json"}, "lunch.json: No such file or directory"),
    "no such domain": ({"domain": "kitchen.json"}, "kitchen.json: No such file or directory"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_a_scenario_file_is_one_message(mistake: str) -> None:
    fields, message = MISTAKES[mistake]
    with pytest.raises(BadFile) as caught:
        read_file({**SCENARIO, **fields}, "mine.json")
    assert str(caught.value).startswith(message)


NO_JSON = {
    "text": "a kitchen",
    "half": '{"width": 3',
    "a number too long to be read": f'{{"width": {"9" * 5000}}}',
    "too deep": "[" * 100_000,
    "half a sign": '{"version": "\\ud800"}',
}


@pytest.mark.parametrize("content", NO_JSON)
def test_a_file_that_is_no_json(content: str, tmp_path: Path) -> None:
    path = written(tmp_path, "problem.json", NO_JSON[content])
    with pytest.raises(BadFile) as caught:
        read_file({**SCENARIO, "problem": str(path)}, "mine.json")
    assert str(caught.value).startswith(f"{path}: not JSON: ")


def test_a_mistake_in_a_file_of_its_own_names_that_file(tmp_path: Path) -> None:
    kitchen = copy.deepcopy(KITCHEN)
    kitchen["items"][0]["name"] = "paty"
    path = written(tmp_path, "problem.json", kitchen)
    with pytest.raises(BadFile) as caught:
        read_file({**SCENARIO, "problem": path.name}, str(tmp_path / "mine.json"))
    assert str(caught.value) == (
        f"{path}: items[0] 'paty', field 'name': unknown item 'paty'; did you mean patty or potato?"
    )


def test_a_problem_of_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "problem.json"
    path.write_bytes(b'{"version": "\xff"}')
    with pytest.raises(BadFile, match="not JSON"):
        read_file({**SCENARIO, "problem": str(path)}, "mine.json")


def test_the_registry_reads_it(tmp_path: Path) -> None:
    """The article's limit comes from the shortest plan; of a user's kitchen none is known."""
    if "robotouille" not in packs.names():
        pytest.skip("the world is not installed")
    path = written(tmp_path, "lunch.json", SCENARIO)
    assert registry.world(str(path), limits="none").id == "robotouille/user/lunch"
    with pytest.raises(Refused, match="state step_limit or known_plan in a scenario file"):
        registry.world(str(path))
    limited = written(tmp_path, "limited.json", {**SCENARIO, "step_limit": 40})
    assert registry.world(str(limited)).limits.steps == 40


# --- the documentation --------------------------------------------------------------------------------

PAGE = Path(__file__).resolve().parents[3] / "docs" / "add-a-scenario.md"


def blocks() -> list[str]:
    """The fenced blocks of the page about scenario files, from what it says of this world on."""
    text = PAGE.read_text("utf-8").partition("\n## Robotouille\n")[2]
    return re.split(r"^```\w*\n", text, flags=re.MULTILINE)[1:]


def test_the_kitchen_of_the_docs_is_played_as_they_say() -> None:
    """Going 1, cooking from 2 to the end of 7 (a time of 5), taking 8, going 9, stacking 10."""
    example = json.loads(next(block for block in blocks() if '"lunch"' in block).partition("```")[0])
    scenario = opened(example)
    world = Robotouille("robotouille/user/lunch", scenario, STANDARD, NO_LIMITS)
    state = say(world, world.start(), "move(p1=robot1,s1=table1,s2=stove1)")
    state = say(world, state, "cook(i1=patty1,p1=robot1,s1=stove1)", *["Wait"] * 4)
    assert not holds(world, state, "iscooked(patty1)")
    state = say(world, state, "Wait")
    assert holds(world, state, "iscooked(patty1)")
    state = say(world, state, "pick-up-item(i1=patty1,p1=robot1,s1=stove1)")
    state = say(world, state, "move(p1=robot1,s1=stove1,s2=table1)")
    state = say(world, state, "stack(i1=patty1,i2=bottombun1,p1=robot1,s1=table1)")
    assert (state.ended, state.steps) == ("completed", 10)


def test_the_mistakes_of_the_docs_are_told_as_quoted() -> None:
    example = next(block for block in blocks() if '"lunch"' in block).partition("```")[0]
    quoted = next(block for block in blocks() if block.startswith("backburner: lunch.json"))
    changes = (('"patty", "x"', '"paty", "x"'), ('"direction": [0, 1]', '"direction": [0, -1]'))
    for (right, wrong), line in zip(changes, quoted.partition("```")[0].splitlines(), strict=True):
        with pytest.raises(BadFile) as caught:
            opened(json.loads(example.replace(right, wrong)), "lunch.json")
        assert line == f"backburner: {caught.value}"
