"""Views: how a state looks, what a long step passes through, and the keys and clicks of the world.

Scenes hold no fonts, colours or pixels; ``drawing/scene`` draws any of them. Cells are (column, row),
counted from 0 at the upper left corner.

A key, or a mouse button on a thing, stands for an action (article of Robotouille, Figure 10). The first
action of the file that is possible there is taken, so several may share a key.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeGuard, TypeVar, runtime_checkable

from msgspec import Struct

from backburner.kernel.contract import World, subclasses
from backburner.kernel.errors import BadFile, UnknownName
from backburner.kernel.files import read_json
from backburner.kernel.reported import Ground
from backburner.kernel.shown import Shown
from backburner.kernel.values import Event, Refusal, Seat

# --- scenes ---------------------------------------------------------------------------------------------

Cell = tuple[int, int]

WALL = "wall"
"""The kind of places at which nothing can be done and nobody can stand."""


class Progress(Struct, frozen=True, omit_defaults=True):
    """``label`` is under way and has come to ``done`` of ``full``. ``paused``: it does not go on now.
    ``runs_out``: it is the time that is left to do something."""

    label: str
    done: int
    full: int
    paused: bool = False
    runs_out: bool = False


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


class Scene(Shown, Struct, frozen=True, omit_defaults=True):
    """A grid of ``width`` by ``height`` cells with at most one place on each.

    ``beside``: things that are nowhere on the grid. ``caption``: a line about the whole, such as the
    goal. ``corner``: the world's own cell at the upper left; scenes of one episode may show more or less of
    it. ``ground``: what the world stands on, where somebody has seen it, in the world's own cells.
    ``cards``: nobody walks about, and cells only set things in order; pages draw each place as a card.
    """

    width: int
    height: int
    places: tuple[Place, ...] = ()
    bodies: tuple[Body, ...] = ()
    beside: tuple[Thing, ...] = ()
    caption: str = ""
    corner: Cell = (0, 0)
    ground: Ground | None = None
    cards: bool = False

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


# --- keys and clicks ------------------------------------------------------------------------------------


class Click(Struct, frozen=True, forbid_unknown_fields=True):
    """A mouse button on the thing that an action's parameter stands for."""

    click_on: str
    button: str = "left"


class Key(Struct, frozen=True, forbid_unknown_fields=True):
    """A key, pressed by somebody who is at the thing that the parameter ``at`` stands for, or anywhere."""

    key: str
    at: str | None = None


class ClickAction(Struct, frozen=True, forbid_unknown_fields=True):
    """An action and the click that asks for it."""

    name: str
    input_instructions: Click

    @property
    def param(self) -> str | None:
        """The parameter that is named."""
        return self.input_instructions.click_on


class KeyAction(Struct, frozen=True, forbid_unknown_fields=True):
    """An action and the key that asks for it."""

    name: str
    input_instructions: Key

    @property
    def param(self) -> str | None:
        """The parameter that is named, if any."""
        return self.input_instructions.at


class Controls(Struct, frozen=True, forbid_unknown_fields=True):
    """All keys and clicks, in the order in which they are tried."""

    mouse_click_actions: tuple[ClickAction, ...] = ()
    keyboard_actions: tuple[KeyAction, ...] = ()

    def entries(self) -> Iterator[tuple[str, ClickAction | KeyAction]]:
        """Each with its place in the file, such as ``keyboard_actions[0]``."""
        for index, click in enumerate(self.mouse_click_actions):
            yield f"mouse_click_actions[{index}]", click
        for index, key in enumerate(self.keyboard_actions):
            yield f"keyboard_actions[{index}]", key

    def known(self, verbs: Mapping[str, Sequence[str]]) -> Controls:
        """Those whose actions and parameters are among ``verbs``."""

        def fits(action: ClickAction | KeyAction) -> bool:
            return action.name in verbs and action.param in (None, *verbs[action.name])

        return Controls(
            tuple(action for action in self.mouse_click_actions if fits(action)),
            tuple(action for action in self.keyboard_actions if fits(action)),
        )


def read_controls(file: Path, verbs: Mapping[str, Sequence[str]]) -> Controls:
    """The keys and clicks in a file, for the actions ``verbs`` (name to parameters).

    Raises ``BadFile`` naming entry and field for what is no such file, or names no such action.
    """
    controls: Controls = read_json(file, Controls, "a file of keys and clicks")
    for where, entry in controls.entries():
        if entry.name not in verbs:
            raise BadFile(file, f"{where}, field 'name'", str(UnknownName("action", entry.name, verbs)))
        if entry.param is not None and entry.param not in verbs[entry.name]:
            why = str(UnknownName("parameter", entry.param, verbs[entry.name], f"action {entry.name!r}"))
            raise BadFile(file, f"{where} {entry.name!r}, field 'input_instructions'", why)
    return controls


# --- the capability -------------------------------------------------------------------------------------

S = TypeVar("S")
D_contra = TypeVar("D_contra", contravariant=True)


@runtime_checkable
class View(Protocol[S, D_contra]):
    """The world can be looked at, and perhaps played with keys and clicks."""

    @abstractmethod
    def scene(self, state: S, seat: Seat | None = None) -> Scene:
        """What stands where. An onlooker (``None``) sees everything, a seat what it may know."""

    def between(
        self, state: S, decisions: Mapping[Seat, D_contra | Refusal]
    ) -> Sequence[tuple[int | float, S]]:
        """(time, state) for each moment within ``step(state, decisions)`` that is worth looking at.

        In order of time, after ``state`` and before the step's end. They are for looking only: nobody is
        asked in them.
        """
        return ()

    def known(self, seat: Seat, before: S, events: Sequence[Event], after: S) -> Sequence[Event]:
        """Those of a step's events that a seat may know, in their order.

        By default a seat that is alone knows all of them, and one of several what concerns nobody in
        particular or itself, by its name.
        """
        return own_events(self, seat, events)

    @property
    def controls(self) -> Controls:
        """The keys and clicks that come with the world, for the verbs of its menus; none by default."""
        return Controls()


def draws(world: World[Any, Any, Any]) -> TypeGuard[View[Any, Any]]:
    """Whether this world can be drawn; cheap enough to be asked at every tick."""
    return subclasses(type(world), View) or isinstance(world, View)


def own_events(world: Any, seat: Seat, events: Sequence[Event]) -> tuple[Event, ...]:
    """What a seat may know of a step's events where the world does not say: see ``View.known``."""
    alone = tuple(world.seats) == (seat,)
    return tuple(event for event in events if alone or event.lane in ("", seat))


def events_known(
    world: Any, seat: Seat | None, before: Any, events: Sequence[Event], after: Any
) -> tuple[Event, ...]:
    """Those of a step's events that a seat of any world may know; an onlooker (``None``) knows all."""
    if seat is None:
        return tuple(events)
    if draws(world):
        return tuple(world.known(seat, before, events, after))
    return own_events(world, seat, events)
