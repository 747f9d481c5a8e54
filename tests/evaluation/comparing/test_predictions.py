"""Foretold changes in scores and reports."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from backburner.agents.models import model_policy
from backburner.agents.models.examples import NEW
from backburner.cli import app
from backburner.evaluation.comparing.methods import prediction_sections, predictions_in
from backburner.kernel import registry
from backburner.kernel.episode import Episode, write_episode
from backburner.kernel.play import play_now
from support.models.oracle_model import played
from support.models.plan_model import PlanModel

KITCHEN = "robotouille/synchronous/1@seed=42"


def predicted(drop: str = "\n\n\n") -> Episode:
    """The oracle's plan with every change predicted, but for lines that begin so."""
    world = registry.world(KITCHEN)
    model = PlanModel(world, played(world), predicted=True)
    model.plan = "\n".join(line for line in model.plan.splitlines() if not line.startswith(drop))
    return play_now(world, model_policy("io-cot", world, model))


def test_agents_that_foretell_have_a_line_and_others_have_none() -> None:
    half = predicted(NEW)
    (section,) = prediction_sections([(half, {})])
    ((agent, episodes, steps, precision, recall, f1),) = section.rows
    assert (agent, episodes, steps) == ("io-cot(plan-model)", 1, len(half.entries))
    counts = predictions_in(half)
    assert (precision, recall) == (100.0, round(100 * counts.both / counts.came, 1))
    assert 0 < recall < 100 and recall < f1 < 100
    assert list(prediction_sections([(played(registry.world(KITCHEN)), {})])) == []


def test_reports_have_the_table(tmp_path: Path) -> None:
    write_episode(predicted(), tmp_path / "one.jsonl")
    result = CliRunner().invoke(app, ["report", str(tmp_path)])
    assert result.exit_code == 0, result.output
    page = (tmp_path / "report.html").read_text()
    assert "Foretold changes" in page and "io-cot(plan-model)" in page
