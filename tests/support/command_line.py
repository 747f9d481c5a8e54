"""The command line as its program runs it, in this process or a fork of it: Python with all its imports takes
longer to start than most commands take."""

from __future__ import annotations

import io
import logging
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, NoReturn
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


class Started:
    """A command in a process of its own that signals may reach, and in a group of its own.

    The process is a fork of this one, which has imported everything already: what is tried is what a command
    leaves behind, not how Python starts. A test of a terminal, of a pool of workers or of the start itself
    takes ``python -m backburner``.
    """

    def __init__(self, *arguments: object, folder: Path | None = None) -> None:
        self._written = tuple(tempfile.TemporaryFile() for _ in range(2))  # noqa: SIM115  of the process
        self.returncode: int | None = None
        self.pid = os.fork()
        if self.pid == 0:
            _be_the_program([*map(str, arguments)], folder, *(file.fileno() for file in self._written))
        with suppress(OSError):  # whoever of the two comes first makes the group
            os.setpgid(self.pid, self.pid)

    def poll(self) -> int | None:
        """The exit code once it has ended."""
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode

    def kill(self, number: int = signal.SIGKILL) -> None:
        """A signal for its whole group, if it has not ended before; it has afterwards."""
        if self.poll() is None:
            os.killpg(self.pid, number)
        self.ended()

    def ended(self) -> Ran:
        """Waits for its end."""
        if self.returncode is None:
            self.returncode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return Ran(self.returncode, *self.so_far())

    def so_far(self) -> tuple[str, str]:
        """What it has written on stdout and stderr."""
        files = (file.fileno() for file in self._written)
        out, err = (os.pread(file, os.fstat(file).st_size, 0).decode() for file in files)
        return out, err


def _be_the_program(arguments: list[str], folder: Path | None, out: int, err: int) -> NoReturn:
    """In the fork: what a shell and Python do before a program begins; and nothing of the tests after it."""
    code = 1
    try:
        os.setpgid(0, 0)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(out, 1)
        os.dup2(err, 2)
        sys.stdin, sys.stdout, sys.stderr = (
            open(number, mode, closefd=False)  # noqa: SIM115  until it ends
            for number, mode in ((0, "r"), (1, "w"), (2, "w"))
        )
        if folder is not None:
            os.chdir(folder)
            sys.path.insert(0, str(folder))
            for file in folder.glob("*.py"):  # the folder's agents, not those of another test
                sys.modules.pop(file.stem, None)
        sys.argv = ["backburner", *arguments]
        main()
    except SystemExit as ended:
        code = int(ended.code or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)
