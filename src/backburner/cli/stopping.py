"""Signals that ask the program to end: each is obeyed as Ctrl-C is, and the exit code tells which it was."""

from __future__ import annotations

import signal
from types import FrameType

INTERRUPTED = 130
"""The exit code of a program that Ctrl-C has stopped."""

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Who ends processes asks with the one; with the other goes the terminal."""

_asked: list[int] = []


def obey() -> None:
    """From now on such a signal raises ``KeyboardInterrupt``."""
    _asked.clear()
    for number in heeded():
        signal.signal(number, _obeyed)


def exit_code() -> int:
    """What a program that was stopped ends with."""
    return 128 + _asked[0] if _asked else INTERRUPTED


def heeded() -> list[int]:
    """The signals that are obeyed. One that is ignored stays so, as with nohup."""
    return [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]


def note(number: int) -> None:
    """Somebody has asked. Who asks twice is obeyed at once; but a terminal that goes may say so twice."""
    _asked.append(number)
    signal.signal(number, signal.SIG_DFL if number == signal.SIGTERM else signal.SIG_IGN)


def _obeyed(number: int, frame: FrameType | None) -> None:
    note(number)
    raise KeyboardInterrupt
