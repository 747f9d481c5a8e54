"""Sets out of a pool of recipes, by the article's rule, on pairs that can be judged by hand.

Rice (boil 5 alone, drain 1 at once), Tea (draw 5 alone, pour 1), Salad (8 by hand), Egg (impossible).
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings

from backburner.generation import attempt, build
from backburner.generation.builder import builder_of
from backburner.kernel import registry
from backburner.kernel.errors import BadFile, Refused
from backburner.kernel.generating import Draft, Draw
from backburner.kernel.oracle import solve_world
from backburner.worlds.recipe2plan.game import Recipe
from backburner.worlds.recipe2plan.game.scenario_files import read_pool
from backburner.worlds.recipe2plan.game.scenarios import shipped_recipes
from backburner.worlds.recipe2plan.metrics.plans import complete_efficiency, efficiency
from backburner.worlds.recipe2plan.oracle.generator import GENERATOR, PUBLISHED, sets_of
from support.recipe2plan.play import kitchen_of
from support.recipe2plan.recipe_folders import EGG, RICE, SALAD, TEA, write_recipes
from support.recipe2plan.small_recipes import kitchens

ABOVE_80 = {"efficiency": ".8001:", "drop": ".0001:"}
"""The article's rule; both are to be exceeded."""


def built(out: Path, sets: int, monkeypatch: pytest.MonkeyPatch, **asked: Any) -> dict[str, bytes]:
    """The files of a build that looks at so many sets, once each, of whatever shape."""
    monkeypatch.setattr(build, "GENERATION", sets)
    monkeypatch.setattr(build, "seen_before", lambda *asked: set())
    monkeypatch.setattr(attempt, "in_split", lambda *asked: True)
    builder = builder_of("recipe2plan")
    usual = {each.name: each.default for each in builder.arguments if each.default is not None}
    builder.build(out, {**usual, "scenarios": sets, "attempts": sets, **asked}, lambda total: None)
    return {str(file.relative_to(out)): file.read_bytes() for file in sorted(out.glob("*/*.json"))}


RECORDED: list[tuple[tuple[Recipe | str, ...], int, dict[str, Any], dict[str, str]]] = [
    (
        (SALAD, TEA, RICE, EGG),
        6,
        {**ABOVE_80},
        {
            "constrained/Rice+Salad.json": "e2b5457566c90ed9cab2701e",
            "unconstrained/Rice+Salad.json": "8342d0505b6133e0b838aaa4",
        },
    ),
    (
        (SALAD, TEA, RICE),
        1,
        {"size": 3, "efficiency": ".4:"},
        {
            "constrained/Rice+Salad+Tea.json": "0e053daf9f57d45f17771429",
            "unconstrained/Rice+Salad+Tea.json": "0aec41b04cbb6468729f244c",
        },
    ),
    (
        ("Smore-Bars", "Tacos", "Choco", "Cobbler"),
        6,
        {f"heuristic-{dial}": least for dial, least in ABOVE_80.items()},
        {
            "constrained/Choco+Cobbler.json": "82363831a7efc5d72b355fbe",
            "constrained/Tacos+Smore-Bars.json": "3dc5cf762d667620167f2721",
            "unconstrained/Choco+Cobbler.json": "09745a1ed3d8ee8f6a308188",
            "unconstrained/Tacos+Smore-Bars.json": "48580f101b05daaf1820c005",
        },
    ),
]
"""What was asked of the builder that kept an index of its own, and the digests of its files."""


@pytest.mark.parametrize(("pool", "sets", "asked", "files"), RECORDED)
def test_builds_come_out_as_they_were_recorded(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    pool: tuple[Recipe | str, ...],
    sets: int,
    asked: Mapping[str, Any],
    files: Mapping[str, str],
) -> None:
    folder = write_recipes(tmp_path / "pool", *pool)
    made = built(tmp_path / "new", sets, monkeypatch, **{"from": str(folder)}, **asked)
    assert {path: sha256(content).hexdigest()[:24] for path, content in made.items()} == files


