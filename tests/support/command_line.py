"""The command line as its program runs it, in this process: a process of its own takes longer to start than
most commands take. What is about processes (signals, terminals, streams by number) starts one."""

from __future__ import annotations

import io
import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple
from unittest.mock import patch

import pytest

from backburner.cli import main


class Ran(NamedTuple):
    """What a command wrote, and its exit code."""

    code: int
    stdout: str
    stderr: str


def ran(
    *arguments: object,
    typed: str = "",
    columns: int | None = None,
    encoding: str = "utf-8",
    **environment: str,
) -> Ran:
    """A command, what is typed to it, and for how wide a page it writes; ``None``: nothing is cut."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding, write_through=True) for _ in range(2))
    wide = {} if columns is None else {"COLUMNS": str(columns), "LINES": "24"}
    with (
        _signals_and_logging_kept(),
        patch.multiple(sys, stdin=io.StringIO(typed), stdout=out, stderr=err),
        patch.object(sys, "argv", ["backburner", *map(str, arguments)]),
        patch.dict(os.environ, {**wide, **environment}),
        pytest.raises(SystemExit) as ended,
    ):
        if columns is None:
            os.environ.pop("COLUMNS", None)
        main()
    written = (stream.buffer.getvalue().decode(encoding) for stream in (out, err))
    return Ran(int(ended.value.code or 0), *written)


def answer(*arguments: object, typed: str = "", columns: int | None = None, code: int = 0) -> str:
    """What stands on stdout when a command has ended with this code."""
    run = ran(*arguments, typed=typed, columns=columns)
    assert run.code == code, run.stderr
    return run.stdout


def complaint(*arguments: object) -> str:
    """What a command that cannot be met says: on stderr alone, no traceback, exit code 2."""
    run = ran(*arguments)
    assert (run.code, run.stdout) == (2, ""), run
    assert "Traceback" not in run.stderr
    return run.stderr


@contextmanager
def _signals_and_logging_kept() -> Iterator[None]:
    """The program says what signals do and where what libraries log is told; here it takes that back."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    resort = logging.lastResort
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        logging.lastResort = resort
        logging.captureWarnings(False)
