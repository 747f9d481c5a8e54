"""The page and the files beside it: the figures of ``score --json``, links, nothing that is not escaped."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import backburner
from backburner.cli import app
from support.evaluation.forged import forge

SCRIPT = "<script>alert('x')</script>"


class Cells(HTMLParser):
    """The cells of tables with what their rows and tables say of themselves; links and ids."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[dict[str, str]] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.table: dict[str, str] = {}
        self.row: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = {key.removeprefix("data-"): value or "" for key, value in attrs}
        if tag == "table":
            self.table = own
        elif tag == "tr":
            self.row = own
        elif tag == "td":
            self.found.append({**self.table, **self.row, **own})
        elif tag == "a":
            self.links.append(own["href"])
        if "id" in own:
            self.ids.append(own["id"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two worlds, a stand-in, and a player whose name and words are scripts."""
    path = tmp_path_factory.mktemp("runs")
    agents = ("--agent", "greedy", "--agent", "random", "--agent", "act", "--model", "stand-in:skill=0.5")
    run("run", "timearena/household1", "timearena/lab1", *agents, "--seeds", "2", "--out", str(path))
    run("run", "recipe2plan/quick", "--agent", "greedy", "--agent", "serial", "--out", str(path))
    plan = [SCRIPT, "quit"]
    hostile = backburner.PlanPolicy(SCRIPT, plan, informed=False)
    for id in ("timearena/household1", "timearena/lab1"):
        episode = backburner.play_now(backburner.world(id), hostile)
        backburner.write_episode(episode, path / f"odd-{id.rpartition('/')[2]}.jsonl")
    run("report", str(path))
    return path


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def page_of(folder: Path) -> str:
    return (folder / "report.html").read_text()


def data(folder: Path, name: str = "episodes") -> Any:
    text = (folder / "report-files" / f"{name}.js").read_text()
    found = re.fullmatch(rf'backburner\.receive\("{name}",(.*)\);\n', text, re.DOTALL)
    assert found
    return json.loads(found[1])


def episodes(folder: Path) -> list[dict[str, Any]]:
    table = data(folder)
    return [dict(zip(table["fields"], row, strict=True)) for row in table["rows"]]


def test_the_tables_have_exactly_the_figures_of_score(folder: Path) -> None:
    cells = Cells(page_of(folder)).found
    shown = {
        (cell["world"], cell["group"], cell["rules"], cell["agent"], cell["metric"]): tuple(
            float(cell[end]) if end in cell else None for end in ("value", "low", "high")
        )
        for cell in cells
        if "metric" in cell and "group" in cell
    }
    scores = json.loads(run("score", str(folder), "--json"))
    expected = {
        (world["world"], row["group"], row["rules"], row["agent"], key): tuple(
            None if figure["value"] is None else figure[end] for end in ("value", "low", "high")
        )
        for world in scores
        for row in world["rows"]
        for key, figure in row["figures"].items()
    }
    assert len(expected) > 50 and shown == expected


def test_the_first_screen_has_the_figures_of_the_summary(folder: Path) -> None:
    cells = [cell for cell in Cells(page_of(folder)).found if cell.get("id") == "agents" and "world" in cell]
    scores = json.loads(run("score", str(folder), "--json"))
    summaries = {
        (world["world"], row["agent"], row["rules"]): row["figures"]
        for world in scores
        for part in world["summary"]
        for row in part["rows"]
    }
    assert {(cell["world"], cell["agent"], cell["rules"]) for cell in cells} == summaries.keys()
    for cell in cells:
        figures = summaries[cell["world"], cell["agent"], cell["rules"]].values()
        assert any(
            figure["value"] == float(cell["value"]) and str(figure["low"]) == cell.get("low", "None")
            for figure in figures
        )


def test_every_link_leads_to_something(folder: Path) -> None:
    found = Cells(page_of(folder))
    anchors = {link for link in found.links if not link.startswith("#episodes")}
    assert anchors and {link[1:] for link in anchors} <= set(found.ids)
    assert len(found.ids) == len(set(found.ids)), "an id stands once on the page"
    pages = [episode["page"] for episode in episodes(folder)]
    assert len(set(pages)) == 12 + 12 + 2
    assert all((folder / "report-files" / page).is_file() for page in pages)


def test_figures_lead_to_the_episodes_that_they_are_over(folder: Path) -> None:
    row = json.loads(run("score", str(folder), "--json"))[0]["rows"][0]
    own = [
        episode
        for episode in episodes(folder)
        if all(episode[field] == row[field] for field in ("group", "rules", "agent")) and episode["counted"]
    ]
    assert len(own) == row["episodes"] > 0
    assert f"agent={row['agent']}&amp;counted=yes" in page_of(folder)


def test_what_a_stranger_wrote_is_text(folder: Path) -> None:
    page = page_of(folder)
    assert SCRIPT not in page and "&lt;script&gt;alert(" in page
    assert page.count("<script") == 3  # the colours, the facts, the page's own
    assert SCRIPT not in (folder / "report-files" / "progress-timearena.js").read_text()
    for transcript in (folder / "report-files" / "episodes").glob("*.html"):
        assert SCRIPT not in transcript.read_text()


def test_nothing_outside_is_loaded(folder: Path) -> None:
    page = page_of(folder)
    policy = unescape(re.findall('Content-Security-Policy" content="(.*?)"', page)[0])
    assert "default-src 'none'" in policy and "'unsafe-inline'" not in policy.partition("style-src")[0]
    assert not re.findall(r"""(?:src|href|action)=["'](?:https?:)?//""", page)
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "") and "https://" not in page


def test_a_stand_in_is_never_taken_for_a_model(folder: Path) -> None:
    row = page_of(folder).partition('<tr data-agent="act(stand-in:skill=0.5)"')[2].partition("</tr>")[0]
    assert "stand-in, no model" in row
    assert "stand-in:skill=0.5 is no model" in page_of(folder)


def test_a_shorter_report_leaves_no_pages_of_a_longer_one(folder: Path, tmp_path: Path) -> None:
    odd = next(folder.glob("odd-*.jsonl"))
    stranger = tmp_path / "report-files" / "episodes" / "mine.html"
    run("report", str(folder), "--out", str(tmp_path / "report.html"))
    stranger.write_text("kept")
    (tmp_path / "runs").mkdir()
    forge(odd, lambda objects: None, tmp_path / "runs" / "one.jsonl")
    run("report", str(tmp_path / "runs"), "--out", str(tmp_path / "report.html"))
    names = {file.name for file in stranger.parent.glob("*.html")}
    assert names == {"0001.html", "mine.html"}
    assert len(episodes(tmp_path)) == 1


def test_a_page_that_goes_into_a_stream_has_no_files_beside_it(folder: Path) -> None:
    command = [sys.executable, "-m", "backburner", "report", str(folder), "--out", "/dev/stdout"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("<!doctype html>") and "written to a stream" in done.stdout
    assert not Path("/dev/stdout-files").exists()
