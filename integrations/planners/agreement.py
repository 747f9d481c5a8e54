"""Whether an independent solver finds the optima that we ship, in every published suite that is exported.

    python integrations/planners/agreement.py [SUITE ...] [--limit 10] [--minutes 25] [--rows FILE]

in the environment of this part (``python integrations/run.py planners`` makes it). Aries is given what
``export --format up`` writes, and its best plan is compared with the best and the bound that ship with the
scenario, or with what our solver proves where nothing ships. It prints every difference and, for
docs/planners.md, a table. ``--rows``: a line for each scenario; those that stand there are not solved again.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from backburner.agents.planner import SECONDS_TO_START
from backburner.formats.engines import planned
from backburner.kernel import registry
from backburner.kernel.oracle import Request, solve_world
from backburner.kernel.schedule import Activity, Problem, problem_of
from backburner.kernel.values import digest
from backburner.scheduling.preemption import timetable

SUITES = (
    *("timearena/all", "recipe2plan/all", "desk/all", "projects/all"),
    *("timearena/built-1", "recipe2plan/built-1", "desk/built-2"),
    *(
        f"timearena/every-{n}/{theme}"
        for n in ("pair", "triple")
        for theme in ("cooking", "household", "lab")
    ),
)
"""Every published suite of worlds that state their scenarios as problems; the others are parts of these."""

FORKED = multiprocessing.get_context("fork")

COLUMNS = ("tried", "agree", "found, not proven", "not found in time", "differ")


class Ours(NamedTuple):
    """The best that is known of a scenario, and what nothing beats; both ``None`` without any plan."""

    best: int | None
    bound: int | None


def ours(world: Any) -> Ours:
    """What ships, or else what our solver finds."""
    name = world.id.partition("/")[0]
    if name in ("timearena", "recipe2plan"):
        catalogue = __import__(f"backburner.worlds.{name}.game.catalogue", fromlist=["known_optimum"])
        if (known := catalogue.known_optimum(world.id)) is not None:
            return Ours(getattr(known, world.time_unit), known.bound)
    if (answer := registry.shipped_answers(name).get(digest(world.scenario))) is not None:
        return Ours(answer.best, answer.bound)
    found = solve_world(world, Request(effort=10.0))
    return Ours(found.objective, found.bound)


class Theirs(NamedTuple):
    """The makespan of Aries' best plan, whether its search is complete, and why it broke off. Its word for a
    complete search that finds nothing is ``unsolvable incompletely``."""

    best: int | None = None
    proven: bool = False
    broken: str = ""


def theirs(problem: Problem, seconds: int, most: int | None) -> Theirs:
    """Of the plans of at most this makespan, by their starts; it is not believed. Its process is killed that
    waits for a server which is gone."""
    within = problem if most is None else no_later(problem, most)
    here, there = FORKED.Pipe(duplex=False)
    child = FORKED.Process(target=_search, args=(within, seconds, there))
    child.start()
    there.close()
    found, until = Theirs(), time.monotonic() + seconds + SECONDS_TO_START
    try:
        while here.poll(max(0, until - time.monotonic())):
            found = here.recv()
        found = found._replace(broken="its server does not answer")
    except EOFError:  # it is over
        pass
    with suppress(ProcessLookupError):
        os.killpg(child.pid or 0, signal.SIGKILL)
    child.join()
    return found


def _search(problem: Problem, seconds: int, to: Any) -> None:
    """What is known after each plan."""
    os.setsid()
    found = Theirs()
    try:
        for plan in planned("aries", problem, seconds):
            ends = [block.end for block in timetable(problem, plan.whole_starts)] if plan.starts else []
            found = Theirs(max(ends, default=found.best), plan.proven or "unsolvable" in plan.status)
            to.send(found)
    except Exception as error:  # of its server, of which the kinds are not declared
        to.send(found._replace(broken=str(error).splitlines()[0][:200] or type(error).__name__))
    to.close()


def no_later(problem: Problem, most: int) -> Problem:
    """The problem of which nothing ends later than that: what is longer need not be searched."""

    def due(each: Activity) -> Activity:
        return replace(each, deadline=most if each.deadline is None else min(each.deadline, most))

    return replace(problem, activities=tuple(map(due, problem.activities)))


def verdict(our: Ours, their: Theirs) -> str:
    """They agree if both prove the same makespan. They differ if a plan is shorter than the best that ships,
    or a complete search has found none as short."""
    if their.best == our.best:
        return "agree" if their.proven else "found, not proven"
    is_shorter = their.best is not None and (our.best is None or their.best < our.best)
    return "differ" if their.proven or is_shorter else "not found in time"


def row_of(suite: str, id: str, seconds: int) -> dict[str, Any]:
    """One scenario, as a line of the file."""
    began, world = time.monotonic(), registry.world(id)
    our = ours(world)
    their = theirs(problem_of(world), seconds, our.best)
    if their.broken:  # windows that decide an alternative are what it stumbles over
        their = theirs(problem_of(world), seconds, None)
    row = {"suite": suite, "id": id, "verdict": verdict(our, their), "best": our.best, "bound": our.bound}
    took = round(time.monotonic() - began, 1)
    return {**row, "aries": their.best, "proven": their.proven, "broken": their.broken, "seconds": took}


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Of the suites in the order in which they were solved."""
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        counts.setdefault(row["suite"], Counter())[row["verdict"]] += 1
    total: Counter[str] = sum(counts.values(), Counter())
    lines = [f"| suite | {' | '.join(COLUMNS)} |", "|---" * (len(COLUMNS) + 1) + "|"]
    for suite, found in [*((f"`{suite}`", found) for suite, found in counts.items()), ("all", total)]:
        lines.append(
            f"| {suite} | {' | '.join(str(n) for n in (found.total(), *map(found.get, COLUMNS[1:])))} |"
        )
    return "\n".join(lines).replace("None", "0")


def main() -> int:
    """1 if there is any difference."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("suites", nargs="*", default=SUITES)
    parser.add_argument("--limit", type=int, default=10, help="seconds for each scenario")
    parser.add_argument("--minutes", type=float, default=25, help="after which no other scenario is begun")
    parser.add_argument("--rows", type=Path, default=Path("agreement.jsonl"))
    asked = parser.parse_args()
    text = asked.rows.read_text("utf-8") if asked.rows.exists() else ""
    rows = [json.loads(line) for line in text.splitlines()]
    done, until = {row["id"] for row in rows}, time.monotonic() + 60 * asked.minutes
    with asked.rows.open("a", encoding="utf-8") as file:
        for suite in asked.suites:
            for id in registry.expand(suite):
                if id in done or time.monotonic() > until:
                    continue
                rows.append(row_of(suite, id, asked.limit))
                print(json.dumps(rows[-1]), file=file, flush=True)
                if rows[-1]["verdict"] == "differ":
                    print(rows[-1], file=sys.stderr, flush=True)
                done.add(id)
    print(table(rows))
    return int(any(row["verdict"] == "differ" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
