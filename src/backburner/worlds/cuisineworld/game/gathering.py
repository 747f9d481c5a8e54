"""The decisions of all seats as one list of commands, and what of them is refused at sight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from backburner.kernel.values import Refusal, Seat
from backburner.worlds.cuisineworld.game.actions import MOST_TOLD, NO_COMMAND, Command, Commands, bad
from backburner.worlds.cuisineworld.game.command_reading import CommandReader
from backburner.worlds.cuisineworld.game.rule_set import Rules
from backburner.worlds.cuisineworld.game.seats import Seating, body_name

Given = tuple[Command, Seat, int]
"""A command, whose it is, and its place in the decision."""


class Gathered(Struct, frozen=True, gc=False):
    """What is to be carried out, in order. ``silent``: nobody gave any command."""

    commands: list[Given]
    refusals: tuple[Refusal, ...]
    silent: bool


class Gatherer:
    """Reads the decisions of a scenario's seats."""

    def __init__(self, rules: Rules, seating: Seating, reader: CommandReader) -> None:
        self.voids_all = rules.bad_command_voids_all
        self.seating = seating
        self.reader = reader

    def gather(self, decisions: Mapping[Seat, Any]) -> Gathered:
        """All commands that can be tried, and refusals of the others.

        Where one bad command voids all, the first one that cannot be read does, or else the first
        second one for a body.
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
            return Gathered(commands, (), silent)
        commands, twice = self._once(commands)
        if self.voids_all and (refused or twice):
            return Gathered([], (*unread, (refused or twice)[0]), silent)
        return Gathered(commands, (*unread, *_told(refused + twice)), silent)

    def _take(
        self, decision: Commands, seat: Seat, number: int, commands: list[Given], refused: list[Refusal]
    ) -> None:
        """One seat's commands, read."""
        if not decision.commands and self.voids_all:
            refused.append(_placed(bad("empty", ""), seat, 0))
        for index, text in enumerate(decision.commands):
            command = self.reader.read(text)
            if isinstance(command, Refusal):
                refused.append(_placed(command, seat, index))
            elif self.seating.owner[command.body] != number:
                other = bad("other_agent", text, agent=body_name(command.body))
                refused.append(_placed(other, seat, index))
            else:
                commands.append((command, seat, index))

    def _once(self, commands: list[Given]) -> tuple[list[Given], list[Refusal]]:
        """The first command of each body, and refusals of the others."""
        found: dict[int, Given] = {}
        twice: list[Refusal] = []
        for given in commands:
            command, seat, index = given
            if command.body in found:
                said = bad("duplicate_agent", command.text, agent=body_name(command.body))
                twice.append(_placed(said, seat, index))
            else:
                found[command.body] = given
        return list(found.values()), twice


def _placed(refusal: Refusal, seat: Seat, index: int) -> Refusal:
    return Refusal(refusal.code, refusal.fault, refusal.detail, seat, index)


def _told(refusals: list[Refusal]) -> Iterator[Refusal]:
    """The first refusals of each seat, and how many more there are."""
    counted: Counter[Seat] = Counter()
    for refusal in refusals:
        counted[refusal.seat] += 1
        if counted[refusal.seat] <= MOST_TOLD:
            yield refusal
    for seat, count in counted.items():
        if count > MOST_TOLD:
            yield _placed(bad("more", "", count=count - MOST_TOLD), seat, MOST_TOLD)
