"""A process of the command line at a real terminal, and somebody who types there."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

PATIENCE_SECONDS = 60.0
"""For a prompt to come on a busy machine."""


class Person:
    """A process at a terminal of 80 by 24."""

    def __init__(self, *arguments: str) -> None:
        size = {"TERM": "xterm", "COLUMNS": "80", "LINES": "24", "PROMPT_TOOLKIT_NO_CPR": "1"}
        command = [sys.executable, "-m", "backburner", *arguments]
        self.pid, self.screen = pty.fork()
        if self.pid == 0:
            os.execve(sys.executable, command, {**os.environ, **size})  # noqa: S606
        fcntl.ioctl(self.screen, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.seen = ""

    def waits_for(self, words: str) -> str:
        """Everything that is written until these words are; what came before is forgotten then."""
        end = time.monotonic() + PATIENCE_SECONDS
        while words not in self.seen:
            ready, _, _ = select.select([self.screen], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"{words!r} did not come: {self.seen[-2000:]}"
            self._reads()
        before, _, self.seen = self.seen.partition(words)
        return before

    def types(self, keys: str) -> None:
        os.write(self.screen, keys.encode())

    def ends(self) -> int:
        """The exit code."""
        with contextlib.suppress(OSError):  # when nobody writes any more
            while True:
                assert select.select([self.screen], [], [], PATIENCE_SECONDS)[0], self.seen[-2000:]
                self._reads()
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def _reads(self) -> None:
        self.seen += os.read(self.screen, 65536).decode("utf-8", "replace")
