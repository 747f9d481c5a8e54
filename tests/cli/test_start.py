"""How the command line starts: what it loads, what it says of itself, and of worlds that are broken."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from backburner.cli import COMMANDS, app, command
from backburner.kernel import packs, registry
from support.packages import distribution

HEAVY = (
    "numpy",
    "ortools",
    "openai",
    "jinja2",
    "inspect_ai",
    "backburner.agents",
    "backburner.worlds.timearena.game",
)


def backburner(*args: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "COLUMNS": "200"} | ({"PYTHONPATH": str(path)} if path else {})
    return subprocess.run(
        [sys.executable, "-m", "backburner", *args], capture_output=True, text=True, env=env
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_the_line_about_a_command_is_the_first_of_its_own_help(name: str) -> None:
    assert COMMANDS[name].about.rstrip(".") in " ".join(command(name).help.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_the_example_of_a_command_can_be_typed(name: str) -> None:
    words = shlex.split(COMMANDS[name].example)[2:]
    command(name).make_context(name, words, resilient_parsing=not words)
    if words:
        help = CliRunner().invoke(app, [name, "-h"], env={"COLUMNS": "200"}).output
        assert help.rstrip().endswith(COMMANDS[name].example)
    for word in words:
        if registry.split(word)[0] in packs.names():
            assert name == "reproduce" or registry.expand(word)


def test_help_shows_the_commands_in_seven_groups() -> None:
    help = CliRunner().invoke(app, ["-h"]).output
    panels = re.findall(r"^╭─ (\w+) ─", help, re.MULTILINE)
    assert panels == ["Options", "Play", "Measure", "Compare", "Extend", "Share", "Train", "Study"]


@pytest.mark.parametrize("line", ["run", "study serve", "build recipe2plan", "list"])
def test_help_is_asked_for_in_two_ways(line: str) -> None:
    short, long = (CliRunner().invoke(app, [*line.split(), option]) for option in ("-h", "--help"))
    assert short.exit_code == 0
    assert short.output == long.output


def test_the_many_options_of_a_run_stand_in_panels() -> None:
    help = CliRunner().invoke(app, ["run", "-h"]).output
    panels = re.findall(r"^╭─ (.+?) ─", help, re.MULTILINE)
    models = ["Language models", "Calls and what they cost", "Time that thinking takes"]
    assert panels == ["Arguments", "Options", *models]


def test_help_lists_every_command_in_order() -> None:
    help = CliRunner().invoke(app, ["--help"]).output
    places = [re.search(rf"^\W*{name} ", help, re.MULTILINE) for name in COMMANDS]
    begins = [place.start() for place in places if place is not None]
    assert len(begins) == len(COMMANDS)
    assert begins == sorted(begins)


def test_a_misspelt_command_is_answered_with_the_nearest() -> None:
    found = CliRunner().invoke(app, ["slove"])
    assert found.exit_code == 2
    assert "solve" in found.output


@pytest.mark.parametrize("args", [["--help"], ["worlds", "--help"]])
def test_help_loads_no_heavy_module(args: list[str]) -> None:
    code = f"""
import sys
sys.argv = ["backburner", *{args!r}]
from backburner.__main__ import main
try:
    main()
except SystemExit:
    pass
print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stderr == "[]\n"


def test_a_broken_world_is_one_warning_and_everything_else_works(tmp_path: Path) -> None:
    distribution(tmp_path, "relays", {"relay": "relay_pack:PACK"}, relay_pack="import no_such_module")
    line = "world 'relay' of package relays: relay_pack:PACK does not load: "
    for args in (["--help"], ["list", "timearena/quick"], ["solve", "--help"]):
        run = backburner(*args, path=tmp_path)
        assert run.returncode == 0
        assert run.stderr.startswith(f"warning: {line}")
        assert run.stderr.count("\n") == 1
    assert line in " ".join(backburner("worlds", path=tmp_path).stdout.split())
    asked = backburner("list", "relay/all", path=tmp_path)
    assert (asked.returncode, asked.stderr.count("\n")) == (2, 1)
    assert asked.stderr.startswith(f"backburner: {line}")


def test_every_command_is_made_of_a_function_or_an_app() -> None:
    for name in COMMANDS:
        assert isinstance(command(name), typer.core.TyperCommand | typer.core.TyperGroup)


NO_PARTS = """
from backburner.kernel.pack import Pack

PACK = Pack(
    name="relay", title="", version=1, catalogue="no_such_module:catalogue", builder="no_such_module:BUILDER"
)
"""


def test_a_world_whose_parts_are_not_there_is_one_line_where_they_are_used(tmp_path: Path) -> None:
    distribution(tmp_path, "relays", {"relay": "relay_pack:PACK"}, relay_pack=NO_PARTS)
    line = "world 'relay': its pack names 'no_such_module:catalogue', which does not load: ModuleNotFound"
    listed = backburner("list", path=tmp_path)
    assert (listed.returncode, listed.stderr.count("\n")) == (0, 1)
    assert listed.stderr.startswith(f"warning: {line}")
    assert "timearena/quick" in listed.stdout
    assert line in " ".join(backburner("worlds", path=tmp_path).stdout.replace("│", "").split())
    helped = backburner("build", "--help", path=tmp_path)
    assert (helped.returncode, helped.stderr) == (0, "")
    assert "recipe2plan" in helped.stdout
    refused = backburner("build", "relay", "--out", str(tmp_path / "new"), path=tmp_path)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "its pack names 'no_such_module:BUILDER', which does not load" in refused.stderr
