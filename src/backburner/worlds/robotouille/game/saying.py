"""Actions in words whatever the kitchen: the sentence where it leaves nothing open, else the name."""

from __future__ import annotations

import re
from collections import Counter

from backburner.worlds.robotouille.game.actions import filled
from backburner.worlds.robotouille.game.domain import Action, Domain


class Sayings:
    """What each action of a domain is called, such as ``robot1 goes from table1 to stove1``."""

    def __init__(self, domain: Domain) -> None:
        alike = Counter(_shape(action) for action in domain.actions)
        self._sentences = {
            action.name: action.text
            for action in domain.actions
            if action.text and alike[_shape(action)] == 1 and _tells_all(action)
        }

    def of(self, name: str) -> str:
        """The sentence of an action by its name, or the name where the sentence could mean another."""
        match = re.fullmatch(r"([^()]+)\(((?:\w+=\w+,?)*)\)", name)
        if match is None or match[1] not in self._sentences:
            return name
        return filled(self._sentences[match[1]], dict(re.findall(r"(\w+)=(\w+)", match[2])))


def _tells_all(action: Action) -> bool:
    return all(f"{{{param}}}" in action.text for param in action.params)


def _shape(action: Action) -> str:
    """The sentence with types in place of parameters: actions of one shape read alike."""
    types = {param: f"<{type}>" for param, type in zip(action.params, action.types, strict=True)}
    return filled(action.text, types).casefold()
