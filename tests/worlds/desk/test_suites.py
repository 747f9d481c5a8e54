"""What ships: every optimum is played, briefings of what was made by hand fit a page, suites differ in what
they say they do."""

from __future__ import annotations

import pytest

from backburner.generation.canonical import form, shape, split_of
from backburner.kernel import registry
from backburner.kernel.schedule import perform
from backburner.worlds.desk.game.shipped import EACH, MADE, SUITES, scenario, suites
from backburner.worlds.desk.oracle.generator import GENERATOR


@pytest.mark.parametrize("name", MADE)
def test_what_was_made_by_hand_is_short_and_played_in_the_proven_time(name: str) -> None:
    world = registry.world(f"desk/made/{name}")
    assert len(world.scenario.jobs) <= 18
    assert len(" ".join(part.text for part in world.briefing_parts("agent")).split()) <= 900
    optimum = world.scenario.optimum
    outcome = perform(world, optimum.starts).outcome
    assert (outcome.numbers["minutes"], outcome.numbers["score"]) == (optimum.minutes, 100)
    assert all(request.at <= 0.75 * optimum.minutes for request in world.scenario.requests)


@pytest.mark.parametrize("suite", SUITES)
def test_the_plan_of_a_suite_serves_everything(suite: str) -> None:
    paths = suites()[suite]
    assert len(paths) == EACH
    for path in paths[::10]:
        world = registry.world(f"desk/{path}")
        outcome = perform(world, world.scenario.optimum.starts).outcome
        assert (outcome.numbers["minutes"], outcome.numbers["score"]) == (world.scenario.optimum.minutes, 100)


def test_no_two_are_alike_and_none_is_of_the_shapes_for_training() -> None:
    paths = [f"desk/{suite}/{number:02}" for suite in SUITES for number in (1, 2, 3)]
    structures = [GENERATOR.structure(registry.world(path)) for path in paths]
    assert len(set(map(form, structures))) == len(structures)
    assert {split_of(shape(each)) for each in structures} == {"test"}


def test_suites_are_what_their_names_say() -> None:
    def mean(suite: str, of: object) -> float:
        return sum(of(scenario(path)) for path in suites()[suite]) / EACH  # type: ignore[operator]

    silent = {suite: mean(suite, lambda one: sum(job.silent for job in one.jobs)) for suite in SUITES}
    assert silent["plain"] == 0 and silent["hidden"] > silent["standard"] > 0
    assert (
        mean("storm", lambda one: len(one.requests)) == 8 and mean("plain", lambda one: len(one.jobs)) == 20
    )
    assert mean("wide", lambda one: len(one.resources)) == 4
    assert suites()["quick"] == ("made/counter", *(f"{suite}/01" for suite in SUITES))
