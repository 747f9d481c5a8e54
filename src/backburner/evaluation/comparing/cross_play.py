"""Agents with partners that they never met: what records of all their teams tell.

An agent's figure *in a seat with partners* is that of the episodes in which it plays this seat, and one
other agent, the partners, plays all the others. With two seats each episode of two agents counts for both,
each in its seat. An agent's **self-play** is the figure where it plays all seats; its **cross-play** the mean
over all other agents as partners, and all seats; the **gap** how much worse cross-play is than self-play. The
**best response** to partners is the agent that gets the best figure with them.

A figure is over those scenarios that all teams have finished, each scenario's seeds together giving one
figure. All that is told is a mean over scenarios, so that intervals are the bootstrap's, which draws
scenarios; of a single scenario, seeds. They are percentiles, taken so far out that a mean of few is covered
as by Student's t (Hesterberg, The American Statistician 69, 2015, section 4.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum, sqrt
from statistics import NormalDist

from msgspec import Struct

from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.statistics import t_reach
from backburner.evaluation.scoring.summary import main_metrics
from backburner.evaluation.tables.words import interval_text
from backburner.kernel import charts
from backburner.kernel.episode import Header, Player
from backburner.kernel.scoring import Estimate, Measured, Metric, Section, grouped
from backburner.kernel.values import Seat

Unit = tuple[str, int]
"""What is drawn: a scenario's id, and a seed where there is only one scenario; else -1."""

Values = Mapping[Unit, float]
"""A figure of each scenario, or of each seed of a single one."""

RESAMPLES = 5000


class Meeting(Struct, frozen=True):
    """An agent in a seat, the same partners in all others; in self-play they are the agent itself."""

    agent: str
    seat: Seat
    partners: str
    figure: Estimate
    episodes: int


class Standing(Struct, frozen=True):
    """One agent, or the mean of all of them: with itself, with the others, and how much worse that is.

    ``by_seat``: cross-play in each seat. What was not played is ``Estimate(None)``.
    """

    agent: str
    self_play: Estimate
    cross_play: Estimate
    gap: Estimate
    by_seat: dict[Seat, Estimate]


class Response(Struct, frozen=True):
    """The best agent with these partners, all seats together, and how much better than the second best."""

    partners: str
    agent: str
    figure: Estimate
    lead: Estimate


class CrossPlay(Struct, frozen=True):
    """A world's agents under one rule set in scenarios with the same seats, by one metric.

    ``over``: how many ``scenarios``, or ``seeds`` of a single one, all teams have finished.
    """

    world: str
    rules: str
    seats: tuple[Seat, ...]
    metric: str
    unit: str
    better: str
    drawn: str
    over: int
    agents: tuple[str, ...]
    meetings: tuple[Meeting, ...]
    standings: tuple[Standing, ...]
    overall: Standing
    responses: tuple[Response, ...]


def cross_plays(world: WorldScores) -> list[CrossPlay]:
    """By each main metric with a better end, for each rule set and each number of seats in which two agents
    have played by themselves and with each other; none where there is no such thing."""
    counted = [row for row in world.measured if world.counting.counts(row) and len(row[0].header.seats) > 1]
    found: list[CrossPlay | None] = []
    for (rules, seats), rows in grouped(counted, _where).items():
        teams = _teams(rows)
        metrics = [metric for metric in main_metrics(world) if metric.better != "neither"]
        found += [_cross_play(world.world, rules, metric, teams, seats) for metric in metrics]
    return [one for one in found if one is not None]


def _where(row: Measured) -> tuple[str, tuple[Seat, ...]]:
    return row[0].header.rules_name, row[0].header.seats


# --- who played with whom ----------------------------------------------------------------------------------


Team = tuple[str, ...]
"""The agents' names in the order of the seats."""


def _teams(rows: Sequence[Measured]) -> dict[Team, list[Measured]]:
    """The episodes of each team; players of one name that differ in their settings go by both."""
    names = _names([row[0].header for row in rows])
    return grouped(
        rows, lambda row: tuple(names[_key(row[0].header.players[s])] for s in row[0].header.seats)
    )


def _key(player: Player) -> tuple[str, str]:
    return player.name, repr(sorted((key, str(value)) for key, value in player.settings.items()))


def _names(headers: Iterable[Header]) -> dict[tuple[str, str], str]:
    """What each player is called: its name, with those of its settings that tell it from its namesakes."""
    players = {_key(player): player for header in headers for player in header.players.values()}
    called: dict[tuple[str, str], str] = {}
    for name, own in grouped(players.items(), lambda item: item[1].name).items():
        keys = dict.fromkeys(key for _, player in own for key in player.settings)
        differing = [key for key in keys if len({str(player.settings.get(key)) for _, player in own}) > 1]
        for key, player in own:
            told = [f"{each}={player.settings[each]}" for each in differing if each in player.settings]
            called[key] = f"{name} ({', '.join(told)})" if told else name
    return called


