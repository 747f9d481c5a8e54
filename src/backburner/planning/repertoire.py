"""Which deeds a search looks at: all that there are, or only such as plans are made of.

A search in a small repertoire takes a fraction of the time. What it finds is a plan like any other; that it
finds none, or none shorter, says nothing of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from backburner.planning.grounding import mover_types
from backburner.worlds.robotouille.game.actions import GroundAction
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.layout import Layout
from backburner.worlds.robotouille.game.schema import PLAYER
from backburner.worlds.robotouille.game.state import Kitchen

Kind = tuple[str, ...]
"""An action and what takes part in it. Things that are made in play go by their kind."""


class Repertoire:
    """Every deed. ``complete``: whether it is; ``any_robot``: whether one robot has what another has."""

    complete = True
    any_robot = True

    def has(self, layout: Layout, deed: GroundAction) -> bool:
        """Whether the search looks at it."""
        return True


class PlanRepertoire(Repertoire):
    """Deeds like those of a plan; with ``any_robot`` others may do them, too.

    Where nothing but a robot and places takes part, as in going somewhere, all places will do that the plan
    names for that robot, or where it is in the beginning. Raises ``KeyError`` for a deed that there is not.
    """

    complete = False

    def __init__(
        self, engine: Compiled, start: Kitchen, plan: Sequence[Sequence[str]], any_robot: bool
    ) -> None:
        """``plan``: for each step the names of its deeds."""
        self.any_robot = any_robot
        self._movers = mover_types(engine)
        self._n_given = len(engine.layout(start).objects)
        self._kinds: set[Kind] = set()
        self._places: dict[int, set[int]] = {robot: set() for robot in engine.robots}
        for robot in engine.robots:
            about = start.facts & engine.layout(start).about[robot]
            for _, args in engine.layout(start).true_atoms(about):
                self._take_in((robot,), engine.layout(start), args)
        kitchen = start
        for names in plan:
            layout = engine.layout(kitchen)
            deeds = []
            for name in filter(None, names):
                deed = engine.find(layout, name)
                if deed is None:
                    raise KeyError(name)
                deeds.append(deed)
                self._kinds.add(self._kind(layout, deed))
                self._take_in(deed.robots, layout, deed.args)
            kitchen = engine.step(kitchen, deeds)

    def has(self, layout: Layout, deed: GroundAction) -> bool:
        """Whether it is like one of the plan."""
        places = self._stays(layout, deed.args)
        if len(places) + len(deed.robots) == len(deed.args):
            return all(self._places[robot].issuperset(places) for robot in deed.robots)
        return self._kind(layout, deed) in self._kinds

    def _kind(self, layout: Layout, deed: GroundAction) -> Kind:
        things = (arg for arg in deed.args if not (self.any_robot and arg in deed.robots))
        named = (
            layout.objects[one].name if one < self._n_given else f"a {layout.objects[one].kind}"
            for one in things
        )
        return (deed.action, *named)

    def _stays(self, layout: Layout, args: Iterable[int]) -> list[int]:
        """Those of the arguments that stay where they are."""
        types = {*self._movers, PLAYER}
        return [arg for arg in args if layout.objects[arg].type not in types]

    def _take_in(self, robots: Iterable[int], layout: Layout, args: Iterable[int]) -> None:
        for robot in self._places if self.any_robot else robots:
            self._places[robot].update(self._stays(layout, args))
