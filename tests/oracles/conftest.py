"""Fixtures for the tests of the oracles."""

from __future__ import annotations

from typing import Any

import pytest

from support.facts import facts_about


@pytest.fixture(scope="session")
def facts() -> dict[str, Any]:
    """What was read out of the released program; skips where it is not there."""
    return facts_about("timearena")
