"""People beside models: the records of a study's episodes and those of models, by the same metrics.

Compared are the scenarios that both have played under the same rules, limits and version of the world. A
difference is that of each unit's values (a person's, or a team's) from the model's mean on the same scenario,
averaged by unit: its variance is that between units, and that of the model's means between seeds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path
from statistics import fmean, variance
from textwrap import wrap
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from scipy import stats

from backburner.evaluation.comparing.comparison import conditions
from backburner.evaluation.scoring import scores
from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.significance import holm
from backburner.evaluation.scoring.statistics import MISSED, SAME, estimate
from backburner.evaluation.scoring.usage import stand_ins
from backburner.evaluation.tables.figures import write_figures
from backburner.evaluation.tables.words import interval_text, p_text
from backburner.kernel.charts import Bars, Figure, Group
from backburner.kernel.episode import Episode, Header
from backburner.kernel.errors import Refused
from backburner.kernel.files import write_whole
from backburner.kernel.scoring import Estimate, Measures, Metric, Section, grouped
from backburner.kernel.values import digest, indented_json
from backburner.study.analysis.data import Data, read_data
from backburner.study.analysis.page import Part, page_of
from backburner.study.analysis.sample import excluded, nobody_left, people_of
from backburner.study.analysis.sections import below

Scenario = tuple[str, str]
"""A scenario's id, and a digest of the conditions that it was played under."""


class Player(Struct, frozen=True):
    """People in a condition, or a model's agent: over so many ``units`` (people or teams; for models
    scenarios, or seeds of the only one), ``scenarios`` and ``episodes`` that are compared."""

    name: str
    people: bool
    units: int
    scenarios: int
    episodes: int
    figures: dict[str, Estimate]


class Difference(Struct, frozen=True):
    """People less a model in a metric. ``luck``: whether the model's own luck is in the interval, which takes
    several seeds of each scenario. ``corrected``: p by Holm's method over all pairs of world and metric."""

    metric: str
    people: str
    model: str
    difference: Estimate
    units: int
    scenarios: int
    p: float | None
    corrected: float | None
    luck: bool


class WorldComparison(Struct, frozen=True):
    """One world: its metrics as (key, title, unit), players, differences."""

    world: str
    metrics: tuple[tuple[str, str, str], ...]
    players: tuple[Player, ...]
    differences: tuple[Difference, ...]


class People(Struct, frozen=True):
    """A study's comparison with models; ``remarks``: what was left out, and what the reader has to know."""

    worlds: tuple[WorldComparison, ...]
    remarks: tuple[str, ...]


class _Played(Struct, frozen=True):
    """A measured episode: whose it is, the unit that played it, its scenario."""

    player: str
    people: bool
    unit: str
    scenario: Scenario
    measures: Measures
    seed: str = ""


def compare_with_models(folder: Path, runs: Path) -> People:
    """The study's people beside the models whose records lie in ``runs``.

    Raises ``Refused`` where no record of people, or no scenario that both played, is there.
    """
    data = read_data(folder)
    remarks: list[str] = []
    files = dict(_files(data, folder))
    if not files and (why := nobody_left(data, excluded(data))):
        raise Refused(f"{folder}: {why}")
    if not files:
        raise Refused(f"{folder}: no episode has a record; export the study with its records")
    loaded = scores.load_files(files)
    models = scores.load(runs)
    remarks += [*loaded.unusable, *models.unusable, *_friendly(loaded.episodes)]
    remarks += stand_ins(episode for _, episode in models.episodes)
    whose = {id(episode): files[path] for path, episode in loaded.episodes}
    people = scores.score([episode for _, episode in loaded.episodes])
    others = {world.world: world for world in scores.score([episode for _, episode in models.episodes])}
    worlds = []
    for world in people:
        if world.world not in others:
            remarks.append(f"{world.world}: no model has played it.")
            continue
        played = [*_of_people(world, whose), *_of_models(others[world.world])]
        found, told = _world(world, played)
        remarks += told
        worlds += [] if found is None else [found]
    if not worlds:
        raise Refused(
            "\n  ".join((f"{folder} and {runs}: no scenario that both have played alike", *remarks))
        )
    return People(tuple(worlds), tuple(remarks))


def _files(data: Data, folder: Path) -> Iterator[tuple[Path, tuple[str, str]]]:
    """(record, (what the condition is called, unit)) of every episode of people that counts."""
    root = folder.resolve()
    for unit, label, record in people_of(data, excluded(data)):
        path = folder / record
        if record and path.resolve().is_relative_to(root):
            yield path, (label, unit)


