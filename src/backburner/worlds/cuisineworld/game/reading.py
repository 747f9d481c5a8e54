"""From texts to commands in numbers: a free answer, one command, the decisions of all seats."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from msgspec import Struct

from backburner.kernel.errors import shorten
from backburner.kernel.values import Refusal, Seat
from backburner.worlds.cuisineworld.game.compiled import STORAGE, TOOL, Compiled
from backburner.worlds.cuisineworld.game.rule_set import Rules
from backburner.worlds.cuisineworld.game.scenarios import body_name
from backburner.worlds.cuisineworld.game.state import (
    ACTIVATE,
    GET,
    GOTO,
    MOST_TOLD,
    NO_COMMAND,
    NOOP,
    NOTHING,
    PUT,
    UNKNOWN,
    VERBS,
    Act,
    Command,
    Commands,
    Fatal,
    bad,
    is_silence,
)
from backburner.worlds.dispatch.seating import Seating

# Where repetitions have no bound, nothing follows that could fail and send the search back: a text of a
# million letters is read in one go.
VERB = f"(?:{'|'.join(VERBS)})"
WORD_BEGINS = r"(?a:\b)"
AS_A_WORD = r"_agent[0-9]{1,9}(?:_[A-Za-z0-9]{1,60}){0,4}"
AS_IT_GOES_ON = r"_agent(?u:\d+)(?:_[a-zA-Z0-9_]+)?"
CALLS = rf"{VERB} ?\( ?agent[0-9]{{1,9}}(?: ?, ?[A-Za-z0-9]{{1,60}}){{0,2}} ?\)"

FEWEST_FIELDS, MOST_FIELDS = 2, 4
LONGEST_LABEL = 60
"""Characters of an unusual command that its label keeps."""

LONGEST_PLAIN = 10_000
"""Characters of a text that may be nothing but commands as they are usually written."""

MOST_KNOWN = 4096
"""Ways in which commands are written that a reader remembers."""

MOST_READ = 1000
"""Commands of one answer that are looked at where text need not be exact; nobody has so many bodies."""


def pattern_of(rules: Rules) -> re.Pattern[str]:
    """What a command looks like in a text."""
    verb = VERB if rules.other_words_are_prose else "[A-Za-z]{1,20}"
    command = f"{verb}{AS_IT_GOES_ON}" if rules.commands_within_words else f"{verb}{AS_A_WORD}"
    begin = "" if rules.commands_within_words else WORD_BEGINS
    # ASCII: among all letters, capitals of others than A to Z would be taken for these.
    if rules.exact_text:
        return re.compile(f"{begin}{command}")
    return re.compile(f"{begin}(?:{command}|{CALLS})", re.IGNORECASE | re.ASCII)


class TextReader:
    """Finds commands in free text: everything that is written like ``verb_agentN_...``, in order.

    Unless text is to be exact, capitals do not matter, and ``get(agent0, storage0, salmon)``, as the
    article writes commands, is read as well; then ``MOST_READ`` commands are looked at. ``usual``: commands
    as they are usually written, which need not be searched for where a text is nothing else.
    """

    def __init__(self, compiled: Compiled, rules: Rules, usual: Iterable[str] = ()) -> None:
        self.exact = rules.exact_text
        self._places = {name.lower() for name in compiled.places}
        names = (*compiled.places, *compiled.things)
        self._names = {name.lower(): name for name in names}
        self._pattern = pattern_of(rules)
        self._plain = frozenset(filter(self._is_plain, usual))
        self._known = {command: command for command in self._plain}

    def read(self, text: str) -> Commands | Refusal:
        """All commands in a text, or that there is none."""
        commands = text.split() if len(text) <= LONGEST_PLAIN else []
        if not commands or not self._plain.issuperset(commands):
            commands = self._searched(text)
        return Commands(tuple(commands)) if commands else NO_COMMAND

    def _is_plain(self, command: str) -> bool:
        """Whether a search for commands in this one finds it as it stands."""
        found = self._pattern.fullmatch(command) is not None
        return found and (self.exact or self._respelt(command) == command)

    def _searched(self, text: str) -> list[str]:
        if self.exact:
            return self._pattern.findall(text)
        known, found = self._known, islice(self._pattern.finditer(text), MOST_READ)
        return [known.get(match[0]) or self._remembered(match[0]) for match in found]

    def _remembered(self, written: str) -> str:
        """A command in the usual order and spelling, which is kept for the next time."""
        usual = self._respelt(written)
        if len(self._known) < MOST_KNOWN:
            self._known[written] = usual
        return usual

    def _respelt(self, written: str) -> str:
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
        self.usual = {command.text: command for command in self._in_menus()}

    def read(self, text: str) -> Command | Fatal | Refusal:
        """The command, or what is wrong with it."""
        return self.usual.get(text) or self._read(text)

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
        return Command(verb, body, place, item, label, text, body)

    def of(self, act: Act) -> Command:
        """The command of an act; what is taken from a storage is named."""
        named = act.verb == GET and self.compiled.roles[act.place] == STORAGE
        return self.command(act.verb, act.body, act.place, act.thing if named else NOTHING)

    def _read(self, text: str) -> Command | Fatal | Refusal:
        fields = text.split("_", MOST_FIELDS)
        if not FEWEST_FIELDS <= len(fields) <= MOST_FIELDS:
            return bad("arity", text)
        if fields[0] not in VERBS:
            return bad("verb", text)
        verb = VERBS.index(fields[0])
        number = self._number(fields[1], text)
        if isinstance(number, Refusal):
            return number
        place = self.compiled.place_number.get(fields[-1], -1) if len(fields) > FEWEST_FIELDS else -1
        too_many = len(fields) == MOST_FIELDS and verb not in (GET, PUT)
        unknown = len(fields) > FEWEST_FIELDS and place < 0
        if too_many and (self.rules.arguments_before_places or not unknown):
            return bad("args", text, silent=1) if self.rules.silent_refusals else bad("args", text)
        if unknown:
            return bad("location", text)
        if place < 0 and verb != NOOP:
            return Fatal("no_place", number, text)
        body = number + len(self.bodies) if number < 0 else number
        if not 0 <= body < len(self.bodies):
            return Fatal("no_such_agent", number, text)
        named = fields[2] if len(fields) == MOST_FIELDS else ""
        item = self.compiled.thing_number.get(named, UNKNOWN) if named else NOTHING
        label = shorten(" ".join((VERBS[verb], *fields[2:])), LONGEST_LABEL)
        number = number if self.rules.numbers_tell_bodies_apart else body
        return Command(verb, body, place, item, label, text, number)

    def _number(self, written: str, text: str) -> int | Refusal:
        """The body's number as it is written, out of range where there is no such body."""
        if not self.rules.loose_body_numbers:
            digits = written.removeprefix("agent")
            if digits == written or not (digits.isascii() and digits.isdigit()):
                return bad("agent", text)
            return self.bodies.get(written, len(self.bodies))
        try:
            return int(written.replace("agent", ""))
        except ValueError:  # also for a number of more digits than Python reads
            return bad("agent", text)


