"""How good each agent is, and what it does wrong most, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from backburner.evaluation.report.agents import MOST_NAMED, AgentSummary, Time, Who, causes, telling
from backburner.evaluation.report.episodes import address
from backburner.evaluation.report.marks import NO_MARKS, RANDOM, Marks
from backburner.evaluation.scoring.failures import BAD_ENDINGS
from backburner.evaluation.scoring.summary import WorldSummary
from backburner.evaluation.tables.sections import number_text
from backburner.evaluation.transcripts.plans import Kind
from backburner.kernel.errors import amount, shorten

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
