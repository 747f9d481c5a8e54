"""Commands that leave nothing behind: what they started ends with them, and with this program."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import STDOUT, Process, create_subprocess_exec
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

SECONDS_TO_TIDY = 5.0
"""How long what is interrupted has for ending its own processes."""

MARK = "BACKBURNER_PART"
"""A variable of the environment that all processes of a command have, also those that leave its group of
processes, as browsers do."""

Log = IO[bytes] | None
"""Where a command writes; ``None`` is where this program writes."""


async def run_step(name: str, command: Sequence[str], seconds: float, log: Log, **more: Any) -> int:
    """Run a command, and tell its exit code; ``name`` is whose it is, ``more`` is told to asyncio.

    Raises ``TimeoutError`` where it takes longer. Nothing that the command started is left when this
    returns or raises, also where it is cancelled. ``PYTHONPATH`` is not passed on.
    """
    mark = f"{name}-{os.getpid()}"
    inherited = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    streams = {"stdout": log, "stderr": STDOUT if log else None, **more}
    process = await create_subprocess_exec(
        *command, env={**inherited, MARK: mark}, start_new_session=True, **streams
    )
    try:
        return await asyncio.wait_for(process.wait(), seconds)
    finally:
        await end(process, mark)


async def end(process: Process, mark: str) -> None:
    """End what still runs of a step: first by Ctrl-C, so that tests end their browsers and servers."""
    if process.returncode is None:
        process.send_signal(signal.SIGINT)
        await asyncio.wait([asyncio.create_task(process.wait())], timeout=SECONDS_TO_TIDY)
    kill(os.killpg, process.pid)
    for number in marked(mark):
        kill(os.kill, number)
    await process.wait()


def kill(how: Callable[[int, int], None], number: int) -> None:
    """Kill a process or a group of them, if there still is one."""
    try:
        how(number, signal.SIGKILL)
    except ProcessLookupError:
        return


def marked(mark: str) -> Iterator[int]:
    """The processes with this mark in their environment, where the system tells (Linux)."""
    for told in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"{MARK}={mark}".encode() in told.read_bytes().split(b"\0"):
                yield int(told.parent.name)
        except OSError:  # it has ended, or is somebody else's
            continue
