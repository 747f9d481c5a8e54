"""How ``integrations/run.py`` runs its parts: side by side, and leaving nothing behind."""

from __future__ import annotations

import asyncio
import importlib
import os
import signal
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "integrations"

SLEEP = "import time; time.sleep(60)"

DETACHED = f"""
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", {SLEEP!r}], start_new_session=True)
print(child.pid, flush=True)
time.sleep(float(sys.argv[1]))
"""
"""A process that starts another one, as browsers do: in a session of its own."""


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The program, with a folder of its own for environments, and a wheel that is not built."""
    monkeypatch.syspath_prepend(FOLDER)
    loaded = importlib.import_module("run")
    monkeypatch.setattr(loaded, "ENVIRONMENTS", tmp_path)

    async def wheel() -> Path:
        return tmp_path / "none.whl"

    monkeypatch.setattr(loaded, "build_wheel", wheel)
    return loaded


def parts(runner: ModuleType, **minutes: float) -> list[Any]:
    return [runner.Part(name, "tried", length, alone=name == "alone") for name, length in minutes.items()]


def test_two_run_side_by_side_the_longest_first_and_one_that_is_alone_runs_alone(runner: ModuleType) -> None:
    began: dict[str, set[str]] = {}
    running: set[str] = set()

    async def run(part: Any, log: Any) -> str:
        running.add(part.name)
        began[part.name] = set(running)
        await asyncio.sleep(0.01 * part.minutes)
        running.discard(part.name)
        return "passed"

    given = parts(runner, short=1, alone=30, longest=20, middle=5)
    results = asyncio.run(runner.run_parts(given, 2, run))
    assert began == {
        "longest": {"longest"},
        "middle": {"longest", "middle"},
        "short": {"longest", "short"},
        "alone": {"alone"},
    }
    assert list(results) == ["short", "alone", "longest", "middle"]
    assert all(result.startswith("passed") for result in results.values())


def test_a_part_that_fails_or_takes_too_long_does_not_stop_another(
    runner: ModuleType, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    programs = {
        "fails": "print('ouch'); exit(3)",
        "slow": "import time; time.sleep(60)",
        "fine": "print('well')",
    }

    async def run(part: Any, wheel: Path, log: Any) -> str:
        try:
            command = [sys.executable, "-c", programs[part.name]]
            code = await runner.run_step(part.name, command, 60 * part.minutes, log)
        except TimeoutError:
            return "FAILED: too long"
        return f"FAILED: {code}" if code else "passed"

    monkeypatch.setattr(runner, "run_part", run)
    assert asyncio.run(runner.run_all(parts(runner, fails=1, slow=0.02, fine=1), 2)) == 1
    told = capfd.readouterr().out
    assert "ouch\n== fails: FAILED: 3" in told
    assert "well\n== fine: passed" in told
    summary = told.split("\nintegrations:\n")[1].splitlines()
    assert [line.split()[0] for line in summary] == ["fails", "slow", "fine"]


def test_what_a_step_started_ends_when_its_time_is_over(runner: ModuleType, tmp_path: Path) -> None:
    with (tmp_path / "said").open("w+b") as log:
        with pytest.raises(TimeoutError):
            asyncio.run(runner.run_step("part", [sys.executable, "-c", DETACHED, "60"], 1.5, log))
        assert ended(log)


def test_what_a_step_leaves_behind_ends_with_it(runner: ModuleType, tmp_path: Path) -> None:
    with (tmp_path / "said").open("w+b") as log:
        assert asyncio.run(runner.run_step("part", [sys.executable, "-c", DETACHED, "0"], 30, log)) == 0
        assert ended(log)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_nothing_runs_on_after_an_interruption(
    runner: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, number: int
) -> None:
    async def run(part: Any, wheel: Path, log: Any) -> str:
        command = [sys.executable, "-c", DETACHED, "60"]
        return str(await runner.run_step(part.name, command, 60, log))

    async def interrupted() -> int:
        loop = asyncio.get_running_loop()
        loop.call_later(1.5, os.kill, os.getpid(), number)
        loop.call_later(1.6, os.kill, os.getpid(), number)  # somebody impatient
        code: int = await runner.run_all(parts(runner, one=1, two=1, three=1), 2)
        return code

    monkeypatch.setattr(runner, "run_part", run)
    assert asyncio.run(interrupted()) == 128 + number
    for name in ("one", "two"):
        with (tmp_path / f"{name}.log").open("rb") as log:
            assert ended(log)
    assert not (tmp_path / "three.log").exists()


def ended(log: Any) -> bool:
    """Whether the process whose number stands here ends soon."""
    log.seek(0)
    told = Path("/proc", log.readline().decode().strip(), "stat")
    until = time.monotonic() + 5
    while told.exists() and told.read_text().rpartition(")")[2].split()[0] != "Z":
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True
