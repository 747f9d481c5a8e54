"""``backburner run --engine inspect``: the same jobs, any provider, resumable."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from backburner.agents.spec import AgentSpec, Endpoint
from backburner.cli import app
from backburner.evaluation.records import records
from backburner.evaluation.running.chains_of_jobs import Done
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.running.runner import run
from backburner.inspect.engine import InspectEngine, client_of
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import Refused, UnknownName


def test_the_command_plays_writes_logs_and_goes_on(answers, tmp_path: Path) -> None:
    command = ["run", "timearena/cooking1", "timearena/lab1", "--agent", "act"]
    command += ["--model", "fake/m@engine=inspect,max_tokens=5", "--out", str(tmp_path), "--json"]
    first, second = (CliRunner().invoke(app, command) for _ in range(2))
    assert (json.loads(first.stdout)["played"], json.loads(first.stdout)["kept"]) == (2, 0)
    assert (json.loads(second.stdout)["played"], json.loads(second.stdout)["kept"]) == (0, 2)
    assert [path.name for path in records(tmp_path)] == ["cooking1.seed0.jsonl", "lab1.seed0.jsonl"]
    assert len(list((tmp_path / "logs").glob("*.eval"))) == 1

    command[command.index("--model") + 1] = "fake/m@engine=inspect,max_tokens=6"
    other = CliRunner().invoke(app, command)
    assert isinstance(other.exception, Refused) and "another max_tokens" in str(other.exception)


def test_failed_episodes_are_kept_and_played_again_when_asked(answers, tmp_path: Path) -> None:
    """Kept is what failed after something was decided; a first call that fails leaves nothing to keep."""
    said = []

    def fail(messages, config):
        said.append("wait")
        if len(said) > 1:
            raise RuntimeError("the server is on fire")
        return "wait"

    answers["m"] = fail
    jobs = jobs_of(["timearena/cooking1"], [AgentSpec("act", "fake/m")], 1, "standard", "article")
    summary = run(jobs, tmp_path, client_of=client_of, engine=InspectEngine())
    assert (summary.played, summary.failed, summary.broken) == (1, 1, 0)
    assert "on fire" in summary.errors[0]

    answers["m"] = lambda messages, config: "wait"
    assert run(jobs, tmp_path, client_of=client_of, engine=InspectEngine()).kept == 1
    again = run(jobs, tmp_path, client_of=client_of, engine=InspectEngine(), retry_failed=True)
    assert (again.played, again.failed) == (1, 0)


def test_seats_with_models_of_their_own(answers, tmp_path: Path) -> None:
    answers["other"] = answers["m"]
    spec = AgentSpec("act", "fake/m", seats=(("assistant", Endpoint("fake/other")),))
    jobs = jobs_of(["collab_overcooked/baked_bell_pepper"], [spec], 1, "standard", "article")
    assert run(jobs, tmp_path, client_of=client_of, engine=InspectEngine()).played == 1
    (path,) = records(tmp_path)
    assert path.parent.name == "act(fake%2Fm,assistant=fake%2Fother)"
    players = read_episode(path).header.players
    assert players["assistant"].settings["model"] == "fake/other"
    assert run(jobs, tmp_path, client_of=client_of, engine=InspectEngine()).kept == 1


def test_an_episode_that_breaks_stops_no_other(answers, tmp_path: Path, monkeypatch) -> None:
    """A bug of an agent, here in the user's own module, is told with the job it broke."""
    (tmp_path / "breaking.py").write_text(
        "class Agent:\n    name, informed, settings = 'breaking', False, {}\n"
        "    async def decide(self, turn, memory):\n        raise ZeroDivisionError('oops')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    heard: list[Done] = []
    specs = [AgentSpec("breaking:Agent"), AgentSpec("greedy")]
    jobs = jobs_of(["timearena/cooking1"], specs, 1, "standard", "article")
    summary = run(jobs, tmp_path / "out", engine=InspectEngine(), progress=heard.append)
    assert (summary.played, summary.broken) == (1, 1)
    assert "timearena/cooking1, breaking:Agent" in summary.errors[0] and "oops" in summary.errors[0]
    assert {done.status for done in heard} == {"ended", "broken"}


def test_what_cannot_be_made_is_said_before_play(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="Inspect cannot make the model 'nobody/x'"):
        client_of(Endpoint("nobody/x"))
    result = CliRunner().invoke(app, ["run", "timearena/cooking1", "--model", "m@engine=inspct"])
    assert isinstance(result.exception, UnknownName) and "inspect" in str(result.exception)


def test_what_inspect_misses_is_told_in_plain_words(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai", reason="the provider needs it: pip install -e '.[models]'")
    for variable in ("OPENAI_API_KEY", "AZUREAI_OPENAI_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(Refused, match="No OPENAI_API_KEY, AZUREAI_OPENAI_API_KEY") as refused:
        client_of(Endpoint("openai/a-model"))
    assert "[bold]" not in str(refused.value)


HEARS_CTRL_C = f"""
import importlib.util
import signal
import sys
sys.path.append({str(Path(__file__).parents[1])!r})
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
spec = importlib.util.spec_from_file_location("provider", {str(Path(__file__).with_name("conftest.py"))!r})
provider = importlib.util.module_from_spec(spec)
spec.loader.exec_module(provider)
provider.ANSWERS["m"] = lambda messages, config: "wait"
from backburner.cli import main
main()
"""
"""The command line with the provider of these tests; Ctrl-C is the signal SIGINT."""


def test_a_run_that_is_stopped_says_so_and_goes_on(answers, tmp_path: Path) -> None:
    command = [sys.executable, "-c", HEARS_CTRL_C, "run", "timearena/singles", "--agent", "act"]
    command += ["--model", "fake/m@engine=inspect", "--seeds", "50", "--out", str(tmp_path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not list(records(tmp_path)):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    told = process.communicate()[1]
    assert process.returncode == 130, told
    assert "stopped; the same command goes on from here" in told
    assert "no record came of it" not in told

    (kept, *_) = records(tmp_path)
    before = kept.read_bytes()
    jobs = jobs_of(["timearena/singles"], [AgentSpec("act", "fake/m")], 1, "standard", "article")
    again = run(jobs, tmp_path, client_of=client_of, engine=InspectEngine())
    assert again.kept > 0 and again.kept + again.played == 30
    assert kept.read_bytes() == before


def test_nothing_of_inspect_is_imported_unless_asked_for() -> None:
    code = "import sys, backburner, backburner.cli; print('inspect_ai' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (run.stdout.strip(), run.stderr) == ("False", "")
