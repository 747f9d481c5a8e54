"""A user's scenario file, or the scenario of a record: read, and checked once; then the rules trust it.

Most of the checks stand beside the structs. Here is what jobs and answers must be besides, so that they can
be told apart, begun, ended and judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backburner.kernel.files import Place, converted
from backburner.kernel.values import filled
from backburner.worlds.desk.game.compiled import Compiled
from backburner.worlds.desk.game.content import (
    MOST_DEEP,
    Kind,
    Table,
    Undefined,
    canonical,
    depth,
    jobs_in,
    kind_of,
)
from backburner.worlds.desk.game.problem import activity_names
from backburner.worlds.desk.game.scenarios import Answer, Job, Scenario, ScenarioFile, Tool

PLACES = ("in-tray", "shelf", "desk")
"""Names of places that a picture has besides resources."""

FILE_TYPES = {"scenario": ScenarioFile}


def read_file(raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
    """(path, scenario) of a file's JSON; raises ``BadFile`` naming entry and field."""
    file = converted(raw, ScenarioFile, Place(source))
    scenario = filled(Scenario, file)
    check_scenario(scenario, Place(source))
    return file.id, scenario


def check_scenario(scenario: Scenario, place: Place) -> None:
    """Raises ``BadFile`` for the first thing for which the scenario could not be played."""
    for where, tool in place.entries("tools", scenario.tools):
        _check_tool(tool, where)
    names = [job.name for job in scenario.jobs]
    for where, resource in place.entries("resources", scenario.resources):
        if resource.name in (*PLACES, *names, *(request.name for request in scenario.requests)):
            raise where.wrong(f"{resource.name!r} is the name of a job, a request or a place as well")
    checks = _Checks(scenario)
    for where, job in place.entries("jobs", scenario.jobs):
        checks.job(job, where.at(repr(job.name)))
    for where, request in place.entries("requests", scenario.requests):
        if request.hands > request.window:
            raise where.field("window").wrong(f"an answer takes {request.hands} minutes")
        checks.answer(request.answer, None, request.choices, where.field("answer"))
    if not checks.compiled.required:
        raise place.field("jobs").wrong(
            "nothing is asked for: there is no deliverable, and no request needs a job"
        )
    if scenario.optimum is not None:
        wanted, given = set(activity_names(checks.compiled)), set(scenario.optimum.starts)
        if wanted != given:
            odd = sorted(wanted ^ given)[0]
            raise place.field("optimum").wrong(f"starts are those of each activity: {odd!r} is not in both")


def _check_tool(tool: Tool, where: Place) -> None:
    for there, each in where.entries("inputs", tool.inputs):
        if each.name in (tool.subject, "subject"):
            raise there.wrong(f"{each.name!r} is what the subject is called")
        if (each.kind == "choice") != (len(each.choices) > 1):
            raise there.field("choices").wrong("a choice has at least two, and nothing else has any")


class _Checks:
    """Of jobs and answers."""

    def __init__(self, scenario: Scenario) -> None:
        self.compiled = Compiled(scenario)

    def job(self, job: Job, where: Place) -> None:
        tool = self.compiled.tools[job.tool]
        if bool(tool.subject) != bool(job.subject):
            raise where.field("subject").wrong(
                f"the tool {tool.name!r} takes {'a' if tool.subject else 'no'} subject"
            )
        self._attempts(job, where)
        _table(job.yields, where.field("yields"))
        if odd := {each.name for each in tool.inputs} ^ set(job.inputs):
            raise where.field("inputs").wrong(
                f"they are those of {tool.name!r}; {sorted(odd)[0]!r} is not in both"
            )
        known = self.compiled.with_needs(job.needs)
        for each in tool.inputs:
            self.answer(
                job.inputs[each.name], each.kind, each.choices, where.at(f"inputs {each.name!r}"), known
            )
        if job.deliverable and tool.inputs and all(each.kind == "choice" for each in tool.inputs):
            raise where.field("inputs").wrong(
                "choices alone can be guessed: a deliverable needs a number or a code"
            )
        if job.pause is not None:
            self.answer(job.pause.answer, None, job.pause.choices, where.at("pause"))
            for name in jobs_in(job.pause.answer):
                if job.name in self.compiled.with_needs([name]):
                    raise where.at("pause").field("answer").wrong(f"{name!r} ends after the pause alone")

    def _attempts(self, job: Job, where: Place) -> None:
        *before, last = job.attempts
        if last.outcome != "ok" or any(attempt.outcome != "fails" for attempt in before):
            raise where.field("attempts").wrong("the last one is ok, and all others fail")
        if len({not attempt.run for attempt in job.attempts}) > 1:
            raise where.field("attempts").wrong("a run of 0 minutes is work by hand, every time or never")
        if job.by_hand and (job.silent or job.pause or job.told):
            raise where.field("attempts").wrong(
                "work by hand is not silent, does not pause, and has no time told"
            )
        if job.pause is not None and job.pause.after >= last.run:
            raise where.at("pause").field("after").wrong(f"the run takes {last.run} minutes")
        told = job.told
        if told is not None and not (told.least <= last.run <= told.most):
            raise where.field("told").wrong(f"the run of {last.run} minutes is not within what is told")
        if told is not None and any(attempt.run > told.most for attempt in before):
            raise where.field("told").wrong("an attempt takes longer than what is told")

    def answer(
        self,
        answer: Answer,
        kind: Kind | None,
        choices: Sequence[str],
        where: Place,
        known: set[str] | None = None,
    ) -> None:
        """Raises ``BadFile`` for an answer that cannot be worked out, or not of what is known by then."""
        if depth(answer) > MOST_DEEP:
            raise where.wrong(f"more than {MOST_DEEP} operations stand one within the other")
        for name in jobs_in(answer):
            if name not in self.compiled.jobs:
                raise where.unknown("job", name, self.compiled.jobs)
            if known is not None and name not in known:
                raise where.wrong(
                    f"the result of {name!r} need not be known by then; add it to the field 'needs'"
                )
        try:
            right = self.compiled.right(answer)
        except Undefined as error:
            raise where.wrong(str(error)) from error
        if canonical(right, kind or kind_of(right, choices), choices) is None:
            wanted = kind or kind_of(right, choices)
            raise where.wrong(f"{right!r} is no {'whole number' if wanted == 'int' else wanted}")


def _table(table: Table | None, where: Place) -> None:
    if table is None:
        return
    if len(set(table.columns)) < len(table.columns):
        raise where.wrong("two columns have one name")
    for place, row in enumerate(table.rows):
        if len(row) != len(table.columns):
            raise where.entry("rows", place).wrong(f"there are {len(table.columns)} columns")
