"""Cross-play by hand: two agents that know each other's ways by heart, and one that plays with anybody."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from backburner.agents.spec import AgentSpec
from backburner.evaluation.comparing.cross_play import (
    CrossPlay,
    Meeting,
    cross_play_section,
    cross_plays,
    estimated,
    heatmap,
)
from backburner.evaluation.running.jobs import Job, crossed, crossed_jobs
from backburner.evaluation.running.runner import run
from backburner.evaluation.scoring.scores import COUNTING, WorldScores, load, score
from backburner.kernel.episode import Player
from backburner.kernel.errors import Refused
from backburner.kernel.scoring import Measured
from support.evaluation.made_episodes import made
from support.evaluation.samples import SCORE, TIME

SEATS = ("left", "right")


def meeting(names: str, figures: Iterable[float], seats: tuple[str, ...] = SEATS) -> list[Measured]:
    """The episodes of a team, one name for each seat, a figure for each scenario."""
    players = {seat: Player(name) for seat, name in zip(seats, names.split(), strict=True)}
    return [(made(scenario=f"s{n}", players=players), {"x": figure}) for n, figure in enumerate(figures)]


def world_of(rows: Iterable[Measured], metric=SCORE) -> WorldScores:
    """Of a world whose scoring names no main metrics, so that its only one is."""
    return WorldScores("timearena", "Tea", (metric,), (), (), (), tuple(rows), (), counting=COUNTING)


def found_in(rows: Iterable[Measured], metric=SCORE) -> CrossPlay:
    (found,) = cross_plays(world_of(rows, metric))
    return found


WORKED = {"a a": (80, 100), "a b": (10, 30), "b a": (30, 50), "b b": (60, 60)}
"""Row by row: who plays left and right, the figures of two scenarios."""


def worked() -> list[Measured]:
    return [row for names, figures in WORKED.items() for row in meeting(names, figures)]


def test_a_worked_example() -> None:
    """a with itself: (80 + 100) / 2 = 90. a left of b: 20, right of b: 40; so a's cross-play is 30 and its
    gap 90 - 30 = 60. b is left in a's episodes on the right: 40, and right: 20; 30 as well, and 60 - 30 = 30.
    Together 75 and 30, gap 45. With b as partner a has 30 and b itself 60: the best response to b is b,
    by 30; to a it is a, by 90 - 30 = 60."""
    found = found_in(worked())
    assert (found.agents, found.over, found.drawn) == (("a", "b"), 2, "scenarios")
    a, b = found.standings
    assert [a.self_play.value, a.cross_play.value, a.gap.value] == [90, 30, 60]
    assert [b.self_play.value, b.cross_play.value, b.gap.value] == [60, 30, 30]
    assert {seat: one.value for seat, one in a.by_seat.items()} == {"left": 20, "right": 40}
    assert {seat: one.value for seat, one in b.by_seat.items()} == {"left": 40, "right": 20}
    mean = found.overall
    assert [mean.self_play.value, mean.cross_play.value, mean.gap.value] == [75, 30, 45]
    best = [(one.partners, one.agent, one.figure.value, one.lead.value) for one in found.responses]
    assert best == [("a", "a", 90, 60), ("b", "b", 60, 30)]
    meetings = {(one.agent, one.seat, one.partners): one.figure.value for one in found.meetings}
    assert meetings == {
        ("a", "left", "a"): 90, ("a", "right", "a"): 90, ("b", "left", "b"): 60, ("b", "right", "b"): 60,
        ("a", "left", "b"): 20, ("b", "right", "a"): 20, ("b", "left", "a"): 40, ("a", "right", "b"): 40,
    }  # fmt: skip
    assert all(one.episodes == 2 for one in found.meetings)


def test_where_less_is_better_the_gap_and_the_best_response_are_turned_around() -> None:
    """With itself a takes 10 minutes, b 20; together 30 either way: the gaps are 20 and 10."""
    teams = {"a a": (10, 10), "a b": (30, 30), "b a": (30, 30), "b b": (20, 20)}
    rows = [row for names, own in teams.items() for row in meeting(names, own)]
    found = found_in(rows, TIME)
    assert [one.gap.value for one in found.standings] == [20, 10]
    assert [(one.agent, one.lead.value) for one in found.responses] == [("a", 20), ("b", 10)]
    assert not heatmap(found).higher_is_better


def test_the_heatmap_has_the_first_seat_in_rows() -> None:
    chart = heatmap(found_in(worked()))
    assert (chart.row, chart.column, chart.rows) == ("left", "right", ("a", "b"))
    assert chart.cells == ((90, 20), (40, 60))


def test_the_section_says_it_in_rows() -> None:
    section = cross_play_section(found_in(worked()))
    assert [row[0] for row in section.rows] == ["a", "b", "mean"]
    assert section.columns == (
        "agent", "self-play", "cross-play", "gap", "as left", "as right", "best response to it", "lead",
    )  # fmt: skip
    assert section.rows[1][1] == "60.00" and section.rows[1][6] == "b 60.00"
    assert "means over 2 scenarios" in section.text


THREE = ("one", "two", "three")


def test_with_three_seats_an_agent_plays_each_seat_among_two_of_the_other() -> None:
    """a among two bs gets 10, 20, 30 by its seat: 20 in the mean. b among two as gets 50 in each seat."""
    teams = {"a a a": 90, "b b b": 60, "a b b": 10, "b a b": 20, "b b a": 30}
    teams |= dict.fromkeys(("b a a", "a b a", "a a b"), 50)
    rows = [row for names, value in teams.items() for row in meeting(names, (value, value), THREE)]
    rows += meeting("a b c", (0, 0), THREE) + meeting("c c c", (0, 0), THREE)  # c is no one's partner
    found = found_in(rows)
    assert found.agents == ("a", "b")
    assert [one.cross_play.value for one in found.standings] == [20, 50]
    assert found.standings[0].by_seat["three"].value == 30
    chart = heatmap(found)
    assert chart.cells == ((90, 20), (50, 60))
    assert chart.column == "partners in all other seats"


def test_teams_are_compared_over_what_all_of_them_have_finished() -> None:
    """The third scenario, in which only a with itself has played, says nothing."""
    found = found_in([*worked(), *meeting("a a", (80, 100, 0))[2:]])
    assert (found.over, found.standings[0].self_play.value) == (2, 90)


def test_of_one_scenario_seeds_are_drawn() -> None:
    rows: list[Measured] = []
    for names, own in WORKED.items():
        players = dict(zip(SEATS, map(Player, names.split()), strict=True))
        rows += [(made(seed=n, players=players), {"x": figure}) for n, figure in enumerate(own)]
    found = found_in(rows)
    assert (found.drawn, found.over) == ("seeds", 2)
    crossed_a = found.standings[0].cross_play
    assert (crossed_a.value, crossed_a.method) == (30, "bootstrap") and crossed_a.low is not None


def test_players_of_one_name_are_told_apart_by_their_settings() -> None:
    skills = {
        "a": Player("learned", settings={"skill": "high"}),
        "b": Player("learned", settings={"skill": "low"}),
    }
    rows: list[Measured] = []
    for names, own in WORKED.items():
        players = {seat: skills[name] for seat, name in zip(SEATS, names.split(), strict=True)}
        rows += [(made(scenario=f"s{n}", players=players), {"x": x}) for n, x in enumerate(own)]
    assert found_in(rows).agents == ("learned (skill=high)", "learned (skill=low)")


@pytest.mark.parametrize("teams", [("a a", "b b"), ("a b", "b a"), ("a a", "a b"), ("a a",)])
def test_without_both_there_is_no_cross_play(teams: tuple[str, ...]) -> None:
    assert cross_plays(world_of(row for names in teams for row in meeting(names, (1, 2)))) == []


def test_what_was_not_played_has_no_figure_and_spoils_no_mean() -> None:
    """b was never left of a: a has one seat with b, b one with a, and nobody a best response."""
    found = found_in([row for names in ("a a", "a b", "b b") for row in meeting(names, WORKED[names])])
    a, b = found.standings
    assert (a.cross_play.value, a.by_seat["right"].value) == (20, None)
    assert (b.cross_play.value, b.by_seat["left"].value) == (20, None)
    assert found.responses == () and heatmap(found).cells == ((90, 20), (None, 60))
    assert "–" in cross_play_section(found).rows[0]


def test_an_interval_holds_the_mean_and_always_comes_out_alike() -> None:
    values = [float(n % 7) for n in range(40)]
    one, two = estimated(values), estimated(values)
    assert one == two and one.method == "bootstrap"
    assert one.value is not None and one.low is not None and one.high is not None
    assert 0 < one.low < one.value < one.high < 6
    assert estimated([1.0]).method == "one" and estimated([2.0, 2.0]).low is None


def test_intervals_cover_the_mean_about_as_often_as_they_say() -> None:
    """400 samples of 8 normal numbers: between 91 and 97 of a hundred intervals hold 0. Taken as they are,
    the percentiles hold it in 88."""
    import numpy

    draws = numpy.random.default_rng(4).normal(size=(400, 8))
    ends = [estimated(list(map(float, row))) for row in draws]
    held = sum(one.low <= 0 <= one.high for one in ends)  # type: ignore[operator]
    assert 0.91 <= held / 400 <= 0.97


# --- playing -----------------------------------------------------------------------------------------------


def jobs_of(scenario: str, *names: str, seeds: int = 1) -> list[Job]:
    return crossed_jobs([scenario], [AgentSpec(name) for name in names], seeds, "standard", "article")


def labels(names: Iterable[str], n_seats: int) -> list[str]:
    return [spec.label for spec in crossed([AgentSpec(name) for name in names], n_seats)]


def test_two_seats_make_all_ordered_pairs() -> None:
    assert labels(["greedy", "random"], 2) == ["greedy", "random", "greedy+random", "random+greedy"]
    assert len(labels(["greedy", "random", "serial"], 2)) == 9


def test_three_seats_make_each_agent_in_each_seat_among_two_of_another() -> None:
    found = labels(["greedy", "random"], 3)
    assert found[:2] == ["greedy", "random"]
    assert set(found[2:]) == {
        "greedy+random+random", "random+greedy+random", "random+random+greedy",
        "random+greedy+greedy", "greedy+random+greedy", "greedy+greedy+random",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["greedy"], "at least two"),
        (["greedy", "greedy"], "at least two"),
        (["greedy", "greedy+random"], "is a team"),
    ],
)
def test_what_cannot_be_crossed_is_refused(names: list[str], why: str) -> None:
    with pytest.raises(Refused, match=why):
        crossed_jobs(
            ["collab_overcooked/quick"], [AgentSpec(name) for name in names], 1, "standard", "article"
        )


def test_a_single_seat_is_refused() -> None:
    with pytest.raises(Refused, match="timearena/cooking1 has one seat, agent"):
        crossed_jobs(
            ["timearena/cooking1"], [AgentSpec("greedy"), AgentSpec("random")], 1, "standard", "article"
        )


def test_episodes_are_ordinary_records_that_are_kept(tmp_path: Path) -> None:
    """Both orders of the seats and both alone; those alone are what a run without crossing plays."""
    jobs = jobs_of("cuisineworld/level_0@seats=each,tau=1.5", "greedy", "random", seeds=2)
    assert len(jobs) == 8
    assert run(jobs[:3], tmp_path).played == 3
    summary = run(jobs, tmp_path)
    assert (summary.played, summary.kept) == (5, 3)
    (scored,) = score(episode for _, episode in load(tmp_path).episodes)
    found = {one.metric: one for one in cross_plays(scored)}["CoS"]
    assert (found.seats, found.agents) == (("agent0", "agent1"), ("greedy", "random"))
    greedy, random = found.standings
    assert greedy.self_play.value > greedy.cross_play.value >= random.self_play.value  # type: ignore[operator]
    assert [meeting.episodes for meeting in found.meetings] == [2] * 8
    assert isinstance(found.meetings[0], Meeting)
