"""Answers read as actions: exactly as listed in ``released``, forgiving in ``standard``.

The action is what follows ``Action:`` on a line; an answer without such a line is the action itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice, product

from backburner.kernel.values import Refusal, Seat
from backburner.worlds.robotouille.game import legality, text
from backburner.worlds.robotouille.game.actions import Acts, GroundAction
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.domain import Action
from backburner.worlds.robotouille.game.scenarios import DISPATCHER
from backburner.worlds.robotouille.game.state import Kitchen

LONGEST = 10_000
"""Characters of a line that are looked at."""

MOST_READINGS = 1000
"""Actions that are looked at for the one that a line means."""


class Reader:
    """Reads answers over the things of one problem."""

    def __init__(self, engine: Compiled) -> None:
        self.engine = engine
        self.exact = engine.rules.exact_text_only
        flags = 0 if self.exact else re.IGNORECASE
        self._marker = re.compile(r"[\s*]*Action:[\s*]*(\S.*)", flags)
        self._finish, self._idle = self._folded(text.FINISH), self._folded(text.IDLE)
        self._patterns = [
            (action, re.compile(_pattern(action), flags)) for action in engine.domain.actions if action.text
        ]
        self._forms = cache(self._forms_of)

    def read(self, kitchen: Kitchen, seat: Seat, answer: str) -> Acts | Refusal:
        """The decision in an answer: its first action, or for a dispatcher one for each robot."""
        lines = self._lines(answer)
        if not lines:
            return legality.NO_ACTION
        n_robots = len(self.engine.robots) if seat == DISPATCHER else 1
        names: list[str] = []
        for line in lines if seat == DISPATCHER else lines[:1]:
            folded = self._folded(line)
            if folded == self._finish:
                return Acts(tuple(names), finish=True)
            if folded == self._idle:
                continue
            if len(names) == n_robots:
                return legality.too_many(len(lines), n_robots)
            found = self._action(kitchen, line, folded)
            if isinstance(found, Refusal):
                return found
            names.append(found)
        return Acts(tuple(names))

    def _lines(self, answer: str) -> list[str]:
        """The lines on which an action stands."""
        lines = [line for line in answer.splitlines() if line.strip()]
        marked = [match[1] for match in map(self._marker.match, lines) if match]
        return [line[:LONGEST].strip() for line in marked or lines[:1]]

    def _action(self, kitchen: Kitchen, line: str, folded: str) -> str | Refusal:
        """The name of the action that a line asks for."""
        alike = [deed.name for deed in self.engine.applicable(kitchen) if folded in self._forms(deed)]
        if len(alike) == 1 or (alike and not self.exact):
            return alike[0]
        if alike:
            return legality.ambiguous(line)
        return self._impossible(kitchen, self._tidy(line)) or legality.unknown_action(line)

    def _forms_of(self, deed: GroundAction) -> tuple[str, str]:
        """How a deed may be written."""
        return self._folded(deed.text), self._folded(deed.name)

    def _impossible(self, kitchen: Kitchen, line: str) -> str | None:
        """An action that is not possible now, so that it can be said why.

        If several are written so, the one that the fewest facts stand in the way of.
        """
        named = self.engine.find(self.engine.layout(kitchen), line)
        if named is not None:
            return named.name
        readings = list(islice(self._readings(kitchen, line), MOST_READINGS))
        return min(readings, key=lambda deed: _distance(deed, kitchen.facts)).name if readings else None

    def _readings(self, kitchen: Kitchen, line: str) -> Iterator[GroundAction]:
        """All actions that are written so, possible or not, whatever the words leave open."""
        layout = self.engine.layout(kitchen)
        here = [(index, thing) for index, thing in enumerate(layout.objects) if not kitchen.gone >> index & 1]
        indices = {self._folded(thing.name): index for index, thing in here}
        longest = max(map(len, indices))
        for action, pattern in self._patterns:
            # Longer lines would cost time for nothing where a pattern leaves many ways to match.
            if len(line) > len(action.text) + longest * action.text.count("{"):
                continue
            match = pattern.fullmatch(line)
            if match is None:
                continue
            said = {
                int(group[1:]): indices.get(self._folded(name)) for group, name in match.groupdict().items()
            }
            choices = [
                [index for index, thing in here if thing.type == type and said.get(place, index) == index]
                for place, type in enumerate(action.types)
            ]
            for args in product(*choices):
                if len(set(args)) == len(args):
                    yield self.engine.ground(layout, action.index, args)

    def _folded(self, line: str) -> str:
        return line if self.exact else self._tidy(line).casefold()

    def _tidy(self, line: str) -> str:
        """Without what people put around an action: quotes, asterisks, a full stop, double spaces."""
        return line if self.exact else re.sub(r"\s+", " ", line).strip(" \t\"'`*.")


def _pattern(action: Action) -> str:
    """A pattern of an action's sentence with names in it, as groups ``g0``, ``g1`` ... by parameter."""
    parts: list[str] = []
    seen: set[int] = set()
    for part in re.split(r"(\{[^{}]*\})", action.text):
        place = action.params.index(part[1:-1]) if part[1:-1] in action.params and part[0] == "{" else -1
        if place < 0:
            parts.append(re.escape(part))
        else:
            parts.append(f"(?P=g{place})" if place in seen else f"(?P<g{place}>\\S+?)")
            seen.add(place)
    return "".join(parts)


def _distance(deed: GroundAction, facts: int) -> int:
    """How many facts stand in the way of an action."""
    return (deed.needs & ~facts).bit_count() + (deed.forbids & facts).bit_count()
