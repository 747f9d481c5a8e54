"""What ``new`` writes works at once: its kit, its own tests, and every word of ``check-world``."""

from __future__ import annotations

import runpy
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from backburner.agents.own import own_policy
from backburner.cli import app
from backburner.kernel import registry
from support.packages import distribution, on_the_path


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def backburner(*arguments: str) -> tuple[int, str]:
    """The exit code of a command, and what it says."""
    result = CliRunner().invoke(app, [*arguments])
    return result.exit_code, f"{result.output}{result.exception or ''}"


@contextmanager
def installed(name: str, patch: pytest.MonkeyPatch, folder: Path) -> Iterator[None]:
    """A package that ``new`` has made is there, as after ``pip install --editable``."""
    patch.syspath_prepend(str(folder / name / "src"))
    distribution(folder / "installed", f"backburner_{name}", {name: f"{name}.pack:PACK"})
    try:
        with on_the_path(folder / "installed", patch):
            yield
    finally:
        for module in [module for module in sys.modules if module.partition(".")[0] == name]:
            del sys.modules[module]


def unbroken(text: str) -> str:
    """Without what parts words and lines: pages may be narrow."""
    return "".join(text.split())


def run_tests(file: Path) -> int:
    """Run the tests of a file, and return how many there are."""
    tests = [found for name, found in runpy.run_path(str(file)).items() if name.startswith("test_")]
    for test in tests:
        test()
    return len(tests)


def well_written(folder: Path) -> bool:
    """Whether the sources are written as ours are, as far as their first line of imports lets ruff know."""
    ruff = [sys.executable, "-m", "ruff"]
    checks = (["format", "--check"], ["check", "--select", "E,F,W,B,UP,SIM,RET,RUF"])
    lines = [
        [*ruff, *check, "--isolated", "--no-cache", "--line-length", "110", str(folder)] for check in checks
    ]
    return all(subprocess.run(line, capture_output=True).returncode == 0 for line in lines)


def test_a_new_world_keeps_its_contract_and_passes_its_tests(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, said = backburner("new", "world", "mill_town")
    assert code == 0 and "backburner check-world mill_town" in said
    assert well_written(here / "mill_town")
    with installed("mill_town", monkeypatch, here):
        assert run_tests(here / "mill_town" / "tests" / "test_world.py") == 3
        code, said = backburner("check-world", "mill_town")
        assert code == 0
        there, _, missing = unbroken(said).partition(unbroken("there is no"))
        assert unbroken("proven of mill_town/rye+corn: 18 minutes") in there
        assert {"pictures,", "browser"} <= set(said.split()) and "generator" in missing
        assert unbroken('headline=Headline({"all": "reached"}, "mill_town")') in missing
        assert len(registry.expand("mill_town/all")) == 3


def test_what_breaks_the_contract_is_told(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A world that refuses silence as if it could read it."""
    backburner("new", "world", "mute")
    file = here / "mute" / "src" / "mute" / "world.py"
    source = file.read_text("utf-8")
    file.write_text(source.replace("else Fault.UNREADABLE", "else Fault.MISMATCH"), "utf-8")
    with installed("mute", monkeypatch, here):
        code, said = backburner("check-world", "mute/rye+corn")
    assert code == 1 and "mute/rye+corn: seed 0, step 0: bad_decisions_are_refused: baker must" in said


def test_a_new_agent_plays_and_passes_its_tests(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, said = backburner("new", "agent", "my_agent")
    assert code == 0 and "--agent my_agent:MyAgent" in said
    assert well_written(here / "my_agent")
    with installed("my_agent", monkeypatch, here):
        assert run_tests(here / "my_agent" / "tests" / "test_agent.py") == 2
        assert own_policy("my_agent:MyAgent", registry.world("timearena/cooking1")).name == "my_agent"


@pytest.mark.parametrize(
    ("kind", "name", "why"),
    [
        ("wold", "bakery", "unknown kind 'wold'; did you mean world?"),
        ("world", "My-World 2", "such as my_world"),
        ("world", "class", "such as my_class"),
        ("world", "bread_", "such as bread"),  # pip would refuse its distribution
        ("world", "../x", "such as x"),
        ("world", "timearena", "a world of this name is installed; take another, such as my_timearena"),
        ("agent", "json", "Python has a package of this name; take another, such as my_json"),
        ("agent", "there", "there is there already; nothing was written"),
    ],
)
def test_names_that_cannot_be_are_refused(here: Path, kind: str, name: str, why: str) -> None:
    (here / "there").mkdir()
    code, said = backburner("new", kind, name)
    assert code != 0 and why in said
    assert [path.name for path in here.rglob("*")] == ["there"]
