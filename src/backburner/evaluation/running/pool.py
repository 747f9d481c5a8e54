"""Work spread over processes of this machine: they end with their parent, and stop when they are asked to."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import AbstractContextManager, contextmanager
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event
from typing import Any, TypeVar

PATIENCE_SECONDS = 1.0
"""So long a process that is to stop may go on with the piece of work in hand."""

OF_TERMINALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name))
"""What a terminal sends to all of its processes."""

Piece = TypeVar("Piece")
Result = TypeVar("Result")


Run = Callable[[Callable[[Any], Any], Sequence[Any]], Iterator[Any]]
"""Does work on each of some pieces, and tells the results in the order in which they are done."""

Workers = Callable[[int, Iterable[str]], AbstractContextManager[Run]]
"""So many workers at most, elsewhere, that are handed these files and folders and stay for one piece of work
after another."""


def in_processes(work: Callable[[Piece], Result], pieces: Sequence[Piece], workers: int) -> Generator[Result]:
    """The results of ``work`` on each piece, in the order in which they are done; see ``processes``."""
    with processes(workers) as run:
        yield from run(work, pieces)


@contextmanager
def processes(workers: int) -> Iterator[Run]:
    """Processes that stay for one piece of work after another.

    When the caller is interrupted, no piece is begun and the processes are asked to stop; those that have
    not ended after ``PATIENCE_SECONDS`` are ended. When the caller is killed, the processes end at once.
    """
    context = multiprocessing.get_context("spawn")
    with _interrupts_ignored():  # as Python's own process does that tidies up after all of them
        stop = context.Event()
    before = {each.pid for each in multiprocessing.active_children()}
    with ProcessPoolExecutor(workers, context, initializer=_begin_process, initargs=(stop,)) as pool:

        def run(work: Callable[[Any], Any], pieces: Sequence[Any]) -> Iterator[Any]:
            with _interrupts_ignored():
                futures = [pool.submit(work, piece) for piece in pieces]
            for future in as_completed(futures):
                yield future.result()

        try:
            yield run
        except BaseException:
            stop.set()
            _end(pool, [each for each in multiprocessing.active_children() if each.pid not in before])
            raise


def _end(pool: ProcessPoolExecutor, processes: Sequence[BaseProcess]) -> None:
    """Wait for processes that were asked to stop, and end those that take long.

    The pool's own thread has ended, too: one that still runs when the program exits may fail and say so.
    """
    patience = threading.Timer(PATIENCE_SECONDS, _kill, (processes,))
    patience.start()
    try:
        pool.shutdown(cancel_futures=True)
    finally:
        patience.cancel()
        _kill(processes)


def _kill(processes: Sequence[BaseProcess]) -> None:
    for process in processes:
        process.kill()


_stop: Event | None = None
"""In a process of a pool: set when it is to stop."""


def is_to_stop() -> bool:
    """Whether the work of this process is not wanted any more."""
    return _stop is not None and _stop.is_set()


def _begin_process(stop: Event) -> None:
    """Make a process of the pool hear when it is to stop, and end when its parent is killed: it must not go
    on writing records, and nobody would tell it that there is no more to do."""
    global _stop  # noqa: PLW0603 - a process has one caller
    _stop = stop
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Processes started in here never hear Ctrl-C, nor that the terminal goes: it reaches the parent alone,
    which lets them finish the episodes in hand, if that is soon."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, signal.SIG_IGN) for number in OF_TERMINALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
