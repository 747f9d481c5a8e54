"""Scores of recorded episodes: one row for each group, rule set and agent, published rows beside.

The agents of a cell (a group of the article's table under one rule set) are compared over the scenarios that
all of them have finished: an agent whose run stopped after the easy ones would seem better. An episode that
ended because a call failed says nothing of the agent, and is no 0: its scenario is one that the agent has not
finished, unless another seed of it was played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from backburner.evaluation.records import Unusable, left_out, read_verified, records
from backburner.evaluation.scoring.answered import (
    ATTAINED,
    METRICS,
    Answers,
    answer_of,
    biased,
    measures_of,
    unanswered,
)
from backburner.evaluation.scoring.failures import Failures, failures_of
from backburner.evaluation.scoring.formalised import beliefs_sections
from backburner.evaluation.scoring.statistics import estimate_of_episodes
from backburner.kernel import packs, registry
from backburner.kernel.charts import Figure
from backburner.kernel.episode import Episode
from backburner.kernel.errors import MissingExtra, Refused
from backburner.kernel.experiments import Experiment, experiments
from backburner.kernel.scoring import (
    Estimate,
    Measured,
    Measures,
    Metric,
    Published,
    Scoring,
    Section,
    grouped,
)
from backburner.kernel.shown import Shown


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
        return self.failed or not row[0].failed


class AgentInCell(Struct, frozen=True):
    """An agent in a cell: the episodes that count, and what it has not finished of the cell's scenarios."""

    experiment: Experiment
    rows: tuple[Measured, ...]
    failed: int
    missing: tuple[str, ...]


class Cell(Struct, frozen=True):
    """A group under one rule set. ``scenarios``: all that somebody played; ``common``: that all finished."""

    group: str
    rules: str
    lines: tuple[AgentInCell, ...]
    scenarios: tuple[str, ...]
    common: tuple[str, ...]


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
        AgentInCell(
            experiment,
            tuple(row for row in rows if row[0].header.id in kept),
            sum(episode.failed for episode, _ in experiment.rows),
            tuple(scenario for scenario in scenarios if scenario not in own),
        )
        for experiment, rows, own in zip(experiments, counted, map(set, finished), strict=True)
    )
    return Cell(group, rules, lines, tuple(scenarios), tuple(common))


NAMED = 3
"""Scenarios that a note names of those that an agent lacks."""


def missing_in(cell: Cell, counting: Counting) -> str:
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


def _lacks(line: AgentInCell) -> str:
    names = ", ".join(line.missing[:NAMED])
    more = f" and {len(line.missing) - NAMED} more" if len(line.missing) > NAMED else ""
    calls = f", {line.failed} failed" if line.failed else ""
    return f"{line.experiment.agent} lacks {len(line.missing)}{calls} ({names}{more})"


# --- scores of records -----------------------------------------------------------------------------------


COUNTING = Counting()
"""What counts unless asked for otherwise."""


class Row(Struct, frozen=True):
    """One agent in one cell of an article's table.

    ``episodes``: those that count, of so many ``scenarios``. ``failed``: those that ended because a call
    failed. ``missing``: scenarios of the cell that the agent has not finished.
    """

    group: str
    rules: str
    agent: str
    episodes: int
    failed: int
    figures: dict[str, Estimate]
    scenarios: int = 0
    missing: tuple[str, ...] = ()


