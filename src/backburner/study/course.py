"""The stages that one participant goes through, one after the other.

Up to the trials everybody's are the same. At the trials' own place partners are found and the order is drawn;
what follows it depends on them. So a course that is known in part keeps its positions when the rest is known.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from backburner.study.design import (
    ConsentStage,
    FormStage,
    Item,
    Likert,
    PlayStage,
    Study,
    TextStage,
    TrialsStage,
)
from backburner.study.entries import Assigned
from backburner.study.orders import Trial, draw_of, scenario_under, trials_of

AnyStage = TextStage | ConsentStage | FormStage | PlayStage | TrialsStage


class Stop(Struct, frozen=True):
    """A stage at its place in a course. ``trial``: the one that it belongs to; ``trials``: how many there
    are in all. ``condition``, ``scenario``, ``seed``: of a game."""

    position: int
    stage: AnyStage
    trial: Trial | None = None
    trials: int = 0
    condition: str = ""
    scenario: str = ""
    seed: int = 0

    @property
    def kind(self) -> str:
        """text, consent, form, play or trials."""
        return str(self.stage.__struct_config__.tag)


def course_of(study: Study, assigned: Assigned | None) -> tuple[Stop, ...]:
    """The stops of a participant; from the trials on only where partners and order are known."""
    if assigned is None:
        return _course(study, None, 0)
    return _course(study, assigned.row, assigned.number)


@lru_cache(maxsize=4096)
def _course(study: Study, row: int | None, number: int) -> tuple[Stop, ...]:
    stops: list[Stop] = []
    for stage in study.stages:
        if isinstance(stage, PlayStage):
            stops.append(_practice(study, stage, len(stops)))
            continue
        stops.append(Stop(len(stops), stage))
        if isinstance(stage, TrialsStage):
            if row is None:
                break
            trials = trials_of(study, row, number)
            for trial in trials:
                for each in stage.each:
                    of_game = (trial.condition, trial.scenario, trial.seed)
                    stops.append(Stop(len(stops), each, trial, len(trials), *of_game))
    return tuple(stops)


def _practice(study: Study, stage: PlayStage, position: int) -> Stop:
    condition = study.condition(stage.condition or "")
    scenario = scenario_under(stage.scenario or "", condition)
    seed = draw_of(study, "stage", stage.name).randrange(2**31)
    return Stop(position, stage, condition=condition.name, scenario=scenario, seed=seed)


def items_at(study: Study, stop: Stop, participant: str) -> tuple[Item, ...]:
    """The items of a form as this participant is shown them: those for the trial's condition; ratings in an
    order of their own where the questionnaire is shuffled."""
    if not isinstance(stop.stage, FormStage):
        return ()
    form = study.questionnaire(stop.stage.questionnaire)
    items = [item for item in form.items if not item.conditions or stop.condition in item.conditions]
    if form.shuffled:
        ratings = [item for item in items if isinstance(item, Likert)]
        draw_of(study, "items", participant, stop.position).shuffle(ratings)
        mixed = iter(ratings)
        items = [next(mixed) if isinstance(item, Likert) else item for item in items]
    return tuple(items)
