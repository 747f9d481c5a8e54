"""A person who types prepared lines, and remembers what was shown."""

from __future__ import annotations

import io

from rich.console import Console

from backburner.agents.person.policy import Sight
from backburner.drawing.scene.terminal import moment_lines

QUICK = (
    "timearena/cooking1+household2+lab3",
    "recipe2plan/Cobbler+Pancakes",
    "robotouille/asynchronous/10@seed=42",
    "collab_overcooked/sliced_bell_pepper_and_corn_stew",
    "cuisineworld/level_10@tau=1.5",
    "collab_grid/sliced_bell_pepper_and_corn_stew",
    "minecraft/level_2@tau=1.5",
    "clocked_kitchen/level_10@tau=1.5",
)
"""A scenario of each of the eight worlds."""


class Typist:
    """A terminal for tests: ``shown`` are the sights, ``told`` the texts, ``prompts`` what was asked."""

    def __init__(self, *lines: str) -> None:
        self.waiting = list(lines)
        self.shown: list[Sight] = []
        self.told: list[str] = []
        self.prompts: list[str] = []

    def show(self, sight: Sight) -> None:
        self.shown.append(sight)

    def tell(self, text: str) -> None:
        self.told.append(text)

    async def ask(self, prompt: str, sight: Sight) -> str:
        self.prompts.append(prompt)
        if not self.waiting:
            raise EOFError
        return self.waiting.pop(0)


def screen_of(sight: Sight, width: int = 80, height: int = 24) -> list[str]:
    """The lines of a screen of this size on which a moment is shown."""
    console = Console(width=width, height=height, file=io.StringIO(), color_system=None)
    content = moment_lines(
        console, sight.glance, sight.options, sight.scene, sight.labels,
        height=height, refused=sight.refused, told=sight.told[:-1],
    )  # fmt: skip
    console.print(content, end="")
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()
