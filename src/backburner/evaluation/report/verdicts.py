"""How good each agent is, and what it does wrong most, in sentences.

A figure stands on a scale with the marks of random play, greedy and the best known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.planned import GREEDY, ORACLE, world_agent
from backburner.agents.scripted import RandomPolicy
from backburner.evaluation.comparing.headline import counts
from backburner.evaluation.report.agents import MOST_NAMED, AgentSummary, Time, Who, causes, telling
from backburner.evaluation.report.episodes import address
from backburner.evaluation.scoring.failures import BAD_ENDINGS
from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.summary import WorldSummary
from backburner.evaluation.tables.words import number_text
from backburner.evaluation.transcripts.gathered import never_begun
from backburner.evaluation.transcripts.plans import Kind
from backburner.kernel import packs, registry
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BackburnerError, Refused, amount, shorten
from backburner.kernel.experiments import Experiment, experiments
from backburner.kernel.headline import Reference, suites_of
from backburner.kernel.play import play_now
from backburner.kernel.replay import world_of
from backburner.kernel.scoring import Measured, Metric, grouped, mean

RANDOM = RandomPolicy().name

MOST_PLAYED = 40
"""Scenarios of a world in which greedy is played for a report that has no play of it."""


class Marks(Struct, frozen=True):
    """Means of a metric over the scenarios that a figure is over; ``None`` where one is not known of all."""

    random: float | None = None
    greedy: float | None = None
    best: float | None = None

    def share(self, value: float) -> float | None:
        """Where a figure is on the way from random play (0) to the best (1); ``None`` where these meet or one
        is not known."""
        if self.random is None or self.best is None or abs(self.best - self.random) < 1e-9:
            return None
        return (value - self.random) / (self.best - self.random)


NO_MARKS = Marks()


def marks_of(world: WorldScores, summary: WorldSummary, metric: Metric) -> dict[Who, Marks]:
    """The marks of each row of a world's summary in one metric.

    Random play and the best value are those that the headline is measured against, where the scenarios, rules
    and limits are its own; elsewhere those of the agents ``random`` and ``oracle`` of the same run.
    """
    played = list(experiments(world.measured, lambda episode: ""))
    references = _references(world.world, metric)
    found: dict[Who, Marks] = {}
    for part in summary.parts:
        own = {one.agent: _counting(world, one) for one in played if one.rules == part.rules}
        known = {id: references[id] for id in _in_the_headline(own.values()) if id in references}
        together = [_ids(own[row.agent]) for row in part.rows if not row.apart]
        common = set.intersection(*together) if together and not world.counting.own else set()
        for row in part.rows:
            ids = common if common and not row.apart else _ids(own[row.agent])
            found[row.agent, row.rules] = Marks(
                _over(metric, own.get(RANDOM, ()), ids, {id: one.random for id, one in known.items()}),
                _over(metric, own.get(GREEDY, ()), ids, {}),
                _over(metric, own.get(ORACLE, ()), ids, {id: one.best for id, one in known.items()}),
            )
    return found


def beside_greedy(
    who: Who,
    worlds: Iterable[tuple[WorldScores, WorldSummary]],
    marks: dict[str, dict[Who, Marks]],
    times: dict[Who, list[Time]],
) -> None:
    """Play greedy where the run has no play of it, and add what it gets to the marks of one agent; where no
    plan is known, what greedy did tells which work the agent never began."""
    for world, summary in worlds:
        played = experiments(world.measured, lambda episode: "")
        own = [row for one in played if (one.agent, one.rules) == who for row in _counting(world, one)]
        mark = marks[world.world].get(who, NO_MARKS)
        plays = greedy_plays(own) if mark.greedy is None else {}
        if not plays:
            continue
        measure = registry.scoring(world.world).measure
        value = telling(summary).over([measure(play) for play in plays.values()])
        marks[world.world][who] = replace(mark, greedy=value)
        never = Counter(
            label for episode, _ in own for label in never_begun(episode, plays[episode.header.id])
        )
        times[who] = [
            replace(one, never=dict(never.most_common())) if _unplanned(one, world.world) else one
            for one in times.get(who, [])
        ]


def _unplanned(time: Time, world: str) -> bool:
    return time.world == world and not time.plan


def greedy_plays(rows: Iterable[Measured]) -> dict[str, Episode]:
    """One play of greedy in each scenario of these episodes; none where a world has no such agent, or where
    there are so many scenarios that it would take long."""
    starts = {episode.header.id: episode for episode, _ in rows}
    if len(starts) > MOST_PLAYED:
        return {}
    try:
        return {id: _greedy(episode) for id, episode in starts.items()}
    except Exception:  # a stranger's scenario or agent: the report says nothing of greedy then
        return {}


def _greedy(like: Episode) -> Episode:
    world = world_of(like)
    return play_now(world, world_agent(GREEDY, world), like.header.seed)


def _references(name: str, metric: Metric) -> Mapping[str, Reference]:
    """By scenario, where the world's headline is over this metric."""
    try:
        if packs.pack(name).headline is None:
            return {}
        suites = [suite for suite in suites_of(name) if suite.metric.key == metric.key]
    except Refused:  # told where the headline is
        return {}
    return {id: reference for suite in suites for id, reference in suite.references.items()}


