"""``benchmarks/lockstep.py`` runs as its first lines say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "lockstep.py"


@pytest.mark.parametrize("world", ["robotouille", "cuisineworld"])
def test_the_script_compares_scenarios_drawn_by_chance(world: str) -> None:
    """The folder's other files hide no library that it needs, which they do if they have a library's name."""
    command = [sys.executable, str(SCRIPT), "--minutes", "0.001", "--world", world, "--rows", "2"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert f"{world}: steps 242" in done.stdout
