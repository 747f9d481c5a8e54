"""Whether the gap of busy play says what a scenario asks of players that know more: for docs/generation.md.

``python benchmarks/gaps_and_skill.py FOLDER``, of a build; a minute for 100 scenarios. Each player takes the
decision that stands first in the proven plan as often as its skill says, and else is busy: it never idles,
errs in what comes first alone, and knows more than ``busy`` does. No dial was measured by these seeds.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from scipy.stats import spearmanr

from backburner.agents.planned import plan_policy
from backburner.agents.scripted import BusyPolicy, decision_for_all
from backburner.generation.measure import GAP
from backburner.kernel import registry
from backburner.kernel.answers import Answered, answers_at
from backburner.kernel.generating import generator_of, regret
from backburner.kernel.menu import Option
from backburner.kernel.oracle import Solution
from backburner.kernel.play import play_now
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.replay import decisions_in, final_state
from backburner.kernel.values import digest

SKILLS = (0.3, 0.5, 0.7, 0.9)
SEEDS = range(200, 232)


class Erring(BusyPolicy):
    """Takes what comes first in the plan with probability ``skill``, and else draws as ``busy`` does."""

    def __init__(self, ranks: Mapping[str, int], skill: float) -> None:
        self._ranks, self._skill = ranks, skill

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """One option."""
        draw = random.Random(f"{self._skill}/{turn.scenario}/{turn.seed}/{turn.index}")

        def pick(options: Sequence[Option[Any]]) -> Option[Any]:
            active = self.among(options)
            if draw.random() < self._skill:
                return min(active, key=lambda option: self._ranks.get(str(option.decision), len(self._ranks)))
            return draw.choice(active)

        return Reply(decision_for_all(turn, pick))


def ranks(world: Any, answer: Answered) -> dict[str, int]:
    """When each decision of the proven plan is taken first."""
    best = Solution(
        world.id, "optimal", answer.best, answer.bound, answer.sense, answer.unit, "", plan=answer.plan
    )
    played = play_now(world, plan_policy(world, best))
    taken = [str(each) for entry in played.entries for each in decisions_in(world, entry).values()]
    return {decision: number for number, decision in reversed(list(enumerate(taken)))}


def main(folder: str) -> None:
    """Print for each skill the mean regret, and Spearman's rho of regret and the gap of busy play."""
    answers = answers_at(Path(folder))
    gaps: list[float] = []
    regrets: dict[float, list[float]] = {skill: [] for skill in SKILLS}
    for id in registry.expand(folder):
        world = registry.world(id)
        answer, generator = answers[digest(world.scenario)], generator_of(world.id.partition("/")[0])
        known = ranks(world, answer)
        gaps.append(answer.dials[f"{GAP}:busy"])
        for skill, own in regrets.items():
            players = dict.fromkeys(world.seats, Erring(known, skill))
            played = (play_now(world, players, seed) for seed in SEEDS)
            results = [generator.result(world, world.outcome(final_state(each, world))) for each in played]
            own.append(fmean(regret(result, answer.best, generator.sense) for result in results))
    print("| skill | mean regret | rho |\n|---|---|---|")
    for skill, own in regrets.items():
        print(f"| {skill:g} | {fmean(own):.3f} | {spearmanr(gaps, own)[0]:.2f} |")


if __name__ == "__main__":
    main(sys.argv[1])
