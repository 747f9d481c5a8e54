"""The first screen: every agent is judged, with random play and the best known beside it."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from typer.testing import CliRunner

import backburner
from backburner.cli import app
from backburner.evaluation.report.agents import telling
from backburner.evaluation.report.page import report_templates
from backburner.evaluation.report.parts import remarks_on
from backburner.evaluation.report.verdicts import Marks, marks_of
from backburner.evaluation.scoring.failures import waits
from backburner.evaluation.scoring.scores import load, score
from backburner.evaluation.scoring.summary import summary_of
from backburner.kernel import registry
from backburner.kernel.headline import suites_of
from backburner.kernel.scoring import Estimate, mean

TIMEARENA = ("timearena/cooking1", "timearena/household1", "timearena/lab1")
KITCHENS = registry.expand("robotouille/quick")[:2]


def run(*arguments: str | Path) -> None:
    result = CliRunner().invoke(app, [*map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0, result.output


@pytest.fixture(scope="module")
def scripted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Agents of two worlds and a scripted model in a single scenario, as in the demo."""
    folder = tmp_path_factory.mktemp("demo")
    agents = [part for name in ("random", "first-legal", "greedy", "oracle") for part in ("--agent", name)]
    run("run", *TIMEARENA, *KITCHENS, *agents, "--out", folder)
    script = Path(__file__).parents[3] / "examples" / "fried-rice.txt"
    run("run", TIMEARENA[0], "--agent", "react", "--model", f"script:{script}", "--out", folder)
    run("report", folder)
    return folder


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that always waits, and nobody beside it."""
    folder = tmp_path_factory.mktemp("waiting")
    (folder / "wait.txt").write_text("wait\n")
    model = f"script:{folder / 'wait.txt'}"
    run("run", *TIMEARENA, *KITCHENS, "--agent", "act", "--model", model, "--out", folder / "runs")
    run("report", folder / "runs")
    return folder / "runs"


def first_screen(folder: Path) -> str:
    """Its words, without the tags."""
    page = (folder / "report.html").read_text()
    inside = page[page.index('<section id="summary"') : page.index('<section id="ranking"')]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", inside)).split())


def test_every_agent_is_judged_and_nobody_at_0_is_not_behind(scripted: Path) -> None:
    page = (scripted / "report.html").read_text()
    panel = page[page.index('id="fails"') : page.index('id="cost"')]
    judged = re.findall(r"<li><a [^>]*>([^<]+)</a>: ([^<]+)</li>", panel)
    words = dict(judged)
    assert set(words) == {"random", "first-legal", "greedy", "oracle"}
    assert "Robotouille: Success 0.00 %, no better than random play" in words["first-legal"]
    assert "the best known is 100.00" in words["first-legal"]
    assert words["oracle"].startswith("as good as the best known in 2 worlds")
    assert "nobody is behind" not in page


def test_random_play_and_the_best_known_stand_on_every_bar(scripted: Path) -> None:
    page = (scripted / "report.html").read_text()
    bars = re.findall(r'<span class="meter".*?</span>', page)
    assert len(bars) == 4 * 2 + 1
    assert all('<u class="random"' in bar and '<u class="best"' in bar for bar in bars)


def test_a_model_that_always_waits_reads_so(waiting: Path) -> None:
    words = first_screen(waiting)
    assert re.search(r"100 % of its decisions were waits \((\d+) of \1\)", words)
    suite = {id: one.random for each in suites_of("timearena") for id, one in each.references.items()}
    random = mean(suite[id] for id in TIMEARENA)
    told = f"AS* 0.00 %, worse than random play (random play gets {random:.2f}, the best known is 100.00)"
    assert f"TimeArena: {told}; greedy gets " in words
    assert "Robotouille: Success 0.00 %, no better than random play" in words
    assert re.search(r"5 of 5 episodes cut off", words)
    assert re.search(r"TimeArena: never begun: [a-z ]+ \(in [123] of 3\)", words)


def test_time_is_added_up_as_the_episodes_pages_tell_it(waiting: Path) -> None:
    """Of a body that waited to the end all time is waiting; in the plan's there is work."""
    page = (waiting / "report.html").read_text()
    times = page[page.index('id="times"') :]
    mine, plan = re.findall(r'<span class="stack" role="img" title="([^"]+)"', times)[:2]
    assert mine == "waited 100 %" and plan.startswith("work of the plan ")


