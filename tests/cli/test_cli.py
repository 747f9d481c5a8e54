"""The command line as a stranger uses it: right input, wrong input, JSON, exit codes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import backburner
from backburner.agents.models import ScriptedModel
from backburner.cli import app
from backburner.kernel.episode import read_episode
from support.command_line import complaint, ran
from support.evaluation.forged import forge

runner = CliRunner()


def out(*arguments: str, input: str | None = None, code: int = 0) -> str:
    result = runner.invoke(app, list(arguments), input=input, catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stdout


def parsed(*arguments: str) -> Any:
    return json.loads(out(*arguments, "--json"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with twelve episodes."""
    path = tmp_path_factory.mktemp("runs")
    summary = parsed(
        "run", "timearena/household9", "timearena/household4", "--agent", "random", "--agent", "greedy",
        "--agent", "oracle", "--seeds", "2", "--out", str(path),
    )  # fmt: skip
    assert summary["played"] == 12
    return path


def test_worlds_and_lists() -> None:
    assert "timearena" in [world["world"] for world in parsed("worlds")]
    assert parsed("list")["timearena/pairs"] == 30
    assert parsed("list", "timearena/pairs/lab")[9] == "timearena/lab10+lab1"
    assert "timearena/cooking10+cooking1+cooking2" in out("list", "timearena/triples/cooking").splitlines()
    assert "TimeArena" in out("worlds")
    assert "timearena/singles" in out("list", "timearena")


def test_show_tells_the_briefing_and_draws_the_graph(tmp_path: Path) -> None:
    text = out("show", "timearena/household9", "--svg", str(tmp_path / "graph.svg"))
    assert "read newspaper" in text and "Goal:" in text
    ElementTree.parse(tmp_path / "graph.svg")
    shown = parsed("show", "timearena/household9")
    assert (
        next(a["name"] for a in shown["problems"]["timearena/household9"]["activities"]) == "activate radio"
    )


def test_show_stats_puts_the_article_s_table_beside_ours() -> None:
    rows = parsed("show", "timearena/singles", "--stats")
    # Table 1: 5.6 / 4.1 / 5.3 actions, which are distinct verbs
    assert [(row["verbs"], row["article: actions"]) for row in rows] == [(5.6, 5.6), (4.1, 4.1), (5.3, 5.3)]
    assert [row["required actions"] for row in rows] == [9.8, 4.7, 6.4]
    assert "optimum" in out("show", "timearena/singles", "--stats")


def test_show_prompt_is_what_a_model_is_sent_first() -> None:
    messages = parsed("show", "timearena/household9", "--prompt", "react")
    assert "Goal:" in messages[0]["content"]


def test_solve_prints_one_list_with_an_object_for_each_scenario() -> None:
    found = parsed("solve", "timearena/household4", "timearena/household9")
    assert [(s["scenario"], s["status"], s["objective"], s["bound"], s["unit"]) for s in found] == [
        ("timearena/household4", "optimal", 14, 14, "minutes"),
        ("timearena/household9", "optimal", 12, 12, "minutes"),
    ]
    assert all(s["seconds"] >= 0 and s["plan"] for s in found)
    assert "optimal" in out("solve", "timearena/household9")


@pytest.mark.parametrize(("effort", "status"), [("0", "unknown"), ("0.5", "optimal")])
def test_a_search_can_be_given_an_effort_instead_of_seconds(effort: str, status: str) -> None:
    asked = ["--time-limit", "0.001", "--oracle", f"effort={effort}"]
    (found,) = parsed("solve", "timearena/household9", *asked)
    assert found["status"] == status


def test_solve_prints_the_plan_of_one_scenario_as_a_timetable() -> None:
    # find newspaper 3 and read it 5, fold quilt 3, and the radio plays 7 from when it was turned on
    text = out("solve", "timearena/household9")
    assert "   0 to  3  find newspaper\n" in text and text.endswith("  finished at 12\n")
    text = out("solve", "recipe2plan/Dinosaur-Eggs+Pizza")
    assert text.count("Dinosaur-Eggs 8 (in pieces)\n") == 2 and "  00:00:00 to " in text


def test_replay_draws_and_checks(folder: Path, tmp_path: Path) -> None:
    record = str(next(folder.rglob("*random*/household9.seed0.jsonl")))
    assert "agent" in out("replay", record)
    out("verify", record)
    out("replay", record, "--svg", str(tmp_path / "t.svg"), "--html", str(tmp_path / "t.html"))
    ElementTree.parse(tmp_path / "t.svg")
    assert "household9" in (tmp_path / "t.html").read_text()
    assert parsed("replay", record)["header"]["id"] == "timearena/household9"


