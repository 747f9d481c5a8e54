"""Dispatchers without a model: how well they serve, with whom, and in which kitchens."""

from __future__ import annotations

import pytest

from backburner.agents.planned import world_agent
from backburner.agents.roster import make_policies, make_policy
from backburner.agents.spec import AgentSpec
from backburner.kernel.episode import Episode
from backburner.kernel.errors import MissingExtra, Refused
from backburner.kernel.play import play_now
from backburner.worlds.cuisineworld.game import RELEASED, STANDARD, CuisineWorld, Limits, Rules, Scenario
from backburner.worlds.cuisineworld.game.cookbook import Cookbook, Recipe
from support.cuisineworld.play import world_of
from support.small_worlds.relay import Relay


def completed(episode: Episode) -> int:
    assert episode.ending is not None and episode.ending.status == "ended"
    return int(episode.ending.numbers["completed"])


def refusals(episode: Episode) -> list[str]:
    return [refusal.code for step in episode.entries for refusal in step.refusals]


def played(path: str, agent: str = "greedy", rules: str = "standard") -> Episode:
    world = world_of(path, rules)
    return play_now(world, make_policies(AgentSpec(agent), world))


def test_three_bodies_serve_a_meatcake_in_eight_steps() -> None:
    """As soon as anybody can: ingredients are put in step 4, and the third body activates in it."""
    steps = played("level_0@bodies=3,tau=2.0").entries
    said = [answer.decision.commands for step in steps[:8] for answer in step.answers.values()]
    assert said[3] == ("put_agent0_blender0", "put_agent1_blender0", "activate_agent2_blender0")
    assert "put_agent0_servingtable0" in said[7]


@pytest.mark.parametrize(
    ("level", "bodies", "least"),
    [("level_0", 2, 7), ("level_3", 2, 4), ("level_5", 4, 6), ("level_9", 3, 4), ("level_12", 4, 8)],
)
def test_the_greedy_dispatcher_serves_well_and_is_never_refused(level: str, bodies: int, least: int) -> None:
    episode = played(f"{level}@bodies={bodies},tau=1.5")
    assert completed(episode) >= least
    assert refusals(episode) == []


def test_seats_for_each_body_play_as_one() -> None:
    together, apart = played("level_3@bodies=3,tau=1.5"), played("level_3@bodies=3,seats=each,tau=1.5")
    assert refusals(apart) == []
    assert completed(apart) >= completed(together) - 1


@pytest.mark.parametrize(
    "team", ["greedy+greedy+random", "random+greedy+greedy", "greedy+first-legal+greedy"]
)
def test_it_gets_by_with_partners_who_do_as_they_like(team: str) -> None:
    """Two of three bodies are as good as two: who does something else is not counted on."""
    assert completed(played("level_3@bodies=3,seats=each,tau=2.0", team)) >= 3


@pytest.mark.parametrize(
    "variant", ["table=0", "table=1", "spoil=5", "orders=hidden", "orders=hidden,seats=each"]
)
def test_it_plays_every_variant(variant: str) -> None:
    options = ",".join(sorted(("bodies=3", "tau=2.0", *variant.split(","))))
    assert completed(played(f"level_3@{options}")) >= 3


def test_it_leaves_what_the_kitchen_cannot_make() -> None:
    """Level 12 as released has no fryer: nobody slices potatoes for French fries that nobody can fry."""
    episode = played("level_12@bodies=2,tau=2.0", rules="released")
    assert refusals(episode) == []
    assert completed(episode) >= 4


BOOK = Cookbook(
    ("rice", "egg"),
    (
        Recipe("soft", "pot", ("rice",)),
        Recipe("softer", "pot", ("soft",)),
        Recipe("pudding", "pot", ("softer", "egg")),
        Recipe("slice", "chopboard", ("rice",)),
        Recipe("feast", "pan", ("slice", "pudding")),
    ),
)
"""Things that go back into the kind of tool that made them, of which there is one."""


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["greedy", "allocation"])
@pytest.mark.parametrize("rules", [STANDARD, RELEASED])
@pytest.mark.parametrize("bodies", [1, 2, 5])
@pytest.mark.parametrize("dishes", [("softer",), ("pudding",), ("feast", "slice")])
def test_it_plays_kitchens_of_others(agent: str, rules: Rules, bodies: int, dishes: tuple[str, ...]) -> None:
    if agent == "allocation":
        pytest.importorskip("ortools")
    kitchen = ("storage", "servingtable", "pot", "chopboard", "pan")
    lifetimes = (40,) * len(dishes)
    scenario = Scenario("own", dishes, kitchen, 20, lifetimes, bodies, steps=80, cookbook=BOOK)
    world = CuisineWorld("cuisineworld/own", scenario, rules, Limits(80))
    assert completed(play_now(world, make_policy(AgentSpec(agent), world))) >= 1


def test_the_allocation_problem_is_solved_at_every_step() -> None:
    pytest.importorskip("ortools")
    episode = played("level_9@bodies=2,tau=2.0", "allocation")
    assert refusals(episode) == []
    assert completed(episode) >= 3


def test_the_allocation_problem_needs_its_world_and_its_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Refused, match=r"relay/door: .*; allocation plays cuisineworld"):
        make_policy(AgentSpec("allocation"), Relay())

    def missing() -> None:
        raise MissingExtra("solve", "an exact oracle")

    monkeypatch.setattr("backburner.worlds.cuisineworld.agents.dispatchers.cp_sat", missing)
    with pytest.raises(MissingExtra, match="solve"):
        make_policy(AgentSpec("allocation"), world_of("level_0"))


def test_the_oracle_serves_more_than_the_greedy_dispatcher() -> None:
    # proven: eight meatcakes are the most
    assert (completed(played("level_0@tau=1.0", "oracle")), completed(played("level_0@tau=1.0"))) == (8, 7)
    with pytest.raises(Refused, match="orders come by the seed of play"):
        world_agent("oracle", world_of("level_0@seed=play"))


def test_equal_episodes_are_played_equally() -> None:
    world = world_of("level_5@bodies=3,tau=1.0")
    assert (
        play_now(world, world_agent("greedy", world)).entries
        == play_now(world, world_agent("greedy", world)).entries
    )
