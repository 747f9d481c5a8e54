"""Ablations: one method with different choices, over the scenarios that all of these have played."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from backburner.agents.models.method import AT
from backburner.evaluation.statistics import estimate
from backburner.kernel.digest import digest
from backburner.kernel.episode import Episode, Header, Player
from backburner.kernel.scoring import Estimate, Measured, Metric, Section
from backburner.kernel.values import Seat

TITLE = "Ablations"
TEXT = (
    "One method with different choices of its own: a row for each set of choices, over the scenarios that "
    "all of them played, with 95 % intervals by drawing these scenarios anew."
)

NO_FIGURE = "–"

Choices = Mapping[str, str]


class Team(NamedTuple):
    """The players of a cell without their choices. ``digest`` covers all else that makes these players."""

    group: str
    rules: str
    name: str
    digest: str


def ablation_sections(
    rows: Sequence[Measured], metrics: Sequence[Metric], group_of: Callable[[Episode], str]
) -> list[Section]:
    """One table of the methods that were played with several sets of choices; no table if none was.

    ``group_of``: the cell of the article's table that an episode belongs to.
    """
    by_team: dict[Team, dict[str, list[Measured]]] = {}
    for row in rows:
        header = row[0].header
        if any(map(_choices_of, header.players.values())):
            team = Team(group_of(row[0]), header.rules_name, *_who(header.players))
            by_team.setdefault(team, {}).setdefault(digest(_of_seats(header)), []).append(row)
    tables = [(team, list(sets.values())) for team, sets in by_team.items() if len(sets) > 1]
    if not tables:
        return []
    differing = list(dict.fromkeys(key for _, sets in tables for key in _differing(sets)))
    lines = [line for team, sets in tables for line in _lines(team, sets, differing, metrics)]
    columns = ("group", "rules", "agent", *differing, "episodes", *(metric.key for metric in metrics))
    told = [place for place in range(len(columns)) if _tells(columns[place], [line[place] for line in lines])]
    table = tuple(tuple(line[place] for place in told) for line in lines)
    return [Section(TITLE, TEXT, tuple(columns[place] for place in told), table)] if lines else []


def _tells(column: str, cells: Sequence[Any]) -> bool:
    """Whether a column is worth showing: a rule set that all share is not, nor a metric that nobody has."""
    return len(set(cells)) > 1 if column == "rules" else any(cell != NO_FIGURE for cell in cells)


def _lines(
    team: Team, sets: Sequence[Sequence[Measured]], differing: Sequence[str], metrics: Sequence[Metric]
) -> Iterator[tuple[Any, ...]]:
    """A row for each set of choices; none where no scenario was played with all of them."""
    common = set.intersection(*({row[0].header.id for row in rows} for rows in sets))
    for rows, chosen in zip(sets, _choices(sets), strict=True) if common else ():
        mine = [(e.header.id, measures) for e, measures in rows if e.header.id in common]
        figures = (_cell(estimate(metric, mine)) for metric in metrics)
        told = (chosen.get(key, "") for key in differing)
        yield (team.group, team.rules, team.name, *told, len(mine), *figures)


def _differing(sets: Sequence[Sequence[Measured]]) -> list[str]:
    """The choices in which some sets differ."""
    chosen = _choices(sets)
    keys = dict.fromkeys(key for choices in chosen for key in choices)
    return [key for key in keys if len({choices.get(key) for choices in chosen}) > 1]


def _choices(sets: Sequence[Sequence[Measured]]) -> list[Choices]:
    """The players' choices in each set; where seats differ in some set, the seat stands before the choice."""
    headers = [_of_seats(rows[0][0].header) for rows in sets]
    apart = {key for seats in headers for one in seats.values() for key in one if _differ(seats, key)}
    return [
        {
            f"{seat} {key}" if key in apart else key: value
            for seat, choices in seats.items()
            for key, value in choices.items()
        }
        for seats in headers
    ]


def _of_seats(header: Header) -> Mapping[Seat, Choices]:
    return {seat: _choices_of(player) for seat, player in header.players.items()}


def _differ(seats: Mapping[Seat, Choices], key: str) -> bool:
    return len({choices[key] for choices in seats.values() if key in choices}) > 1


def _choices_of(player: Player) -> Choices:
    choices = player.settings.get("choices")
    return choices if isinstance(choices, Mapping) else {}


def _who(players: Mapping[Seat, Player]) -> tuple[str, str]:
    """A name for the players without their choices, and a digest of all else about them."""
    names = [_plain(player) for player in players.values()]
    rest = {
        seat: {key: value for key, value in player.settings.items() if key not in ("choices", "method")}
        for seat, player in players.items()
    }
    return " + ".join(names if len(set(names)) > 1 else names[:1]), digest((names, rest))


def _plain(player: Player) -> str:
    """``act(model)`` of ``act@history=none(model)``."""
    method, at, rest = player.name.partition(AT)
    return f"{method}({rest.partition('(')[2]}" if at else player.name


def _cell(found: Estimate) -> str:
    """A figure, and in a second line its interval."""
    if found.value is None:
        return NO_FIGURE
    if found.low is None or found.high is None:
        return f"{found.value:.3f}"
    return f"{found.value:.3f}\n[{found.low:.2f}, {found.high:.2f}]"
