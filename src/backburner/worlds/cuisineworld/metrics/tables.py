"""The article's tables and figures: the collaboration experiment, its dishes, what was learned.

Table 1 with intervals, means by class, Figure 3, with the article's beside. ``headroom`` shows how much more
could be served: scores beside the most that their orders allow. The metrics find no bounds: these stand in
the measures of episodes, under ``MOST_SERVED`` and ``LEAST_FAILED``, where the oracle put them.

``learning`` sets single networks that were trained on one level beside Table 12. The table does not say which
orders and intervals it is about. The released training scripts have τ = 2.2, and an older level file, whose
level 4 is the level 2 of today. ``figure_23`` counts what dishes take.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from backburner.kernel.charts import Bar, Bars, Chart, Figure, Group, Line, Lines, Point
from backburner.kernel.scoring import Measured, Measures, Section, by_agent, grouped, mean
from backburner.worlds.cuisineworld.game.cookbook import Cookbook, shipped_cookbook
from backburner.worlds.cuisineworld.game.scenarios import TAUS, UNUSED, classes, evaluated, levels
from backburner.worlds.cuisineworld.metrics.published import (
    LEARNING,
    TABLE_12_TAU,
    Result,
    agents,
    published_tables,
)
from backburner.worlds.dispatch.scores import (
    COS,
    LEAST_FAILED,
    MOST_SERVED,
    NONE,
    at_pace,
    cos,
    share,
    share_points,
    three_digits,
)

PRINTED = "GPT-4"
QUOTED = f"{PRINTED}, article"
RESAMPLES = 1000

BY_INTERVAL = "Collaboration efficiency by interval"
BY_INTERVAL_TEXT = (
    "Orders completed of those completed or failed, from hurried to relaxed (article, Figure 3)."
)


class Team(NamedTuple):
    """So many bodies in the hands of one agent, and the numbers of its episodes for each level played."""

    agent: str
    bodies: int
    by_level: Mapping[str, Sequence[Measures]]


def teams(rows: Sequence[Measured]) -> Iterator[Team]:
    """The teams of the article's levels, agent by agent, by their number of bodies."""
    for agent, episodes in by_agent(rows):
        for bodies, played in sorted(grouped(episodes, _bodies).items()):
            by_level = grouped(played, lambda row: str(row[0].header.scenario["level"]))
            measured = {level: [measures for _, measures in rows] for level, rows in by_level.items()}
            yield Team(agent, bodies, {level: measured.get(level, []) for level in evaluated()})


def _bodies(row: Measured) -> int:
    return int(row[0].header.scenario.get("bodies", 2))


def published(bodies: int) -> Mapping[str, Result]:
    """GPT-4's results of Tables 6 to 8 (summed up in Table 1) by level."""
    results = published_tables().results
    return {row.level: row for row in results if row.agent == PRINTED and row.bodies == bodies}


def table_1(rows: Sequence[Measured]) -> Section:
    """CoS of each level and the mean of the levels played, with 95 % intervals."""
    table: list[tuple[Any, ...]] = []
    for team in teams(rows):
        draws = {level: _resampled(played) for level, played in team.by_level.items() if played}
        means = [mean(drawn) for drawn in zip(*draws.values(), strict=False)]
        scores = {level: cos(played) for level, played in team.by_level.items()}
        cells = (_with_interval(scores[level], draws.get(level, [])) for level in evaluated())
        table.append((team.agent, team.bodies, *cells, _with_interval(mean(scores.values()), means)))
    for average in published_tables().averages:
        printed = published(average.bodies)
        cells = (three_digits(printed[level].cos) for level in evaluated())
        table.append((QUOTED, average.bodies, *cells, three_digits(average.cos)))
    text = (
        "CoS of each level, and the mean of the levels played (article, Table 1). In brackets 95 % "
        "intervals, by drawing the episodes of each τ anew; where they are alike they have no width."
    )
    columns = ("agent", "agents", *evaluated(), "mean")
    return Section("Collaboration score by level", text, columns, tuple(table))


