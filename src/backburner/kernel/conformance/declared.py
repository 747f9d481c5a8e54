"""Demands on what a world declares: the parts of its pack, and its scenarios as problems for schedulers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from importlib.resources import files
from typing import Any

import msgspec

from backburner.kernel import packs, registry
from backburner.kernel.assessment import KEYS, Assessment
from backburner.kernel.catalogue import Catalogue
from backburner.kernel.conformance.walk import Expect, Walk
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BackburnerError, Refused, shorten
from backburner.kernel.exact import STEPS_OF_EFFORT, Space
from backburner.kernel.oracle import Allowance
from backburner.kernel.pack import Pack
from backburner.kernel.play import play_now
from backburner.kernel.policy import Policy
from backburner.kernel.schedule import Activity, Problem
from backburner.kernel.scoring import Estimate, Measured, Measures, Metric
from backburner.kernel.titles import LONGEST
from backburner.kernel.values import digest

# --- a pack ----------------------------------------------------------------------------------------------


FEW_STEPS = 50
"""So many steps of an episode are played to have something to measure."""

MEMBERS = ("name", "informed", "settings", "decide")
"""What makes an object a policy."""


class Announced:
    """A pack as it is announced, one of its worlds, and what its agents make of that."""

    def __init__(self, name: str) -> None:
        self.pack: Pack = packs.pack(name)

    @cached_property
    def catalogue(self) -> Catalogue[World[Any, Any, Any]]:
        """The pack's catalogue."""
        return registry.catalogue(self.pack.name)

    @cached_property
    def world(self) -> World[Any, Any, Any]:
        """The first world of the suite ``all``, without limits."""
        return registry.world(registry.expand(f"{self.pack.name}/all")[0], limits="none")

    @cached_property
    def policies(self) -> dict[str, Policy]:
        """The pack's agents in this world; those that cannot be made are not here."""
        made: dict[str, Policy] = {}
        for name, part in self.pack.agents.items():
            make: Callable[[World[Any, Any, Any]], Policy] = packs.part(self.pack.name, part.path)
            try:
                made[name] = make(self.world)
            except BackburnerError:
                continue
        return made

    @cached_property
    def episode(self) -> Episode | None:
        """The beginning of an episode that one of the agents plays; ``None`` without one."""
        for policy in self.policies.values():
            return play_now(self.world, policy, max_steps=FEW_STEPS)
        return None


def parts_are_there(announced: Announced, expect: Expect) -> None:
    """Every path that the pack names can be imported."""
    pack = announced.pack
    for path in pack.paths:
        if path == pack.prompts:
            package, _, folder = path.partition(":")
            expect((files(package) / folder).is_dir(), f"there is no folder {path!r}")
            continue
        try:
            expect(packs.part(pack.name, path) is not None, f"{path!r} is None")
        except BackburnerError as error:
            raise expect.violation(str(error)) from error


def catalogues_keep_their_promises(announced: Announced, expect: Expect) -> None:
    """There are the rule sets and the suite that every world has, and every id names a scenario."""
    offered = announced.catalogue
    for rules in ("standard", "released"):
        expect(rules in offered.rules, f"there is no rule set {rules!r}")
    suites = offered.suites()
    expect("all" in suites, "there is no suite 'all'")
    for suite, members in suites.items():
        expect(bool(members), f"the suite {suite!r} is empty")
        for id in {registry.expand(f"{announced.pack.name}/{suite}")[each] for each in (0, -1)}:
            expect(registry.scenario(id) is not None, f"{id} names no scenario")


def scenarios_have_names(announced: Announced, expect: Expect) -> None:
    """Every scenario of a suite has a short name of its own for people."""
    name = announced.pack.name
    for suite in announced.catalogue.suites():
        called: dict[str, str] = {}
        for id in registry.expand(f"{name}/{suite}"):
            title = registry.title(id)
            fits = 0 < len(title) <= LONGEST and title.isprintable()
            expect(fits, f"{id} is called {shorten(repr(title))}")
            other = called.setdefault(title, id)
            expect(other == id, f"{id} and {other} of {suite!r} are both called {title!r}")