def _roles(team: Team) -> Iterator[tuple[str, int, str]]:
    """(agent, its place among the seats, its partners), for each member whose partners are all alike."""
    for place, agent in enumerate(team):
        rest = {*team[:place], *team[place + 1 :]}
        if len(rest) == 1:
            yield agent, place, rest.pop()


# --- figures -----------------------------------------------------------------------------------------------


def _cross_play(
    world: str, rules: str, metric: Metric, teams: Mapping[Team, list[Measured]], seats: tuple[Seat, ...]
) -> CrossPlay | None:
    """Of the agents that have played by themselves and with one another; ``None`` for fewer than two."""
    alone = {team[0] for team in teams if len(set(team)) == 1}
    mixed = {role for team in teams for role in _roles(team) if {role[0], role[2]} <= alone}
    agents = tuple(sorted(agent for agent in alone if any(agent in (a, b) and a != b for a, _, b in mixed)))
    if len(agents) < 2:
        return None
    by_role = {
        role: team for team in teams for role in _roles(team) if role[0] in agents and role[2] in agents
    }
    values, drawn = _values(metric, {team: teams[team] for team in by_role.values()})
    units = sorted(set.intersection(*(set(own) for own in values.values())))
    if not units:
        return None
    table = _Table(metric, seats, agents, {role: values[team] for role, team in by_role.items()}, units)
    meetings = tuple(
        Meeting(role[0], seats[role[1]], role[2], table.figure([role]), _played(teams[team], units, drawn))
        for role, team in sorted(by_role.items(), key=lambda item: _order(item[0], agents))
    )
    return CrossPlay(
        world, rules, seats, metric.key, metric.unit, metric.better, drawn, len(units), agents, meetings,
        tuple(table.standing(agent, [agent]) for agent in agents), table.standing("mean", agents),
        tuple(filter(None, (table.response(partners) for partners in agents))),
    )  # fmt: skip


def _order(role: tuple[str, int, str], agents: Sequence[str]) -> tuple[int, int, int]:
    return agents.index(role[0]), role[1], agents.index(role[2])


def _played(rows: Sequence[Measured], units: Sequence[Unit], drawn: str) -> int:
    return sum(_unit(row, drawn) in units for row in rows)


def _unit(row: Measured, drawn: str) -> Unit:
    header = row[0].header
    return header.id, header.seed if drawn == "seeds" else -1


def _values(metric: Metric, teams: Mapping[Team, list[Measured]]) -> tuple[dict[Team, Values], str]:
    """The metric of each team in each scenario, or under each seed of the only one; and which it is."""
    scenarios = [{row[0].header.id for row in rows} for rows in teams.values()]
    drawn = "seeds" if len(set.intersection(*scenarios)) == 1 else "scenarios"
    shared = set.intersection(*scenarios)
    found: dict[Team, Values] = {}
    for team, rows in teams.items():
        own = grouped((row for row in rows if row[0].header.id in shared), lambda row: _unit(row, drawn))
        figures = {unit: metric.over([measures for _, measures in each]) for unit, each in own.items()}
        found[team] = {unit: figure for unit, figure in figures.items() if figure is not None}
    return found, drawn


class _Table:
    """Figures by role, and what is made of them. All are means over roles, unit by unit."""

    def __init__(
        self,
        metric: Metric,
        seats: Sequence[Seat],
        agents: Sequence[str],
        values: Mapping[tuple[str, int, str], Values],
        units: Sequence[Unit],
    ) -> None:
        self.seats, self.agents = seats, agents
        self.sign = 1.0 if metric.better == "higher" else -1.0
        self.values = {role: [own[unit] for unit in units] for role, own in values.items()}

    def figure(self, roles: Sequence[tuple[str, int, str]]) -> Estimate:
        """The mean over these roles."""
        return estimated(self._mean(roles))

    def standing(self, name: str, agents: Sequence[str]) -> Standing:
        """These agents together; of each of them all seats and partners weigh alike."""
        alone = [self._mean([(agent, 0, agent)]) for agent in agents]
        crossed = [self._mean(self._crossed(agent)) for agent in agents]
        gaps = [
            [self.sign * (one - other) for one, other in zip(self_play, cross_play, strict=True)]
            for self_play, cross_play in zip(alone, crossed, strict=True)
            if self_play and cross_play
        ]
        by_seat = {
            seat: estimated(_means([self._mean(self._crossed(agent, place)) for agent in agents]))
            for place, seat in enumerate(self.seats)
        }
        return Standing(
            name, estimated(_means(alone)), estimated(_means(crossed)), estimated(_means(gaps)), by_seat
        )

    def response(self, partners: str) -> Response | None:
        """Who is best with these partners; ``None`` where nobody else has played with them in all seats."""
        candidates: dict[str, list[float]] = {}
        for agent in self.agents:
            roles = [(agent, place, partners) for place in range(len(self.seats))]
            if all(role in self.values for role in roles):
                candidates[agent] = self._mean(roles)
        if len(candidates) < 2:
            return None
        first, second = sorted(candidates, key=lambda agent: -self.sign * fsum(candidates[agent]))[:2]
        pairs = zip(candidates[first], candidates[second], strict=True)
        lead = [self.sign * (one - other) for one, other in pairs]
        return Response(partners, first, estimated(candidates[first]), estimated(lead))

    def _crossed(self, agent: str, place: int | None = None) -> list[tuple[str, int, str]]:
        return [
            role for role in self.values if role[0] == agent and role[2] != agent and place in (None, role[1])
        ]

    def _mean(self, roles: Sequence[tuple[str, int, str]]) -> list[float]:
        return _means([self.values[role] for role in roles if role in self.values])


