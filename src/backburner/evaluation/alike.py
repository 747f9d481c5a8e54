"""Which episodes count in a table, so that its agents are compared like with like.

The agents of a cell (a group of the article's table under one rule set) are compared over the scenarios that
all of them have finished: an agent whose run stopped after the easy ones would seem better. An episode that
ended because a call failed says nothing of the agent, and is no 0: its scenario is one that the agent has not
finished, unless another seed of it was played.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from backburner.kernel.experiments import Experiment
from backburner.kernel.scoring import Measured, grouped


class Counting(Struct, frozen=True):
    """What counts in tables.

    ``failed``: episodes that ended because a call failed count as they stand. ``own``: each agent's figures
    are over all that it has finished, whatever the others have. ``without``: agents that are left out.
    """

    failed: bool = False
    own: bool = False
    without: tuple[str, ...] = ()

    def counts(self, row: Measured) -> bool:
        """Whether an episode counts by itself."""
        return self.failed or not call_failed(row)


class Line(Struct, frozen=True):
    """An agent in a cell: the episodes that count, and what it has not finished of the cell's scenarios."""

    experiment: Experiment
    rows: tuple[Measured, ...]
    failed: int
    missing: tuple[str, ...]


class Cell(Struct, frozen=True):
    """A group under one rule set. ``scenarios``: all that somebody played; ``common``: that all finished."""

    group: str
    rules: str
    lines: tuple[Line, ...]
    scenarios: tuple[str, ...]
    common: tuple[str, ...]


def call_failed(row: Measured) -> bool:
    """Whether an episode ended because an agent could not answer."""
    ending = row[0].ending
    return ending is not None and ending.status == "failed"


def scenarios_of(rows: Iterable[Measured]) -> list[str]:
    """The ids of their scenarios, each once, in the order of their first appearance."""
    return list(dict.fromkeys(episode.header.id for episode, _ in rows))


def cells(experiments: Iterable[Experiment], counting: Counting) -> list[Cell]:
    """The cells of a table, with what counts in each.

    Who has finished nothing in a cell has no figures and takes nothing from the others. Where no scenario is
    common to those who have finished any, each keeps its own.
    """
    by_cell = grouped(experiments, lambda experiment: (experiment.group, experiment.rules))
    return [_cell(group, rules, of_cell, counting) for (group, rules), of_cell in by_cell.items()]


def _cell(group: str, rules: str, experiments: Sequence[Experiment], counting: Counting) -> Cell:
    counted = [[row for row in experiment.rows if counting.counts(row)] for experiment in experiments]
    finished = [scenarios_of(rows) for rows in counted]
    scenarios = scenarios_of(row for experiment in experiments for row in experiment.rows)
    begun = [set(own) for own in finished if own]
    common = [scenario for scenario in scenarios if begun and all(scenario in own for own in begun)]
    kept = set(scenarios if counting.own or not common else common)
    lines = tuple(
        Line(
            experiment,
            tuple(row for row in rows if row[0].header.id in kept),
            sum(map(call_failed, experiment.rows)),
            tuple(scenario for scenario in scenarios if scenario not in own),
        )
        for experiment, rows, own in zip(experiments, counted, map(set, finished), strict=True)
    )
    return Cell(group, rules, lines, tuple(scenarios), tuple(common))


NAMED = 3
"""Scenarios that a note names of those that an agent lacks."""


def note(cell: Cell, counting: Counting) -> str:
    """What a reader must know of a cell where not all is common to all; empty where it is."""
    lacking = [line for line in cell.lines if line.missing]
    if not lacking:
        return ""
    agents = sum(1 for line in cell.lines if len(line.missing) < len(cell.scenarios))
    if len(cell.lines) == 1 or agents < 2:
        over = f"over the {len(cell.common)} of {len(cell.scenarios)} scenarios that are finished"
    elif counting.own:
        over = "each agent over the scenarios that it has finished: rows are not comparable"
    elif not cell.common:
        over = "no scenario that all agents have finished: each row is over its own, they are not comparable"
    else:
        of = f"{len(cell.common)} of {len(cell.scenarios)} scenarios"
        over = f"over the {of} that all {agents} agents have finished"
    return f"{cell.group}, {cell.rules} rules: {over}; {'; '.join(map(_lacks, lacking))}"


def _lacks(line: Line) -> str:
    names = ", ".join(line.missing[:NAMED])
    more = f" and {len(line.missing) - NAMED} more" if len(line.missing) > NAMED else ""
    calls = f", {line.failed} failed" if line.failed else ""
    return f"{line.experiment.agent} lacks {len(line.missing)}{calls} ({names}{more})"
