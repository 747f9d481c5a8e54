"""Agents that need no model, on a task small enough to follow by hand.

household9: radio (7 minutes, alone), fold quilt (3), find newspaper (3), read newspaper (5, after find).
"""

from __future__ import annotations

from pathlib import Path

import pytest

import backburner
from backburner.agents.human import HumanPolicy
from backburner.agents.roster import AgentSpec, check_spec, make_policy
from backburner.kernel.episode import Episode, write_episode
from backburner.kernel.errors import Refused, UnknownName
from backburner.worlds.timearena import Limits

QUIET_MORNING = "timearena/household9"


def played(agent: str, scenario: str = QUIET_MORNING, seed: int = 0, rules: str = "standard") -> Episode:
    world = backburner.world(scenario, rules=rules)
    return backburner.play_now(world, make_policy(AgentSpec(agent), world), seed)


def said(episode: Episode) -> list[str]:
    world = backburner.world(episode.header.id)
    return [world.words(entry.answers["agent"].decision) for entry in episode.entries]


def minutes(episode: Episode) -> int:
    assert episode.ending is not None and episode.ending.reason == "completed"
    return int(episode.ending.numbers["minutes"])


def test_first_legal_starts_the_radio_and_fills_the_time() -> None:
    # radio 0-1 (runs to 7), quilt 1-4, find 4-7, read 7-12
    episode = played("first-legal")
    assert said(episode) == ["activate radio", "fold quilt", "find newspaper", "read newspaper"]
    assert minutes(episode) == 12


def test_serial_waits_for_the_radio() -> None:
    # radio 0-7 with 6 waits, quilt 7-10, find 10-13, read 13-18
    episode = played("serial")
    assert said(episode) == [
        "activate radio",
        *["wait"] * 6,
        "fold quilt",
        "find newspaper",
        "read newspaper",
    ]
    assert minutes(episode) == 18


def test_random_is_reproducible_and_depends_on_the_seed() -> None:
    assert played("random", seed=3).entries == played("random", seed=3).entries
    assert said(played("random", seed=3)) != said(played("random", seed=4))


def test_oracle_plays_the_optimum() -> None:
    # the agent is needed for 1 + 3 + 3 + 5 = 12 minutes, so 12 cannot be beaten
    episode = played("oracle")
    assert minutes(episode) == 12
    assert episode.header.players["agent"].informed


def test_greedy_plays_the_article_heuristic_where_its_graph_misses_an_occupied_thing() -> None:
    # household4: fill can 0-3, water tree 3-9 (alone, the tree is in use), trim 9-14
    assert minutes(played("greedy", "timearena/household4")) == 14


def test_replay_gives_the_same_answers(tmp_path: Path) -> None:
    first = played("random", seed=5)
    write_episode(first, tmp_path / "first.jsonl")
    again = played(f"replay:{tmp_path / 'first.jsonl'}")
    assert [entry.digest for entry in again.entries] == [entry.digest for entry in first.entries]


def test_a_plan_that_runs_out_fails_the_episode_and_says_so() -> None:
    world = backburner.world(QUIET_MORNING)
    episode = backburner.play_now(world, backburner.PlanPolicy("short", ["wait"], informed=False))
    assert episode.ending is not None
    assert (episode.ending.status, episode.ending.reason) == ("failed", "plan")
    assert "1 decisions" in episode.ending.error


def test_unknown_agents_and_missing_models_are_explained() -> None:
    with pytest.raises(UnknownName, match="did you mean greedy"):
        check_spec(AgentSpec("gredy"))
    with pytest.raises(Refused, match="--model NAME"):
        check_spec(AgentSpec("react"))
    with pytest.raises(Refused, match="backburner play"):
        make_policy(AgentSpec("human"), backburner.world(QUIET_MORNING))


def test_there_is_no_oracle_for_what_cannot_be_completed() -> None:
    with pytest.raises(Refused, match="infeasible"):
        played("oracle", "timearena/cooking2+cooking3", rules="released")


def person(lines: list[str]) -> tuple[HumanPolicy, list[str]]:
    shown: list[str] = []
    left = iter(lines)

    def ask(prompt: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return HumanPolicy(shown.append, ask, clock=lambda: 0.0), shown


def test_a_person_sees_the_menu_and_the_result() -> None:
    policy, shown = person(["?", "", "fold quilt", "fly away", "quit"])
    world = backburner.world(QUIET_MORNING, limits=Limits())
    episode = backburner.play_now(world, policy)
    assert episode.ending is not None and episode.ending.reason == "quit"
    assert [entry.answers["agent"].text for entry in episode.entries] == ["fold quilt", "fly away", "quit"]
    assert "  activate radio\n  fold quilt\n  find newspaper\n  wait" in shown
    assert any("quilt is tidy." in text for text in shown)


def test_when_the_input_ends_the_record_ends_as_interrupted() -> None:
    policy, _ = person(["fold quilt"])
    records = []
    with pytest.raises(KeyboardInterrupt):
        backburner.play_now(backburner.world(QUIET_MORNING), policy, sink=records.append)
    assert records[-1].status == "interrupted"
    assert records[-1].steps == 1
