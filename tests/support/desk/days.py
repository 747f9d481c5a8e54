"""Small days at a desk: written out in a line or two, or drawn; and worlds of them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from backburner.kernel.values import Step
from backburner.worlds.desk.game import Desk, catalogue
from backburner.worlds.desk.game.scenario_files import read_file
from backburner.worlds.desk.game.state import Decision, State
from backburner.worlds.desk.game.transition import AGENT


def day(jobs: list[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    """A file of jobs, whose tools are given beside them: ``hands``, ``resource``, and ``inputs`` by kind."""
    tools, written = [], []
    for job in jobs:
        own = dict(job)
        tool = {"name": own["tool"], "hands": own.pop("hands", 1)}
        if "resource" in own:
            tool["resource"] = own.pop("resource")
        if "kinds" in own:
            tool["inputs"] = own.pop("kinds")
        runs = own.pop("runs", [0])
        own.setdefault(
            "attempts", [{"run": run, "outcome": "fails"} for run in runs[:-1]] + [{"run": runs[-1]}]
        )
        tools.append(tool)
        written.append(own)
    names = sorted({tool["resource"] for tool in tools if "resource" in tool})
    whole = {"title": "A day", "brief": "Do it.", "resources": [{"name": name} for name in names]}
    return {"world": "desk", "id": "day", **whole, "tools": tools, "jobs": written, **fields}


def world_of(file: Mapping[str, Any], limits: str = "none") -> Desk:
    """The world of a file."""
    path, scenario = read_file(file, "day")
    return catalogue.build(f"desk/{path}", scenario, "standard", limits)


def take(world: Desk, state: State, *decisions: Decision | str) -> Step[State]:
    """Decisions or answers, one after the other; the last step."""
    step = Step(state)
    for decision in decisions:
        read = world.parse(step.state, AGENT, decision) if isinstance(decision, str) else decision
        step = world.step(step.state, {AGENT: read})
    return step


def drawn(seed: int) -> dict[str, Any]:
    """A day of two or three jobs and perhaps a request, some silent, failing, pausing, or on one machine."""
    draw = random.Random(f"small day {seed}")
    jobs: list[dict[str, Any]] = []
    for number in range(draw.randint(2, 3)):
        run = draw.choice([0, 1, 2, 3, 4])
        job: dict[str, Any] = {"tool": f"t{number}", "hands": draw.randint(1, 2), "runs": [run]}
        if draw.random() < 0.6:
            job["resource"] = "machine"
        if run:
            job["silent"] = draw.random() < 0.4
            if draw.random() < 0.3:
                job["runs"] = [draw.randint(1, 2), run]
            if run > 1 and draw.random() < 0.3:
                job["pause"] = {"after": draw.randint(1, run - 1), "question": "so?", "answer": "yes"}
        job["needs"] = [f"t{other}" for other in range(number) if draw.random() < 0.3]
        job["deliverable"] = {}
        jobs.append(job)
    fields: dict[str, Any] = {"check_minutes": draw.randint(1, 3)}
    if draw.random() < 0.5:
        request = {"name": "door", "at": draw.randint(0, 5), "window": draw.randint(2, 6), "text": "?"}
        fields["requests"] = [{**request, "hands": draw.randint(1, 2), "answer": "yes"}]
    return day(jobs, **fields)
