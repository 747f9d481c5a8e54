"""Curves of speed: worked examples of what they say, and curves of small runs of stand-ins."""

from __future__ import annotations

from functools import cache
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from msgspec import to_builtins

from backburner.agents.models.client import ModelClient
from backburner.agents.models.stand_in import stand_in_named
from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec, Endpoint
from backburner.drawing.charts import chart_svg
from backburner.evaluation.comparing.as_slow import as_slow_as, span_of, stale
from backburner.evaluation.comparing.headline_tables import headlines_of, remarks
from backburner.evaluation.comparing.latency import Place, area, crossing, curves, tokens_a_beat
from backburner.evaluation.comparing.latency_tables import (
    latency_chart,
    latency_section,
    place_text,
    places_section,
    sentences,
)
from backburner.evaluation.report.page import write_report
from backburner.evaluation.running.clocks import clocked
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.running.runner import run
from backburner.evaluation.scoring.scores import Records, WorldScores, load, score
from backburner.evaluation.submissions.leaderboard import UNRANKED
from backburner.evaluation.submissions.submission import CLOCKED
from backburner.evaluation.submissions.submitting import marks_of
from backburner.evaluation.tables.export import Export
from backburner.evaluation.tables.figures import figures_of
from backburner.evaluation.tables.rows import SPEEDS
from backburner.kernel import registry
from backburner.kernel.clock import Profile, Timing
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now
from backburner.kernel.policy import JointPlanPolicy


def test_the_area_is_the_mean_height_between_the_ends() -> None:
    """From 1 to 2 the mean is 30, from 2 to 4 it is 60: (1 * 30 + 2 * 60) / 3 = 50."""
    assert area([1, 2, 4], [20, 40, 80]) == 50
    assert area([3], [7]) == 7


@pytest.mark.parametrize(
    ("above", "place"),
    [
        ((-30, -10, 10), 2.5),  # half of the way from -10 to 10
        ((-30, 0, 10), 2.0),
        ((5, -10, 30), 2.25),  # what was above before does not count
        ((0, 0, 1), -inf),
        ((3, 2, -1), inf),
    ],
)
def test_a_curve_passes_something_where_it_stays_above(above: tuple[float, ...], place: float) -> None:
    assert crossing([1, 2, 3], above) == place


def test_places_are_told_with_their_intervals() -> None:
    assert place_text(Place(1200.0, 900.0, 12_345.0)) == "1,200 [900, 12.3k]"
    assert place_text(Place(-inf, -inf, -inf)) == "always"
    assert place_text(Place(inf, 900.0, inf)) == "never [900, never]"
    assert place_text(None) == "–"


def test_speeds_are_told_in_tokens_a_beat() -> None:
    """TimeArena has a beat of two minutes: 80 tokens a second are 9,600, at pace 10 a tenth of that."""
    world = registry.world("timearena/cooking1")

    def of(timing: Timing) -> float | None:
        return tokens_a_beat(timing.bound(world), world)

    assert of(Timing(speed="80")) == 9600
    assert of(Timing(speed="80", pace="10")) == 960
    assert of(Timing(speed="250/minute")) == 500
    assert of(Timing(speed="500/beat")) == 500
    assert of(Timing(profile=Profile("mine", decode="80", first="3"))) == 9600
    assert of(Timing("latency")) is None


def client_of(endpoint: Endpoint) -> ModelClient:
    return stand_in_named(endpoint.model)


@cache
def played() -> Records:
    """Two scenarios at three speeds and without a clock; a token takes 20 s, 5 s, a twentieth."""
    timings = [*(Timing(speed=speed) for speed in ("0.05", "0.2", "20")), None]
    agents = [AgentSpec("act", "stand-in:skill=1"), AgentSpec("greedy")]
    jobs = jobs_of(["timearena/cooking1", "timearena/cooking2"], agents, 1, "standard", "article")
    with TemporaryDirectory() as folder:
        run(clocked(jobs, timings), Path(folder), client_of=client_of)
        return load(Path(folder))


@cache
def scored() -> WorldScores:
    (world,) = score(episode for _, episode in played().episodes)
    return world


def test_a_stand_in_without_slips_is_greedy_as_slow_as_itself() -> None:
    """So all that it loses is the cost of time, and it is as good as greedy where it loses nothing."""
    (curve,) = curves(scored())
    assert [speed.tokens for speed in curve.speeds] == [6, 24, 2400, inf]
    assert [speed.name for speed in curve.speeds] == ["0.05", "0.2", "20", "∞"]
    for speed in curve.clocked:
        assert speed.score.value == pytest.approx(speed.slow.value)
        assert speed.best is not None
        assert speed.score.value is not None
        assert speed.score.value <= speed.best + 1  # thoughts are shorter or longer than their mean
        assert (speed.stale, speed.infeasible) == (0, 0)
    first, *_, last = curve.clocked
    assert first.charge == pytest.approx(400 * last.charge, rel=0.1)
    assert first.silent > last.silent
    assert curve.break_even is not None
    assert 6 < curve.break_even.tokens < inf


def test_tables_chart_and_sentence_say_that_it_is_a_stand_in() -> None:
    found = curves(scored())
    told = (
        latency_section(found).title,
        places_section(found).title,
        latency_chart(found).title,
        *sentences(found),
    )
    assert all("stand-ins, no models" in each for each in told)
    assert "is worth asking instead of greedy from" in told[-1]
    picture = chart_svg(latency_chart(found))
    assert "at ∞" in picture
    assert [row[1] for row in latency_section(found).rows] == ["0.05", "0.2", "20", "∞"]


