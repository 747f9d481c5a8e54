"""Encodings: a world's states and decisions as numbers of fixed shape.

A learner chooses one *code* for each *body* that it decides for. A code is the number of an action; the
list of actions is the same for all bodies and states of a world, and a *mask* says which codes are on the
menu now. What a body sees are its *features*, numbers of fixed count and order.

An encoding is a part of a world's pack (``Pack.encoding``): a function of a world that gives its
``Encoding``, and raises ``Refused`` for a scenario that has no numbers of fixed shape.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from backburner.kernel import packs
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused
from backburner.kernel.values import Refusal, Seat, Step

S_contra = TypeVar("S_contra", contravariant=True)
D_co = TypeVar("D_co", covariant=True)


class Reward(Protocol[S_contra]):
    """A reward, folded over the states and events of one episode."""

    @abstractmethod
    def begin(self, state: S_contra) -> None:
        """An episode begins in this state."""

    @abstractmethod
    def add(self, before: S_contra, step: Step[Any]) -> float:
        """What a step is worth that led from ``before`` to ``step.state``."""

    def owed(self, state: S_contra) -> float:
        """What was paid for hopes that this state still leaves: to be given back where an episode ends here
        without the world's saying so."""
        return 0.0


class Encoding(Protocol[S_contra, D_co]):
    """The numbers of one world.

    Code 0 lets time pass or does nothing. The mask of a body whose seat is not asked now has code 0 alone.
    """

    @property
    @abstractmethod
    def bodies(self) -> Mapping[Seat, tuple[str, ...]]:
        """Each seat's bodies by name, in the order of codes, masks and features. All bodies, seat by seat,
        are the bodies of a batch."""

    @property
    @abstractmethod
    def actions(self) -> tuple[str, ...]:
        """What each code stands for, such as ``goto blender0``; no two are alike."""

    @property
    @abstractmethod
    def feature_names(self) -> tuple[str, ...]:
        """What each feature of a body tells; no two are alike."""

    @abstractmethod
    def mask(self, state: S_contra, seat: Seat) -> Sequence[Sequence[bool]]:
        """For each body of the seat and each code: whether it is on the menu, so that the world accepts it
        while all other bodies let time pass. Every body has at least one such code. A code that is not may be
        accepted too, where no menu offers what it stands for, such as to go where one is."""

    @abstractmethod
    def decision(self, state: S_contra, seat: Seat, codes: Sequence[int]) -> D_co | Refusal:
        """What the seat decides with one code for each of its bodies: any codes, whether they are in the
        mask or not; what the world does not accept it refuses."""

    @abstractmethod
    def features(self, state: S_contra, seat: Seat) -> Sequence[Sequence[float]]:
        """What each body of the seat sees, of what the seat may know; numbers between -1 and 1."""

    @abstractmethod
    def score(self, state: S_contra) -> float:
        """How well play has gone so far; more is better. It starts at 0."""

    def potential(self, state: S_contra) -> float:
        """A cheap bound on what the score may still rise by; 0 once the episode is over."""
        return 0.0

    def rise(self, state: S_contra, finish: int | None) -> float:
        """By how much the score still rises if everything is done at ``finish``, in the world's time, or
        never (``None``); 0 once the episode is over.

        Raises ``Refused`` where the score is another matter.
        """
        raise Refused("the score of this world does not follow from when everything is done")

    @property
    def own_rewards(self) -> Mapping[str, Callable[[], Reward[Any]]]:
        """The article's shaped rewards, by name."""
        return {}


def encoding_of(world: World[Any, Any, Any]) -> Encoding[Any, Any]:
    """The encoding of a world; raises ``Refused`` if its pack has none or its scenario cannot be encoded."""
    pack = packs.pack_of(world)
    if not pack.encoding:
        raise Refused(f"{world.id}: this world has no encoding in numbers")
    make: Callable[[Any], Encoding[Any, Any]] = packs.part(pack.name, pack.encoding)
    return make(world)
