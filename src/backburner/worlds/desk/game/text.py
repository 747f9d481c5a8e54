"""The desk in words: what a seat is told before play, at a moment, and why something is refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from backburner.kernel.text import Kind, Part, parted
from backburner.kernel.values import Refusal
from backburner.worlds.desk.game.compiled import Compiled
from backburner.worlds.desk.game.content import Table, in_words
from backburner.worlds.desk.game.scenarios import Job, Resource
from backburner.worlds.desk.game.state import (
    Cancel,
    Check,
    Decision,
    Idle,
    Observation,
    Reply,
    Seen,
    Start,
    Telling,
    Wait,
)

ROLE = (
    "You sit at a desk. You start jobs that run by themselves, do work by hand, and answer what is asked. "
    "One thing at a time has your attention; what runs needs none."
)

ANSWERING = """\
Answer with one call on one line, in one of these forms, and nothing else:
{calls}
- check(job=JOB), cancel(job=JOB), reply(to=REQUEST OR JOB, value=ANSWER)
- wait(): until something of note is told; wait(minutes=5), wait(until=10:15); wait(wakes=info), \
wait(wakes=urgent) or wait(wakes=JOB) are woken by something else, wait(minutes=5, wakes=none) by nothing
- finish(): leave the desk, which ends the play"""

PLAN_FORM = """\
Write one call on each line, in the order in which they are to be made. Write no numbers, no bullet points \
and no other text."""


def clock(compiled: Compiled, minute: int) -> str:
    """A minute as the time of day."""
    hours, minutes = divmod((compiled.opens + minute) % (24 * 60), 60)
    return f"{hours:02}:{minutes:02}"


def listed(names: Iterable[str], last: str = "and") -> str:
    """Names in a row."""
    *most, end = [*names] or [""]
    return f"{', '.join(most)} {last} {end}" if most else end


def spanned(least: int, most: int) -> str:
    """A span of minutes."""
    return f"{least}" if least == most else f"{least} to {most}"


# --- before play --------------------------------------------------------------------------------------------


def briefing_parts(compiled: Compiled) -> tuple[Part, ...]:
    """Who you are, what counts, the jobs, the rules, how to answer."""
    parts: list[tuple[Kind, str]] = [
        ("role", ROLE),
        ("task", goal(compiled)),
        ("task", "\n".join(["What counts:", *_counts(compiled)])),
        ("recipes", "\n".join(["Jobs:", *(_job(compiled, job) for job in compiled.scenario.jobs)])),
        ("instructions", "\n".join([*_rules(compiled), *map(_resource, compiled.scenario.resources)])),
        ("answering", ANSWERING.format(calls="\n".join(_calls(compiled)))),
    ]
    return parted(parts)


def goal(compiled: Compiled) -> str:
    """What the day is about."""
    return f"{compiled.scenario.title}. {compiled.scenario.brief}"


def _counts(compiled: Compiled) -> Iterator[str]:
    for name, each in compiled.deliverables.items():
        due = "" if each.deadline is None else f" by {clock(compiled, each.deadline)}"
        yield f"- {name}{due}, weight {each.weight}"
    yield "- requests that come in; each wants an answer by a time that it tells"
    yield "All of it counts only if it is right and in time. Do it in as little time as you can."


def _job(compiled: Compiled, job: Job) -> str:
    tool, told = compiled.tools[job.tool], compiled.told(job.name)
    if job.by_hand:
        takes = [f"{tool.hands} min by hand"]
    else:
        runs = "for an unknown time" if told is None else f"{spanned(told.least, told.most)} min"
        takes = [f"{tool.hands} min by hand, then it runs {runs}"]
    takes += [f"holds {tool.resource}"] if tool.resource else []
    takes += ["its end is not told"] if job.silent else []
    takes += [f"needs {listed(job.needs)}"] if job.needs else []
    if compiled.scenario.content == "on":
        takes += [f"{each.name} is {in_words(job.inputs[each.name])}" for each in tool.inputs]
    return f"- {job.name}: {'; '.join(takes)}"


def _resource(resource: Resource) -> str:
    units = f"{resource.capacity} units" if resource.capacity > 1 else "1 unit"
    return f"- {resource.name}, {units}{f': {resource.says}' if resource.says else ''}"


def _rules(compiled: Compiled) -> Iterator[str]:
    scenario = compiled.scenario
    yield f"It is {clock(compiled, 0)} when you begin. Times are whole minutes."
    yield "- A job holds its resource from its beginning to its end. It can fail; begun again, it is JOB#2."
    yield "- A job can be begun when all that it needs has been told as done. Results are told with the end."
    yield "- A job may stop and ask; it gives its resource back until you reply, and then needs it again."
    yield (
        f"- check takes {scenario.check_minutes} min. It shows how a job stood when the check began: "
        "of one that ends a minute later you learn nothing."
    )
    yield f"- cancel takes {scenario.cancel_minutes} min. A call that is refused takes 1 min."
    longest = 1 if compiled.always else scenario.longest_wait
    yield f"- wait ends after {longest} min at the latest. Notices are info, note or urgent."
    if compiled.always:
        yield "- You are asked every minute; while a call takes your attention you can only wait."
    if scenario.content == "on":
        yield "- A job that is given something wrong is rejected at its end; what counts stays as filed."
        yield "- Where several rows of a result fit alike, such as two that are greatest, the first counts."
    yield "Resources:" if scenario.resources else "No job needs a resource."


def _calls(compiled: Compiled) -> Iterator[str]:
    for tool in compiled.scenario.tools:
        inputs = () if compiled.scenario.content == "off" else tool.inputs
        names = [*([tool.subject] if tool.subject else []), *(each.name for each in inputs)]
        given = ", ".join(f"{name}={name.upper()}" for name in names)
        kinds = [f"{each.name}: {each.says or each.kind}" for each in inputs]
        kinds += [f"{each.name} is {listed(each.choices, 'or')}" for each in inputs if each.choices]
        yield f"- {tool.name}({given}): {'; '.join(filter(None, (tool.says, *kinds)))}".rstrip(": ")


# --- at a moment --------------------------------------------------------------------------------------------


class Teller:
    """Tells what the seat sees. Nothing of it depends on anything but the observation."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled

    def tell(self, seen: Observation) -> tuple[Part, ...]:
        """What became of the last call, the news, how things stand, what is asked."""
        until = None if seen.busy_until is None else self.clock(seen.busy_until)
        busy = until and f"A call takes your attention until {until}: you can only wait."
        told = (self.telling(each, _run(seen, each)) for each in seen.news)
        news = "\n".join(filter(None, (busy, self.feedback(seen), *told)))
        asked = f"It is {self.clock(seen.minute)}. Your call?"
        pictured, beside = "\n".join(self._pictured(seen)), "\n".join(self._beside(seen))
        return parted([("feedback", news), ("state", pictured), ("aside", beside), ("question", asked)])

    def clock(self, minute: int) -> str:
        """A minute as the time of day."""
        return clock(self.compiled, minute)

    def feedback(self, seen: Observation) -> str:
        """What became of the last decision."""
        said = seen.feedback
        at, job = self.clock(said.since), seen.seen(said.name)
        name = said.name if job is None else job.run
        match said.kind:
            case "begun":
                return f"{at}: you began {name}."
            case "filed":
                return f"{at}: you filed {name}."
            case "checked":
                return f"{at}: you checked {name}."
            case "wasted":
                return f"{at}: you checked {name}; it had not ended then."
            case "replied" | "resumed":
                return f"{at}: you answered {name}."
            case "cancelled":
                return f"{at}: you cancelled {name}."
            case "waited":
                return f"You waited from {at}."
            case "refused" if said.refusal is not None:
                return f"{at}: refused. {self.refusal(said.refusal)}"
        return ""

    def telling(self, told: Telling, run: str) -> str:
        """Something that was told; of a job, by the name of this run."""
        compiled, at = self.compiled, self.clock(told.minute)
        match told.what:
            case "notice":
                notice = compiled.scenario.notices[int(told.name)]
                return f"{at} {notice.level}: {notice.sender}: {notice.text}"
            case "request":
                request = compiled.requests[told.name]
                return f"{at} {request.level}: {told.name} asks: {request.text}{_choices(request.choices)}"
            case "pause":
                return f"{at} note: {run} waits for an answer: {self.question(told.name)}"
        ended = {
            "ok": "is done",
            "failed": "has failed",
            "rejected": "was rejected: it was given something wrong",
        }
        says = self._says(told) if told.how in ("ok", "failed") else ""
        result = compiled.results.get(told.name) if told.how == "ok" and self._tells_results else None
        brought = "" if result is None else f" It brought:\n{table(result)}"
        return f"{at} note: {run} {ended[told.how]}{f': {says}' if says else ''}.{brought}"

    @property
    def _tells_results(self) -> bool:
        return self.compiled.scenario.content == "on"

    def _says(self, told: Telling) -> str:
        attempts = self.compiled.jobs[told.name].attempts
        fitting = [each.says for each in attempts if each.outcome == ("ok" if told.how == "ok" else "fails")]
        return fitting[min(told.attempt, len(fitting) - 1)] if fitting else ""

    def question(self, job: str) -> str:
        """What a job asks that has paused."""
        pause = self.compiled.jobs[job].pause
        return "" if pause is None else f"{pause.question}{_choices(pause.choices)}"

    def _pictured(self, seen: Observation) -> Iterator[str]:
        """What runs, and what is free, which a picture of the desk shows as well."""
        compiled = self.compiled
        for job in seen.jobs:
            if job.phase == "running":
                yield f"Running: {job.run} {self.running(job)}."
            elif job.phase == "paused":
                yield f"Waits for your reply: {job.run}: {self.question(job.job)}"
        for resource in compiled.scenario.resources:
            held = [
                each.job for each in seen.jobs if each.phase == "running" and _holds(compiled, each, resource)
            ]
            free = resource.capacity - len(held)
            by = f", used by {listed(held)}" if held else ""
            yield f"{resource.name}: {free} of {resource.capacity} free{by}."

    def _beside(self, seen: Observation) -> Iterator[str]:
        """What is asked, done and to be done; and results, whole, as nobody should have to remember."""
        compiled = self.compiled
        for name in seen.open:
            request = compiled.requests[name]
            last = self.clock(request.at + request.window)
            said = f"{request.text}{_choices(request.choices)}"
            yield f"Request {name}, answered by {last} ({request.hands} min): {said}"
        if seen.lost:
            yield f"Requests that passed: {listed(seen.lost)}."
        ended = {each.job: each.phase for each in seen.jobs}
        done = [name for name, phase in ended.items() if phase == "ok"]
        again = [name for name, phase in ended.items() if phase in ("failed", "rejected", "cancelled")]
        left = [name for name in compiled.jobs if name not in ended]
        for title, names in (("Done", done), ("To be begun again", again), ("Not begun", left)):
            if names:
                yield f"{title}: {listed(names)}."
        for name in done if self._tells_results else ():
            if name in compiled.results:
                yield f"Result of {name}:\n{table(compiled.results[name])}"

    def running(self, job: Seen) -> str:
        """Since when a job runs, and until when as is told."""
        begun = f"since {self.clock(job.since)}"
        said = "" if job.asked < 0 else f", still running when checked at {self.clock(job.asked)}"
        if job.least is None or job.most is None:
            return f"{begun}{said}"
        if job.least == job.most:
            return f"{begun}, ends at {self.clock(job.least)}{said}"
        return f"{begun}, ends between {self.clock(job.least)} and {self.clock(job.most)}{said}"

    def refusal(self, refusal: Refusal) -> str:
        """A refusal as a sentence."""
        get = refusal.get
        match refusal.code:
            case "unreadable" | "unreadable_call":
                return "No call could be read in your answer."
            case "several_calls":
                return "Your answer has several calls; make one at a time."
            case "unknown_tool":
                return f"There is no tool {get('tool')}."
            case "unknown_subject":
                return f"The tool {get('tool')} has no {get('subject') or 'job without a subject'}."
            case "unknown_job":
                return f"There is no job {get('job')}."
            case "unknown_request":
                return f"Nothing called {get('request')} wants an answer."
            case "bad_input":
                return f"The input {get('input')} of {get('job')} is missing, unknown or of another kind."
            case "already_done":
                return f"{get('job')} is done already."
            case "already_running":
                return f"{get('job')} is under way already."
            case "already_answered":
                return f"{get('request')} was answered already."
            case "input_missing":
                missing = get("missing")
                return f"{get('job')} needs first: {listed(missing if isinstance(missing, tuple) else ())}."
            case "resource_busy":
                return self._busy(refusal)
            case "too_late":
                last = get("last")
                until = self.clock(last) if isinstance(last, int) else ""
                return (
                    f"{get('request')} was to be answered by {until}, and an answer takes {get('hands')} min."
                )
            case "not_running":
                return f"{get('job')} is not under way."
            case "no_such_wait":
                return "There is nothing of the kind to wait for."
        return f"Refused: {refusal.code}."

    def _busy(self, refusal: Refusal) -> str:
        by, least, most = refusal.get("by"), refusal.get("least"), refusal.get("most")
        said = f"{refusal.get('resource')} is used by {listed(by if isinstance(by, tuple) else ())}"
        if not isinstance(least, int) or not isinstance(most, int):
            return f"{said}."
        between = self.clock(least) if least == most else f"{self.clock(least)} to {self.clock(most)}"
        return f"{said}, said to end at {between}."


