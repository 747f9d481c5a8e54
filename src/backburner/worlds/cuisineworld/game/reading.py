"""From texts to commands in numbers: a free answer, one command, the decisions of all seats."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from backburner.kernel.errors import shorten
from backburner.kernel.values import Refusal, Seat
from backburner.worlds.cuisineworld.game.actions import (
    ACTIVATE,
    GET,
    GOTO,
    MOST_TOLD,
    NO_COMMAND,
    NOOP,
    PUT,
    UNKNOWN,
    VERBS,
    Command,
    Commands,
    bad,
)
from backburner.worlds.cuisineworld.game.compiled import STORAGE, TOOL, Compiled
from backburner.worlds.cuisineworld.game.rule_set import Rules
from backburner.worlds.cuisineworld.game.scenarios import Seating, body_name
from backburner.worlds.cuisineworld.game.state import NOTHING

# Bounded repetitions: a text of a million letters is read in one go.
WORDS = r"(?<![A-Za-z0-9_])[A-Za-z]{1,20}_agent[0-9]{1,9}(?:_[A-Za-z0-9]{1,60}){0,4}"
CALLS = (
    rf"(?<![A-Za-z0-9_])(?:{'|'.join(VERBS)}) ?\( ?agent[0-9]{{1,9}}(?: ?, ?[A-Za-z0-9]{{1,60}}){{0,2}} ?\)"
)

FEWEST_FIELDS, MOST_FIELDS = 2, 4
LONGEST_LABEL = 60
"""Characters of an unusual command that its label keeps."""


class TextReader:
    """Finds commands in free text: everything that is written like ``verb_agentN_...``, in order.

    Unless text is to be exact, capitals do not matter, and ``get(agent0, storage0, salmon)``, as the
    article writes commands, is read as well.
    """

    def __init__(self, compiled: Compiled, rules: Rules) -> None:
        self.exact = rules.exact_text
        self._places = {name.lower() for name in compiled.places}
        names = (*compiled.places, *compiled.things)
        self._names = {name.lower(): name for name in names}
        self._pattern = re.compile(WORDS) if self.exact else re.compile(f"{WORDS}|{CALLS}", re.IGNORECASE)

    def read(self, text: str) -> Commands | Refusal:
        """All commands in a text, or that there is none."""
        commands = self._pattern.findall(text)
        if not self.exact:
            commands = [self._usual(command) for command in commands]
        return Commands(tuple(commands)) if commands else NO_COMMAND

    def _usual(self, written: str) -> str:
        """A command in the usual order and spelling."""
        if "(" not in written:
            return "_".join(self._spelt(written.split("_")))
        fields = [field.strip() for field in re.split(r"[(,)]", written) if field.strip()]
        things = sorted(fields[2:], key=lambda field: field.lower() in self._places)
        return "_".join(self._spelt([*fields[:2], *things]))

    def _spelt(self, fields: list[str]) -> Iterator[str]:
        """Verb and body in small letters, names as they are known."""
        for index, field in enumerate(fields):
            yield field.lower() if index < 2 else self._names.get(field.lower(), field)


class CommandReader:
    """Reads single commands for the bodies and places of one kitchen."""

    def __init__(self, compiled: Compiled, bodies: int, rules: Rules) -> None:
        self.compiled = compiled
        self.rules = rules
        self.bodies = {body_name(body): body for body in range(bodies)}
        self._usual = {command.text: command for command in self._in_menus()}

    def read(self, text: str) -> Command | Refusal:
        """The command, or what is wrong with it."""
        return self._usual.get(text) or self._read(text)

    def _in_menus(self) -> Iterator[Command]:
        """The commands that menus are made of."""
        compiled = self.compiled
        for body in self.bodies.values():
            yield self.command(NOOP, body)
            for place, role in enumerate(compiled.roles):
                for verb in (GOTO, GET, PUT, ACTIVATE) if role == TOOL else (GOTO, PUT):
                    yield self.command(verb, body, place)
                if role == STORAGE:
                    for item in compiled.level_ingredients:
                        yield self.command(GET, body, place, item)

    def command(self, verb: int, body: int, place: int = -1, item: int = NOTHING) -> Command:
        """The command of these numbers, as it is usually written."""
        compiled = self.compiled
        named = () if item == NOTHING else (compiled.things[item],)
        where = () if place < 0 else (compiled.places[place],)
        label = " ".join((VERBS[verb], *named, *where))
        text = "_".join((VERBS[verb], body_name(body), *named, *where))
        return Command(verb, body, place, item, label, text)

    def _read(self, text: str) -> Command | Refusal:
        fields = text.split("_", MOST_FIELDS)
        if not FEWEST_FIELDS <= len(fields) <= MOST_FIELDS:
            return bad("arity", text)
        if fields[0] not in VERBS:
            return bad("verb", text)
        verb = VERBS.index(fields[0])
        body = self._body(fields[1], text)
        if isinstance(body, Refusal):
            return body
        place = self.compiled.place_number.get(fields[-1], -1) if len(fields) > FEWEST_FIELDS else -1
        if len(fields) > FEWEST_FIELDS and place < 0:
            return bad("location", text)
        if len(fields) == MOST_FIELDS and verb not in (GET, PUT):
            return bad("args", text, silent=1) if self.rules.silent_refusals else bad("args", text)
        if place < 0 and verb != NOOP:
            return bad("no_place", text)
        if not 0 <= body < len(self.bodies):
            return bad("no_such_agent", text)
        named = fields[2] if len(fields) == MOST_FIELDS else ""
        item = self.compiled.thing_number.get(named, UNKNOWN) if named else NOTHING
        label = shorten(" ".join((VERBS[verb], *fields[2:])), LONGEST_LABEL)
        return Command(verb, body, place, item, label, text)

    def _body(self, written: str, text: str) -> int | Refusal:
        """The body's number, out of range where there is no such body."""
        if not self.rules.loose_body_numbers:
            digits = written.removeprefix("agent")
            if digits == written or not (digits.isascii() and digits.isdigit()):
                return bad("agent", text)
            return self.bodies.get(written, len(self.bodies))
        try:
            number = int(written.replace("agent", ""))
        except ValueError:
            return bad("agent", text)
        return number + len(self.bodies) if -len(self.bodies) <= number < 0 else number


