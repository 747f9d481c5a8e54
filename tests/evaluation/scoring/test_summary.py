"""One small table a world: who is compared over what, and that a terminal of any width holds it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from backburner.evaluation.scoring.scores import COUNTING, Counting
from backburner.evaluation.scoring.summary import RulesSummary, SummaryRow, WorldSummary, rules_summary
from backburner.evaluation.scoring.usage import NO_PRICES, AgentUsage, Amount, Worth
from backburner.evaluation.tables.score_tables import lines_below, metrics_that_fit, summary_table, title_of
from backburner.evaluation.tables.terminal import folded, shown_names
from backburner.kernel import packs, registry
from backburner.kernel.experiments import Experiment
from backburner.kernel.scoring import Estimate, Measured, Measures, Metric, PlainScoring, Published, mean
from support.evaluation.made_episodes import made


def mean_score(rows: Sequence[Measures]) -> float | None:
    return mean(row["score"] for row in rows)


SCORE = Metric("score", "mean score", "%", "higher", mean_score, "", lowest=0, highest=100)


def of(agent: str, finished: str, score: float = 50, failed: str = "") -> Experiment:
    """An agent's episodes by the letters of their scenarios, all with this score."""
    rows: list[Measured] = [(made(agent, letter), {"score": score}) for letter in finished]
    rows += [(made(agent, letter, seed=9, status="failed"), {"score": 0}) for letter in failed]
    return Experiment("", "standard", agent, tuple(rows))


def part(*experiments: Experiment, counting: Counting = COUNTING) -> RulesSummary:
    return rules_summary("standard", experiments, [SCORE], counting, NO_PRICES)


def told(found: RulesSummary) -> list[tuple[str, int, bool]]:
    return [(row.agent, row.episodes, row.apart) for row in found.rows]


# --- who is compared -------------------------------------------------------------------------------------


def test_agents_are_compared_over_what_all_have_finished_best_ones_first() -> None:
    found = part(of("act", "abcd", 40), of("react", "abcdef", 60))
    assert told(found) == [("react", 4, False), ("act", 4, False)]
    assert (found.scenarios, found.asked, found.comparable) == (4, 6, True)
    assert [row.finished for row in found.rows] == [6, 4]


def test_one_stray_episode_takes_nothing_from_the_others() -> None:
    """With it, all would be compared over the one scenario a."""
    found = part(of("react(scripted)", "a", 100), of("greedy", "abcdef"), of("random", "abcdef", 10))
    assert told(found) == [("greedy", 6, False), ("random", 6, False), ("react(scripted)", 1, True)]
    assert (found.scenarios, found.comparable) == (6, True)


def test_a_quick_suite_is_compared_with_those_who_played_more() -> None:
    found = part(of("greedy", "abcdefghijkl"), of("react", "abc", 60))
    assert told(found) == [("react", 3, False), ("greedy", 3, False)]


def test_each_agent_has_its_own_scenarios_if_that_is_asked_for() -> None:
    found = part(of("react", "a"), of("greedy", "abcdef"), counting=Counting(own=True))
    assert sorted(told(found)) == [("greedy", 6, False), ("react", 1, False)] and not found.comparable


def test_who_has_finished_nothing_has_no_figure() -> None:
    found = part(of("act", "", failed="abc"), of("greedy", "abc"))
    assert told(found) == [("greedy", 3, False), ("act", 0, True)]
    assert (found.rows[1].failed, found.rows[1].figures["score"].value) == (3, None)


@pytest.mark.parametrize("name", [*packs.installed().packs])
def test_every_world_s_main_metrics_are_among_its_metrics(name: str) -> None:
    scoring = registry.scoring(name)
    assert 1 <= len(scoring.main) <= 4
    assert set(scoring.main) <= {metric.key for metric in scoring.metrics}


def test_a_world_that_names_no_main_metrics_has_its_first_ones() -> None:
    class Many(PlainScoring):
        metrics = tuple(replace(SCORE, key=key) for key in "abcde")

    assert Many().main == ("a", "b", "c") and PlainScoring().main == ("Completed",)


