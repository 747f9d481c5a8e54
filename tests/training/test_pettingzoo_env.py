"""Worlds of several seats as environments of PettingZoo: its checkers, names, turns, equal episodes."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.test.state_test import state_test

from backburner.arrays.batch import episode_seed
from backburner.kernel import registry
from backburner.kernel.errors import MissingExtra, Refused, UnknownName
from backburner.training.pettingzoo_env import agent_names, env, parallel_env
from support.small_worlds.relay_arrays import installed

RELAY = "relay/door"

IN_NUMBERS = [
    RELAY,
    "cuisineworld/level_3@seats=each",
    "cuisineworld/level_3@bodies=4,seats=each",
    "cuisineworld/level_3@bodies=4,seats=0.1+2.3",
    "collab_grid/boiled_egg",
    "robotouille/multi_agent/1@seed=42",
]

IN_WORDS = [
    RELAY,
    "cuisineworld/level_3@seats=each",
    "collab_overcooked/boiled_egg",
    "robotouille/multi_agent/1@seed=42",
    "clocked_kitchen/level_3",
]

BOTH = [(id, "features") for id in IN_NUMBERS] + [(id, "text") for id in IN_WORDS]

BY_DESIGN = "Observation is not a NumPy array|(Observation|Action) space for each agent probably should be"
"""What PettingZoo warns of for every dictionary with a mask, its own classic games aside, and for a code for
each of several bodies."""


@pytest.fixture(autouse=True)
def relay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with installed(tmp_path, monkeypatch):
        yield


def strictly(check: Callable[[], None]) -> None:
    """Every other warning of a checker is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", BY_DESIGN)
        check()


# --- the field's own checks ------------------------------------------------------------------------------


@pytest.mark.parametrize(("id", "observation"), BOTH)
def test_pettingzoos_checkers_of_parallel_environments_find_nothing(
    id: str, observation: str, capsys: pytest.CaptureFixture[str]
) -> None:
    strictly(lambda: parallel_api_test(parallel_env(id, observation=observation), num_cycles=100))
    assert "Passed Parallel API test" in capsys.readouterr().out
    strictly(lambda: parallel_seed_test(lambda: parallel_env(id, observation=observation), num_cycles=50))


@pytest.mark.parametrize(("id", "observation"), BOTH)
def test_pettingzoos_checkers_of_turns_find_nothing(
    id: str, observation: str, capsys: pytest.CaptureFixture[str]
) -> None:
    strictly(lambda: seed_test(lambda: env(id, observation=observation), num_cycles=50))
    if observation == "features":  # api_test wants a dtype of every observation, which texts do not have
        strictly(lambda: api_test(env(id), num_cycles=60))
        assert "Passed API test" in capsys.readouterr().out
        strictly(lambda: state_test(env(id), parallel_env(id)))


# --- agents ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "agents"),
    [
        (("agent0", "agent1"), ["agent_0", "agent_1"]),
        (("chef", "assistant"), ["chef_0", "assistant_0"]),
        (("robot1", "robot2"), ["robot_1", "robot_2"]),
        (("cook_2",), ["cook_2"]),
        (("42",), ["agent_42"]),
        (("Cook", "cook"), ["agent_0", "agent_1"]),
    ],
)
def test_agents_are_called_as_pettingzoo_recommends(seats: tuple[str, ...], agents: list[str]) -> None:
    assert list(agent_names(seats).values()) == agents


def test_the_metadata_names_the_world_and_its_version() -> None:
    assert parallel_env(RELAY).metadata["name"] == "relay_v7"


def test_a_single_seat_is_one_agent() -> None:
    assert parallel_env("timearena/cooking1").possible_agents == ["agent_0"]


# --- play ------------------------------------------------------------------------------------------------


def test_who_is_not_asked_has_code_0_alone_and_is_not_heard() -> None:
    played = parallel_env(RELAY)
    seen, _ = played.reset(seed=3)
    assert seen["reader_0"]["action_mask"].sum() > 1
    seen, _, _, _, infos = played.step({"reader_0": 1, "runner_0": 3})  # oils for 4 steps, presses for 1 to 3
    assert played.series.asked == ("runner",)
    assert seen["reader_0"]["action_mask"].tolist() == [1, 0, 0, 0, 0, 0, 0, 0, 0]
    time = played.series.state.time
    _, _, _, _, infos = played.step({"reader_0": 8, "runner_0": 1})
    assert infos["reader_0"]["refusals"] == () and infos["runner_0"]["refusals"] == ("not_yours",)
    assert played.series.state.time > time


