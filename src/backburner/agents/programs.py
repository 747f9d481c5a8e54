"""Programs that plan, each in a process of its own that is bounded in time, memory and what it writes.

A program is given files in a folder of its own and leaves an answer there, or prints it. Whatever it does, it
and all that it started are gone afterwards.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from backburner.agents import bounded
from backburner.kernel.errors import Refused, one_line, shorten_inside
from backburner.kernel.files import read_regular

MOST_BYTES = 1 << 23
"""Of an answer, and of every other file that a program writes."""

PLAN, OUTPUT, ERRORS = "plan", "output", "errors"
"""Files of a program: its answer, as a command names it, and what it prints."""


class Ended(Refused):
    """A program has failed; ``errors``: the end of what it printed beside its answer, without the path of its
    own folder."""

    errors: str = ""


def answer_of(
    command: Sequence[str], files: Mapping[str, bytes], seconds: int, folder: Path | None = None
) -> bytes:
    """What a program answers that runs in a folder, by default that of its files.

    In its ``command`` the name of each of the ``files`` in braces stands for its path, and ``{plan}`` for
    that of the answer; without that the answer is what it prints.

    Raises ``Refused`` where it cannot be started, does not end in time, fails, or leaves no answer.
    """
    with TemporaryDirectory(prefix="backburner-") as name:
        there = Path(name)
        for file, content in files.items():
            (there / file).write_bytes(content)
        paths = {file: str(there / file) for file in (*files, PLAN)}
        filled = [_filled(part, paths) for part in command]
        status = _run(filled, seconds, folder or there, there)
        if status:
            ended = Ended(f"{_ended(status)}{_printed(there / ERRORS)}")
            ended.errors = _tail(there / ERRORS).replace(f"{there}{os.sep}", "")
            raise ended
        answer = there / (PLAN if any("{plan}" in part for part in command) else OUTPUT)
        if not answer.exists():
            raise Refused(f"it leaves no plan{_printed(there / ERRORS)}")
        return read_regular(answer, MOST_BYTES)


def _filled(part: str, paths: Mapping[str, str]) -> str:
    for name, path in paths.items():
        part = part.replace(f"{{{name}}}", path)
    return part


def _run(command: Sequence[str], seconds: int, folder: Path, there: Path) -> int:
    """The exit status of a program that is over, and of which nothing runs any more."""
    limits = [sys.executable, "-I", "-S", str(bounded.__file__), str(max(seconds, 1)), str(MOST_BYTES)]
    with ExitStack() as stack:
        output, errors = (stack.enter_context(file.open("wb")) for file in (there / OUTPUT, there / ERRORS))
        process = subprocess.Popen(  # noqa: S603  # what the user named, without a shell
            [*limits, *command],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            start_new_session=True,
            env={**os.environ, "TMPDIR": str(there)},
        )
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Refused(f"no plan within {seconds} s") from None
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _ended(status: int) -> str:
    if status == -signal.SIGXFSZ:
        return f"it writes more than {MOST_BYTES} bytes"
    return f"it is killed by signal {-status}" if status < 0 else f"it ends with exit status {status}"


def _printed(errors: Path) -> str:
    """The last line that a program printed beside its answer."""
    words = one_line((_tail(errors).strip().splitlines() or [""])[-1])
    return f": {shorten_inside(words, 300)}" if words else ""


def _tail(errors: Path) -> str:
    tail = read_regular(errors, MOST_BYTES)[-4000:]
    return tail.decode("utf-8", "replace")
