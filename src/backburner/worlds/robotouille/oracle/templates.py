"""Kitchens drawn for a problem by seeds: published tasks, problems of one's own, and scenario files."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.files import read_json
from backburner.worlds.robotouille.game.domain_files import Place, read_domain
from backburner.worlds.robotouille.game.generator import generate
from backburner.worlds.robotouille.game.problem_files import check_problem, draw_kinds, read_problem
from backburner.worlds.robotouille.game.rule_set import PRESETS
from backburner.worlds.robotouille.game.scenario_files import read_file
from backburner.worlds.robotouille.game.scenarios import (
    SHIPPED_DOMAIN,
    Play,
    Scenario,
    domain_of,
    play_named,
    shipped_problem,
    tasks,
)
from backburner.worlds.robotouille.game.schema import TOLD, DomainFile, ProblemFile, Told


class Template(Struct, frozen=True):
    """A problem over a domain; ``name`` is where it comes from, a task or a file."""

    name: str
    problem: ProblemFile
    domain: str | DomainFile = SHIPPED_DOMAIN


class Rule(Struct, frozen=True):
    """How kitchens are drawn: what ``generate`` takes, and how they are played.

    Raises ``UnknownName``.
    """

    width: int | None = None
    height: int | None = None
    robots: int | None = None
    noise: int | None = None
    spread: bool = False
    play: Play = "turns"
    rules: str = "standard"
    told: Told = "plain"

    def __post_init__(self) -> None:
        play_named(self.play)
        if self.rules not in PRESETS:
            raise UnknownName("rule set", self.rules, PRESETS, "robotouille")


def read_template(task: str, domain: Path | None = None) -> Template:
    """A shipped task by its path, or a file of one's own: a problem (over a ``domain``), or a scenario.

    Wildcards of a problem are drawn for each kitchen. Raises ``UnknownName``, ``BadFile``, ``Refused``.
    """
    if not task.endswith(".json"):
        if task not in tasks():
            raise UnknownName("task", task, tasks(), "robotouille")
        _no_domain(domain, f"the task {task}")
        return Template(task, shipped_problem(task))
    raw = read_json(Path(task))
    if isinstance(raw, dict) and "world" in raw:
        _no_domain(domain, f"the scenario file {task}")
        if raw["world"] != "robotouille":
            raise Refused(f"{task} is a scenario of {raw['world']!r}; kitchens are made of robotouille's")
        _, scenario = read_file(raw, task)
        return Template(task, scenario.problem, scenario.domain)
    found = Template(
        task, read_problem(Path(task)), SHIPPED_DOMAIN if domain is None else read_domain(domain)
    )
    full = domain_of(Scenario(found.problem, found.domain))
    place = Place(task)
    check_problem(draw_kinds(found.problem, full, 0, place), full, place)
    return found


def _no_domain(domain: Path | None, what: str) -> None:
    if domain is not None:
        raise Refused(f"{what} has its own domain; a domain goes with the file of a problem")


def drawn(template: Template, rule: Rule, seed: int) -> Scenario:
    """The kitchen of a seed.

    Raises ``Refused`` if there is no room for it, ``BadFile`` if it has too many things to be played.
    """
    full = domain_of(Scenario(template.problem, template.domain))
    place = Place(template.name)
    problem = draw_kinds(template.problem, full, seed, place)
    made = generate(
        problem, full, seed,
        width=rule.width, height=rule.height, robots=rule.robots, noise=rule.noise, spread=rule.spread,
    )  # fmt: skip
    check_problem(made.problem, full, place)
    # Files leave out what is usual, which msgspec knows by identity.
    told: Told = next(told for told in TOLD if told == rule.told)
    return Scenario(made.problem, template.domain, play_named(rule.play), told=told)


def name_of(template: Template, rule: Rule, seed: int) -> str:
    """The id of a seed's kitchen, such as ``synchronous-1-4x3-seed7``: what was asked for is in it."""
    width = template.problem.width if rule.width is None else rule.width
    height = template.problem.height if rule.height is None else rule.height
    asked = {
        f"{width}x{height}": True,
        f"robots{rule.robots}": rule.robots is not None,
        f"noise{rule.noise}": rule.noise is not None,
        "spread": rule.spread,
        rule.play: rule.play != "turns",
        rule.rules: rule.rules != "standard",
        rule.told: rule.told != "plain",
        f"seed{seed}": True,
    }
    own = template.name.endswith(".json")
    stem = Path(template.name).stem if own else template.name
    return "-".join([re.sub(r"[^A-Za-z0-9_.+]+", "-", stem), *(part for part, told in asked.items() if told)])
