"""Foretold changes against what changed: for methods that say what follows from each decision.

What a seat predicted of a step stands in its record as a thought (``prediction``), on lines with ``+`` (new)
or ``-`` (gone). It is compared, line by line, with what changed in the seat's description of the world:
``+ the kettle is on`` is right if that line is new after the step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from backburner.agents.models.examples import changes_between, plain
from backburner.agents.models.methods.io import PREDICTION
from backburner.kernel.episode import Answer, Episode
from backburner.kernel.replay import trajectory, world_of
from backburner.kernel.scoring import Measured, Section, by_agent
from backburner.kernel.text import Text


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
    found = Predictions()
    if not any(_predictions(answer) for entry in episode.entries for answer in entry.answers.values()):
        return found
    world = world_of(episode)
    if not isinstance(world, Text):
        return found
    for state, entry, step in trajectory(episode, world):
        for seat, answer in entry.answers.items():
            for said in _predictions(answer):
                found += compared(said, changes_between(world, state, step.state, seat))
    return found


def compared(said: str, came: Sequence[str]) -> Predictions:
    """What was predicted of one step, beside what changed in it. A line counts as often as it is written."""
    predicted, real = Counter(map(_key, said.splitlines())), Counter(map(_key, came))
    del predicted[""]
    return Predictions(1, predicted.total(), real.total(), (predicted & real).total())


def _key(change: str) -> str:
    sign, line = change.strip()[:1], plain(change.strip()[1:])
    return f"{sign} {line}" if line else ""


def _predictions(answer: Answer) -> list[str]:
    return [thought.text for thought in answer.thoughts if thought.purpose == PREDICTION]


def prediction_sections(rows: Sequence[Measured]) -> Iterator[Section]:
    """One table with a line for each agent that predicted anything; none if no agent did."""
    table = []
    for agent, mine in by_agent(rows):
        found = sum((predictions_in(episode) for episode, _ in mine), Predictions())
        if found.steps:
            rates = (found.precision, found.recall, found.f1)
            table.append((agent, len(mine), found.steps, *map(_percent, rates)))
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
