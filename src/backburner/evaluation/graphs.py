"""The task graphs of scenarios: a table of what is in them, and a picture of each scenario's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from backburner.drawing.graph import graph_svg, graphs_svg
from backburner.drawing.graph_layout import before, layers
from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.kernel.files import write_whole
from backburner.kernel.schedule import Problem, Schedulable
from backburner.kernel.scoring import Section

COLUMNS = ("scenario", "graph", "actions", "edges", "layers", "work", "at least")


def graphs_of(id: str) -> Mapping[str, Problem]:
    """The graphs of a scenario by name; raises ``Refused`` for a world that states none."""
    world, _ = registry.world_to_look_at(id)
    if not isinstance(world, Schedulable):
        raise Refused(f"{world.id} has no dependency graph")
    return world.problems()


def graphs_section(ids: Sequence[str]) -> Section:
    """How many actions and edges each graph has, how many layers, and how long its work takes.

    ``work``: all of it, one after the other; ``at least``: along the longest way through the graph.
    """
    rows = tuple(
        (id.partition("/")[2], "" if name == id else name, *_counts(problem))
        for id in ids
        for name, problem in graphs_of(id).items()
    )
    return Section(
        "Task graphs",
        "Actions and direct dependencies of each graph, its layers, and the time that its work takes, one "
        "after the other and, at least, side by side.",
        COLUMNS,
        rows,
    )


def _counts(problem: Problem) -> tuple[int, int, int, int, int]:
    needed = before(problem)
    durations = {activity.name: activity.duration for activity in problem.activities}
    depth, ends = layers(needed), dict[str, int]()
    for name in sorted(needed, key=depth.__getitem__):
        ends[name] = durations[name] + max((ends[one] for one in needed[name]), default=0)
    edges = sum(map(len, needed.values()))
    high = max(depth.values(), default=-1) + 1
    return len(needed), edges, high, sum(durations.values()), max(ends.values(), default=0)


def write_graphs(ids: Sequence[str], folder: Path) -> Iterator[Path]:
    """Write each scenario's graphs to ``<folder>/<scenario>.svg``; the files' paths."""
    for id in ids:
        path = folder / f"{id.replace('/', '-')}.svg"
        write_whole(path, f'<?xml version="1.0" encoding="UTF-8"?>\n{_drawn(id)}\n'.encode())
        yield path


def _drawn(id: str) -> str:
    problems = graphs_of(id)
    return graph_svg(problems[id], id) if id in problems else graphs_svg(problems, id)
