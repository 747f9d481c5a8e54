"""Completion, asked for as shells do: by variables of the environment, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from backburner.cli.completion import agents, next_parts, scenarios
from backburner.kernel import packs
from support.command_line import Ran, ran
from support.packages import distribution

HEAVY = ("ortools", "openai", "inspect_ai", "backburner.worlds.timearena.game")


def complete(path: Path | None = None, **variables: str) -> Ran:
    """In a process of its own where packages are in a folder."""
    if path is None:
        return ran(**variables)
    env = {**os.environ, **variables, "PYTHONPATH": str(path)}
    run = subprocess.run([sys.executable, "-m", "backburner"], capture_output=True, text=True, env=env)
    return Ran(run.returncode, run.stdout, run.stderr)


def in_bash(*words: str, path: Path | None = None) -> list[str]:
    """What bash offers in place of the last word."""
    run = complete(
        path,
        COMP_WORDS="\n".join(("backburner", *words)),
        COMP_CWORD=str(len(words)),
        _BACKBURNER_COMPLETE="complete_bash",
    )
    assert (run.code, run.stderr) == (0, "")
    return run.stdout.split()


def test_bash_is_offered_commands_options_and_ids() -> None:
    assert in_bash("re") == ["report", "replay", "reproduce"]
    assert "--budget" in in_bash("run", "--bud")
    assert in_bash("run", "") == [f"{name}/" for name in packs.names()]
    assert "timearena/quick" in in_bash("run", "timearena/q")
    assert "recipe2plan/table-2" in in_bash("reproduce", "recipe2plan/")
    assert in_bash("run", "timearena/quick", "--agent", "gre") == ["greedy"]


def test_zsh_is_offered_the_same_with_what_it_is() -> None:
    line = {"_TYPER_COMPLETE_ARGS": "backburner run timearena/quick --agent gre"}
    run = complete(_BACKBURNER_COMPLETE="complete_zsh", **line)
    assert run.stdout.startswith('_arguments \'*: :(("greedy":')


def test_fish_is_offered_the_same() -> None:
    line = {"_TYPER_COMPLETE_ARGS": "backburner list timearena/qui"}
    asked = {"_TYPER_COMPLETE_FISH_ACTION": "get-args", "_BACKBURNER_COMPLETE": "complete_fish"}
    assert complete(**line, **asked).stdout.split() == ["timearena/quick"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_usual_shell_can_be_told(shell: str) -> None:
    run = complete(_BACKBURNER_COMPLETE=f"source_{shell}")
    assert run.code == 0
    assert f"_BACKBURNER_COMPLETE=complete_{shell}" in run.stdout


def test_a_broken_world_is_not_told_of_in_the_line_that_is_typed(tmp_path: Path) -> None:
    distribution(tmp_path, "relays", {"relay": "relay_pack:PACK"}, relay_pack="import no_such_module")
    assert "timearena/" in in_bash("run", "", path=tmp_path)


def test_nothing_fits_a_word_that_no_world_begins_with() -> None:
    assert in_bash("run", "nowhere/") == []


def test_a_catalogue_is_loaded_only_where_one_world_is_meant() -> None:
    code = f"""
import sys
from backburner.cli.completion import scenarios
scenarios("")
print([name for name in {HEAVY!r} if name in sys.modules])
print([name for name in sys.modules if name.startswith("backburner.worlds.") and name.count(".") > 3])
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout == "[]\n[]\n"


def test_one_world_that_can_be_meant_is_opened() -> None:
    assert set(scenarios("timear")) == set(scenarios("timearena/")) > {"timearena/quick"}


def test_names_are_offered_up_to_their_next_part() -> None:
    names = {"w/a", "w/b/1", "w/b/2", "w/c/d/1", "w/c/d/2"}
    assert next_parts(names, "w/") == ["w/a", "w/b/", "w/c/"]
    assert next_parts(names, "w/b") == ["w/b/1", "w/b/2"]
    assert next_parts(names, "w/c") == ["w/c/d/1", "w/c/d/2"]
    assert next_parts(names, "w/d") == []


def test_of_a_team_the_next_member_is_offered() -> None:
    assert "greedy+random" in dict(agents("greedy+"))
    assert "weights:FILE" not in dict(agents(""))