# --- the table ---------------------------------------------------------------------------------------------

METRICS = tuple(
    replace(SCORE, key=key, title=f"share of {key}") for key in ("Success", "SxE", "Progress", "regret")
)
WIDEST = Estimate(100.0, 99.6, 100.0)


def row(agent: str, **fields: object) -> SummaryRow:
    plain = SummaryRow(agent, "standard", 36, 0, 18, False, False, {m.key: WIDEST for m in METRICS})
    return replace(plain, **fields)


def world(*rows: SummaryRow, **fields: object) -> WorldSummary:
    whole = RulesSummary("standard", 18, 18, True, rows)
    return replace(WorldSummary("kitchen", METRICS, ("one", "two"), (whole,)), **fields)


def printed(summary: WorldSummary, width: int) -> list[str]:
    metrics = metrics_that_fit(summary, width)
    return [line.plain for line in summary_table(summary, metrics, width)]


LONG = [
    f"react@history=last-observation-reasoning-action,plan=on(some-org/a-model-{size}) (temperature=0.7)"
    for size in ("7b", "70b")
]
WIDE = ["react(通义千问二点五七十二亿参数指令微调版)", "react(通义千问二点五七百亿参数指令微调版)", "行動"]


@pytest.mark.parametrize("width", [60, 80, 120, 200])
@pytest.mark.parametrize("names", [["greedy"], LONG, WIDE, [f"agent {n}" for n in range(12)], [*LONG * 15]])
def test_no_line_is_wider_than_the_terminal(width: int, names: list[str]) -> None:
    lines = printed(world(*map(row, names)), width)
    assert max(map(cell_len, lines)) <= width
    assert sum(line.count("[100, 100]") for line in lines) >= len(names)
    assert not any("100…" in line for line in lines)


def test_eighty_columns_hold_three_metrics_and_two_hundred_all() -> None:
    summary = world(row("greedy"), row("react(my-model)"))
    shown = {
        width: [metric.key for metric in metrics_that_fit(summary, width)] for width in (20, 60, 80, 200)
    }
    assert shown == {
        20: ["Success"],
        60: ["Success", "SxE"],
        80: ["Success", "SxE", "Progress"],
        200: ["Success", "SxE", "Progress", "regret"],
    }


def test_a_table_reads_like_this() -> None:
    rows = [
        row("oracle", figures={"Success": Estimate(100.0, 81.4, 100.0), "SxE": Estimate(1.25, 1.0, 1.5)}),
        row("react(m)", apart=True, episodes=1, figures={"Success": Estimate(50.0), "SxE": Estimate(None)}),
    ]
    article = Published("one", "GPT-4", {"Success": 61.5}, "Table 2")
    summary = world(*rows, metrics=METRICS[:2], groups=("one",), printed=(article,))
    assert title_of(summary) == "kitchen, standard rules: 18 scenarios"
    assert printed(summary, 80) == [
        "agent            n      Success % ↑            SxE % ↑",
        "──────────────────────────────────────────────────────",
        "oracle          36  100.0 [81, 100]  1.25 [1.00, 1.50]",
        "react(m) ‡       1   50.0               –",
        "GPT-4, article       61.5               –",
    ]