def test_turns_ask_only_who_is_asked_and_tell_nobody_what_the_other_decides() -> None:
    turns = env(RELAY)
    turns.reset(seed=3)
    assert turns.agent_selection == "reader_0"
    before = turns.observe("runner_0")
    turns.step(1)  # the reader oils; the world waits for the runner
    assert turns.agent_selection == "runner_0" and turns.series.state.time == 0
    assert data_equivalence(turns.observe("runner_0"), before, exact=True)
    turns.step(3)
    assert turns.agent_selection == "runner_0", "the reader is still oiling"


def test_worlds_that_ask_one_seat_after_the_other_are_turns() -> None:
    turns = env("collab_overcooked/boiled_egg", observation="text")
    turns.reset(seed=1)
    world = turns.series.world
    for agent in turns.agent_iter(40):
        seat = {name: seat for seat, name in agent_names(world.seats).items()}[agent]
        seen, *_, over, _ = turns.last()
        assert over or seat in world.deciders(turns.series.state)
        turns.step(None if over else "wait(1)")
    assert isinstance(seen, str)


def drawn(draw: np.random.Generator, seen: dict[str, Any]) -> Any:
    """An open code for each body of an agent."""
    return [int(draw.choice(np.flatnonzero(mask))) for mask in np.atleast_2d(seen["action_mask"])]


def played_in_parallel(id: str, seed: int) -> list[Any]:
    """Rewards, scores and features of an episode of menu play, drawn agent by agent."""
    draw, played, told = np.random.default_rng(seed), parallel_env(id), []
    seen, _ = played.reset(seed=seed)
    while played.agents:
        actions = {}
        for seat, agent in agent_names(played.series.world.seats).items():
            if seat in played.series.asked:
                actions[agent] = drawn(draw, seen[agent])
        seen, rewards, terminated, truncated, infos = played.step(actions)
        told.append((rewards, terminated, truncated, infos, seen, played.state().tolist()))
    return told


def played_by_turns(id: str, seed: int) -> list[Any]:
    draw, turns, told = np.random.default_rng(seed), env(id), []
    turns.reset(seed=seed)
    for agent in turns.agent_iter():
        if turns.terminations[agent] or turns.truncations[agent]:
            break
        state = turns.series.state
        turns.step(drawn(draw, turns.observe(agent)))
        if turns.series.state is not state:
            seen = {name: turns.observe(name) for name in turns.possible_agents}
            told.append(
                (
                    dict(turns.rewards),
                    dict(turns.terminations),
                    dict(turns.truncations),
                    turns.infos,
                    seen,
                    turns.state().tolist(),
                )
            )
    return told


@pytest.mark.parametrize("id", IN_NUMBERS)
def test_both_kinds_play_the_same_episodes(id: str) -> None:
    for seed in range(3):
        parallel, turns = played_in_parallel(id, seed), played_by_turns(id, seed)
        assert data_equivalence(parallel, turns, exact=True) and len(parallel) > 5


def test_all_agents_have_the_reward_of_the_world_and_it_sums_up_by_turns() -> None:
    parallel = played_in_parallel(RELAY, 1)
    total = sum(rewards["reader_0"] for rewards, *_ in parallel)
    assert total == parallel[-1][3]["reader_0"]["score"] > 0
    draw, turns = np.random.default_rng(1), env(RELAY)
    turns.reset(seed=1)
    had = dict.fromkeys(turns.possible_agents, 0.0)
    for agent in turns.agent_iter():
        seen, reward, terminated, truncated, _ = turns.last()
        had[agent] += reward
        over = terminated or truncated
        turns.step(None if over else int(draw.choice(np.flatnonzero(seen["action_mask"]))))
    assert had == dict.fromkeys(turns.possible_agents, total)


def test_gymnasiums_central_learner_plays_these_episodes_too() -> None:
    central = gymnasium.make("backburner/relay-v7", disable_env_checker=True)
    apart = parallel_env(RELAY)
    seen, _ = central.reset(seed=4)
    others, _ = apart.reset(seed=4)
    draw = np.random.default_rng(4)
    over = False
    while not over:
        assert np.array_equal(seen["features"], np.stack([each["observation"] for each in others.values()]))
        codes = [int(draw.integers(9)), int(draw.integers(9))]
        seen, reward, terminated, truncated, _ = central.step(codes)
        others, rewards, _, _, _ = apart.step(dict(zip(apart.possible_agents, codes, strict=True)))
        assert reward == rewards["reader_0"]
        over = terminated or truncated
    assert not apart.agents


