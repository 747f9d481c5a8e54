"""What was read out of the released programs and files, where it is at hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "facts"


def facts_about(world: str) -> dict[str, Any]:
    """The facts about a world; skips where their file is not there."""
    file = FOLDER / f"{world}.json"
    if not file.is_file():
        pytest.skip(f"the facts about {world} are not there ({file})")
    found: dict[str, Any] = json.loads(file.read_text())
    return found