def _friendly(episodes: Sequence[tuple[Path, Episode]]) -> list[str]:
    friendly = sum(
        any(player.settings.get("play") == "friendly" for player in episode.header.players.values())
        for _, episode in episodes
    )
    if not friendly:
        return []
    return [
        f"In {friendly} of {len(episodes)} episodes people played in the friendly way: slips were explained "
        "and cost nothing, as they do not for a model."
    ]


def _key(header: Header) -> Scenario:
    return header.id, digest([value for _, value in conditions(header)])


def _of_people(world: WorldScores, whose: Mapping[int, tuple[str, str]]) -> Iterator[_Played]:
    for episode, measures in world.answered:
        label, unit = whose[id(episode)]
        yield _Played(label, True, unit, _key(episode.header), measures)


def _of_models(world: WorldScores) -> Iterator[_Played]:
    for episode, measures in world.answered:
        header = episode.header
        yield _Played(header.agent, False, header.id, _key(header), measures, f"seed {header.seed}")


def _world(world: WorldScores, played: Sequence[_Played]) -> tuple[WorldComparison | None, list[str]]:
    sides = [{each.scenario for each in played if each.people is people} for people in (True, False)]
    common = sides[0] & sides[1]
    told = list(_left_out(world.world, played, common))
    kept = [each for each in played if each.scenario in common]
    if not kept:
        return None, told
    people_first = sorted(kept, key=lambda each: not each.people)
    of = grouped(people_first, lambda each: (each.people, each.player))
    metrics = [
        metric for metric in world.metrics if any(metric.over([each.measures]) is not None for each in kept)
    ]
    players = tuple(_player(name, mine, metrics) for name, mine in of.items())
    differences: list[Difference] = []
    for metric in metrics:
        pairs = [
            _difference(metric, person[1], model[1], of[person], of[model])
            for person in of
            for model in of
            if person[0] and not model[0]
        ]
        known = [pair for pair in pairs if pair is not None]
        corrected = holm([pair.p for pair in known])
        differences += [replace(pair, corrected=p) for pair, p in zip(known, corrected, strict=True)]
    about = tuple((metric.key, metric.title, metric.unit) for metric in metrics)
    return WorldComparison(world.world, about, players, tuple(differences)), told


def _left_out(world: str, played: Sequence[_Played], common: set[Scenario]) -> Iterator[str]:
    for people, name in ((True, "people"), (False, "models")):
        lone = [each for each in played if each.people is people and each.scenario not in common]
        if not lone:
            continue
        others = {each.scenario[0] for each in played if each.people is not people}
        otherwise = sum(each.scenario[0] in others for each in lone)
        rules = f" ({otherwise} of them under other rules, limits or versions)" if otherwise else ""
        yield (
            f"{world}: {len(lone)} episodes of {name} are in no comparison, as the others have not played "
            f"them{rules}."
        )


def _player(name: tuple[bool, str], mine: Sequence[_Played], metrics: Sequence[Metric]) -> Player:
    rows = [(each.unit, each.measures) for each in mine]
    return Player(
        name[1],
        name[0],
        len({each.unit for each in mine}),
        len({each.scenario for each in mine}),
        len(mine),
        {metric.key: estimate(metric, rows) for metric in metrics},
    )


def _difference(
    metric: Metric, people: str, model: str, ours: Sequence[_Played], theirs: Sequence[_Played]
) -> Difference | None:
    """The difference of two players over the scenarios that both of them have with this metric."""
    of_model: dict[Scenario, list[float]] = defaultdict(list)
    for each in theirs:
        value = metric.over([each.measures])
        if value is not None:
            of_model[each.scenario].append(value)
    by_unit: dict[str, list[tuple[Scenario, float]]] = defaultdict(list)
    for each in ours:
        value = metric.over([each.measures])
        if value is not None and each.scenario in of_model:
            by_unit[each.unit].append((each.scenario, value))
    if not by_unit:
        return None
    means = {scenario: fmean(values) for scenario, values in of_model.items()}
    units = [fmean(value - means[scenario] for scenario, value in mine) for mine in by_unit.values()]
    weights: dict[Scenario, float] = defaultdict(float)
    for mine in by_unit.values():
        for scenario, _ in mine:
            weights[scenario] += 1 / len(mine) / len(by_unit)
    luck = all(len(of_model[scenario]) > 1 for scenario in weights)
    parts = [(variance(units) / len(units), len(units) - 1)] if len(units) > 1 else []
    parts += [
        (weight**2 * variance(of_model[scenario]) / len(of_model[scenario]), len(of_model[scenario]) - 1)
        for scenario, weight in weights.items()
        if len(of_model[scenario]) > 1
    ]
    difference, p = _t(fmean(units), parts if len(units) > 1 else [])
    return Difference(metric.key, people, model, difference, len(units), len(weights), p, None, luck)


