"""A user's scenario file: a problem, written out or in a file of its own, over our domain or another.

{"world": "robotouille", "id": "lunch", "problem": "problems/lunch.json", "play": "together"}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from backburner.kernel.checks import FileId
from backburner.kernel.errors import shorten
from backburner.kernel.files import converted
from backburner.kernel.values import Refusal, Seat
from backburner.worlds.robotouille.game.domain_files import Place, check_domain, read_domain
from backburner.worlds.robotouille.game.problem_files import check_problem, draw_kinds, read_problem
from backburner.worlds.robotouille.game.rule_set import NO_LIMITS, PRESETS
from backburner.worlds.robotouille.game.scenarios import (
    SHIPPED_DOMAIN,
    KnownPlan,
    Play,
    Scenario,
    domain_of,
    shipped_domain,
)
from backburner.worlds.robotouille.game.schema import DomainFile, ProblemFile, Told
from backburner.worlds.robotouille.game.state import Acts, State
from backburner.worlds.robotouille.game.world import Robotouille


class ScenarioFile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A scenario: a problem over a domain, each written out or the path of a file, and how it is played.

    ``seed`` decides what wildcards are. ``step_limit``: how many steps may pass. ``known_plan``: the
    best plan that its author knows; limits and scores are counted from it. ``told``: what briefings tell of
    actions beside their sentences.
    """

    world: str
    id: FileId
    problem: str | ProblemFile
    domain: str | DomainFile = SHIPPED_DOMAIN
    play: Play = "turns"
    step_limit: Annotated[int, Meta(ge=1)] | None = None
    seed: int | None = None
    known_plan: KnownPlan | None = None
    told: Told = "plain"


FILE_TYPES: Mapping[str, Any] = {"domain": DomainFile, "problem": ProblemFile, "scenario": ScenarioFile}
"""The files that users write, by the name of their schema."""


def read_file(raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
    """(path, scenario) of a user's scenario file; raises ``BadFile`` naming file, entry and field.

    Paths of other files start from its own folder.
    """
    place = Place(source)
    file = converted(raw, ScenarioFile, place)
    domain = _domain(file.domain, place)
    full = shipped_domain() if isinstance(domain, str) else domain
    problem, where = _problem(file.problem, place)
    drawn = draw_kinds(problem, full, file.seed or 0, where)
    check_problem(drawn, full, where)
    seed = None if drawn == problem else file.seed or 0
    limit, known = file.step_limit, file.known_plan
    scenario = Scenario(
        drawn, domain, file.play, seed=seed, step_limit=limit, known_plan=known, told=file.told
    )
    check_known_plan(scenario, place)
    return file.id, scenario


def check_scenario(scenario: Scenario, id: str) -> None:
    """Raises ``BadFile``, which names ``id``, for the first mistake in the scenario of a record.

    It is as its fields declare, and the other checks are those of files. Only a goal may be out of reach, as
    in released levels without their containers.
    """
    place = Place(shorten(id))
    domain = scenario.domain
    if isinstance(domain, DomainFile):
        check_domain(domain, place.at("domain"))
    check_problem(scenario.problem, domain_of(scenario), place.at("problem"), goal_in_reach=False)
    check_known_plan(scenario, place)


def file_of(id: str, scenario: Scenario) -> ScenarioFile:
    """What ``read_file`` reads as this scenario, but for its task and seeds: all is drawn."""
    return ScenarioFile(
        "robotouille",
        id,
        scenario.problem,
        scenario.domain,
        scenario.play,
        scenario.step_limit,
        known_plan=scenario.known_plan,
        told=scenario.told,
    )


def _domain(named: str | DomainFile, place: Place) -> str | DomainFile:
    """The checked domain, or the name of the shipped one."""
    if named == SHIPPED_DOMAIN:
        return SHIPPED_DOMAIN
    if isinstance(named, str):
        return read_domain(Path(place.file).parent / named)
    check_domain(named, place.at("domain"))
    return named


def _problem(named: str | ProblemFile, place: Place) -> tuple[ProblemFile, Place]:
    """The problem, and where it stands."""
    if isinstance(named, ProblemFile):
        return named, place.at("problem")
    file = Path(place.file).parent / named
    return read_problem(file), Place(str(file))


def check_known_plan(scenario: Scenario, place: Place) -> None:
    """Plays the known plan; raises ``BadFile`` if it is impossible or takes another number of steps.

    Its bound is believed. The problem is a checked one.
    """
    known = scenario.known_plan
    if known is None:
        return
    at = place.at("known_plan")
    steps = _steps(scenario, known, at)
    if steps != known.steps:
        raise at.field("steps").wrong(f"is {known.steps}; the plan takes {steps}")
    if known.bound > known.steps:
        raise at.field("bound").wrong(f"is {known.bound}; no plan takes fewer, and this one takes {steps}")


def _steps(scenario: Scenario, known: KnownPlan, place: Place) -> int:
    """The steps that the plan takes to the goal; raises ``BadFile`` if it does not lead there."""
    world = Robotouille("robotouille/user/planned", scenario, PRESETS[known.rules], NO_LIMITS)
    state, words = world.start(), iter(enumerate(known.plan))
    while seats := world.deciders(state):
        decided = {seat: _decision(world, state, seat, words, place) for seat in seats}
        step = world.step(state, decided)
        if step.refusals:
            why = f"step {state.steps + 1} is refused: {step.refusals[0].code}"
            raise place.field("plan").wrong(why)
        state = step.state
    left = next(words, None)
    if left is not None:
        raise place.entry("plan", left[0]).wrong("the episode is over before")
    if state.ended != "completed":
        raise place.field("plan").wrong("it ends before the goal is reached")
    return state.steps


def _decision(
    world: Robotouille, state: State, seat: Seat, words: Iterator[tuple[int, str]], place: Place
) -> Acts:
    index, answer = next(words, (0, None))
    if answer is None:
        raise place.field("plan").wrong("it ends before the goal is reached")
    read = world.parse(state, seat, answer)
    if isinstance(read, Refusal):
        raise place.entry("plan", index, answer).wrong(f"{seat} cannot do that here: {read.code}")
    return read