def test_replay_draws_the_scene_after_a_step(tmp_path: Path) -> None:
    out("run", "minecraft/level_2", "--agent", "greedy", "--out", str(tmp_path))
    record = str(next(tmp_path.rglob("*.jsonl")))
    steps = len(Path(record).read_text().splitlines()) - 2
    for asked, caption in (
        ("", f"step {steps},"),
        ("@step=2", "step 3,"),
        ("@step=-1", "step 0,"),
    ):
        out("replay", record, "--picture", f"{tmp_path / 'p.svg'}{asked}")
        told = ElementTree.parse(tmp_path / "p.svg").findtext("{http://www.w3.org/2000/svg}desc")
        assert told is not None and told.startswith(caption)
    words = (tmp_path / "p.svg").read_text()
    assert "minecraft/level_2 · greedy · standard rules" in words and "prefers-color-scheme: dark" in words
    assert complaint("replay", record, "--picture", f"{tmp_path / 'p.svg'}@step=999") == (
        f"backburner: the record has steps 0 to {steps - 1}, and no step 999\n"
    )
    assert complaint("replay", record, "--picture", f"{tmp_path / 'p.svg'}@step=2,moving=9") == (
        "backburner: --picture: step= is one scene, moving= several; say one of them\n"
    )


def test_pages_and_pictures_are_no_folders(folder: Path, tmp_path: Path) -> None:
    record = str(next(folder.rglob("*random*/household9.seed0.jsonl")))
    for command in (
        ("replay", record, "--html"),
        ("replay", record, "--svg"),
        ("show", "timearena/household9", "--svg"),
        ("report", str(folder), "--out"),
    ):
        for path in (".", str(tmp_path)):
            assert complaint(*command, path) == f"backburner: {path}: is a folder; name a file in it\n"
    (tmp_path / "notes").touch()
    assert "is a file, not a folder" in complaint(
        "export", str(folder), "--format", "svg", str(tmp_path / "notes" / "figures")
    )


def test_a_picture_goes_to_a_pipe_that_reads_it(tmp_path: Path) -> None:
    """``show --svg /dev/stdout | ...``: the picture, and after it what the command prints."""
    command = [sys.executable, "-m", "backburner", "show", "timearena/household9", "--svg", "/dev/stdout"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.startswith("<svg") and "wrote /dev/stdout" in run.stderr


def test_replay_shows_limits_of_time(tmp_path: Path) -> None:
    out("run", "recipe2plan/Tacos+Smore-Bars", "--agent", "first-legal", "--out", str(tmp_path))
    record = next(tmp_path.rglob("*.jsonl"))
    windows = parsed("replay", str(record))["windows"]
    missed = next(window["label"] for window in windows if window["state"] == "missed")
    assert f"too late: {missed}" in out("replay", str(record))
    svg, html = tmp_path / "t.svg", tmp_path / "t.html"
    out("replay", str(record), "--svg", str(svg), "--html", str(html))
    out("report", str(tmp_path))
    for picture in (svg, html, tmp_path / "report-files" / "episodes" / "0001.html"):
        assert windows[0]["label"] in picture.read_text()

    stranger = tmp_path / "stranger.jsonl"
    forge(record, lambda objects: objects[0].update(world="elsewhere"), stranger)
    result = runner.invoke(app, ["replay", str(stranger)])
    assert result.exit_code == 0 and "without limits of time" in result.stderr


def test_replay_check_finds_a_changed_record(folder: Path, tmp_path: Path) -> None:
    """By its chain; and where that was forged as well, by playing it again."""
    true = next(folder.rglob("*greedy*/household9.seed0.jsonl"))
    changed, forged = tmp_path / "changed.jsonl", tmp_path / "forged.jsonl"
    changed.write_text(true.read_text().replace('"minutes":12', '"minutes":11'))
    forge(true, lambda objects: objects[-1]["numbers"].update(minutes=11), forged)
    for file, words in ((changed, ["line 6, field 'chain'"]), (forged, ["'minutes': 11", "'minutes': 12"])):
        result = runner.invoke(app, ["verify", str(file)])
        assert result.exit_code == 1
        assert all(word in " ".join(result.stderr.split()) for word in words), result.stderr


def test_score_and_report(folder: Path) -> None:
    scores = parsed("score", str(folder))[0]
    rows = {(row["group"], row["agent"]): row["figures"] for row in scores["rows"]}
    # household9: 12 minutes, household4: 14; each twice, so ΣP/ΣT = 400/52
    oracle = rows["household, 1 task", "oracle"]
    assert (oracle["AS"]["value"], oracle["CR"]["value"], oracle["CT"]["value"]) == (100, 100, 13)
    assert oracle["CS"]["value"] == pytest.approx(400 / 52)
    assert any(row["agent"] == "GPT-4" for row in scores["published"])
    assert "Waits and loops" in out("score", str(folder), "--all")

    text = out("report", str(folder))
    page = (folder / "report.html").read_text()
    assert "report.html" in text
    episodes = folder / "report-files" / "episodes"
    assert len(list(episodes.glob("*.html"))) == 12  # two scenarios, three agents, two seeds
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "") and "https://" not in page