def _t(mean: float, parts: Sequence[tuple[float, int]]) -> tuple[Estimate, float | None]:
    """Welch's t of independent variances with their degrees of freedom (Satterthwaite)."""
    total = sum(part for part, _ in parts)
    if total <= SAME**2:
        return Estimate(mean), None
    freedom = total**2 / sum(part**2 / df for part, df in parts)
    reach = float(stats.t.ppf(1 - MISSED / 2, freedom)) * sqrt(total)
    p = 2 * float(stats.t.sf(abs(mean) / sqrt(total), freedom))
    return Estimate(mean, mean - reach, mean + reach, "t"), p


# --- tables, charts and a page ----------------------------------------------------------------------------


NAME = 24
"""Characters of a name in a line, so that tables stand in a terminal of 80 columns."""

PAGE, DATA = "people-and-models.html", "people-and-models.json"

FIGURES = (
    "Over the scenarios that people and models have both played alike. 95 % intervals: over people, and "
    "for models over scenarios, or over seeds where there is one scenario."
)
DIFFERENCES = (
    "Each person's values less the model's mean on the same scenario, averaged by person: people less "
    "model, with its 95 % interval, which knows how people differ and how the model's seeds do. p: "
    "Welch's t, corrected for all pairs by Holm's method."
)
NO_LUCK = " With one seed of a scenario, marked *, the model's own luck is not in the interval."


def sections_of(found: People) -> list[Section]:
    """Two tables for each world: the players' figures, and the differences."""
    return [
        section
        for world in found.worlds
        for section in (_figures(world), _differences(world))
        if section.rows
    ]


def _figures(world: WorldComparison) -> Section:
    rows: list[tuple[Any, ...]] = []
    for player in world.players:
        figures = (below(interval_text(player.figures[key])) for key, _, _ in world.metrics)
        who = "people" if player.people else "model"
        rows.append(
            (
                player.name,
                who,
                player.units,
                player.scenarios,
                player.episodes,
                *figures,
            )
        )
    titles = (f"{key} ({unit})" if unit else key for key, _, unit in world.metrics)
    columns = ("player", "", "units", "scenarios", "episodes", *titles)
    return Section(f"{world.world}: people and models", FIGURES, columns, tuple(rows))


def _differences(world: WorldComparison) -> Section:
    rows = tuple(
        (
            each.metric,
            "\n".join((*wrap(f"{each.people} –", NAME), *wrap(each.model, NAME))),
            below(interval_text(each.difference, signed=True)) + ("" if each.luck else " *"),
            p_text(each.corrected),
            each.units,
            each.scenarios,
        )
        for each in world.differences
    )
    text = DIFFERENCES + (NO_LUCK if any(not each.luck for each in world.differences) else "")
    columns = ("metric", "who", "difference", "p", "units", "scenarios")
    return Section(f"{world.world}: differences", text, columns, rows)


def figures_of(found: People) -> list[tuple[str, Figure]]:
    """For each world a figure with a chart for each metric, people first."""
    figures = []
    for world in found.worlds:
        charts = tuple(_chart(world, *metric) for metric in world.metrics)
        caption = "People by condition and models, over the scenarios that both have played alike."
        figures.append((world.world, Figure("people-and-models", world.world, caption, charts)))
    return figures


def _chart(world: WorldComparison, key: str, title: str, unit: str) -> Bars:
    groups = [
        Group(
            name,
            tuple(
                player.figures[key].bar(player.name) for player in world.players if player.people is people
            ),
        )
        for name, people in (("people", True), ("models", False))
    ]
    return Bars(f"{key}, {title}", unit or key, tuple(groups))


def write_comparison(found: People, folder: Path) -> list[Path]:
    """Write page, JSON and pictures into a folder, each whole or not at all; their paths."""
    page, data = folder / PAGE, folder / DATA
    write_whole(data, indented_json(found))
    write_whole(page, html(found).encode())
    return [page, data, *write_figures(figures_of(found), folder / "figures")]


def html(found: People) -> str:
    """The comparison as a page; it loads nothing and needs no network."""
    parts: Sequence[Part] = [
        Part(f"w{place}", world.world, "", figure, [_figures(world), _differences(world)])
        for place, (world, (_, figure)) in enumerate(zip(found.worlds, figures_of(found), strict=True), 1)
    ]
    heading = "The same scenarios, rules and metrics for both."
    return page_of("People and models", heading, found.remarks, [], parts)
