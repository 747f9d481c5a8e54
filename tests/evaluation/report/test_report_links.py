"""Which episodes a figure leads to: what its row and its column name, among what was played."""

from __future__ import annotations

from urllib.parse import parse_qs

from backburner.evaluation.report.episodes import FigureLinks, Listed, address
from backburner.evaluation.scoring.failures import TITLE
from backburner.kernel.scoring import Section


def line(agent: str = "greedy", scenario: str = "timearena/cooking1@kit=one", **others: str) -> Listed:
    known = {"world": "timearena", "group": "cooking, 1 task", "rules": "standard", "player": agent, **others}
    return Listed(
        **known,
        agent=agent,
        scenario=scenario,
        seed=0,
        status="ended",
        reason="completed",
        counted=True,
        decisions=3,
        waits=1,
        faults={},
        calls=0,
        tokens=None,
        seconds=0.0,
        money=None,
        figures={"CT": 12.0},
        record="one.jsonl",
    )


LINES = [line(), line("random"), line("act(m)", rules="released")]


def fields(href: str) -> dict[str, list[str]]:
    path, _, query = href.partition("?")
    assert path == "#episodes"
    return parse_qs(query)


def test_an_address_has_what_is_known_alone_and_every_sign_escaped() -> None:
    assert address() == "#episodes"
    assert address(world="", agent='a&b=<"c">') == "#episodes?agent=a%26b%3D%3C%22c%22%3E"
    assert fields(address(agent=["a", "b"], by="CT")) == {"agent": ["a", "b"], "by": ["CT"]}


def test_rows_name_agents_groups_rules_and_scenarios() -> None:
    rows = (
        ("greedy", "cooking, 1 task", 3.0),
        ("act(m), released", "cooking1", 4.0),
        ("GPT-4", "cooking, 1 task", 5.0),
    )
    section = Section("Minutes", "", ("agent", "where", "minutes"), rows)
    own, by_rules, printed = (row[2] for row in FigureLinks(LINES).of_section(section, "timearena"))
    assert fields(own) == {"world": ["timearena"], "player": ["greedy"], "group": ["cooking, 1 task"]}
    assert fields(by_rules) == {
        "world": ["timearena"], "player": ["act(m)"], "rules": ["released"], "scenario": ["cooking1"],
    }  # fmt: skip
    assert printed == "", "an article's row is of no episodes"


def test_words_are_no_figures_and_dashes_lead_nowhere() -> None:
    section = Section("x", "", ("agent", "why", "n", "m"), (("greedy", "it was late", None, "–"),))
    assert FigureLinks(LINES).of_section(section, "timearena") == [["", "", "", ""]]


def test_pairs_lead_to_the_episodes_of_both() -> None:
    section = Section("All pairs", "", ("one", "other", "scenarios"), (("greedy", "random", 1),))
    ((*_, both),) = FigureLinks(LINES).of_section(section, "timearena")
    assert fields(both)["player"] == ["greedy", "random"]


def test_agents_may_stand_above_columns() -> None:
    section = Section("Tasks", "", ("task", "greedy", "horizon"), (("cooking1", 1.0, 9),))
    ((_, figure, horizon),) = FigureLinks(LINES).of_section(section, "timearena")
    assert fields(figure) == {"world": ["timearena"], "player": ["greedy"], "scenario": ["cooking1"]}
    assert "player" not in fields(horizon)


def test_failures_lead_to_the_episodes_in_which_they_occurred() -> None:
    columns = ("world", "agent", "refused", "mismatch", "call failed")
    section = Section(TITLE, "", columns, (("timearena", "greedy", 10.0, 5.0, 20.0),))
    ((_, _, refused, mismatch, failed),) = FigureLinks(LINES).of_section(section)
    assert fields(refused)["fault"] == ["any"] and fields(mismatch)["fault"] == ["mismatch"]
    assert fields(failed) == {"world": ["timearena"], "player": ["greedy"], "status": ["failed"]}


def test_what_never_occurred_leads_nowhere() -> None:
    columns = ("world", "agent", "decisions", "mismatch")
    section = Section(TITLE, "", columns, (("timearena", "greedy", 0, 0.0),))
    ((_, _, decisions, mismatch),) = FigureLinks(LINES).of_section(section)
    assert decisions and not mismatch
