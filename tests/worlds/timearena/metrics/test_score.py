"""The article's metrics and analyses on episodes small enough to follow by hand."""

from __future__ import annotations

import pytest

import backburner
from backburner.kernel.episode import Episode
from backburner.kernel.scoring import Measures
from backburner.worlds.timearena.metrics import analysis
from backburner.worlds.timearena.metrics.score import METRICS, published_tables, scoring

METRIC = {metric.key: metric.over for metric in METRICS}


def played(texts: list[str], scenario: str = "timearena/lab1", **how: str) -> Episode:
    """lab1: wash test_tube (4), add solution (4), heat test_tube (5, alone); 13 minutes in all."""
    policy = backburner.PlanPolicy("script", texts, informed=False)
    return backburner.play_now(backburner.world(scenario, **how), policy)


def measured(texts: list[str], scenario: str = "timearena/lab1", **how: str) -> Measures:
    return scoring.measure(played(texts, scenario, **how))


BEST = ["wash test_tube", "add solution to test_tube", "heat test_tube", *["wait"] * 4]


def test_p_and_t_of_a_completed_episode() -> None:
    # wash 0-4, add 4-8, heat 8-13
    found = measured(BEST)
    assert (found["P"], found["T"], found["optimum"]) == (100, 13, 13)


def test_t_is_when_the_highest_score_was_reached_not_when_play_ended() -> None:
    # wash 0-4 is 4 of 13 minutes: 30 %; then two waits and no more
    found = measured(["wash test_tube", "wait", "wait", "quit"])
    assert (found["P"], found["T"]) == (30, 4)


def test_a_score_that_never_left_zero_counts_one_minute() -> None:
    assert [measured(texts)["T"] for texts in (["quit"], ["wait", "wait", "quit"])] == [1, 1]


def test_the_four_metrics() -> None:
    rows = [measured(BEST), measured(["wash test_tube", "quit"]), measured(["quit"])]
    assert METRIC["AS"](rows) == pytest.approx((100 + 30 + 0) / 3)
    assert METRIC["CS"](rows) == pytest.approx((100 + 30 + 0) / (13 + 4 + 1))
    assert METRIC["CR"](rows) == pytest.approx(100 / 3)
    assert METRIC["CT"](rows) == 13
    assert METRIC["regret"](rows) == 0


def test_regret_compares_completed_episodes_with_the_proven_optimum() -> None:
    late = measured(["wait", "wait", *BEST])
    assert METRIC["regret"]([late]) == pytest.approx(100 * (15 / 13 - 1))
    released = measured(["wait", *BEST], rules="released")
    assert METRIC["regret"]([released]) is None  # the known optima are those of standard rules


RADIO, QUILT, FIND, READ = "activate radio", "fold quilt", "find newspaper", "read newspaper"


@pytest.mark.parametrize(
    ("texts", "saved"),
    [
        ([RADIO, QUILT, FIND, READ], 6),  # all done at 12: 1 + 3 + 3 + 5
        ([QUILT, FIND, RADIO, READ, "wait"], 5),  # the radio plays 6-13
        ([QUILT, FIND, READ, RADIO, *["wait"] * 6], 0),  # one after the other
        ([QUILT, FIND, "fly", "wait", READ, RADIO, *["wait"] * 6], -2),  # two minutes lost besides
    ],
)
def test_overlap_is_the_saved_share_of_what_can_be_saved(texts: list[str], saved: int) -> None:
    """household9: radio 7 (alone), quilt 3, find 3, read 5: 18 minutes, 12 at best, so 6 to save."""
    assert measured(texts, "timearena/household9")["overlap"] == saved / 6


def test_overlap_is_asked_of_completed_episodes_in_which_something_can_be_saved() -> None:
    # lab1 takes its 13 minutes in any order; the released rules have no proven optimum
    assert "overlap" not in measured(BEST)
    assert "overlap" not in measured([RADIO, QUILT, FIND, "quit"], "timearena/household9")
    assert "overlap" not in measured([RADIO, QUILT, FIND, READ], "timearena/household9", rules="released")


def test_what_was_refused_or_repeated_saves_nothing() -> None:
    # the second quilt is refused and costs a minute: 18 - 13
    found = measured([RADIO, QUILT, QUILT, FIND, READ], "timearena/household9")
    assert METRIC["overlap"]([found]) == pytest.approx(100 * 5 / 6)


def test_metrics_without_any_completed_episode() -> None:
    rows = [measured(["quit"])]
    assert (METRIC["CR"](rows), METRIC["CT"](rows), METRIC["regret"](rows)) == (0, None, None)


def types(texts: list[str], scenario: str = "timearena/lab1") -> list[str]:
    episode = played(texts, scenario)
    world = backburner.world(scenario)
    return list(analysis.action_types(episode, world))


