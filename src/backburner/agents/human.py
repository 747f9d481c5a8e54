"""A person at the terminal as a policy."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from backburner.agents.keys import Chosen, Keys
from backburner.kernel.errors import Refused
from backburner.kernel.policy import Reply, Spent, Turn
from backburner.kernel.scene import Scene
from backburner.kernel.values import Seat

HELP = "Type an action. '?' lists what can be started now, 'briefing' shows the task again, Ctrl-C stops."
NUMBERS = "A number of that list chooses from it."
SPACE = "space"
"""A line that is one blank, as keys are called."""


class HumanPolicy:
    """Shows the seat its text and reads a line. Blank lines, ``?`` and ``briefing`` cost nothing.

    ``show`` prints to the person, ``ask`` reads a line (raises ``EOFError`` when there is no more,
    which stops the play like Ctrl-C). ``clock`` gives seconds, to record how long people take.
    ``draw`` shows a scene with short names for its places, where the world has scenes; ``keys`` then
    read lines as keys and clicks. ``typed`` makes an answer of any other line, and ``help`` says how to
    write one. With ``seats`` the prompt says which of several is asked.
    """

    name = "human"
    informed = False
    settings: Mapping[str, Any] = {}

    def __init__(
        self,
        show: Callable[[str], None],
        ask: Callable[[str], str],
        clock: Callable[[], float],
        *,
        draw: Callable[[Scene, Mapping[str, str]], None] = lambda scene, labels: None,
        keys: Keys | None = None,
        typed: Callable[[str], str] = str,
        help: str = HELP,
        seats: Sequence[Seat] = (),
    ) -> None:
        self._show, self._ask, self._clock = show, ask, clock
        self._draw, self._keys, self._seats = draw, keys, seats
        self._typed, self._help = typed, help

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The person's line as a text answer, or the decision that its keys stand for."""
        if memory is None:
            self._show(turn.briefing)
            self._show("\n".join((self._help, *((NUMBERS, self._keys.help()) if self._keys else ()))))
        self._show(turn.text)
        if turn.scene is not None:  # last, so that it is still in sight where the text is long
            self._draw(turn.scene, self._keys.labels(turn.scene) if self._keys else {})
        prompt = f"{turn.seat}> " if len(self._seats) > 1 else "> "
        began = self._clock()
        while True:
            line = self._read(prompt)
            if line == "briefing":
                self._show(turn.briefing)
            elif line == "?":
                self._show(_menu_text(turn, numbered=self._keys is not None))
            elif line:
                chosen = self._chosen(line, turn) or Chosen(self._typed(line))
                if not chosen.problem:
                    spent = Spent(seconds=round(self._clock() - began, 3))
                    return Reply(chosen.decision, memory=True, spent=spent)
                self._show(chosen.problem)

    def _chosen(self, line: str, turn: Turn) -> Chosen | None:
        """What a line of keys, or a number of the menu, stands for."""
        if self._keys is None or turn.scene is None:
            return None
        if line.isascii() and line.isdigit():
            options = turn.menu.options
            known = 1 <= int(line[:9]) <= len(options)
            return Chosen(options[int(line) - 1].decision) if known else Chosen(problem=f"no number {line}")
        return self._keys.read(line, turn.scene, turn.menu.options, turn.seat)

    def _read(self, prompt: str) -> str:
        """One line; an event loop's Ctrl-C handler would not wake a blocked read, so it steps aside."""
        if threading.current_thread() is not threading.main_thread():
            return self._line(prompt)
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return self._line(prompt)
        finally:
            signal.signal(signal.SIGINT, before)

    def _line(self, prompt: str) -> str:
        try:
            line = self._ask(prompt)
        except EOFError as error:
            raise KeyboardInterrupt from error
        return SPACE if line == " " and self._keys else line.strip()


def _menu_text(turn: Turn, numbered: bool) -> str:
    try:
        labels = [option.label for option in turn.menu.options]
    except Refused as error:
        return str(error)
    return "\n".join(f"{at:4} {label}" if numbered else f"  {label}" for at, label in enumerate(labels, 1))
