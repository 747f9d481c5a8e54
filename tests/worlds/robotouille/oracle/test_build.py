"""New kitchens of a known difficulty: drawn from a task or a problem of one's own, proven, kept as files.

The template of most is the cheese sandwich (synchronous 1) on 4 x 3 cells: shortest plans of 7 or 8 steps.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.errors import BadFile, Refused, UnknownName
from backburner.worlds.robotouille.game.scenario_files import scenario_file
from backburner.worlds.robotouille.game.scenarios import PLAYS, Play
from backburner.worlds.robotouille.oracle import build as robotouille_build
from backburner.worlds.robotouille.oracle.build import (
    Index,
    Judged,
    Rule,
    build,
    drawn,
    judge,
    lengths,
    name_of,
    read_template,
    steps_range,
)
from backburner.worlds.robotouille.oracle.solver import solve_kitchen
from support.robotouille.greenhouse import DOMAIN, problem

SANDWICH = read_template("synchronous/1")
SMALL = Rule(width=4, height=3)
EIGHT = replace(SMALL, least_steps=8, most_steps=8)


def seeds(index: Index, verdict: str) -> list[int]:
    return [one.seed for one in index.judged if one.verdict == verdict]


# --- which are kept -------------------------------------------------------------------------------


def test_kept_is_what_is_proven_to_be_in_the_range(tmp_path: Path) -> None:
    index = build(SANDWICH, tmp_path / "new", EIGHT, kitchens=3)
    assert [(one.seed, one.verdict, one.steps, one.bound) for one in index.judged] == [
        (0, "kept", 8, 8), (1, "too short", 7, 7), (2, "kept", 8, 8), (3, "kept", 8, 8),
    ]  # fmt: skip
    assert index.counts == {"kept": 3, "too short": 1}
    seven = build(SANDWICH, tmp_path / "seven", replace(EIGHT, least_steps=7, most_steps=7), kitchens=1)
    assert [(one.seed, one.verdict) for one in seven.judged] == [(0, "too long"), (1, "kept")]


@pytest.mark.parametrize(
    ("status", "steps", "bound", "verdict"),
    [
        ("optimal", 15, 15, "kept"),
        ("optimal", 25, 25, "kept"),
        ("optimal", 14, 14, "too short"),
        ("optimal", 26, 26, "too long"),
        # what is found or excluded decides, though the length is not proven
        ("feasible", 14, 10, "too short"),
        ("feasible", 30, 26, "too long"),
        ("unknown", None, 26, "too long"),
        ("feasible", 20, 19, "not proven"),
        ("feasible", 30, 25, "not proven"),
        ("unknown", None, 15, "not proven"),
        ("infeasible", None, None, "no plan"),
    ],
)
def test_each_outcome_of_a_search_has_its_verdict(
    monkeypatch: pytest.MonkeyPatch, status: Any, steps: int | None, bound: int | None, verdict: str
) -> None:
    def found(world: Any, **how: Any) -> Any:
        return replace(solve_kitchen(world, **how), status=status, objective=steps, bound=bound)

    monkeypatch.setattr(robotouille_build, "solve_kitchen", found)
    judged, scenario = judge(SANDWICH, replace(SMALL, least_steps=15, most_steps=25), 0)
    assert (judged.verdict, judged.steps, judged.bound) == (verdict, steps, bound)
    assert (scenario is not None) == (verdict == "kept")


def test_a_kitchen_is_kept_once() -> None:
    judged, _ = judge(SANDWICH, SMALL, 0)
    again, scenario = judge(SANDWICH, SMALL, 0, [judged.kitchen])
    assert (again.verdict, scenario) == ("seen before", None)


def test_lengths_of_what_was_left_out() -> None:
    def one(steps: int | None, bound: int | None) -> Judged:
        return Judged(0, "any", "not proven", steps, bound)

    assert lengths([one(7, 7), one(7, 7)]) == "7 steps"
    assert lengths([one(12, 9), one(14, 14)]) == "9 to 14 steps"
    assert lengths([one(12, 9), one(None, 11)]) == "9 steps or more"
    assert lengths([one(None, None)]) == ""


# --- files ----------------------------------------------------------------------------------------


def test_what_is_written_is_a_suite_with_limits(tmp_path: Path) -> None:
    index = build(SANDWICH, tmp_path / "new", EIGHT, kitchens=2)
    files = registry.expand(str(tmp_path / "new"))
    assert [Path(file).name for file in files] == [one.file for one in index.kept]
    assert msgspec.json.decode((tmp_path / "new" / "index.json").read_bytes(), type=Index) == index
    for file in files:
        world: Any = registry.world(file)
        assert world.id == f"robotouille/user/{Path(file).stem}"
        assert world.limits.steps == 12  # 1.5 times 8
        assert solve_kitchen(world).objective == world.scenario.known_plan.steps == 8


@pytest.mark.parametrize("play", PLAYS)
def test_several_robots_in_each_way_of_play(tmp_path: Path, play: Play) -> None:
    rule = replace(SMALL, robots=2, noise=1, play=play, rules="released")
    (kept,) = build(SANDWICH, tmp_path / "new", rule, kitchens=1).kept
    world: Any = registry.world(str(tmp_path / "new" / kept.file), rules="released")
    assert (world.scenario.play, len(world.robots), world.scenario.known_plan.rules) == (play, 2, "released")
    assert len(world.scenario.problem.stations) == len(SANDWICH.problem.stations) + 1


def test_ids_tell_what_was_asked_for() -> None:
    assert name_of(SANDWICH, SMALL, 7) == "synchronous-1-4x3-seed7"
    rule = Rule(None, None, 2, 0, True, "together", "released")
    assert name_of(SANDWICH, rule, 0) == "synchronous-1-5x5-robots2-noise0-spread-together-released-seed0"
    assert name_of(replace(SANDWICH, name="my levels/Käse 1.json"), SMALL, 0) == "K-se-1-4x3-seed0"


def test_the_same_rule_gives_the_same_files(tmp_path: Path) -> None:
    for name in ("one", "other"):
        build(SANDWICH, tmp_path / name, SMALL, kitchens=2)
    files = sorted((tmp_path / "one").iterdir())
    assert len(files) == 3
    assert all(file.read_bytes() == (tmp_path / "other" / file.name).read_bytes() for file in files)


# --- going on -------------------------------------------------------------------------------------


def test_it_ends_after_so_many_attempts_and_goes_on_with_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "new"
    first = build(SANDWICH, out, EIGHT, kitchens=3, attempts=2)
    assert (seeds(first, "kept"), first.attempts) == ([0], 2)
    looked_at: list[int] = []

    def judging(template: Any, rule: Rule, seed: int, kept: Any) -> Any:
        looked_at.append(seed)
        return judge(template, rule, seed, kept)

    monkeypatch.setattr(robotouille_build, "judge", judging)
    assert seeds(build(SANDWICH, out, EIGHT, kitchens=3), "kept") == [0, 2, 3]
    assert looked_at == [2, 3]
    # what is enough is not gone on with; a file that is gone is made again
    build(SANDWICH, out, EIGHT, kitchens=1)
    (out / first.kept[0].file).unlink()
    assert seeds(build(SANDWICH, out, EIGHT, kitchens=3), "kept") == [0, 2, 3]
    assert looked_at == [2, 3, 0] and (out / first.kept[0].file).exists()


def test_when_it_is_stopped_what_was_found_is_there(tmp_path: Path) -> None:
    def stop(judged: Judged) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(SANDWICH, tmp_path / "new", EIGHT, kitchens=3, progress=stop)
    index = msgspec.json.decode((tmp_path / "new" / "index.json").read_bytes(), type=Index)
    assert seeds(index, "kept") == [0] and (tmp_path / "new" / index.kept[0].file).exists()


@pytest.mark.parametrize(
    ("task", "rule", "why"),
    [
        ("synchronous/1", replace(EIGHT, width=5), "another width: 4, not 5"),
        ("synchronous/1", replace(EIGHT, most_steps=None), "another most steps: 8, not none"),
        ("synchronous/2", EIGHT, "another template: synchronous/1, not synchronous/2"),
    ],
)
def test_a_folder_of_other_settings_is_refused(tmp_path: Path, task: str, rule: Rule, why: str) -> None:
    build(SANDWICH, tmp_path / "new", EIGHT, kitchens=1)
    before = (tmp_path / "new" / "index.json").read_bytes()
    with pytest.raises(Refused, match=why):
        build(read_template(task), tmp_path / "new", rule)
    assert (tmp_path / "new" / "index.json").read_bytes() == before


@pytest.mark.parametrize("content", ['{"made_by": "somebody"}', "mine", "[1"])
def test_a_folder_in_use_is_left_alone(tmp_path: Path, content: str) -> None:
    (tmp_path / "index.json").write_text(content)
    with pytest.raises(Refused, match="is in use"):
        build(SANDWICH, tmp_path, SMALL)
    assert (tmp_path / "index.json").read_text() == content


# --- what is asked for ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [("15:25", (15, 25)), ("15:", (15, None)), (":25", (0, 25)), ("7", (7, 7)), (" 7 : 8 ", (7, 8))],
)
def test_ranges_of_steps(text: str, found: tuple[int, int | None]) -> None:
    assert steps_range(text) == found


@pytest.mark.parametrize("text", ["", ":", "x", "1:2:3", "-1:5", "1.5", "²", "9:5", "1" * 20])
def test_ranges_that_are_none(text: str) -> None:
    with pytest.raises(Refused, match="steps"):
        steps_range(text)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"width": 2, "height": 2}, "no room on a grid of 2 x 2 cells"),
        ({"width": 0}, "width 0; grids are"),
        ({"robots": 0}, "0 robots"),
        ({"noise": -1}, "-1 stations"),
    ],
)
def test_kitchens_that_cannot_be_are_refused_before_anything_is_written(
    tmp_path: Path, changed: dict[str, Any], why: str
) -> None:
    with pytest.raises(Refused, match=why):
        build(SANDWICH, tmp_path / "new", replace(SMALL, **changed))
    assert not (tmp_path / "new").exists()


def test_kitchens_of_more_things_than_can_be_played_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"synchronous/1: too many things: \d+ facts"):
        build(SANDWICH, tmp_path / "new", Rule(width=30, height=30, noise=100))
    assert not (tmp_path / "new").exists()


def test_rules_that_make_no_sense() -> None:
    with pytest.raises(UnknownName, match="unknown rule set 'own'"):
        Rule(rules="own")
    with pytest.raises(Refused, match="no plan has 9 steps or more and 5 or fewer"):
        Rule(least_steps=9, most_steps=5)
    with pytest.raises(UnknownName, match="unknown play 'turn' in robotouille; did you mean turns"):
        Rule(play="turn")  # type: ignore[arg-type]
    with pytest.raises(Refused, match="0 kitchens of 5 attempts"):
        build(SANDWICH, Path("none"), SMALL, kitchens=0, attempts=5)


# --- templates ------------------------------------------------------------------------------------


def written(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content))
    return path


def test_a_problem_and_a_domain_of_one_s_own(tmp_path: Path) -> None:
    greenhouse = problem()
    bed = next(one for one in greenhouse["stations"] if one["name"] == "bed")
    bed["id"] = "plot"
    for fact in greenhouse["facts"]:
        fact["args"] = ["plot" if arg == "bed1" else arg for arg in fact.get("args", [])]
    cress, domain = written(tmp_path / "cress.json", greenhouse), written(tmp_path / "domain.json", DOMAIN)
    template = read_template(str(cress), domain)
    index = build(template, tmp_path / "new", Rule(noise=0), kitchens=1)
    world: Any = registry.world(str(tmp_path / "new" / index.kept[0].file))
    assert world.scenario.domain == template.domain
    assert world.scenario.known_plan.steps == index.kept[0].steps


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
    path.write_bytes(scenario_file("lunch", drawn(SANDWICH, SMALL, 0)))
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
