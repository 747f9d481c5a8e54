"""The worked example ``desk/made/counter``: its optimum, and what each script makes of it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.episode import Episode
from backburner.kernel.play import play_now
from backburner.kernel.replay import final_state
from backburner.kernel.schedule import perform, problem_of
from backburner.scheduling.makespan import solve_problem
from backburner.worlds.desk.agents.oracle import oracle
from backburner.worlds.desk.agents.rolling import Rolling
from backburner.worlds.desk.agents.scripts import Critical, Eager, Polling, Script, Sequential
from backburner.worlds.desk.game import Desk
from backburner.worlds.desk.game.scenarios import Notice
from backburner.worlds.desk.game.state import State
from backburner.worlds.desk.metrics.score import scoring


@pytest.fixture(scope="module")
def counter() -> Desk:
    world = registry.world("desk/made/counter")
    assert isinstance(world, Desk)
    return world


def test_the_optimum_is_30_minutes(counter: Desk) -> None:
    # Two chains and the hands bound it from below:
    # build 2 + 4, check 3, build 2 + 8, check 3, release 1 + 5 are 28; refunds 1 + 6, orders 1 + 10,
    # report 3, release 1 + 5 are 27; hands: 1 + 1 + 2 + 2 + 3 + 3 + 4 + 3 + 1 + 1 = 21.
    found = solve_problem(problem_of(counter))
    assert (found.status, found.objective) == ("optimal", 30)
    # refunds 0-1 (to 7), build 1-3 (to 7), wait to 7, orders 7-8 (to 18), check 8-11, build 11-13 (to 21),
    # door 13-14, rota 14-18, report 18-21, check 21-24, release 24-25 (to 30)
    optimum = counter.scenario.optimum
    assert optimum is not None
    assert sorted(optimum.starts.items(), key=lambda start: start[1]) == [
        ("export refunds", 0), ("build#1", 1), ("export orders", 7), ("build#1?", 8), ("build", 11),
        ("door", 13), ("rota", 14), ("report net", 18), ("build?", 21), ("release", 24),
    ]  # fmt: skip
    played = perform(counter, optimum.starts)
    assert played.finished_at("minutes") == optimum.minutes == 30
    assert played.outcome.numbers["score"] == 100


def measures(counter: Desk, maker: type[Script]) -> dict[str, float]:
    return dict(scoring.measure(play_now(counter, maker(counter))))


def test_one_thing_at_a_time_takes_58_minutes(counter: Desk) -> None:
    # orders 0-11, door 11-12, refunds 12-19, build 19-21 (to 25), checked in the middle of 27 to 31: 29-32,
    # build 32-34 (to 42), check 42-45, rota 45-49, report 49-52, release 52-58
    found = measures(counter, Sequential)
    assert (found["minutes"], found["checks"], found["wasted_checks"]) == (58, 2, 0)
    assert found["tempo"] == pytest.approx(100 * 30 / 58)


def test_polling_takes_39_minutes_and_6_of_8_checks_are_in_vain(counter: Desk) -> None:
    # orders 0-1, build 1-3, rota 3-7, checks orders 7-10, door 10-11, refunds 11-12 (to 18), checks refunds
    # 12-15, build 15-18: failed; build 18-20 (to 28), report 20-23, checks build 23-26, 26-29, 29-32,
    # release 32-33 (to 38), checks it 33-36, 36-39
    found = measures(counter, Polling)
    assert (found["minutes"], found["checks"], found["wasted_checks"]) == (39, 8, 6)


@pytest.mark.parametrize("maker", [Eager, Critical, Rolling])
def test_going_by_what_is_told_takes_34_minutes(counter: Desk, maker: type[Script]) -> None:
    # The times told are as long for orders first as for refunds first. Orders 0-1 (to 11), build 1-3,
    # rota 3-7, door 9-10, refunds 11-12 (to 18), check 12-15: failed; build 15-17 (to 25), report 18-21,
    # check 25-28, release 28-29 (to 34)
    found = measures(counter, maker)
    assert (found["minutes"], found["checks"], found["wasted_checks"]) == (34, 2, 0)
    # Rota, report and door are in time: 1 + 2 + 1 of 6; release, due at 33, is late by a minute.
    assert found["served"] == pytest.approx(100 * 4 / 6)
    assert found["late_minutes"] == 1


def test_the_oracle_serves_everything_in_the_least_time(counter: Desk) -> None:
    found = scoring.measure(play_now(counter, oracle(counter)))
    assert (found["served"], found["tempo"], found["overlap"]) == (100, 100, 1)
    assert found["idle_share"] == pytest.approx(4 / 30)  # from 3 to 7, when rota could have been filed


def ended(world: Desk, episode: Episode) -> State:
    state = final_state(episode, world)
    assert isinstance(state, State)
    return state


def test_what_is_left_of_the_plan_is_proven_from_every_state_of_it(counter: Desk) -> None:
    from backburner.scheduling.makespan import onward

    optimum = counter.scenario.optimum
    assert optimum is not None
    played = perform(counter, optimum.starts)
    for state in played.states:
        assert onward(counter.remaining(state), 5).finish == 30


@pytest.mark.parametrize("option", ["content=off", "times=hidden", "times=exact", "slack=0.5"])
def test_options_that_leave_the_problem_as_it_is_keep_the_optimum(option: str) -> None:
    world = registry.world(f"desk/made/counter@{option}")
    assert world.scenario.optimum.minutes == 30
    assert solve_problem(problem_of(world)).objective == 30


def test_slack_sets_deadlines_by_the_best_plan() -> None:
    world = registry.world("desk/made/counter@slack=0.5")
    due = {job.name: job.deliverable.deadline for job in world.scenario.jobs if job.deliverable}
    # It files rota at 18, report at 21, and release ends at 30: half as much again, rounded up.
    assert due == {"rota": 27, "report net": 32, "release": 45}


def test_where_attempts_are_drawn_the_oracle_knows_the_draw() -> None:
    world = registry.world("desk/made/counter@draws=seed")
    lengths = set()
    for seed in range(3):
        episode = play_now(world, oracle(world), seed)
        assert episode.ending is not None and episode.ending.numbers["completed"] == 1
        lengths.add(episode.ending.numbers["minutes"])
    assert len(lengths) > 1


def test_lures_change_neither_the_optimum_nor_what_scripts_serve(counter: Desk) -> None:
    lures = tuple(Notice(at, "somebody", "Have you seen this?", "info") for at in (1, 8, 13, 20))
    lured = Desk(
        counter.id,
        replace(counter.scenario, notices=(*counter.scenario.notices, *lures)),
        counter.rules,
        counter.limits,
    )
    assert problem_of(lured) == problem_of(counter)
    for maker in (Sequential, Polling, Eager):
        assert measures(lured, maker) == measures(counter, maker)
