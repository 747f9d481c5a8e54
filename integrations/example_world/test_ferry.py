"""The ferry of ``examples/ferry``, installed beside the wheel: a world that names no oracle is proven, played
and scored by what is general."""

from __future__ import annotations

import json
from pathlib import Path

from test_laundry import backburner


def test_it_has_everything_general(tmp_path: Path) -> None:
    solutions = json.loads(backburner(tmp_path, "solve", "ferry/all", "--json"))
    assert [(found["status"], found["objective"]) for found in solutions] == [
        ("optimal", 11),
        ("optimal", 13),
        ("optimal", 18),
    ]
    agents = ("--agent", "oracle", "--agent", "busy")
    backburner(tmp_path, "run", "ferry/all", *agents, "--out", "runs")
    busy, best = json.loads(backburner(tmp_path, "score", "runs", "--over", "ferry", "--json"))
    assert best["agent"] == "oracle" and best["score"]["value"] > 99.9 > busy["score"]["value"]
    backburner(tmp_path, "report", "runs", "--count", "steps_to_go=2")
    assert "share of the best that is proven" in (tmp_path / "runs" / "report.html").read_text()
