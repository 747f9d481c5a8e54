"""Collab-Overcooked's values in play: the kitchen, each cook's plan, the talk, whose answer is awaited.

Time is counted in steps. Cells and directions are numbers; ``layout`` says which. Cooks are 0 and 1.

What a cook perceives are values made of nothing but what its seat may know: the orders, what both cooks hold
and plan, the utensils, what lies on shared counters and on those that only it can reach, what is said in a
talk, and its own logged calls and refusals. The briefing gives the recipes to those who have them.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backburner.kernel.values import Refusal, Seat
from backburner.worlds.collab_overcooked.game.layout import DISH

Role = Literal["chef", "assistant"]
ROLES: tuple[Role, Role] = ("chef", "assistant")
"""The cooks' names: the chef (the article's Bob) starts on ``1``, the assistant (Alice) on ``2``."""

SEATS: tuple[Seat, Seat] = ROLES


def cook_of(seat: Seat) -> int:
    """The cook (0 or 1) that a seat decides for."""
    return SEATS.index(seat)


Move = tuple[int, str]
"""What a cook does in a step: a direction, ``STAY`` or ``INTERACT``, and the act's parameter."""


class Body(Struct, frozen=True, gc=False):
    """A cook: cell, direction, what it holds (empty: nothing). ``plated``: the food is on a dish."""

    cell: int
    facing: int
    held: str = ""
    plated: bool = False

    @property
    def holds_dish(self) -> bool:
        """Whether it holds a dish with nothing on it."""
        return self.held == DISH


class Content(Struct, frozen=True, gc=False):
    """What is in a utensil (an index of ``Grid.utensils``).

    ``output`` is empty until the operation starts. ``timer`` is 1 after the step of the start and counts up
    to ``steps``, when it is ready.
    """

    utensil: int
    items: tuple[str, ...]
    output: str = ""
    timer: int = 0
    steps: int = 0

    @property
    def cooking(self) -> bool:
        """Whether the operation runs."""
        return 0 < self.timer < self.steps

    @property
    def ready(self) -> bool:
        """Whether the operation is over; food never burns."""
        return 0 < self.timer == self.steps


class Lying(Struct, frozen=True, gc=False):
    """What lies on a counter."""

    cell: int
    item: str
    plated: bool = False


class Kitchen(Struct, frozen=True, gc=False):
    """All that changes in a kitchen.

    ``contents`` and ``lying`` are in the order in which utensils were first put something into and things
    were put down: both orders matter. ``orders`` are open, the oldest first.
    ``ruined``: the utensils whose contents became nothing in the last step.
    """

    bodies: tuple[Body, Body]
    orders: tuple[str, ...]
    contents: tuple[Content, ...] = ()
    lying: tuple[Lying, ...] = ()
    ruined: tuple[int, ...] = ()
    steps: int = 0

    def content(self, utensil: int) -> Content | None:
        """What is in a utensil."""
        for content in self.contents:
            if content.utensil == utensil:
                return content
        return None

    def on_counter(self, cell: int) -> Lying | None:
        """What lies on a counter."""
        for lying in self.lying:
            if lying.cell == cell:
                return lying
        return None


MOST_SILENT = 1000
"""The most steps that a cook is silent for by one decision."""


class Reply(Struct, frozen=True, omit_defaults=True):
    """An answer of a cook: its analysis, its plan (calls as written), its words to the partner.

    An answer without a plan has to be repaired. ``[NOTHING]`` is nothing said. ``rest``: everything from the
    plan to the end of the answer, kept where it may be read as the plan; see ``Rules.nothing_reads_on``.
    ``silent``: it is no answer at all, the cook thinks for so many steps.
    """

    analysis: str = ""
    plan: tuple[str, ...] = ()
    say: str = ""
    rest: str = ""
    silent: Annotated[int, Meta(ge=0, le=MOST_SILENT)] = 0


class LoggedCall(Struct, frozen=True, gc=False):
    """A call that a cook has done, as the kitchen logged it, and the time at which it was done."""

    steps: int
    call: str


class Cook(Struct, frozen=True, gc=False):
    """What a cook is doing: its current call as written (empty: none) and the calls queued after it.

    ``requests``: the calls that its plan asks of the partner and that the partner has not done yet.
    ``left``: the steps that a wait still takes. ``since``: when the call was accepted (-1: no accepted
    call). ``recent``: the last calls it has done. ``bumped``: it ran into the other and gives way.
    ``refusal``: why its last call or answer was refused, until the next is accepted.
    """

    call: str = ""
    left: int = 0
    queue: tuple[str, ...] = ()
    requests: tuple[str, ...] = ()
    since: int = -1
    recent: tuple[LoggedCall, ...] = ()
    bumped: bool = False
    refusal: Refusal | None = None


