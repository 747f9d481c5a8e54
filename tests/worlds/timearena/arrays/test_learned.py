"""The learned agent: numpy alone, tasks it never saw, the training that made it."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

import msgspec
import pytest

from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.arrays.network import Header, Network, read_network, write_network
from backburner.kernel import packs, registry
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now
from backburner.kernel.scoring import mean
from backburner.training.learner.configuration import expanded, shipped_configuration
from backburner.worlds.timearena.game import Limits, TimeArena
from backburner.worlds.timearena.game.scenarios import parts
from support.timearena.play import world_of
from support.timearena.small_tasks import Doing, small_world

SHIPPED = files("backburner.worlds.timearena") / "data" / "learned"

HELD_OUT = ("cooking7", "household8+household9", "lab9+lab10", "lab7+lab8+lab9", "cooking9+cooking10@kit=one")


def timely(world: TimeArena, agent: str) -> float:
    """AS* of one episode."""
    episode = play_now(world, make_policies(AgentSpec(agent), world), 0)
    measures = registry.scoring("timearena").measure(episode)
    return measures["P"] * measures["optimum"] / max(measures["T"], measures["optimum"])


@pytest.mark.slow
def test_it_plays_combinations_of_tasks_it_never_saw_nearly_as_soon_as_possible() -> None:
    held_out = shipped_configuration("timearena").held_out
    assert {f"timearena/{path}" for path in HELD_OUT} <= set(held_out)
    worlds = [world_of(path, limits="article") for path in HELD_OUT]
    learned, legal, chance = (
        mean([timely(world, agent) for world in worlds]) or 0.0
        for agent in ("learned", "first-legal", "random")
    )
    assert learned > 98 > legal > chance


def test_no_task_is_both_trained_on_and_held_out() -> None:
    configuration = shipped_configuration("timearena")
    trained, held_out = (
        {part for id in expanded(ids) for part in parts(registry.world(id))}
        for ids in (configuration.scenarios, configuration.held_out)
    )
    assert not trained & held_out
    assert len(trained) == 18 and len(held_out) == 12


def test_every_published_set_is_finished_as_soon_as_possible() -> None:
    for id in registry.expand("timearena/all"):
        world = registry.world(id, limits="article")
        assert isinstance(world, TimeArena)
        assert timely(world, "learned") == 100, id


def test_it_tells_that_it_knows_more_than_the_agent() -> None:
    (policy,) = make_policies(AgentSpec("learned"), world_of("cooking1")).values()
    assert policy.informed and policy.settings["steps"] > 0


def test_it_plays_tasks_of_ones_own_released_rules_and_without_limits() -> None:
    """Two minutes of work while something cooks for four."""
    tasks = [Doing("cook in", "rice", "pot", minutes=4), Doing("wash", "dish", minutes=2)]
    for world in (small_world(tasks), small_world(tasks, limits=Limits(minutes=5))):
        episode = play_now(world, make_policies(AgentSpec("learned"), world), 0)
        assert episode.ending is not None and episode.ending.numbers["minutes"] == 4
    world = world_of("cooking1", "released", "article")
    episode = play_now(world, make_policies(AgentSpec("learned"), world), 0)
    assert episode.ending is not None and episode.ending.numbers["completed"]


def test_thirty_tasks_are_played_in_a_moment() -> None:
    """The most that are played together, 12 hours of work; each is decided by numpy."""
    tasks = "+".join(f"{kind}{n}" for kind in ("cooking", "household", "lab") for n in range(1, 11))
    world = world_of(tasks, limits="article")
    episode = play_now(world, make_policies(AgentSpec("learned"), world), 0)
    assert episode.ending is not None and episode.ending.numbers["completed"]


def test_weights_are_small_and_tell_how_they_were_trained() -> None:
    with as_file(SHIPPED / "policy.safetensors") as file:
        network = read_network(file)
        assert file.stat().st_size < 400_000
    shipped = msgspec.json.encode(shipped_configuration("timearena"))
    assert msgspec.json.decode(network.header.configuration) == msgspec.json.decode(shipped)


def test_a_file_is_played_by_its_name() -> None:
    world = world_of("lab3", limits="article")
    with as_file(SHIPPED / "policy.safetensors") as file:
        assert timely(world, f"weights:{file}") == timely(world, "learned")


def test_a_network_of_another_world_or_of_other_numbers_is_refused_in_a_line(tmp_path: Path) -> None:
    world, why = world_of("cooking1"), "which reads other numbers than timearena has here"
    foreign = files("backburner.worlds.cuisineworld") / "data" / "learned" / "high.safetensors"
    with as_file(foreign) as file, pytest.raises(Refused, match=f"network for cuisineworld, {why}"):
        make_policies(AgentSpec(f"weights:{file}"), world)
    with as_file(SHIPPED / "policy.safetensors") as file:
        network = read_network(file)
    header = network.header
    other = Header(header.shape, header.world, "0" * 32, header.trained, header.configuration)
    write_network(tmp_path / "other.safetensors", Network(other, network.weights))
    with pytest.raises(Refused, match=why):
        make_policies(AgentSpec(f"weights:{tmp_path / 'other.safetensors'}"), world)


def test_the_released_loop_of_second_tries_is_refused_in_a_line() -> None:
    with pytest.raises(Refused, match="a batch does not cover the rule second_try"):
        make_policies(AgentSpec("learned"), world_of("cooking1", "released-reflexion"))


def test_the_pack_names_it() -> None:
    assert "learned" in packs.pack("timearena").agents
