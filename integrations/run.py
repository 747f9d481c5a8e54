"""Tests that need more than ``make test`` installs: each part in an environment of its own.

    python integrations/run.py              # every part
    python integrations/run.py PART ...     # some of them
    python integrations/run.py --at-once 1  # one after the other; what each says is shown as it comes

A part is a folder here with a ``part.toml`` and tests. It gets a virtual environment of its own, with the
wheel that is built from this checkout, so that libraries that cannot stand side by side never meet and
nothing of the checkout is imported by accident, but for what stands in the part's own folder. Versions are
those of ``constraints.txt``; of a part that has a file of this name, those in there. A part whose
programs are not on this machine is skipped, and the summary says which it lacks; with INSTALL_PROGRAMS=1 in
the environment, root on a Debian machine installs them first.

Where there are two cores two parts run side by side, those that may take longest first; what a part says is
then shown when it is over. Nothing that a part started outlives it, also where all is interrupted. Exit code
1 if a part fails or takes longer than it may.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import signal
import sys
import time
import tomllib
from asyncio.subprocess import DEVNULL
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from processes import Log, run_step

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
ENVIRONMENTS = ROOT / ".venv-integrations"

MOST_AT_ONCE = 2
"""More side by side, and browsers would be too slow for the times that their tests allow."""

MINUTES_TO_INSTALL = 5


@dataclass(frozen=True)
class Part:
    """What stands in a ``part.toml``.

    ``about``: what is tried, in a line. ``extras``: of the wheel. ``packages``: what pip installs besides,
    by name; a path is taken from the checkout. ``programs``: commands that must be on the machine, each
    called like the Debian package that has it.
    ``minutes``: how long installation and tests may take together. ``alone``: no other part runs beside it.
    """

    name: str
    about: str
    minutes: float
    extras: list[str] = field(default_factory=list)
    packages: list[str] = field(default_factory=list)
    programs: list[str] = field(default_factory=list)
    alone: bool = False

    @property
    def constraints(self) -> Path:
        """The file with the versions of what is installed."""
        own = HERE / self.name / "constraints.txt"
        return own if own.is_file() else ROOT / "constraints.txt"

    @property
    def lacking(self) -> list[str]:
        """The programs that are not on this machine."""
        return [program for program in self.programs if shutil.which(program) is None]


def read_part(folder: Path) -> Part:
    """The part in a folder; stops with one line that names file and field where it is not one."""
    file = folder / "part.toml"
    try:
        values: dict[str, Any] = tomllib.loads(file.read_text("utf-8"))
        return Part(name=folder.name, **values)
    except (OSError, tomllib.TOMLDecodeError, TypeError) as error:
        sys.exit(f"{file}: {error}")


async def build_wheel() -> Path:
    """The wheel of this checkout, built in isolation."""
    folder = ENVIRONMENTS / "wheel"
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "wheel", "-qq", "--no-deps", "--wheel-dir", str(folder)]
    if await run_step("wheel", [*command, str(ROOT)], 60 * MINUTES_TO_INSTALL, None):
        sys.exit("the wheel could not be built")
    return next(folder.glob("backburner-*.whl"))


async def install_programs(part: Part, log: Log) -> None:
    """Install what the part lacks with apt-get, where that was asked for and may be done."""
    asked = os.environ.get("INSTALL_PROGRAMS") == "1" and os.geteuid() == 0
    if not (part.lacking and asked and shutil.which("apt-get")):
        return
    for step in (["update"], ["install", "--yes", "--no-install-recommends", *part.lacking]):
        command = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", *step]
        told = f"{part.name}: apt-get {step[0]}"
        try:
            code = await run_step(
                part.name, command, 60 * MINUTES_TO_INSTALL, None, stdout=DEVNULL, stderr=log
            )
        except TimeoutError:
            print(f"{told} takes longer than {MINUTES_TO_INSTALL} minutes", flush=True)
            return
        if code:  # without a network, for one: then the part is skipped, and told as skipped
            print(f"{told} gave exit code {code}", flush=True)
            return


async def run_part(part: Part, wheel: Path, log: Log) -> str:
    """Install and test a part; ``passed``, or why not."""
    if part.lacking:
        return f"skipped: {', '.join(part.lacking)} is not on this machine"
    python = ENVIRONMENTS / part.name / "bin" / "python"
    wanted = f"{wheel}[{','.join(part.extras)}]" if part.extras else str(wheel)
    packages = [str(ROOT / package) if "/" in package else package for package in part.packages]
    steps = [
        [sys.executable, "-m", "venv", "--clear", str(python.parents[1])],
        # Of pip's words only errors: with -q it warns of each place that has none of the packages.
        [str(python), "-m", "pip", "install", "-qq", "--no-compile",
         "--constraint", str(part.constraints), "pytest", wanted, *packages],
        [str(python), "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", str(HERE / part.name),
         "--import-mode=importlib", "-o", f"pythonpath={HERE / part.name}", "-p", "no:cacheprovider",
         str(HERE / part.name)],
    ]  # fmt: skip
    last = time.monotonic() + 60 * part.minutes
    for step in steps:
        try:
            # From a folder without our sources: what is imported is what was installed.
            left = max(1.0, last - time.monotonic())
            code = await run_step(part.name, step, left, log, cwd=ENVIRONMENTS)
        except TimeoutError:
            return f"FAILED: takes longer than {part.minutes:g} minutes"
        if code:
            return f"FAILED: {' '.join(step[1:4])} ... gave exit code {code}"
    return "passed"


async def run_parts(
    parts: Sequence[Part], at_once: int, run: Callable[[Part, Log], Awaitable[str]]
) -> dict[str, str]:
    """What ``run`` says of each part. Parts that run alone come last."""
    free, results = asyncio.Semaphore(at_once), dict[str, str]()

    async def one(part: Part) -> None:
        async with free:
            print(f"== {part.name}: {part.about}", flush=True)
            began, result = time.monotonic(), "interrupted"
            log = (ENVIRONMENTS / f"{part.name}.log").open("w+b") if at_once > 1 else None
            try:
                result = await run(part, log)
            finally:
                results[part.name] = f"{result} ({time.monotonic() - began:.0f} s)"
                show(log, f"== {part.name}: {results[part.name]}")

    longest = sorted(parts, key=lambda part: -part.minutes)
    async with asyncio.TaskGroup() as group:
        for part in longest:
            if not part.alone:
                group.create_task(one(part))
    for part in longest:
        if part.alone:
            await one(part)
    return {part.name: results[part.name] for part in parts}


def show(log: Log, last: str) -> None:
    """What a part wrote into a file, and this line behind it."""
    if log is not None:
        with log:
            log.seek(0)
            said = log.read()
        sys.stdout.buffer.write(said + b"\n" if said and not said.endswith(b"\n") else said)
    print(last, flush=True)


async def run_all(parts: Sequence[Part], at_once: int) -> int:
    """Run these parts and print what became of each."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    assert task is not None
    interrupted: list[int] = []

    def interrupt(number: int) -> None:
        if not interrupted:
            task.cancel()
        interrupted.append(number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, interrupt, number)
    installing = asyncio.Lock()  # apt-get does not work twice at once

    async def run(part: Part, log: Log) -> str:
        if part.lacking:
            async with installing:
                await install_programs(part, log)
        return await run_part(part, wheel, log)

    try:
        wheel = await build_wheel()
        results = await run_parts(parts, at_once, run)
    except asyncio.CancelledError:
        return 128 + interrupted[0]
    print("\nintegrations:")
    for name, result in results.items():
        print(f"  {name:<16} {result}")
    return int(any(result.startswith("FAILED") for result in results.values()))


def main(words: Sequence[str]) -> int:
    """Run the parts that a command line asks for."""
    parts = {file.parent.name: read_part(file.parent) for file in sorted(HERE.glob("*/part.toml"))}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help="by default all: " + ", ".join(parts))
    cores = min(os.cpu_count() or 1, MOST_AT_ONCE)
    parser.add_argument("--at-once", type=int, default=cores, metavar="N", help="by default %(default)s")
    given = parser.parse_args(words)
    unknown = [name for name in given.parts if name not in parts]
    if unknown:
        sys.exit(f"no such part: {', '.join(unknown)}; there are {', '.join(parts)}")
    ENVIRONMENTS.mkdir(exist_ok=True)
    chosen = [parts[name] for name in dict.fromkeys(given.parts or parts)]
    return asyncio.run(run_all(chosen, max(given.at_once, 1)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
