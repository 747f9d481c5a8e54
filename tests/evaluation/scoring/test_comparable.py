"""Agents of a table are compared over the scenarios that all of them have finished."""

from __future__ import annotations

import pytest

import backburner
from backburner.evaluation.scoring import scores
from backburner.evaluation.scoring.scores import Cell, Counting, cells, missing_in
from backburner.kernel.episode import Episode
from backburner.kernel.errors import PolicyFailure
from backburner.kernel.experiments import Experiment
from backburner.kernel.scoring import Measured
from support.evaluation.made_episodes import made

OWN, FAILED = Counting(own=True), Counting(failed=True)


def of(agent: str, finished: str, failed: str = "") -> Experiment:
    """An agent's episodes by the letters of their scenarios."""
    rows: list[Measured] = [(made(agent, letter), {}) for letter in finished]
    rows += [(made(agent, letter, seed=9, status="failed"), {}) for letter in failed]
    return Experiment("level 1", "standard", agent, tuple(rows))


def cell(*experiments: Experiment, counting: Counting = scores.COUNTING) -> Cell:
    (found,) = cells(experiments, counting)
    return found


def counted(found: Cell) -> list[str]:
    return ["".join(episode.header.scenario_digest for episode, _ in line.rows) for line in found.lines]


def test_scenarios_that_somebody_lacks_count_for_nobody() -> None:
    found = cell(of("act", "abcdef"), of("react", "abdx"), of("greedy", "abcdefx"))
    assert (found.common, counted(found)) == (("tea/a", "tea/b", "tea/d"), ["abd"] * 3)
    assert missing_in(found, scores.COUNTING) == (
        "level 1, standard rules: over the 3 of 7 scenarios that all 3 agents have finished; "
        "act lacks 1 (tea/x); react lacks 3 (tea/c, tea/e, tea/f)"
    )


def test_where_all_have_finished_all_nothing_is_said() -> None:
    found = cell(of("act", "abb"), of("react", "ab"))
    assert (counted(found), missing_in(found, scores.COUNTING)) == (["abb", "ab"], "")


def test_a_failed_call_is_no_zero_unless_asked() -> None:
    experiments = of("act", "ab", failed="cb"), of("react", "abc")
    found = cell(*experiments)
    assert counted(found) == ["ab", "ab"] and [line.failed for line in found.lines] == [2, 0]
    assert missing_in(found, scores.COUNTING).endswith("act lacks 1, 2 failed (tea/c)")
    assert counted(cell(*experiments, counting=FAILED)) == ["abcb", "abc"]


def test_who_has_finished_nothing_takes_nothing_from_the_others() -> None:
    found = cell(of("act", "", failed="ab"), of("react", "ab"), of("greedy", "abc"))
    assert counted(found) == ["", "ab", "ab"]
    assert "all 2 agents have finished; act lacks 3, 2 failed" in missing_in(found, scores.COUNTING)


def test_without_a_common_scenario_each_stands_alone_and_that_is_said() -> None:
    found = cell(of("act", "ab"), of("react", "cd"))
    assert counted(found) == ["ab", "cd"] and "not comparable" in missing_in(found, scores.COUNTING)


def test_each_over_its_own_if_asked() -> None:
    found = cell(of("act", "ab"), of("react", "bcd"), counting=OWN)
    assert counted(found) == ["ab", "bcd"] and "rows are not comparable" in missing_in(found, OWN)


def test_one_agent_alone_is_told_what_it_has_not_finished() -> None:
    found = cell(of("act", "abc", failed="dd"))
    assert counted(found) == ["abc"]
    assert "over the 3 of 4 scenarios that are finished; act lacks 1, 2 failed" in missing_in(
        found, scores.COUNTING
    )


class Silent(backburner.FirstLegalPolicy):
    """An agent whose model is never reached."""

    name = "silent"

    async def decide(self, *arguments: object, **more: object) -> object:  # type: ignore[override]
        raise PolicyFailure("model", "no answer")


def episodes() -> list[Episode]:
    worlds = [backburner.world(f"timearena/{name}") for name in ("household9", "household8")]
    return [backburner.play_now(world, backburner.FirstLegalPolicy()) for world in worlds] + [
        backburner.play_now(worlds[0], Silent())
    ]


@pytest.mark.parametrize("counting", [scores.COUNTING, FAILED])
def test_scores_say_what_counts(counting: Counting) -> None:
    (world,) = scores.score(episodes(), counting=counting)
    rows = {row.agent: row for row in world.rows}
    silent, first = rows["silent"], rows["first-legal"]
    assert silent.failed == 1 and len(silent.missing) == (1 if counting.failed else 2)
    if counting.failed:
        assert (silent.episodes, silent.figures["AS"].value, first.scenarios) == (1, 0.0, 1)
    else:
        assert (silent.episodes, silent.figures["AS"].value, first.scenarios) == (0, None, 2)
        assert [episode.header.agent for episode, _ in world.answered] == ["first-legal"] * 2
    assert len(world.measured) == 3 and len(world.notes) == 1


def test_an_agent_can_be_left_out() -> None:
    (world,) = scores.score(episodes(), counting=Counting(without=("silent",)))
    assert [row.agent for row in world.rows] == ["first-legal"] and world.notes == ()
