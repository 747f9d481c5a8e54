"""Two questions about prompting methods: what their choices change, and what their predictions are worth.

Ablations compare one method with different choices, over the scenarios that all of these have played.

A method that says what follows from each decision is compared with what did follow. What a seat predicted of
a step stands in its record as a thought (``prediction``), on lines with ``+`` (new) or ``-`` (gone). It is
compared, line by line, with what changed in the seat's description of the world: ``+ the kettle is on`` is
right if that line is new after the step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from backburner.agents.models.examples import changes_between, plain
from backburner.agents.models.method import AT
from backburner.agents.models.methods.whole_plans import PREDICTION
from backburner.evaluation.scoring.statistics import estimate
from backburner.evaluation.tables.words import brackets
from backburner.kernel.episode import Episode, Header, Player, together
from backburner.kernel.replay import trajectory, world_of
from backburner.kernel.scoring import Estimate, Measured, Metric, Section, by_agent
from backburner.kernel.text import Text
from backburner.kernel.values import Seat, digest

# --- ablations ---------------------------------------------------------------------------------------------


TITLE = "Ablations"
TEXT = (
    "One method with different choices of its own: a row for each set of choices, over the scenarios that "
    "all of them played, with 95 % intervals over these scenarios."
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
    shown = [i for i, column in enumerate(columns) if _tells(column, [line[i] for line in lines])]
    table = tuple(tuple(line[i] for i in shown) for line in lines)
    return [Section(TITLE, TEXT, tuple(columns[i] for i in shown), table)] if lines else []


def _tells(column: str, cells: Sequence[Any]) -> bool:
    """Whether a column is worth showing: a rule set that all share is not, nor a metric that nobody has."""
    return len(set(cells)) > 1 if column == "rules" else any(cell != NO_FIGURE for cell in cells)


def _lines(
    team: Team, sets: Sequence[Sequence[Measured]], differing: Sequence[str], metrics: Sequence[Metric]
) -> Iterator[tuple[Any, ...]]:
    """A row for each set of choices; none where no scenario was played with all of them."""
    common = set.intersection(*({row[0].header.id for row in rows} for rows in sets))
    for rows, chosen in zip(sets, _choices(sets), strict=True) if common else ():
        measured = [(e.header.id, measures) for e, measures in rows if e.header.id in common]
        figures = (_cell(estimate(metric, measured)) for metric in metrics)
        choices = (chosen.get(key, "") for key in differing)
        yield (team.group, team.rules, team.name, *choices, len(measured), *figures)


def _differing(sets: Sequence[Sequence[Measured]]) -> list[str]:
    """The choices in which some sets differ."""
    chosen = _choices(sets)
    keys = dict.fromkeys(key for choices in chosen for key in choices)
    return [key for key in keys if len({choices.get(key) for choices in chosen}) > 1]


def _choices(sets: Sequence[Sequence[Measured]]) -> list[Choices]:
    """The players' choices in each set; where seats differ in some set, the seat stands before the choice."""
    headers = [_of_seats(rows[0][0].header) for rows in sets]
    apart = {key for seats in headers for choices in seats.values() for key in choices if _differ(seats, key)}
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
    return {key: str(value) for key, value in choices.items()} if isinstance(choices, Mapping) else {}


def _who(players: Mapping[Seat, Player]) -> tuple[str, str]:
    """A name for the players without their choices, and a digest of all else about them."""
    names = [_plain(player) for player in players.values()]
    rest = {
        seat: {key: value for key, value in player.settings.items() if key not in ("choices", "method")}
        for seat, player in players.items()
    }
    return together(names), digest((names, rest))


def _plain(player: Player) -> str:
    """``act(model)`` of ``act@history=none(model)``."""
    method, at, rest = player.name.partition(AT)
    return f"{method}({rest.partition('(')[2]}" if at else player.name


def _cell(found: Estimate) -> str:
    """A figure, and in a second line its interval."""
    return NO_FIGURE if found.value is None else f"{found.value:.3f}\n{brackets(found, 2)}".rstrip()


# --- predictions -------------------------------------------------------------------------------------------


class Predictions(Struct, frozen=True):
    """Changes that were predicted, that came, and that are both; ``steps`` with anything to compare."""

    steps: int = 0
    predicted: int = 0
    came: int = 0
    both: int = 0

    def __add__(self, other: Predictions) -> Predictions:
        """The counts of both."""
        return Predictions(
            self.steps + other.steps,
            self.predicted + other.predicted,
            self.came + other.came,
            self.both + other.both,
        )

    @property
    def precision(self) -> float | None:
        """The share of what was predicted that came."""
        return self.both / self.predicted if self.predicted else None

    @property
    def recall(self) -> float | None:
        """The share of what came that was predicted."""
        return self.both / self.came if self.came else None

    @property
    def f1(self) -> float | None:
        """2 · both / (predicted + came), the harmonic mean of precision and recall."""
        sum_of_both = self.predicted + self.came
        return 2 * self.both / sum_of_both if sum_of_both else None


def predictions_in(episode: Episode) -> Predictions:
    """All steps of an episode of which something was asked to be predicted; lists of what can be done do
    not count as changes."""
    counts = Predictions()
    if not any(
        answer.thoughts_for(PREDICTION) for entry in episode.entries for answer in entry.decided.values()
    ):
        return counts
    world = world_of(episode)
    if not isinstance(world, Text):
        return counts
    for state, entry, step in trajectory(episode, world):
        for seat, answer in entry.decided.items():
            for said in answer.thoughts_for(PREDICTION):
                counts += compared(said, changes_between(world, state, step.state, seat))
    return counts


def compared(said: str, came: Sequence[str]) -> Predictions:
    """What was predicted of one step, beside what changed in it. A line counts as often as it is written."""
    predicted, real = Counter(map(_key, said.splitlines())), Counter(map(_key, came))
    del predicted[""]
    return Predictions(1, predicted.total(), real.total(), (predicted & real).total())


def _key(change: str) -> str:
    sign, line = change.strip()[:1], plain(change.strip()[1:])
    return f"{sign} {line}" if line else ""


def prediction_sections(rows: Sequence[Measured]) -> Iterator[Section]:
    """One table with a line for each agent that predicted anything; none if no agent did."""
    table = []
    for agent, played in by_agent(rows):
        counts = sum((predictions_in(episode) for episode, _ in played), Predictions())
        if counts.steps:
            rates = (counts.precision, counts.recall, counts.f1)
            table.append((agent, len(played), counts.steps, *map(_percent, rates)))
    if table:
        yield Section(
            "Foretold changes",
            "What was foretold of each step, against the lines of the description that were new or gone "
            "after it: precision, recall and F1 over all lines, in per cent. Lists of what can be done do "
            "not count.",
            ("agent", "episodes", "steps", "precision", "recall", "F1"),
            tuple(table),
        )


def _percent(rate: float | None) -> float | str:
    return "–" if rate is None else round(100 * rate, 1)
