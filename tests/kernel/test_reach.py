"""Plans that are stretched for decisions that take time, and what is told of the best under latency."""

from __future__ import annotations

from fractions import Fraction

import pytest

from backburner.kernel import registry
from backburner.kernel.clock import SECOND, Clock, Profile
from backburner.kernel.errors import Refused
from backburner.kernel.oracle import Request, solve_world
from backburner.kernel.reach import Moment, Reach, reach, reached, slow_plan, stretched

MINUTE = 60 * SECOND


def moments(*decided: dict[str, tuple[int, int]]) -> list[Moment]:
    """Each with the seats that decide then, when, and until when they are busy."""
    return [
        Moment(next(iter(one.values()))[0], {seat: until for seat, (_, until) in one.items()})
        for one in decided
    ]


def test_waits_are_what_there_is_time_to_think_in() -> None:
    # 0, 1, 5 with thoughts of 2: think 0-2, act 2-3; think 3-5, act 5-6; 4 after that, 9, which leaves 3
    plan = moments({"cook": (0, 1)}, {"cook": (1, 2)}, {"cook": (5, 6)})
    assert stretched(plan, Fraction(2)) == [2, 5, 9]
    # nobody is late for what was waited for anyway
    assert stretched(moments({"cook": (2, 3)}, {"cook": (6, 7)}), Fraction(2)) == [2, 6]


def test_what_is_over_a_tick_is_carried() -> None:
    # thoughts of 1/2: in tick 0 (1/2 is carried), then 1 + 1 = 2, then 3, then 5
    plan = moments(*({"cook": (at, at + 1)} for at in range(4)))
    assert stretched(plan, Fraction(1, 2)) == [0, 2, 3, 5]


def test_seats_think_at_once_and_wait_for_each_other() -> None:
    # both think until 3 and act at once; then the chef alone, 3 later; the assistant has thought by then
    plan = moments({"chef": (0, 1), "assistant": (0, 1)}, {"chef": (1, 2)}, {"assistant": (2, 3)})
    assert stretched(plan, Fraction(3)) == [3, 7, 8]


