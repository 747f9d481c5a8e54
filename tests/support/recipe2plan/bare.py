"""A yardstick: an answer of Recipe2Plan read with the released program's patterns, as plainly as can be.

It cuts, puts units into clock times and takes out actions, with numbers of any length, and does nothing else:
no names are looked up, and no decision is made. Rates beside its own hold on any machine.
"""

from __future__ import annotations

import re

Action = tuple[int, str, int, int]
"""Step, recipe, seconds, start."""

TIME = r"((?:\d+:)?\d+:\d+)"


def read(text: str) -> list[Action]:
    """Every action with a duration, by start."""
    kept = "Action: ".join(text.split("Action: ")[:2])
    if "Thought:" in kept:
        kept = "Thought:" + kept.split("Thought:")[1]
    kept = kept.replace("'", "").replace('"', "")
    kept = re.sub(r"(\d+) min", r"\1:00", kept)
    kept = re.sub(r"(\d+) sec", r"0:\1", kept)
    kept = re.sub(r"(\d+) hour", r"\1:00:00", kept)
    found = re.findall(rf"Step\((\d+), ([\w-]+), {TIME}, {TIME}\)", kept)
    actions = [(int(step), recipe, seconds(length), seconds(start)) for step, recipe, length, start in found]
    return sorted(actions, key=lambda action: action[3])


def seconds(text: str) -> int:
    """HH:MM:SS or MM:SS."""
    parts = [int(part) for part in text.split(":")]
    return sum(part * 60**place for place, part in enumerate(reversed(parts)))