def _run(seen: Observation, told: Telling) -> str:
    """What the run that something tells of is called; the last decision may have begun the next."""
    job, said = seen.seen(told.name), seen.feedback
    if job is None:
        return told.name
    again = said.kind in ("begun", "filed") and said.name == told.name and told.minute <= said.since
    return replace(job, number=job.number - again).run


def table(of: Table) -> str:
    """A result as lines."""
    return "\n".join(" | ".join(map(str, row)) for row in (of.columns, *of.rows))


def _choices(choices: Sequence[str]) -> str:
    return f" ({listed(choices, 'or')})" if choices else ""


def _holds(compiled: Compiled, seen: Seen, resource: Resource) -> bool:
    return compiled.tool(seen.job).resource == resource.name


# --- decisions ----------------------------------------------------------------------------------------------


def words(compiled: Compiled, decision: Decision) -> str:
    """The text that is read as this decision."""
    given: list[tuple[str, object]] = []
    match decision:
        case Start(name, subject, inputs):
            tool = compiled.tools.get(name)
            if subject:
                given.append((tool.subject if tool is not None and tool.subject else "subject", subject))
            given += inputs
        case Check(job):
            name, given = "check", [("job", job)]
        case Cancel(job):
            name, given = "cancel", [("job", job)]
        case Reply(to, value):
            name, given = "reply", [("to", to)]
            given += [] if value == "" else [("value", value)]
        case Wait(minutes, until, wakes):
            name = "wait"
            given += [] if minutes is None else [("minutes", minutes)]
            given += [] if until is None else [("until", clock(compiled, until))]
            given += [] if wakes == ("note",) else [("wakes", ", ".join(wakes) or "none")]
        case Idle(ticks):
            return f"(silent for {ticks} min)"
        case _:
            name = "finish"
    return written(name, given)


def written(name: str, given: Iterable[tuple[str, object]]) -> str:
    """A call with its arguments."""
    return f"{name}({', '.join(f'{key}={value}' for key, value in given)})"
