"""What stands beside an agent that took its time: what its thoughts took, and scripts that are as slow.

Scripts are taken from records where there are any, and played else. Greedy is as slow as the agent was,
thought by thought, so that what it loses is the cost of time alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from msgspec import Struct

from backburner.agents.latency import latencies
from backburner.agents.planned import GREEDY, plan_policy, slow_oracle
from backburner.agents.roster import make_policies
from backburner.agents.scripted import RandomPolicy
from backburner.agents.spec import AgentSpec
from backburner.evaluation.scoring.scores import WorldScores
from backburner.kernel import registry
from backburner.kernel.clock import SECOND, Timing, timed
from backburner.kernel.episode import Episode
from backburner.kernel.oracle import Request, solve_world
from backburner.kernel.pack import LATENCY
from backburner.kernel.play import play_now
from backburner.kernel.replay import final_state, questions, world_of
from backburner.kernel.scoring import Measured, Measures, Metric
from backburner.kernel.turns import decided, turn_of

MOST_PLAYED = 600
"""Episodes of scripts that are played for one curve; of more scripts there are only recorded ones."""

PLAN_SECONDS, MOST_SECONDS = 5.0, 30.0
"""For the best plan of a scenario where decisions take time, and about for all those of a curve."""

Play = tuple[str, int]
"""A scenario and a seed."""

Rows = Mapping[Play, Measures]


def play_of(episode: Episode) -> Play:
    """What was played."""
    return episode.header.id, episode.header.seed


class Span(Struct, frozen=True):
    """The thoughts of an episode and their microseconds, the time of all seats, what they decided."""

    thoughts: int
    charge: int
    time: int
    decisions: int


def span_of(episode: Episode) -> Span:
    """What an episode's thoughts have taken."""
    world = world_of(episode)
    charges = [charge for seat in world.seats for charge in episode.charges(seat)]
    kept = timed(world)
    time = kept.now(final_state(episode, world)) * kept.tick_microseconds * len(world.seats)
    answers = [answer for entry in episode.entries for answer in entry.answers.values()]
    return Span(len(charges), sum(charges), time, sum(not answer.silent for answer in answers))


def stale(episode: Episode) -> int:
    """Decisions that were refused when they came, and would not have been when their seat was asked."""
    world = world_of(episode)
    found = 0
    for asked in questions(episode, world):
        if asked.decided in (None, asked.index) or asked.cut or asked.answer is None:
            continue
        entry = episode.entries[asked.decided or 0]
        if any(refusal.seat == asked.seat for refusal in entry.refusals):
            answer = asked.answer.text if asked.answer.text is not None else decided(world, asked.answer)
            turn = turn_of(world, asked.state, asked.seat, asked.index, episode.header.seed)
            found += not turn.trial(answer).refused
    return found


# --- what scripts come to --------------------------------------------------------------------------------


class Scripts:
    """Plays of scripts beside those of an agent; of records where there are any."""

    def __init__(
        self, world: WorldScores, episodes: Mapping[float, Mapping[Play, Measured]], rules: str
    ) -> None:
        self._episodes = episodes
        self._measure = registry.scoring(world.world).measure
        self._bounds = registry.bounds(world.world)
        self._recorded = {
            (header.team, play_of(row[0]), repr(header.limits)): row[1]
            for row in world.measured
            if (header := row[0].header).clock is None and header.rules_name == rules
        }
        plays = next(iter(episodes.values()), {})
        self._few = len(plays) * (len(episodes) + 1) <= MOST_PLAYED
        self._spent = 0.0
        self.greedy = self._all(plays, GREEDY, None)
        self.random = self._all(plays, RandomPolicy.name, None)

    def slow(self, tokens: float) -> Rows:
        """Greedy, each of its thoughts charged as the agent's of the same number at this speed."""
        return self._all(self._episodes[tokens], GREEDY, as_slow_as)

    def _all(
        self, plays: Mapping[Play, Measured], name: str, timing: Callable[[Episode], Timing] | None
    ) -> Rows:
        """The script's numbers in all of these; none if one is missing."""
        found = {}
        try:
            for play, (episode, _) in plays.items():
                place = (name, play, repr(episode.header.limits))
                known = self._recorded.get(place) if timing is None else None
                if known is None and not self._few:
                    return {}
                found[play] = self._played(episode, name, timing) if known is None else known
        except Exception:  # a stranger's world may have no such agent, or none that can play
            return {}
        return found

    def _played(self, like: Episode, name: str, timing: Callable[[Episode], Timing] | None) -> Measures:
        world = world_of(like)
        clock = None if timing is None else timing(like).bound(world)
        policies = make_policies(AgentSpec(name), world)
        return self._measured(play_now(world, policies, like.header.seed, clock=clock))

    def _measured(self, episode: Episode) -> Measures:
        return {**self._measure(episode), **self._bounds(episode)}

    def best(self, metric: Metric, rows: Mapping[Play, Measured], charge: float) -> tuple[float | None, int]:
        """(what the best plans come to of which each decision takes so long, scenarios without any)."""
        found: list[Measures] = []
        infeasible = 0
        for episode in {play[0]: row[0] for play, row in rows.items()}.values():
            if self._spent > MOST_SECONDS:
                return None, 0
            began = time.monotonic()
            try:
                measured = self._best_of(episode, f"{round(charge) / SECOND:.6f}")
            except Exception:  # a stranger's world may have no oracle, or one that knows no latency
                return None, 0
            self._spent += time.monotonic() - began
            if measured is None:
                infeasible += 1
            else:
                found.append(measured)
        return (None if infeasible or not found else metric.over(found)), infeasible

    def _best_of(self, like: Episode, latency: str) -> Measures | None:
        """What the best plan of a scenario comes to; ``None`` where there is none at this speed."""
        world, seed = world_of(like), like.header.seed
        if late := slow_oracle(world, latency, PLAN_SECONDS):
            clock = Timing("latency").bound(world, latencies(late))
            return self._measured(play_now(world, late, seed, clock=clock))
        plan = solve_world(world, Request(time_limit_seconds=PLAN_SECONDS, options={LATENCY.name: latency}))
        if plan.status == "infeasible":
            return None
        return self._measured(play_now(world, plan_policy(world, plan), seed))


def as_slow_as(episode: Episode) -> Timing:
    """The clock that charges each thought as the one of the same number and seat was charged in a record."""
    charges = {seat: tuple(episode.charges(seat)) or (0,) for seat in episode.header.seats}
    return Timing("recorded", charges=charges)