def _in_the_headline(agents: Iterable[Sequence[Measured]]) -> Iterator[str]:
    """The scenarios of which every episode was played as the headline's are."""
    rows = [row for own in agents for row in own]
    for id, of_id in grouped(rows, lambda row: row[0].header.id).items():
        try:
            if all(counts(episode.header) for episode, _ in of_id):
                yield id
        except BackburnerError:  # a scenario that is not here any more
            continue


def _counting(world: WorldScores, one: Experiment) -> list[Measured]:
    return [row for row in one.rows if world.counting.counts(row)]


def _ids(rows: Iterable[Measured]) -> set[str]:
    return {episode.header.id for episode, _ in rows}


def _over(
    metric: Metric, rows: Sequence[Measured], ids: set[str], known: Mapping[str, float]
) -> float | None:
    """The mean of what is known of these scenarios; else an agent's figure, if it has finished them all."""
    if ids and ids <= known.keys():
        return mean(known[id] for id in sorted(ids))
    own = [row for row in rows if row[0].header.id in ids]
    return metric.over([measures for _, measures in own]) if ids and _ids(own) == ids else None


# --- in sentences ----------------------------------------------------------------------------------------


AS_GOOD = 0.005
"""So near to random play or to the best, as a share of the way between, a figure is told to be equal."""

WORTH_TELLING = 0.02
"""Less than this share of decisions, time or episodes is told of nobody."""

MANY_WAITS = 0.5
"""Of waits alone, without a plan that tells how many are needed, more than this share is told."""

MOST_WRONG = 1
"""Faults that are told of each of several agents, the greatest."""

LONGEST_NAME = 60
"""Characters of a kind of work that are told."""

WASTED: tuple[tuple[Kind, str], ...] = (
    ("repeated", "work that was done again"),
    ("unplanned", "work that the plan does not have"),
)

ENDED = {**BAD_ENDINGS, "failed": "ended by a failed call", "capped": "ran into the safety cap"}


class Verdict(Struct, frozen=True):
    """An agent in words: how good it is, world by world or where it is worst; what it does wrong, the worst
    first; its episodes. ``whole``: it is the one that is looked at."""

    agent: str
    good: tuple[str, ...]
    wrong: tuple[str, ...]
    href: str
    whole: bool = False


def verdicts(
    agents: Sequence[AgentSummary],
    summaries: Sequence[WorldSummary],
    marks: Mapping[str, Mapping[Who, Marks]],
    times: Mapping[Who, Sequence[Time]],
) -> list[Verdict]:
    """Of every agent, in their order; all that there is to say of the one that is looked at."""
    one = looked_at(agents)
    return [_verdict(agent, summaries, marks, times, agent is one) for agent in agents]


def looked_at(agents: Sequence[AgentSummary]) -> AgentSummary | None:
    """The only agent that asked a model, or the only one at all; ``None`` where there are several."""
    models = [agent for agent in agents if agent.calls] or agents
    return models[0] if len(models) == 1 else None


def _verdict(
    agent: AgentSummary,
    summaries: Sequence[WorldSummary],
    marks: Mapping[str, Mapping[Who, Marks]],
    of_agents: Mapping[Who, Sequence[Time]],
    whole: bool,
) -> Verdict:
    who = agent.agent, agent.rules
    times = of_agents.get(who, ())
    good = [
        told
        for world in summaries
        if world.world in agent.worlds
        for told in _good(agent, world, marks.get(world.world, {}).get(who, NO_MARKS), whole)
    ]
    wrong = [words for _, words in sorted(_wrong(agent, times), key=lambda pair: -pair[0])]
    href = address(agent=agent.agent, rules=agent.rules)
    if whole:
        told = tuple(words for _, words in good)
        lost = [f"{time.title}: what cost time: {why}" for time in times if (why := causes(time))]
        return Verdict(agent.agent, told, (*wrong, *lost), href, whole)
    return Verdict(agent.agent, _worst(agent, good), tuple(wrong[:MOST_WRONG]), href)


# --- how good ----------------------------------------------------------------------------------------------