def packs_agree_with_their_worlds(announced: Announced, expect: Expect) -> None:
    """World and pack have the same name and version, and a record's header gives the world again."""
    pack, world = announced.pack, announced.world
    expect(world.id.startswith(f"{pack.name}/"), f"{world.id} does not begin with {pack.name}/")
    expect(world.version == pack.version, f"the world has version {world.version}, the pack {pack.version}")
    header = [msgspec.to_builtins(value) for value in (world.scenario, world.rules, world.limits)]
    again = announced.catalogue.restore(world.id, *header)
    for one, other in ((world.scenario, again.scenario), (world.rules, again.rules)):
        expect(digest(one) == digest(other), "a record's header gives another world")


def agents_are_policies(announced: Announced, expect: Expect) -> None:
    """What makes an agent gives a policy, or says in an error made on purpose why it does not."""
    for name, policy in announced.policies.items():
        for member in MEMBERS:
            expect(hasattr(policy, member), f"the agent {name!r} has no {member!r}")
        expect(isinstance(policy.settings, Mapping), f"the settings of {name!r} are no mapping")
    if len(announced.policies) < len(announced.pack.agents):
        expect.cannot("not every agent can be made for the first scenario")


def oracles_can_solve(announced: Announced, expect: Expect) -> None:
    """An oracle has ``solve``, and options of different names."""
    pack = announced.pack
    if pack.oracle:
        oracle = packs.part(pack.name, pack.oracle)
        expect(callable(getattr(oracle, "solve", None)), f"{pack.oracle!r} has no method solve")
    names = [argument.name for argument in pack.oracle_arguments]
    expect(len(set(names)) == len(names), f"two options of the oracle have one name: {names}")


def scorings_measure_episodes(announced: Announced, expect: Expect) -> None:
    """Metrics have names of their own; they, sections and figures are made of any episode."""
    scoring = registry.scoring(announced.pack.name)
    keys = [metric.key for metric in scoring.metrics]
    expect(bool(keys) and len(set(keys)) == len(keys), f"two metrics have one name, or there is none: {keys}")
    unknown = [key for key in scoring.main if key not in keys]
    expect(bool(scoring.main) and not unknown, f"main metrics that are none, or no main one: {unknown}")
    episode = announced.episode
    if episode is None:
        expect.cannot("no agent of the pack plays an episode to be measured")
        return
    measures = scoring.measure(episode)
    bounds = registry.bounds(announced.pack.name)(episode)
    for name, number in {**measures, **bounds}.items():
        expect(isinstance(number, int | float), f"the measure {name!r} is {number!r}")
    expect(isinstance(scoring.group(episode), str), "the group of an episode is no text")
    for metric in scoring.metrics:
        value = metric.over([measures])
        expect(value is None or math.isfinite(value), f"the metric {metric.key!r} is {value!r}")
        expect(metric.over([]) is None, f"the metric {metric.key!r} of no episodes is not None")
    rows: list[Measured] = [(episode, {**measures, **bounds})]
    expect(scoring.sections(rows) is not None, "the sections are None")
    expect(scoring.figures(rows, _estimate) is not None, "the figures are None")


def _estimate(metric: Metric, rows: Any) -> Estimate:
    values: list[Measures] = [measures for _, measures in rows]
    return Estimate(metric.over(values))


def assessments_are_made(announced: Announced, expect: Expect) -> None:
    """The maker of an assessment makes one."""
    made = registry.assessment(announced.world)
    expect(isinstance(made, Assessment), f"it is of type {type(made).__name__}")