def test_a_half_written_record_is_named_and_the_rest_is_scored(folder: Path, tmp_path: Path) -> None:
    whole = next(folder.rglob("*oracle*/household9.seed0.jsonl")).read_text()
    (tmp_path / "whole.jsonl").write_text(whole)
    (tmp_path / "half.jsonl").write_text(whole[: len(whole) // 2])
    (tmp_path / "noise.jsonl").write_text("\x00\x01 not a record\n")
    result = runner.invoke(app, ["score", str(tmp_path), "--json"])
    assert json.loads(result.stdout)[0]["rows"][0]["episodes"] == 1
    assert "half.jsonl" in result.stderr and "noise.jsonl" in result.stderr


def test_playing_by_hand_keeps_the_record(tmp_path: Path) -> None:
    record = tmp_path / "mine.jsonl"
    text = out("play", "timearena/household9", "--out", str(record), input="fold quilt\nquit\n")
    assert "Goal:" in text
    ending = text.partition("given up")[2]
    assert "\nYou had done 16% when play ended after 3 minutes; 12 were enough; greedy " in ending
    episode = read_episode(record)
    assert episode.ending is not None and episode.ending.reason == "quit"
    assert episode.header.players["agent"].name == "human"


def test_a_statement_of_beliefs_is_typed_in_one_line(tmp_path: Path) -> None:
    record = tmp_path / "mine.jsonl"
    beliefs = "Beliefs about Vada. Autonomous: 1. Dependencies: 0->1. Appliances: stove: 3"
    lines = f"?\n{beliefs}\nAction: Finish\nAction: Finish\n"
    text = out("play", "recipe2plan/Vada@knowledge=beliefs", "--out", str(record), input=lines)
    assert "state no beliefs" in text and "Appliances: stove: 3" in text
    episode = read_episode(record)
    assert episode.ending is not None and episode.ending.reason == "finish"
    assert episode.entries[0].answers["cook"].decision["beliefs"][0]["depends"] == [[0, 1]]


def test_playing_by_hand_with_json_keeps_stdout_clean_and_never_replaces_a_record(tmp_path: Path) -> None:
    record = tmp_path / "mine.jsonl"
    told = json.loads(out("play", "timearena/household9", "--out", str(record), "--json", input="quit\n"))
    assert told["ending"]["reason"] == "quit"
    before = record.read_bytes()
    assert "exists" in complaint("play", "timearena/household9", "--out", str(record))
    assert record.read_bytes() == before


def test_stopping_by_hand_keeps_the_record_too(tmp_path: Path) -> None:
    record = tmp_path / "mine.jsonl"
    result = ran("play", "timearena/household9", "--out", record, typed="fold quilt\n")
    assert result.code == 130 and "Traceback" not in result.stderr
    assert "You had done 16% when play ended after 3 minutes; 12 were enough; greedy " in result.stdout
    episode = read_episode(record)
    assert episode.ending is not None and (episode.ending.status, episode.ending.steps) == ("interrupted", 1)


def test_a_scripted_model_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "replies.txt").write_text("I will fold the quilt.\nwait\n")
    arguments = ["run", "timearena/household9", "--agent", "act", "--model", f"script:{tmp_path}/replies.txt"]
    summary = parsed(*arguments, "--out", str(tmp_path / "runs"))
    assert (summary["played"], summary["failed"]) == (1, 0)
    episode = read_episode(next((tmp_path / "runs").rglob("*.jsonl")))
    assert episode.entries[0].answers["agent"].text == "I will fold the quilt."
    assert episode.entries[0].usage["agent"].calls == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "timearena/coking1"), "cooking1"),
        (("show", "timarena/cooking1"), "timearena"),
        (("run", "timearena/pears", "--agent", "random"), "did you mean pairs?"),
        (("run", "timearena/pairs", "--agent", "gready"), "greedy"),
        (("run", "timearena/cooking1", "--agent", "act"), "--model NAME"),
        (("show", "timearena/cooking1@kit=two"), "kit"),
        (("show", "timearena/cooking1@kitt=one"), "kit"),
        (("show", "timearena/cooking1", "--rules", "relaesed"), "released"),
        (("show", "timearena/pairs"), "--stats"),
        (("show", "no/such/file.json"), "No such file"),
        (("replay", "no-such-record.jsonl"), "No such file"),
        (("score", "no-such-folder"), "no such file or folder"),
        (("solve", "timearena/"), "timearena/cooking1"),
    ],
)
def test_wrong_input_gets_one_clear_message(arguments: tuple[str, ...], message: str) -> None:
    told = complaint(*arguments)
    assert message in told
    assert len(told.strip().splitlines()) == 1