def test_what_is_written_can_be_played_and_is_a_suite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, out = write_recipes(tmp_path / "pool", SALAD, RICE), tmp_path / "new"
    built(out, 1, monkeypatch, **{"from": str(folder)})
    worlds = {
        name: registry.world(registry.expand(str(out / name))[0]) for name in ("constrained", "unconstrained")
    }
    assert [world.id for world in worlds.values()] == [
        "recipe2plan/user/Rice+Salad", "recipe2plan/user/Rice+Salad.unconstrained",
    ]  # fmt: skip
    # boil 0-5, drain 5-6, salad 6-14; without lags boil 0-5, salad 0-8, drain 8-9
    assert solve_world(worlds["constrained"]).objective == 840
    assert solve_world(worlds["unconstrained"]).objective == 540
    # and it is a pool for another build
    assert read_pool(out / "constrained") == [RICE, SALAD]


# --- the rule ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("recipes", "free", "cost"),
    [
        # of 14 minutes 5 are saved, all that runs by itself; to be drained at once the salad must wait
        ((RICE, SALAD), 1.0, 1.0),
        # both 0-5, drain 5-6, pour 6-7: of 12 minutes 5 are saved, and 10 run by themselves
        ((RICE, TEA), 0.5, 0.0),
        # draw 0-5, salad 0-8, pour 8-9; there are no lags
        ((SALAD, TEA), 1.0, 0.0),
        # nothing runs by itself
        ((SALAD,), 0.0, 0.0),
    ],
)
def test_the_article_s_rule(recipes: tuple[Recipe, ...], free: float, cost: float) -> None:
    world = kitchen_of(*recipes)
    own = GENERATOR.own(world, solve_world(world), ())
    assert (own["efficiency"], own["drop"]) == (free, cost)
    assert (own["heuristic-efficiency"], own["heuristic-drop"]) == (free, cost)


@settings(max_examples=40)
@given(kitchens())
def test_the_efficiency_of_a_complete_plan_follows_from_its_length(recipes: tuple[Recipe, ...]) -> None:
    world = kitchen_of(*recipes)
    solution = solve_world(world)
    assume(solution.starts is not None and solution.objective is not None)
    (decision,) = world.plan(solution.starts or {})
    kitchen = world.step(world.start(), {"cook": decision}).state.kitchen
    assert complete_efficiency(recipes, solution.objective or 0) == efficiency(world.compiled, kitchen)


# --- sets -------------------------------------------------------------------------------------------------


def test_sets_are_in_order_of_names_and_published_pairs_in_their_own() -> None:
    published = [shipped_recipes()[name] for name in ("Tacos", "Smore-Bars", "Choco")]
    assert [[recipe.name for recipe in found] for found in sets_of(published, 2)] == [
        ["Choco", "Smore-Bars"],
        ["Choco", "Tacos"],
        ["Tacos", "Smore-Bars"],
    ]


def drafted(number: int, source: str, size: int = 2, knowledge: str = "none") -> Draft:
    options = {"from": source, "size": size, "knowledge": knowledge}
    return GENERATOR.draft({}, options, Draw(number, Random(number)))


def test_each_set_has_its_number() -> None:
    # 24 * 23 / 2
    paths = [drafted(number, PUBLISHED).path for number in range(277)]
    assert len(set(paths)) == 276 and paths[0] == paths[276]
    assert drafted(0, PUBLISHED).fields["recipes"] == paths[0].removeprefix("constrained/").split("+")


def test_both_scenarios_of_a_set_tell_the_cook_as_much(tmp_path: Path) -> None:
    draft = drafted(0, str(write_recipes(tmp_path / "pool", RICE, SALAD)), knowledge="gold")
    (beside,) = draft.beside.values()
    assert draft.fields["knowledge"] == beside["knowledge"] == "gold"


@pytest.mark.parametrize(("size", "pool"), [(2, [RICE]), (3, [RICE, TEA])])
def test_too_few_recipes_are_refused(tmp_path: Path, size: int, pool: list[Recipe]) -> None:
    with pytest.raises(Refused, match=f"sets of {size} cannot be formed of so few recipes"):
        drafted(0, str(write_recipes(tmp_path / "pool", *pool)), size)
    with pytest.raises(BadFile, match="no such folder"):
        drafted(0, str(tmp_path / "elsewhere"))
