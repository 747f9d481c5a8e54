"""The ferry, a world of another package that names no oracle: it is solved, played, scored, and looked ahead
in by what is general."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations, product
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from backburner.cli import app
from backburner.kernel import registry
from backburner.kernel.exact import ORACLE
from backburner.kernel.oracle import Request, solve_world
from backburner.kernel.testing import check_pack, check_world
from support.packages import distribution, on_the_path

SOURCES = Path(__file__).resolve().parents[1] / "examples" / "ferry" / "src"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The package is installed; an empty folder to work in."""
    monkeypatch.syspath_prepend(str(SOURCES))
    distribution(tmp_path / "installed", "backburner_ferry", {"ferry": "ferry.pack:PACK"})
    with on_the_path(tmp_path / "installed", monkeypatch):
        yield tmp_path


def backburner(*words: str) -> Any:
    result = CliRunner().invoke(app, [*words, "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def least(carts: Sequence[Any], latest: int) -> int:
    """By trying all minutes in which packing may begin, all orders of crossing, each as early as can be."""
    found = []
    for starts in product(range(latest), repeat=len(carts)):
        ends = [start + cart.packing for start, cart in zip(starts, carts, strict=True)]
        hands = sorted(zip(starts, ends, strict=True))
        if any(end > start for (_, end), (start, _) in pairwise(hands)):
            continue
        for order in permutations(range(len(carts))):
            boat = 0
            for number in order:
                sent = max(boat, ends[number])
                sent = next((end for start, end in hands if start < sent < end), sent)
                if sent >= ends[number] + carts[number].keeps:
                    break
                boat = sent + carts[number].crossing
            else:
                found.append(boat)
    return min(found)


def test_the_proven_plans_are_those_of_trying_everything(folder: Path) -> None:
    """North and east: north is packed 0-3 and crosses 3-9; east is packed 3-8 and crosses 9-11. South and
    west: south is packed 0-1 and crosses 1-6; west is packed 1-5, keeps until 8, and crosses 6-10."""
    for path, best in (("north+east", 11), ("east+south+west", 13), ("south+west", 10), ("west+east", 11)):
        world = registry.world(f"ferry/{path}")
        found = solve_world(world, Request(effort=1))
        assert (found.status, found.objective, found.bound) == ("optimal", best, best)
        assert best == least(world.scenario, best + 1)


def test_the_page_on_oracles_quotes_its_pack(folder: Path) -> None:
    page = (SOURCES.parents[2] / "docs" / "oracle.md").read_text("utf-8")
    pack = (SOURCES / "ferry" / "pack.py").read_text("utf-8")
    assert pack[pack.index("PACK = ") :] in page


def test_it_keeps_the_contract(folder: Path) -> None:
    assert check_world(registry.world("ferry/east+south+west")).steps > 50
    assert check_pack("ferry").steps == 0  # it has no agent of its own


def test_it_is_played_scored_and_looked_ahead_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (solution,) = backburner("solve", "ferry/quick", "--oracle", "effort=1")
    assert (solution["status"], solution["objective"], solution["unit"]) == ("optimal", 11, "minutes")
    agents = ("--agent", "oracle", "--agent", "busy", "--agent", "first-legal")
    backburner("run", "ferry/all", *agents, "--seeds", "2", "--out", "runs")
    (scores,) = backburner("score", "runs")
    rows = {row["agent"]: row["figures"] for row in scores["rows"]}
    assert [rows["oracle"][key]["value"] for key in ("Completed", "reached", "regret")] == [100, 100, 0]
    assert rows["busy"]["reached"]["value"] < 100
    for agent in backburner("score", "runs", "--over", "ferry"):
        assert (agent["score"]["value"] == pytest.approx(100)) == (agent["agent"] == "oracle")


def test_from_the_middle_of_a_day_it_tells_the_minutes_to_go(folder: Path) -> None:
    """After packing east, 0-5, it is sent at 5, north packed 5-8, sent at 8 and across in minute 14."""
    world: Any = registry.world("ferry/north+east")
    state = world.step(world.start(), {"packer": "pack east"}).state
    onward = ORACLE.onward(world, state, effort=1)
    assert (onward.status, onward.now, onward.finish, onward.to_go) == ("optimal", 5, 14, 9)
