"""Scenarios made of recipes in plain words (article, section 3.3 and appendix A): what annotators label, and
the scenario file that their labels come to.

The guidelines are ours, after Table 10: ``data/from_words.json`` has them as label sets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from backburner.kernel.assessment import Action, FromWords
from backburner.kernel.files import shipped
from backburner.worlds.recipe2plan.game.scenario_files import file_of, read_file, seconds_of
from backburner.worlds.recipe2plan.game.scenarios import HERE, Lag, Recipe, Step

PREHEATING = "oven: preheating"

_LEADING = re.compile(r"^(?:and|then)(?:\s+then)?\s+", re.IGNORECASE)
_DEGREES = re.compile(r"\b([0-9]{2,3})\s*(?:degrees|°)")


class RecipesInWords(FromWords, frozen=True):
    """The label sets of recipes, and the scenario file of one recipe."""

    def scenario(self, name: str, actions: Sequence[Action]) -> Mapping[str, Any]:
        """As ``scenario_files.read_file`` reads it; raises ``BadFile``.

        An action that runs by itself is never done in pieces, whatever was said of that. The temperature of
        an oven stands in the words of the action that heats it, and holds for the bakes that wait for it.
        """
        heats = {
            number: int(degrees[1])
            for number, action in enumerate(actions)
            if action.labels["device"] == PREHEATING and (degrees := _DEGREES.search(action.words))
        }
        needed: list[set[int]] = []
        for action in actions:
            needed.append(set(action.after).union(*(needed[earlier] for earlier in action.after)))
        steps = (_step(number, action, heats, needed[number]) for number, action in enumerate(actions))
        raw = file_of(name, [Recipe(name, tuple(steps))], lags=True)
        read_file(raw, name)
        return raw


def from_words() -> FromWords:
    """What Recipe2Plan's pack names."""
    return shipped(HERE, "from_words", RecipesInWords)


def _step(number: int, action: Action, heats: Mapping[int, int], needed: set[int]) -> Step:
    """``needed``: the steps that this one waits for, directly or not."""
    labels, device = action.labels, action.labels["device"]
    heated = [heats[before] for before in sorted(needed & set(heats))] if device == "oven" else []
    autonomous = labels["concurrency"] == "autonomous"
    limits = sorted((earlier, limit) for earlier, limit in action.after.items() if limit != "any time")
    return Step(
        text=_sentence(action.words),
        seconds=seconds_of(labels["duration"]),
        autonomous=autonomous,
        splittable=labels["interruptibility"] == "interruptible" and not autonomous,
        after=tuple(sorted(action.after)),
        lags=tuple(Lag(earlier, seconds_of(limit)) for earlier, limit in limits),
        appliance=None if device == "none" else device.partition(":")[0],
        needs_fahrenheit=heated[-1] if heated else None,
        sets_fahrenheit=heats.get(number),
    )


def _sentence(words: str) -> str:
    """Such as ``Dice the potatoes.`` for ``and then dice the potatoes,``"""
    text = _LEADING.sub("", words).rstrip(" ,;:.!")
    return f"{text[:1].upper()}{text[1:]}."