def test_marks_are_the_runs_own_where_the_headline_has_none(tmp_path: Path) -> None:
    """Under released rules no reference counts: random and oracle of the run do, over the same scenarios."""
    agents = ("--agent", "random", "--agent", "greedy", "--agent", "oracle")
    run("run", *TIMEARENA[:2], *agents, "--rules", "released", "--out", tmp_path)
    run("run", *TIMEARENA[:2], "--agent", "greedy", "--out", tmp_path)
    (world,) = score(episode for _, episode in load(tmp_path).episodes)
    summary = summary_of(world)
    metric = telling(summary)
    rows = {row.agent: row.figures[metric.key].value for row in summary.rows if row.rules == "released"}
    marks = marks_of(world, summary, metric)
    assert marks.pop(("greedy", "standard")).greedy is not None
    assert marks.keys() == {(agent, "released") for agent in rows}
    assert set(marks.values()) == {Marks(rows["random"], rows["greedy"], rows["oracle"])}


def test_where_nothing_is_known_there_is_no_mark(tmp_path: Path) -> None:
    run("run", *TIMEARENA[:2], "--agent", "serial", "--rules", "released", "--out", tmp_path)
    (world,) = score(episode for _, episode in load(tmp_path).episodes)
    summary = summary_of(world)
    assert set(marks_of(world, summary, telling(summary)).values()) == {Marks()}
    meter = report_templates().get_template("report/parts.html.jinja").module.meter
    assert "<u" not in meter(Estimate(1.0), (0.0, 2.0), Marks())


def test_a_world_says_where_it_is_enough_never_to_idle(scripted: Path) -> None:
    """TimeArena's cooking1 takes 16 minutes, all of them the cook's own; so does no kitchen."""
    worlds = {one.world: one for one in score(episode for _, episode in load(scripted).episodes)}
    told = " ".join(remarks_on(worlds["timearena"]))
    assert re.search(r"In [123] of 3 scenarios the shortest plan takes exactly as long as the work", told)
    assert "Every agent, random play included, has AS 100.00, CR 100.00" in told
    assert not any("idle" in line for line in remarks_on(worlds["robotouille"]))


def test_an_interval_that_says_little_is_grey_and_small(scripted: Path) -> None:
    """Three scenarios tell little."""
    page = (scripted / "report.html").read_text()
    table = page[page.index('id="agents"') : page.index("</table>")]
    assert 'class="interval little"' in table and '<i class="little"' in table
    assert not re.search(r'class="interval">\[', table)


def test_a_headline_that_lacks_scenarios_says_so_in_words(scripted: Path) -> None:
    page = (scripted / "report.html").read_text()
    part = page[page.index('<section id="headline"') : page.index('<section id="over-all-worlds"')]
    assert "greedy 5 of 629" in part and "–" not in part


def test_waits_are_counted() -> None:
    """A dispatcher's that moves nobody, too; who gives up does not wait."""
    kitchen = backburner.world("cuisineworld/level_0@tau=1.5")
    silent = backburner.PlanPolicy("silent", ["noop_agent0 noop_agent1"] * 3, informed=False)
    assert waits(backburner.play_now(kitchen, silent)) == 3
    household = backburner.world("timearena/household1")
    quitter = backburner.PlanPolicy("quitter", ["wait", "wait", "quit"], informed=False)
    assert waits(backburner.play_now(household, quitter)) == 2
    played = backburner.play_now(household, backburner.RandomPolicy())
    assert waits(played) == sum(entry.events[0].kind == "wait" for entry in played.entries) > 0
