"""Making an article's table again: which episodes are played for it, and what they may cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.attempts import play_attempts
from backburner.agents.models.client import Completion, Message, Settings
from backburner.agents.models.stand_in import StandIn
from backburner.agents.models.toolbox import NO_TOOLS, Toolbox, written
from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.evaluation.running.chains_of_jobs import world_of
from backburner.evaluation.running.jobs import Job, jobs_of
from backburner.evaluation.scoring.usage import Prices
from backburner.kernel import registry
from backburner.kernel.experiments import Play, Reproduction
from backburner.kernel.values import Usage

SMALL = 4
"""Scenarios of a sample, for each part of what is played; more where there are more suites."""

TRIED = 2
"""Scenarios that a stand-in plays to find out how many calls an agent makes."""

CHARACTERS_A_TOKEN = 4
"""About, in English."""

Specs = Callable[[Sequence[str]], Sequence[AgentSpec]]
"""Agents out of their names, as the user asks for models."""


def small(made: Reproduction) -> Reproduction:
    """A sample of it: a few scenarios of each suite, evenly spread, with one seed."""
    return replace(made, plays=tuple(map(_small, made.plays)))


def _small(play: Play) -> Play:
    most = max(1, SMALL // len(play.scenarios))
    suites = [registry.expand(name) for name in play.scenarios]
    chosen = [id for suite in suites for id in spread(suite, most)]
    kept = max(SMALL, sum(len(suite) > 1 for suite in suites))
    return replace(play, scenarios=tuple(spread(chosen, kept)), seeds=1)


def spread(items: Sequence[str], most: int) -> list[str]:
    """At most so many of them, at equal distances, the first one among them."""
    if len(items) <= most:
        return list(items)
    return [items[number * len(items) // most] for number in range(most)]


def jobs_for(made: Reproduction, specs: Specs, rules: str = "") -> list[Job]:
    """Every episode that is played, each once; ``rules`` in place of the article's, if they are named.

    Raises what ``specs`` and ``registry.expand`` raise.
    """
    jobs = (
        job
        for play in made.plays
        for job in jobs_of(play.scenarios, specs(play.agents), play.seeds, rules or play.rules, "article")
    )
    return list(dict.fromkeys(jobs))


class Expense(Struct, frozen=True):
    """What the episodes of an agent may take, by how a stand-in played a few of them.

    ``output_tokens``: of answers as short as the stand-in's; ``most_output_tokens``: if each is as long as
    its cap allows, ``None`` without one. Tokens are four characters each.
    """

    agent: str
    episodes: int
    calls: int
    input_tokens: int
    output_tokens: int
    most_output_tokens: int | None

    def cost(self, agent: AgentSpec, prices: Prices) -> float | None:
        """The most that it costs if every seat has the agent's first model; ``None`` without a price, or a
        cap."""
        price = prices.models.get(agent.endpoints[0].model)
        if price is None or self.most_output_tokens is None:
            return None
        return price.of(
            Usage(calls=self.calls, input_tokens=self.input_tokens, output_tokens=self.most_output_tokens)
        )


async def expenses(jobs: Sequence[Job]) -> list[Expense]:
    """What the calls of these jobs may come to, agent by agent; those that ask no model are left out."""
    found = []
    for agent in dict.fromkeys(job.agent for job in jobs if job.agent.needs_model):
        mine = [job for job in jobs if job.agent == agent]
        found.append(await _expense(agent, mine))
    return found


async def _expense(agent: AgentSpec, jobs: Sequence[Job]) -> Expense:
    by_scenario = {job.scenario: job for job in jobs}
    tried = [by_scenario[id] for id in spread(list(by_scenario), TRIED)]
    counting = _Counting()
    for job in tried:
        world = world_of(job)
        clock = job.clock.bound(world) if agent.needs_clock and job.clock is not None else None
        policies = make_policies(agent, world, lambda endpoint: counting)
        await play_attempts(world, policies, job.seed, clock=clock)
    times = len(jobs) / len(tried)
    return Expense(
        agent.label,
        len(jobs),
        round(counting.calls * times),
        round(counting.read * times / CHARACTERS_A_TOKEN),
        round(counting.written * times / CHARACTERS_A_TOKEN),
        None if counting.capped is None else round(counting.capped * times),
    )


class _Counting:
    """A stand-in that counts what it is asked and says."""

    def __init__(self) -> None:
        self._stand_in = StandIn(1.0)
        self.name, self.origin = self._stand_in.name, self._stand_in.origin
        self.calls = self.read = self.written = 0
        self.capped: int | None = 0

    async def complete(
        self, messages: Sequence[Message], settings: Settings, tools: Toolbox = NO_TOOLS
    ) -> Completion:
        answer = await self._stand_in.complete(messages, settings, tools)
        self.calls += 1
        self.read += sum(len(message.content) for message in messages)
        self.written += len(answer.text) + sum(map(len, map(written, answer.calls)))
        cap: Any = settings.max_tokens
        self.capped = None if self.capped is None or cap is None else self.capped + cap
        return answer

    async def aclose(self) -> None:
        """Nothing to let go of."""