def _resampled(rows: Sequence[Measures]) -> list[float | None]:
    """The score of draws with replacement among the episodes of each τ; none where each has one."""
    cells = [at_pace(rows, tau) for tau in sorted({row["tau"] for row in rows})]
    if all(len(cell) == 1 for cell in cells):
        return []
    chance = random.Random(0)
    return [
        cos([row for cell in cells for row in chance.choices(cell, k=len(cell))]) for _ in range(RESAMPLES)
    ]


def _with_interval(value: float | None, draws: Iterable[float | None]) -> str:
    """A figure, and in a second line the interval that holds 95 % of the draws."""
    known = sorted(draw for draw in draws if draw is not None)
    if not known:
        return three_digits(value)
    low, high = known[int(0.025 * len(known))], known[min(len(known) - 1, int(0.975 * len(known)))]
    return f"{three_digits(value)}\n[{_two_digits(low)}, {_two_digits(high)}]"


def _two_digits(value: float) -> str:
    """``.62``: a terminal of 80 columns then holds three of our columns and three of the article's."""
    return f"{value:.2f}".removeprefix("0")


def by_class(rows: Sequence[Measured]) -> Section:
    """The mean CoS of the levels of each class."""
    groups = {name.replace("_", " "): members for name, members in classes().items() if name != UNUSED}
    table = [
        (agent, bodies, *(three_digits(mean(scores[level] for level in group)) for group in groups.values()))
        for agent, bodies, scores in _all_scores(rows)
    ]
    text = "Mean CoS of the levels of a class, as far as they were played."
    return Section("Collaboration score by class", text, ("agent", "agents", *groups), tuple(table))


def _all_scores(rows: Sequence[Measured]) -> Iterator[tuple[str, int, Mapping[str, float | None]]]:
    """(agent, number of bodies, CoS by level) of ours and of the article's."""
    for agent, bodies, by_level in teams(rows):
        yield agent, bodies, {level: cos(played) for level, played in by_level.items()}
    for average in published_tables().averages:
        printed = published(average.bodies)
        yield QUOTED, average.bodies, {level: row.cos for level, row in printed.items()}


def counts_by_pace(rows: Sequence[Measured]) -> Section:
    """Orders completed of those completed or failed for each τ: the numbers of Figure 3."""
    table: list[tuple[Any, ...]] = []
    for team in teams(rows):
        for level, played in team.by_level.items():
            if played:
                cells = (_counts(at_pace(played, tau)) for tau in TAUS)
                table.append((team.agent, team.bodies, level, *cells))
        everything = [row for played in team.by_level.values() for row in played]
        shares = (three_digits(share(at_pace(everything, tau))) for tau in TAUS)
        table.append((team.agent, team.bodies, "all orders", *shares))
    columns = ("agent", "agents", "level", *(f"τ = {tau}" for tau in TAUS))
    return Section(BY_INTERVAL, BY_INTERVAL_TEXT, columns, tuple(table))


def _counts(rows: Sequence[Measures]) -> str:
    completed = sum(row["completed"] for row in rows)
    total = completed + sum(row["failed"] for row in rows)
    return f"{completed:.0f}/{total:.0f}" if rows else NONE


def figure_3(rows: Sequence[Measured]) -> Figure:
    """The share of orders served over τ: a chart for each agent and level with several paces played."""
    return Figure("figure-3", BY_INTERVAL, BY_INTERVAL_TEXT, tuple(_charts(list(teams(rows)))))


def _charts(all_teams: Sequence[Team]) -> Iterator[Lines]:
    for agent in dict.fromkeys(team.agent for team in all_teams):
        own = [team for team in all_teams if team.agent == agent]
        for level in evaluated():
            lines = [_line(team, level) for team in own]
            drawn = [line for line in lines if len(line.points) > 1]
            quoted = [_quoted(team.bodies, level) for team in own if published(team.bodies)]
            if drawn:
                yield Lines(f"{level}, {agent}", "τ", "share of orders served", (*drawn, *quoted), 1.0)