class WorldScores(Shown, Struct, frozen=True):
    """Everything that is reported about one world; ``measured``: its episodes with their numbers.

    ``left_out`` says of each episode whose numbers could not be computed why. ``rows``, ``sections`` and
    ``figures`` are over what counts by ``counting``; ``notes`` says of each of the
    ``cells`` what is missing there. ``answers``: what is proven of the scenarios that were played.
    """

    world: str
    title: str
    metrics: tuple[Metric, ...]
    rows: tuple[Row, ...]
    published: tuple[Published, ...]
    failures: tuple[Failures, ...]
    measured: tuple[Measured, ...]
    sections: tuple[Section, ...]
    figures: tuple[Figure, ...] = ()
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    counting: Counting = COUNTING
    cells: tuple[Cell, ...] = ()
    answers: Answers = {}

    @property
    def on_answers(self) -> list[str]:
        """What a reader must know of the answers: a line on those that are missing, one on their bias."""
        lines = (unanswered(self.world, self.measured), biased(self.world, self.answers.values()))
        return list(filter(None, lines))

    @property
    def answered(self) -> list[Measured]:
        """The measured episodes that count by themselves: those of failed calls do if that was asked for."""
        return [row for row in self.measured if self.counting.counts(row)]

    @property
    def played(self) -> Iterator[tuple[Cell, AgentInCell, Measured, bool]]:
        """Every episode of the cells with its cell and line, and whether figures are over it."""
        for cell in self.cells:
            for line in cell.lines:
                counted = {id(episode) for episode, _ in line.rows}
                for row in line.experiment.rows:
                    yield cell, line, row, id(row[0]) in counted


class Records(Struct, frozen=True):
    """The episodes of a folder; ``unusable`` says of each file that could not be read why."""

    episodes: tuple[tuple[Path, Episode], ...]
    unusable: tuple[str, ...]


def load(folder: Path, key: str = "", heard: Callable[[int], object] = lambda total: None) -> Records:
    """Every finished record under a folder that can be verified; with ``key``, that is signed by it.

    What cannot be used is named in ``unusable``, whatever is wrong with it. ``heard`` is called for each file
    that is read, with the number of all. Raises ``Refused`` if nothing can be used.
    """
    files = list(records(folder))
    found = load_files(_heard(files, heard), key)
    if not found.episodes:
        raise Refused(f"{folder}: no finished episode" + "".join(f"\n  {line}" for line in found.unusable))
    return found


def load_files(files: Iterable[Path], key: str = "") -> Records:
    """Of these files every finished record that can be verified, as ``load`` does it; there may be none."""
    episodes, unusable = [], []
    for path in files:
        try:
            episode = read_verified(path, key).episode
        except Unusable as error:
            unusable.append(str(error))
        else:
            if episode.finished:
                episodes.append((path, episode))
            else:
                unusable.append(f"{path}: left out, because it stops after step {len(episode.entries)}")
    return Records(tuple(episodes), tuple(unusable))


def _heard(files: Sequence[Path], heard: Callable[[int], object]) -> Iterator[Path]:
    for path in files:
        yield path
        heard(len(files))


def score(
    episodes: Iterable[Episode],
    more: Callable[[Episode], Measures] = lambda episode: {},
    counting: Counting = COUNTING,
    answers: Answers | None = None,
) -> list[WorldScores]:
    """The article's metrics and analyses, world by world.

    Agents of a cell are compared over the scenarios that all of them have finished, and an episode that
    ended because a call failed does not count, unless ``counting`` says otherwise.

    To what a world measures by itself come the proven bounds of its pack, and what ``more`` finds by a
    search, such as ``steps_to_go``. Where ``answers`` has the best of a scenario, its episodes are held
    against it. An episode for which any of this raises is left out, and named.
    """
    scored = []
    for name, scoring, of_world in registry.scorings(list(episodes)):
        bounds, proven = registry.bounds(name), {**registry.shipped_answers(name), **(answers or {})}
        measured: list[Measured] = []
        wrong: list[str] = []
        for episode in of_world:
            if episode.header.agent in counting.without:
                continue
            try:
                numbers = {**scoring.measure(episode), **bounds(episode), **more(episode)}
                numbers |= measures_of(episode, proven)
            except MissingExtra:
                raise
            except Exception as error:  # a record may be what no play of ours would have come to
                wrong.append(_not_measured(episode, error))
            else:
                measured.append((episode, numbers))
        if measured or wrong:
            told = _told(name, scoring, measured, wrong, counting)
            scored.append(_with_answers(told, proven))
    return scored