def test_each_thought_may_have_a_latency_of_its_own() -> None:
    clock = Clock("latency", SECOND, {"cook": Profile(latency="2,0.5,1..1")})
    charged = [clock.charge("cook", (), number, 0) for number in range(5)]
    assert charged == [2 * SECOND, SECOND // 2, SECOND, 2 * SECOND, SECOND // 2]
    with pytest.raises(ValueError, match=r"unlike 3\.\.2"):
        Profile(latency="1,3..2")


@pytest.mark.parametrize("minutes", ["0.1", "0.5", "1", "4"])
def test_a_plan_is_played_by_the_clock_as_it_was_worked_out(minutes: str) -> None:
    """Every wait is a thought, and the world says that the plan comes to what the solver has promised."""
    world = registry.world("timearena/cooking1+household3", limits="none")
    latency = Fraction(minutes)
    found = solve_world(world, Request(options={"latency": str(float(latency * 60))}))
    seat = world.seats[0]
    slow = slow_plan(world, [{seat: decision} for decision in world.plan(found.starts)], latency)
    assert reached(world, slow) == found.objective
    assert all(answer.do != "wait" for answer in slow.answers[seat][:-1] if hasattr(answer, "do"))
    assert len(slow.answers[seat]) == len(found.starts or ()) + 1
    charged = [float(each) for each in slow.latencies[seat].split(",")]
    assert min(charged) >= 60 * float(latency)


def test_what_is_reached_has_one_form() -> None:
    pair = "timearena/cooking1+cooking2"
    assert reach(registry.world(pair), MINUTE) == Reach(57, 57, "optimal", "min", "minutes")
    # the article gives this pair 80 minutes
    assert reach(registry.world(pair), 4 * MINUTE) == Reach(
        117,
        None,
        "infeasible",
        "min",
        "minutes",
        "the plan takes 117 minutes; the world ends play before (time_limit)",
    )


def test_without_latency_it_is_the_optimum() -> None:
    world = registry.world("timearena/cooking1", limits="none")
    best, found = solve_world(world), reach(world, 0)
    assert (found.lower, found.upper, found.status, found.at_once) == (
        best.bound,
        best.objective,
        "optimal",
        None,
    )
    assert solve_world(world, Request(options={"latency": "0"})).starts == best.starts


@pytest.mark.parametrize(
    ("id", "seconds", "lower", "upper"),
    [
        # seven actions and nothing that goes on by itself: 7 + 7 L, of which whole steps count
        ("robotouille/synchronous/1@seed=42", "0.5", 10, 10),
        ("robotouille/synchronous/1@seed=42", "4", 35, 35),
        # 23 actions in 23 steps, and no plan has fewer
        ("robotouille/asynchronous/2@seed=42", "1", 46, 46),
        # 19 in 19 steps, and no plan has fewer than 16
        ("robotouille/asynchronous/1@seed=42", "1", 32, 38),
        # both robots have their turns in a row: the plan is later by whole rounds
        ("robotouille/multi_agent/1@seed=42", "1", 33, 69),
        # 16 steps, and one thought in which each cook names all that it will do
        ("collab_overcooked/boiled_egg", "0.5", 16, 16),
        ("collab_overcooked/boiled_egg", "4", 20, 20),
        # 15 steps; each move of a cook is a decision
        ("collab_grid/boiled_egg", "1", 16, 27),
    ],
)
def test_planning_worlds_have_bounds_of_which_the_world_has_played_one(
    id: str, seconds: str, lower: int, upper: int
) -> None:
    found = reach(registry.world(id, limits="none"), int(Fraction(seconds) * SECOND))
    assert (found.lower, found.upper) == (lower, upper)
    assert found.status == ("optimal" if lower == upper else "bounds")


@pytest.mark.parametrize(
    ("seconds", "status", "note"),
    [
        # the article gives 1.5 times the optimum, which is 7: 10 steps
        ("0.5", "optimal", ""),
        ("1", "infeasible", "at this speed it takes 14 steps at least; the world ends play after 10"),
    ],
)
def test_a_limit_makes_a_speed_infeasible(seconds: str, status: str, note: str) -> None:
    world = registry.world("robotouille/synchronous/1@seed=42")
    found = reach(world, int(Fraction(seconds) * SECOND))
    assert (found.status, found.note) == (status, note)


@pytest.mark.parametrize(
    "id",
    ["robotouille/asynchronous/6@seed=42", "collab_grid/baked_potato_slices", "collab_overcooked/boiled_egg"],
)
def test_nothing_is_better_at_a_lower_speed(id: str) -> None:
    world = registry.world(id, limits="none")
    found = [reach(world, tenths * SECOND // 10) for tenths in (0, 1, 5, 10, 20)]
    for ends in ([each.lower or 0 for each in found], [each.upper or 0 for each in found]):
        assert ends == sorted(ends)


def test_a_recipe_may_be_cooked_at_once_where_nobody_can_decide_it_step_by_step() -> None:
    """Step 7 of the radish is to follow hand work within 60 s; a whole plan is put off by its one thought."""
    world = registry.world("recipe2plan/Cobbler+Daikon-Radish", limits="none")
    best = reach(world, 0)
    slow = reach(world, 90 * SECOND)
    assert best.upper is not None
    assert (slow.status, slow.upper, slow.at_once) == ("infeasible", None, best.upper + 90)
    assert "infeasible at this speed: Daikon-Radish 7 is to start within 60 seconds of" in slow.note
    assert slow.limit == slow.at_once


def test_a_world_whose_oracle_says_nothing_of_it_is_refused() -> None:
    with pytest.raises(Refused, match="no option 'latency'"):
        reach(registry.world("minecraft/level_1"), SECOND)


def test_latencies_are_decimal_seconds() -> None:
    with pytest.raises(Refused, match=r"write seconds, such as 2 or 0\.5, not 'half'"):
        solve_world(registry.world("timearena/cooking1"), Request(options={"latency": "half"}))
