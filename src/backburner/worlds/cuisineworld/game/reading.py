"""Commands found in free text: everything that is written like one, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator

from backburner.kernel.values import Refusal
from backburner.worlds.cuisineworld.game.actions import NO_COMMAND, VERBS, Commands
from backburner.worlds.cuisineworld.game.kitchen import Kitchen
from backburner.worlds.cuisineworld.game.rule_set import Rules

# Bounded repetitions: a text of a million letters is read in one go.
WORDS = r"(?<![A-Za-z0-9_])[A-Za-z]{1,20}_agent[0-9]{1,9}(?:_[A-Za-z0-9]{1,60}){0,4}"
CALLS = (
    rf"(?<![A-Za-z0-9_])(?:{'|'.join(VERBS)}) ?\( ?agent[0-9]{{1,9}}(?: ?, ?[A-Za-z0-9]{{1,60}}){{0,2}} ?\)"
)


class Reader:
    """Finds commands as ``verb_agentN_...``.

    Unless text is to be exact, capitals do not matter, and ``get(agent0, storage0, salmon)``, as the
    article writes commands, is read as well.
    """

    def __init__(self, kitchen: Kitchen, rules: Rules) -> None:
        self.exact = rules.exact_text
        self.kitchen = kitchen
        self._places = {name.lower() for name in kitchen.places}
        names = (*kitchen.places, *kitchen.things)
        self._names = {name.lower(): name for name in names}
        self._pattern = re.compile(WORDS) if self.exact else re.compile(f"{WORDS}|{CALLS}", re.IGNORECASE)

    def read(self, text: str) -> Commands | Refusal:
        """All commands in a text, or that there is none."""
        found = self._pattern.findall(text)
        if not self.exact:
            found = [self._tidy(said) for said in found]
        return Commands(tuple(found)) if found else NO_COMMAND

    def _tidy(self, said: str) -> str:
        """A command in the usual order and spelling."""
        if "(" not in said:
            return "_".join(self._spelt(said.split("_")))
        parts = [part.strip() for part in re.split(r"[(,)]", said) if part.strip()]
        things = sorted(parts[2:], key=lambda part: part.lower() in self._places)
        return "_".join(self._spelt([*parts[:2], *things]))

    def _spelt(self, parts: list[str]) -> Iterator[str]:
        """Verb and body in small letters, names as they are known."""
        for index, part in enumerate(parts):
            yield part.lower() if index < 2 else self._names.get(part.lower(), part)
