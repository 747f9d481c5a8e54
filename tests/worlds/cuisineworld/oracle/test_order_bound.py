"""Upper bounds on served orders: their arithmetic, that nobody serves more, and those of an episode."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from backburner.agents.latency import latencies
from backburner.agents.planned import world_agent
from backburner.agents.roster import make_policies
from backburner.agents.scripted import RandomPolicy
from backburner.agents.spec import AgentSpec
from backburner.evaluation.scoring.scores import score
from backburner.kernel.clock import SECOND, Timing
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BadFile, Refused
from backburner.kernel.play import play_now
from backburner.kernel.reach import Reach, reach
from backburner.worlds.cuisineworld.game import CuisineWorld
from backburner.worlds.cuisineworld.game.cookbook import Cookbook, Recipe, shipped_cookbook
from backburner.worlds.cuisineworld.oracle.order_bound import (
    OrderBound,
    bounds_of,
    dish_work,
    order_bound,
    order_stream,
)
from backburner.worlds.dispatch.bounds import pace_in, pace_of
from backburner.worlds.dispatch.scores import LEAST_FAILED, MOST_SERVED
from support.cuisineworld.play import episode_of, world_of


def test_a_meatcake_takes_thirteen_steps_of_bodies() -> None:
    # two ingredients of 4; activate, get, goto, put; 1 more while the blender turns
    alone = dish_work(shipped_cookbook(), "salmonMeatcake", 1)
    assert alone.body_steps == 4 + 4 + 4 + 1 == 13
    assert alone.tool_steps == {"blender": 2}
    # Three bodies: both ingredients are in after 4 steps, in which the third activates; get in 6, goto, put.
    assert dish_work(shipped_cookbook(), "salmonMeatcake", 3).first_step == 8


def test_sushi_is_bound_by_its_longest_way() -> None:
    # rice in the pot and boiling in 4, got in 7, in the mixer in 9 with the fish, got there and served in 11
    work = dish_work(shipped_cookbook(), "salmonSushi", 4)
    assert work.first_step == 11
    assert work.heads == {"pot": 4, "chopboard": 4, "mixer": 9}
    # From the pot: goto, put, and from the mixer, which takes no time, goto and put again.
    assert work.tails["pot"] == 4


def test_what_stays_in_its_tool_is_not_carried() -> None:
    book = Cookbook(("rice",), (Recipe("soft", "pot", ("rice",)), Recipe("softer", "pot", ("soft",))))
    # rice 4, activate twice, get, goto, put, 1 for the pot at work
    assert dish_work(book, "softer", 2).body_steps == 4 + 2 + 3 + 1


def test_orders_arrive_by_the_clock() -> None:
    first, second = order_stream(world_of("level_0@tau=1.0"))[:2]
    # W = 10: lifetime ceil(2.5 x 1 x 10 x 0.3) = 8, interval 3
    assert (first.arrived, first.last, first.expires) == (0, 8, True)
    assert (second.arrived, second.last) == (3, 11)


def test_two_bodies_make_nine_meatcakes_at_the_most() -> None:
    # 2 x 60 steps / 13 = 9.2; 18 orders run out within 60 steps, three more may be served
    bound = order_bound(world_of("level_0@bodies=2,tau=1.0"))
    assert bound == OrderBound(most_served=9, least_failed=9, impossible=0, limit="bodies")


def test_what_the_kitchen_lacks_cannot_be_served() -> None:
    """Level 12 has no fryer: in three episodes 10, 6, 3, 1, 2 orders of French fries are lost."""
    lost = [
        sum(
            order_bound(world_of(f"level_12@bodies=4,episode={episode},tau={tau}", "released")).least_failed
            for episode in range(3)
        )
        for tau in (1.0, 1.5, 2.0, 2.5, 3.0)
    ]
    assert all(ours >= least for ours, least in zip(lost, (10, 6, 3, 1, 2), strict=True))
    assert order_bound(world_of("level_12@bodies=4,tau=3.0", "standard")).least_failed == 0


@pytest.mark.slow
@pytest.mark.parametrize("level", ["level_0", "level_4", "level_9", "level_12"])
@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("bodies", [1, 3])
def test_nobody_serves_more(level: str, rules: str, bodies: int) -> None:
    world = world_of(f"{level}@bodies={bodies},tau=1.0", rules)
    bound = order_bound(world)
    for agent in (world_agent("greedy", world), RandomPolicy()):
        ending = play_now(world, agent).ending
        assert ending is not None
        assert ending.numbers["completed"] <= bound.most_served
        assert ending.numbers["failed"] >= bound.least_failed


def test_without_an_end_there_is_no_bound() -> None:
    with pytest.raises(Refused, match="no bound without an end"):
        order_bound(world_of("level_0", limits="none"))


def test_where_the_list_can_be_full_there_is_no_bound() -> None:
    world = world_of("level_0@tau=1.0")
    # Every 3 steps an order that waits for 8: those of steps 0 and 3 can be open when that of 6 comes.
    crowded = CuisineWorld(world.id, replace(world.scenario, most_open=2), world.rules, world.limits)
    assert len(order_stream(world)) == 21
    with pytest.raises(Refused, match="can be full"):
        order_bound(crowded)


def test_an_episode_of_orders_has_the_bounds_of_its_own_stream() -> None:
    world = world_of("level_2@seed=play,tau=1.0")
    bounds = {seed: bounds_of(play_now(world, RandomPolicy(), seed)) for seed in range(4)}
    for seed, found in bounds.items():
        bound = order_bound(world, seed)
        assert found == {MOST_SERVED: bound.most_served, LEAST_FAILED: bound.least_failed}
    assert len({tuple(found.values()) for found in bounds.values()}) > 1


def test_where_there_is_no_bound_nothing_is_said() -> None:
    endless = play_now(world_of("level_0", limits="none"), RandomPolicy(), max_steps=3)
    assert bounds_of(endless) == {}


def test_scores_have_the_gap_to_the_bound() -> None:
    """Level 3 with two bodies and τ = 3.0, where nobody moves: all that can be served is."""
    (found,) = score([episode_of(world_of("level_3@tau=3.0"))])
    (section,) = [section for section in found.sections if section.title == "Headroom"]
    assert section.rows[0][:6] == ("speaker", 2, "level_3", ".000", "1.000", "1.000")


# --- where decisions take time -----------------------------------------------------------------------------


def test_a_meatcake_takes_twelve_commands_and_a_seat_gives_fewer_the_longer_it_thinks() -> None:
    # two ingredients of 4; activate, get, goto, put: nobody commands a blender to turn
    assert dish_work(shipped_cookbook(), "salmonMeatcake", 1).commands == 4 + 4 + 4
    world = world_of("level_0@bodies=2,tau=1.0")
    # 60 steps: thoughts of 1 leave 30 decisions of 2 commands, 60 / 12 = 5; those of 4 leave 12, 24 / 12 = 2.
    served = {latency: order_bound(world, pace=pace_of(world, Fraction(latency))) for latency in (0, 1, 4)}
    assert [bound.most_served for bound in served.values()] == [9, 5, 2]
    assert [bound.limit for bound in served.values()] == ["bodies", "commands", "commands"]
    # a seat for each body: both think at the same time
    each = world_of("level_0@bodies=2,seats=each,tau=1.0")
    assert order_bound(each, pace=pace_of(each, Fraction(1))).most_served == 5


def test_nothing_is_served_before_the_first_thought_is_over() -> None:
    world = world_of("level_0@bodies=3,tau=1.0")
    # the first orders can be served in steps up to 8 and 11, the dish lies on the table in 8 at the earliest
    assert order_bound(world).impossible == 0
    assert order_bound(world, pace=pace_of(world, Fraction(4))).impossible == 2


def played_slowly(world: CuisineWorld, latency: str) -> Episode:
    """Greedy, after so many steps of thought for each decision."""
    policies = make_policies(AgentSpec(f"greedy@latency={latency}"), world)
    return play_now(world, policies, clock=Timing("latency").bound(world, latencies(policies)))


@pytest.mark.parametrize("id", ["level_3@tau=1.5", "level_12@seats=each", "level_1@bodies=3"])
@pytest.mark.parametrize("latency", ["0.1", "0.5", "1", "2"])
def test_greedy_play_never_passes_the_bound_of_its_pace(id: str, latency: str) -> None:
    world = world_of(id)
    episode = played_slowly(world, latency)
    assert episode.ending is not None
    bound = order_bound(world, pace=pace_of(world, Fraction(latency)))
    assert episode.ending.numbers["completed"] <= bound.most_served
    assert episode.ending.numbers["failed"] >= bound.least_failed
    assert bounds_of(episode) == {MOST_SERVED: bound.most_served, LEAST_FAILED: bound.least_failed}
    assert bound.most_served <= order_bound(world).most_served


def test_the_oracle_tells_the_bound_where_decisions_take_time() -> None:
    world = world_of("level_0@bodies=2,tau=1.0")
    assert reach(world, SECOND) == Reach(None, 5, "bounds", "max", "orders served", "no plan is looked for")


@pytest.mark.parametrize(
    ("latency", "least"), [("1..3", 1), ("4,0.5", Fraction(1, 2)), ("0", 0), ("0..9", 0)]
)
def test_an_episode_is_bound_by_the_shortest_thoughts_that_it_can_have(latency: str, least: Fraction) -> None:
    world = world_of("level_3@bodies=3,tau=1.0")
    episode = play_now(world, RandomPolicy(), clock=Timing("latency").bound(world, {"dispatcher": latency}))
    pace = pace_of(world, Fraction(least)) if least else None
    assert pace_in(episode, world) == pace
    assert bounds_of(episode)[MOST_SERVED] == order_bound(world, pace=pace).most_served
    # a header that cuts thoughts off earlier promises no more than that; one that leaves out a seat is none
    assert episode.header.clock is not None
    hasty, bare = (
        replace(episode, header=replace(episode.header, clock=replace(episode.header.clock, **changed)))
        for changed in ({"limit_microseconds": 1}, {"profiles": {}})
    )
    assert bounds_of(hasty)[MOST_SERVED] == order_bound(world).most_served
    with pytest.raises(BadFile, match="its clock is that of other seats than dispatcher"):
        bounds_of(bare)


def test_seats_are_bound_each_by_its_own_thoughts() -> None:
    world = world_of("level_3@bodies=2,seats=each,tau=1.0")
    slow = pace_of(world, {"agent0": Fraction(4), "agent1": Fraction(0)})
    assert slow.commands_by(60) == 12 + 60 and slow.first_thought == 0
