"""Agents that need no model, on a task small enough to follow by hand.

household9: radio (7 minutes, alone), fold quilt (3), find newspaper (3), read newspaper (5, after find).
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

import backburner
from backburner.agents.roster import check_spec, make_policy
from backburner.agents.scripted import RandomPolicy, SerialPolicy, replay_policy
from backburner.agents.spec import AgentSpec
from backburner.kernel.episode import Episode, write_episode
from backburner.kernel.errors import BadFile, PolicyFailure, Refused, UnknownName
from backburner.kernel.menu import Menu, Option
from backburner.kernel.policy import Turn
from backburner.worlds.recipe2plan.game import Cook
from support.evaluation.forged import forge
from support.recipe2plan.play import SOUP, kitchen_of

QUIET_MORNING = "timearena/household9"

SOUP_AT_BEST = [(1, 0), (0, 0), (2, 600), (3, 660), (4, 780)]


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


def soup(agent: str, rules: str = "standard") -> list[tuple[int, int]]:
    """(step, start) as this agent makes a soup: chop 5 min, boil 10 (alone), put in 1, stand 2 (alone),
    season 1.5."""
    world = kitchen_of(SOUP, rules=rules)
    episode = backburner.play_now(world, make_policy(AgentSpec(agent), world))
    assert episode.ending is not None and episode.ending.numbers["completed"]
    cooked = [msgspec.convert(entry.answers["cook"].decision, Cook) for entry in episode.entries]
    return [(piece.step, piece.start) for decision in cooked for piece in decision.actions]


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_serial_waits_by_a_later_start_where_no_decision_passes(rules: str) -> None:
    # chop 0-300, boil 300-900, put in 900-960, stand 960-1080, season 1080-1170: all one after the other
    assert soup("serial", rules) == [(0, 0), (1, 300), (2, 900), (3, 960), (4, 1080)]


def test_serial_fails_where_nothing_waits() -> None:
    menu = Menu((Option("go on", "go on"),), complete=True, under_way=("something",))
    turn = Turn("agent", 0, 0, *(lambda: "",) * 3, menu=lambda: menu)
    with pytest.raises(PolicyFailure, match="no decision that lets what is under way end first"):
        asyncio.run(SerialPolicy().decide(turn, None))


def test_the_others_wait_only_where_nothing_can_begin_before() -> None:
    # the same, as putting in needs both, and seasoning the standing
    assert soup("first-legal") == soup("serial")
    # whichever is drawn first, nothing but water boils while the leek is chopped
    assert soup("random") in ([(0, 0), (1, 300), (2, 900), (3, 960), (4, 1080)], SOUP_AT_BEST)


def test_random_is_reproducible_and_depends_on_the_seed() -> None:
    assert played("random", seed=3).entries == played("random", seed=3).entries
    assert said(played("random", seed=3)) != said(played("random", seed=4))


def test_one_seed_is_not_lucky_in_all_scenarios_alike() -> None:
    """From a menu of two, 64 decision points of one seed in two scenarios: of fair draws that know nothing of
    each other 32 are expected to agree, and fewer than 16 or more than 48 once in ten thousand times."""
    menu = Menu((Option("left", "left"), Option("right", "right")), complete=True)

    def drawn(scenario: str, index: int) -> str:
        turn = Turn("agent", index, 0, *(lambda: "",) * 3, menu=lambda: menu, scenario=scenario)
        return str(asyncio.run(RandomPolicy().decide(turn, None)).answer)

    agree = sum(drawn("tea/one", index) == drawn("tea/two", index) for index in range(64))
    assert 16 <= agree <= 48


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


@pytest.mark.parametrize("part", ["scenario", "rules", "limits"])
def test_a_record_that_no_play_could_have_begun_with_is_not_played(tmp_path: Path, part: str) -> None:
    world = backburner.world("timearena/household9")
    write_episode(backburner.play_now(world, backburner.FirstLegalPolicy()), tmp_path / "one.jsonl")
    forge(tmp_path / "one.jsonl", lambda objects: objects[0].update({part: {"nonsense": 1}}))
    with pytest.raises(BadFile, match=r"one\.jsonl: record of timearena/household9: header: "):
        replay_policy(tmp_path / "one.jsonl", world)
