"""Policies: who answers when a seat is asked.

A policy is a value. What it remembers within an episode it is handed back at every turn, so one
policy object plays any number of episodes at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, reduce
from operator import add
from typing import Any, Protocol

from msgspec import Struct, field

from backburner.kernel.errors import Refused
from backburner.kernel.menu import Menu, inseparable
from backburner.kernel.scene import Scene
from backburner.kernel.values import Refusal, Seat


class Usage(Struct, frozen=True, omit_defaults=True):
    """What answers cost; no comparison of episodes looks at it. Tokens as the provider counts.

    ``endings`` counts the calls to a model whose answer did not end of itself, by how it did:
    ``length``, ``empty``, ``tool_calls``, ``refusal`` ...
    """

    seconds: float = 0.0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    endings: dict[str, int] = field(default_factory=dict)

    def __add__(self, other: Usage) -> Usage:
        """What both cost together."""
        return Usage(
            self.seconds + other.seconds,
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            dict(Counter(self.endings) + Counter(other.endings)),
        )


def total(costs: Iterable[Usage]) -> Usage:
    """What several answers cost together."""
    return reduce(add, costs, Usage())


class Thought(Struct, frozen=True):
    """Text that a policy wrote on the way to its answer; ``purpose`` names the step of its method."""

    purpose: str
    text: str


REASON = "reason"
"""The purpose of a thought that says why its decision was taken."""

PLAN, REFORMATTED, CRITIQUE = "plan", "reformatted", "critique"
"""Purposes of thoughts about rounds of whole plans, each with the round's number behind it (``plan 1``):
what was proposed, the same in a form that can be read where it could not be, and what critics said of it.
Round 0 is a plan to start from."""


class Reply(Struct, frozen=True):
    """A policy's answer: a decision or a text to be parsed, and what to remember for the next turn."""

    answer: Any
    memory: Any = None
    thoughts: tuple[Thought, ...] = ()
    usage: Usage | None = None


def withheld() -> Any:
    """The state for a policy that is not informed. Raises ``Refused``."""
    raise Refused("only a policy that says that it is informed may look at the world's state")


class Turn:
    """What one seat is given when it must decide.

    ``index`` counts the decision points of the episode from 0; ``seed`` is the episode's seed, for
    policies that draw. Text, menu and what a person at a screen needs are made only when they are
    looked at. ``refused``: what was refused of the seat's last decision.
    """

    def __init__(
        self,
        seat: Seat,
        index: int,
        seed: int,
        observe: Callable[[], Any],
        text: Callable[[], str],
        briefing: Callable[[], str],
        menu: Callable[[], Menu[Any]],
        scene: Callable[[], Scene | None] = lambda: None,
        state: Callable[[], Any] = withheld,
        together: Callable[[Sequence[Any]], Any] = inseparable,
        refused: tuple[Refusal, ...] = (),
    ) -> None:
        self.seat = seat
        self.index = index
        self.seed = seed
        self.refused = refused
        self._observe, self._text, self._briefing, self._menu = observe, text, briefing, menu
        self._scene, self._state, self._together = scene, state, together

    @cached_property
    def observation(self) -> Any:
        """What the seat perceives, as a value."""
        return self._observe()

    @cached_property
    def text(self) -> str:
        """The same in words. Raises ``Refused`` if the world has no words."""
        return self._text()

    @cached_property
    def briefing(self) -> str:
        """What the seat was told before play. Raises ``Refused`` if the world has no words."""
        return self._briefing()

    @cached_property
    def menu(self) -> Menu[Any]:
        """The decisions that would be accepted. Raises ``Refused`` if the world cannot list them."""
        return self._menu()

    @cached_property
    def scene(self) -> Scene | None:
        """What the seat perceives, to be drawn; ``None`` if the world cannot be."""
        return self._scene()

    def together(self, decisions: Sequence[Any]) -> Any:
        """One decision made of options of the menu for several bodies. Raises ``Refused`` if the world
        knows no such."""
        return self._together(decisions)

    @property
    def state(self) -> Any:
        """The world's present state, for policies that are ``informed``; ``Refused`` for any other."""
        return self._state()


class Policy(Protocol):
    """Answers for one seat."""

    @property
    def name(self) -> str:
        """The name it goes by in records and reports."""

    @property
    def informed(self) -> bool:
        """Whether it knows more than its seat may know, as an oracle does."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """What else makes it what it is (model, temperature ...), for the record; never a key."""

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The answer. ``memory`` is ``None`` at the first turn.

        Raises ``PolicyFailure`` if it cannot answer, ``PolicyStops`` if it wants to end the episode, and
        nothing else.
        """
