"""Greedy, the oracle, the bounds, and what is counted of their play."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.agents.scripted import FirstLegalPolicy, RandomPolicy
from backburner.kernel.errors import Refused
from backburner.kernel.oracle import Request, solve_world
from backburner.kernel.play import play_now
from backburner.kernel.scoring import Measured
from backburner.worlds.dispatch.scores import LEAST_FAILED, MOST_SERVED
from backburner.worlds.minecraft.agents.greedy import GreedyDispatcher
from backburner.worlds.minecraft.game import Calls, Limits, Minecraft
from backburner.worlds.minecraft.game.scenarios import TAUS
from backburner.worlds.minecraft.metrics.score import TITLE, scoring
from backburner.worlds.minecraft.oracle.order_bound import bounds_of, order_bound, order_stream
from backburner.worlds.minecraft.oracle.plan_search import most_served
from support.minecraft.play import DISPATCHER, world_of, yard

PATHS = ("level_1@tau=1.5", "level_2@tau=1.0", "level_2@seats=each,tau=2.0", "farm/4@bodies=3,tau=1.5")


def served_by(world: Minecraft, policy: object) -> int:
    ending = play_now(world, policy).ending
    assert ending is not None and ending.status == "ended"
    return int(ending.numbers["completed"])


@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("path", PATHS)
def test_greedy_serves_much_more_than_chance_and_no_more_than_the_bound(path: str, rules: str) -> None:
    world = world_of(path, rules)
    greedy = served_by(world, GreedyDispatcher(world))
    assert max(served_by(world, RandomPolicy()), served_by(world, FirstLegalPolicy())) + 4 <= greedy
    assert greedy <= order_bound(world).most_served


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.sampled_from(TAUS), st.sampled_from(["standard", "released"]))
def test_greedy_is_never_above_the_bound_on_farms(seed: int, tau: float, rules: str) -> None:
    world = world_of(f"farm/{seed}@seed={seed},tau={tau}", rules)
    ending = play_now(world, GreedyDispatcher(world)).ending
    bound = order_bound(world)
    assert ending is not None
    assert ending.numbers["completed"] <= bound.most_served
    assert ending.numbers["failed"] >= bound.least_failed


def test_the_stream_is_what_arrives() -> None:
    for rules in ("standard", "released"):
        world = world_of("level_2@tau=1.5", rules)
        state, seen = world.start(), {}
        while world.deciders(state):
            seen |= {order.number: (order.dish, order.due) for order in state.orders}
            state = world.step(state, {DISPATCHER: Calls(())}).state
        seen |= {order.number: (order.dish, order.due) for order in state.orders}
        end = world.limits.steps or world.limits.ticks or 0
        stream = {n: (order.dish, order.last) for n, order in enumerate(order_stream(world))}
        assert {n: (dish, min(due, end)) for n, (dish, due) in seen.items()} == stream
        assert state.expired == sum(order.expires for order in order_stream(world))


def test_the_bound_in_small() -> None:
    # A chicken can be in the furnace after 20 + 21 (from (4, 4) to (9, 9), 7.07 blocks less one) + 50 + 40
    # + 25 (12.73 blocks less 5.5) + 10 = 166, and is done after 366: too late for 300 ticks.
    assert order_bound(yard(limits=Limits(ticks=300))).most_served == 0
    assert order_bound(yard(limits=Limits(ticks=1400))).most_served == 2
    with pytest.raises(Refused, match="without an end"):
        order_bound(yard())


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_the_oracle_proves_a_small_yard(rules: str) -> None:
    # A chicken that is ordered once in 30 steps, and once more at the end.
    limits = Limits(steps=16) if rules == "released" else Limits(ticks=1500)
    world = yard(rules, limits, interval=20, lifetime=30)
    found = most_served(world, time_limit_seconds=30)
    assert (found.status, found.objective, found.bound) == ("optimal", 1, 1)
    state = world.start()
    for line in found.plan:
        decision = world.parse(state, DISPATCHER, line)
        step = world.step(state, {DISPATCHER: decision})
        assert isinstance(decision, Calls) and not step.refusals
        state = step.state
    assert len(state.served) == 1


def test_the_oracle_proves_the_article_s_easiest_interval() -> None:
    world = world_of("level_2@tau=3.0")
    found = solve_world(world, Request(time_limit_seconds=60))
    assert (found.status, found.objective) == ("optimal", order_bound(world).most_served)
    assert served_by(world, GreedyDispatcher(world)) <= (found.objective or 0)


def test_what_the_oracle_does_not_take() -> None:
    with pytest.raises(Refused, match="one dispatcher"):
        most_served(world_of("level_2@seats=each"))
    with pytest.raises(Refused, match="without an end"):
        most_served(yard())


@pytest.mark.slow
def test_the_same_search_finds_the_same_plan() -> None:
    world = world_of("level_2@tau=1.0")
    first, second = (most_served(world, beams=((3, False),)) for _ in range(2))
    assert first.plan == second.plan and first.status == "feasible"
    assert served_by(world, GreedyDispatcher(world)) <= (first.objective or 0)
    assert (first.objective or 0) <= order_bound(world).most_served


def test_of_many_bodies_plays_are_rolled_out() -> None:
    world = world_of("level_2@bodies=4,tau=1.0")
    first, second = (most_served(world, rollouts=10) for _ in range(2))
    assert first.plan == second.plan and 10 <= (first.objective or 0) <= order_bound(world).most_served


def test_scores_stand_beside_table_5() -> None:
    rows: list[Measured] = []
    for tau in TAUS:
        world = world_of(f"level_2@tau={tau}")
        episode = play_now(world, GreedyDispatcher(world))
        rows.append((episode, {**scoring.measure(episode), **bounds_of(episode)}))
    assert {scoring.group(episode) for episode, _ in rows} == {"level_2, 2 bots"}
    assert all(row["completed"] <= row[MOST_SERVED] and row["failed"] >= row[LEAST_FAILED] for _, row in rows)
    table = next(section for section in scoring.sections(rows) if section.title == TITLE)
    assert table.rows[-1][2:] == ("0.195", "0.381", "0.704", "0.792", "0.833", "0.581", "–")
    shares = [row["completed"] / (row["completed"] + row["failed"]) for _, row in rows]
    assert table.rows[0][2:7] == tuple(f"{share:.3f}" for share in shares)
    assert table.rows[0][7] == f"{sum(shares) / 5:.3f}"
    assert scoring.published[0].figures["CoS"] == 0.581
    assert scoring.figures(rows, lambda metric, of: None)[0].charts
