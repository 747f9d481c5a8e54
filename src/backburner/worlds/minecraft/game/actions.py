"""What can be decided: the seven actions, words, a server's report; the codes of what is refused.

The seat ``server`` reports what bots on a server did in a step, and what was seen there after it. Everything
is said in this world's terms: cells, sites by number, ticks. A report is foreign text. ``why_not`` says what
is wrong with one, sizes first, before anything is made of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from backburner.kernel.errors import shorten
from backburner.kernel.reported import Ground
from backburner.kernel.values import Fault, Refusal
from backburner.worlds.dispatch.instructor import Speaker
from backburner.worlds.minecraft.game.physics import (
    BLOCKS,
    FUELS,
    MINEABLE,
    MOBS,
    NO_STACK,
    SMELTING_TICKS,
    STACK,
    Furnace,
)
from backburner.worlds.minecraft.game.scenarios import BOTS, INSTRUCTOR, MOST_BODIES
from backburner.worlds.minecraft.game.state import Items, Killed

MOST_TICKS = 100_000
"""A step on a server lasts no longer."""

MOST_KINDS = 64
"""Kinds of item in an inventory or a chest; the game has 36 slots, and 27."""

MOST_ITEMS = 4096
MOST_PERSONS = 16
FARTHEST = 30_000_000.0
LONGEST_WHY = 300

NAME = re.compile(r"[a-z0-9_]{1,64}")
PLAYER = re.compile(r"[A-Za-z0-9_]{1,16}")


class Came(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """What came of a bot's call: it ended after ``ticks``, or is still ``running``. ``code``: why it came to
    nothing, if it did, a word of the rules or ``ON_SERVER``, of which ``why`` tells more."""

    bot: str
    ticks: int
    code: str = ""
    why: str = ""
    running: bool = False


class SeenBody(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A bot: ``at`` is x and z in blocks, which may lie between two; what it carries."""

    bot: str
    at: tuple[float, float]
    carried: Items = ()