def _line(team: Team, level: str) -> Line:
    return Line(agents(team.bodies), share_points(team.by_level[level], TAUS), str(team.bodies))


def _quoted(bodies: int, level: str) -> Line:
    cells = published(bodies)[level].cells
    points = tuple(Point(tau, done / total) for tau, (done, total) in zip(TAUS, cells, strict=False))
    return Line(f"{PRINTED}, {agents(bodies)}", points, str(bodies), quoted=True)


STOPPED = "*"
COUNTED = ("completed", "failed", MOST_SERVED, LEAST_FAILED)

HEADROOM_TEXT = (
    "CoS, a proven upper bound on it from the stream of orders, and the gap between the two; below each τ "
    "the gap between the shares served. In the steps that there are, bodies, tools and deadlines allow no "
    "more, though perhaps less: the gap is the most that could be gained. The bounds hold for play in which "
    "time passes in every turn. Under released rules a dispatcher that says nothing stops the clock; where "
    f"one did, the gap is marked {STOPPED}."
)


class Cell(NamedTuple):
    """Reached and allowed for some episodes; ``stopped``: whether turns went by without a step."""

    reached: float | None
    bound: float | None
    stopped: bool

    @property
    def gap(self) -> float | None:
        """What could be gained at the most."""
        return None if self.reached is None or self.bound is None else self.bound - self.reached


def headroom(rows: Sequence[Measured]) -> Section | None:
    """Every level's score, bound and gap, with the means of the levels played; the cells for machines.

    ``None`` where no episode comes with its bounds.
    """
    bounded = list(teams([row for row in rows if MOST_SERVED in row[1]]))
    if not bounded:
        return None
    columns = ("agent", "agents", "level", "CoS", "bound", "gap", *(f"τ = {tau}" for tau in TAUS))
    table = tuple(line for team in bounded for line in _team_lines(team))
    return Section("Headroom", HEADROOM_TEXT, columns, table, cells=tuple(_cells(bounded)))


def _team_lines(team: Team) -> Iterator[tuple[Any, ...]]:
    """The team's levels, and their mean."""
    by_level = {level: team.by_level[level] for level in evaluated() if team.by_level[level]}
    lines = [[_cell(played), *(_cell(at_pace(played, tau)) for tau in TAUS)] for played in by_level.values()]
    for level, line in zip(by_level, lines, strict=True):
        yield team.agent, team.bodies, level, *_words(line)
    yield team.agent, team.bodies, "mean", *_words([_mean(cells) for cells in zip(*lines, strict=True)])


def _words(line: Sequence[Cell]) -> Iterator[str]:
    """Without leading zeros, so that a terminal of 80 columns holds them."""
    score, *by_tau = line
    yield from (_short(score.reached, 3), _short(score.bound, 3))
    yield _short(score.gap, 3) + STOPPED * score.stopped
    yield from (_short(cell.gap, 2) for cell in by_tau)


def _short(value: float | None, digits: int) -> str:
    return NONE if value is None else f"{value:.{digits}f}".replace("0.", ".", 1)


def _mean(cells: Sequence[Cell]) -> Cell:
    known = [cell for cell in cells if cell.gap is not None]
    stopped = any(cell.stopped for cell in cells)
    return Cell(mean(cell.reached for cell in known), mean(cell.bound for cell in known), stopped)


def _cell(rows: Sequence[Measures]) -> Cell:
    return Cell(cos(rows), COS.bound(rows), any(row["steps"] < row["turns"] for row in rows))


