"""Learners whose skill grows by what they play, by a rule that is known."""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from random import Random
from typing import Protocol

from backburner.training.curriculum import Curriculum

NOISE = 0.1
"""Standard deviation of a return around the skill."""


class Learner(Protocol):
    """``skills``: what it reaches on each level, from 0 to 1."""

    @property
    def skills(self) -> list[float]: ...

    def learn(self, level: int) -> None:
        """It has played an episode of a level."""


class Gated:
    """A skill for each level. It grows by ``rate`` of what is lacking, times how far the skill of the level
    below is on its way from one half to 1."""

    def __init__(self, levels: int, rate: float) -> None:
        self.skills = [0.0] * levels
        self.rate = rate

    def learn(self, level: int) -> None:
        ready = 1.0 if level == 0 else max(0.0, 2 * self.skills[level - 1] - 1)
        self.skills[level] += self.rate * ready * (1 - self.skills[level])


class Able:
    """One ability; a level's skill is the logistic function of ability less 1.5 for each level below. It
    grows most where half is reached (Rasch, 1960)."""

    def __init__(self, levels: int, rate: float) -> None:
        self.ability = 0.0
        self.levels = levels
        self.rate = rate

    @property
    def skills(self) -> list[float]:
        return [1 / (1 + exp(1.5 * level - self.ability)) for level in range(self.levels)]

    def learn(self, level: int) -> None:
        skill = self.skills[level]
        self.ability += self.rate * 4 * skill * (1 - skill)


def episodes_until(
    reached: float, make: Callable[[], Learner], curriculum: Curriculum, seed: int, most: int = 100_000
) -> int:
    """After how many episodes the learner reaches so much on the hardest level."""
    learner, random = make(), Random(seed)
    for number in range(most):
        if learner.skills[-1] >= reached:
            return number
        level = curriculum.draw(seed, number).level
        value = min(1.0, max(0.0, learner.skills[level] + random.gauss(0, NOISE)))
        curriculum = curriculum.told(level, value)
        learner.learn(level)
    return most