def label_sets_are_data(announced: Announced, expect: Expect) -> None:
    """Sets and labels have names of their own, and there is a key for each label; what the cases of an
    episode tell fits their set."""
    annotations = registry.label_sets(announced.pack.name)
    sets = [annotation.labels for annotation in annotations]
    if announced.pack.from_words:
        sets += registry.from_words(announced.pack.name).sets
    names = [labels.name for labels in sets]
    expect(len(set(names)) == len(names), f"two label sets have one name: {names}")
    for labels in sets:
        expect(0 < len(labels.keys) <= len(KEYS), f"{labels.name!r} has {len(labels.keys)} labels")
        expect(len(set(labels.keys)) == len(labels.keys), f"{labels.name!r}: two labels have one name")
    for annotation in annotations:
        labels = annotation.labels
        episode = announced.episode
        if episode is None:
            expect.cannot("no agent of the pack plays an episode to be labelled")
            continue
        cases = annotation.cases(episode)
        places = [(case.at, case.seat) for case in cases]
        expect(len(set(places)) == len(places), f"{labels.name!r}: a case comes twice")
        for case in cases:
            expect((case.at is None) == (labels.of == "episode"), f"{labels.name!r}: not of an {labels.of}")
            told = {case.decided, *case.possible} - {""}
            expect(told <= set(labels.keys), f"{labels.name!r}: a case tells of {sorted(told)}")


CHECKS = (
    parts_are_there,
    catalogues_keep_their_promises,
    scenarios_have_names,
    packs_agree_with_their_worlds,
    agents_are_policies,
    oracles_can_solve,
    scorings_measure_episodes,
    assessments_are_made,
    label_sets_are_data,
)
"""In the order in which they run."""


# --- estimates for searches ---------------------------------------------------------------------------------


EFFORT = 1.0
"""Of the search for a best plan."""


def estimates_are_passed_by_no_play(walk: Walk, expect: Expect) -> None:
    """On the way of a best plan that was proven without it, the estimate promises no less than the plan comes
    to; and with it, the same is found."""
    world = walk.world
    try:
        plain, own = Space(world, estimated=False), Space(world)
        best, found = (
            space.best(world.start(), Allowance(0, EFFORT, STEPS_OF_EFFORT)) for space in (plain, own)
        )
    except Refused as refusal:
        expect.cannot(str(refusal))
        return
    if best.path is None or not (best.proven and found.proven):
        expect.cannot(f"no best plan is proven with an effort of {EFFORT:g}")
        return
    state = world.start()
    for decisions in best.path:
        promised = shorten(f"{world.estimate(state)} in {state}")
        expect(own.bound(state) <= best.cost, f"it is {promised}, and {abs(best.cost)} can be had")
        state = world.step(state, decisions).state
    expect(found.cost == best.cost, f"{abs(found.cost)} is found with it, and {abs(best.cost)} can be had")


# --- problems for schedulers -----------------------------------------------------------------------------


NOBODY_S = {"no activity of this world": 0}


def problems_are_well_formed(walk: Walk, expect: Expect) -> None:
    """Names are used once, what is named exists, nothing waits for itself, times are possible."""
    problems: Mapping[str, Problem] = walk.world.problems()
    expect(bool(problems), "the world is Schedulable and states no problem")
    expect.same(walk.world.problems(), problems, "the problems, asked twice")
    for name, problem in problems.items():
        for fault in _faults(problem, walk.world.time_unit):
            expect(False, f"problem {name!r}: {fault}")
        expect(True, "")


def _faults(problem: Problem, unit: str) -> Iterator[str]:
    """What is wrong with a problem."""
    names = [activity.name for activity in problem.activities]
    resources = {resource.name: resource.capacity for resource in problem.resources}
    if problem.unit != unit:
        yield f"its unit is {problem.unit}, that of the world {unit}"
    for listed in (names, [resource.name for resource in problem.resources]):
        yield from (f"{name!r} is there twice" for name in {*listed} if listed.count(name) > 1)
    yield from (f"resource {name!r} has no unit" for name, capacity in resources.items() if capacity < 1)
    unknown = {*problem.forbidden, *problem.impossible} - {*names}
    yield from (f"{name!r} is forbidden or impossible, and no activity" for name in unknown)
    for activity in problem.activities:
        yield from (f"{activity.name!r}: {fault}" for fault in _faults_of(activity, {*names}, resources))
        lags = (lag.at_most for lag in activity.max_lags)
        window = (activity.release, activity.deadline or 0)
        times = (activity.duration, activity.operator_time, *lags, *window)
        if problem.grid < 1 or any(time % problem.grid for time in times):
            yield f"{activity.name!r}: a grid of {problem.grid} does not divide its times"
    try:
        TopologicalSorter({a.name: a.predecessors for a in problem.activities}).prepare()
    except CycleError as error:
        yield f"these wait for each other: {', '.join(error.args[1])}"


