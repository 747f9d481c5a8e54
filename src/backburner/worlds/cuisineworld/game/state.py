"""CuisineWorld's values in play: what can be decided, the codes of what is refused, states, what seats see.

Time is counted in steps. Bodies, places and dishes are meant by their number, things by their index in
``Compiled.things``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeGuard

from msgspec import Struct

from backburner.kernel.errors import shorten
from backburner.kernel.values import Fault, Refusal, Seat
from backburner.worlds.cuisineworld.game.scenarios import HEAD_CHEF
from backburner.worlds.dispatch.instructor import Instruction, Speaker
from backburner.worlds.dispatch.orders import Order

NOOP, GOTO, GET, PUT, ACTIVATE = range(5)
VERBS = ("noop", "goto", "get", "put", "activate")
"""The five verbs by number (article, Table 14)."""

UNKNOWN = -2
"""The item of a command that names nothing in the cookbook."""

MOST_SAID = 200
"""Characters of a command that a refusal keeps."""

MOST_SILENT = 1000
"""Steps of one silence; a longer one is made of several."""

MOST_TOLD = 20
"""Refused commands of a seat that are told one by one; the rest is counted."""


class Commands(Struct, frozen=True, omit_defaults=True, gc=False):
    """Commands in the order in which they are carried out, each as it is written.

    ``noop_agentN``, ``goto_agentN_PLACE``, ``get_agentN_PLACE``, ``get_agentN_ITEM_PLACE``,
    ``put_agentN_PLACE``, ``put_agentN_ITEM_PLACE``, ``activate_agentN_PLACE``.
    A body without a command stands still.

    ``instruction``: what a head chef says instead, ``None`` for nothing new; see ``SPEAKER``. ``silent``: the
    seat has not decided yet, for so many steps; if anybody has, for one.
    """

    commands: tuple[str, ...]
    instruction: str | None = None
    silent: int = 0


def is_silence(decision: Any) -> TypeGuard[Commands]:
    """Whether this is the decision of a seat that has not decided yet."""
    if not isinstance(decision, Commands) or not 0 < decision.silent <= MOST_SILENT:
        return False
    return not decision.commands and decision.instruction is None


class Command(Struct, frozen=True, gc=False):
    """A command in numbers: verb, body, place (-1 for none), item (``NOTHING`` where none is named).

    ``label``: the command without its body; ``text``: as it was written. Commands of one ``number`` are for
    the same body; two numbers may be, where the rules have it so.
    """

    verb: int
    body: int
    place: int
    item: int
    label: str
    text: str
    number: int


class Fatal(Struct, frozen=True, gc=False):
    """A command that ends the released program when it is carried out: the code of its refusal, its body's
    number, and as it was written."""

    code: str
    number: int
    text: str


NO_COMMAND = Refusal("no_command", Fault.UNREADABLE)
"""No command could be found in the answer."""

FIRST_ANSWER = ("first_answer", 1)
"""Marks that there was none in the first answer of a cell, after which there are no errors that could be told
again: the released program ends with an exception there."""

BAD_COMMAND: Mapping[str, Fault] = {
    "empty": Fault.UNREADABLE,
    "arity": Fault.UNREADABLE,
    "verb": Fault.UNREADABLE,
    "agent": Fault.UNREADABLE,
    "no_place": Fault.UNREADABLE,
    "args": Fault.MISMATCH,
    "location": Fault.UNKNOWN_THING,
    "no_such_agent": Fault.UNKNOWN_THING,
    "other_agent": Fault.ROLE,
    "duplicate_agent": Fault.CAPACITY,
    "more": Fault.UNREADABLE,
    "too_long": Fault.CAPACITY,
    "words_only": Fault.ROLE,
}
"""What is wrong with a command before anything is tried; ``more``: so many further ones are refused."""

FAILED: Mapping[str, Fault] = {
    "agent_occupied": Fault.OCCUPIED,
    "not_at_location": Fault.REACH,
    "not_pickable": Fault.MISSING_PREREQUISITE,
    "storage_needs_base_item": Fault.UNKNOWN_THING,
    "get_empty": Fault.MISSING_PREREQUISITE,
    "get_hands_full": Fault.CAPACITY,
    "not_inside": Fault.MISMATCH,
    "location_occupied": Fault.OCCUPIED,
    "not_a_level_dish": Fault.MISMATCH,
    "table_full": Fault.CAPACITY,
    "put_waste": Fault.MISMATCH,
    "put_hands_empty": Fault.MISSING_PREREQUISITE,
    "not_held": Fault.MISMATCH,
    "inside_already": Fault.ALREADY_DONE,
    "product_waits": Fault.OCCUPIED,
    "location_full": Fault.CAPACITY,
    "activate_hands_full": Fault.CAPACITY,
    "activate_empty": Fault.MISSING_PREREQUISITE,
    "activate_waste": Fault.MISMATCH,
}
"""Why a command fails when it is tried."""


def bad(code: str, said: str, **detail: str | int) -> Refusal:
    """The refusal of a text that is no command here."""
    return Refusal(code, BAD_COMMAND[code], (("said", shorten(said, MOST_SAID)), *detail.items()))


def failed(code: str, command: Command, seat: Seat, index: int, thing: str, silent: bool) -> Refusal:
    """The refusal of a command that cannot be carried out now; ``thing``: what its body holds, by name."""
    detail: tuple[tuple[str, str | int], ...] = (("said", shorten(command.text, MOST_SAID)),)
    if thing:
        detail = (*detail, ("thing", thing))
    if silent:
        detail = (*detail, SILENT)
    return Refusal(code, FAILED[code], detail, seat, index)


SILENT = ("silent", 1)
"""Marks what nobody is told (see ``Rules.silent_refusals``)."""


NOTHING = -1
"""The thing in empty hands."""


class Act(Struct, frozen=True, gc=False):
    """What a body does or did: ``verb`` as in ``VERBS``, at which place, with which thing, if any."""

    body: int
    verb: int
    place: int = -1
    thing: int = NOTHING


class Feedback(Struct, frozen=True, omit_defaults=True, gc=False):
    """What became of the last decisions. ``idle``: every command that was given was a noop.

    ``finished``: the places whose work ended with the step; ``served``: how many orders were. ``made``: what
    was finished at the first of these places, where it may be gone again, as the seat was silent since then.
    """

    done: tuple[Act, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    idle: bool = False
    finished: tuple[int, ...] = ()
    served: int = 0
    made: tuple[int, ...] = ()


class Told(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a seat is told that was silent, where that is not the feedback on the last step.

    ``feedback``: on its last decision, with what was done before while it was silent. ``news``: what has been
    done since, to be told with the feedback on its next decision.
    """

    seat: Seat
    feedback: Feedback
    news: Feedback = Feedback()


