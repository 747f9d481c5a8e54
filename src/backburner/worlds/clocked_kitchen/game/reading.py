"""From texts to commands in numbers: a free answer, one command, the decision of a seat."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from backburner.kernel.values import Refusal, Seat
from backburner.worlds.clocked_kitchen.game.compiled import Compiled
from backburner.worlds.clocked_kitchen.game.rule_set import TEXT_RULES
from backburner.worlds.clocked_kitchen.game.state import (
    GET,
    MOST_TICKS,
    MOVE,
    NOOP,
    VERBS,
    WAYS,
    Command,
    Input,
    refused,
)
from backburner.worlds.cuisineworld.game import state as text_game
from backburner.worlds.cuisineworld.game.reading import CommandReader, TextReader
from backburner.worlds.cuisineworld.game.state import MOST_TOLD, NO_COMMAND, NOTHING, bad

KEEP = "keep"
"""An answer without commands: everybody goes on with what is under way. ``keep 30``: for 30 ticks."""

LONGEST_TYPED = 200
TYPED_VERBS = frozenset(VERBS[: MOVE + 1])

KEEPING = re.compile(r"\s{0,99}keep(?:\s{1,9}([0-9]{1,9}))?\s{0,99}", re.IGNORECASE | re.ASCII)


class Given(Struct, frozen=True, gc=False):
    """What a seat has decided: commands that can be tried, each with its index; what is refused at sight.

    ``ticks``: as in ``Input``. ``silent``: there is no decision yet.
    """

    commands: tuple[tuple[Command, int], ...]
    refusals: tuple[Refusal, ...]
    ticks: int
    silent: bool = False


class Reader:
    """Reads what the seats of a scenario answer and decide."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self._texts = TextReader(compiled.kitchen, TEXT_RULES)
        self._commands = CommandReader(compiled.kitchen, len(compiled.names), TEXT_RULES)
        things = compiled.kitchen.things
        self._ingredients = frozenset(things[number] for number in compiled.kitchen.level_ingredients)
        self._usual = {command.text: command for command in self._steps()}

    def _steps(self) -> Iterator[Command]:
        for body, name in enumerate(self.compiled.names):
            for way, word in enumerate(WAYS):
                yield Command(MOVE, body, way, NOTHING, f"{VERBS[MOVE]}_{name}_{word}")

    def read(self, text: str) -> Input | Refusal:
        """All commands in a text, ``keep``, or that there is neither."""
        if keeps := KEEPING.fullmatch(text[:200]) if len(text) < 200 else None:
            return Input(ticks=min(int(keeps[1] or 0), MOST_TICKS))
        read = self._texts.read(text)
        return read if isinstance(read, Refusal) else Input(read.commands)

    def typed(self, line: str, body: int) -> str:
        """The command of a line without a body and perhaps without the storage; the line where it is none."""
        words = line.split() if len(line) <= LONGEST_TYPED else []
        if not 1 <= len(words) <= 3 or words[0].lower() not in TYPED_VERBS:
            return line
        kitchen, names = self.compiled.kitchen, words[1:]
        known = {name.lower(): name for name in (*kitchen.things, *kitchen.places, *WAYS)}
        if any(name.lower() not in known for name in names):
            return line
        names = [known[name.lower()] for name in names]
        fetched = words[0].lower() == VERBS[GET] and names[0] in self._ingredients if names else False
        if len(names) == 1 and fetched:
            names.append(self.compiled.storage_name)
        return "_".join((words[0].lower(), self.compiled.names[body], *names))

    def command(self, text: str) -> Command | Refusal:
        """A command in numbers, or what is wrong with it."""
        return self._usual.get(text) or self._read(text)

    def _read(self, text: str) -> Command | Refusal:
        fields = text.split("_", 3)
        if fields[0] == VERBS[MOVE]:
            return self._move(text, fields)
        read = self._commands.read(text)
        if isinstance(read, text_game.Fatal):
            return bad(read.code, text)
        if isinstance(read, Refusal):
            return read
        target = NOTHING
        if read.verb != NOOP:
            targets = self.compiled.floor.target_of
            target = targets.get((read.place, read.item), -1)
            target = targets[read.place, NOTHING] if target < 0 else target
        return Command(read.verb, read.body, target, read.item, text)

    def _move(self, text: str, fields: list[str]) -> Refusal:
        """What is wrong with a step; those that are right are known."""
        if len(fields) != 3:
            return bad("arity", text)
        known = self._commands.read(f"noop_{fields[1]}")
        if isinstance(known, text_game.Fatal | Refusal):
            return bad(known.code, text)
        return refused("direction", text, "", 0, {"ways": ", ".join(WAYS)})

    def decision(self, decision: Any, seat: Seat) -> Given:
        """A seat's decision, read."""
        if not isinstance(decision, Input):
            why = decision if isinstance(decision, Refusal) else NO_COMMAND
            return Given((), (why.at(seat),), 0)
        if not 0 <= decision.ticks <= MOST_TICKS:
            wrong = refused("ticks", str(decision.ticks)[:20], seat, 0, {"most": str(MOST_TICKS)})
            return Given((), (wrong,), 0)
        if not decision.commands:
            return Given((), (), decision.ticks, decision.silent)
        return self._all(decision, seat)

    def _all(self, decision: Input, seat: Seat) -> Given:
        own = self.compiled.seating.bodies_of[seat]
        commands: dict[int, tuple[Command, int]] = {}
        refusals: list[Refusal] = []
        for index, text in enumerate(decision.commands):
            if len(refusals) >= MOST_TOLD:
                more = bad("more", "", count=len(decision.commands) - index)
                refusals.append(more.at(seat, index))
                break
            command = self.command(text)
            if isinstance(command, Refusal):
                refusals.append(command.at(seat, index))
            elif command.body not in own or command.body in commands:
                code = "duplicate_agent" if command.body in own else "other_agent"
                agent = self.compiled.names[command.body]
                refusals.append(refused(code, text, seat, index, {"agent": agent}))
            else:
                commands[command.body] = command, index
        return Given(tuple(commands.values()), tuple(refusals), decision.ticks)
