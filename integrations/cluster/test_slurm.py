"""The example for Slurm, with submitit's local processes in place of Slurm's jobs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "slurm.py"


def test_shares_of_a_suite_make_the_records_of_the_whole(tmp_path: Path) -> None:
    options = ["--agent", "greedy", "--agent", "act", "--model", "stand-in:skill=0.7", "--seeds", "1"]
    suites = ["timearena/singles/household", "cuisineworld/level_1@episode=2,stream=coupled,tau=1.0"]
    alone = [sys.executable, "-m", "backburner", "run", *suites, *options, "--out", "here"]
    subprocess.run(alone, cwd=tmp_path, check=True, capture_output=True)
    shared = [
        sys.executable,
        str(EXAMPLE),
        *suites,
        "--jobs",
        "2",
        "--on",
        "local",
        *options,
        "--out",
        "there",
    ]
    for _ in range(2):  # the second time everything is kept
        done = subprocess.run(shared, cwd=tmp_path, capture_output=True, text=True, timeout=200)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "2 jobs, 0 of them" in done.stdout
    here, there = (
        {file.relative_to(tmp_path / name): file.read_bytes() for file in (tmp_path / name).rglob("*.jsonl")}
        for name in ("here", "there")
    )
    assert here == there
    assert len(here) == 2 * (10 + 3)
