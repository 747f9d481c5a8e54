"""The collaboration score and the released reward, with their arithmetic."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from backburner.kernel.episode import Episode
from backburner.kernel.scoring import Measures
from backburner.worlds.cuisineworld.game.scenarios import TAUS, evaluated, levels
from backburner.worlds.cuisineworld.metrics.measures import RewardMeter
from backburner.worlds.cuisineworld.metrics.published import published_tables
from backburner.worlds.cuisineworld.metrics.score import scoring
from backburner.worlds.cuisineworld.metrics.tables import learning
from backburner.worlds.dispatch.scores import cos, share
from support.cuisineworld.play import MEATCAKE, episode_of, steps_of, world_of
from support.facts import facts_about

IDLE = ("noop_agent0",) * 60


def row(tau: float, completed: int, failed: int) -> Measures:
    return {"tau": tau, "completed": completed, "failed": failed}


def test_the_score_is_the_mean_over_intervals_of_summed_counts() -> None:
    """τ = 1: (1 + 3) / (1 + 3 + 4 + 0) = 0.5; τ = 2: 3 / 3 = 1; mean 0.75."""
    rows = [row(1.0, 1, 4), row(1.0, 3, 0), row(2.0, 3, 0)]
    assert cos(rows) == pytest.approx(0.75)
    assert share(rows) == pytest.approx(7 / 11)


def test_an_interval_without_any_closed_order_is_left_out() -> None:
    assert cos([row(1.0, 0, 0), row(2.0, 1, 1)]) == pytest.approx(0.5)
    assert cos([row(1.0, 0, 0)]) is None


def test_published_scores_follow_from_their_cells() -> None:
    """Each table is right in itself; they contradict only each other."""
    for result in published_tables().results:
        if result.cells:
            shares = [completed / total for completed, total in result.cells]
            assert sum(shares) / 5 == pytest.approx(result.cos, abs=0.00051), result


def test_published_means_follow_from_their_levels() -> None:
    for average in published_tables().averages:
        rows = [
            result
            for result in published_tables().results
            if result.agent == "GPT-4" and result.bodies == average.bodies
        ]
        assert [result.level for result in rows] == list(evaluated())
        assert sum(result.cos for result in rows) / 12 == pytest.approx(average.cos, abs=0.00051)
        for place, printed in enumerate(average.success_by_tau):
            shares = [result.cells[place][0] / result.cells[place][1] for result in rows]
            assert sum(shares) / 12 == pytest.approx(printed, abs=0.00051)


def test_the_contradiction_of_tables_4_and_9_is_kept_and_flagged() -> None:
    told = {(row.agent, row.figures["CoS"]): row.note for row in scoring.published if row.group == CELL}
    assert "0.686" in told["GPT-4", 0.764]
    assert "0.764" in told["GPT-4 (Tables 4 and 9)", 0.686]
    assert len(published_tables().contradictions) == 5


CELL = "level_3, 2 agents"


def test_nobody_moves_and_fails_the_totals_of_table_9() -> None:
    """On level 3: 24, 15, 12, 9, 6 failures in three episodes, what is printed for ChatGPT."""
    failed = []
    for tau in TAUS:
        worlds = [world_of(f"level_3@episode={number},tau={tau}", "released") for number in range(3)]
        failed.append(sum(steps_of(world, *IDLE)[-1].state.failed for world in worlds))
    (printed,) = (r for r in published_tables().results if r.agent == "ChatGPT" and r.bodies == 2)
    assert [(0, count) for count in failed] == list(printed.cells)


@pytest.mark.parametrize("level", levels())
def test_nobody_moves_as_measured_in_the_released_program(level: str) -> None:
    told = facts_about("cuisineworld")["levels"][level]["per_tau"]
    for tau, pace in told.items():
        worlds = [world_of(f"{level}@episode={number},tau={tau}", "released") for number in range(3)]
        ends = [steps_of(world, *IDLE)[-1].state for world in worlds]
        expected = pace["nobody_moves_3_episodes_seed_0"]
        assert sum(end.failed for end in ends) == expected["failed_events"]
        assert sum(len(end.orders) for end in ends) == expected["still_open"]


def test_an_episode_is_measured() -> None:
    """One cake is served at step 13 by the first order (lifetime 15); others run out from step 22 on."""
    measures = scoring.measure(episode_of(world_of("level_0@bodies=1"), *MEATCAKE))
    assert (measures["completed"], measures["failed"], measures["open"]) == (1, 7, 3)
    assert measures["tau"] == 2.0
    assert cos([measures]) == pytest.approx(1 / 8)


def test_groups_say_what_sets_a_scenario_apart() -> None:
    groups = {
        path: scoring.group(episode_of(world_of(path)))
        for path in (
            "level_3",
            "level_3@bodies=3,seats=person",
            "level_0@orders=hidden,spoil=4,table=1",
            "level_0@feedback=none,hints=no,tau=fixed",
        )
    }
    assert list(groups.values()) == [
        CELL,
        "level_3, 3 agents, 2 seats",
        "level_0, 2 agents, room for 1 spare dishes, dishes spoil after 4 steps, orders hidden",
        "level_0, 2 agents, feedback none, no hints, own pace",
    ]


def test_the_reward_of_a_meatcake() -> None:
    """Every step -0.05 + 0.02; 0.1 for holding each ingredient; 0.5 for both in the blender; 1 for the cake
    in it, 50 and the 3 steps left of 15 when it is served in step 13."""
    world = world_of("level_0@bodies=1")
    state = world.start()
    meter = RewardMeter(world.compiled, world.scenario.book, state)
    paid = []
    for step in steps_of(world, *MEATCAKE):
        paid.append(round(meter.pay(state, step.state), 6))
        state = step.state
    usual = -0.03
    assert paid[:9] == [usual, 0.07, usual, usual, usual, 0.07, usual, 0.47, 0.97]
    assert paid[9:] == [usual, usual, usual, round(usual + 50 + 3, 6)]


def rows_of(*episodes: Episode) -> Sequence[tuple[Episode, Measures]]:
    return [(episode, scoring.measure(episode)) for episode in episodes]


def test_the_sections_show_the_shape_of_the_articles_tables() -> None:
    plain, hidden = episode_of(world_of("level_0")), episode_of(world_of("level_0@orders=hidden"))
    sections = {section.title: section for section in scoring.sections(rows_of(plain, hidden))}
    table = sections["Collaboration score by level"]
    assert table.columns[2:-1] == evaluated()
    assert [row[:2] for row in table.rows] == [
        ("speaker", 2),
        *(("GPT-4, article", bodies) for bodies in (2, 3, 4)),
    ]
    assert table.rows[0][2] == "0.000" and table.rows[1][-1] == "0.673"
    for section in sections.values():
        assert all(len(row) == len(section.columns) for row in section.rows), section.title
    assert sections["Failure modes"].rows[0][1] == 2
    assert ("speaker", 2, "level_0", "–", "–", "0/8", "–", "–") in sections[
        "Collaboration efficiency by interval"
    ].rows


def test_what_was_played_at_the_pace_of_table_12_stands_beside_it() -> None:
    """Levels 1 and 4, and level 2, which is level 4 in the older file; no other levels, paces and bodies."""
    others = ("level_1@tau=2.0", "level_3@tau=2.2", "level_1@bodies=3,tau=2.2")
    ids = ("level_1@tau=2.2", "level_2@tau=2.2", *others)
    section = learning(rows_of(*(episode_of(world_of(id)) for id in ids)))
    assert section is not None
    assert section.rows == (
        ("speaker", "level_1", 1, "0.000", "level_1", "0.451", "0.947"),
        ("speaker", "level_2", 1, "0.000", "level_4 in the older file", "0.598", "0.917"),
    )
    assert learning(rows_of(episode_of(world_of("level_1@tau=2.0")))) is None


def test_without_episodes_as_in_the_article_its_tables_are_left_out() -> None:
    titles = [section.title for section in scoring.sections(rows_of(episode_of(world_of("level_0@table=1"))))]
    assert titles == ["Failure modes", "Contradictions in the article"]
