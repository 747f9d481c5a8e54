"""Jobs from names: an option that is varied over a suite."""

from __future__ import annotations

from pathlib import Path

import pytest

from backburner.agents.spec import AgentSpec
from backburner.evaluation.jobs import jobs_of, with_each
from backburner.kernel.errors import Refused, UnknownName


def test_an_option_is_varied_value_by_value_over_ids_and_suites() -> None:
    names = with_each(["cuisineworld/quick", "cuisineworld/level_3@tau=1.5"], "bodies", ["2", "4"])
    assert names == [
        "cuisineworld/quick@bodies=2",
        "cuisineworld/level_3@bodies=2,tau=1.5",
        "cuisineworld/quick@bodies=4",
        "cuisineworld/level_3@bodies=4,tau=1.5",
    ]


def test_jobs_are_scenarios_times_values_and_no_scenario_is_played_twice() -> None:
    names = with_each(["cuisineworld/quick", "cuisineworld/level_3@tau=1.5"], "bodies", ["2", "4", "2"])
    jobs = jobs_of(names, [AgentSpec("random")], 1, "standard", "article")
    assert len(jobs) == 2 * 4, "level_3 at 1.5 is one of the quick four"
    assert {job.scenario for job in jobs} >= {
        "cuisineworld/level_3@tau=1.5",
        "cuisineworld/level_3@bodies=4,tau=1.5",
    }


def test_a_world_without_the_option_says_so() -> None:
    (name,) = with_each(["timearena/pairs"], "bodies", ["2"])
    with pytest.raises(UnknownName, match="unknown option 'bodies' in timearena"):
        jobs_of([name], [AgentSpec("random")], 1, "standard", "article")


def test_what_cannot_be_varied_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="says already what bodies is"):
        with_each(["cuisineworld/all@bodies=3"], "bodies", ["2"])
    for name in (str(tmp_path), "lunch.json"):
        with pytest.raises(Refused, match="scenario files say themselves"):
            with_each([name], "bodies", ["2"])
