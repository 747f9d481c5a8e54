"""Tests that need more than ``make test`` installs: each part in an environment of its own.

    python integrations/run.py              # every part
    python integrations/run.py PART ...     # some of them

A part is a folder here with a ``part.toml`` and tests. It gets a virtual environment of its own, with the
wheel that is built from this checkout, so that libraries that cannot stand side by side never meet and
nothing of the checkout is imported by accident, but for what stands in the part's own folder. Versions are
those of ``constraints.txt``; of a part that has a file of this name, those in there. A part whose
programs are not on this machine is skipped, and the summary says which it lacks; with INSTALL_PROGRAMS=1 in
the environment, root on a Debian machine installs them first. Exit code 1 if a part fails or takes longer
than it may.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
MINUTES_TO_INSTALL = 5
ENVIRONMENTS = ROOT / ".venv-integrations"


@dataclass(frozen=True)
class Part:
    """What stands in a ``part.toml``.

    ``about``: what is tried, in a line. ``extras``: of the wheel. ``packages``: what pip installs besides,
    by name; a path is taken from the checkout. ``programs``: commands that must be on the machine, each
    called like the Debian package that has it.
    ``minutes``: how long installation and tests may take together.
    """

    name: str
    about: str
    minutes: float
    extras: list[str] = field(default_factory=list)
    packages: list[str] = field(default_factory=list)
    programs: list[str] = field(default_factory=list)

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


def install_programs(part: Part) -> None:
    """Install what the part lacks with apt-get, where that was asked for and may be done."""
    asked = os.environ.get("INSTALL_PROGRAMS") == "1" and os.geteuid() == 0
    if not (part.lacking and asked and shutil.which("apt-get")):
        return
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for step in (["update"], ["install", "--yes", "--no-install-recommends", *part.lacking]):
        try:
            done = subprocess.run(
                ["apt-get", "-qq", *step],
                env=quiet,
                stdout=subprocess.DEVNULL,
                timeout=MINUTES_TO_INSTALL * 60,
            )
        except subprocess.TimeoutExpired:
            print(f"apt-get {step[0]} takes longer than {MINUTES_TO_INSTALL} minutes", flush=True)
            return
        if done.returncode:  # without a network, for one: then the part is skipped, and told as skipped
            print(f"apt-get {step[0]} gave exit code {done.returncode}", flush=True)
            return


def run_part(part: Part, wheel: Path) -> str:
    """Install and test a part; ``passed``, or why not."""
    if part.lacking:
        return f"skipped: {', '.join(part.lacking)} is not on this machine"
    python = ENVIRONMENTS / part.name / "bin" / "python"
    wanted = f"{wheel}[{','.join(part.extras)}]" if part.extras else str(wheel)
    packages = [str(ROOT / package) if "/" in package else package for package in part.packages]
    steps = [
        [sys.executable, "-m", "venv", "--clear", str(python.parents[1])],
        [str(python), "-m", "pip", "install", "--quiet", "--no-compile",
         "--constraint", str(part.constraints), "pytest", wanted, *packages],
        [str(python), "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", str(HERE / part.name),
         "--import-mode=importlib", "-o", f"pythonpath={HERE / part.name}", "-p", "no:cacheprovider",
         str(HERE / part.name)],
    ]  # fmt: skip
    end = time.monotonic() + 60 * part.minutes
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    for step in steps:
        try:
            left = max(1.0, end - time.monotonic())
            # From a folder without our sources: what is imported is what was installed.
            done = subprocess.run(step, cwd=ENVIRONMENTS, env=environment, timeout=left)
        except subprocess.TimeoutExpired:
            return f"FAILED: takes longer than {part.minutes:g} minutes"
        if done.returncode:
            return f"FAILED: {' '.join(step[1:4])} ... gave exit code {done.returncode}"
    return "passed"


def build_wheel() -> Path:
    """The wheel of this checkout, built in isolation."""
    folder = ENVIRONMENTS / "wheel"
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder)]
    subprocess.run([*command, str(ROOT)], check=True)
    return next(folder.glob("backburner-*.whl"))


def main(names: list[str]) -> int:
    """Run the parts of these names, or all, and print what became of each."""
    parts = {file.parent.name: read_part(file.parent) for file in sorted(HERE.glob("*/part.toml"))}
    unknown = [name for name in names if name not in parts]
    if unknown:
        sys.exit(f"no such part: {', '.join(unknown)}; there are {', '.join(parts)}")
    ENVIRONMENTS.mkdir(exist_ok=True)
    wheel = build_wheel()
    results: dict[str, str] = {}
    for name in names or parts:
        began = time.monotonic()
        print(f"== {name}: {parts[name].about}", flush=True)
        install_programs(parts[name])
        results[name] = f"{run_part(parts[name], wheel)} ({time.monotonic() - began:.0f} s)"
    print("\nintegrations:")
    for name, result in results.items():
        print(f"  {name:<16} {result}")
    return int(any(result.startswith("FAILED") for result in results.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
