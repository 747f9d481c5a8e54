"""A curriculum: which scenario to play next, so that a learner plays where it learns.

    curriculum = curriculum_of(("scenarios/easy", "scenarios/middle", "scenarios/hard"))
    for number in range(episodes):
        task = curriculum.draw(seed, number)
        curriculum = curriculum.told(task.level, play(task.scenario))

A *level* is a set of scenarios: a folder, a suite, ids. Of each level two means of what came back are kept,
one that follows the last ten or so episodes and one that follows the last fifty; where they differ something
is learnt, or forgotten, and there most is played.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from msgspec import Struct, json
from msgspec.structs import replace

from backburner.kernel import packs, registry
from backburner.kernel.answers import STANDARD, answers_at
from backburner.kernel.errors import BadFile, Refused, UnknownName
from backburner.kernel.files import read_json, write_whole
from backburner.kernel.generating import attained, generator_of
from backburner.kernel.values import Outcome, digest

FAST, SLOW = 0.1, 0.02
"""Rates of the two means: what the latest return counts in them."""

LEAST_RETURNS = 10
"""Before every level has so many returns, all are drawn alike."""

EVERYWHERE = 0.1
"""The share of episodes that goes to all levels alike, whatever is learnt there."""

PASSED = 0.8
"""The mean return at which the ladder goes on to the next level."""

Order = Literal["progress", "uniform", "ladder"]


class Level(Struct, frozen=True, forbid_unknown_fields=True):
    """Scenarios that are as hard as each other, by their ids, and two means of what came back of them.

    In a mean a return has the weight rate * (1 - rate)^k after k more of them, and all weights are scaled to
    1; so ``fast`` and ``slow`` begin as the plain mean.
    """

    name: str
    scenarios: tuple[str, ...]
    returns: int = 0
    fast: float = 0.0
    slow: float = 0.0

    def told(self, value: float) -> Level:
        """With one return more."""
        returns = self.returns + 1
        fast, slow = (
            mean + rate / (1 - (1 - rate) ** returns) * (value - mean)
            for mean, rate in ((self.fast, FAST), (self.slow, SLOW))
        )
        return replace(self, returns=returns, fast=fast, slow=slow)


class Task(NamedTuple):
    """A scenario to play, and the number of its level."""

    level: int
    scenario: str


class Curriculum(Struct, frozen=True, forbid_unknown_fields=True):
    """Levels, from the easiest to the hardest, and how they are drawn. A value: ``told`` gives another.

    ``order``: ``progress``, each level by how far its means are apart, and a tenth of all draws uniformly;
    ``uniform``, all alike; ``ladder``, the first level whose mean is below 80 %, the last at the end.
    """

    levels: tuple[Level, ...]
    order: Order = "progress"

    @property
    def shares(self) -> tuple[float, ...]:
        """The probability of each level."""
        count = len(self.levels)
        if self.order == "ladder":
            here = next((i for i, level in enumerate(self.levels) if not _is_passed(level)), count - 1)
            return tuple(float(i == here) for i in range(count))
        progress = [abs(level.fast - level.slow) for level in self.levels]
        counts = all(level.returns >= LEAST_RETURNS for level in self.levels)
        if self.order == "uniform" or not counts or not sum(progress):
            return (1 / count,) * count
        return tuple(EVERYWHERE / count + (1 - EVERYWHERE) * each / sum(progress) for each in progress)

    @property
    def weights(self) -> dict[str, float]:
        """The probability of each scenario, for data sets that are drawn with weights; one that is in several
        levels has the sum."""
        weights: dict[str, float] = {}
        for level, share in zip(self.levels, self.shares, strict=True):
            for scenario in level.scenarios:
                weights[scenario] = weights.get(scenario, 0.0) + share / len(level.scenarios)
        return weights

    def draw(self, seed: int, n: int) -> Task:
        """What is played as number ``n``: the same by the same seed, number and returns."""
        ends = list(accumulate(self.shares))
        level = min(bisect_right(ends, _drawn(seed, n, "level") * ends[-1]), len(ends) - 1)
        scenarios = self.levels[level].scenarios
        return Task(level, scenarios[int(_drawn(seed, n, "scenario") * len(scenarios))])

    def told(self, level: int, value: float) -> Curriculum:
        """With what an episode of a level came to, from 0 to 1: the share of the best (``attained``)."""
        levels = list(self.levels)
        levels[level] = levels[level].told(value)
        return replace(self, levels=tuple(levels))


def curriculum_of(names: Iterable[str], order: Order = "progress") -> Curriculum:
    """A curriculum with a level for each name: a folder, a suite, an id, a scenario file.

    Raises ``UnknownName`` for an order that there is not, ``Refused`` without levels, and what ``expand``
    raises.
    """
    if order not in get_args(Order):
        raise UnknownName("order", order, get_args(Order))
    levels = tuple(Level(name, tuple(registry.expand(name))) for name in names)
    if not levels:
        raise Refused("a curriculum has one level at least")
    return Curriculum(levels, order)


def read_curriculum(file: Path) -> Curriculum:
    """The curriculum of a file, as it was written; raises ``BadFile``."""
    found: Curriculum = read_json(file, Curriculum, "a curriculum")
    if not found.levels or not all(level.scenarios for level in found.levels):
        raise BadFile(file, "field 'levels'", "there is one level at least, and none is without scenarios")
    return found


def write_curriculum(file: Path, curriculum: Curriculum) -> None:
    """Write a curriculum with all that it was told, whole or not at all."""
    write_whole(file, json.encode(curriculum))


Returned = Callable[[str, Mapping[str, float]], float]
"""What an episode has come to, from 0 to 1, by the scenario and the numbers of the world's outcome."""


def attained_in(scenario: str, numbers: Mapping[str, float]) -> float:
    """The share of the best that an episode has (``generating.attained``), of scenarios that were built: the
    best stands in the answers beside them. Of others the share of the required work that was done, or of the
    orders that came.

    Raises ``Refused`` for a world without a generator, which does not tell the one nor the other.
    """
    world = registry.world(scenario)
    generator = generator_of(packs.pack_of(world).name)
    result = generator.result(world, Outcome("ended", "", dict(numbers)))
    answer = answers_at(Path(scenario)).get(digest(world.scenario))
    if answer is None or not answer.is_about(STANDARD):
        return result.share
    return attained(result, answer.best, generator.sense)


def _drawn(seed: int, n: int, what: str) -> float:
    """A number from 0 to 1, without 1."""
    drawn = blake2b(f"{seed} {n} {what}".encode(), digest_size=8, person=b"bb curriculum").digest()
    return (int.from_bytes(drawn, "big") >> 11) / 2**53


def _is_passed(level: Level) -> bool:
    return level.returns >= LEAST_RETURNS and level.fast >= PASSED
