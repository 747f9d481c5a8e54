"""A person at the terminal as a policy."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Mapping
from typing import Any

from backburner.kernel.errors import Refused
from backburner.kernel.policy import Reply, Spent, Turn

HELP = "Type an action. '?' lists what can be started now, 'briefing' shows the task again, Ctrl-C stops."


class HumanPolicy:
    """Shows the seat its text and reads a line. Blank lines, ``?`` and ``briefing`` cost nothing.

    ``show`` prints to the person, ``ask`` reads a line (raises ``EOFError`` when there is no more,
    which stops the play like Ctrl-C). ``clock`` gives seconds, to record how long people take.
    """

    name = "human"
    informed = False
    settings: Mapping[str, Any] = {}

    def __init__(
        self, show: Callable[[str], None], ask: Callable[[str], str], clock: Callable[[], float]
    ) -> None:
        self._show, self._ask, self._clock = show, ask, clock

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The person's line as a text answer."""
        if memory is None:
            self._show(turn.briefing)
            self._show(HELP)
        self._show(turn.text)
        began = self._clock()
        while True:
            line = self._read()
            if line == "briefing":
                self._show(turn.briefing)
            elif line == "?":
                self._show(_menu_text(turn))
            elif line:
                return Reply(line, memory=True, spent=Spent(seconds=round(self._clock() - began, 3)))

    def _read(self) -> str:
        """One line; an event loop's Ctrl-C handler would not wake a blocked read, so it steps aside."""
        if threading.current_thread() is not threading.main_thread():
            return self._line()
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return self._line()
        finally:
            signal.signal(signal.SIGINT, before)

    def _line(self) -> str:
        try:
            return self._ask("> ").strip()
        except EOFError as error:
            raise KeyboardInterrupt from error


def _menu_text(turn: Turn) -> str:
    try:
        return "\n".join(f"  {option.label}" for option in turn.menu.options)
    except Refused as error:
        return str(error)
