"""A user's scenario file: a problem, written out or in a file of its own, over our domain or another.

{"world": "robotouille", "id": "lunch", "problem": "problems/lunch.json", "play": "together"}
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from backburner.worlds.robotouille.domain_checks import check_domain
from backburner.worlds.robotouille.kinds import draw_kinds
from backburner.worlds.robotouille.places import Place, converted, read_json
from backburner.worlds.robotouille.problem_checks import check_problem
from backburner.worlds.robotouille.scenarios import SHIPPED_DOMAIN, Scenario, shipped_domain
from backburner.worlds.robotouille.schema import DomainFile, ProblemFile
from backburner.worlds.robotouille.seats import Play


class _ScenarioFile(Struct, forbid_unknown_fields=True):
    world: str
    id: str
    problem: str | ProblemFile
    domain: str | DomainFile = SHIPPED_DOMAIN
    play: Play = "turns"
    step_limit: int | None = None
    seed: int | None = None


def read_file(raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
    """(path, scenario) of a user's scenario file; raises ``BadFile`` naming file, entry and field.

    Files that it names are looked for from its own folder; ``seed`` decides what wildcards are.
    """
    place = Place(source)
    found = converted(raw, _ScenarioFile, place)
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
    return found.id, Scenario(drawn, domain, found.play, seed=seed, step_limit=found.step_limit)


def _domain(named: str | DomainFile, place: Place) -> str | DomainFile:
    """The checked domain; ours by its name."""
    if named == SHIPPED_DOMAIN:
        return SHIPPED_DOMAIN
    where = place.at("domain")
    if isinstance(named, str):
        file = Path(place.file).parent / named
        where = Place(str(file))
        named = converted(read_json(file), DomainFile, where)
    check_domain(named, where)
    return named


def _problem(named: str | ProblemFile, place: Place) -> tuple[ProblemFile, Place]:
    """The problem, and where it stands."""
    if isinstance(named, ProblemFile):
        return named, place.at("problem")
    file = Path(place.file).parent / named
    where = Place(str(file))
    return converted(read_json(file), ProblemFile, where), where
