"""What the desk offers by name: scenarios and suites, options of their ids, limits."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil

from msgspec.structs import replace

from backburner.kernel.catalogue import Assembled, Options
from backburner.kernel.errors import Refused
from backburner.kernel.titles import Called
from backburner.worlds.desk.game import rule_set, scenario_files, shipped
from backburner.worlds.desk.game.compiled import Compiled
from backburner.worlds.desk.game.problem import parts
from backburner.worlds.desk.game.rule_set import CALLS_FOR_EACH_ACTIVITY, TIMES_THE_OPTIMUM, Limits, Rules
from backburner.worlds.desk.game.scenarios import Deliverable, Job, Scenario
from backburner.worlds.desk.game.world import Desk

DEFAULTS = {
    "content": "on",
    "times": "told",
    "notices": "push",
    "check": "own",
    "slack": "own",
    "draws": "fixed",
    "asks": "free",
}
CHOICES = {
    "content": ("on", "off"),
    "times": ("told", "exact", "hidden"),
    "notices": ("push", "poll"),
    "draws": ("fixed", "seed"),
    "asks": ("free", "always"),
}


def scenario_of(path: str, options: Mapping[str, str]) -> Scenario:
    """A shipped scenario with the options of its id.

    ``check``: minutes of a check. ``notices=poll``: every job ends in silence. ``slack``: deadlines are those
    of the best plan, and so much of them more. What changes the problem leaves no optimum that is known.
    """
    given = Options("desk", options, DEFAULTS, CHOICES)
    made = shipped.scenario(path)
    slack = given.decimal_unless("own", "slack", 0.0, 10.0)
    if slack is not None:
        made = with_slack(made, slack)
    chosen = {name: given[name] for name in ("content", "times", "draws", "asks")}
    made = replace(made, **chosen)
    if made.times == "exact" and made.draws == "seed":
        raise Refused("desk: times=exact tells run times, which draws=seed draws anew; name one of them")
    check = given.whole_unless("own", "check", 1, 60)
    if check not in (None, made.check_minutes):
        made = replace(made, check_minutes=check, optimum=None)
    if given["notices"] == "poll":
        jobs = tuple(job if job.by_hand else replace(job, silent=True) for job in made.jobs)
        made = replace(made, jobs=jobs, optimum=None)
    return replace(made, optimum=None) if given["draws"] == "seed" else made


def with_slack(scenario: Scenario, slack: float) -> Scenario:
    """The scenario with deadlines set by the best plan: each deliverable may take so much longer."""
    optimum = scenario.optimum
    if optimum is None:
        return scenario
    found = parts(Compiled(scenario))

    def due(job: Job) -> Job:
        if job.deliverable is None:
            return job
        last = found.get(f"{job.name}!") or found[job.name]
        end = optimum.starts[last.activity.name] + last.activity.duration
        return replace(
            job, deliverable=Deliverable(ceil(end * (1 + Fraction(str(slack)))), job.deliverable.weight)
        )

    return replace(scenario, jobs=tuple(map(due, scenario.jobs)))


class DeskCatalogue(Assembled[Desk]):
    """Scenarios made by hand, and those of users."""

    built = shipped.HERE
    name = "desk"
    world = Desk
    scenario_type, rules_type, limits_type = Scenario, Rules, Limits
    rules = rule_set.PRESETS
    no_limits = rule_set.NO_LIMITS
    solve_limits = "none"
    defaults: Mapping[str, str] = DEFAULTS
    said: Mapping[str, str] = {
        **{"asks=always": "by the clock", "content=off": "no figures", "notices=poll": "jobs end in silence"},
        **{
            "times": "{} times",
            "draws=seed": "times drawn",
            "check": "checks of {} min",
            "slack": "slack {}",
        },
    }

    file_types = scenario_files.FILE_TYPES
    suites_of = staticmethod(shipped.suites)
    scenario_of = staticmethod(scenario_of)
    read_file = staticmethod(scenario_files.read_file)
    check_scenario = staticmethod(scenario_files.check_scenario)

    def called(self, path: str, scenario: Scenario) -> Called:
        """By its title; those of a series by their number in it as well."""
        series, _, number = path.partition("/")
        return Called(
            (scenario.title.replace("_", " "),), (f"{series} {number}",) if number.isdigit() else ()
        )

    def article_limits(self, id: str, scenario: Scenario, rules: Rules) -> Limits:
        """Four times the optimum, or, where it is not known, of no less than half of all work one by one; and
        twenty calls for each activity of the problem."""
        activities = [part.activity for part in parts(Compiled(scenario)).values()]
        if scenario.optimum is not None:
            minutes = TIMES_THE_OPTIMUM * scenario.optimum.minutes
        else:
            last = max(activity.release for activity in activities)
            minutes = 2 * (last + sum(activity.duration for activity in activities))
        return Limits(minutes, CALLS_FOR_EACH_ACTIVITY * len(activities))


catalogue = DeskCatalogue()
