"""Pairs of cooks without a model: by the best plan, greedy, clumsy; alone, in teams, in other kitchens."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from backburner.agents.planned import world_agent
from backburner.agents.roster import check_spec, make_policies
from backburner.agents.scripted import FirstLegalPolicy, RandomPolicy
from backburner.agents.spec import AgentSpec
from backburner.kernel import registry
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now
from backburner.kernel.policy import Policy
from backburner.worlds.collab_overcooked.agents.cooks import ClumsyCooks, GreedyCooks
from backburner.worlds.collab_overcooked.agents.oracle import OracleCooks
from backburner.worlds.collab_overcooked.game.rule_set import PRESETS, Limits
from backburner.worlds.collab_overcooked.game.state import Reply
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics.chronicle import chronicle
from backburner.worlds.collab_overcooked.metrics.references import trajectories_of
from backburner.worlds.collab_overcooked.metrics.score import (
    METRICS,
    CollabOvercookedScoring,
    against_references,
    capability,
)
from support.collab_overcooked.kitchens import OPEN_KITCHEN, world_of
from support.small_worlds.relay import Relay

FIRST_OF_LEVELS = {
    "boiled_egg": 16,
    "baked_potato_slices": 24,
    "baked_pumpkin_soup": 34,
    "sliced_bell_pepper_and_corn_stew": 32,
}
"""An order of each of the first four levels, and the steps of its shortest plan (proven, in calls)."""


def published(path: str, rules: str = "standard", steps: int = 200, **options: str) -> CollabOvercooked:
    scenario = registry.catalogue("collab_overcooked").scenario(path, options)
    return CollabOvercooked(f"collab_overcooked/{path}", scenario, PRESETS[rules], Limits(steps, 10))


def told(episode: Episode) -> list[tuple[str, str, str]]:
    """Who planned and said what."""
    found = []
    for entry in episode.entries:
        ((seat, given),) = entry.answers.items()
        assert isinstance(given.decision, Reply)
        found.append((seat, "; ".join(given.decision.plan), given.decision.say))
    return found


def figures(episode: Episode, order: str) -> dict[str, float]:
    """TES of both cooks, IC and RC against all minimal trajectories."""
    world, chronicled = chronicle(episode)
    measures = dict(against_references(world, chronicled, trajectories_of(order).all))
    found = capability([measures], "required")
    return {"TES": measures["PC"], "IC": found.ic or 0.0, "RC": found.rc or 0.0}


def ended(episode: Episode) -> tuple[str, int]:
    assert episode.ending is not None
    return episode.ending.reason, int(episode.ending.numbers["steps"])


# --- the best plan, with talk ---------------------------------------------------------------------------


def test_an_oracle_s_play_reads_like_this() -> None:
    world = published("boiled_egg")
    play = told(play_now(world, OracleCooks(world)))
    fetch, hand_over = "pickup(egg,ingredient_dispenser)", "place_obj_on_counter()"
    assert play[:2] == [
        (
            "chef",
            f"request('{fetch}'); request('{hand_over}'); wait(5)",
            f"Please do {fetch}, then {hand_over}. [END]",
        ),
        ("assistant", f"{fetch}; {hand_over}", f"I do {fetch}, then {hand_over}. [END]"),
    ]
    assert [plan for seat, plan, _ in play[2:] if seat == "chef"] == [
        "pickup(egg,counter)",
        "put_obj_in_utensil(pot0)",
        "cook(pot0)",
        "wait(2)",
        "pickup(boiled_egg,pot0)",
        "deliver_soup()",
    ]


@pytest.mark.parametrize("knows", ["chef", "assistant", "both"])
@pytest.mark.parametrize(("order", "optimum"), FIRST_OF_LEVELS.items())
def test_an_oracle_takes_the_fewest_steps_and_has_every_score(order: str, optimum: int, knows: str) -> None:
    world = published(order, knows=knows)
    episode = play_now(world, OracleCooks(world))
    assert ended(episode) == ("completed", optimum)
    assert not [refusal for entry in episode.entries for refusal in entry.refusals]
    assert figures(episode, order) == pytest.approx({"TES": 1, "IC": 1, "RC": 1})


@pytest.mark.parametrize(("order", "optimum"), FIRST_OF_LEVELS.items())
def test_talk_costs_an_oracle_no_step_under_released_rules(order: str, optimum: int) -> None:
    world = published(order, "released")
    episode = play_now(world, OracleCooks(world))
    assert ended(episode) == ("completed", optimum)
    assert any(say.startswith("Please do") for _, _, say in told(episode))


def test_an_oracle_whose_partner_does_something_else_goes_on_without_its_plan() -> None:
    world = published("boiled_egg")
    asked: dict[str, Policy] = {"chef": OracleCooks(world), "assistant": GreedyCooks(world)}
    assert ended(play_now(world, asked)) == ("completed", 16)
    deaf: dict[str, Policy] = {"chef": OracleCooks(world), "assistant": ClumsyCooks(world, slip_rate=0.9)}
    episode = play_now(world, deaf, seed=1)
    assert ended(episode)[1] > 16


def test_an_oracle_finds_a_plan_for_a_kitchen_of_one_s_own() -> None:
    world = world_of("boiled_egg", layout=OPEN_KITCHEN)
    assert ended(play_now(world, OracleCooks(world))) == ("completed", 12)


def test_where_orders_come_in_for_ever_there_is_no_best_plan() -> None:
    world = world_of("boiled_egg", order_weights={"boiled_egg": 1.0}, limits=Limits(50, 10))
    with pytest.raises(Refused, match="new orders come in for ever"):
        OracleCooks(world)
    episode = play_now(world, GreedyCooks(world))
    assert episode.ending is not None and episode.ending.numbers["delivered"] >= 2


# --- asking and doing as one is asked -------------------------------------------------------------------


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("knows", ["chef", "assistant", "both"])
@pytest.mark.parametrize(
    "path", ["mashed_potato_and_pea_patty", "taro_bean_and_bell_pepper_patty+baked_pumpkin_soup"]
)
def test_a_greedy_pair_meets_every_order(path: str, knows: str, rules: str) -> None:
    world = published(path, rules, knows=knows)
    assert not GreedyCooks(world).informed
    assert ended(play_now(world, GreedyCooks(world)))[0] == "completed"


def test_a_greedy_assistant_does_nothing_but_what_it_is_asked() -> None:
    world = published("baked_pumpkin_soup", steps=60)
    alone = play_now(world, {"chef": RandomPolicy(), "assistant": GreedyCooks(world)}, seed=2)
    assert {plan for seat, plan, _ in told(alone) if seat == "assistant"} == {"wait(1)"}
    pair = told(play_now(world, GreedyCooks(world)))
    asked = {plan for seat, plan, _ in pair if seat == "chef"}
    wanted = {entry for plan in asked for entry in plan.split("; ") if entry.startswith("request")}
    done = {call for seat, plan, _ in pair if seat == "assistant" for call in plan.split("; ")}
    assert {f"request('{call}')" for call in done - {"wait(1)"}} == wanted


@pytest.mark.parametrize("informed", [("chef",), ("assistant",), ("chef", "assistant"), ()])
@pytest.mark.parametrize("orders", [("boiled_egg",), ("gratin", "boiled_egg", "gratin")])
def test_a_greedy_pair_gets_out_of_each_other_s_way(orders: tuple[str, ...], informed: Any) -> None:
    """One room with a corridor of one cell, where nobody passes anybody."""
    world = world_of(*orders, layout=OPEN_KITCHEN, limits=Limits(300, 10), informed=informed)
    assert GreedyCooks(world).informed == (not informed)
    assert ended(play_now(world, GreedyCooks(world)))[0] == "completed"


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("partner", [RandomPolicy(), FirstLegalPolicy()])
@pytest.mark.parametrize("make", [OracleCooks, GreedyCooks, ClumsyCooks])
def test_any_partner_can_cook_with_them(make: Any, partner: Any, rules: str) -> None:
    for layout, order in ((OPEN_KITCHEN, "boiled_egg"), ("two_rooms", "baked_pumpkin_soup")):
        world = world_of(order, layout=layout, rules=PRESETS[rules], limits=Limits(80, 10))
        for seat, other in (("chef", "assistant"), ("assistant", "chef")):
            episode = play_now(world, {seat: make(world), other: partner}, seed=5)
            assert ended(episode)[0] in ("completed", "step_limit")


# --- slips ----------------------------------------------------------------------------------------------


def test_who_never_slips_is_greedy() -> None:
    world = published("baked_pumpkin_soup")
    careful = play_now(world, ClumsyCooks(world, slip_rate=0.0))
    assert told(careful) == told(play_now(world, GreedyCooks(world)))


def test_slips_follow_from_the_seed() -> None:
    world = published("baked_pumpkin_soup")
    first, again, other = (play_now(world, ClumsyCooks(world), seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert told(first) != told(other)


def test_a_greedy_chef_goes_on_with_a_clumsy_assistant() -> None:
    world = published("sliced_bell_pepper_and_corn_stew", steps=300)
    for seed in range(5):
        team: dict[str, Policy] = {"chef": GreedyCooks(world), "assistant": ClumsyCooks(world)}
        assert ended(play_now(world, team, seed=seed))[0] == "completed"


def test_the_scores_tell_who_plays() -> None:
    """Over an order of each level, against the released references, every score falls from pair to
    pair: who plays a shortest plan, who asks for one thing after another, who slips, who draws."""
    keys = ("PC", "IC", "RC", "IC rel.", "RC rel.")
    metrics = {metric.key: metric for metric in METRICS}
    found = []
    for name in ("oracle", "greedy", "clumsy", "random"):
        rows = []
        for order in registry.catalogue("collab_overcooked").suites()["quick"]:
            world = published(order, steps=80)
            policies = make_policies(AgentSpec(name), world)
            seeds = range(6 if name in ("clumsy", "random") else 1)
            rows += [CollabOvercookedScoring().measure(play_now(world, policies, seed)) for seed in seeds]
        found.append({key: metrics[key].over(rows) or 0.0 for key in keys})
    for better, worse in pairwise(found):
        assert all(better[key] > worse[key] for key in keys), found


# --- names ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["oracle", "greedy", "clumsy", "greedy+clumsy", "oracle+greedy"])
def test_they_go_by_these_names(name: str) -> None:
    world = published("boiled_egg")
    check_spec(AgentSpec(name))
    policies = make_policies(AgentSpec(name), world)
    names = name.split("+") * (2 if "+" not in name else 1)
    assert [policies[seat].name for seat in world.seats] == names
    assert ended(play_now(world, policies))[0] == "completed"


def test_a_world_without_clumsy_agents_says_so() -> None:
    with pytest.raises(
        Refused, match=r"^relay/door: .* no agent 'clumsy'.*; clumsy plays collab_overcooked$"
    ):
        world_agent("clumsy", Relay())