class Utterance(Struct, frozen=True, gc=False):
    """Something said in a talk."""

    cook: int
    said: str


class Talk(Struct, frozen=True, gc=False):
    """A talk within one decision: who began it, and what was said so far."""

    opener: int
    lines: tuple[Utterance, ...]


Ask = Literal["", "plan", "answer", "continue", "correct"]
"""What an answer is wanted for: a new plan, words of the partner, an answer of the partner, a call that was
refused. Empty: no answer is awaited."""

Part = Literal["analysis", "plan", "say"]
"""The fields of an answer."""


class Repair(Struct, frozen=True):
    """An answer that lacked something is asked for again, ``left`` times more.

    ``kept``: the best answer so far. ``settled``: it stays, whatever comes. ``part``: what is asked for, by
    rules that ask for parts (``Rules.repairs_by_field``).
    """

    left: int
    kept: Reply | None = None
    settled: bool = False
    part: Part | UnsetType = UNSET


class Pending(Struct, frozen=True, gc=False):
    """What a cook was asked that let its turn pass in silence: it is asked the same in its next turn.

    The fields are those of ``State``.
    """

    ask: Ask
    repair: Repair | None = None
    talk: Talk | None = None
    corrected: bool = False
    keeps_wait: bool = False


class Operation(Struct, frozen=True, gc=False):
    """A utensil that has been at work since a step, and what it makes."""

    utensil: int
    since: int
    output: str


Ended = Literal["", "completed", "step_limit", "stuck", "answered"]
"""``answered``: play was of one exchange; see ``transition``."""


class State(Struct, frozen=True, gc=False):
    """Everything that changes in an episode.

    Cook ``asked`` must answer ``ask``. ``moves``: those decided so far in this step. ``corrected``: the
    cook whose turn it is has had its correction. ``delivered``, ``drawn``: how many orders so far.
    ``keeps_wait``: a wait that is now begun keeps its step, as it comes in place of a call that is done (by
    ``Rules.waits_give_way``). ``pending``: of each cook, what it has not answered yet.
    """

    kitchen: Kitchen
    cooks: tuple[Cook, Cook]
    asked: int = 0
    ask: Ask = ""
    moves: tuple[Move, ...] = ()
    talk: Talk | None = None
    corrected: bool = False
    repair: Repair | None = None
    operations: tuple[Operation, ...] = ()
    delivered: int = 0
    drawn: int = 0
    seed: int = 0
    ended: Ended = ""
    keeps_wait: bool | UnsetType = UNSET
    pending: tuple[Pending | None, Pending | None] | UnsetType = UNSET


# --- what a cook perceives ------------------------------------------------------------------------------

MOST_SHOWN = 5
SHOWN_OF_MANY = 4
"""A cook is shown all its logged calls while they are at most 5, then the last 4 (as released)."""


class SeenCook(Struct, frozen=True):
    """A cook: its role, what it holds (empty: nothing; ``plated``: on a dish), what it plans to do."""

    role: str
    held: str
    plated: bool
    plan: tuple[str, ...]


class SeenUtensil(Struct, frozen=True):
    """A utensil: what was put in, what it makes or has made of it (empty: not started), steps left.

    Of what is not started: ``enough_for`` is what these things make, ``part_of`` what they make together with
    others.
    """

    name: str
    verb: str
    items: tuple[str, ...]
    output: str
    steps_left: int
    enough_for: str = ""
    part_of: tuple[str, ...] = ()


class SeenThing(Struct, frozen=True):
    """Something on a counter. ``shared``: both cooks can reach it."""

    item: str
    plated: bool
    shared: bool


class Observation(Struct, frozen=True):
    """What a cook is shown when it is asked for an answer.

    ``ask``: what the answer is for. ``repair``: the last answer lacked its plan or analysis. ``requests``:
    the calls that the partner asks for and that are not done yet. ``space``: the utensils, dispensers and
    serving place that this cook can reach. ``counters``: how many are shared. ``deeds``: its logged calls.
    """

    ask: Literal["", "plan", "answer", "continue", "correct"]
    repair: bool
    steps: int
    orders: tuple[str, ...]
    me: SeenCook
    partner: SeenCook
    requests: tuple[str, ...]
    space: tuple[str, ...]
    utensils: tuple[SeenUtensil, ...]
    counters: int
    things: tuple[SeenThing, ...]
    ruined: tuple[str, ...]
    talk: tuple[tuple[str, str], ...]
    deeds: tuple[LoggedCall, ...]
    refusal: Refusal | None
