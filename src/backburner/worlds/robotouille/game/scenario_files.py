"""A user's scenario file: a problem, written out or in a file of its own, over our domain or another.

{"world": "robotouille", "id": "lunch", "problem": "problems/lunch.json", "play": "together"}
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from backburner.worlds.robotouille.game.domain_checks import check_domain
from backburner.worlds.robotouille.game.kinds import draw_kinds
from backburner.worlds.robotouille.game.places import Place, converted, read_json
from backburner.worlds.robotouille.game.plan_checks import check_known_plan
from backburner.worlds.robotouille.game.problem_checks import check_problem
from backburner.worlds.robotouille.game.scenarios import (
    SHIPPED_DOMAIN,
    KnownPlan,
    Play,
    Scenario,
    shipped_domain,
)
from backburner.worlds.robotouille.game.schema import DomainFile, ProblemFile


class ScenarioFile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A scenario: a problem over a domain, each written out or the path of a file, and how it is played.

    ``seed`` decides what wildcards are. ``step_limit``: how many steps may pass. ``known_plan``: the
    best plan that its author knows; limits and scores are counted from it.
    """

    world: str
    id: str
    problem: str | ProblemFile
    domain: str | DomainFile = SHIPPED_DOMAIN
    play: Play = "turns"
    step_limit: int | None = None
    seed: int | None = None
    known_plan: KnownPlan | None = None


def read_file(raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
    """(path, scenario) of a user's scenario file; raises ``BadFile`` naming file, entry and field.

    Files that it names are looked for from its own folder; ``seed`` decides what wildcards are.
    """
    place = Place(source)
    found = converted(raw, ScenarioFile, place)
    if not re.fullmatch(r"[A-Za-z0-9_.+-]+", found.id):
        raise place.field("id").wrong("use letters, digits and _ . + - only")
    if found.step_limit is not None and found.step_limit < 1:
        raise place.field("step_limit").wrong(f"is {found.step_limit}; it is at least 1")
    domain = _domain(found.domain, place)
    full = shipped_domain() if isinstance(domain, str) else domain
    problem, where = _problem(found.problem, place)
    drawn = draw_kinds(problem, full, found.seed or 0, where)
    check_problem(drawn, full, where)
    seed = None if drawn == problem else found.seed or 0
    limit, known = found.step_limit, found.known_plan
    scenario = Scenario(drawn, domain, found.play, seed=seed, step_limit=limit, known_plan=known)
    check_known_plan(scenario, place)
    return found.id, scenario


def scenario_file(id: str, scenario: Scenario) -> bytes:
    """What ``read_file`` reads as this scenario, but for its task and seeds: nothing is left to be drawn."""
    file = ScenarioFile(
        "robotouille",
        id,
        scenario.problem,
        scenario.domain,
        scenario.play,
        scenario.step_limit,
        known_plan=scenario.known_plan,
    )
    return msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n"


def read_domain(file: Path) -> DomainFile:
    """The checked domain in a file; raises ``BadFile``."""
    where = Place(str(file))
    domain = converted(read_json(file), DomainFile, where)
    check_domain(domain, where)
    return domain


def read_problem(file: Path) -> ProblemFile:
    """The problem in a file, not checked yet; raises ``BadFile``."""
    return converted(read_json(file), ProblemFile, Place(str(file)))


def _domain(named: str | DomainFile, place: Place) -> str | DomainFile:
    """The checked domain; ours by its name."""
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