Given = tuple[Command, Seat, int]
"""A command, whose it is, and its index in the decision."""


class JointAction(Struct, frozen=True, gc=False):
    """The commands of all seats in order, and what is refused at sight. ``silent``: nobody gave any."""

    commands: list[Given]
    refusals: tuple[Refusal, ...]
    silent: bool


class JointReader:
    """Reads the decisions of a scenario's seats."""

    def __init__(self, rules: Rules, seating: Seating, reader: CommandReader) -> None:
        self.voids_all = rules.bad_command_voids_all
        self.seating = seating
        self.reader = reader

    def read(self, decisions: Mapping[Seat, Any]) -> JointAction:
        """All commands that can be tried, and refusals of the others.

        Where one bad command voids all, one refusal is given: of the first command that cannot be read or,
        if all can, of the first that is the second for its body.
        """
        unread: list[Refusal] = []
        commands: list[Given] = []
        refused: list[Refusal] = []
        for number, seat in enumerate(self.seating.seats):
            decision = decisions.get(seat, NO_COMMAND)
            if isinstance(decision, Commands):
                self._take(decision, seat, number, commands, refused)
            else:
                refusal = decision if isinstance(decision, Refusal) else NO_COMMAND
                unread.append(Refusal(refusal.code, refusal.fault, refusal.detail, seat))
        silent = len(unread) == len(self.seating.seats)
        if not unread and not refused and len({given[0].body for given in commands}) == len(commands):
            return JointAction(commands, (), silent)
        commands, twice = _once(commands)
        if self.voids_all and (refused or twice):
            return JointAction([], (*unread, (refused or twice)[0]), silent)
        return JointAction(commands, (*unread, *_first_of_each(refused + twice)), silent)

    def _take(
        self, decision: Commands, seat: Seat, number: int, commands: list[Given], refused: list[Refusal]
    ) -> None:
        """Read one seat's commands into ``commands`` and ``refused``."""
        if not decision.commands and self.voids_all:
            refused.append(_located(bad("empty", ""), seat, 0))
        for index, text in enumerate(decision.commands):
            command = self.reader.read(text)
            if isinstance(command, Refusal):
                refused.append(_located(command, seat, index))
            elif self.seating.owner[command.body] != number:
                other = bad("other_agent", text, agent=body_name(command.body))
                refused.append(_located(other, seat, index))
            else:
                commands.append((command, seat, index))


def _once(commands: list[Given]) -> tuple[list[Given], list[Refusal]]:
    """The first command of each body, and refusals of the others."""
    first: dict[int, Given] = {}
    twice: list[Refusal] = []
    for given in commands:
        command, seat, index = given
        if command.body in first:
            refusal = bad("duplicate_agent", command.text, agent=body_name(command.body))
            twice.append(_located(refusal, seat, index))
        else:
            first[command.body] = given
    return list(first.values()), twice


def _located(refusal: Refusal, seat: Seat, index: int) -> Refusal:
    return Refusal(refusal.code, refusal.fault, refusal.detail, seat, index)


def _first_of_each(refusals: list[Refusal]) -> Iterator[Refusal]:
    """The first ``MOST_TOLD`` refusals of each seat, and how many more there are."""
    counted: Counter[Seat] = Counter()
    for refusal in refusals:
        counted[refusal.seat] += 1
        if counted[refusal.seat] <= MOST_TOLD:
            yield refusal
    for seat, count in counted.items():
        if count > MOST_TOLD:
            yield _located(bad("more", "", count=count - MOST_TOLD), seat, MOST_TOLD)
