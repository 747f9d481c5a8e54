"""Simulated participants: what they think is drawn from a truth that is written down.

A rating of a construct is 3 on a scale of five, and the condition's effect, and the person's own leaning, and
noise; it is rounded to a point of the scale. So whoever analyses a rehearsal knows what should come out.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from msgspec import Struct

from backburner.study.design import Choice, Item, Likert, Number, Study
from backburner.study.entries import Answer
from backburner.study.participants import Participant
from backburner.study.stages import draw_of, items_at

EFFECT, PERSON_SD, NOISE_SD = 0.8, 0.5, 0.5
"""On a scale of five: half of the way from the first condition to the last one, where there is any; and the
spread of people and of their answers."""


class Truth(Struct, frozen=True):
    """What simulated participants go by.

    ``means``: construct to condition to the mean before ratings are rounded and cut to the scale, on a scale
    of five. ``differ``: the constructs in which conditions differ. ``person_sd``, ``noise_sd``: spreads on
    that scale.
    """

    means: dict[str, dict[str, float]]
    differ: tuple[str, ...]
    person_sd: float = PERSON_SD
    noise_sd: float = NOISE_SD


def truth_of(study: Study) -> Truth:
    """Every other construct, from the first on, differs between conditions: in equal steps in their order."""
    constructs = list(
        dict.fromkeys(item.construct for one in study.questionnaires for item in one.items if item.construct)
    )
    names = [condition.name for condition in study.conditions if not condition.practice]
    steps = max(1, len(names) - 1)
    means = {}
    for index, construct in enumerate(constructs):
        effect = EFFECT if index % 2 == 0 and len(names) > 1 else 0.0
        means[construct] = {name: 3 + effect * (2 * place / steps - 1) for place, name in enumerate(names)}
    return Truth(means, tuple(constructs[::2]) if len(names) > 1 else ())


class Persona:
    """One simulated participant, of a ``number`` from 1, on which all that is drawn depends."""

    def __init__(self, study: Study, truth: Truth, number: int) -> None:
        self.study, self.truth, self.number = study, truth, number
        self.id = f"pilot-{number}"
        self._draw = draw_of(study, "persona", number)
        self._leaning = {construct: self._draw.gauss(0, truth.person_sd) for construct in truth.means}

    def answers(self, one: Participant) -> dict[str, Answer]:
        """What they answer to the form at which they are."""
        placed = one.present_stage(self.study)
        if placed is None:
            return {}
        return {
            item.name: self._answer(item, placed.condition) for item in items_at(self.study, placed, one.id)
        }

    def _answer(self, item: Item, condition: str) -> Answer:
        if item.correct is not None:
            return (item.correct,) if isinstance(item, Choice) and item.several else item.correct
        match item:
            case Likert():
                return float(self._rating(item, condition))
            case Choice():
                chosen = self._draw.choice(item.options).value
                return (chosen,) if item.several else chosen
            case Number():
                low = 0 if item.lowest is None else item.lowest
                high = low + 50 if item.highest is None else item.highest
                return float(self._draw.randint(int(-(-low // 1)), int(high)))
            case _:
                return f"Pilot {self.number}"[: item.longest]

    def _rating(self, item: Likert, condition: str) -> int:
        mean = self.truth.means.get(item.construct or "", {}).get(condition, 3.0)
        of_five = (
            mean + self._leaning.get(item.construct or "", 0.0) + self._draw.gauss(0, self.truth.noise_sd)
        )
        rating = round(1 + (of_five - 1) / 4 * (item.points - 1))
        rating = min(item.points, max(1, rating))
        return item.points + 1 - rating if item.reversed else rating

    def choose(self, passes: Sequence[bool]) -> int:
        """Which of the options they take: one that does something, nine times out of ten."""
        active = [index for index, passing in enumerate(passes) if not passing]
        every = list(range(len(passes)))
        return self._draw.choice(active if active and self._draw.random() < 0.9 else every)

    @property
    def draw(self) -> random.Random:
        """Their own chance."""
        return self._draw
