"""Trajectories: what every decision is worth, by the oracle and by trying; pairs, rewards, difficulty."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from backburner.kernel import registry
from backburner.kernel.contract import World
from backburner.kernel.menu import Menus
from backburner.kernel.oracle import oracle_of
from backburner.kernel.values import Refusal
from backburner.training.export.demonstrations import Demonstration, Settings, best_of, played
from backburner.training.export.rows import rows_of
from backburner.training.export.states import Moment, Values, moments, pairs

SMALL = ("timearena/cooking1", "timearena/household1", "timearena/lab1", "timearena/lab3")


def states(id: str, agent: str, effort: float = 1.0) -> tuple[Demonstration, list[Moment]]:
    world = registry.world(id)
    wanted = Settings("trajectories", (id,), agents=(agent,))
    (found,) = played(world, wanted, best_of(world, wanted, None))
    assert isinstance(found, Demonstration), found
    return found, list(moments(found, Values(world, effort)))


def by_trying(world: World[Any, Any, Any], most: int) -> Any:
    """When everything is done at the earliest from a state on, by every way of playing on; nothing later
    than ``most`` is looked at."""
    assert isinstance(world, Menus)

    @cache
    def finish(state: Any) -> int | None:
        (seat,) = world.deciders(state) or (None,)
        numbers = world.outcome(state).numbers
        if seat is None:
            return int(numbers[world.time_unit]) if numbers["completed"] else None
        if numbers[world.time_unit] > most:
            return None
        after = (world.step(state, {seat: one.decision}).state for one in world.menu(state, seat).options)
        found = [time for state in after if (time := finish(state)) is not None]
        return min(found, default=None)

    return finish


@pytest.mark.parametrize("id", SMALL)
def test_the_oracle_says_of_every_state_what_trying_everything_says(id: str) -> None:
    """Random play leads through states that no plan would have; all their choices are compared."""
    demonstration, found = states(id, "random")
    world = demonstration.world
    assert demonstration.best is not None and demonstration.best.objective is not None
    most = demonstration.best.objective + 6
    finish = by_trying(world, most)
    compared = 0
    for moment in found:
        for choice in moment.choices:
            after = world.step(moment.state, {moment.seat: choice.decision}).state
            tried = finish(after)
            if tried is not None and tried <= most:
                assert choice.finish == tried
                compared += 1
    assert compared > 10


@pytest.mark.parametrize(
    "id, agent",
    [
        ("timearena/household1+household2", "oracle"),
        ("timearena/household1+household2", "random"),
        ("recipe2plan/Cobbler+Okra-Fry", "stepwise"),
        ("recipe2plan/Cobbler+Okra-Fry", "random"),
        ("robotouille/synchronous/1@seed=42", "oracle"),
    ],
)
def test_what_is_lost_on_the_way_is_what_is_missing_at_the_end(id: str, agent: str) -> None:
    demonstration, found = states(id, agent)
    assert all(moment.taken.lost is not None for moment in found)
    lost = sum(moment.taken.lost or 0 for moment in found)
    assert demonstration.regret == lost
    assert (agent == "random") == (lost > 0)
    for moment in found:
        assert moment.now is not None and moment.now.to_go is not None
        assert any(choice.optimal for choice in moment.choices), "somebody can always play on without a loss"
        assert all(choice.lost is None or choice.lost >= 0 for choice in moment.choices)


def test_two_cooks_who_talk_have_worth_where_nothing_is_agreed_on_and_undone() -> None:
    demonstration, found = states("collab_overcooked/baked_bell_pepper", "oracle")
    known = [moment for moment in found if moment.now is not None]
    # The shortest plan takes 17 steps, and from wherever it has got to, that is when it ends.
    assert demonstration.objective == 17 and len(known) >= 6
    assert {moment.now.finish for moment in known if moment.now} == {17}
    worth = [choice for moment in known for choice in moment.choices if choice.lost is not None]
    assert {choice.lost for choice in worth} > {0, 1}
    assert all(choice.lost >= 0 for choice in worth if choice.lost is not None)
    demonstration, found = states("collab_overcooked/baked_bell_pepper", "greedy")
    finishes = [moment.now.finish for moment in found if moment.now and moment.now.finish]
    assert finishes == sorted(finishes) and finishes[-1] == demonstration.objective


def test_a_state_from_which_not_everything_can_be_done_is_dead() -> None:
    # In Recipe2Plan a maximum lag that is missed cannot be mended; random play misses one.
    demonstration, found = states("recipe2plan/Cobbler+Pancakes", "random")
    assert not demonstration.completed
    (fatal,) = [moment for moment in found if moment.taken.dead]
    after = [moment for moment in found if moment.index > fatal.index]
    assert after and all(moment.now and moment.now.status == "infeasible" for moment in after)
    assert all(moment.taken.lost is None and moment.taken.optimal is None for moment in after)


def test_the_oracle_is_asked_no_more_where_the_first_state_is_too_much() -> None:
    world = registry.world("robotouille/asynchronous/3@seed=42")
    values = Values(world, 0.01)
    assert values.why and values.of(world.start()) is None
    assert "effort" in values.why
    values = Values(registry.world("cuisineworld/level_0@tau=1.5"), 1.0)
    assert "from the beginning only" in values.why


def test_effort_bounds_the_search_by_work() -> None:
    world = registry.world("timearena/household1+household2")
    assert oracle_of(world).onward(world, world.start(), 1.0).to_go == 25
    kitchen = registry.world("robotouille/synchronous/1@seed=42")
    assert oracle_of(kitchen).onward(kitchen, kitchen.start(), 1.0).to_go == 7
    assert oracle_of(kitchen).onward(kitchen, kitchen.start(), 0.001).status == "unknown"


@pytest.mark.parametrize(
    "id, lost",
    [("robotouille/asynchronous/3@seed=42", 0), ("cuisineworld/level_0@tau=1.5", None)],
)
def test_of_a_proven_best_play_every_decision_is_optimal_without_a_search(id: str, lost: int | None) -> None:
    _, found = states(id, "oracle", effort=0)
    assert all(moment.now is None and moment.taken.optimal for moment in found)
    assert {moment.taken.lost for moment in found} == {lost}
    demonstration, found = states(id, "greedy", effort=0)
    known = demonstration.regret == 0
    assert all(moment.taken.optimal is (True if known else None) for moment in found)


# --- pairs -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", ["oracle", "random"])
def test_of_each_pair_the_better_loses_nothing_and_the_worse_is_what_its_kind_says(agent: str) -> None:
    demonstration, found = states("timearena/cooking1", agent)
    world = demonstration.world
    kinds = set()
    for pair in pairs(demonstration, found):
        kinds.add(pair.kind)
        by_decision = {choice.decision: choice for choice in pair.moment.choices}
        assert by_decision[pair.chosen].optimal
        step = world.step(pair.moment.state, {pair.moment.seat: pair.rejected})
        if pair.kind == "refused":
            assert [refusal.code for refusal in step.refusals] == [pair.code]
        else:
            assert not step.refusals
            worse = by_decision[pair.rejected]
            assert worse.optimal is False and worse.lost == pair.lost and pair.lost
            assert worse.passes == (pair.kind == "wait")
            costly = [c.lost for c in pair.moment.choices if c.lost and not c.passes]
            assert pair.kind == "wait" or pair.lost == min(costly)
    assert kinds == {"costly", "wait", "refused"}


def test_without_values_only_what_is_refused_stands_beside_a_proven_plan() -> None:
    demonstration, found = states("timearena/cooking2", "oracle", effort=0)
    assert {pair.kind for pair in pairs(demonstration, found)} == {"refused"}
    demonstration, found = states("timearena/cooking2", "random", effort=0)
    assert not list(pairs(demonstration, found)), "nobody knows what would have been best"


# --- rows --------------------------------------------------------------------------------------------------


def test_rows_have_rewards_and_difficulty() -> None:
    id = "timearena/cooking1"
    given = rows_of(id, Settings("trajectories", (id,), agents=("oracle", "random")), 3)
    rows = given.rows["states"]
    assert [row.last for row in rows if row.agent == "oracle"] == [*[False] * 7, True]
    for agent in ("oracle", "random"):
        mine = [row for row in rows if row.agent == agent]
        assert all(row.reward == 0 for row in mine[:-1]) and mine[-1].reward > 0
        if mine[0].reward_score is not None:
            assert sum(row.reward_score for row in mine) == pytest.approx(mine[-1].reward)
    (scenario,) = given.rows["scenarios"]
    # wash dish 3, pick rice 2, pick beef 2, chop beef 3, two additions 2 each, and two starts of 1: 16.
    assert (scenario.best, scenario.bound, scenario.work) == (16, 16, 16)
    # pick beef 2, chop 3, fry 5, add 2: 12 minutes that wait for each other.
    assert (scenario.critical_path, scenario.activities) == (12, 8)
    assert scenario.group == 3 and scenario.parts == ["task cooking1"]
    assert scenario.branching == 3.25 and scenario.values == ""
    assert scenario.greedy_regret == scenario.greedy - 16


def test_prompts_of_pairs_are_those_of_plain_prompting() -> None:
    id = "timearena/lab1"
    given = rows_of(id, Settings("trajectories", (id,)), 0)
    messages = rows_of(id, Settings("messages", (id,)), 0).rows["messages"][0].messages
    for row in given.rows["preferences"]:
        assert row.prompt == messages[: len(row.prompt)]
        assert len(row.prompt) == 2 * row.step + 1
        assert row.chosen != row.rejected


def test_an_agent_that_is_refused_has_its_refusals_in_the_rows() -> None:
    id = "timearena/lab1"
    world = registry.world(id)
    given = rows_of(id, Settings("trajectories", (id,), agents=("support.blunderer:Blunderer",)), 0)
    rows = given.rows["states"]
    refused = [row for row in rows if row.refusal]
    assert refused and not any(row.optimal for row in refused)
    assert any(row.lost for row in refused), "a refusal costs a minute"
    assert any(row.lost == 0 for row in refused), "which nobody misses who could only have waited"
    assert isinstance(world.parse(world.start(), "agent", "sing"), Refusal)
    assert any(row.decision_json is None for row in refused), "one answer cannot be read"
