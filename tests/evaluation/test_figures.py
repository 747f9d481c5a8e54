"""The articles' figures over what was played: each shows what the tables and numbers say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import backburner
from backburner.drawing.charts import Bars, Box, Boxes, Stacks, Traces
from backburner.evaluation.figures import all_figures, figures_of
from backburner.evaluation.figures.progress import one_of_each, progress
from backburner.evaluation.figures.values import Chart, Figure, Panel, drawn
from backburner.evaluation.figures.writing import write_figures
from backburner.evaluation.scores import Row, WorldScores, score
from backburner.evaluation.statistics import Estimate
from backburner.kernel import registry
from backburner.kernel.scoring import Measured, Section
from backburner.worlds.collab_overcooked.metrics import figures as collab_overcooked
from backburner.worlds.recipe2plan.metrics import figures as recipe2plan
from backburner.worlds.robotouille.metrics import figures as robotouille
from backburner.worlds.timearena.metrics import figures as timearena
from support.made_episodes import made
from support.policies import Answers


def tables(world: str, *sections: Section, rows: Sequence[Row] = ()) -> WorldScores:
    """Scores of a world with these analyses, its own metrics and its published rows."""
    scoring = registry.scoring(world)
    metrics, published = tuple(scoring.metrics), tuple(scoring.published)
    return WorldScores(world, world, metrics, tuple(rows), published, (), (), sections)


def section(title: str, rows: Sequence[Mapping[str, Any]]) -> Section:
    return Section(title, "", tuple(rows[0]), tuple(tuple(row.values()) for row in rows))


def told(figure: Figure) -> str:
    """Everything that the pictures of a figure say to those who cannot see them."""
    pictures = (ET.fromstring(panel.svg) for panel in figure.panels)
    return " | ".join(picture.findtext("{http://www.w3.org/2000/svg}desc") or "" for picture in pictures)


def by_key(figures: Any) -> dict[str, Figure]:
    return {figure.key: figure for figure in figures}


# --- TimeArena -------------------------------------------------------------------------------------


def test_actions_are_stacked_as_the_table_has_them() -> None:
    shares = dict.fromkeys(timearena.ACTION_TYPES, 0.0) | {"valid": 60.0, "dependency": 40.0}
    world = tables("timearena", section("What the agents did", [{"agent": "greedy", **shares}]))
    (figure,) = timearena.figures(world)
    assert told(figure) == "% of decisions. greedy: valid 60, dependency 40"


def test_own_kits_stand_beside_one_kit_for_each_metric() -> None:
    row = {
        "agent": "greedy",
        "metric": "AS",
        "pairs": 2,
        "own kits": 90.0,
        "one kit": 70.5,
        "difference": -19.5,
    }
    world = tables("timearena", section("With and without the kit limit", [row, {**row, "metric": "CT"}]))
    figure = by_key(timearena.figures(world))["figure-4"]
    assert [panel.title for panel in figure.panels] == [
        "AS, average progress score",
        "CT, average completion time",
    ]
    assert told(figure).startswith("%. greedy, own kits: 90; greedy, one kit: 70.5 | ")


def test_tables_that_figures_are_made_of_have_their_titles() -> None:
    """A played episode gives the figure: the analyses' titles and columns are those that are looked for."""
    id = "timearena/household9"
    episode = backburner.play_now(backburner.world(id), backburner.FirstLegalPolicy())
    (world,) = score([episode])
    assert set(by_key(figures_of(world))) == {"figure-3"}
    assert {figure.key for figure in all_figures(world)} == {"figure-3", "progress"}


# --- Recipe2Plan -----------------------------------------------------------------------------------


def row(group: str, agent: str, value: float) -> Row:
    metrics = registry.scoring("recipe2plan").metrics
    return Row(
        group, "standard", agent, 1, 0, {m.key: Estimate(value, value - 1, value + 1) for m in metrics}
    )


GOLD = "with time constraints, truth told"


def test_the_article_s_priorities_stand_beneath_ours() -> None:
    figure = by_key(recipe2plan.figures(tables("recipe2plan", rows=[row(GOLD, "greedy", 40.0)])))["figure-3"]
    success, *_ = told(figure).split(" | ")
    assert "greedy: 40 [39, 41]" in success
    assert "GPT-4o (ReAct + Oracle), article: 27.7" in success
    assert "GPT-4o (ReAct + Oracle, feasibility first), article: 49.2" in success


