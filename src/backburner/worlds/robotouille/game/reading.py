"""Reading answers in Robotouille: from a text to a decision.

An answer's action is what follows ``Action:`` on a line; an answer without such a line is the action
itself. Under ``released`` rules an action is read only as it is listed; ``standard`` rules forgive
capitals, spaces, quotes and full stops.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice, product
from typing import Any

from backburner.kernel.values import Refusal, Seat
from backburner.kernel.wrapping import found_within
from backburner.worlds.robotouille.game import legality
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.domain import Action
from backburner.worlds.robotouille.game.legality import GroundAction
from backburner.worlds.robotouille.game.scenarios import DISPATCHER
from backburner.worlds.robotouille.game.state import REMEMBERED, Acts, Kitchen
from backburner.worlds.robotouille.game.text import FINISH, IDLE

LONGEST = 10_000
"""Characters of a line that are looked at."""

MOST_READINGS = 1000
"""Actions that are looked at for the one that a line means."""


MOST_LINES = 1_000
"""So many lines of an answer are looked at: more than there are robots."""


class Reader:
    """Reads answers over the things of one problem."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.exact = compiled.rules.exact_text_only
        flags = 0 if self.exact else re.IGNORECASE
        self._marker = re.compile(r"[\s*]*Action:[\s*]*(\S.*)", flags)
        self._finish, self._idle = self._folded(FINISH), self._folded(IDLE)
        self._pieces = [
            (action, _cut_up(action, self._cased)) for action in compiled.domain.actions if action.text
        ]
        self._forms = cache(self._forms_of)
        self._spelled = lru_cache(maxsize=REMEMBERED)(self._spelled_in)

    def __reduce__(self) -> tuple[Any, ...]:
        """Made anew in another process, as what is remembered here cannot go there."""
        return Reader, (self.compiled,)

    def read(self, kitchen: Kitchen, seat: Seat, answer: str) -> Acts | Refusal:
        """The decision in an answer: its first action, or for a dispatcher one for each robot.

        Where text need not be exact, and its lines are none, an action is looked for in what is put around
        it; see ``wrapping``. Several different ones are no answer of one robot.
        """
        lines = [line for line in answer.splitlines() if line.strip()]
        marked = [match[1] for match in map(self._marker.match, lines) if match]
        said = [line[:LONGEST].strip() for line in (marked or lines[:1])[:MOST_LINES]]
        read = self._read(kitchen, seat, said)
        if self.exact or not isinstance(read, Refusal) or read.code not in UNREAD:
            return read
        within = "\n".join(said) if marked else answer
        found = found_within(within, lambda line: self._read(kitchen, seat, [line]))
        if len(found) <= 1:
            return found[0] if found else read
        if seat == DISPATCHER:
            return _together(found, len(self.compiled.robots))
        return legality.several([" and ".join(acts.acts) or IDLE for acts in found])

    def _read(self, kitchen: Kitchen, seat: Seat, lines: list[str]) -> Acts | Refusal:
        """The decision that stands on these lines."""
        if not lines:
            return legality.NO_ACTION
        n_robots = len(self.compiled.robots) if seat == DISPATCHER else 1
        names: list[str] = []
        for line in lines if seat == DISPATCHER else lines[:1]:
            folded = self._folded(line)
            if folded == self._finish:
                return Acts(tuple(names), finish=True)
            if folded == self._idle:
                continue
            if len(names) == n_robots:
                return legality.too_many(len(lines), n_robots)
            name = self._action(kitchen, line, folded)
            if isinstance(name, Refusal):
                return name
            names.append(name)
        return Acts(tuple(names))

    def _action(self, kitchen: Kitchen, line: str, folded: str) -> str | Refusal:
        """The name of the action that a line asks for."""
        alike = self._spelled(kitchen).get(folded)
        if alike:
            return alike[0] if len(alike) == 1 or not self.exact else legality.ambiguous(line)
        return self._inapplicable(kitchen, self._tidy(line)) or legality.unknown_action(line)

    def _spelled_in(self, kitchen: Kitchen) -> dict[str, list[str]]:
        """The names of the actions that can be done now, by each way to write them."""
        spelled: dict[str, list[str]] = {}
        for action in self.compiled.applicable(kitchen):
            for form in self._forms(action):
                spelled.setdefault(form, []).append(action.name)
        return spelled

    def _forms_of(self, action: GroundAction) -> tuple[str, ...]:
        """The two ways to write an action, its sentence and its name; one where they are the same."""
        return tuple(dict.fromkeys((self._folded(action.text), self._folded(action.name))))

    def _inapplicable(self, kitchen: Kitchen, line: str) -> str | None:
        """The name of an action that cannot be done now, so that the refusal can say why.

        Of several that are written so, it is the one with the fewest violated preconditions.
        """
        named = self.compiled.find(self.compiled.layout(kitchen), line)
        if named is not None:
            return named.name
        readings = list(islice(self._readings(kitchen, line), MOST_READINGS))
        return min(readings, key=lambda action: action.n_violated(kitchen.facts)).name if readings else None

    def _readings(self, kitchen: Kitchen, line: str) -> Iterator[GroundAction]:
        """All actions that are written so, applicable or not, with any thing where the words name none."""
        layout = self.compiled.layout(kitchen)
        here = [(index, thing) for index, thing in enumerate(layout.objects) if not kitchen.gone >> index & 1]
        indices = {self._folded(thing.name): index for index, thing in here}
        folded = self._folded(line)
        for action, pieces in self._pieces:
            for named in _names_in(folded, pieces, indices):
                if len(set(named.values())) < len(named):
                    continue
                choices = [
                    [
                        index
                        for index, thing in here
                        if thing.type == type and named.get(param, index) == index
                    ]
                    for param, type in enumerate(action.types)
                ]
                for args in product(*choices):
                    if len(set(args)) == len(args):
                        yield self.compiled.ground(layout, action.index, args)

    def _folded(self, line: str) -> str:
        return self._cased(self._tidy(line))

    def _cased(self, text: str) -> str:
        return text if self.exact else text.casefold()

    def _tidy(self, line: str) -> str:
        """Without what people put around an action: quotes, asterisks, a full stop, double spaces."""
        return line if self.exact else re.sub(r"\s+", " ", line).strip(" \t\"'`*.")


