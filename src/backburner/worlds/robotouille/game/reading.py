"""Answers read as decisions, and decisions written as answers.

The action is what follows ``Action:`` on a line; an answer without such a line is the action itself.
Under ``released`` rules an action is read only as it is listed; ``standard`` rules forgive capitals,
spaces, quotes and full stops.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice, product

from backburner.kernel.values import Refusal, Seat
from backburner.worlds.robotouille.game import legality, text
from backburner.worlds.robotouille.game.actions import Acts, GroundAction, filled
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.domain import Action, Domain
from backburner.worlds.robotouille.game.scenarios import DISPATCHER
from backburner.worlds.robotouille.game.state import Kitchen

LONGEST = 10_000
"""Characters of a line that are looked at."""

MOST_READINGS = 1000
"""Actions that are looked at for the one that a line means."""


class Reader:
    """Reads answers over the things of one problem."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.exact = compiled.rules.exact_text_only
        flags = 0 if self.exact else re.IGNORECASE
        self._marker = re.compile(r"[\s*]*Action:[\s*]*(\S.*)", flags)
        self._finish, self._idle = self._folded(text.FINISH), self._folded(text.IDLE)
        self._patterns = [
            (action, re.compile(_pattern(action), flags)) for action in compiled.domain.actions if action.text
        ]
        self._forms = cache(self._forms_of)

    def read(self, kitchen: Kitchen, seat: Seat, answer: str) -> Acts | Refusal:
        """The decision in an answer: its first action, or for a dispatcher one for each robot."""
        lines = self._lines(answer)
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

    def _lines(self, answer: str) -> list[str]:
        """The lines on which an action stands."""
        lines = [line for line in answer.splitlines() if line.strip()]
        marked = [match[1] for match in map(self._marker.match, lines) if match]
        return [line[:LONGEST].strip() for line in marked or lines[:1]]

    def _action(self, kitchen: Kitchen, line: str, folded: str) -> str | Refusal:
        """The name of the action that a line asks for."""
        applicable = self.compiled.applicable(kitchen)
        alike = [action.name for action in applicable if folded in self._forms(action)]
        if len(alike) == 1 or (alike and not self.exact):
            return alike[0]
        if alike:
            return legality.ambiguous(line)
        return self._inapplicable(kitchen, self._tidy(line)) or legality.unknown_action(line)

    def _forms_of(self, action: GroundAction) -> tuple[str, str]:
        """The two ways to write an action: its sentence and its name."""
        return self._folded(action.text), self._folded(action.name)

    def _inapplicable(self, kitchen: Kitchen, line: str) -> str | None:
        """The name of an action that cannot be done now, so that the refusal can say why.

        Of several that are written so, it is the one with the fewest violated preconditions.
        """
        named = self.compiled.find(self.compiled.layout(kitchen), line)
        if named is not None:
            return named.name
        readings = list(islice(self._readings(kitchen, line), MOST_READINGS))
        return min(readings, key=lambda action: _n_violated(action, kitchen.facts)).name if readings else None

    def _readings(self, kitchen: Kitchen, line: str) -> Iterator[GroundAction]:
        """All actions that are written so, applicable or not, with any thing where the words name none."""
        layout = self.compiled.layout(kitchen)
        here = [(index, thing) for index, thing in enumerate(layout.objects) if not kitchen.gone >> index & 1]
        indices = {self._folded(thing.name): index for index, thing in here}
        longest = max(map(len, indices))
        for action, pattern in self._patterns:
            # A longer line cannot match, and some patterns would take long to find that out.
            if len(line) > len(action.text) + longest * action.text.count("{"):
                continue
            match = pattern.fullmatch(line)
            if match is None:
                continue
            named = {
                int(group[1:]): indices.get(self._folded(name)) for group, name in match.groupdict().items()
            }
            choices = [
                [index for index, thing in here if thing.type == type and named.get(param, index) == index]
                for param, type in enumerate(action.types)
            ]
            for args in product(*choices):
                if len(set(args)) == len(args):
                    yield self.compiled.ground(layout, action.index, args)

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
        param = action.params.index(part[1:-1]) if part[1:-1] in action.params and part[0] == "{" else -1
        if param < 0:
            parts.append(re.escape(part))
        else:
            parts.append(f"(?P=g{param})" if param in seen else f"(?P<g{param}>\\S+?)")
            seen.add(param)
    return "".join(parts)


def _n_violated(action: GroundAction, facts: int) -> int:
    """How many preconditions of an action do not hold."""
    return (action.needs & ~facts).bit_count() + (action.forbids & facts).bit_count()


class Sentences:
    """The actions of a domain in words, such as ``robot1 goes from table1 to stove1``, for any kitchen."""

    def __init__(self, domain: Domain) -> None:
        n_alike = Counter(_shape(action) for action in domain.actions)
        self._sentences = {
            action.name: action.text
            for action in domain.actions
            if action.text and n_alike[_shape(action)] == 1 and _names_all(action)
        }

    def of(self, name: str) -> str:
        """The sentence of an action by its name, or the name where the sentence could mean another."""
        match = re.fullmatch(r"([^()]+)\(((?:\w+=\w+,?)*)\)", name)
        if match is None or match[1] not in self._sentences:
            return name
        return filled(self._sentences[match[1]], dict(re.findall(r"(\w+)=(\w+)", match[2])))


def _names_all(action: Action) -> bool:
    return all(f"{{{param}}}" in action.text for param in action.params)


def _shape(action: Action) -> str:
    """The sentence with types in place of parameters: actions of one shape read alike."""
    types = {param: f"<{type}>" for param, type in zip(action.params, action.types, strict=True)}
    return filled(action.text, types).casefold()
