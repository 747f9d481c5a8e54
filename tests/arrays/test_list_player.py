"""Play by list networks: the codes that a batch of the same episodes gives them, and what does not fit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.arrays.encoding import encoding_of
from backburner.arrays.network import Header, Network, Shape, write_network
from backburner.arrays.player import ListPlayer
from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now
from backburner.training.learner.configuration import Configuration
from backburner.training.learner.rollouts import Lane

LEVEL = "cuisineworld/level_3@bodies=2,seed=play,tau=2.2"
APART = "cuisineworld/level_3@bodies=3,seats=0.1+2,seed=play"


def network_of(lane: Lane, hidden: int = 16) -> Network:
    """Random weights in the shape that the lane's learner has."""
    shape, reads = lane.shape(hidden)
    draw = np.random.default_rng(3)
    weights = {name: draw.normal(0, 0.5, size).astype(np.float32) for name, size in shape.arrays.items()}
    return Network(Header(shape, "cuisineworld", reads), weights)


def lane_of(id: str, bodies: str, count: int = 1) -> Lane:
    made = Configuration(scenarios=(id,), network="list", bodies=bodies)  # type: ignore[arg-type]
    return Lane(registry.world(id), made, count)


@pytest.mark.parametrize(
    ("id", "bodies"),
    [
        (LEVEL, "shared"),
        (LEVEL, "central"),
        (APART, "shared"),
    ],
)
def test_it_plays_the_codes_that_its_learner_would_play(id: str, bodies: str) -> None:
    world = registry.world(id)
    lane = lane_of(id, bodies)
    network = network_of(lane)
    encoding = encoding_of(world)
    player = ListPlayer("it", "cuisineworld", encoding, network)
    state = world.start(5)
    lane.start([5])
    for _ in range(40):
        decisions = {}
        expected = []
        for body in range(lane.bodies):
            seen = lane.look(body)
            scores = network.scores(seen.context)[0][seen.code]
            lane.choose(body, seen.code[[int(np.argmax(scores))]])
            expected.append(int(lane.chosen[0, body]))
        mine = []
        for seat in world.seats:
            codes = player.codes(state, seat)
            mine += codes
            decisions[seat] = encoding.decision(state, seat, codes)
        assert mine == expected
        state = world.step(state, decisions).state
        lane.step()


def test_a_file_of_a_list_network_is_played_by_its_name(tmp_path: Path) -> None:
    write_network(tmp_path / "list.safetensors", network_of(lane_of(LEVEL, "shared")))
    world = registry.world(LEVEL)
    policies = make_policies(AgentSpec(f"weights:{tmp_path / 'list.safetensors'}"), world)
    assert play_now(world, policies, 1).ending is not None


def test_what_does_not_fit_is_refused() -> None:
    network = network_of(lane_of(LEVEL, "shared"))
    for id in ("cuisineworld/level_4@seed=play", "cuisineworld/level_3@bodies=3,seed=play"):
        with pytest.raises(Refused, match="has other codes, features or bodies"):
            ListPlayer("it", "cuisineworld", encoding_of(registry.world(id)), network)
    central = network_of(lane_of(LEVEL, "central"))
    apart = encoding_of(registry.world("cuisineworld/level_3@seats=each,seed=play"))
    with pytest.raises(Refused, match="need to have one seat"):
        ListPlayer("it", "cuisineworld", apart, central)
    other = Network(Header(Shape("list", 1, 0, 1, 1), "cuisineworld", network.header.reads), {})
    with pytest.raises(Refused, match="has other codes, features or bodies"):
        ListPlayer("it", "cuisineworld", apart, other)
