"""The example package keeps the contract; ``integrations/example_world`` tries it installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from backburner.kernel.testing import check_world

SOURCES = Path(__file__).resolve().parents[1] / "examples" / "laundry" / "src"


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_laundry_day_keeps_the_contract(monkeypatch: pytest.MonkeyPatch, rules: str) -> None:
    monkeypatch.syspath_prepend(str(SOURCES))
    from laundry.catalogue import CATALOGUE

    scenario = CATALOGUE.scenario("whites+colours+towels", {"dryers": "2"})
    checked = check_world(
        CATALOGUE.build("laundry/whites+colours+towels@dryers=2", scenario, rules, "article")
    )
    assert checked.steps > 50
