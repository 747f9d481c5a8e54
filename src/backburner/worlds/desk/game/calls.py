"""The desk's tools for models that call functions: one for each tool of the scenario, and five of every desk.

A call is written as an answer in words writes it, ``export(subject=orders)``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backburner.kernel.tools import Schema, Tool, ToolCall, one_of, tool, words_for
from backburner.kernel.values import canonical_json
from backburner.worlds.desk.game.compiled import Compiled
from backburner.worlds.desk.game.scenarios import Input
from backburner.worlds.desk.game.scenarios import Tool as Kind
from backburner.worlds.desk.game.state import Observation, Wait
from backburner.worlds.desk.game.text import Teller, clock, written

JOB = words_for("the job, such as 'export orders'")

WAIT: Mapping[str, Schema] = {
    "minutes": {"type": ["integer", "null"], "minimum": 1, "description": "at most so many minutes"},
    "until": {
        "type": ["string", "null"],
        "pattern": "^[0-2][0-9]:[0-5][0-9]$",
        "description": "a time of day, such as 10:15",
    },
    "wakes": {
        "type": ["string", "null"],
        "description": "what ends the wait: info, note (usual), urgent, none, or the name of a job",
    },
}


def tools(compiled: Compiled) -> tuple[Tool, ...]:
    """The tools, the same at every turn. Subjects are listed, as the briefing lists all jobs."""
    scenario = compiled.scenario
    asks = scenario.content == "on"
    value = {"value": words_for("the answer")} if asks else {}
    return (
        *(_tool(compiled, each, each.inputs if asks else ()) for each in scenario.tools),
        tool(
            "check",
            f"See how a job stood when you began to look; {_takes(scenario.check_minutes)}",
            {"job": JOB},
        ),
        tool("cancel", f"Stop a job that is under way; {_takes(scenario.cancel_minutes)}", {"job": JOB}),
        tool(
            "reply", "Answer a request, or a job that asks.", {"to": words_for("the request or job"), **value}
        ),
        tool(
            "wait",
            "Let time pass: until something is told, or as long as you say. Null where you say nothing.",
            WAIT,
        ),
        tool("finish", "Leave the desk. What is not done stays undone."),
    )


def _takes(minutes: int) -> str:
    return f"it takes {minutes} min of your attention."


def _tool(compiled: Compiled, kind: Kind, inputs: Sequence[Input]) -> Tool:
    subjects = [job.subject for job in compiled.jobs.values() if job.tool == kind.name]
    about = {kind.subject: one_of(subjects, "what the job is about")} if kind.subject else {}
    says = kind.says or f"Begin the job {kind.name}."
    return tool(kind.name, f"{says} {_takes(kind.hands).capitalize()}", {**about, **_schemas(inputs)})


def _schemas(inputs: Sequence[Input]) -> Mapping[str, Schema]:
    schemas: dict[str, Schema] = {}
    for each in inputs:
        says = each.says or each.name
        match each.kind:
            case "int":
                schemas[each.name] = {"type": "integer", "description": says}
            case "choice":
                schemas[each.name] = one_of(each.choices, says)
            case _:
                schemas[each.name] = words_for(says)
    return schemas


ONE, SEVERAL = str.maketrans("()=,", "    "), str.maketrans("()=:", "    ")
"""What would make other arguments, or another call, of a value, and of one with commas; none needs it."""


def text(name: str, arguments: Mapping[str, Any]) -> str:
    """A call as an answer in words; what is null is left out. A value stays one value, whatever it says."""
    return written(name, [(key, _value(key, value)) for key, value in arguments.items() if value is not None])


def _value(key: str, value: str | int) -> str | int:
    if isinstance(value, int):
        return value
    return value.translate(SEVERAL if key == "wakes" else ONE)


def of_wait(compiled: Compiled, wait: Wait) -> ToolCall:
    """The call that is a wait."""
    given = {
        "minutes": wait.minutes,
        "until": None if wait.until is None else clock(compiled, wait.until),
        "wakes": None if wait.wakes == ("note",) else ", ".join(wait.wakes) or "none",
    }
    return ToolCall("wait", canonical_json(given).decode())


def result(teller: Teller, observation: Observation) -> Mapping[str, Any]:
    """The time of day, and until when the attention is held; of a job that was just begun or goes on, what
    this run of it is called, as in the news of its end, and when it is said to end."""
    told: dict[str, Any] = {"time": teller.clock(observation.minute)}
    if observation.busy_until is not None:
        told["busy_until"] = teller.clock(observation.busy_until)
    feedback = observation.feedback
    job = observation.seen(feedback.name) if feedback.kind in ("begun", "resumed") else None
    if job is not None and job.phase == "running":
        told |= {"job": job.run, "status": "working"}
        told |= {} if job.most is None else {"expected": teller.clock(job.most)}
    return told