def test_hints_are_drawn_where_they_were_given() -> None:
    plain, hinted = row(GOLD, "greedy", 40.0), row(f"{GOLD}, hints", "greedy", 60.0)
    assert "figure-4" not in by_key(recipe2plan.figures(tables("recipe2plan", rows=[plain])))
    figure = by_key(recipe2plan.figures(tables("recipe2plan", rows=[plain, hinted])))["figure-4"]
    assert f"{GOLD}, hints, greedy: 60 [59, 61]" in told(figure)
    assert "feasibility first" not in told(figure)


def test_settings_have_a_picture_each() -> None:
    shares = dict.fromkeys(recipe2plan.COLUMNS, 0.0) | {"valid": 80.0, "Dependency": 20.0}
    rows = [{"agent": "a", "setting": setting, **shares} for setting in ("lags on", "lags on, gold")]
    figure = by_key(recipe2plan.figures(tables("recipe2plan", section("What the agents did", rows))))[
        "figure-5"
    ]
    titles = [panel.title for panel in figure.panels]
    assert titles == ["What the agents did: lags on", "What the agents did: lags on, gold"]


# --- Robotouille -----------------------------------------------------------------------------------


def kitchens(*measures: dict[str, float], task: str = "synchronous/1") -> list[Measured]:
    found: list[Measured] = []
    for number, numbers in enumerate(measures):
        episode = made("greedy", f"{task}@seed={number}")
        episode.header.scenario.update(task=task, problem={"players": ["robot1"]})
        found.append((episode, numbers))
    return found


def robot_charts(rows: Sequence[Measured]) -> dict[str, str]:
    world = WorldScores("robotouille", "", (), (), (), (), tuple(rows), ())
    return {key: told(figure) for key, figure in by_key(robotouille.figures(world)).items()}


def test_successes_fall_into_bins_beside_what_is_printed() -> None:
    """One of two successes is optimal: 50 %. The article has 55.3 % of its synchronous ones."""
    done = {"success": 1.0, "repeated": 0.0}
    charts = robot_charts(kitchens({**done, "optimality": 1.0}, {**done, "optimality": 1.2}))
    assert "1, greedy, synchronous: 50" in charts["figure-3"]
    assert "(1, 1.25], greedy, synchronous: 50" in charts["figure-3"]
    assert "1, gpt4-o ReAct, synchronous, article: 55.3" in charts["figure-3"]
    assert "asynchronous" not in charts["figure-3"].replace("synchronous, article", "")


def test_failures_are_divided_by_family_with_the_article_s_counts_beneath() -> None:
    """Of 53 printed failures 34 misunderstand the goal: 64.2 %; 13 put two items at a station."""
    lost = {"success": 0.0, "repeated": 2.0}
    charts = robot_charts(kitchens({**lost, "failure: goal": 1.0}, {**lost, "failure: open": 1.0}))
    assert "greedy, synchronous (2): goal 50, open 50" in charts["figure-5"]
    article = charts["figure-5"].split("; ")[-1]
    assert article.startswith("gpt4-o ReAct, synchronous, article") and "goal 64.2" in article
    assert "transition: station 24.5" in article
    assert "figure-7" not in charts


def test_repetition_is_spread_as_quartiles() -> None:
    charts = robot_charts(kitchens(*({"success": 0.0, "repeated": float(n)} for n in range(5))))
    assert charts["figure-6"].endswith(
        "greedy, synchronous, failure: median 2, quartiles 1 and 3, 0 to 4, n = 5"
    )


def test_the_first_asynchronous_tasks_are_drawn_by_themselves() -> None:
    lost = {"success": 0.0, "repeated": 0.0, "failure: open": 1.0}
    rows = [*kitchens(lost, task="asynchronous/2"), *kitchens(lost, lost, task="asynchronous/9")]
    charts = robot_charts(rows)
    assert "greedy, asynchronous (3)" in charts["figure-5"]
    assert charts["figure-7"] == "% of failures. greedy, asynchronous (1): open 100"


# --- Collab-Overcooked -----------------------------------------------------------------------------


def outcome(agent: str, level: str, both: int, neither: int, share: float) -> dict[str, Any]:
    counts = dict.fromkeys(collab_overcooked.OUTCOMES, 0) | {"both": both, "neither": neither}
    start = {"agent": agent, "level": level, "reading": "required", "collaborations": both + neither}
    return {**start, **counts, "IC": share, "RC": "–"}


