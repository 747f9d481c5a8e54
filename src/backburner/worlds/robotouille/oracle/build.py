"""New Robotouille kitchens of a known difficulty: drawn by our generator, solved, and kept if they fit.

A kitchen is as difficult as its shortest plan is long (article, section 4.2). One is kept only if that
length is proven and in the range asked for; its plan is kept with it, so that limits and scores can be
counted from it. What does not fit, and what cannot be proven in the time given, is left out and said so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from backburner.kernel import __version__
from backburner.kernel.building import Builder, Built, Progress, begun, write_index
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.files import read_json, write_whole
from backburner.kernel.oracle import Solution
from backburner.kernel.pack import Argument
from backburner.kernel.values import digest
from backburner.worlds.robotouille.game import Robotouille, catalogue
from backburner.worlds.robotouille.game.domain_files import Place, read_domain
from backburner.worlds.robotouille.game.generator import generate
from backburner.worlds.robotouille.game.problem_files import check_problem, draw_kinds, read_problem
from backburner.worlds.robotouille.game.rule_set import PRESETS
from backburner.worlds.robotouille.game.scenario_files import read_file, scenario_file
from backburner.worlds.robotouille.game.scenarios import (
    PLAYS,
    SHIPPED_DOMAIN,
    KnownPlan,
    Play,
    Preset,
    Scenario,
    domain_of,
    play_named,
    shipped_problem,
    tasks,
)
from backburner.worlds.robotouille.game.schema import DomainFile, ProblemFile
from backburner.worlds.robotouille.oracle.solver import solve_kitchen

# --- what kitchens are drawn from -----------------------------------------------------------------------


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
        play_named(self.play)
        if self.rules not in PRESETS:
            raise UnknownName("rule set", self.rules, PRESETS, "robotouille")
        if self.least_steps < 0 or (self.most_steps is not None and self.most_steps < self.least_steps):
            raise Refused(f"no plan has {self.least_steps} steps or more and {self.most_steps} or fewer")


def steps_range(text: str) -> tuple[int, int | None]:
    """``15:25`` as (15, 25); ``15:`` is 15 or more, ``:25`` up to 25, ``15`` that alone.

    Raises ``Refused``.
    """
    low, colon, high = (part.strip() for part in text.partition(":"))
    written = [part for part in (low, high) if part]
    if not written or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in written):
        raise Refused(f"steps is a range of whole numbers such as 15:25, 15: or :25, not {text!r}")
    if not colon:
        return int(low), int(low)
    found = int(low or 0), int(high) if high else None
    if found[1] is not None and found[1] < found[0]:
        raise Refused(f"steps={text}: the least comes first, {found[1]}:{found[0]}")
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
    return Scenario(made.problem, template.domain, play_named(rule.play))


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


# --- drawn, solved and kept -----------------------------------------------------------------------------

ATTEMPTS = 20
"""Kitchens that are drawn for each that is asked for, unless told otherwise."""

PROBED = 5
"""Kitchens that are drawn before anything else: where none of them finds room, none is built."""

Verdict = Literal["kept", "too short", "too long", "not proven", "no plan", "no room", "seen before"]
"""What became of a kitchen. ``too short`` and ``too long`` are proven, though the length need not be;
``seen before``: it was kept already, under another seed."""


class Judged(Struct, frozen=True):
    """A kitchen drawn, its ``seed`` and digest, and what became of it.

    ``steps``: those of the best plan found; ``bound``: no plan has fewer.
    """

    seed: int
    id: str
    verdict: Verdict
    steps: int | None = None
    bound: int | None = None
    kitchen: str = ""

    @property
    def file(self) -> str:
        """The scenario file's name, if it is kept."""
        return f"{self.id}.json"


