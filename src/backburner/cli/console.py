"""What commands say: results on stdout, JSON among them; remarks, errors and progress on stderr."""

from __future__ import annotations

import io
import json
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterable
from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

import msgspec
from rich.console import (
    Console,
    ConsoleDimensions,
    ConsoleOptions,
    ConsoleRenderable,
    RenderableType,
    RenderHook,
    RenderResult,
)
from rich.segment import Segment

from backburner.kernel.errors import Refused, amount, one_line

if TYPE_CHECKING:
    from rich.progress import Progress

    from backburner.agents.models.openai_client import Traffic
    from backburner.drawing.scene.appearance import Images
    from backburner.evaluation.running.chains_of_jobs import Done
    from backburner.kernel.building import Standing


class _Printable:
    """Something to be printed in which only the console itself moves the cursor or changes colours."""

    def __init__(self, content: RenderableType) -> None:
        self.content = content

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self.content, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield Segment("\n".join(map(one_line, segment.text.split("\n"))), segment.style)


class _PrintableOnly(RenderHook):
    """Records, scenario files and answers of servers are foreign: their escape sequences are no commands."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Each with its control characters replaced."""
        return [_Printable(content) for content in renderables]


UNCUT = 10_000
"""The width of what is printed into a file or another program: every name stands there in full."""

USUAL = 80
"""The width of pictures there."""


class _Console(Console):
    """A console that is as wide as its terminal, or as ``COLUMNS`` says; elsewhere nothing is cut off."""

    @property
    def size(self) -> ConsoleDimensions:
        """The width and height in cells."""
        if self.is_terminal or "COLUMNS" in os.environ:
            return super().size
        return ConsoleDimensions(UNCUT, super().size.height)

    @size.setter
    def size(self, new: tuple[int, int]) -> None:
        self.width, self.height = new


def picture_width() -> int:
    """The width of what is drawn in signs."""
    return USUAL if out.width == UNCUT else out.width


def _console(*, stderr: bool = False) -> Console:
    console = _Console(stderr=stderr, emoji=False)
    console.push_render_hook(_PrintableOnly())
    return console


out = _console()
err = _console(stderr=True)


def print_json(value: Any) -> None:
    """``value`` as indented JSON on stdout, in which every sign that is not printed is escaped."""
    text = msgspec.json.format(msgspec.json.encode(value, enc_hook=str), indent=2).decode()
    if not _has_every_sign(sys.stdout):
        text = "".join(c if c.isascii() else json.dumps(c)[1:-1] for c in text)
    if not text.replace("\n", "").isprintable():
        text = "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)
    sys.stdout.write(f"{text}\n")


def _has_every_sign(stream: Any) -> bool:
    """Whether a stream's encoding has all signs, as UTF-8 does."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return encoding.lower().replace("_", "-").startswith("utf")


def write_in_any_encoding() -> None:
    """What the terminal's or pipe's encoding has no sign for (C's, an old code page's) is a question mark,
    and no end of the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not _has_every_sign(stream):
            stream.reconfigure(errors="replace")


def say(*lines: str) -> None:
    """Lines on stdout, as they are."""
    for line in lines:
        out.print(line, markup=False, highlight=False, soft_wrap=True)


def remark(*lines: str) -> None:
    """Lines on stderr."""
    for line in lines:
        err.print(line, markup=False, highlight=False, soft_wrap=True)


def complain(*errors: str) -> None:
    """Errors on stderr, each on a line."""
    for error in errors:
        err.print("backburner:", error, style="red", markup=False, highlight=False, soft_wrap=True)


class _Remarks(logging.Handler):
    """What libraries log, as remarks."""

    def emit(self, record: logging.LogRecord) -> None:
        """One record; never raises."""
        try:
            remark(self.format(record))
        except Exception:
            self.handleError(record)


def tell_through_consoles() -> None:
    """Warnings, and what libraries log without a place of their own for it, go where remarks go."""
    logging.captureWarnings(True)
    logging.lastResort = _Remarks(logging.WARNING)


def images_of(rendering: Path | None) -> Images:
    """The images of a rendering JSON, if there is one, and our pictures; what it names and is not there is
    told."""
    from backburner.drawing.scene.appearance import read_rendering
    from backburner.drawing.scene.pictures import Illustrated

    if rendering is None:
        return Illustrated()
    images = read_rendering(rendering)
    if images.missing:
        few = ", ".join(images.missing[:3]) + (", ..." if len(images.missing) > 3 else "")
        remark(f"{rendering}: {len(images.missing)} images are not there and drawn as shapes: {few}")
    return Illustrated(images)


def write_picture(file: Path, picture: str, source: Path) -> None:
    """Write a picture or page of what ``source`` holds, and say so; ``Refused`` if that is ``file``."""
    from backburner.kernel.files import write_whole

    if os.path.realpath(file) == os.path.realpath(source):
        raise Refused(f"{file} is what is read; name another file for what is written")
    write_whole(file, picture.encode())
    remark(f"wrote {file}")


# --- how far a long command is ------------------------------------------------------------------------------

FIRST_SECONDS, LONGEST_SECONDS = 30.0, 300.0
"""When the first line is told where there is no bar, and the longest time between two; pauses double."""