def test_episodes_go_on_by_the_one_rule_for_seeds() -> None:
    for made, pool in ((env(RELAY), None), (parallel_env(RELAY, seeds=range(7)), range(7))):
        seeds = []
        for number in range(4):
            made.reset(seed=9 if number == 0 else None)
            seeds.append(made.series.episode_seed)
        assert seeds == [episode_seed(9, number, pool) for number in range(4)]


def test_the_briefing_is_told_once() -> None:
    world = registry.world("collab_overcooked/boiled_egg")
    played = parallel_env("collab_overcooked/boiled_egg", observation="text")
    seen, _ = played.reset(seed=0)
    assert seen["chef_0"].startswith(world.briefing("chef"))
    seen, *_ = played.step({"chef_0": "wait(1)"})
    assert world.briefing("assistant")[:200] not in seen["assistant_0"]
    turns = env("collab_overcooked/boiled_egg", observation="text")
    turns.reset(seed=0)
    first = turns.agent_selection
    assert world.briefing("chef")[:200] in turns.observe("chef_0")
    turns.step("wait(1)")
    assert world.briefing("chef")[:200] not in turns.observe(first)


# --- what there is not -------------------------------------------------------------------------------------


def test_what_does_not_exist_is_answered_with_what_does() -> None:
    with pytest.raises(UnknownName, match="did you mean door"):
        parallel_env("relay/dor")
    with pytest.raises(UnknownName, match="did you mean features"):
        env(RELAY, observation="feature")
    with pytest.raises(Refused, match="render_mode is 'ansi' or None"):
        env(RELAY, render_mode="human")
    with pytest.raises(Refused, match="no encoding in numbers"):
        parallel_env("clocked_kitchen/level_3", observation="features")
    with pytest.raises(Refused, match="no encoding in numbers"):
        parallel_env("clocked_kitchen/level_3").state()


SEATED = "cuisineworld/level_3@seats=each"


def test_actions_are_those_of_agents_in_an_episode() -> None:
    parallel, turns = parallel_env(SEATED), env(SEATED)
    for each in (parallel, turns):
        with pytest.raises(Refused, match="reset begins an episode, and was not called"):
            each.step({})
        each.reset(seed=0)
    with pytest.raises(UnknownName, match=r"unknown agent 'agent_9'.*; did you mean agent_1"):
        parallel.step({"agent_9": 0})
    with pytest.raises(Refused, match=r"actions are a dictionary by agent, not \[0, 0\]"):
        parallel.step([0, 0])  # type: ignore[arg-type]
    for action in (99, -1, None):
        with pytest.raises(Refused, match="codes are"):
            turns.step(action)
    assert turns.agent_selection == "agent_0" and turns.series.state == turns.series.world.start(0)


def test_after_the_end_of_turns_there_is_nobody_to_decide() -> None:
    turns = env(SEATED)
    turns.reset(seed=0)
    for _ in turns.agent_iter():
        *_, terminated, truncated, _ = turns.last()
        turns.step(None if terminated or truncated else 0)
    assert not turns.agents
    with pytest.raises(Refused, match="the episode is over; reset begins the next"):
        turns.step(0)


@pytest.mark.parametrize("option", ["seat", "partners"])
def test_every_seat_is_an_agent(option: str) -> None:
    with pytest.raises(Refused, match=f"every seat is an agent here.*Gymnasium's environments have {option}"):
        parallel_env(SEATED, **{option: "greedy"})


def test_an_option_that_there_is_not_is_named() -> None:
    with pytest.raises(UnknownName, match=r"unknown option 'rewards'.*; did you mean reward"):
        env(SEATED, rewards="score")


@pytest.mark.parametrize("seed", ["one", 1.5])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(Refused, match="a seed is a whole number, not"):
        parallel_env(SEATED).reset(seed=seed)


@pytest.mark.parametrize("library", ["pettingzoo", "gymnasium"])
def test_without_the_libraries_the_extra_is_named(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = f"backburner.training.{library}_env"
    monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=r"an environment of \w+ needs .*\[rl\]"):
        import_module(module)
