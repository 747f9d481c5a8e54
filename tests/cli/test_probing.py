"""``probe`` on the command line: one recorded decision, many answers, a table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import backburner
from backburner.cli import app
from backburner.kernel.episode import write_episode
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.play import play_now
from support.collab_overcooked.pairs import ReferencePair

ASKS = "plan: request('pickup(egg,ingredient_dispenser)');request('place_obj_on_counter()')"


def run(*arguments: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, ["probe", *arguments], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


@pytest.fixture
def record(tmp_path: Path) -> str:
    """An egg boiled by two cooks."""
    world = backburner.world("collab_overcooked/boiled_egg")
    file = tmp_path / "egg.jsonl"
    write_episode(play_now(world, ReferencePair("boiled_egg")), file)
    return str(file)


def test_a_model_is_probed(record: str, tmp_path: Path) -> None:
    """The script's one reply asks for both calls of the assistant's reference: ITES is 1, every time."""
    script = tmp_path / "script.txt"
    script.write_text(f"{ASKS}\n")
    told = run(record, "--at", "0", "--agent", "act", "--model", f"script:{script}", "--times", "3").stdout
    assert "boiled_egg · step 0 · chef · act(scripted) · 3 times" in told
    assert "100 %" in told and "+1.000" in told and "nothing planned 3" in told
    assert f"   3 x  +1.000 +0.000  {ASKS}" in told


def test_probes_as_json(record: str) -> None:
    found = json.loads(run(record, "--at", "1", "--agent", "random", "--times", "5", "--json").stdout)
    assert (found["seat"], found["agent"], len(found["answers"])) == ("assistant", "random", 5)
    assert found["verdicts"][0]["notes"] == {"nothing asked": 5}
    assert all(len(answer["judgements"]) == 2 for answer in found["answers"])


def test_several_steps_are_kept_and_shown_in_reports(record: str, tmp_path: Path) -> None:
    """What lies beside the records is told with them, and a file that is no probe is named."""
    asked = ("--at", "0", "--at", "1", "--agent", "random", "--times", "5", "--out", str(tmp_path))
    found = json.loads(run(record, *asked, "--json").stdout)
    assert [(each["at"], each["seat"]) for each in found] == [(0, "chef"), (1, "assistant")]
    assert len(list(tmp_path.glob("*.probe.json"))) == 2
    (tmp_path / "broken.probe.json").write_text("{")
    pictures = tmp_path / "pictures"
    CliRunner().invoke(app, ["report", str(tmp_path)], catch_exceptions=False)
    told = CliRunner().invoke(
        app, ["export", str(tmp_path), "--format", "svg", str(pictures)], catch_exceptions=False
    )
    assert told.exit_code == 0 and "left out: " in told.stderr
    assert "broken.probe.json: not a probe" in told.stderr.replace("\n", "")
    page = (tmp_path / "report.html").read_text()
    assert "Probed decisions" in page and "boiled_egg, step 1, assistant" in page
    assert len(list(pictures.rglob("probes-*.svg"))) == 2
    scored = CliRunner().invoke(app, ["score", str(tmp_path), "--json"], catch_exceptions=False)
    (world,) = json.loads(scored.stdout)
    (section,) = [each for each in world["sections"] if each["title"] == "Probed decisions"]
    assert [row[:5] for row in section["rows"]] == [
        ["boiled_egg", 0, "chef", "random", 5],
        ["boiled_egg", 0, "chef", "random", 5],
        ["boiled_egg", 1, "assistant", "random", 5],
        ["boiled_egg", 1, "assistant", "random", 5],
    ]


def test_what_cannot_be_asked_is_one_clear_error(record: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no step 999 in the record"):
        run(record, "--at", "0", "--at", "999", "--agent", "random")
    with pytest.raises(Refused, match="needs a model"):
        run(record, "--at", "0", "--agent", "act")
    with pytest.raises(UnknownName, match="did you mean random"):
        run(record, "--at", "0", "--agent", "randon")
    other = tmp_path / "other.jsonl"
    world = backburner.world("timearena/household9")
    write_episode(play_now(world, backburner.FirstLegalPolicy()), other)
    with pytest.raises(Refused, match="does not say what a single decision is worth"):
        run(str(other), "--at", "0", "--agent", "random")
