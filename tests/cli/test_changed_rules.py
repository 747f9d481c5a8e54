"""``--rules released,FIELD=VALUE``: one field of a rule set at a time, in every world."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner, Result

import backburner
from backburner.cli import app
from backburner.kernel import packs, registry
from backburner.kernel.claims import verify
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.play import play_now

SCENARIOS = {
    "timearena": "timearena/household9",
    "clocked_kitchen": "clocked_kitchen/level_0",
    "cuisineworld": "cuisineworld/level_0",
    "collab_grid": "collab_grid/boiled_egg",
    "collab_overcooked": "collab_overcooked/boiled_egg",
    "desk": "desk/made/counter",
    "minecraft": "minecraft/level_2",
    "projects": "projects/bakery",
    "recipe2plan": "recipe2plan/Vada+Daikon-Radish",
    "robotouille": "robotouille/synchronous/1@seed=42",
}


def fields(world: str) -> list[str]:
    """The fields of a world's rules that are yes or no."""
    released = registry.catalogue(world).rules["released"]
    return [each.name for each in msgspec.structs.fields(released) if each.type is bool]


@pytest.mark.parametrize("world", SCENARIOS)
def test_every_field_of_every_world_can_be_set_and_the_record_says_so(world: str) -> None:
    assert set(SCENARIOS) == set(packs.installed().packs)
    catalogue = registry.catalogue(world)
    for base in ("standard", "released"):
        preset = catalogue.rules[base]
        for field in fields(world):
            other = not getattr(preset, field)
            changed, of = catalogue.rules_called(f"{base},{field}={str(other).lower()}")
            assert of == preset
            assert getattr(changed, field) is other
            assert changed.name == f"{base},{field}={str(other).lower()}"
            assert msgspec.structs.replace(changed, **{field: not other, "name": base}) == preset
    field = fields(world)[0]
    made = backburner.world(SCENARIOS[world], rules=f"{field}=true")
    policies: Any = dict.fromkeys(made.seats, backburner.FirstLegalPolicy())
    episode = play_now(made, policies, max_steps=3)
    assert episode.header.rules_name == f"standard,{field}=true"
    verdict = verify(episode)
    assert any("the rule set" in what for what in map(str, verdict.verified)), verdict.verified


def test_one_set_of_rules_has_one_name() -> None:
    catalogue = registry.catalogue("collab_overcooked")
    one, _ = catalogue.rules_called("released,waits_give_way=false,exact_text=False")
    other, _ = catalogue.rules_called("released,exact_text=0,waits_give_way=false,short_waits=true")
    assert one == other
    assert one.name == "released,exact_text=false,waits_give_way=false"
    plain, _ = catalogue.rules_called("released,short_waits=true")
    assert plain == catalogue.rules["released"], "nothing is changed"


def test_what_is_no_field_or_no_value_is_told() -> None:
    catalogue = registry.catalogue("collab_overcooked")
    with pytest.raises(UnknownName, match="did you mean waits_give_way"):
        catalogue.rules_called("released,wait_give_way=false")
    with pytest.raises(UnknownName, match="did you mean released"):
        catalogue.rules_called("relesed,waits_give_way=false")
    with pytest.raises(UnknownName, match="field of the rules"):
        catalogue.rules_called("released,name=mine")
    with pytest.raises(Refused, match="waits_give_way of the rules cannot be 'perhaps'"):
        catalogue.rules_called("released,waits_give_way=perhaps")
    with pytest.raises(Refused, match="each field once"):
        catalogue.rules_called("released,waits_give_way=true,waits_give_way=false")
    with pytest.raises(Refused, match="each field once"):
        catalogue.rules_called("released,waits_give_way")
    with pytest.raises(Refused, match="plan_reader"):
        registry.catalogue("recipe2plan").rules_called("released,plan_reader=../../etc")


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


def test_records_and_reports_tell_changed_rules_apart(tmp_path: Path) -> None:
    asked = ("run", "collab_overcooked/boiled_egg", "--agent", "greedy", "--out", str(tmp_path))
    run(*asked, "--rules", "released")
    run(*asked, "--rules", "released,waits_give_way=false,exact_text=false")
    run(*asked, "--rules", "released,exact_text=0,waits_give_way=false")
    headers = [read_episode(path).header for path in sorted(tmp_path.rglob("*.jsonl"))]
    names = sorted(header.rules_name for header in headers)
    assert names == ["released", "released,exact_text=false,waits_give_way=false"]
    assert len({str(header.limits) for header in headers}) == 1, "the limits are those of the rule set"
    told = run("score", str(tmp_path), "--json").stdout
    assert "released,exact_text=false,waits_give_way=false" in told