UNREAD = ("no_action", "unknown_action")
"""Codes of refusals of a text in which no action was found."""


def _together(found: Sequence[Acts], n_robots: int) -> Acts | Refusal:
    """The actions of a dispatcher that stand on lines of their own."""
    names = tuple(name for acts in found for name in acts.acts)
    if len(names) > n_robots:
        return legality.too_many(len(names), n_robots)
    return Acts(names, finish=any(acts.finish for acts in found))


_Pieces = Sequence[str | int]
"""A sentence cut up: words, and the parameters, by their positions, that stand between them."""


def _cut_up(action: Action, folded: Callable[[str], str]) -> _Pieces:
    """Such as ``(0, " goes from ", 1, " to ", 2)``."""
    pieces: list[str | int] = []
    for piece in re.split(r"(\{[^{}]*\})", action.text):
        if piece[:1] == "{" and piece[1:-1] in action.params:
            pieces.append(action.params.index(piece[1:-1]))
        elif piece:
            pieces.append(folded(piece))
    return pieces


def _names_in(line: str, pieces: _Pieces, things: Mapping[str, int]) -> Iterator[Mapping[int, int]]:
    """Each way to read a line as such a sentence: the thing that each parameter of it names.

    At any place of the line only a few names can begin, such as ``table1`` and ``table12``.
    """
    lengths = sorted({len(name) for name in things}, reverse=True)

    def read(at: int, number: int, named: Mapping[int, int]) -> Iterator[Mapping[int, int]]:
        if number == len(pieces):
            if at == len(line):
                yield named
            return
        piece = pieces[number]
        if isinstance(piece, str):
            if line.startswith(piece, at):
                yield from read(at + len(piece), number + 1, named)
            return
        for length in lengths:
            thing = things.get(line[at : at + length])
            if thing is not None and named.get(piece, thing) == thing:
                yield from read(at + length, number + 1, {**named, piece: thing})

    return read(0, 0, {})
