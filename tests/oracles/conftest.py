"""Fixtures for the tests of the oracles."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

FACTS = Path(__file__).resolve().parents[3] / "shared" / "facts" / "timearena.json"


@pytest.fixture(scope="session")
def facts() -> dict[str, Any]:
    """What was read out of the released program; skips where the file is not there."""
    if not FACTS.is_file():
        pytest.skip(f"the facts of the released program are not there ({FACTS})")
    found: dict[str, Any] = json.loads(FACTS.read_text())
    return found
