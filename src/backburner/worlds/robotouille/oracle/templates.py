"""What new kitchens are drawn from, and how: a problem as template, and the generator's numbers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from msgspec import Struct

from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.files import read_json
from backburner.kernel.values import digest
from backburner.worlds.robotouille.game.domain_files import read_domain
from backburner.worlds.robotouille.game.generator import generate
from backburner.worlds.robotouille.game.places import Place
from backburner.worlds.robotouille.game.problem_files import check_problem, draw_kinds, read_problem
from backburner.worlds.robotouille.game.rule_set import PRESETS
from backburner.worlds.robotouille.game.scenario_files import read_file
from backburner.worlds.robotouille.game.scenarios import (
    PLAYS,
    SHIPPED_DOMAIN,
    Play,
    Scenario,
    domain_of,
    shipped_problem,
    tasks,
)
from backburner.worlds.robotouille.game.schema import DomainFile, ProblemFile


class Template(Struct, frozen=True):
    """A problem over a domain; ``name`` is where it comes from, a task or a file."""

    name: str
    problem: ProblemFile
    domain: str | DomainFile = SHIPPED_DOMAIN

    @property
    def digest(self) -> str:
        """Of everything but the name."""
        return digest((self.problem, self.domain))


class Rule(Struct, frozen=True):
    """How kitchens are drawn, and which are kept.

    ``width`` to ``spread`` are the generator's (see ``generate``). ``seed``: that of the first kitchen;
    each further one has the next. Kept is what is proven to have a shortest plan of ``least_steps`` to
    ``most_steps``, by a search of ``time_limit_seconds``. Raises ``UnknownName`` or ``Refused``.
    """

    width: int | None = None
    height: int | None = None
    robots: int | None = None
    noise: int | None = None
    spread: bool = False
    play: Play = "turns"
    rules: str = "standard"
    least_steps: int = 0
    most_steps: int | None = None
    seed: int = 0
    time_limit_seconds: float = 60.0

    def __post_init__(self) -> None:
        if self.rules not in PRESETS:
            raise UnknownName("rule set", self.rules, PRESETS, "robotouille")
        if self.least_steps < 0 or (self.most_steps is not None and self.most_steps < self.least_steps):
            raise Refused(f"no plan has {self.least_steps} steps or more and {self.most_steps} or fewer")


def play_named(name: str) -> Play:
    """The way to play of this name; raises ``UnknownName``."""
    for play in PLAYS:
        if play == name:
            return play
    raise UnknownName("play", name, PLAYS, "robotouille")


def steps_range(text: str) -> tuple[int, int | None]:
    """``15:25`` as (15, 25); ``15:`` is 15 or more, ``:25`` up to 25, ``15`` that alone.

    Raises ``Refused``.
    """
    low, colon, high = (part.strip() for part in text.partition(":"))
    written = [part for part in (low, high) if part]
    if not written or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in written):
        raise Refused(f"--steps is a range of whole numbers such as 15:25, 15: or :25, not {text!r}")
    if not colon:
        return int(low), int(low)
    found = int(low or 0), int(high) if high else None
    if found[1] is not None and found[1] < found[0]:
        raise Refused(f"--steps {text}: the least comes first, {found[1]}:{found[0]}")
    return found


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
        return _of_scenario(task, raw)
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


def _of_scenario(file: str, raw: dict[str, Any]) -> Template:
    if raw["world"] != "robotouille":
        raise Refused(f"{file} is a scenario of {raw['world']!r}; kitchens are made of robotouille's")
    _, scenario = read_file(raw, file)
    return Template(file, scenario.problem, scenario.domain)


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
    return Scenario(made.problem, template.domain, rule.play)


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
        f"seed{seed}": True,
    }
    own = template.name.endswith(".json")
    stem = Path(template.name).stem if own else template.name
    return "-".join([re.sub(r"[^A-Za-z0-9_.+]+", "-", stem), *(part for part, told in asked.items() if told)])
