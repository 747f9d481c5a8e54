"""Environments in which a decision takes time: the episodes are those of play with such a clock."""

from __future__ import annotations

import asyncio
import copy
import pickle
from collections.abc import Mapping
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test

from backburner.agents.latency import LatePolicy
from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.kernel import registry
from backburner.kernel.clock import Timing
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now
from backburner.kernel.replay import final_state
from backburner.kernel.turns import turn_of
from backburner.training import pettingzoo_env  # registers those of Gymnasium
from backburner.training.gymnasium_env import WorldEnv
from backburner.training.latency import clock_of, span_of
from backburner.training.pay import MOST_STEPS
from backburner.training.series import Series
from support.small_worlds.bench import Bench

FARM = "minecraft/level_2@seats=each"


def by_play(scenario: str, **seconds: str) -> Any:
    """The last state of greedy play in which each seat needs so many seconds."""
    world = registry.world(scenario)
    greedy = make_policies(AgentSpec("greedy"), world)
    policies = {seat: LatePolicy(policy, seconds[seat]) for seat, policy in greedy.items()}
    episode = play_now(world, policies, 7, clock=Timing("latency").bound(world, seconds))
    return final_state(episode, world)


class Greedy:
    """Says in words what greedy decides in the seats of a series that are asked."""

    def __init__(self, series: Series) -> None:
        self.series, self.memories = series, dict[str, Any]()
        self.policies = make_policies(AgentSpec("greedy"), series.world)

    def says(self) -> Mapping[str, str]:
        said, world = dict[str, str](), self.series.world
        for seat in self.series.asked:
            turn = turn_of(world, self.series.state, seat, 0, 7, informed=self.policies[seat].informed)
            reply = asyncio.run(self.policies[seat].decide(turn, self.memories.get(seat)))
            self.memories[seat] = reply.memory
            said[seat] = world.words(reply.answer, seat)  # type: ignore[attr-defined]
        return said


def made(id: str, **options: Any) -> WorldEnv:
    env = gymnasium.make(id, observation="text", seeds=[7], **options).unwrapped
    assert isinstance(env, WorldEnv)
    return env


def test_one_learner_is_shown_a_state_and_decides_in_a_later_one() -> None:
    """Greedy in TimeArena, a minute and a half a decision: by turns one tick and two."""
    scenario = "timearena/cooking1+cooking2"
    env = made("backburner/timearena-v3", scenario=scenario, latency=90)
    _, info = env.reset(seed=1)
    greedy, thought, over, paid = Greedy(env.series), list[int](), False, 0.0
    assert info["ticks_thought"] == 0
    while not over:
        (said,) = greedy.says().values()
        _, reward, over, _, info = env.step(said)
        thought.append(info["ticks_thought"])
        paid += reward
    assert env.series.state == by_play(scenario, agent="90")
    assert thought[:4] == [1, 2, 1, 2] and paid == pytest.approx(info["score"])


@pytest.mark.parametrize(("latency", "seconds"), [(2.5, "2.5"), ((1, 6), "1..6"), ("0.5..3", "0.5..3")])
def test_agents_think_each_in_its_own_time(latency: Any, seconds: str) -> None:
    """Whoever is not asked, as it still thinks, is not heard."""
    env = pettingzoo_env.parallel_env(FARM, observation="text", seeds=[7], latency=latency)
    env.reset(seed=1)
    greedy, told = Greedy(env.series), set[int]()
    names = dict(zip(env.series.seats, env.possible_agents, strict=True))
    while env.agents:
        said = greedy.says()
        *_, infos = env.step({name: said.get(seat, "nonsense") for seat, name in names.items()})
        told |= {info["ticks_thought"] for info in infos.values()}
    assert env.series.state == by_play(FARM, alex=seconds, steve=seconds)
    assert told == {50} if latency == 2.5 else len(told) > 20