def test_levels_make_lines_and_outcomes_make_stacks() -> None:
    rows = [outcome("greedy", "1", 3, 1, 75.0), outcome("greedy", "all", 3, 1, 75.0)]
    rows.append({**rows[0], "reading": "released", "IC": 10.0})
    world = tables("collab_overcooked", section("Outcomes of collaborations", rows))
    figures = by_key(collab_overcooked.figures(world))
    assert (
        told(figures["figure-3"]) == "% of required collaborations over level. greedy: 75 at 1"
    )  # RC: dashes
    assert "level 1 (4): both 75, neither 25; all (4)" in told(figures["figure-5"])


def test_success_over_gamma_leaves_out_what_is_not_known() -> None:
    shares = {"1": 0.0, "1.1": 0.0, "1.25": 50.0, "1.5": 100.0, "1.75": "–", "2": "–", "2.5": "–", "3": "–"}
    rows = [{"agent": "greedy", "level": "2", "episodes": 2, **shares}]
    world = tables("collab_overcooked", section("Success over gamma, least steps", rows))
    (figure,) = collab_overcooked.figures(world)
    assert told(figure).endswith("level 2: 0 at 1, 0 at 1.1, 50 at 1.25, 100 at 1.5")


def test_requests_that_failed_are_divided_by_kind() -> None:
    rows = [
        {"agent": "a", "level": "3", "asked": 8, "failed": 2, "premature": 1, "repeated": 1, "irrelevant": 0}
    ]
    (figure,) = collab_overcooked.figures(tables("collab_overcooked", section("Failed requests", rows)))
    assert told(figure).endswith("level 3 (8): brought forward 75, premature 12.5, repeated 12.5")


def test_people_are_drawn_beside_agents_and_only_where_somebody_played() -> None:
    def played(agent: str, success: float) -> Measured:
        return made(agent, "order"), {"level": 2.0, "success": success, "PC": success}

    agents = (played("greedy", 0.0),)
    world = tables("collab_overcooked")
    scores = {
        name: WorldScores(world.world, "", world.metrics, (), (), (), rows, ())
        for name, rows in (("without", agents), ("with", (*agents, played("human", 1.0))))
    }
    assert "figure-4" not in by_key(collab_overcooked.figures(scores["without"]))
    success = told(by_key(collab_overcooked.figures(scores["with"]))["figure-4"]).split(" | ")[0]
    assert success == "%. level 2, greedy: 0; level 2, human: 100"


# --- all -------------------------------------------------------------------------------------------


def test_a_world_without_figures_has_none() -> None:
    assert figures_of(WorldScores("tea", "", (), (), (), (), (), ())) == []


def test_every_kind_of_chart_is_drawn() -> None:
    charts: tuple[Chart, ...] = (
        Bars("bars", "", ()),
        Stacks("stacks", "", (), ()),
        Boxes("boxes", "", (Box("a", 1, 2, 3, 4, 5, 6),)),
        Traces("lines", "", "", ()),
    )
    assert [drawn(chart).title for chart in charts] == ["bars", "stacks", "boxes", "lines"]


def test_each_picture_is_a_file_of_its_own_name(tmp_path: Path) -> None:
    panel = Panel("Success: level 1 / α", "<svg/>")
    one, several = Figure("figure-1", "", "", (panel,)), Figure("figure-2", "", "", (panel, panel))
    written = write_figures([("tea", one), ("tea", several)], tmp_path)
    assert [str(path.relative_to(tmp_path)) for path in written] == [
        "tea/figure-1.svg",
        "tea/figure-2-success-level-1.svg",
        "tea/figure-2-success-level-1-2.svg",
    ]
    assert written[0].read_text().startswith("<?xml") and ET.parse(written[0]).getroot().tag == "svg"


def test_scores_over_time_are_drawn_where_somebody_scored() -> None:
    id = "timearena/household9"
    idle = backburner.play_now(backburner.world(id), Answers("wait"))
    busy = backburner.play_now(backburner.world(id), backburner.FirstLegalPolicy())
    assert list(progress([idle])) == []
    (panel,) = progress([idle, busy])
    assert panel.title == f"{id} · standard"


def test_the_first_episode_of_each_agent_and_scenario_is_drawn() -> None:
    first, again, other, elsewhere = made("two"), made("two", seed=1), made("one"), made("one", "b")
    assert one_of_each([elsewhere, first, again, other]) == [other, first, elsewhere]
