"""Work spread over processes that hear no Ctrl-C and end with whoever started them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from typing import TypeVar

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def in_processes(work: Callable[[Piece], Result], pieces: Sequence[Piece], workers: int) -> Iterator[Result]:
    """What ``work`` makes of each piece, in the order in which they are done.

    When the caller is interrupted, pieces in hand are finished and no others begun. When it is killed,
    the processes end at once.
    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_end_with_the_parent) as pool:
        with _interrupts_ignored():
            futures = [pool.submit(work, piece) for piece in pieces]
        try:
            for future in as_completed(futures):
                yield future.result()
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _end_with_the_parent() -> None:
    """In a process of the pool: where the parent was killed, nobody may go on writing records, and nobody
    would ever say that there is no more to do."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Processes started in here never hear Ctrl-C: it reaches the parent alone, which lets them finish
    the episodes in hand."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