def test_each_decision_has_one_of_the_article_s_types() -> None:
    wrong = [
        ("clean test_tube", analysis.INVALID),
        ("wash beaker", analysis.INVALID),
        ("heat solution", analysis.MISMATCHED),
        ("heat test_tube", analysis.DEPENDENCY),
    ]
    texts = [text for text, _ in wrong]
    right = ["wash test_tube", "wash test_tube", "wait", "add solution to test_tube"]
    end = ["heat test_tube", "heat test_tube", "wait", "quit"]
    assert types([*texts, *right, *end]) == [
        *(kind for _, kind in wrong),
        analysis.VALID,
        analysis.REPEATED,
        analysis.UNNECESSARY,  # the solution could have been added
        analysis.VALID,
        analysis.VALID,
        analysis.OCCUPIED,
        analysis.NECESSARY,  # everything else is finished or under way
        analysis.GAVE_UP,
    ]


def test_a_wait_is_necessary_only_if_nothing_could_be_started() -> None:
    # household9: while the radio plays there is a quilt to fold
    assert types(["activate radio", "wait", "quit"], "timearena/household9")[1] == analysis.UNNECESSARY


W, E, V = analysis.UNNECESSARY, analysis.INVALID, analysis.VALID


@pytest.mark.parametrize(
    ("decisions", "found"),
    [
        ([W, E, W, E, W], [(0, 5)]),
        ([E, W, E, W, E], [(0, 5)]),
        ([W, E, W, E], []),  # three changes only
        ([E, E, E, E, E], []),  # erring without waiting ends the episode by itself
        ([V, W, E, E, W, W, E, W, V, W], [(1, 7)]),
        ([W, E, W, V, W, E, W], []),  # something was started in between
        ([W, E, W, E, W, V, E, W, E, W, E, W], [(0, 5), (6, 6)]),
    ],
)
def test_loops_of_decisions_are_counted(decisions: list[str], found: list[tuple[int, int]]) -> None:
    assert analysis.loops(decisions) == found


def test_minutes_in_loops() -> None:
    found = measured(["fly", "wait", "fly", "wait", "fly", "quit"])
    assert (found["loops"], found["minutes in loops"], found["decisions"]) == (1, 5, 6)


def test_groups_are_the_cells_of_the_article_s_table() -> None:
    cells = {row.group for row in scoring.published}
    for scenario, group in {
        "timearena/lab1": "lab, 1 task",
        "timearena/cooking1+cooking2": "cooking, 2 tasks",
        "timearena/household1+household2+household3": "household, 3 tasks",
    }.items():
        assert scoring.group(played(["quit"], scenario)) == group
        assert group in cells
    assert scoring.group(played(["quit"], "timearena/cooking1@kit=one")) == "cooking, 1 task, one kit"
    assert scoring.group(played(["quit"], "timearena/cooking1+lab1")) == "mixed, 2 tasks"


def test_the_printed_tables_are_complete() -> None:
    """Table 2: 11 rows for each of 3 scenarios and 3 numbers of tasks."""
    assert len(published_tables().table2) == 99
    gpt4 = {row.group: row.figures for row in scoring.published if row.agent == "GPT-4"}
    assert gpt4["cooking, 2 tasks"] == {"AS": 93.5, "CS": 1.83, "CR": 70.0, "CT": 52.57}
    mistral = next(r for r in scoring.published if (r.group, r.agent) == ("lab, 3 tasks", "Mistral-7B"))
    assert mistral.figures == {"AS": 38.4, "CS": 1.37, "CR": 0.0}  # nothing completed, no time


def test_the_kit_limit_is_compared_in_pairs() -> None:
    """cooking7 alone takes 15 minutes with two fryers and 18 with one; cooking1 has no partner."""
    # rice is cooked and fried, chicken fried; one fryer serves both in turn
    rows = []
    for scenario in ("timearena/cooking7", "timearena/cooking7@kit=one", "timearena/cooking1"):
        world = backburner.world(scenario)
        episode = backburner.play_now(world, backburner.FirstLegalPolicy())
        rows.append((episode, scoring.measure(episode)))
    section = next(s for s in scoring.sections(rows) if "kit" in s.title)
    time = next(row for row in section.rows if row[1] == "CT")
    own, one = rows[0][1]["T"], rows[1][1]["T"]
    assert time == ("first-legal", "CT", 1, own, one, one - own)
    assert one >= 18 and own >= 15


def test_sections_without_pairs_leave_the_comparison_out() -> None:
    episode = played(["quit"])
    titles = [section.title for section in scoring.sections([(episode, scoring.measure(episode))])]
    assert titles == ["What the agents did", "Waits and loops"]


def test_the_score_by_the_optimum_gains_nothing_by_an_early_end() -> None:
    """AS*: 60 % at minute 5 of an optimum of 10 are 60; all at minute 20 are 50; the rest is not known."""
    rows: list[Measures] = [
        {"P": 60, "T": 5, "optimum": 10},
        {"P": 100, "T": 20, "optimum": 10},
        {"P": 100, "T": 1, "optimum": 0},
    ]
    assert [METRIC["AS*"]([row]) for row in rows] == [60, 50, None]
    assert METRIC["AS*"](rows) == 55
