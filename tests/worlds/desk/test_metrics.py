"""What records of the desk are measured and labelled by."""

from __future__ import annotations

import pytest

from backburner.kernel import registry
from backburner.kernel.episode import Episode
from backburner.kernel.play import play_now
from backburner.kernel.policy import PlanPolicy
from backburner.worlds.desk.agents.oracle import oracle
from backburner.worlds.desk.agents.scripts import Eager, Polling, Sequential
from backburner.worlds.desk.metrics.labels import failures
from backburner.worlds.desk.metrics.score import scoring
from backburner.worlds.desk.metrics.windows import windows

BEST = (
    "export(refunds)", "build()", "wait(minutes=4, wakes=none)", "export(orders)", "check(build)", "build()",
    "reply(door, store)", "rota()", "report(net, 46480)", "check(build)", "release()", "wait()",
)  # fmt: skip


def played(*answers: str) -> Episode:
    """The counter, played by these answers."""
    world = registry.world("desk/made/counter")
    return play_now(world, PlanPolicy("by hand", answers, informed=False), max_steps=len(answers))


def changed(place: int, *instead: str) -> Episode:
    """The best plan with one call left out, and others in its place."""
    return played(*BEST[:place], *instead, *BEST[place + 1 :])


def test_the_best_plan_written_by_hand() -> None:
    found = scoring.measure(played(*BEST))
    assert (found["served"], found["tempo"], found["minutes"], found["right"], found["kept"]) == (
        100,
        100,
        30,
        1,
        1,
    )


@pytest.mark.parametrize(
    ("episode", "label"),
    [
        (changed(11, "finish()"), "gave up"),
        (played(*BEST[:7]), "forgotten job"),
        (changed(8, "report(net, 46481)"), "wrong figure"),
        (changed(7, *["report(net, 46480)"] * 3, "rota()"), "dependency broken"),
        (changed(6, "wait(minutes=1, wakes=none)"), "lost request"),
    ],
)
def test_the_record_says_why_not_everything_was_served(episode: Episode, label: str) -> None:
    (case,) = failures(episode)
    assert case.decided == label


def test_scripts_have_their_labels() -> None:
    world = registry.world("desk/made/counter")
    labels = [failures(play_now(world, maker(world)))[0].decided for maker in (Polling, Sequential, Eager)]
    assert labels == ["polled", "sequential", "late"]
    assert failures(play_now(world, oracle(world))) == ()


def test_a_wrong_figure_is_worth_nothing_and_no_tempo() -> None:
    found = scoring.measure(changed(8, "report(net, 46481)"))
    assert found["served"] == pytest.approx(100 * 4 / 6)
    assert (found["tempo"], found["wrong_inputs"], found["completed"]) == (0, 1, 1)


def test_refused_minutes_and_reactions_are_counted() -> None:
    found = scoring.measure(changed(7, "report(net, 46480)", "rota()"))
    assert found["refused_minutes"] == 1 and found["reaction"] >= 0


def test_windows_are_those_of_requests_and_deadlines() -> None:
    found = {
        window.label: (window.opens, window.closes, window.state, window.met)
        for window in windows(played(*BEST))
    }
    assert found == {
        "rota": (0, 20, "kept", 18),
        "report net": (0, 24, "kept", 21),
        "release": (0, 33, "kept", 30),
        "door": (9, 15, "kept", 14),
    }
    assert {window.label: window.state for window in windows(changed(6))}["door"] == "missed"


def test_a_deadline_that_passed_at_the_end_of_a_record_is_missed() -> None:
    """Nothing happens after its own passing, at 33; play is broken off."""
    found = {
        window.label: window.state
        for window in windows(played("wait(minutes=30, wakes=none)", "wait(minutes=3, wakes=none)"))
    }
    assert found["release"] == "missed"