def _good(
    agent: AgentSummary, world: WorldSummary, marks: Marks, whole: bool
) -> Iterator[tuple[float | None, str]]:
    """(share of the way from random play to the best, the figure in words), where there is one."""
    metric = telling(world)
    row = agent.worlds[world.world]
    value = row.figures[metric.key].value
    if value is None:
        return
    share = None if agent.agent == RANDOM else marks.share(value)
    unit = f" {metric.unit}" if metric.unit else ""
    asked = next(part.asked for part in world.parts if part.rules == agent.rules)
    over = f" over {row.finished} of {amount(asked, 'scenarios')}" if row.finished < asked else ""
    figure = f"{world.title}: {metric.key} {number_text(value)}{unit}{over}"
    greedy = f"; greedy gets {number_text(marks.greedy)}" if whole and marks.greedy is not None else ""
    yield share, f"{figure}{_placed(share, marks)}{greedy}"


def _placed(share: float | None, marks: Marks) -> str:
    if share is None:
        known = (("random play gets", marks.random), ("the best known is", marks.best))
        told = [f"{words} {number_text(value)}" for words, value in known if value is not None]
        return f" ({', '.join(told)})" if told else ""
    ends = f"random play gets {number_text(marks.random)}, the best known is {number_text(marks.best)}"
    if share > 1 - AS_GOOD:
        return f", as good as the best known (random play gets {number_text(marks.random)})"
    if share < -AS_GOOD:
        return f", worse than random play ({ends})"
    if share < AS_GOOD:
        return f", no better than random play ({ends})"
    return f", {100 * share:.0f} % of the way from random play to the best known ({ends})"


def _worst(agent: AgentSummary, good: Sequence[tuple[float | None, str]]) -> tuple[str, ...]:
    """Of several worlds the one in which it is farthest from the best."""
    placed = sorted((share, words) for share, words in good if share is not None)
    if placed and placed[0][0] > 1 - AS_GOOD:
        return (f"as good as the best known in {amount(len(placed), 'worlds')}",)
    if placed:
        return (placed[0][1],)
    worst = None if agent.agent == RANDOM else agent.worst
    if worst is None:
        return ()
    figures = f"{worst.metric} {number_text(worst.own)}, {worst.who} {number_text(worst.other)}"
    return (f"farthest behind in {worst.world}, {worst.group} ({figures})",)


# --- what it does wrong ------------------------------------------------------------------------------------


def _wrong(agent: AgentSummary, times: Sequence[Time]) -> Iterator[tuple[float, str]]:
    """(how much it weighs, what is wrong), with shares of decisions, time and episodes as weights."""
    if agent.refused:
        family, most = next(iter(agent.faults.items()))
        refused, first = (_percent(part / agent.decisions) for part in (agent.refused, most))
        told = f"{refused} of its decisions were refused, most often {family} ({first})"
        yield agent.refused / agent.decisions, told
    yield from _waited(agent, times)
    for status, ended in agent.endings.items():
        yield ended / agent.episodes, f"{ended} of {agent.episodes} episodes {ENDED[status]}"
    for time in times:
        yield from _work(time, several=len(times) > 1)


def _waited(agent: AgentSummary, times: Sequence[Time]) -> Iterator[tuple[float, str]]:
    share = agent.waits / agent.decisions if agent.decisions else 0.0
    planned = [time for time in times if time.plan]
    mine, plan = _standing(time.mine for time in planned), _standing(time.plan for time in planned)
    told = f"{_percent(share)} of its decisions were waits ({agent.waits:,} of {agent.decisions:,})"
    if mine - plan > WORTH_TELLING:
        idle = f"nothing was done in {_percent(mine)} of the time, in the plans in {_percent(plan)}"
        yield mine - plan, f"{told}; {idle}" if agent.waits else idle
    elif share > MANY_WAITS:
        yield share, told


def _standing(accounts: Iterable[Mapping[Kind, float]]) -> float:
    """The share of time in which bodies waited or did nothing; each world counts the same."""
    shares = [
        (kinds.get("waited", 0.0) + kinds.get("idle", 0.0)) / sum(kinds.values())
        for kinds in accounts
        if sum(kinds.values())
    ]
    return sum(shares) / len(shares) if shares else 0.0


def _work(time: Time, several: bool) -> Iterator[tuple[float, str]]:
    where = f"{time.title}: " if several else ""
    if time.never:
        most = list(time.never.items())[:MOST_NAMED]
        told = ", ".join(f"{shorten(label, LONGEST_NAME)} (in {n} of {time.episodes})" for label, n in most)
        more = len(time.never) - len(most)
        others = f" and {more} more" if more > 0 else ""
        yield most[0][1] / time.episodes, f"{where}never begun: {told}{others}"
    whole = sum(time.mine.values())
    for kind, words in WASTED:
        share = time.mine.get(kind, 0.0) / whole if whole else 0.0
        if share > WORTH_TELLING:
            yield share, f"{where}{_percent(share)} of the time went into {words}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.1 or not share else f"{100 * share:.1f} %"