class Index(Struct, frozen=True):
    """What a build has come to: what was ``judged`` of the kitchens drawn, in order of their seeds.

    ``counts``: how often each verdict was given. ``kitchens``: so many were asked for, of so many
    ``attempts`` at most.
    """

    made_by: str
    template: str
    template_digest: str
    rule: Rule
    kitchens: int
    attempts: int
    counts: dict[str, int]
    judged: tuple[Judged, ...]

    @property
    def settings(self) -> Mapping[str, Any]:
        """See ``building.Index``. How many kitchens there shall be may change."""
        template = {"template": self.template, "digest of the template": self.template_digest}
        return {"program": self.made_by, **template, **asdict(self.rule)}

    @property
    def kept(self) -> tuple[Judged, ...]:
        """The kitchens that there are files of."""
        return tuple(one for one in self.judged if one.verdict == "kept")

    def with_judged(self, judged: Iterable[Judged]) -> Index:
        """The same build with these verdicts."""
        ordered = tuple(sorted(judged, key=lambda one: one.seed))
        return replace(self, judged=ordered, counts=dict(Counter(one.verdict for one in ordered)))


def build(
    template: Template,
    out: Path,
    rule: Rule | None = None,
    *,
    kitchens: int = 10,
    attempts: int | None = None,
    progress: Callable[[Judged], None] = lambda judged: None,
) -> Index:
    """Write a scenario file for each kitchen that is kept, and an index, into ``out``, fit to be a suite.

    Stops when so many ``kitchens`` are there, or so many ``attempts`` are made; the index tells. A build
    that was begun in ``out`` with the same template and rule is gone on with: what was judged before
    counts, and a file that is there is left as it is. Every file appears whole or not at all; when the
    build is stopped, there is an index of what was looked at until then. ``progress`` hears of each
    kitchen. Raises ``Refused`` if there is no room for the kitchens, or ``out`` is otherwise in use.
    """
    rule = rule or Rule()
    attempts = ATTEMPTS * kitchens if attempts is None else attempts
    if min(kitchens, attempts) < 1:
        raise Refused(f"{kitchens} kitchens of {attempts} attempts; there is one of each at least")
    _check_room(template, rule)
    made_by = f"backburner {__version__}"
    new = Index(made_by, template.name, template.digest, rule, kitchens, attempts, {}, ())
    index = replace(begun(out, new), kitchens=kitchens, attempts=attempts)
    here = (one for one in index.judged if one.verdict != "kept" or (out / one.file).exists())
    judged = {one.seed: one for one in here}
    write_index(out, index.with_judged(judged.values()))
    try:
        for seed in range(rule.seed, rule.seed + attempts):
            if sum(one.verdict == "kept" for one in judged.values()) >= kitchens:
                break
            if seed not in judged:
                kept = {one.kitchen for one in judged.values() if one.verdict == "kept"}
                judged[seed], scenario = judge(template, rule, seed, kept)
                if scenario is not None:
                    write_whole(out / judged[seed].file, scenario_file(judged[seed].id, scenario))
                    write_index(out, index.with_judged(judged.values()))
            progress(judged[seed])
    finally:
        index = index.with_judged(judged.values())
        write_index(out, index)
    return index


def _check_room(template: Template, rule: Rule) -> None:
    refused: list[Refused] = []
    for seed in range(rule.seed, rule.seed + PROBED):
        try:
            drawn(template, rule, seed)
            return
        except Refused as error:
            refused.append(error)
    raise refused[0]


def judge(
    template: Template, rule: Rule, seed: int, kept: Collection[str] = ()
) -> tuple[Judged, Scenario | None]:
    """What becomes of a seed's kitchen, and the kitchen with its plan if it is kept.

    ``kept``: the digests of those that are kept already.
    """
    id = name_of(template, rule, seed)
    try:
        scenario = drawn(template, rule, seed)
    except Refused:
        return Judged(seed, id, "no room"), None
    kitchen = digest(scenario.problem)
    if kitchen in kept:
        return Judged(seed, id, "seen before", kitchen=kitchen), None
    world: Robotouille = catalogue.build(f"robotouille/user/{id}", scenario, rule.rules, "none")
    found = solve_kitchen(world, time_limit_seconds=rule.time_limit_seconds)
    judged = Judged(seed, id, _verdict(found, rule), found.objective, found.bound, kitchen)
    if judged.verdict != "kept" or found.objective is None:
        return judged, None
    preset: Preset = "released" if rule.rules == "released" else "standard"
    plan = KnownPlan(found.objective, found.objective, found.plan, preset)
    return judged, replace(scenario, known_plan=plan)