def _cells(bounded: Sequence[Team]) -> Iterator[Mapping[str, Any]]:
    """Each level, number of bodies and interval that was played, as numbers."""
    for team in bounded:
        for level, played in team.by_level.items():
            for tau in TAUS:
                if rows := at_pace(played, tau):
                    cell = _cell(rows)
                    yield {
                        "agent": team.agent,
                        "agents": team.bodies,
                        "level": level,
                        "tau": tau,
                        "episodes": len(rows),
                        **{name: sum(row[name] for row in rows) for name in COUNTED},
                        "share": cell.reached,
                        "bound": cell.bound,
                        "gap": cell.gap,
                        "clock stopped": cell.stopped,
                    }


PRINTED_AS: Mapping[str, tuple[str, str]] = {
    "level_1": ("level_1", ""),
    "level_4": ("level_4", ""),
    "level_2": ("level_4", "in the older file"),
}
"""Which printed level a level of today may be, and where."""

LEARNING_TEXT = (
    "Two agents at τ = 2.2, the pace of the released training scripts: the share of orders served, beside "
    "the article's Table 12. That says neither which orders and intervals it is about, nor which level "
    "file: the scripts have an older one, whose level 4 is the level 2 of today."
)


def learning(rows: Sequence[Measured]) -> Section | None:
    """What was played of these levels at this pace; ``None`` where nothing was."""
    table = tuple(line for agent, played in by_agent(rows) for line in _learned_lines(agent, played))
    if not table:
        return None
    columns = ("agent", "level", "episodes", "served", "printed as", "masked PPO", "GPT-4")
    return Section(LEARNING, LEARNING_TEXT, columns, table)


def _learned_lines(agent: str, played: Sequence[Measured]) -> Iterator[tuple[Any, ...]]:
    printed = {row.level: row for row in published_tables().learning}
    for level, (name, where) in PRINTED_AS.items():
        mine = [row[1] for row in played if _is(row, level)]
        if mine:
            row = printed[name]
            named = f"{name} {where}".strip()
            served = f"{share(mine) or 0:.3f}"
            yield agent, level, len(mine), served, named, f"{row.masked_ppo:.3f}", f"{row.gpt4:.3f}"


def _is(row: Measured, level: str) -> bool:
    scenario = row[0].header.scenario
    return _bodies(row) == 2 and scenario["level"] == level and scenario.get("tau") == TABLE_12_TAU


def figure_23() -> tuple[Sequence[Section], Sequence[Figure]]:
    """A row for each dish of the published levels, and a chart for each of the article's four counts."""
    book = shipped_cookbook()
    dishes = dict.fromkeys(dish for level in levels().values() for dish in level.dishes)
    rows = tuple((dish, *counts(book, dish)) for dish in dishes)
    columns = ("dish", "tools", "ingredients", "cooking steps", "largest mixture")
    table = Section("Dishes", "What each dish takes, with all that goes into it.", columns, rows)
    charts = tuple(
        _distribution(title, (row[number] for row in rows)) for number, title in enumerate(columns[1:], 1)
    )
    caption = "Dishes over the number of tools and ingredients involved, cooking steps, and maximum mixture."
    return (table,), (Figure("figure-23", "Dish distribution", caption, charts),)


def counts(book: Cookbook, dish: str) -> tuple[int, int, int, int]:
    """Different tools, base ingredients, products to be made, and the most things mixed in one tool."""
    recipes = book.closure([dish])
    made = {recipe.product for recipe in recipes}
    return (
        len({recipe.tool for recipe in recipes}),
        len(book.things([dish]) - made),
        len(recipes),
        max((len(recipe.inputs) for recipe in recipes), default=0),
    )


def _distribution(title: str, numbers: Iterable[object]) -> Chart:
    found = Counter(int(str(number)) for number in numbers)
    span = range(min(found), max(found) + 1)
    groups = tuple(Group(str(number), (Bar("dishes", float(found[number])),)) for number in span)
    return Bars(title.capitalize(), "dishes", groups)
