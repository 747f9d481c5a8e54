"""Failures in the same words for every world."""

from __future__ import annotations

from backburner.evaluation.scoring.failures import Failures, failures_charts, failures_of, failures_section
from backburner.kernel.scoring import Measured
from backburner.kernel.values import Fault
from support.evaluation.made_episodes import answered, made, refused

UNREADABLE, OCCUPIED = refused(Fault.UNREADABLE), refused(Fault.OCCUPIED, code="busy")

ROWS: list[Measured] = [
    (made(entries=[answered(), answered(refusals=[UNREADABLE]), answered(refusals=[OCCUPIED])]), {}),
    (made(seed=1, entries=[answered(refusals=[OCCUPIED, UNREADABLE])], status="failed"), {}),
    (made("greedy", entries=[answered()], status="cut off"), {}),
]


def found() -> list[Failures]:
    return list(failures_of(ROWS, lambda refusal: refusal.code))


def test_a_decision_counts_once_by_its_first_refusal() -> None:
    model, _ = found()
    # four decisions, three of them refused; in the last one two parts were
    assert (model.decisions, model.refused) == (4, 3)
    assert model.by_family == {"occupied": 2, "unreadable": 1}
    assert model.by_kind == {"busy": 2, "no": 2}
    assert model.endings == {"ended": 1, "failed": 1}


def test_seats_that_decide_at_once_are_refused_one_by_one() -> None:
    both = [refused(Fault.ROLE, "one"), refused(Fault.ROLE, "two"), refused(Fault.REACH, "two")]
    (one,) = failures_of([(made(entries=[answered(refusals=both, seats=("one", "two"))]), {})], str)
    assert (one.decisions, one.refused, one.by_family) == (2, 2, {"role": 2})


def test_the_table_has_a_column_for_what_occurs() -> None:
    section = failures_section({"tea": found()})
    assert section.columns == (
        *("world", "agent", "episodes", "decisions", "refused"),
        *("unreadable", "occupied", "call failed", "cut off"),
    )
    # 3 of 4 refused: 1 unreadable, 2 occupied; 1 of 2 episodes failed
    assert section.rows == (
        ("tea", "act(small)", 2, 4, 75.0, 25.0, 50.0, 50.0, 0.0),
        ("tea", "greedy", 1, 1, 0.0, 0.0, 0.0, 0.0, 100.0),
    )


def test_families_of_a_bar_add_up_to_what_was_refused() -> None:
    (chart,) = failures_charts({"tea": found(), "calm": []})
    assert [sum(stack.parts.values()) for stack in chart.stacks] == [75.0, 0.0]


def test_families_are_coloured_alike_in_every_world() -> None:
    one, other = failures_charts({"tea": found(), "soup": found()})
    assert one.parts == other.parts == tuple(fault.value for fault in Fault)


def test_an_agent_without_any_decision_has_no_share() -> None:
    (one,) = failures_of([(made(), {})], str)
    assert failures_section({"tea": [one]}).rows[0][4] is None
