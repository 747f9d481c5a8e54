"""The terminal that a person plays at: a turn on one screen, keys that need no Enter, completion by Tab.

Where input or output is no terminal, such as in a pipe, lines are read as they come.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rich.console import Console

from backburner.agents.person.policy import Sight
from backburner.drawing.scene.terminal import moment_lines

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

COMMANDS = ("help", "briefing", "state", "recipes", "running", "undo", "why ", "quit")
"""What can be asked for at any time, for completion."""


class Screen:
    """A person's terminal; ``interactive`` says whether keys can be read one by one."""

    def __init__(self, console: Console, interactive: bool | None = None) -> None:
        self._console = console
        ours = sys.stdin.isatty() and console.is_terminal
        self.interactive = ours if interactive is None else interactive
        self._session = _session() if self.interactive else None

    def show(self, sight: Sight) -> None:
        """The moment, on as many lines as the screen has."""
        console = self._console
        console.rule(style="dim")
        height = (console.height if self._session else 24) - 1  # the rule
        content = moment_lines(
            console, sight.glance, sight.options, sight.scene, sight.labels,
            height=height, refused=sight.refused, told=sight.told[:-1],
        )  # fmt: skip
        console.print(content, end="")

    def tell(self, text: str) -> None:
        """Some text; whatever in it is no printable character is made harmless by the console."""
        self._console.print(text, markup=False, highlight=False)

    async def ask(self, prompt: str, sight: Sight) -> str:
        """The next line, or the key that was pressed."""
        if self._session is None:
            return self._blocking(prompt)
        line: str = await self._session.prompt_async(
            prompt,
            completer=_completer(sight),
            key_bindings=_pressing(sight),
            complete_while_typing=False,
        )
        return line

    def _blocking(self, prompt: str) -> str:
        """One line; an event loop's Ctrl-C handler would not wake a blocked read, so it steps aside."""
        if threading.current_thread() is not threading.main_thread():
            return self._console.input(prompt, markup=False)
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return self._console.input(prompt, markup=False)
        finally:
            signal.signal(signal.SIGINT, before)


def _session() -> PromptSession[str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import InMemoryHistory

    return PromptSession(history=InMemoryHistory())


def _completer(sight: Sight) -> Completer:
    """Completes what is typed to the actions that can be taken now."""
    from prompt_toolkit.completion import Completer, Completion

    class Actions(Completer):
        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
            typed = document.text_before_cursor
            for line in dict.fromkeys(lines_of(sight)):
                if line.startswith(typed):
                    yield Completion(line, start_position=-len(typed))

    return Actions()


def lines_of(sight: Sight) -> Iterator[str]:
    """Every line that can be completed: actions, suggestions, commands."""
    yield from (option.label for option in sight.options)
    yield from (each.line for each in sight.glance.suggestions)
    yield from COMMANDS


ARROWS = ("up", "right", "down", "left")
"""What worlds call the arrow keys."""


def keys_without_enter(sight: Sight) -> frozenset[str]:
    """Single keys that mean something at once, if nothing was typed before them: letters of places, the
    world's keys, ``?``, and digits that begin no longer number of the menu. Only ``?`` where a seat has
    several bodies.
    """
    if len({option.body for option in sight.options if option.body}) > 1:
        return frozenset("?")  # several bodies are to be told what to do on one line
    letters = {label for label in sight.labels.values() if len(label) == 1}
    longest = len(sight.options)
    digits = {str(digit) for digit in range(1, 10) if digit <= longest < digit * 10}
    return frozenset(letters | set(sight.keys) | digits | {"?"})


def _pressing(sight: Sight) -> KeyBindings:
    from prompt_toolkit.application.current import get_app
    from prompt_toolkit.filters import Condition
    from prompt_toolkit.key_binding import KeyBindings

    bindings = KeyBindings()
    nothing_typed = Condition(lambda: not get_app().current_buffer.text)

    def bind(key: str) -> None:
        @bindings.add(" " if key == "space" else key, filter=nothing_typed)
        def pressed(event: KeyPressEvent) -> None:
            event.current_buffer.text = " " if key == "space" else key
            event.current_buffer.validate_and_handle()

    for key in keys_without_enter(sight):
        if len(key) == 1 or key in ("space", *ARROWS):
            bind(key)
    return bindings