def test_odd_records_are_named_and_stop_nothing(folder: Path, tmp_path: Path) -> None:
    whole = next(folder.rglob("*oracle*/household9.seed0.jsonl")).read_text()
    odd = {
        "whole": whole,
        "rules": whole.replace('"rules":{', '"rules":{"no_such_rule":true,', 1),
        "world": whole.replace('"world":"timearena"', '"world":"nowhere"', 1),
        "empty": re.sub(r'"tasks":\[.*?\],"verbs"', '"tasks":[],"verbs"', whole, count=1),
        "score": whole.replace('"what":"score","value":', '"what":"score","value":1', 1),
    }
    for name, text in odd.items():
        (tmp_path / f"{name}.jsonl").write_text(text)
    result = runner.invoke(app, ["score", str(tmp_path), "--json"])
    assert json.loads(result.stdout)[0]["rows"][0]["episodes"] == 1
    assert [name for name in odd if f"{name}.jsonl" in result.stderr] == ["rules", "world", "empty", "score"]


def test_runs_with_other_limits_are_other_experiments(tmp_path: Path) -> None:
    for limits in ("article", "none"):
        out("run", "timearena/household9", "--agent", "serial", "--limits", limits, "--out", str(tmp_path))
    rows = parsed("score", str(tmp_path))[0]["rows"]
    assert sorted(row["agent"] for row in rows) == [
        "serial",
        "serial (errors=None, minutes=None)",
    ]


def test_what_failed_is_told_also_when_it_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing = ScriptedModel(["wait"], name="m", fail_at_call=2)
    monkeypatch.setattr("backburner.cli.agents.OpenAIClient", lambda *_, **__: failing)
    arguments = ["run", "timearena/lab1", "--agent", "act", "--model", "m", "--out", str(tmp_path)]
    for expected in ("1 episode played, 0 kept from before, 1 failed", "0 episodes played, 1 kept"):
        result = runner.invoke(app, arguments)
        assert (
            result.exit_code == 1
            and expected in result.stdout
            and "--budget retry_failed=yes" in result.stderr
        )
    assert "failed" in out("score", str(tmp_path))


def test_a_run_whose_server_is_gone_stops_with_one_line(tmp_path: Path) -> None:
    arguments = ["run", "timearena/singles", "--agent", "act", "--out", str(tmp_path)]
    arguments += ["--model", "m@base_url=http://127.0.0.1:9/v1,tries=1"]
    result = runner.invoke(app, arguments)
    assert result.exit_code == 1
    assert "stopped: m at http://127.0.0.1:9/v1: no connection (" in result.stderr
    assert "is the server running" in result.stderr
    assert "0 episodes played" in result.stdout and not list(tmp_path.rglob("*.jsonl"))


def test_outputs_that_cannot_be_written_are_one_message(folder: Path, tmp_path: Path) -> None:
    record = str(next(folder.rglob("*oracle*/household9.seed0.jsonl")))
    for arguments in (
        ("replay", record, "--svg", str(tmp_path)),
        ("report", str(folder), "--out", f"{record}/report.html"),
        ("run", "timearena/lab1", "--agent", "random", "--out", record),
    ):
        complaint(*arguments)


def test_the_page_of_a_record_whose_answers_are_no_decisions(tmp_path: Path) -> None:
    world = backburner.world("timearena/lab1")
    plan = [{"do": "nope"}, 5, None, "quit"]
    episode = backburner.play_now(world, backburner.PlanPolicy("odd", plan, informed=False))
    backburner.write_episode(episode, tmp_path / "odd.jsonl")
    out("verify", str(tmp_path / "odd.jsonl"))
    out("replay", str(tmp_path / "odd.jsonl"), "--html", str(tmp_path / "odd.html"))
    assert "nope" in (tmp_path / "odd.html").read_text()


def test_the_version_is_told() -> None:
    assert out("--version") == f"backburner {backburner.__version__}\n"


def test_a_run_that_names_no_agent_is_played_by_the_heuristic(tmp_path: Path) -> None:
    out("run", "timearena/household9", "--out", str(tmp_path))
    (record,) = tmp_path.rglob("*.jsonl")
    assert read_episode(record).header.agent == "greedy"
