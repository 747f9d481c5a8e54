"""Answers as decisions: one call, as ``text.words`` writes it, or as people and models do.

Quotes, blanks, order and capitals do not matter, nor ``:`` for ``=``, a subject without its name, or a call
that stands in other words. What is no call is a refusal, and so are several different ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from backburner.kernel.values import Refusal
from backburner.kernel.wrapping import found_within
from backburner.worlds.desk.game.compiled import Compiled
from backburner.worlds.desk.game.content import Value, canonical
from backburner.worlds.desk.game.legality import SEVERAL_CALLS, UNREADABLE
from backburner.worlds.desk.game.scenarios import LEVELS
from backburner.worlds.desk.game.state import Cancel, Check, Decision, Finish, Reply, Start, Wait

LONGEST = 20_000
"""Characters, from its end, of an answer that are looked through."""

LONGEST_CALL = 1_000

MOST_MINUTES = 100_000

_CALL = re.compile(r"([A-Za-z][A-Za-z0-9_-]*)(?:\s*\(([^()]*)\))?[\s.;]*")
_KEY = re.compile(r"(?:^|,)\s*[\"'`]?([A-Za-z_][A-Za-z0-9_]*)[\"'`]?\s*[=:]")
_NESTED = re.compile(r"\(([A-Za-z0-9_]+)\((?:[a-z_]+=)?([^()=]*)\)\)")
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})")
_NUMBER = re.compile(r" ?#[0-9]{1,6}$")
_QUOTES = " \t\r\n\"'`“”‘’*"

Given = list[tuple[str, str]]
"""Arguments as they stand, in their order; one without a name has an empty one."""


class Reader:
    """Reads answers under one scenario."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self._known = {"check", "reply", "cancel", "wait", "finish", *compiled.tools}
        names = "|".join(sorted(map(re.escape, self._known), key=len, reverse=True))
        self._within = re.compile(rf"(?<![A-Za-z0-9_])(?:{names})\([^()]*\)", re.IGNORECASE)

    def read(self, answer: str, minute: int) -> Decision | Refusal:
        """The decision that an answer asks for at a minute. Never raises."""
        text = _NESTED.sub(r"(\1 \2)", answer[-LONGEST:]).strip(_QUOTES)
        if len(text) <= LONGEST_CALL and not isinstance(
            alone := self._call(text, minute, strict=False), Refusal
        ):
            return alone
        calls = (match[0] for match in self._within.finditer(text))
        found = list(dict.fromkeys(call for call in calls if len(call) <= LONGEST_CALL))
        read: list[Decision] = [
            call
            for call in (self._call(each, minute) for each in found[:50])
            if not isinstance(call, Refusal)
        ]
        if not read:
            read += found_within(text, lambda line: self._call(line, minute))
        different = [call for place, call in enumerate(read) if call not in read[:place]]
        if len(different) > 1:
            return SEVERAL_CALLS
        return different[0] if different else UNREADABLE

    def _call(self, text: str, minute: int, strict: bool = True) -> Decision | Refusal:
        """A text that is one call and nothing else; unless ``strict``, perhaps of an unknown tool."""
        match = _CALL.fullmatch(text.strip(_QUOTES))
        if match is None:
            return UNREADABLE
        name, inside = match[1].lower().replace("-", "_"), match[2]
        if name not in self._known:
            if inside is None or strict:
                return UNREADABLE
            name = match[1]
        given = [(key, value.strip(_QUOTES)) for key, value in _arguments(inside or "")]
        match name:
            case "check" | "cancel":
                job = _only(given, "job")
                if job is None:
                    return UNREADABLE
                return (Check if name == "check" else Cancel)(self._job(job))
            case "reply":
                return self._reply(given)
            case "wait":
                return self._wait(given, minute)
            case "finish":
                return UNREADABLE if given else Finish()
        return self._start(name, given)

    def _job(self, said: str) -> str:
        """The job of this name, or of a run of it, whatever its capitals and blanks."""
        plain = _NUMBER.sub("", " ".join(said.lower().replace(",", " ").split()))
        return plain if plain in self.compiled.jobs else " ".join(said.split())

    def _start(self, name: str, given: Given) -> Decision | Refusal:
        tool = self.compiled.tools.get(name)
        subject, inputs = "", dict[str, str]()
        unnamed = [each.name for each in tool.inputs] if tool is not None else []
        for key, value in given:
            if not key and (subject or (tool is not None and not tool.subject)):
                key = next((name for name in unnamed if name not in inputs), "")
            if key in inputs:
                return UNREADABLE
            if not subject and (not key or key == "subject" or (tool is not None and key == tool.subject)):
                subject = " ".join(value.lower().split()) if tool is not None else value
            else:
                inputs[key] = value
        read: list[tuple[str, Value]] = []
        for each in () if tool is None else tool.inputs:
            if each.name in inputs:
                said = inputs.pop(each.name)
                known = canonical(said, each.kind, each.choices)
                read.append((each.name, said if known is None else known))
        return Start(name, subject, (*read, *inputs.items()))

    def _reply(self, given: Given) -> Decision | Refusal:
        named: dict[str, str] = {}
        for key, said in given:
            named.setdefault(key or ("value" if "to" in named else "to"), said)
        to, value = named.pop("to", ""), next((said for key, said in named.items() if key != "to"), "")
        if not to or len(given) > 2 or len(named) > 1:
            return UNREADABLE
        name = _NUMBER.sub("", " ".join(to.lower().split()))
        if name not in self.compiled.asking:
            return Reply(to, value)
        known = self.compiled.reply_said(name, value)
        return Reply(name, value if known is None else known)

    def _wait(self, given: Given, minute: int) -> Decision | Refusal:
        minutes = until = None
        wakes: tuple[str, ...] = ("note",)
        for key, value in given:
            plain = value.lower()
            match key or (
                "until" if _CLOCK.fullmatch(plain) else "minutes" if plain[:1].isdigit() else "wakes"
            ):
                case "minutes":
                    known = canonical(plain.removesuffix("minutes").removesuffix("min"), "int")
                    if not isinstance(known, int) or abs(known) > MOST_MINUTES:
                        return UNREADABLE
                    minutes = known
                case "until":
                    until = self._minute(plain, minute)
                    if until is None:
                        return UNREADABLE
                case "wakes":
                    wakes = self._wakes(plain)
                case _:
                    return UNREADABLE
        return Wait(minutes, until, wakes)

    def _minute(self, said: str, now: int) -> int | None:
        """The minute of a time of day that is nearest to now."""
        match = _CLOCK.fullmatch(said)
        if match is None or int(match[1]) > 23 or int(match[2]) > 59:
            return None
        minute = 60 * int(match[1]) + int(match[2]) - self.compiled.opens
        return now + (minute - now + 12 * 60) % (24 * 60) - 12 * 60

    def _wakes(self, said: str) -> tuple[str, ...]:
        if said in ("none", "nothing", ""):
            return ()
        if (job := self._job(said)) in self.compiled.jobs:
            return (job,)
        names = [" ".join(name.split()) for name in re.split(r",|\band\b", said)]
        return tuple(dict.fromkeys(name if name in LEVELS else self._job(name) for name in names if name))


def _arguments(inside: str) -> Iterator[tuple[str, str]]:
    """(name, value) of each argument; commas within a value are part of it."""
    keys = [*_KEY.finditer(inside)]
    first = inside[: keys[0].start()] if keys else inside
    for bare in filter(None, (each.strip() for each in first.split(","))) if first.strip() else ():
        yield "", bare
    for key, after in zip_longest(keys, keys[1:]):
        yield key[1].lower(), inside[key.end() : after.start() if after else None]


def _only(given: Sequence[tuple[str, str]], key: str) -> str | None:
    """The one argument of a call that takes one."""
    return given[0][1] if len(given) == 1 and given[0][0] in (key, "") else None