Ended = Literal["", "horizon"]


class Decided(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a seat has decided for the step that waits for others: its ``commands``; ``unread``: why there are
    none that could be read. ``refusals``: what it was told of them. ``silent``: it has not decided yet."""

    seat: Seat
    commands: tuple[str, ...] = ()
    unread: Refusal | None = None
    refusals: tuple[Refusal, ...] = ()
    silent: bool = False


class State(Struct, frozen=True, omit_defaults=True, gc=False):
    """Everything that changes.

    - of each body: ``at`` which place it is, what it has ``held`` in its hands, how many steps it is busy
    - of each place: what is ``inside`` in the order in which it was put, how many steps it is ``busy``
    - ``ready``: the set of places whose product may be taken, as bits: 0b1000 is place 3
    - ``orders``, the most urgent first; how many have ``arrived``; the dishes ``served``, in order; how many
      orders ``expired``; how many ``failed``, as the rules count
    - ``steps`` and ``turns`` that have passed; ``stream``: the seed of the orders
    - ``since``, where dishes spoil: for each place the times at which the dishes on it were put there;
      ``spoilt``: how many have spoilt
    - ``seen``, where orders are hidden: for each body the set of the orders that it has seen, as bits
      by their numbers: 0b11 is the first two
    - ``feedback`` on the last decisions; ``told``: what seats are told in place of it, as they were silent;
      ``ended``: why the episode is over
    - ``decided``, where seats decide one after the other: what those before have decided for this step
    - ``instruction``: what the head chef has said, ``None`` for nothing
    """

    at: tuple[int, ...]
    held: tuple[int, ...]
    hands_busy: tuple[int, ...]
    inside: tuple[tuple[int, ...], ...]
    busy: tuple[int, ...]
    ready: int = 0
    orders: tuple[Order, ...] = ()
    arrived: int = 0
    served: tuple[int, ...] = ()
    expired: int = 0
    failed: int = 0
    steps: int = 0
    turns: int = 0
    stream: int = 0
    since: tuple[tuple[int, ...], ...] = ()
    spoilt: int = 0
    seen: tuple[int, ...] = ()
    feedback: Feedback = Feedback()
    ended: Ended = ""
    decided: tuple[Decided, ...] = ()
    instruction: Instruction | None = None
    told: tuple[Told, ...] = ()

    def told_to(self, seat: Seat) -> Told:
        """What a seat is told of the last step, or of the one in which it decided."""
        return next((told for told in self.told if told.seat == seat), Told(seat, self.feedback))

    def made(self, place: int) -> int:
        """The thing that was finished at a place with the last step. Where that took no time, it may be gone
        again."""
        begun = (act.thing for act in self.feedback.done if (act.verb, act.place) == (ACTIVATE, place))
        made = next(begun, NOTHING)
        return self.inside[place][0] if made == NOTHING else made


class SeenBody(Struct, frozen=True):
    """A body: where it is, what it holds (empty: nothing), whether a tool keeps it busy."""

    name: str
    at: str
    held: str
    busy: bool


class SeenPlace(Struct, frozen=True):
    """A place, what is inside, whether it is at work; for how many more steps is not shown, as released."""

    name: str
    inside: tuple[str, ...]
    busy: bool


class SeenOrder(Struct, frozen=True):
    """An open order and its steps left."""

    dish: str
    left: int


class SeenAct(Struct, frozen=True):
    """What a body did: verb, place and thing (empty: none)."""

    body: str
    verb: str
    place: str
    thing: str


class Observation(Struct, frozen=True):
    """What a seat sees: the whole kitchen, and the ``orders`` that it knows of. ``own``: its bodies.

    As far as the scenario has feedback: ``done``, what every body did; ``finished`` (place, product) and
    ``just_served``, what came of it; ``refusals`` of the seat's own commands; ``idle``, whether every command
    was a noop and the rules complain about that.

    ``instruction``: what the head chef has said that holds, in the step ``instructed``. ``decided``: the
    commands of other seats that have decided before this one, for this step.
    """

    level: str
    step: int
    steps: int
    own: tuple[str, ...]
    bodies: tuple[SeenBody, ...]
    places: tuple[SeenPlace, ...]
    orders: tuple[SeenOrder, ...]
    served: tuple[str, ...]
    done: tuple[SeenAct, ...] = ()
    finished: tuple[tuple[str, str], ...] = ()
    just_served: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    idle: bool = False
    instruction: str = ""
    instructed: int = 0
    decided: tuple[tuple[Seat, tuple[str, ...]], ...] = ()


# --- the head chef's words ---------------------------------------------------------------------------------

SPEAKER = Speaker(
    HEAD_CHEF,
    "head chef",
    "The head chef",
    says=lambda instruction: Commands((), instruction),
    acts=Commands,
    actions=lambda decision: decision.commands,
    bad=bad,
    no_decision=NO_COMMAND,
    repeats=True,
)

SILENCE = SPEAKER.silence
