"""The learned agents: numpy alone, what their seat sees, three skills, the training that made them."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

import msgspec
import pytest

from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.arrays.network import Header, Network, read_network, write_network
from backburner.kernel import packs, registry
from backburner.kernel.errors import BackburnerError, Refused
from backburner.kernel.play import play_now
from backburner.kernel.scoring import mean
from backburner.training.learner.configuration import shipped_configuration
from backburner.worlds.cuisineworld.agents.learned import TABLE_12

SHIPPED = files("backburner.worlds.cuisineworld") / "data" / "learned"


def served(id: str, agent: str, seed: int = 0) -> float:
    """The share of an episode's orders that were served."""
    world = registry.world(f"cuisineworld/{id}")
    policies = make_policies(AgentSpec(agent), world)
    assert not any(policy.informed for policy in policies.values())
    episode = play_now(world, policies, seed)
    assert episode.ending is not None
    numbers = episode.ending.numbers
    return float(numbers["completed"]) / (numbers["completed"] + numbers["failed"] or 1)


LEVELS = ("level_1", "level_4", "level_3", "level_10", "level_7", "level_9")


@pytest.mark.slow
def test_the_best_serves_most_orders_of_seeds_it_never_saw() -> None:
    shares = [served(f"{level}@bodies=3,seed=play,tau=2.0", "learned", seed=3) for level in LEVELS]
    assert (mean(shares) or 0) > 0.8


def test_skills_are_three() -> None:
    names = ("learned-low", "learned-middle", "learned")
    low, middle, high = (
        mean([served(f"{level}@bodies=2,seed=play,tau=2.0", name, seed=5) for level in LEVELS]) or 0.0
        for name in names
    )
    assert low + 0.05 < middle < high - 0.05
    assert served("level_1@seed=play,tau=2.0", "random", seed=5) < low


@pytest.mark.parametrize("seats", ["each", "person", "0.2+1"])
def test_it_plays_single_seats_beside_others(seats: str) -> None:
    assert served(f"level_3@bodies=3,seats={seats},seed=7,tau=2.5", "learned") > 0.5


def test_dispatchers_and_single_players_who_trust_each_other_play_alike() -> None:
    """Each seat expects of those before it what it would do itself, and they are the same network."""
    one = served("level_3@bodies=3,seed=7,tau=1.5", "learned")
    assert served("level_3@bodies=3,seats=each,seed=7,tau=1.5", "learned") == one


def test_what_its_batch_does_not_cover_it_does_not_play() -> None:
    world = registry.world("cuisineworld/level_3@orders=hidden")
    with pytest.raises(Refused, match="a batch does not cover hidden orders"):
        make_policies(AgentSpec("learned"), world)


def test_weights_are_small_and_tell_how_they_were_trained() -> None:
    total = 0
    for skill in ("low", "middle", "high"):
        with as_file(SHIPPED / f"{skill}.safetensors") as file:
            network = read_network(file)
            total += file.stat().st_size
        trained = msgspec.json.decode(network.header.configuration)
        shipped = msgspec.json.decode(msgspec.json.encode(shipped_configuration("cuisineworld")))
        differs = {"also_at"} if skill == "high" else {"also_at", "drawn", "iterations"}
        assert {key: value for key, value in shipped.items() if key not in differs} == {
            key: value for key, value in trained.items() if key not in differs
        }
    assert total < 2_000_000


@pytest.mark.parametrize("level", TABLE_12)
def test_a_network_of_one_level_plays_it_and_no_other(level: str) -> None:
    assert served(f"{level}@seed=play,tau=2.2", "masked-ppo", seed=1) > 0.1
    for other in ("level_3@seed=play,tau=2.2", f"{level}@bodies=3,seed=play,tau=2.2"):
        with pytest.raises(Refused, match="was trained for two bodies, on level_1, level_2, level_4"):
            make_policies(AgentSpec("masked-ppo"), registry.world(f"cuisineworld/{other}"))


def test_a_network_of_another_world_is_refused_in_a_line(tmp_path: Path) -> None:
    with as_file(SHIPPED / "low.safetensors") as file:
        network = read_network(file)
    header = network.header
    other = Header(header.shape, header.world, "0" * 32, header.trained, header.configuration)
    write_network(tmp_path / "other.safetensors", Network(other, network.weights))
    world = registry.world("cuisineworld/level_3")
    with pytest.raises(Refused, match="which reads other numbers than cuisineworld has here"):
        make_policies(AgentSpec(f"weights:{tmp_path / 'other.safetensors'}"), world)


def test_a_file_is_played_by_its_name(tmp_path: Path) -> None:
    with as_file(SHIPPED / "high.safetensors") as file:
        share = served("level_1@seed=7,tau=1.5", f"weights:{file}")
    assert share == served("level_1@seed=7,tau=1.5", "learned")


@pytest.mark.parametrize(
    ("agent", "world", "why"),
    [
        ("weights:", "cuisineworld/level_1", "needs the path of a file of weights"),
        ("weights:none.safetensors", "cuisineworld/level_1", r"none\.safetensors"),
        ("learned", "robotouille/synchronous", "has no agent .learned."),
    ],
)
def test_what_is_not_there_is_told(agent: str, world: str, why: str) -> None:
    made = registry.world(registry.expand(world)[0])
    with pytest.raises(BackburnerError, match=why):
        make_policies(AgentSpec(agent), made)


def test_the_pack_names_them() -> None:
    assert {"learned", "learned-middle", "learned-low"} <= packs.pack("cuisineworld").agents.keys()