def test_one_agent_after_the_other_plays_the_same() -> None:
    env = pettingzoo_env.env(FARM, observation="text", seeds=[7], latency=(1, 6))
    env.reset(seed=1)
    greedy, said = Greedy(env.series), dict[str, str]()
    seats = dict(zip(env.possible_agents, env.series.seats, strict=True))
    while not any(env.terminations.values()):
        said = said or dict(greedy.says())
        env.step(said.pop(seats[env.agent_selection]))
    assert env.series.state == by_play(FARM, alex="1..6", steve="1..6")


def test_partners_take_the_time_that_they_say() -> None:
    options: dict[str, Any] = {"seat": "alex", "partners": "greedy@latency=3"}
    for latency, seconds in ((2, "2"), (None, "0")):
        env = made("backburner/minecraft-v1", scenario=FARM, latency=latency, **options)
        env.reset(seed=1)
        greedy = Greedy(env.series)
        while greedy.series.asked:
            env.step(greedy.says()["alex"])
        env.close()
        assert env.series.state == by_play(FARM, alex=seconds, steve="3")


def test_an_episode_without_an_end_is_left() -> None:
    """Both cooks think for 31,000 years, and nothing else would end play."""
    scenario = registry.expand("collab_overcooked/quick")[0]
    latency = "999999999999"
    series = Series(
        registry.world(scenario, limits="none"), latency=latency, seat="chef",
        partners=f"greedy@latency={latency}", seeds=[7],
    )  # fmt: skip
    series.reset(1)
    while series.asked:
        series.step({"chef": "nonsense"})
    assert series.stopped == f"no learner is asked for {MOST_STEPS} steps"


def test_a_copy_goes_on_alike_in_the_middle_of_thoughts() -> None:
    env = made("backburner/minecraft-v1", scenario=FARM, latency=(1, 6))
    env.reset(seed=1)
    env.step(dict(Greedy(env.series).says()))
    copies = [env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))]  # noqa: S301
    asked = [each.series.asked for each in copies]
    told = [each.step(dict.fromkeys(each.series.seats, "[]")) for each in copies]
    assert asked[0] == asked[1] == asked[2] and len(asked[0]) == 1
    assert told[0] == told[1] == told[2]


@pytest.mark.filterwarnings("ignore:Observation")  # a dictionary, as masks need one
def test_the_checkers_of_both_find_nothing() -> None:
    check_env(made("backburner/timearena-v3", latency=(30, 90)), skip_render_check=True)
    env = pettingzoo_env.parallel_env("cuisineworld/level_3@seats=each", latency=(0, 2))
    parallel_api_test(env, num_cycles=60)
    api_test(pettingzoo_env.env("cuisineworld/level_3@seats=each", latency=1.5), num_cycles=60)


def test_in_numbers_and_without_a_latency_nothing_else_is_told() -> None:
    for latency in (None, 60):
        env = gymnasium.make("backburner/timearena-v3", scenario="timearena/cooking1", latency=latency)
        seen, info = env.reset(seed=1)
        assert ("ticks_thought" in info) == (latency is not None)
        *_, info = env.step(env.action_space.sample(mask=seen["action_mask"]))  # type: ignore[call-arg]
        assert info.get("ticks_thought") == (1 if latency else None)


def test_latencies_are_seconds() -> None:
    assert [span_of(each) for each in (2, 0.5, 1e-5, (1, 6), "2..6")] == [
        "2",
        "0.5",
        "0.00001",
        "1..6",
        "2..6",
    ]
    for bad in (-1, "soon", (6, 1), float("nan"), (1, 2, 3), None):
        with pytest.raises(Refused, match=r"latency is seconds, such as 0\.5"):
            span_of(bad)


def test_batches_and_worlds_without_silence_refuse() -> None:
    with pytest.raises(Refused, match="nobody is silent in a batch"):
        gymnasium.make_vec("backburner/timearena-v3", num_envs=2, latency=60)
    with pytest.raises(Refused, match="does not say how time passes while a seat is silent"):
        clock_of(Bench(), ("cook",), 1.0, {})