def _faults_of(activity: Activity, names: set[str], resources: Mapping[str, int]) -> Iterator[str]:
    before = {*activity.predecessors, *(lag.after for lag in activity.max_lags)}
    yield from (f"it comes after {name!r}, which is no activity" for name in before - names)
    yield from (f"there is no resource {name!r}" for name in {*activity.resources} - {*resources})
    if not 0 <= activity.operator_time <= activity.duration:
        yield f"it takes {activity.duration}, and {activity.operator_time} of the operator's time"
    if any(lag.at_most < 0 for lag in activity.max_lags):
        yield "a maximum lag is below 0"
    if activity.release < 0:
        yield "it is released before the beginning"
    for state in filter(None, (activity.sets, activity.requires)):
        if state.resource not in activity.resources or resources.get(state.resource) != 1:
            yield f"it sets or requires {state}, and does not hold the one unit of that machine"
    if activity.preemptive and activity.operator_time < activity.duration:
        yield "it is preemptive, and does not hold the operator throughout"
    if activity.preemptive and (activity.sets or activity.requires):
        yield "it is preemptive, and sets or requires a machine state"


def schedules_are_plans(walk: Walk, expect: Expect) -> None:
    """What is no schedule makes no plan. One thing after the other is one; its plan is never refused."""
    world, problem = walk.world, walk.world.problems().get(walk.world.id)
    expect(_plan(world, NOBODY_S) is None, "a schedule of other activities makes a plan")
    if problem is None:
        expect.cannot("no problem stands for the whole scenario")
        return
    starts = _in_single_file(problem)
    plan = _plan(world, starts) if starts is not None else None
    if plan is None:
        expect.cannot("the activities cannot be done in single file")
        return
    state = world.start(walk.seed)
    for decision in plan:
        seats = world.deciders(state)
        if not seats:
            break
        step = world.step(state, dict.fromkeys(seats, decision))
        expect(not step.refusals, f"in single file, {decision!r} is refused: {step.refusals}")
        state = step.state
    outcome = world.outcome(state)
    expect({"completed", world.time_unit} <= {*outcome.numbers}, f"{outcome} does not tell when all was done")
    if outcome.status != "cut off":
        expect(outcome.numbers["completed"] == 1, f"everything was done in single file, and {outcome}")


def _in_single_file(problem: Problem) -> dict[str, int] | None:
    """A start for each activity, none before the last has ended; ``None`` if that is no schedule here."""
    activities = {activity.name: activity for activity in problem.activities}
    starts: dict[str, int] = {}
    ends: dict[str, int] = {}
    values: dict[str, int] = {}
    now = 0
    for name in TopologicalSorter({a.name: a.predecessors for a in problem.activities}).static_order():
        activity = activities[name]
        now = max(now, activity.release)
        late = any(now > ends.get(lag.after, now) + lag.at_most for lag in activity.max_lags)
        requires, sets = activity.requires, activity.sets
        if late or (requires is not None and values.get(requires.resource) != requires.value):
            return None
        if sets is not None:
            values[sets.resource] = sets.value
        starts[name], now = now, now + activity.duration
        ends[name] = now
        if activity.deadline is not None and now > activity.deadline:
            return None
    return None if problem.forbidden or problem.impossible else starts


def _plan(world: Any, starts: Mapping[str, int]) -> list[Any] | None:
    try:
        return list(world.plan(starts))
    except Refused:
        return None