def _means(rows: Sequence[Sequence[float]]) -> list[float]:
    """Unit by unit, of those rows that have any."""
    known = [row for row in rows if row]
    return [fsum(column) / len(known) for column in zip(*known, strict=True)]


def estimated(values: Sequence[float]) -> Estimate:
    """The mean with its bootstrap interval, always the same for the same values.

    No interval for a single value, nor where all are equal, of which drawing again tells nothing.
    """
    if not values:
        return Estimate(None)
    n, mean = len(values), fsum(values) / len(values)
    if n == 1:
        return Estimate(mean, method="one")
    if max(values) - min(values) < 1e-12 * max(1.0, abs(mean)):
        return Estimate(mean, method="all equal")
    import numpy

    draws = numpy.random.default_rng(0).integers(0, n, (RESAMPLES, n))
    means = numpy.asarray(values)[draws].mean(axis=1)
    tail = NormalDist().cdf(-sqrt(n / (n - 1)) * t_reach(n - 1))
    low, high = (float(end) for end in numpy.quantile(means, (tail, 1 - tail)))
    return Estimate(mean, low, high, "bootstrap")


# --- tables and the figure ---------------------------------------------------------------------------------


TEXT = (
    "{metric} ({better} is better) of each agent with itself, and with every other agent as its "
    "partners{seats}; gap: how much worse that is; means over {over}, with 95 % bootstrap intervals of them. "
    "Best response: who is best with partners of this kind, and by how much"
)


def cross_play_section(found: CrossPlay) -> Section:
    """One row for each agent, and one for the mean of all."""
    responses = {response.partners: response for response in found.responses}

    def row(standing: Standing) -> tuple[object, ...]:
        best = responses.get(standing.agent)
        told = "–" if best is None else f"{best.agent} {interval_text(best.figure)}"
        lead = "–" if best is None else interval_text(best.lead, signed=True)
        seats = [interval_text(standing.by_seat[seat]) for seat in found.seats]
        figures = [interval_text(each) for each in (standing.self_play, standing.cross_play)]
        return (standing.agent, *figures, interval_text(standing.gap, signed=True), *seats, told, lead)

    in_seats = [f"as {seat}" for seat in found.seats]
    columns = ("agent", "self-play", "cross-play", "gap", *in_seats, "best response to it", "lead")
    more = " (in all other seats)" if len(found.seats) > 2 else ""
    over = f"{found.over} {found.drawn if found.over > 1 else found.drawn[:-1]}"
    metric = f"{found.metric}, {found.unit}" if found.unit else found.metric
    text = TEXT.format(metric=metric, better=found.better, seats=more, over=over)
    title = f"Cross-play: {found.metric}, {len(found.seats)} seats, {found.rules} rules"
    return Section(title, f"{text}.", columns, tuple(map(row, (*found.standings, found.overall))))


def heatmap(found: CrossPlay) -> charts.Heatmap:
    """With two seats rows play the first of them; with more, a cell is the mean over its agent's seats."""
    two = len(found.seats) == 2
    values: dict[tuple[str, str], list[Estimate]] = {}
    for meeting in found.meetings:
        if not two or meeting.seat == found.seats[0]:
            values.setdefault((meeting.agent, meeting.partners), []).append(meeting.figure)
    cells = tuple(
        tuple(_cell(values.get((row, column), ())) for column in found.agents) for row in found.agents
    )
    first, second = found.seats if two else ("agent", "partners in all other seats")
    return charts.Heatmap(
        f"{found.metric}, {found.rules} rules", found.unit, first, second, found.agents, found.agents, cells,
        found.better != "lower",
    )  # fmt: skip


def _cell(figures: Sequence[Estimate]) -> float | None:
    known = [figure.value for figure in figures if figure.value is not None]
    return fsum(known) / len(known) if known else None


def cross_play_figure(found: Sequence[CrossPlay]) -> charts.Figure:
    """A heatmap for each matrix."""
    caption = (
        "Who plays how well with whom: an agent with itself on the diagonal, with partners that it never met "
        "beside it."
    )
    return charts.Figure("cross-play", "Cross-play", caption, tuple(map(heatmap, found)))
