"""A world whose bodies are commanded, as far as it is the same whatever they cook.

Who plays, what each part of a game answers for, and a seat that instructs in words, where there is one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, TypeVar

from backburner.kernel.files import shipped
from backburner.kernel.menu import Menu, Menus
from backburner.kernel.schedule import Schedulable
from backburner.kernel.text import Examples, Text
from backburner.kernel.tools import BODY, Tool, Tools, verb_tools
from backburner.kernel.values import Event, Refusal, Seat
from backburner.kernel.view import Controls, View
from backburner.worlds.dispatch.instructor import Speaker, typed
from backburner.worlds.dispatch.seating import Seating

S = TypeVar("S")
D = TypeVar("D")
O = TypeVar("O")  # noqa: E741


class Begins(Protocol):
    """Rules, as far as they begin an episode."""

    def start(self, seed: int) -> Any: ...


class Lists(Protocol):
    """Lists what bodies can do: now, by verb, and ever."""

    @property
    def verbs(self) -> Mapping[str, Sequence[str]]: ...
    @property
    def wording(self) -> Mapping[str, str]: ...

    def menu(self, state: Any, bodies: Iterable[int]) -> Menu[Any]: ...
    def labels(self, bodies: Iterable[int]) -> Iterable[str]: ...


class Sees(Protocol):
    """What a seat perceives of a state."""

    def observe(self, state: Any, seat: Seat) -> Any: ...


class Reads(Protocol):
    """Reads an answer."""

    def read(self, text: str) -> Any: ...


class Dispatched(Menus[S, D], Text[S, D, O], Tools[O], Examples, View[S, D], Schedulable[D]):
    """The base of these worlds; what each method promises the contract and the capabilities say.

    A world sets its ``room``, the package that has its data, and the parts of its game: who plays which
    bodies, the rules, the menus, what is seen, what is read. ``instructor``: the seat that has words in place
    of bodies, where a scenario can have one; what it has said is the state's ``instruction``.
    """

    room: ClassVar[str]
    commands: ClassVar[Mapping[str, str]]
    """What bodies can be commanded to do, in words, by verb; each takes ``params`` beside the body."""
    params: ClassVar[Mapping[str, Sequence[str]]]
    things: ClassVar[Mapping[str, str]]
    """What the parameters are, in words."""
    instructor: ClassVar[Speaker[Any] | None] = None
    seating: Seating
    rulebook: Begins
    choices: Lists
    sight: Sees
    reader: Reads

    @property
    def seats(self) -> tuple[Seat, ...]:
        """One dispatcher, or whoever shares the bodies; first whoever instructs, if there is one."""
        return self.seating.seats

    def start(self, seed: int = 0) -> S:
        """Everybody where it begins, one order open; ``seed`` draws orders if the scenario does not."""
        state: S = self.rulebook.start(seed)
        return state

    def observe(self, state: S, seat: Seat) -> O:
        """What there is to see, and the orders that the seat knows of."""
        seen: O = self.sight.observe(state, seat)
        return seen

    def _speaker(self, seat: Seat) -> Speaker[Any] | None:
        """Who instructs, if this is its seat."""
        return self.instructor if self.instructor is not None and seat == self.instructor.seat else None

    def talks(self, seat: Seat) -> bool:
        """Whoever instructs does."""
        return self._speaker(seat) is not None

    def shortened(self, decision: Any, words: int) -> Any:
        """The words of whoever instructs; see ``Speaker.shortened``."""
        return decision if self.instructor is None else self.instructor.shortened(decision, words)

    def menu(self, state: Any, seat: Seat) -> Menu[D]:
        """What each of the seat's bodies can do, one action each; see ``legality``."""
        instructor = self.instructor
        if instructor is not None and seat == instructor.seat:
            return instructor.menu(state.instruction)
        return self.choices.menu(state, self.seating.bodies_of[seat])

    @property
    def verbs(self) -> Mapping[str, Sequence[str]]:
        """The verbs with their parameters."""
        return self.choices.verbs

    @property
    def wording(self) -> Mapping[str, str]:
        """How the verbs are said to people."""
        return self.choices.wording

    def together(self, decisions: Sequence[D]) -> D:
        """One action for each of several bodies; raises ``Refused`` for words among them."""
        joined: D = self.instructor.joined(decisions) if self.instructor else super().together(decisions)
        return joined

    def phrases(self, seat: Seat) -> Iterable[str]:
        """The actions for each body of the seat."""
        return self.choices.labels(self.seating.bodies_of.get(seat, ()))

    def parse(self, state: S, seat: Seat, answer: str) -> D | Refusal:
        """All actions in an answer, or the words of whoever instructs."""
        read: D | Refusal = (self._speaker(seat) or self.reader).read(answer)
        return read

    def tools(self, seat: Seat) -> Sequence[Tool]:
        """One for each command, or what whoever instructs can say; none for a seat that does neither."""
        if (speaker := self._speaker(seat)) is not None:
            return speaker.tools
        bodies = self._bodies(seat)
        return verb_tools(self.params, self.commands, bodies, self.things) if bodies else ()

    def _bodies(self, seat: Seat) -> tuple[str, ...]:
        return tuple(self._name(body) for body in self.seating.bodies_of.get(seat, ()))

    @abstractmethod
    def _name(self, body: int) -> str:
        """What a body is called."""

    def call_text(self, seat: Seat, name: str, arguments: Mapping[str, Any]) -> str:
        """A command, or the words of whoever instructs."""
        if (speaker := self._speaker(seat)) is not None:
            return speaker.call_text(name, arguments)
        own, given = self._bodies(seat), dict(arguments)
        return self.command(name, given.pop(BODY, own[0]), *given.values())

    @abstractmethod
    def command(self, verb: str, body: str, *things: str) -> str:
        """A command of one of ``commands`` as it is written."""

    @property
    def typing_help(self) -> str:
        """How whoever instructs types, where there is one."""
        return self.instructor.typing if self.instructor and self.instructor.seat in self.seats else ""

    def typed(self, line: str, seat: Seat = "") -> str:
        """What a line stands for; words of whoever instructs have short forms."""
        return typed(line) if self._speaker(seat) else line

    def is_told(self, seat: Seat) -> bool:
        """Recipes are told to everybody."""
        return True

    def known(self, seat: Seat, before: S, events: Sequence[Event], after: S) -> tuple[Event, ...]:
        """Everything: what bodies do can be seen, and what is said is said to all."""
        return tuple(events)

    @property
    def controls(self) -> Controls:
        """The keys and clicks that come with the world."""
        return shipped(self.room, "input", Controls)
