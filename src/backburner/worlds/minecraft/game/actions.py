"""What can be decided: the seven actions as a closed list, and the codes of what is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from backburner.kernel.errors import shorten
from backburner.kernel.values import Fault, Refusal
from backburner.worlds.minecraft.game.report import ON_SERVER, Report

GOTO, KILL, MINE = "goto", "killMob", "mineBlock"
PUT_FUEL, PUT_ITEM, TAKE_OUT = "putFuelFurnace", "putItemFurnace", "takeOutFurnace"
PUT_IN_CHEST = "putInChest"

PARAMETERS: Mapping[str, Sequence[str]] = {
    GOTO: ("place",),
    KILL: ("mob",),
    MINE: ("block",),
    PUT_FUEL: ("fuel",),
    PUT_ITEM: ("item",),
    TAKE_OUT: (),
    PUT_IN_CHEST: ("item",),
}
"""Every action with what it takes beside the body (article, Appendix F.4); there are no others."""

MOST_SAID = 200
"""Characters of a call that are looked at."""

MOST_CALLS = 100
"""Calls of an answer that are looked at one by one; the others are counted."""


class Calls(Struct, frozen=True, omit_defaults=True, gc=False):
    """Calls such as ``goto(alex, chicken)``, each as it is written; a body without one stays where it is.

    ``instruction``: what an instructor says instead, ``None`` for nothing new; see ``instructor``.
    ``report``: what a server reports instead, ``None`` for all as predicted; see ``server``.
    """

    calls: tuple[str, ...]
    instruction: str | None = None
    report: Report | None = None


class Call(Struct, frozen=True, gc=False):
    """A call that can be tried: the body's number, an action, and what it is about, if anything."""

    body: int
    verb: str
    thing: str
    text: str


def spelt(verb: str, body: str, thing: str = "") -> str:
    """A call as it is usually written."""
    return f"{verb}({body}, {thing})" if thing else f"{verb}({body})"


def label(verb: str, thing: str) -> str:
    """What a person calls it."""
    return f"{verb} {thing}" if thing else verb


NO_CALL = Refusal("no_call", Fault.UNREADABLE)
"""No list of calls could be found in the answer."""

BAD_CALL: Mapping[str, Fault] = {
    "form": Fault.UNREADABLE,
    "verb": Fault.UNREADABLE,
    "arity": Fault.UNREADABLE,
    "no_such_bot": Fault.UNKNOWN_THING,
    "other_bot": Fault.ROLE,
    "second_call": Fault.CAPACITY,
    "more": Fault.CAPACITY,
    "too_long": Fault.CAPACITY,
    "words_only": Fault.ROLE,
    "no_report": Fault.UNREADABLE,
}
"""What is wrong with a call before anything is tried."""

CHAT: Mapping[str, Fault] = {
    "no_mob": Fault.REACH,
    "no_block": Fault.REACH,
    "not_carried": Fault.MISSING_PREREQUISITE,
}
"""Why an action comes to nothing, as its body says in the chat."""

ERRORS: Mapping[str, Fault] = {
    "none_around": Fault.UNKNOWN_THING,
    "no_way": Fault.UNKNOWN_THING,
    "gave_up": Fault.REACH,
    "no_furnace": Fault.REACH,
    "no_chest": Fault.REACH,
    "no_fuel": Fault.MISMATCH,
    "not_smelted": Fault.MISMATCH,
    "slot_taken": Fault.OCCUPIED,
    "no_output": Fault.MISSING_PREREQUISITE,
    ON_SERVER: Fault.REACH,
}
"""Why an action ends with an error; the released program tells nobody."""

UNTOLD = ("untold", 1)
"""Marks what nobody is told (see ``Rules.errors_untold``)."""


def bad(code: str, said: str, **detail: str | int) -> Refusal:
    """The refusal of a text that is no call here."""
    return Refusal(code, BAD_CALL[code], (("said", shorten(said, MOST_SAID)), *detail.items()))


def failed(code: str, call: Call, bot: str, untold: bool, why: str = "") -> Refusal:
    """The refusal of a call that came to nothing; ``why``: the reason, where the code does not tell it."""
    fault = CHAT.get(code) or ERRORS[code]
    detail: tuple[tuple[str, str | int], ...] = (("said", call.text), ("bot", bot), ("thing", call.thing))
    detail = (*detail, ("why", why)) if why else detail
    return Refusal(code, fault, (*detail, UNTOLD) if untold and code in ERRORS else detail)
