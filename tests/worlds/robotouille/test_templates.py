"""What kitchens are drawn for: tasks, problems of one's own over a domain of one's own, scenario files."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from backburner.kernel.errors import BadFile, Refused, UnknownName
from backburner.kernel.generating import Draw
from backburner.worlds.robotouille.game import catalogue
from backburner.worlds.robotouille.game.scenario_files import file_of
from backburner.worlds.robotouille.oracle.generator import GENERATOR
from backburner.worlds.robotouille.oracle.templates import Rule, drawn, name_of, read_template
from support.robotouille.greenhouse import DOMAIN, problem

SANDWICH = read_template("synchronous/1")
SMALL = Rule(width=4, height=3)


def written(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content))
    return path


def test_ids_tell_what_was_asked_for() -> None:
    assert name_of(SANDWICH, SMALL, 7) == "synchronous-1-4x3-seed7"
    rule = Rule(None, None, 2, 0, True, "together", "released", "times")
    assert (
        name_of(SANDWICH, rule, 0) == "synchronous-1-5x5-robots2-noise0-spread-together-released-times-seed0"
    )
    assert name_of(replace(SANDWICH, name="my levels/Käse 1.json"), SMALL, 0) == "K-se-1-4x3-seed0"


def test_a_problem_and_a_domain_of_one_s_own(tmp_path: Path) -> None:
    greenhouse = problem()
    bed = next(one for one in greenhouse["stations"] if one["name"] == "bed")
    bed["id"] = "plot"
    for fact in greenhouse["facts"]:
        fact["args"] = ["plot" if arg == "bed1" else arg for arg in fact.get("args", [])]
    cress, domain = written(tmp_path / "cress.json", greenhouse), written(tmp_path / "domain.json", DOMAIN)
    options = {"task": str(cress), "domain": domain, "noise": 0}
    draft = GENERATOR.draft({}, options, Draw(3, Random(3)))
    assert draft.path == f"cress-{greenhouse['width']}x{greenhouse['height']}-noise0-seed3"
    _, scenario = catalogue.read({"world": "robotouille", "id": "a", **draft.fields}, "draft")
    assert scenario.domain == read_template(str(cress), domain).domain
    world: Any = catalogue.build("robotouille/user/a", scenario, "standard", "none")
    structure = GENERATOR.structure(world)
    assert structure.activities and any(structure.objects.values())
    assert structure.told["precedence"][0] == structure.told["precedence"][1]


def test_wildcards_are_drawn_for_each_kitchen(tmp_path: Path) -> None:
    raw = msgspec.to_builtins(SANDWICH.problem)
    raw["items"] = [*raw["items"], {"name": "item", "x": raw["stations"][0]["x"], "y": 0}]
    raw["items"][-1]["y"] = raw["stations"][0]["y"]
    raw["items"][-1]["stack-level"] = 9
    template = read_template(str(written(tmp_path / "wild.json", raw)))
    found = [drawn(template, Rule(), seed).problem for seed in range(8)]
    extra = [{item.name for item in one.items} - {"bread", "cheese"} for one in found]
    assert len(set(map(frozenset, extra))) > 1 and {"item"} not in extra


def test_a_scenario_file_is_a_template(tmp_path: Path) -> None:
    path = tmp_path / "lunch.json"
    path.write_bytes(msgspec.json.encode(file_of("lunch", drawn(SANDWICH, SMALL, 0))))
    assert read_template(str(path)).problem == drawn(SANDWICH, SMALL, 0).problem
    with pytest.raises(Refused, match="has its own domain"):
        read_template(str(path), path)
    other = written(tmp_path / "other.json", {"world": "timearena", "id": "a"})
    with pytest.raises(Refused, match="is a scenario of 'timearena'"):
        read_template(str(other))


def test_mistakes_about_templates(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="unknown task 'synchronous/11'"):
        read_template("synchronous/11")
    with pytest.raises(Refused, match="the task synchronous/1 has its own domain"):
        read_template("synchronous/1", tmp_path)
    with pytest.raises(BadFile, match=r"none\.json: No such file"):
        read_template(str(tmp_path / "none.json"))
    raw = msgspec.to_builtins(SANDWICH.problem)
    raw["items"][0]["name"] = "bred"
    with pytest.raises(BadFile, match="unknown item 'bred'; did you mean bread"):
        read_template(str(written(tmp_path / "bad.json", raw)))
    with pytest.raises(BadFile, match=r"synchronous/1: too many things: \d+ facts"):
        drawn(SANDWICH, Rule(width=30, height=30, noise=100), 0)
