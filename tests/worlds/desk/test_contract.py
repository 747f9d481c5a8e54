"""The desk keeps the contract, and nobody comes to know what is not told."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.testing import check_pack, check_world
from backburner.kernel.values import Seat
from backburner.worlds.desk.game import Desk
from backburner.worlds.desk.game.state import Done, State
from backburner.worlds.desk.game.transition import AGENT
from support.desk.days import drawn, world_of

OPTIONS = (
    "",
    "@content=off",
    "@times=hidden",
    "@times=exact",
    "@notices=poll",
    "@check=1",
    "@draws=seed",
    "@asks=always",
)


def variants(state: State, seat: Seat) -> Sequence[State]:
    """The same with other true ends, silent ends that have come or not, other judgements, another seed."""
    later = replace(
        state, runs=tuple(replace(run, end=run.end + 3) if not run.told else run for run in state.runs)
    )
    judged = tuple(Done(done.name, done.minute, not done.right) for done in state.answered)
    ended = tuple(
        replace(run, phase="failed" if run.phase == "running" else run.phase, right=not run.right)
        if not run.told
        else run
        for run in state.runs
    )
    others = [
        later,
        replace(state, answered=judged),
        replace(state, runs=ended),
        replace(state, seed=state.seed + 1),
    ]
    return [other for other in others if other != state]


@pytest.mark.parametrize("options", OPTIONS)
def test_the_counter_keeps_the_contract(options: str) -> None:
    world = registry.world(f"desk/made/counter{options}")
    checked = check_world(world, hidden_variants=variants, episodes=3)
    assert checked.ran["hidden_facts_stay_hidden"] and checked.ran["silences_add_up"]


@pytest.mark.parametrize("seed", range(8))
def test_small_days_keep_the_contract(seed: int) -> None:
    assert check_world(world_of(drawn(seed), "article"), hidden_variants=variants, episodes=3).steps


def test_the_pack_keeps_its_promises() -> None:
    assert check_pack("desk").ran["scorings_measure_episodes"]


def test_times_failures_and_what_is_yet_to_come_are_in_no_observation() -> None:
    """Two days that differ in what is hidden are told alike, whatever is done, until it shows."""
    one = registry.world("desk/made/counter")
    assert isinstance(one, Desk)
    jobs = [
        replace(job, attempts=job.attempts[1:]) if job.name == "build" else job for job in one.scenario.jobs
    ]
    requests = tuple(replace(request, at=29) for request in one.scenario.requests)
    changed = replace(one.scenario, jobs=tuple(jobs), requests=requests, optimum=None)
    other = Desk(one.id, changed, one.rules, one.limits)
    assert one.briefing(AGENT) == other.briefing(AGENT)
    for seed in range(20):
        draw = random.Random(seed)
        states = [one.start(), other.start()]
        while states[0].minute < 9:
            before = [world.observe(state, AGENT) for world, state in zip((one, other), states, strict=True)]
            if any(
                seen.seen("build") is not None and seen.seen("build").phase == "failed" for seen in before
            ):
                break
            assert before[0] == before[1]
            assert one.menu(states[0], AGENT) == other.menu(states[1], AGENT)
            decision = draw.choice(one.menu(states[0], AGENT).options).decision
            if getattr(decision, "job", "") == "build":
                break
            states = [
                world.step(state, {AGENT: decision}).state
                for world, state in zip((one, other), states, strict=True)
            ]
