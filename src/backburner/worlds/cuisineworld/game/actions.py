"""What can be decided in CuisineWorld, and the codes of what is refused."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from backburner.kernel.errors import shorten
from backburner.kernel.values import Fault, Refusal, Seat

NOOP, GOTO, GET, PUT, ACTIVATE = range(5)
VERBS = ("noop", "goto", "get", "put", "activate")
"""The five verbs by number (article, Table 14)."""

UNKNOWN = -2
"""The item of a command that names nothing in the cookbook."""

MOST_SAID = 200
"""Characters of a command that a refusal keeps."""

MOST_TOLD = 20
"""Refused commands of a seat that are told one by one; the rest is counted."""


class Commands(Struct, frozen=True, omit_defaults=True, gc=False):
    """Commands in the order in which they are carried out, each as it is written.

    ``noop_agentN``, ``goto_agentN_PLACE``, ``get_agentN_PLACE``, ``get_agentN_ITEM_PLACE``,
    ``put_agentN_PLACE``, ``put_agentN_ITEM_PLACE``, ``activate_agentN_PLACE``.
    A body without a command stands still.

    ``instruction``: what a head chef says instead, ``None`` for nothing new; see ``head_chef``.
    """

    commands: tuple[str, ...]
    instruction: str | None = None


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