def _verdict(found: Solution, rule: Rule) -> Verdict:
    if found.status == "infeasible":
        return "no plan"
    if found.objective is not None and found.objective < rule.least_steps:
        return "too short"
    if found.bound is not None and rule.most_steps is not None and found.bound > rule.most_steps:
        return "too long"
    return "kept" if found.status == "optimal" else "not proven"


def lengths(judged: Iterable[Judged]) -> str:
    """From where to where shortest plans are, such as ``9 to 14 steps``; empty if nothing is known."""
    known = [one for one in judged if one.bound is not None]
    if not known:
        return ""
    low = min(one.bound for one in known if one.bound is not None)
    highs = [one.steps for one in known if one.steps is not None]
    if len(highs) < len(known):
        return f"{low} steps or more"
    return f"{low} steps" if low == max(highs) else f"{low} to {max(highs)} steps"


def _build(out: Path, options: Mapping[str, Any], progress: Progress) -> Built:
    """``build`` with the options of ``BUILDER``."""
    least, most = steps_range(options["steps"])
    drawing = {name: options[name] for name in Rule.__struct_fields__ if name in options}
    seconds = options["time-limit"]
    rule = Rule(**drawing, least_steps=least, most_steps=most, time_limit_seconds=seconds)
    template = read_template(options["task"], options.get("domain"))
    wanted, attempts = options["kitchens"], options.get("attempts")
    total = attempts or ATTEMPTS * wanted
    index = build(
        template, out, rule, kitchens=wanted, attempts=attempts, progress=lambda judged: progress(total)
    )
    kept = index.kept
    found = f"{len(kept)} of {wanted} kitchens found in {index.attempts} attempts"
    return Built(
        index=index,
        columns=("file", "steps", "status", "seed"),
        rows=[(one.file, one.steps, "proven", one.seed) for one in kept],
        lines=[
            f"{len(index.judged)} kitchens drawn, {len(kept)} kept",
            *_left_out(index),
            *([f"scenario files: {out}"] if kept else []),
        ],
        missing=f"{found}; the same command with more attempts goes on" if len(kept) < wanted else "",
    )


def _left_out(index: Index) -> list[str]:
    """How many kitchens were left out for which reason, and how long their shortest plans are."""
    lines = []
    for verdict, number in index.counts.items():
        if verdict != "kept":
            known = lengths(one for one in index.judged if one.verdict == verdict)
            lines.append(f"  {number} {verdict}{f': {known}' if known else ''}")
    return lines


BUILDER = Builder(
    help="""Draw new kitchens for a task, and keep those whose shortest plan is proven to be so long.

    Each file tells its shortest plan, for limits and scores. Exit code 1: fewer were found than asked for.
    """,
    things="kitchens",
    arguments=(
        Argument(
            name="task",
            required=True,
            help="A task such as synchronous/3, or a file with a problem of yours.",
        ),
        Argument(name="domain", kind="path", help="A file with your problem's domain; by default ours."),
        Argument(name="steps", default="0:", help="Steps of the shortest plan, proven: 15:25, 15: or :25."),
        Argument(name="kitchens", kind="whole number", least=1, default=10, help="How many to find."),
        Argument(
            name="attempts",
            kind="whole number",
            least=1,
            help=f"How many to draw; by default {ATTEMPTS} for each to find.",
        ),
        Argument(
            name="seed",
            kind="whole number",
            least=0,
            default=0,
            help="The first kitchen's; each has the next.",
        ),
        Argument(name="width", kind="whole number", help="Cells; by default the task's."),
        Argument(name="height", kind="whole number", help="Cells; by default the task's."),
        Argument(name="robots", kind="whole number", help="How many; by default the task's."),
        Argument(
            name="noise",
            kind="whole number",
            help="Stations that nobody needs, items at most; by default it is drawn.",
        ),
        Argument(name="spread", kind="switch", default=False, help="Take stacks apart."),
        Argument(name="play", default="turns", help=f"{', '.join(PLAYS)}."),
        Argument(name="rules", default="standard", help="Rule set: standard or released."),
        Argument(
            name="time-limit",
            kind="number",
            least=0.001,
            default=60.0,
            help="Seconds to prove each kitchen's shortest plan.",
        ),
    ),
    build=_build,
)