def test_who_plays_without_a_clock_alone_has_no_curve() -> None:
    world = scored()
    untimed = [row for row in world.measured if row[0].header.clock is None]
    (alone,) = score(episode for episode, _ in untimed)
    assert curves(alone) == []


def test_what_was_charged_is_charged_again_and_fills_the_time() -> None:
    """cooking1 with one decision of two minutes: all of the time is thought, if nothing else takes any."""
    world = registry.world("timearena/cooking1")
    slow = Timing("latency").bound(world, {"agent": "120"})
    episode = play_now(world, JointPlanPolicy("plan", [{"agent": "wait"}] * 3), clock=slow)
    assert [*episode.charges("agent")][:3] == [120_000_000] * 3
    assert as_slow_as(episode).charges["agent"][:3] == (120_000_000,) * 3
    span = span_of(episode)
    assert span.charge <= span.time


def test_what_is_wrong_from_the_beginning_is_no_stale_decision() -> None:
    world = registry.world("timearena/cooking1")
    slow = Timing("latency").bound(world, {"agent": "120"})
    episode = play_now(world, JointPlanPolicy("plan", [{"agent": "fry nonsense in fryer"}] * 3), clock=slow)
    assert any(entry.refusals for entry in episode.entries)
    assert stale(episode) == 0


def test_a_decision_that_came_too_late_is_stale() -> None:
    """Two seconds a thought: the one thing that is refused here would have been done when it was asked."""
    world = registry.world("clocked_kitchen/level_3@tau=1.5")
    slow = Timing("latency").bound(world, dict.fromkeys(world.seats, "2"))
    episode = play_now(world, make_policies(AgentSpec("greedy"), world), clock=slow)
    assert [len(entry.refusals) for entry in episode.entries if entry.refusals] == [1]
    assert stale(episode) == 1


def test_a_stand_in_pretends_to_think_hidden_tokens_for_a_clock() -> None:
    """500 tokens and at least a word, at 5 a second: at least 100.2 s a thought."""
    agent = AgentSpec("act", "stand-in:skill=1,hidden=500")
    jobs = clocked(jobs_of(["timearena/cooking1"], [agent], 1, "standard", "article"), [Timing(speed="5")])
    with TemporaryDirectory() as folder:
        run(jobs, Path(folder), client_of=client_of)
        ((_, episode),) = load(Path(folder)).episodes
    assert 100_200_000 <= min(episode.charges("agent")) < 110_000_000
    assert stand_in_named("stand-in:hidden=500").name == "stand-in:skill=0.7,hidden=500"
    with pytest.raises(Refused, match="hidden is a number of tokens"):
        stand_in_named("stand-in:hidden=-1")


def test_curves_are_exported_as_a_table_and_a_figure() -> None:
    export = Export((scored(),), ())
    rows = [to_builtins(row) for row in export.rows(SPEEDS)]
    assert [row["tokens_a_beat"] for row in rows] == [6, 24, 2400, None]
    assert rows[0]["value"] == rows[0]["as_slow"] < rows[0]["greedy"]
    assert next(figure.key for _, figure in figures_of([scored()])) == "speed"


def test_play_under_a_clock_is_marked_in_submissions_and_named_in_headlines() -> None:
    episodes = [episode for episode, _ in scored().measured]
    timed = [episode for episode in episodes if episode.header.clock is not None]
    untimed = [episode for episode in episodes if episode.header.clock is None]
    assert CLOCKED in list(marks_of(timed))
    assert CLOCKED not in list(marks_of(untimed))
    assert CLOCKED in UNRANKED
    found, _ = headlines_of([scored()])
    assert {one.agent for one in found} >= {"greedy", "act(stand-in:skill=1) @20"}
    assert any("thinking took time" in line for line in remarks(found))


def test_scripts_with_a_latency_have_a_curve_of_their_own() -> None:
    """A beat of TimeArena is two minutes: a decision of a minute is two a beat."""
    agents = [AgentSpec(name) for name in ("greedy", "greedy@latency=60", "greedy@latency=240")]
    jobs = jobs_of(["timearena/cooking1", "timearena/cooking2"], agents, 1, "standard", "article")
    with TemporaryDirectory() as folder:
        run(jobs, Path(folder))
        (world,) = score(episode for _, episode in load(Path(folder)).episodes)
    (curve,) = curves(world)
    assert (curve.agent, curve.axis, curve.stand_in) == ("greedy", "latency", False)
    assert [(speed.tokens, speed.name) for speed in curve.speeds] == [(0.5, "240 s"), (2, "60 s"), (inf, "∞")]
    assert [*sentences([curve])] == []
    assert [text for _, text in latency_chart([curve]).ticks] == ["240", "60", "0"]
    assert latency_section([curve]).title == "Score by latency"


def test_the_report_has_the_chart_open_and_says_the_sentence(tmp_path: Path) -> None:
    page = write_report(played(), [scored()], tmp_path / "report.html", tmp_path).read_text()
    part = page.partition('id="timearena-score-by-speed-stand-ins-no-models"')[2]
    assert part.startswith(" open>")
    assert "is worth asking instead of greedy from" in part
    assert "AS* by speed, timearena (stand-ins, no models)" in part
