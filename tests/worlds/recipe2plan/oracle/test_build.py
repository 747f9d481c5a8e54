"""New scenarios by the article's rule, on pairs that can be judged by hand.

Rice (boil 5 alone, drain 1 at once), Tea (draw 5 alone, pour 1), Salad (8 by hand), Egg (impossible).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.oracle import Request, solve_world
from backburner.kernel.values import digest
from backburner.worlds.recipe2plan.game import Recipe, Recipe2Plan
from backburner.worlds.recipe2plan.game.scenario_files import read_pool
from backburner.worlds.recipe2plan.game.scenarios import shipped_recipes
from backburner.worlds.recipe2plan.metrics.plans import complete_efficiency, efficiency
from backburner.worlds.recipe2plan.oracle import build as recipe2plan_build
from backburner.worlds.recipe2plan.oracle.build import FOLDERS, Index, Judged, Rule, build, judge_set, sets_of
from backburner.worlds.recipe2plan.oracle.solver import Recipe2PlanOracle
from support.recipe2plan.play import kitchen_of
from support.recipe2plan.recipe_folders import EGG, RICE, SALAD, TEA
from support.recipe2plan.small_recipes import kitchens

both_ways = pytest.mark.parametrize("by", recipe2plan_build.WAYS)

KEPT = Judged(("Rice", "Salad"), "kept", 540, 1.0, 840, 0.0)
"""Boil 0-5, salad 0-8, drain 8-9: of 14 minutes 5 are saved, all that runs by itself. To be drained at
once the salad must wait: boil 0-5, drain 5-6, salad 6-14; nothing is saved."""

TOO_LITTLE = Judged(("Rice", "Tea"), "too little to gain", 420, 0.5)
"""Both 0-5, drain 5-6, pour 6-7: of 12 minutes 5 are saved, and 10 run by themselves."""

NO_DROP = Judged(("Salad", "Tea"), "no drop", 540, 1.0, 540, 1.0)
"""Draw 0-5, salad 0-8, pour 8-9, with or without time constraints: there are none."""

IMPOSSIBLE = Judged(("Egg", "Salad"), "no plan", 600, 1.0)
"""Boil 0-3, salad 0-8, peel and salt 8-10: of 13 minutes 3 are saved, all that runs by itself."""


@both_ways
def test_the_article_s_rule(by: str, tmp_path: Path) -> None:
    index = build([SALAD, TEA, RICE], tmp_path / "new", Rule(by=by))
    assert index.judged == (KEPT, TOO_LITTLE, NO_DROP)
    assert index.counts == {"kept": 1, "too little to gain": 1, "no drop": 1}
    assert (index.pool, index.sets, index.complete) == (("Rice", "Salad", "Tea"), 3, True)


@both_ways
def test_what_no_plan_keeps_is_left_out(by: str) -> None:
    assert judge_set([EGG, SALAD], Rule(by=by)) == IMPOSSIBLE


def test_a_set_in_which_nothing_runs_by_itself_has_nothing_to_gain() -> None:
    assert judge_set([SALAD], Rule(size=1)) == Judged(("Salad",), "too little to gain", 480)


def test_the_thresholds_must_be_exceeded() -> None:
    # Rice and Tea have 0.5; with the draining at once they have it, too
    assert judge_set([RICE, TEA], Rule(min_efficiency=0.5)).verdict == "too little to gain"
    assert judge_set([RICE, TEA], Rule(min_efficiency=0.49)).verdict == "no drop"
    assert judge_set([RICE, TEA], Rule(min_efficiency=0.49, min_drop=-0.1)).verdict == "kept"
    assert judge_set([RICE, SALAD], Rule(min_drop=1.0)).verdict == "no drop"
    assert judge_set([RICE, SALAD], Rule(min_drop=0.99)).verdict == "kept"


@pytest.mark.parametrize(("unproven", "left"), [(False, ()), (True, (540, 1.0))])
def test_what_is_not_proven_is_left_out(
    monkeypatch: pytest.MonkeyPatch, unproven: bool, left: tuple[Any, ...]
) -> None:
    class Hasty(Recipe2PlanOracle):
        def solve(self, world: Recipe2Plan, request: Request) -> Any:
            solution = super().solve(world, request)
            return replace(solution, status="feasible") if world.scenario.lags == unproven else solution

    monkeypatch.setattr(recipe2plan_build, "ORACLE", Hasty())
    assert judge_set([RICE, SALAD], Rule()) == Judged(("Rice", "Salad"), "not proven", *left)


def test_ways_are_named() -> None:
    with pytest.raises(UnknownName, match=r"unknown way to measure efficiency 'optimum'.*optimal"):
        Rule(by="optimum")


# --- sets -----------------------------------------------------------------------------------------


def test_sets_are_in_order_of_names_and_published_pairs_in_their_own() -> None:
    published = [shipped_recipes()[name] for name in ("Tacos", "Smore-Bars", "Choco")]
    assert [[recipe.name for recipe in found] for found in sets_of(published, 2)] == [
        ["Choco", "Smore-Bars"],
        ["Choco", "Tacos"],
        ["Tacos", "Smore-Bars"],
    ]
    # 24 * 23 / 2
    assert sum(1 for _ in sets_of(list(shipped_recipes().values()), 2)) == 276


def test_sets_of_one_and_of_three() -> None:
    assert [len(found) for found in sets_of([RICE, TEA, SALAD], 3)] == [3]
    assert [len(found) for found in sets_of([RICE, TEA, SALAD], 1)] == [1, 1, 1]


@pytest.mark.parametrize(("size", "pool"), [(2, [RICE]), (3, [RICE, TEA]), (0, [RICE]), (2, [])])
def test_too_few_recipes_are_refused(tmp_path: Path, size: int, pool: list[Recipe]) -> None:
    with pytest.raises(Refused, match=f"sets of {size} cannot be formed of so few recipes"):
        build(pool, tmp_path / "new", Rule(size=size))
    assert not (tmp_path / "new").exists()


# --- files ----------------------------------------------------------------------------------------


def test_what_is_written_can_be_played_and_is_a_suite(tmp_path: Path) -> None:
    out = tmp_path / "new"
    index = build([SALAD, TEA, RICE], out)
    assert sorted(str(file.relative_to(out)) for file in out.rglob("*.json")) == [
        "constrained/Rice+Salad.json", "index.json", "unconstrained/Rice+Salad.json",
    ]  # fmt: skip
    assert msgspec.json.decode((out / "index.json").read_bytes(), type=Index) == index
    worlds = {
        folder: registry.world(registry.expand(str(out / folder))[0])
        for folder in ("constrained", "unconstrained")
    }
    assert [world.id for world in worlds.values()] == [
        "recipe2plan/user/Rice+Salad", "recipe2plan/user/Rice+Salad.unconstrained",
    ]  # fmt: skip
    assert solve_world(worlds["constrained"]).objective == 840
    assert solve_world(worlds["unconstrained"]).objective == 540
    # and it is a pool for another build
    assert read_pool(out / "constrained") == [RICE, SALAD]


def test_a_published_pair_is_known_as_such(tmp_path: Path) -> None:
    pool = [shipped_recipes()[name] for name in ("Smore-Bars", "Tacos")]
    build(pool, tmp_path / "new", Rule(by="heuristic"))
    world = registry.world(str(tmp_path / "new" / "constrained" / "Tacos+Smore-Bars.json"))
    assert world.scenario.instance is not None and world.scenario.reference is not None


def test_it_stops_when_enough_are_kept(tmp_path: Path) -> None:
    index = build([SALAD, TEA, RICE], tmp_path / "new", most=1)
    assert index.judged == (KEPT,)
    assert (index.sets, index.complete) == (3, False)


def test_when_it_is_stopped_what_was_found_is_there(tmp_path: Path) -> None:
    def stop(judged: Judged) -> None:
        raise KeyboardInterrupt

    out = tmp_path / "new"
    with pytest.raises(KeyboardInterrupt):
        build([SALAD, TEA, RICE], out, progress=stop)
    index = msgspec.json.decode((out / "index.json").read_bytes(), type=Index)
    assert (index.judged, index.complete) == ((KEPT,), False)
    assert [file.name for file in (out / "constrained").iterdir()] == ["Rice+Salad.json"]


def test_a_folder_in_use_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(Refused, match="is in use"):
        build([SALAD, RICE], tmp_path)
    with pytest.raises(Refused, match=r"mine\.txt is in use"):
        build([SALAD, RICE], tmp_path / "mine.txt")
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


def test_a_stopped_build_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, out = tmp_path / "whole", tmp_path / "new"
    build([SALAD, TEA, RICE], whole)
    build([SALAD, TEA, RICE], out, most=1)
    looked_at: list[str] = []

    def judge(recipes: Any, rule: Rule) -> Judged:
        looked_at.append("+".join(recipe.name for recipe in recipes))
        return judge_set(recipes, rule)

    monkeypatch.setattr(recipe2plan_build, "judge_set", judge)
    assert build([SALAD, TEA, RICE], out).judged == (KEPT, TOO_LITTLE, NO_DROP)
    assert looked_at == ["Rice+Tea", "Salad+Tea"]
    assert (out / "index.json").read_bytes() == (whole / "index.json").read_bytes()
    (out / "constrained" / "Rice+Salad.json").unlink()
    assert build([SALAD, TEA, RICE], out).judged == (KEPT, TOO_LITTLE, NO_DROP)
    assert looked_at[2:] == ["Rice+Salad"] and (out / "constrained" / "Rice+Salad.json").exists()


@pytest.mark.parametrize(
    ("pool", "rule", "why"),
    [
        ([SALAD, TEA], Rule(), "another pool: Rice, Salad, Tea, not Salad, Tea"),
        ([SALAD, TEA, RICE], Rule(min_drop=0.1), "another min drop: 0.0, not 0.1"),
        ([SALAD, TEA, replace(RICE, steps=EGG.steps)], Rule(), "another digest of the recipes"),
    ],
)
def test_a_build_of_other_settings_is_refused(
    tmp_path: Path, pool: list[Recipe], rule: Rule, why: str
) -> None:
    build([SALAD, TEA, RICE], tmp_path / "new", most=1)
    before = (tmp_path / "new" / "index.json").read_bytes()
    with pytest.raises(Refused, match=why):
        build(pool, tmp_path / "new", rule)
    assert (tmp_path / "new" / "index.json").read_bytes() == before


def test_the_same_pool_gives_the_same_files(tmp_path: Path) -> None:
    for name, pool in (("one", [SALAD, TEA, RICE]), ("other", [RICE, SALAD, TEA])):
        build(pool, tmp_path / name)
    files = [file.relative_to(tmp_path / "one") for file in (tmp_path / "one").rglob("*.json")]
    assert files
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "other" / file).read_bytes()


PUBLISHED = ("Smore-Bars", "Tacos", "Choco", "Cobbler")


@pytest.mark.parametrize(
    ("pool", "rule", "most", "recorded"),
    [
        ([SALAD, TEA, RICE], Rule(), None, "8afc3f99b70c5298"),
        ([SALAD, TEA, RICE], Rule(min_efficiency=0.4, min_drop=-1.0, seed=3), 2, "8f3cc5f72bcd2152"),
        ([shipped_recipes()[name] for name in PUBLISHED], Rule(by="heuristic"), None, "c79633320464470c"),
    ],
)
def test_recorded_builds(
    tmp_path: Path, pool: list[Recipe], rule: Rule, most: int | None, recorded: str
) -> None:
    """The files of scenarios, byte for byte."""
    index = build(pool, tmp_path / "new", rule, most=most)
    files = sorted(file for folder in FOLDERS for file in (tmp_path / "new" / folder).iterdir())
    written = [(str(file.relative_to(tmp_path)), file.read_text()) for file in files]
    assert len(files) == 2 * index.counts["kept"]
    assert digest(written) == recorded


# --- efficiency -----------------------------------------------------------------------------------


@settings(max_examples=40)
@given(kitchens())
def test_the_efficiency_of_a_complete_plan_follows_from_its_length(recipes: tuple[Recipe, ...]) -> None:
    world = kitchen_of(*recipes)
    solution = solve_world(world)
    assume(solution.starts is not None and solution.objective is not None)
    (decision,) = world.plan(solution.starts or {})
    kitchen = world.step(world.start(), {"cook": decision}).state.kitchen
    assert complete_efficiency(recipes, solution.objective or 0) == efficiency(world.compiled, kitchen)
