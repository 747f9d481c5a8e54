"""``oracle@latency=SECONDS`` plays a plan that is made for decisions that take time."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from backburner.agents.latency import latencies
from backburner.agents.planned import SlowPlanPolicy
from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.kernel import claims, registry
from backburner.kernel.clock import SECOND, Timing, thinks_longer
from backburner.kernel.episode import Episode
from backburner.kernel.errors import ReplayMismatch
from backburner.kernel.play import play_now
from backburner.kernel.reach import reach


def played(id: str, seconds: str) -> Episode:
    world = registry.world(id, limits="none")
    policies = make_policies(AgentSpec(f"oracle@latency={seconds}"), world)
    clock = Timing("latency").bound(world, latencies(policies))
    return play_now(world, policies, clock=clock)


@pytest.mark.parametrize(
    ("id", "seconds"),
    [
        ("timearena/cooking1+household3", "120"),
        ("timearena/cooking1+household3", "15"),
        ("robotouille/synchronous/1@seed=42", "2"),
        ("robotouille/multi_agent/1@seed=42", "1"),
        ("collab_grid/boiled_egg", "0.5"),
        ("collab_overcooked/boiled_egg", "3"),
    ],
)
def test_it_comes_to_what_can_be_reached(id: str, seconds: str) -> None:
    episode = played(id, seconds)
    assert episode.ending is not None
    best = reach(registry.world(id, limits="none"), int(float(seconds) * SECOND))
    assert episode.ending.numbers["completed"] == 1
    assert episode.ending.numbers[episode.header.time_unit] == best.upper
    assert claims.check(episode) == len(episode.entries)
    assert {player.settings["latency"] for player in episode.header.players.values()} == {seconds}


def test_where_one_decision_holds_a_plan_it_thinks_once() -> None:
    """The shortest plan of this pair takes 4080 s."""
    episode = played("recipe2plan/Cobbler+Pancakes", "90")
    assert episode.ending is not None
    assert episode.ending.numbers["seconds"] == 4080 + 90


def test_a_team_of_others_plays_as_ever() -> None:
    world = registry.world("collab_grid/boiled_egg")
    team = make_policies(AgentSpec("oracle@latency=1+greedy@latency=1"), world)
    assert not any(isinstance(policy, SlowPlanPolicy) for policy in team.values())
    assert latencies(team) == {"chef": "1", "assistant": "1"}


@pytest.mark.parametrize(
    ("thoughts", "latency", "longer"),
    [
        ("60,60,180", "60", True),
        ("60,59.999999,180", "60", False),
        ("180", "60", False),  # of all its thoughts it says what they take
        ("60,60", "2..60", True),
        ("60,60", "2..61", False),
        ("60,60", None, False),
        ("60,60", "1/0", False),
    ],
)
def test_each_thought_may_be_longer_than_is_told_and_none_shorter(
    thoughts: str, latency: Any, longer: bool
) -> None:
    assert thinks_longer(thoughts, latency) is longer


def test_a_record_with_a_thought_that_is_too_short_is_none() -> None:
    episode = played("timearena/cooking1", "60")
    clock = episode.header.clock
    assert clock is not None
    first, _, others = clock.profiles["agent"].latency.partition(",")
    assert first == "60"
    profiles = {"agent": replace(clock.profiles["agent"], latency=f"59,{others}")}
    header = replace(episode.header, clock=replace(clock, profiles=profiles))
    with pytest.raises(ReplayMismatch, match="the latency of 'agent'"):
        claims.check(replace(episode, header=header))