class SeenPlayer(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A player who is none of the bots: ``at`` as of these; what it carries, ``None`` where that is not
    known."""

    name: str
    at: tuple[float, float]
    carried: Items | None = None


class Report(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A step on a server, which lasted for ``ticks``; what is ``None`` or left out was not seen, and is taken
    as it was predicted.

    ``calls``: what came of them; ``killed``: which mobs, in order; ``bots`` with what they carry, ``furnace``
    and ``chest`` after the step; ``gone``: the sites that do not stand then. ``ground``: how it looks from
    above, in this world's cells, where it is no longer as it was told. ``persons`` who are there, by name.
    ``waited``: the ticks that had passed on the server when the step began, while it was decided.
    """

    ticks: int
    calls: tuple[Came, ...] = ()
    killed: tuple[Killed, ...] = ()
    bots: tuple[SeenBody, ...] = ()
    furnace: Furnace | None = None
    chest: Items | None = None
    gone: tuple[int, ...] | None = None
    ground: Ground | None = None
    persons: tuple[SeenPlayer, ...] | None = None
    waited: int = 0


ON_SERVER = "on_server"
"""A call came to nothing on the server for a reason that the rules have no word for."""


def why_not(report: Report, sites: tuple[str, ...], codes: frozenset[str]) -> str:
    """What is wrong with a report, naming the field; empty if nothing is. ``sites``: the kind of each."""
    return next(_faults(report, sites, codes), "")


def _faults(report: Report, sites: tuple[str, ...], codes: frozenset[str]) -> Iterator[str]:
    if not 1 <= report.ticks <= MOST_TICKS:
        yield f"ticks: not from 1 to {MOST_TICKS}"
    if not 0 <= report.waited <= MOST_TICKS:
        yield f"waited: not from 0 to {MOST_TICKS}"
    for name in ("calls", "killed", "bots"):
        if len(getattr(report, name)) > 2 * MOST_BODIES:
            yield f"{name}: more than {2 * MOST_BODIES}"
    yield from _faults_of_calls(report, codes)
    for killed in report.killed:
        if killed.bot not in BOTS or killed.mob not in MOBS:
            yield "killed: no bot, or no mob, of this game"
    if len({body.bot for body in report.bots}) < len(report.bots):
        yield "bots: one of them twice"
    for body in report.bots:
        if body.bot not in BOTS:
            yield "bots: no bot of this game"
        if _is_outside(body.at):
            yield "bots: at is out of the world"
        yield from _faults_of_items(body.carried, "bots: carried")
    yield from _faults_of_persons(report.persons or ())
    if report.chest is not None:
        yield from _faults_of_items(report.chest, "chest")
    if report.furnace is not None:
        yield from _faults_of_furnace(report.furnace)
    gone = report.gone or ()
    if len(gone) > len(sites) or len(set(gone)) < len(gone):
        yield "gone: a site twice"
    if any(not 0 <= site < len(sites) or sites[site] in set(BLOCKS) - set(MINEABLE) for site in gone):
        yield "gone: no mob, and no block that is dug"


def _is_outside(at: tuple[float, float]) -> bool:
    return not all(math.isfinite(number) and abs(number) <= FARTHEST for number in at)


def _faults_of_persons(persons: tuple[SeenPlayer, ...]) -> Iterator[str]:
    if len(persons) > MOST_PERSONS:
        yield f"persons: more than {MOST_PERSONS}"
        return
    names = [person.name for person in persons]
    if names != sorted(set(names)):
        yield "persons: not sorted by name, each once"
    for person in persons:
        if not PLAYER.fullmatch(person.name):
            yield "persons: no name of a player"
        if _is_outside(person.at):
            yield "persons: at is out of the world"
        yield from _faults_of_items(person.carried or (), "persons: carried")


def _faults_of_calls(report: Report, codes: frozenset[str]) -> Iterator[str]:
    if len({came.bot for came in report.calls}) < len(report.calls):
        yield "calls: a bot twice"
    for came in report.calls:
        if came.bot not in BOTS:
            yield "calls: no bot of this game"
        if not 0 <= came.ticks <= MOST_TICKS:
            yield f"calls: ticks are not from 0 to {MOST_TICKS}"
        if came.code and came.code not in codes:
            yield "calls: no code of this game"
        if came.code and came.running:
            yield "calls: one that came to nothing does not run on"
        if len(came.why) > LONGEST_WHY or not came.why.isprintable():
            yield f"calls: why has at most {LONGEST_WHY} characters, all printed"


def _faults_of_items(items: Items, name: str) -> Iterator[str]:
    if len(items) > MOST_KINDS:
        yield f"{name}: more than {MOST_KINDS} kinds of item"
        return
    if any(not NAME.fullmatch(item) for item, _ in items):
        yield f"{name}: no name of an item"
    if any(not 1 <= count <= MOST_ITEMS for _, count in items):
        yield f"{name}: not from 1 to {MOST_ITEMS} of an item"
    if list(items) != sorted(dict(items).items()):
        yield f"{name}: items are not sorted, each once"


def _faults_of_furnace(furnace: Furnace) -> Iterator[str]:
    for name in ("input", "fuel", "output"):
        item, count = getattr(furnace, name)
        if (item, count) != NO_STACK and not (NAME.fullmatch(item) and 1 <= count <= STACK):
            yield f"furnace: {name} is no stack of up to {STACK}"
    if furnace.fuel[0] and furnace.fuel[0] not in FUELS:
        yield "furnace: fuel that does not burn here"
    if not 0 <= furnace.burning <= MOST_TICKS:
        yield f"furnace: burning is not from 0 to {MOST_TICKS}"
    # What has been smelted for all of its time is done, and no longer the input.
    if not 0 <= furnace.progress < SMELTING_TICKS or (furnace.progress and not furnace.input[1]):
        yield f"furnace: progress is not from 0 to {SMELTING_TICKS - 1}, of an input"


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

    ``instruction``: what an instructor says instead, ``None`` for nothing new; see ``SPEAKER``.
    ``report``: what a server reports instead, ``None`` for all as predicted; see ``server``.
    ``silent``: for so many ticks the seat says nothing, as it thinks; see ``silent_ticks``.
    """

    calls: tuple[str, ...]
    instruction: str | None = None
    report: Report | None = None
    silent: int = 0


def silent_ticks(decision: object) -> int:
    """For how many ticks whoever decides so is silent; 0 for whoever says something."""
    if not isinstance(decision, Calls) or decision != Calls((), silent=decision.silent):
        return 0
    return max(0, decision.silent)


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


# --- the instructor's words --------------------------------------------------------------------------------

MOST_KEPT = 10
"""Former instructions that are told again; the oldest are forgotten first."""

SPEAKER = Speaker(
    INSTRUCTOR,
    "instructor",
    "The person",
    says=lambda instruction: Calls((), instruction),
    acts=Calls,
    actions=lambda decision: (*decision.calls, *(() if decision.report is None else ("a report",))),
    bad=bad,
    no_decision=NO_CALL,
    remembers=MOST_KEPT,
)
"""A person's seat without bodies, who tells those who work what to do, in words.

The article shows a person who does so (section 7, Figure 5b). What models are told of it are three rules:
what was said comes first, without a word nobody does anything, and what the person means to do is theirs.
"""

SILENCE = SPEAKER.silence