def _with_answers(world: WorldScores, answers: Answers) -> WorldScores:
    """The scores with the metrics of those episodes whose scenarios have answers, if there are any."""
    found = [answer for episode, _ in world.measured if (answer := answer_of(episode, answers))]
    if not any(ATTAINED.key in measures for _, measures in world.measured):
        return world
    lines = (line for cell in world.cells for line in cell.lines)
    of_line = {
        (line.experiment.group, line.experiment.rules, line.experiment.agent): line.rows for line in lines
    }
    rows = [
        replace(row, figures=row.figures | _figures(METRICS, of_line[row.group, row.rules, row.agent]))
        for row in world.rows
    ]
    return replace(
        world,
        metrics=(*world.metrics, *METRICS),
        rows=tuple(rows),
        answers={answer.scenario: answer for answer in found},
    )


def used(loaded: Records, scored: Sequence[WorldScores]) -> Records:
    """The records that were measured; those that were not are named with the others that cannot be used."""
    measured = {id(episode) for world in scored for episode, _ in world.measured}
    return Records(
        tuple((path, episode) for path, episode in loaded.episodes if id(episode) in measured),
        (*loaded.unusable, *(line for world in scored for line in world.left_out)),
    )


def _not_measured(episode: Episode, error: Exception) -> str:
    header = episode.header
    return left_out(f"{header.id}, seed {header.seed}, {header.agent}", error)


def _told(
    name: str, scoring: Scoring, measured: list[Measured], wrong: list[str], counting: Counting
) -> WorldScores:
    """All that is told of measured episodes, or of those of them that can be told of."""
    try:
        return _told_of_all(name, scoring, measured, wrong, counting)
    except Exception:
        sound: list[Measured] = []
        for row in measured:
            try:
                _told_of_all(name, scoring, [row], [], counting)
            except Exception as error:
                wrong.append(_not_measured(row[0], error))
            else:
                sound.append(row)
        if len(sound) == len(measured):
            raise
        return _told_of_all(name, scoring, sound, wrong, counting)


def _told_of_all(
    name: str, scoring: Scoring, measured: Sequence[Measured], wrong: Sequence[str], counting: Counting
) -> WorldScores:
    groups = dict.fromkeys(row.group for row in scoring.published)
    order = {group: index for index, group in enumerate(groups)}
    compared = cells(experiments(measured, scoring.group), counting)
    counted = _in_order(measured, (row for cell in compared for line in cell.lines for row in line.rows))
    rows = [row for cell in compared for row in _rows(scoring.metrics, cell)]
    in_order = sorted(rows, key=lambda row: (order.get(row.group, len(order)), row.group))
    played = {row.group for row in in_order}
    return WorldScores(
        world=name,
        title=packs.pack(name).title,
        metrics=tuple(scoring.metrics),
        rows=tuple(in_order),
        published=tuple(row for row in scoring.published if row.group in played),
        failures=tuple(failures_of(measured, scoring.kind_of_refusal)),
        measured=tuple(measured),
        sections=(*scoring.sections(counted), *beliefs_sections(counted)) if counted else (),
        figures=tuple(
            figure
            for figure in (scoring.figures(counted, estimate_of_episodes) if counted else ())
            if figure.charts
        ),
        left_out=tuple(wrong),
        notes=tuple(filter(None, (missing_in(cell, counting) for cell in compared))),
        counting=counting,
        cells=tuple(compared),
    )


def _in_order(rows: Sequence[Measured], some: Iterable[Measured]) -> list[Measured]:
    chosen = {id(episode) for episode, _ in some}
    return [row for row in rows if id(row[0]) in chosen]


def _rows(metrics: Sequence[Metric], cell: Cell) -> Iterable[Row]:
    for line in cell.lines:
        yield Row(
            cell.group,
            cell.rules,
            line.experiment.agent,
            len(line.rows),
            line.failed,
            _figures(metrics, line.rows),
            len(scenarios_of(line.rows)),
            line.missing,
        )


def _figures(metrics: Sequence[Metric], rows: Sequence[Measured]) -> dict[str, Estimate]:
    return {metric.key: estimate_of_episodes(metric, rows) for metric in metrics}