def progress_bar(below: Callable[[], Iterable[str]] = tuple, *, left: bool = True) -> Progress:
    """A bar on stderr that goes away when it is done; a line now and then where stderr is no terminal.

    ``below``: what stands below it now, each on a line that is cut at the terminal's edge. ``left``: the time
    that is left stands beside it, by how fast things came lately.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.text import Text

    over = threading.Event()

    class Bar(Progress):
        def get_renderables(self) -> Iterable[RenderableType]:
            yield from super().get_renderables()
            yield from (Text(f"  {line}", no_wrap=True, overflow="ellipsis") for line in below())

        def start(self) -> None:
            super().start()
            if self.disable:
                threading.Thread(target=self._tell_now_and_then, daemon=True).start()

        def stop(self) -> None:
            over.set()
            super().stop()

        def _tell_now_and_then(self) -> None:
            pause = FIRST_SECONDS
            while not over.wait(pause):
                counted = [so_far(task.completed, task.total, task.description) for task in self.tasks]
                remark("; ".join((*counted, *below())))
                pause = min(2 * pause, LONGEST_SECONDS)

    time = (TimeRemainingColumn(),) if left else ()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), *time)
    return Bar(*columns, console=err, transient=True, disable=not err.is_terminal)


def advancing(bar: Progress, things: str) -> Callable[[int], None]:
    """Adds these things to the bar; each call tells it that one more is done, of so many."""
    task = bar.add_task(things, total=None)
    return lambda total: bar.update(task, total=total, advance=1)


def so_far(done: float, total: float | None, things: str) -> str:
    """``3 of 20 records``; without a total ``records: 3``."""
    return f"{things}: {done:g}" if total is None else f"{done:g} of {total:g} {things}"


class _Told:
    """So many things, told of while the block runs."""

    def __init__(self, things: str, total: int | None, *, left: bool = True) -> None:
        self._bar = progress_bar(self._below, left=left)
        self._task = self._bar.add_task(things, total=total)

    def _below(self) -> Iterable[str]:
        """What is told besides."""
        return ()

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()


class RunProgress(_Told):
    """A run of so many episodes. ``traffic``: of its calls to models."""

    def __init__(self, total: int, traffic: Traffic, *, left: bool = True) -> None:
        self._traffic = traffic
        super().__init__("episodes", total, left=left)

    def heard(self, done: Done) -> None:
        """What became of one more episode."""
        self._bar.advance(self._task)
        if done.error:
            self._traffic.failure = done.error

    def _below(self) -> Iterable[str]:
        """What is told of calls: their number, and the last failure."""
        traffic = self._traffic
        if traffic.calls:
            tries = "try" if traffic.retries == 1 else "tries"
            again = f", {traffic.retries} {tries} sent again" if traffic.retries else ""
            yield f"{amount(traffic.calls, 'calls')}{again}"
        if traffic.failure:
            yield f"last failure: {one_line(traffic.failure)}"


class EvaluationProgress(RunProgress):
    """An evaluation of so many episodes, for which these ``calls`` are expected; ``told``: its points."""

    def __init__(
        self,
        total: int,
        traffic: Traffic,
        calls: int | None,
        told: Callable[[], Iterable[str]],
        now: Callable[[], float] = monotonic,
    ) -> None:
        self._left, self._played = total, 0
        self._calls, self._told, self._now = calls, told, now
        self._began = now()
        super().__init__(total, traffic, left=False)

    def heard(self, done: Done) -> None:
        """See ``RunProgress``; the time that is left is told by what is played now."""
        super().heard(done)
        if done.status == "kept":  # these are read first, in a time of their own
            self._left -= 1
            self._began = self._now()
        else:
            self._played += 1

    def _below(self) -> Iterable[str]:
        """Calls, the time that is left, points."""
        played = self._played / max(self._left, 1)
        share = min(1.0, max(played, self._traffic.calls / self._calls if self._calls else 0.0))
        yield from super()._below()
        if share >= LEAST_SHARE:
            seconds = round((self._now() - self._began) * (1 - share) / share)
            of = f" of about {amount(self._calls, 'calls')}" if self._calls else ""
            yield f"{share:.0%}{of}, about {timedelta(seconds=seconds)} left"
        yield from self._told()


LEAST_SHARE = 0.02
"""From this share on it is told how long the rest may take."""


class BuildProgress(_Told):
    """A build. ``lines``: where there is no terminal, a line of JSON for each thing that is kept."""

    def __init__(self, things: str, *, lines: bool = False) -> None:
        self._lines = lines and not err.is_terminal
        self._now: Standing | None = None
        self._first = self._begun = 0.0
        super().__init__(things, None, left=False)

    def heard(self, now: Standing) -> None:
        """How far it is."""
        if self._now is None:
            self._first, self._begun = _share(now), monotonic()
        self._now = now
        self._bar.update(self._task, total=now.wanted, completed=now.kept)
        if self._lines and now.file:
            line = {**msgspec.to_builtins(now), "seconds_left": self._seconds_left(now)}
            remark(msgspec.json.encode(line).decode())

    def _seconds_left(self, now: Standing) -> int | None:
        """Until all is kept, or all attempts are made, whichever is nearer, if it goes on as it did."""
        share = _share(now)
        gained = share - self._first
        return round((monotonic() - self._begun) * (1 - share) / gained) if gained > 0 else None

    def _below(self) -> Iterable[str]:
        """Attempts, what was proven of them, and the time that is left."""
        if (now := self._now) is not None:
            proven = "" if now.proven is None else f", {now.proven:.0%} proven"
            seconds = self._seconds_left(now)
            left = "" if seconds is None else f", {timedelta(seconds=seconds)} left"
            yield f"{now.attempts} of {amount(now.most, 'attempts')}{proven}{left}"

    def __enter__(self) -> Self:
        return self if self._lines else super().__enter__()


def _share(now: Standing) -> float:
    """How much of a build is done."""
    return min(1.0, max(now.kept / now.wanted, now.attempts / now.most))
