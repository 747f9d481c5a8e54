"""Agents that ask nobody may take a while for each decision: ``NAME@latency=SECONDS``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import backburner
from backburner.agents.latency import clock_for, latencies
from backburner.agents.roster import check_spec, make_policies
from backburner.agents.spec import AgentSpec, parted
from backburner.kernel.clock import Timing
from backburner.kernel.episode import write_episode
from backburner.kernel.errors import Refused, UnknownName
from support.small_worlds.relay import Relay

PATIENT = "support.own_agents:Patient"


@pytest.mark.parametrize(
    ("name", "agent", "latency"),
    [
        ("greedy", "greedy", None),
        ("greedy@latency=2", "greedy", "2"),
        ("mine:Agent@latency=2..6", "mine:Agent", "2..6"),
        ("replay:a/greedy@latency=2/1.jsonl", "replay:a/greedy@latency=2/1.jsonl", None),
        ("replay:a/greedy@latency=2.jsonl", "replay:a/greedy@latency=2.jsonl", None),
        ("replay:a/greedy@latency=2/1.jsonl@latency=0.5", "replay:a/greedy@latency=2/1.jsonl", "0.5"),
        ("act@latency=2", "act@latency=2", None),  # a choice that the method does not have
    ],
)
def test_a_latency_stands_behind_a_name(name: str, agent: str, latency: str | None) -> None:
    assert parted(name) == (agent, latency)


def test_teams_are_taken_apart_with_their_latencies() -> None:
    spec = AgentSpec("replay:a+b.jsonl@latency=2+greedy@latency=0.5+react", model="m")
    assert spec.members == ("replay:a+b.jsonl@latency=2", "greedy@latency=0.5", "react")
    assert spec.label == "replay:a+b.jsonl@latency=2+greedy@latency=0.5+react(m)"


def test_name_and_settings_say_how_long_a_seat_takes(tmp_path: Path) -> None:
    policies = make_policies(AgentSpec(f"random@latency=2..6+{PATIENT}@latency=0.5"), Relay())
    assert {seat: policy.name for seat, policy in policies.items()} == {
        "reader": "random@latency=2..6",
        "runner": "patient@latency=0.5",
    }
    assert latencies(policies) == {"reader": "2..6", "runner": "0.5"}
    assert policies["runner"].settings["made_for"] == Relay().id

    episode = backburner.play_now(Relay(), make_policies(AgentSpec("random"), Relay()), 3)
    write_episode(episode, tmp_path / "a.jsonl")
    again = make_policies(AgentSpec(f"replay:{tmp_path / 'a.jsonl'}@latency=1+random"), Relay())
    assert latencies(again) == {"reader": "1"} and again["reader"].name == "replay@latency=1"


def test_without_a_clock_a_latency_changes_no_play() -> None:
    world = backburner.world("timearena/cooking1")
    late, prompt = (
        backburner.play_now(world, make_policies(AgentSpec(name), world))
        for name in ("greedy@latency=60", "greedy")
    )
    assert late.entries == prompt.entries and late.header.agent == "greedy@latency=60"


@pytest.mark.parametrize("latency", ["", "2s", "-1", "6..2", "1e3", "2,calls=3", "inf"])
def test_what_is_no_latency_is_told_in_a_line(latency: str) -> None:
    with pytest.raises(Refused, match=r"latency is written in seconds, as 2 or 0\.5, or as 2\.\.6"):
        check_spec(AgentSpec(f"greedy@latency={latency}"))


def test_who_can_have_no_latency_is_told_why() -> None:
    with pytest.raises(Refused, match="'react@latency=2': a language model takes as long as its answers do"):
        check_spec(AgentSpec("react@latency=2", model="m"))
    with pytest.raises(UnknownName, match="unknown key 'speed' in agent greedy@speed=2"):
        check_spec(AgentSpec("greedy@speed=2"))
    with pytest.raises(UnknownName, match="unknown agent 'gredy'; did you mean greedy"):
        check_spec(AgentSpec("gredy@latency=2"))


def test_settings_that_are_no_time_are_no_latency() -> None:
    class Own:
        name, informed, settings = "own", False, {"latency": "low"}

    own: Any = Own()
    assert latencies({"cook": own}) == {}


def test_a_clock_charges_the_latency() -> None:
    world = backburner.world("timearena/cooking1")
    policies = make_policies(AgentSpec("greedy@latency=30"), world)
    clock = clock_for(None, world, policies)
    assert clock == Timing("latency").bound(world, {"agent": "30"})
    assert clock_for(None, world, make_policies(AgentSpec("greedy"), world)) is None
    timing = Timing(speed="80")
    assert clock_for(timing, world, policies) == timing.bound(world, latencies(policies))
    episode = backburner.play_now(world, policies, clock=clock)
    thoughts = [answer.thought for entry in episode.entries for answer in entry.answers.values()]
    charges = [thought.charge for thought in thoughts if thought is not None]
    assert charges and set(charges) == {30_000_000}
