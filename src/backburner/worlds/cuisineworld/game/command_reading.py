"""One command as it is written, read into numbers."""

from __future__ import annotations

from backburner.kernel.errors import shorten
from backburner.kernel.values import Refusal
from backburner.worlds.cuisineworld.game.actions import (
    ACTIVATE,
    GET,
    GOTO,
    NOOP,
    PUT,
    UNKNOWN,
    VERBS,
    Command,
    bad,
)
from backburner.worlds.cuisineworld.game.kitchen import STORAGE, TOOL, Kitchen
from backburner.worlds.cuisineworld.game.rule_set import Rules
from backburner.worlds.cuisineworld.game.seats import body_name
from backburner.worlds.cuisineworld.game.state import NOTHING

FEWEST_FIELDS, MOST_FIELDS = 2, 4
LONGEST_LABEL = 60
"""Signs of an unusual command that its label keeps."""


class CommandReader:
    """Reads single commands for the bodies and places of one kitchen."""

    def __init__(self, kitchen: Kitchen, bodies: int, rules: Rules) -> None:
        self.kitchen = kitchen
        self.rules = rules
        self.bodies = {body_name(body): body for body in range(bodies)}
        self._usual = {command.text: command for command in self._everything()}

    def read(self, text: str) -> Command | Refusal:
        """The command, or what is wrong with it."""
        return self._usual.get(text) or self._read(text)

    def _everything(self) -> list[Command]:
        """The commands that menus are made of."""
        kitchen, found = self.kitchen, []
        for body in self.bodies.values():
            found.append(self.command(NOOP, body))
            for place, role in enumerate(kitchen.roles):
                verbs = (GOTO, GET, PUT, ACTIVATE) if role == TOOL else (GOTO, PUT)
                found += [self.command(verb, body, place) for verb in verbs]
                if role == STORAGE:
                    found += [self.command(GET, body, place, item) for item in kitchen.level_ingredients]
        return found

    def command(self, verb: int, body: int, place: int = -1, item: int = NOTHING) -> Command:
        """The command of these numbers, as it is usually written."""
        kitchen = self.kitchen
        named = () if item == NOTHING else (kitchen.things[item],)
        where = () if place < 0 else (kitchen.places[place],)
        return Command(
            verb,
            body,
            place,
            item,
            " ".join((VERBS[verb], *named, *where)),
            "_".join((VERBS[verb], body_name(body), *named, *where)),
        )

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
        place = self.kitchen.place_number.get(fields[-1], -1) if len(fields) > FEWEST_FIELDS else -1
        if len(fields) > FEWEST_FIELDS and place < 0:
            return bad("location", text)
        if len(fields) == MOST_FIELDS and verb not in (GET, PUT):
            return bad("args", text, silent=1) if self.rules.silent_refusals else bad("args", text)
        if place < 0 and verb != NOOP:
            return bad("no_place", text)
        if not 0 <= body < len(self.bodies):
            return bad("no_such_agent", text)
        named = fields[2] if len(fields) == MOST_FIELDS else ""
        item = self.kitchen.thing_number.get(named, UNKNOWN) if named else NOTHING
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
