"""Agents whose play is worked out beforehand, in worlds that have and have not what they need."""

from __future__ import annotations

from functools import partial

import pytest

import backburner
from backburner.agents.planned import world_agent
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.worlds.recipe2plan.agents import planned
from backburner.worlds.recipe2plan.game import Lag, Recipe, Step
from support.recipe2plan.play import kitchen_of, world_of
from support.small_worlds.relay import Relay

greedy, oracle = partial(world_agent, "greedy"), partial(world_agent, "oracle")


def reason_and_seconds(episode: Episode) -> tuple[str, int]:
    assert episode.ending is not None
    return episode.ending.reason, int(episode.ending.numbers["seconds"])


@pytest.mark.parametrize(("rules", "reason"), [("standard", "completed"), ("released", "finish")])
def test_greedy_plays_the_article_s_heuristic_of_recipe2plan(rules: str, reason: str) -> None:
    world = world_of("Cobbler+Pancakes@lags=off", rules, "article")
    # as long as the stored plan of this pair: its last action is 10 min from minute 58 on
    assert reason_and_seconds(backburner.play_now(world, greedy(world))) == (reason, 68 * 60)
    assert greedy(world).informed


def test_the_oracle_is_as_quick_or_quicker() -> None:
    world = world_of("Cobbler+Daikon-Radish", limits="article")
    # proven optimum 58 min
    assert reason_and_seconds(backburner.play_now(world, oracle(world))) == ("completed", 58 * 60)
    assert reason_and_seconds(backburner.play_now(world, greedy(world)))[1] >= 58 * 60


def test_a_world_without_a_heuristic_says_so() -> None:
    with pytest.raises(Refused, match=r"^relay/door: this world has no agent 'greedy'; it has oracle"):
        greedy(Relay())
    with pytest.raises(Refused, match=r"^relay/door: play depends on the seed"):
        oracle(Relay())
    with pytest.raises(Refused, match=r"'clumsy'; it has greedy, .*; clumsy plays collab_overcooked$"):
        world_agent("clumsy", world_of("Vada+Tacos"))


def test_where_the_heuristic_finds_nothing_it_says_so() -> None:
    # two things to be done by hand the moment the water boils
    at_once = {"after": (0,), "lags": (Lag(0, 0),)}
    egg = Recipe(
        "Egg",
        (Step("Boil.", 180, autonomous=True), Step("Peel.", 60, **at_once), Step("Salt.", 60, **at_once)),
    )
    with pytest.raises(Refused, match="the published heuristic finds no plan"):
        greedy(kitchen_of(egg))


def test_a_plan_is_worked_out_once_for_equal_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    first = greedy(world_of("Vada+Tacos", limits="none"))
    monkeypatch.setattr(planned, "heuristic_plan", None)
    again = greedy(world_of("Vada+Tacos", limits="none"))
    assert backburner.play_now(world_of("Vada+Tacos"), again) == backburner.play_now(
        world_of("Vada+Tacos"), first
    )
