"""The articles' figures over recorded episodes: see ``figures_of``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from backburner.evaluation.figures.progress import one_of_each, progress
from backburner.evaluation.figures.values import Figure, drawn
from backburner.evaluation.scores import WorldScores
from backburner.worlds.collab_overcooked.metrics import figures as collab_overcooked
from backburner.worlds.recipe2plan.metrics import figures as recipe2plan
from backburner.worlds.robotouille.metrics import figures as robotouille
from backburner.worlds.timearena.metrics import figures as timearena

MAKERS: Mapping[str, Callable[[WorldScores], Iterable[Figure]]] = {
    "collab_overcooked": collab_overcooked.figures,
    "recipe2plan": recipe2plan.figures,
    "robotouille": robotouille.figures,
    "timearena": timearena.figures,
}
"""CuisineWorld's Figure 3 is part of its analyses, as curves."""

PROGRESS_CAPTION = (
    "The score over time, the first seed of each scenario, rule set and agent: the shape of Figure 5 of "
    "TimeArena's article."
)


def figures_of(world: WorldScores) -> list[Figure]:
    """What the world's article shows as plots, drawn from what was played; none for a world without."""
    make = MAKERS.get(world.world)
    return [] if make is None else list(make(world))


def all_figures(world: WorldScores) -> Iterator[Figure]:
    """These, the curves of its analyses, and the scores over time."""
    yield from figures_of(world)
    for section in world.sections:
        if section.curves:
            key = section.title.lower().replace(" ", "-")
            yield Figure(key, section.title, section.text, tuple(map(drawn, section.curves)))
    panels = tuple(progress(one_of_each([episode for episode, _ in world.measured])))
    if panels:
        yield Figure("progress", "Score over time", PROGRESS_CAPTION, panels)
