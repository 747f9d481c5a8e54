"""The learned cooks: numpy alone, dishes and kitchens that training never saw, how they were trained."""

from __future__ import annotations

from importlib.resources import as_file, files

import msgspec
import pytest

from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.arrays.network import read_network
from backburner.kernel import packs, registry
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now
from backburner.kernel.scoring import mean
from backburner.training.learner.configuration import expanded, shipped_configuration
from backburner.worlds.collab_grid.game.catalogue import optimum_of

SHIPPED = files("backburner.worlds.collab_grid") / "data" / "learned"
TRAINED = shipped_configuration("collab_grid")


def steps(id: str, *agents: str, **build: str) -> int | None:
    """The steps until all orders are delivered, ``None`` if they are not. A second agent is the assistant."""
    world = registry.world(f"collab_grid/{id}", **build)
    chefs, assistants = (make_policies(AgentSpec(agent), world) for agent in (agents * 2)[:2])
    episode = play_now(world, {"chef": chefs["chef"], "assistant": assistants["assistant"]})
    assert episode.ending is not None
    numbers = episode.ending.numbers
    return int(numbers["steps"]) if numbers["completed"] else None


@pytest.mark.slow
def test_dishes_it_never_trained_on_are_delivered_nearly_as_soon_as_can_be() -> None:
    held_out = [id.partition("/")[2] for id in TRAINED.held_out if "@" not in id]
    assert len(held_out) == 6 and not {f"collab_grid/{id}" for id in held_out} & set(TRAINED.scenarios)
    ratios = []
    for id in held_out:
        optimum, taken = optimum_of(f"collab_grid/{id}", "standard"), steps(id, "learned")
        assert optimum is not None and taken is not None, id
        ratios.append(taken / optimum.steps)
    assert 1 <= (mean(ratios) or 9) < 1.2


def test_kitchens_it_never_saw_are_cooked_in() -> None:
    seen = {id.partition("layout=")[2] for id in expanded(TRAINED.scenarios)}
    assert not {"0", "1", "2"} & seen
    ids = [
        id.partition("/")[2]
        for seed in range(3)
        for id in registry.expand(f"collab_grid/quick@layout={seed}")
    ]
    ours, theirs = ([steps(id, agent) for id in ids] for agent in ("learned", "greedy"))
    assert all(ours)
    assert sum(filter(None, ours)) < sum(filter(None, theirs))


@pytest.mark.parametrize("team", [("learned", "greedy"), ("greedy", "learned"), ("learned", "learned-low")])
def test_it_cooks_with_partners_it_never_met(team: tuple[str, str]) -> None:
    assert steps("baked_potato_soup", *team) is not None
    assert steps("baked_pumpkin_soup@layout=1", *team) is not None


def test_it_plays_under_released_rules() -> None:
    assert steps("boiled_egg", "learned", rules="released") is not None


def test_it_goes_by_the_recipes_whoever_has_them_and_says_so() -> None:
    world = registry.world("collab_grid/boiled_egg")
    assert all(policy.informed for policy in make_policies(AgentSpec("learned"), world).values())
    assert steps("boiled_egg", "learned") == steps("boiled_egg@knows=both", "learned")


def test_weights_are_small_and_tell_how_they_were_trained() -> None:
    total = 0
    for skill in ("low", "high"):
        with as_file(SHIPPED / f"{skill}.safetensors") as file:
            network = read_network(file)
            total += file.stat().st_size
        assert msgspec.json.decode(network.header.configuration) == msgspec.json.decode(
            msgspec.json.encode(TRAINED)
        )
    assert total < 400_000
    assert {"learned", "learned-low"} <= packs.pack("collab_grid").agents.keys()


def test_weights_of_another_world_are_refused() -> None:
    other = files("backburner.worlds.cuisineworld") / "data" / "learned" / "high.safetensors"
    with as_file(other) as file, pytest.raises(Refused, match="network for cuisineworld"):
        make_policies(AgentSpec(f"weights:{file}"), registry.world("collab_grid/boiled_egg"))