def test_a_screen_holds_twelve_agents_with_all_that_stands_below() -> None:
    rows = [row(f"{LONG[0][:-5]}{n})", stand_in=n > 5, finished=18 - n) for n in range(12)]
    summary = world(*rows)
    lines = [title_of(summary), *printed(summary, 80), *lines_below(summary, metrics_that_fit(summary, 80))]
    assert sum(-(-cell_len(line) // 80) for line in lines) <= 22


# --- names -------------------------------------------------------------------------------------------------


def test_a_long_name_is_broken_after_a_sign_or_loses_its_middle() -> None:
    assert folded("react(stand-in:skill=0.7)", 22, 2) == "react(stand-in:skill=\n0.7)"
    assert folded("react(stand-in:skill=0.7)", 16, 1) == "react(st…ll=0.7)"
    both = folded(LONG[0], 24, 2).split("\n")
    assert both[0].startswith("react@history=") and both[1].endswith("(temperature=0.7)") and "…" in both[1]
    assert folded("行動行動行動", 5, 1) == "行…動"


@pytest.mark.parametrize("names", [LONG, WIDE, [name for name in LONG for _ in range(1)] + ["x"] * 20])
@pytest.mark.parametrize("room", [12, 20, 30])
def test_different_agents_look_different(names: list[str], room: int) -> None:
    shown = shown_names(names, [""] * len(names), room)
    assert len(set(shown)) == len(set(names))
    assert all(cell_len(line) <= room for name in shown for line in name.split("\n"))


def test_a_stranger_s_name_keeps_to_its_row() -> None:
    for name in ("a\nb\x1b[2Jc", "x" * 1000, "模" * 1000, "[bold]a[/bold]", "\u202ea"):
        lines = printed(world(row(name), row("greedy")), 60)
        assert max(map(cell_len, lines)) <= 60 and all(line.isprintable() for line in lines)
        assert len(lines) in (4, 5)


# --- what stands below -------------------------------------------------------------------------------------


def test_what_is_missing_is_said_in_one_line() -> None:
    rows = [row(f"agent {n}", finished=18 - n, failed=2 * (n == 1)) for n in range(6)]
    *_, last = lines_below(world(*rows), METRICS[:1])
    assert last == (
        "missing (over the scenarios that all have finished): agent 1 1 of 18, 2 failed, agent 2 2 of 18, "
        "agent 3 3 of 18, 2 more agents"
    )
    assert len(list(lines_below(world(row("greedy")), METRICS[:1]))) == 1


def test_stand_ins_and_those_who_stand_apart_are_marked() -> None:
    summary = world(row("react(stand-in)", stand_in=True), row("act(m)", apart=True), row("greedy"))
    lines = printed(summary, 80)
    assert "react(stand-in) †" in lines[2] and "act(m) ‡" in lines[3] and lines[4].startswith("greedy ")
    below = list(lines_below(summary, METRICS[:1]))
    assert below[1].startswith("† no model") and below[2].startswith("‡ over the few")


def usage(tokens: float, money: float | None, models: tuple[str, ...] = ("m",)) -> AgentUsage:
    amount, worth = Amount(4, tokens, 1, 0.5), Worth("score", 1.0, None, None)
    return AgentUsage("", models, 1, 4, amount, amount, amount, {}, tokens > 0, money, "EUR", worth)


def test_tokens_or_money_stand_there_if_a_model_was_asked() -> None:
    rows = [row("act(m)", usage=usage(12_344, 0.0123)), row("greedy"), row("react(n)", usage=usage(0, None))]
    tokens = printed(world(*rows), 80)
    assert tokens[0].endswith("tokens") and [line.split()[-1] for line in tokens[2:]] == [
        "12.3k",
        "–",
        "unknown",
    ]
    money = printed(world(*rows, currency="EUR"), 80)
    assert money[0].endswith("EUR") and [line.split()[-1] for line in money[2:]] == ["0.012", "–", "unknown"]
    stand_in = row("act(stand-in:skill=0.7)", usage=usage(9, None, ("stand-in:skill=0.7",)))
    assert "tokens" not in printed(world(stand_in), 80)[0]


def test_several_rule_sets_stand_one_after_the_other() -> None:
    parts = tuple(RulesSummary(rules, 18, 18, True, (row("greedy"),)) for rules in ("released", "standard"))
    summary = world(parts=parts)
    assert [line.split()[0] for line in printed(summary, 80)[2:]] == [
        "released",
        "greedy",
        "standard",
        "greedy",
    ]
    assert (
        title_of(summary) == "kitchen, released rules: 18 scenarios; standard rules: 18 scenarios of 2 groups"
    )
