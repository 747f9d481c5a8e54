"""Policies: who answers when a seat is asked.

A policy is a value. What it remembers within an episode it is handed back at every turn, so one
policy object plays any number of episodes at once.

The policies at the end were worked out before play: a plan, or an order of preference. The worlds' own
agents are made of them, and so is whoever plays what an oracle has found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from backburner.kernel.clock import Generated, TurnClock
from backburner.kernel.contract import World
from backburner.kernel.errors import PolicyFailure, Refused
from backburner.kernel.menu import Menu, inseparable
from backburner.kernel.text import Glance
from backburner.kernel.values import Refusal, Seat, Thought, Usage, digest
from backburner.kernel.view import Scene

REASON = "reason"
"""The purpose of a thought that says why its decision was taken."""

PLAN, REFORMATTED, CRITIQUE = "plan", "reformatted", "critique"
"""Purposes of thoughts about rounds of whole plans, each with the round's number behind it (``plan 1``):
what was proposed, the same in a form that can be read where it could not be, and what critics said of it.
Round 0 is a plan to start from."""


class Reply(Struct, frozen=True):
    """A policy's answer: a decision or a text to be parsed, and what to remember for the next turn.

    ``usage``: what all its calls cost. ``calls``: each of them, in order, for a clock. ``beside``: what was
    spent besides, and takes no time.
    """

    answer: Any
    memory: Any = None
    thoughts: tuple[Thought, ...] = ()
    usage: Usage | None = None
    calls: tuple[Generated, ...] = ()
    beside: Usage | None = None


def withheld() -> Any:
    """The state for a policy that is not informed. Raises ``Refused``."""
    raise Refused("only a policy that says that it is informed may look at the world's state")


class Trial(Struct, frozen=True):
    """What would come of an answer, if everybody else let time go by.

    ``refused``: whether anything in it would be. ``why``: what its seat would be told of that.
    ``gives_up``: whether it ends the play before the goal is reached. ``wanting``: what would have to be so
    first, if the world says it.
    """

    refused: bool
    why: str = ""
    gives_up: bool = False
    wanting: tuple[str, ...] = ()


class Turn:
    """What one seat is given when it must decide.

    ``index`` counts the decision points of the episode from 0. ``seed`` is the episode's seed and
    ``scenario`` the id of what is played, for policies that draw: whoever draws by the seed alone is lucky,
    or not, in all scenarios together. Text, menu and what a person at a screen needs are made only when they
    are looked at. ``refused``: what was refused of the seat's last decision. ``clock``: where thinking takes
    time, what the seat may know of it; text and briefing tell it.
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
        refuses: Callable[[str], bool] = lambda answer: False,
        glance: Callable[[], Glance] = Glance,
        trial: Callable[[Any], Trial] = lambda answer: Trial(refused=False),
        scenario: str = "",
        clock: TurnClock | None = None,
        time: Callable[[], int | float | None] = lambda: None,
    ) -> None:
        self.seat = seat
        self.index = index
        self.seed = seed
        self.scenario = scenario
        self.clock = clock
        self.refused = refused
        self._observe, self._text, self._briefing, self._menu = observe, text, briefing, menu
        self._scene, self._state, self._together = scene, state, together
        self._refuses, self._glance, self._trial = refuses, glance, trial
        self._time = time

    @property
    def time(self) -> int | float | None:
        """The time in the world's unit, as every seat is told it; ``None`` where no time passes."""
        return self._time()

    @cached_property
    def observation(self) -> Any:
        """What the seat perceives, as a value."""
        return self._observe()

    @cached_property
    def text(self) -> str:
        """What the seat perceives, in words. Raises ``Refused`` if the world has no words."""
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

    @cached_property
    def glance(self) -> Glance:
        """What a person at a small screen is told; empty if the world has no words."""
        return self._glance()

    def together(self, decisions: Sequence[Any]) -> Any:
        """One decision made of options of the menu for several bodies. Raises ``Refused`` if the world
        knows no such."""
        return self._together(decisions)

    def refuses(self, answer: str) -> bool:
        """Whether a text would be refused as the answer; nothing is charged for asking."""
        return self._refuses(answer)

    def trial(self, answer: Any) -> Trial:
        """What would come of an answer, a text or a decision. It tells what only play would: nobody may
        ask but a person who plays for fun, and who is ``informed``."""
        return self._trial(answer)

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


class PlainPolicy:
    """The base of policies that nothing sets, and that know no more than their seat unless they say so."""

    informed = False
    settings: Mapping[str, Any] = {}


# --- policies that were worked out before play ----------------------------------------------------------

WorldT = TypeVar("WorldT", bound=World[Any, Any, Any])
T = TypeVar("T")


class PlanPolicy:
    """Gives the answers of a plan, one at each turn of its seat; fails when the plan has run out."""

    def __init__(
        self, name: str, plan: Sequence[Any], *, informed: bool, settings: Mapping[str, Any] | None = None
    ) -> None:
        self.name = name
        self.informed = informed
        self.settings: Mapping[str, Any] = settings or {}
        self._plan = tuple(plan)

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The next answer; ``memory`` counts the answers given."""
        given = int(memory or 0)
        if given >= len(self._plan):
            raise PolicyFailure("plan", f"the plan has {given} decisions and the episode goes on")
        return Reply(self._plan[given], given + 1)


class JointPlanPolicy:
    """Gives each seat its own answers of a plan for all seats, one at each turn; fails when they run out."""

    def __init__(
        self,
        name: str,
        plan: Sequence[Mapping[Seat, Any]],
        *,
        informed: bool = True,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.name = name
        self.informed = informed
        self.settings: Mapping[str, Any] = settings or {}
        self._answers: dict[Seat, list[Any]] = {}
        for step in plan:
            for seat, answer in step.items():
                self._answers.setdefault(seat, []).append(answer)

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The seat's next answer; ``memory`` counts those given."""
        given, answers = int(memory or 0), self._answers.get(turn.seat, [])
        if given >= len(answers):
            raise PolicyFailure(
                "plan", f"the plan has {given} decisions for {turn.seat} and the episode goes on"
            )
        return Reply(answers[given], given + 1)


class PriorityPolicy:
    """Takes the decision on the menu that stands first in a list, and passes if none is in it.

    Made from the world by whoever knows a good order, so it may know more than its seat.
    """

    def __init__(self, name: str, order: Sequence[Any], settings: Mapping[str, Any] | None = None) -> None:
        self.name = name
        self.informed = True
        self.settings: Mapping[str, Any] = settings or {}
        self._rank = {decision: rank for rank, decision in enumerate(order)}

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The option of the lowest rank."""
        options = turn.menu.options
        if not options:
            raise PolicyFailure("menu", "the world offers no decision")
        ranked = [option for option in options if option.decision in self._rank]
        if not ranked:
            return Reply((turn.menu.passing or options[0]).decision)
        return Reply(min(ranked, key=lambda option: self._rank[option.decision]).decision)


class _Key:
    """A world as a key: equal if scenario, rules and limits are equal."""

    def __init__(self, world: Any) -> None:
        self.world = world
        self._digest = digest((world.scenario, world.rules, world.limits))

    def __hash__(self) -> int:
        return hash(self._digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other._digest == self._digest


def once_per_world(work: Callable[[WorldT], T]) -> Callable[[WorldT], T]:
    """``work``, done once for all worlds of equal scenario, rules and limits: such as solving one."""

    @lru_cache(maxsize=512)
    def done(key: _Key) -> T:
        return work(key.world)

    return lambda world: done(_Key(world))
