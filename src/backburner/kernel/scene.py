"""A moment of an episode as a picture needs it: what stands where, who is there, what is under way.

Scenes hold no fonts, colours or pixels; ``drawing/scene`` draws any of them. Cells are (column, row),
counted from 0 at the upper left corner.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

Cell = tuple[int, int]


class Progress(Struct, frozen=True, omit_defaults=True):
    """``label`` is under way and has come to ``done`` of ``full``. ``paused``: it does not go on now."""

    label: str
    done: int
    full: int
    paused: bool = False


class Thing(Struct, frozen=True, omit_defaults=True):
    """Something that can be somewhere, with what is ``inside`` it.

    ``marks`` say what has become of it (``cut``), ``traits`` what never changes (``cuttable``).
    """

    name: str
    kind: str
    marks: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    progress: tuple[Progress, ...] = ()
    inside: tuple[Thing, ...] = ()

    def walk(self) -> Iterator[Thing]:
        """This thing and all that is inside it."""
        yield self
        for thing in self.inside:
            yield from thing.walk()


class Place(Struct, frozen=True, omit_defaults=True):
    """What stands on a cell, such as a stove. ``stack``: what lies on it, the lowest thing first."""

    name: str
    kind: str
    at: Cell
    marks: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    stack: tuple[Thing, ...] = ()
    progress: tuple[Progress, ...] = ()


class Body(Struct, frozen=True, omit_defaults=True):
    """Somebody who acts. ``at`` is ``None`` if it has no cell to stand on; a cell may be shared.

    ``facing``: the way it looks, as a step (column, row); (0, 0) is nowhere in particular. ``place``:
    the name of the place that it is at. ``says``: words it says at this moment.
    """

    name: str
    kind: str
    at: Cell | None
    facing: tuple[int, int] = (0, 0)
    place: str = ""
    holding: tuple[Thing, ...] = ()
    marks: tuple[str, ...] = ()
    progress: tuple[Progress, ...] = ()
    says: str = ""


class Scene(Struct, frozen=True, omit_defaults=True):
    """A grid of ``width`` by ``height`` cells with at most one place on each.

    ``beside``: things that are nowhere on the grid. ``caption``: a line about the whole, such as the
    goal.
    """

    width: int
    height: int
    places: tuple[Place, ...] = ()
    bodies: tuple[Body, ...] = ()
    beside: tuple[Thing, ...] = ()
    caption: str = ""

    def things(self) -> Iterator[Thing]:
        """Every thing, wherever it is."""
        holders: Iterable[tuple[Thing, ...]] = (
            *(place.stack for place in self.places),
            *(body.holding for body in self.bodies),
            self.beside,
        )
        for things in holders:
            for thing in things:
                yield from thing.walk()


class Shot(Struct, frozen=True):
    """A scene and when it is. ``step``: the index of the recorded step that led there; -1: none yet."""

    scene: Scene
    time: int | float
    step: int
