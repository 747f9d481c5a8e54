"""From texts to calls: a free answer, one call, the decisions of all seats. Nothing is evaluated.

Where repetitions have no bound nothing follows that could fail: a text of a million letters is read in one
go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from msgspec.structs import replace

from backburner.kernel.errors import shorten
from backburner.kernel.values import Refusal, Seat
from backburner.worlds.minecraft.game.actions import (
    MOST_CALLS,
    MOST_SAID,
    NO_CALL,
    PARAMETERS,
    UNTOLD,
    Call,
    Calls,
    bad,
    silent_ticks,
)
from backburner.worlds.minecraft.game.compiled import Compiled
from backburner.worlds.minecraft.game.rule_set import Rules

NAME = r"[A-Za-z_][A-Za-z0-9_]{0,39}"
CALL = re.compile(rf"(?a:\b){NAME} ?\([^()\n]{{0,120}}\)")
ONE_CALL = re.compile(rf"({NAME}) ?\(([^()\n]{{0,120}})\)")
QUOTED = re.compile(r"\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'")

MOST_READ = 1000
"""Calls of an answer that are looked at; nobody has so many bodies."""

UNTOLD_CODES = ("form", "arity", "no_such_bot")
"""Calls that end with an error in the released program, where nobody is told of it."""

NOBODY = ("[]", "wait", "nothing", "none")
"""Answers by which nobody does anything."""


class TextReader:
    """Finds the calls of an answer, such as ``['goto(alex, chicken)', 'mineBlock(steve, oak_log)']``.

    Where a list is needed: the strings between the first ``[`` and the last ``]``. Otherwise every text that
    is written like a call, if its action is known or it begins with a body's name.
    """

    def __init__(self, compiled: Compiled) -> None:
        self.list_needed = compiled.rules.list_needed
        self._known = {verb.lower(): verb for verb in PARAMETERS}
        self._names = set(compiled.names)

    def read(self, text: str) -> Calls | Refusal:
        """All calls of an answer, or that there is neither one nor an empty list."""
        if self.list_needed:
            begin, end = text.find("["), text.rfind("]")
            if not 0 <= begin < end:
                return NO_CALL
            found = islice(QUOTED.finditer(text, begin, end), MOST_READ)
            calls = tuple([match[0][1:-1].strip() for match in found])
            return Calls(calls) if calls or not text[begin + 1 : end].strip() else NO_CALL
        calls = tuple(self._calls(text))
        return Calls(calls) if calls or text.strip().strip("`'\". ").lower() in NOBODY else NO_CALL

    def _calls(self, text: str) -> Iterator[str]:
        for match in islice(CALL.finditer(text), MOST_READ):
            name, _, rest = match[0].partition("(")
            verb = self._known.get(name.strip().lower())
            first = _bare(rest.rstrip(")").partition(",")[0]).lower()
            if verb or first in self._names:
                words = [_bare(word) for word in rest[:-1].split(",")]
                words[0] = words[0].lower() if words[0].lower() in self._names else words[0]
                yield f"{verb or name.strip()}({', '.join(filter(None, words))})"


def _bare(word: str) -> str:
    return word.strip().strip("'\"`").strip()


class CallReader:
    """Reads single calls for the bodies of a scenario."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled

    def read(self, text: str) -> Call | Refusal:
        """The call, or what is wrong with it; an action that there is not comes first."""
        match = ONE_CALL.fullmatch(text[: MOST_SAID + 1].strip())
        if match is None:
            return bad("form", text)
        verb, words = match[1], [_bare(word) for word in match[2].split(",")]
        if verb not in PARAMETERS:
            return bad("verb", text, verb=shorten(verb))
        if len(words) != 1 + len(PARAMETERS[verb]) or not all(words):
            return bad("arity", text, verb=verb)
        body = self.compiled.number.get(words[0])
        if body is None:
            return bad("no_such_bot", text, bot=shorten(words[0]))
        return Call(body, verb, words[1] if len(words) > 1 else "", text.strip())


class Given(NamedTuple):
    """A call, whose it is, and its place in the decision."""

    call: Call
    seat: Seat
    number: int


class Joint(NamedTuple):
    """The calls of all seats in order, what is refused at sight, and every call as it was written.

    ``voided``: nobody does anything, as one call is of no action that there is.
    """

    given: list[Given]
    refusals: list[Refusal]
    written: tuple[str, ...]
    voided: bool


def read_joint(compiled: Compiled, rules: Rules, reader: CallReader, decisions: Mapping[Seat, Any]) -> Joint:
    """The decisions of all seats together: one call for a body, the first that is given."""
    given: list[Given] = []
    refusals: list[Refusal] = []
    written: list[str] = []
    taken: set[int] = set()
    for seat in compiled.seating.workers:
        decision = decisions.get(seat, NO_CALL)
        if silent_ticks(decision):
            continue
        if not isinstance(decision, Calls) or decision != Calls(decision.calls):
            found = decision if isinstance(decision, Refusal) else NO_CALL
            refusals.append(found.at(seat))
            continue
        for index, text in enumerate(decision.calls[:MOST_CALLS]):
            written.append(shorten(text, MOST_SAID))
            call = reader.read(text)
            if isinstance(call, Call):
                if compiled.seating.owner[call.body] != seat:
                    call = bad("other_bot", text, bot=compiled.names[call.body])
                elif call.body in taken:
                    call = bad("second_call", text, bot=compiled.names[call.body])
            if isinstance(call, Refusal):
                untold = rules.errors_untold and call.code in UNTOLD_CODES
                detail = (*call.detail, UNTOLD) if untold else call.detail
                refusals.append(replace(call, seat=seat, index=index, detail=detail))
            else:
                taken.add(call.body)
                given.append(Given(call, seat, index))
        if (count := len(decision.calls) - MOST_CALLS) > 0:
            refusals.append(replace(bad("more", "", count=count), seat=seat, index=MOST_CALLS))
    voiding = [refusal for refusal in refusals if refusal.code == "verb"]
    if voiding and rules.bad_call_voids_all:
        return Joint([], voiding[:1], tuple(written), True)
    return Joint(given, refusals, tuple(written), False)