Given = tuple[Command, Seat, int]
"""A command, whose it is, and its index in the decision."""


class JointAction(Struct, frozen=True, gc=False):
    """The commands of all seats in order, and what is refused at sight. ``silent``: nobody gave any.

    ``thinking``: the seats that have not decided yet; ``steps``: how many go by, more than one only where
    nobody has.
    """

    commands: list[Given]
    refusals: tuple[Refusal, ...]
    silent: bool
    thinking: Collection[Seat] = ()
    steps: int = 1


class _Read(Struct, gc=False):
    """What is read of a joint action: commands, those that end the released program, what is refused."""

    unread: list[Refusal] = []
    commands: list[Given] = []
    fatal: list[tuple[Fatal, Seat, int]] = []
    refused: list[Refusal] = []
    thinking: dict[Seat, int] = {}

    @property
    def sound(self) -> bool:
        """Whether all that was given can be tried, each body having one command."""
        if self.unread or self.refused or self.fatal:
            return False
        commands = self.commands
        return len(commands) < 2 or len({given[0].number for given in commands}) == len(commands)


class JointReader:
    """Reads the decisions of a scenario's seats."""

    def __init__(self, rules: Rules, seating: Seating, reader: CommandReader) -> None:
        self.voids_all = rules.bad_command_voids_all
        self.crashes_last = rules.crashes_told_last
        self.seating = seating
        self.reader = reader
        self._without_bodies = tuple(seat for seat in seating.seats if not seating.bodies_of[seat])

    def read(self, decisions: Mapping[Seat, Any]) -> JointAction:
        """All commands that can be tried, and refusals of the others.

        Where one bad command voids all, one refusal is given: of the first command that cannot be read or,
        if all can, of the first that is the second for its body, and may be after that of the first with
        which the released program ends.
        """
        read = _Read()
        for seat in self.seating.workers:
            decision = decisions.get(seat, NO_COMMAND)
            if isinstance(decision, Commands) and decision.instruction is None and not decision.silent:
                self._take(decision, seat, read)
            elif is_silence(decision):
                read.thinking[seat] = decision.silent
            else:
                refusal = decision if isinstance(decision, Refusal) else NO_COMMAND
                read.unread.append(refusal.at(seat))
        thought = read.thinking or self._without_bodies
        steps = self._thought(decisions, read.thinking) if thought else 1
        if read.sound:
            return JointAction(read.commands, (), False, read.thinking, steps)
        silent = len(read.unread) == len(self.seating.workers)
        if self.voids_all and (fault := self._fault(read)):
            return JointAction([], (*read.unread, fault), silent, read.thinking)
        commands, twice = _once(read.commands)
        refused = _first_of_each([*read.refused, *twice])
        return JointAction(commands, (*read.unread, *refused), silent, read.thinking)

    def _thought(self, decisions: Mapping[Seat, Any], thinking: dict[Seat, int]) -> int:
        """The steps that go by, with who has no bodies and has not decided yet either."""
        for seat in self._without_bodies:
            if is_silence(decision := decisions.get(seat)):
                thinking[seat] = decision.silent
        return min(thinking.values()) if len(thinking) == len(self.seating.seats) else 1

    def _take(self, decision: Commands, seat: Seat, read: _Read) -> None:
        """Read one seat's commands."""
        owner, usual, give = self.seating.owner, self.reader.usual, read.commands.append
        if not decision.commands and self.voids_all:
            read.refused.append(bad("empty", "").at(seat))
        for index, text in enumerate(decision.commands):
            if self.voids_all and read.refused:
                return  # the first that cannot be read is the only one that is told
            command = usual.get(text) or self.reader.read(text)
            if isinstance(command, Command) and owner[command.body] == seat:
                give((command, seat, index))
            elif isinstance(command, Refusal):
                read.refused.append(command.at(seat, index))
            elif isinstance(command, Fatal):
                if self.voids_all and self.crashes_last:
                    read.fatal.append((command, seat, index))
                else:
                    read.refused.append(bad(command.code, text).at(seat, index))
            else:
                other = bad("other_agent", text, agent=body_name(command.body))
                read.refused.append(other.at(seat, index))

    def _fault(self, read: _Read) -> Refusal | None:
        """Why the whole joint action is refused, if it is."""
        if read.refused:
            return read.refused[0]
        given: list[tuple[Command | Fatal, Seat, int]] = [*read.commands, *read.fatal]
        seen: set[int] = set()
        for command, seat, index in given:
            if command.number in seen:
                return _twice(command, seat, index)
            seen.add(command.number)
        for fatal, seat, index in read.fatal:
            return bad(fatal.code, fatal.text).at(seat, index)
        return None


def _once(commands: list[Given]) -> tuple[list[Given], Iterator[Refusal]]:
    """The first command of each body, and refusals of the others."""
    first: dict[int, Given] = {}
    others: list[Given] = []
    for given in commands:
        if first.setdefault(given[0].number, given) is not given:
            others.append(given)
    return list(first.values()), (_twice(*given) for given in others)


def _twice(command: Command | Fatal, seat: Seat, index: int) -> Refusal:
    """The refusal of a second command for a body."""
    agent = shorten(body_name(command.number))
    return bad("duplicate_agent", command.text, agent=agent).at(seat, index)


def _first_of_each(refusals: list[Refusal]) -> Iterator[Refusal]:
    """The first ``MOST_TOLD`` refusals of each seat, and how many more there are."""
    counted: Counter[Seat] = Counter()
    for refusal in refusals:
        counted[refusal.seat] += 1
        if counted[refusal.seat] <= MOST_TOLD:
            yield refusal
    for seat, count in counted.items():
        if count > MOST_TOLD:
            yield bad("more", "", count=count - MOST_TOLD).at(seat, MOST_TOLD)
