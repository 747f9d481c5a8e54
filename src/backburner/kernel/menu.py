"""Menus: what a seat can decide now, listed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, Protocol, TypeGuard, TypeVar, runtime_checkable

from msgspec import Struct

from backburner.kernel.contract import World, subclasses
from backburner.kernel.errors import Refused
from backburner.kernel.shown import html_of
from backburner.kernel.values import Seat

D = TypeVar("D")
S_contra = TypeVar("S_contra", contravariant=True)

Names = str | tuple[str, ...]
"""The name of a thing, or the names of several of which any will do."""


class Option(Struct, Generic[D], frozen=True):
    """One decision on a menu.

    ``label``: the decision in words. ``passes``: it only lets time go by. ``waits``: it first lets
    everything under way end and begins nothing before, so that the time until then is given up.

    ``gloss``: what the label leaves unsaid, for people; prompts do not have it.

    ``body``: who acts, by the name that scenes use; empty if the seat has one body or it does not matter.
    ``verb``: what is done, one of the world's ``verbs``; empty for a decision of another kind. ``things``:
    what it is done with, one for each parameter of the verb, in their order.
    """

    decision: D
    label: str
    passes: bool = False
    waits: bool = False
    body: str = ""
    verb: str = ""
    things: tuple[Names, ...] = ()
    gloss: str = ""


class Menu(Struct, Generic[D], frozen=True):
    """Decisions that the world would accept from a seat now, in the world's order.

    Several seats may have to decide at the same time. Then each option is accepted if every other seat
    lets time go by (takes an option that ``passes``), as far as it has one.

    ``complete``: every decision that would be accepted is listed, apart from giving up. ``under_way``: the
    labels of the activities that run now and that the seat knows of.
    """

    options: tuple[Option[D], ...]
    complete: bool
    under_way: tuple[str, ...] = ()

    @property
    def passing(self) -> Option[D] | None:
        """The first option that passes; ``None`` if there is none."""
        return next((option for option in self.options if option.passes), None)


def inseparable(decisions: Sequence[Any]) -> Any:
    """The only decision of ``decisions``; raises ``Refused`` for several, or none."""
    if len(decisions) == 1:
        return decisions[0]
    raise Refused("the world does not say how decisions are joined into one")


@runtime_checkable
class Menus(Protocol[S_contra, D]):
    """The world can list decisions that it would accept."""

    @abstractmethod
    def menu(self, state: S_contra, seat: Seat) -> Menu[D]:
        """The menu of a seat that must decide now."""

    @property
    def verbs(self) -> Mapping[str, Sequence[str]]:
        """Every verb that options may have, with the names of its parameters."""
        return {}

    @property
    def wording(self) -> Mapping[str, str]:
        """How verbs are said to people, with their parameters in braces: ``{"fetch": "take {item} from
        {place}"}``. What is not here is said as its label; what is typed is always the label."""
        return {}

    def vocabulary(self, seat: Seat) -> Sequence[Option[D]]:
        """Every option that menus of the seat may ever have, in an order that never changes, so that each can
        have a place and a key of its own; empty where the world does not say."""
        return ()

    def together(self, decisions: Sequence[D]) -> D:
        """One decision of a seat, made of a decision for each of several of its bodies.

        Raises ``Refused`` where a seat decides for one body at a time.
        """
        joined: D = inseparable(decisions)
        return joined

    def _repr_html_(self) -> str | None:
        """The world as notebooks show it: see ``shown``."""
        return html_of(self)


def said(world: Menus[Any, D], option: Option[D]) -> str:
    """An option as people are told of it: in the world's wording, or by its label."""
    if (form := world.wording.get(option.verb)) is None:
        return option.label
    named = {
        param: _common(names) for param, names in zip(world.verbs[option.verb], option.things, strict=True)
    }
    return form.format(**named)


def _common(names: Names) -> str:
    """What a thing is called, or several of which any will do: by what their names have in common."""
    first, *others = (names,) if isinstance(names, str) else names
    common = first
    for other in others:
        while not other.startswith(common):
            common = common[:-1]
    return (common.rstrip("-_ ") or first).replace("_", " ")


def lists(world: World[Any, Any, Any]) -> TypeGuard[Menus[Any, Any]]:
    """Whether this world lists what can be decided; cheap enough to be asked at every turn."""
    return subclasses(type(world), Menus) or isinstance(world, Menus)


def listing(world: World[Any, Any, Any]) -> Menus[Any, Any]:
    """The world, which lists what can be decided; raises ``Refused`` for one that does not."""
    if not lists(world):
        raise Refused(f"{world.id}: this world cannot list its decisions")
    return world
