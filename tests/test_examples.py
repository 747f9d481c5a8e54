"""The example package keeps the contract; ``integrations/example_world`` tries it installed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from backburner.kernel.testing import check_world

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "examples" / "laundry" / "src"


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_laundry_day_keeps_the_contract(monkeypatch: pytest.MonkeyPatch, rules: str) -> None:
    monkeypatch.syspath_prepend(str(SOURCES))
    from laundry.catalogue import CATALOGUE

    scenario = CATALOGUE.scenario("whites+colours+towels", {"dryers": "2"})
    world = CATALOGUE.build("laundry/whites+colours+towels@dryers=2", scenario, rules, "article")
    assert check_world(world).steps > 50


def test_the_walk_through_quotes_the_example() -> None:
    """Every block of Python in docs/add-a-world.md stands, line by line, in the package or in this file."""
    files = [*SOURCES.rglob("*.py"), Path(__file__)]
    written = [file.read_text("utf-8") for file in files]
    page = (ROOT / "docs" / "add-a-world.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 8
    assert [block for block in blocks if not any(block in text for text in written)] == []
