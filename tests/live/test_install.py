"""What live play needs: found, asked for in one line, or put in place in one go."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from backburner.live import install
from backburner.live.install import SOURCES, TOLD, NotInstalled, Setup, find, usual_folder, wanted


def program(file: Path, lines: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{lines}\n")
    file.chmod(0o755)
    return file


def packages(folder: Path, versions: dict[str, str]) -> None:
    for name, version in versions.items():
        file = folder / "node_modules" / name / "package.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"name": name, "version": version}))


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with no programs but those that a test puts into its folder."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


NPM = """
for name in mineflayer:4.39.0 mineflayer-pathfinder:2.4.5 {more}; do
  /bin/mkdir -p node_modules/${{name%:*}}
  printf '{{"version": "%s"}}' "${{name#*:}}" > node_modules/${{name%:*}}/package.json
done
printf '%s' "$*" > asked
"""


def test_the_versions_are_exact() -> None:
    manifest = json.loads((SOURCES / "package.json").read_text())
    assert all(version[0].isdigit() for version in manifest["dependencies"].values())
    assert {"mineflayer", "mineflayer-pathfinder"} == set(wanted())
    assert set(wanted(server=True)) == {*wanted(), "flying-squid"}


def test_every_source_is_there() -> None:
    """What one source imports of the others ships with it."""
    for source in SOURCES.rglob("*.mjs"):
        for part in source.read_text().split("'"):
            assert not part.startswith("./") or (source.parent / part).is_file(), (source.name, part)


def test_what_is_there_is_found(machine: Path) -> None:
    node = program(machine / "bin" / "node", "echo v24.1.0")
    packages(usual_folder(), dict(wanted()))
    setup = find()
    assert setup == Setup(usual_folder(), node)
    assert setup.command() == [str(node), str(SOURCES / "worker.mjs")] and setup.environment() == {}
    assert setup.command(8)[1:3] == ["--import", str(SOURCES / "clock.mjs")]
    assert setup.environment(8) == {"BACKBURNER_CLOCK": "8"}
    assert setup.command(TOLD)[1:3] == ["--import", str(SOURCES / "told_clock.mjs")]
    assert setup.environment(TOLD) == {}


def test_the_folder_s_own_node_comes_first(machine: Path) -> None:
    program(machine / "bin" / "node", "echo v20.1.0")
    packages(machine / "there", dict(wanted()))
    own = program(machine / "there" / "node_modules" / "node" / "bin" / "node", "echo v24.1.0")
    assert find(machine / "there").node == own


@pytest.mark.parametrize(
    ("node", "versions", "told"),
    [
        ("echo v24.1.0", {}, "needs the npm package mineflayer 4.39.0, which is not in "),
        ("echo v24.1.0", {"mineflayer": "4.25.0"}, "has mineflayer 4.25.0, not 4.39.0"),
        ("echo v20.2.0", None, "needs Node 22 or newer, but .*/bin/node is Node 20"),
        ("exit 3", None, "needs Node 22 or newer, but .*/bin/node does not run"),
        (None, None, "needs Node 22 or newer, and this machine has none"),
    ],
)
def test_what_is_missing_is_one_line_with_what_to_do(
    node: str | None, versions: dict[str, str] | None, told: str, machine: Path
) -> None:
    if node:
        program(machine / "bin" / "node", node)
    packages(usual_folder(), dict(wanted()) if versions is None else versions)
    with pytest.raises(NotInstalled, match=rf"{told}.*: `backburner live --demo` gets what it needs$"):
        find()


def test_npm_puts_everything_in_place(machine: Path) -> None:
    program(machine / "bin" / "node", "echo v24.1.0")
    program(machine / "bin" / "npm", NPM.format(more=""))
    heard: list[str] = []
    folder = machine / "new" / "there"
    assert install.install(folder, heard.append) == find(folder)
    assert "mineflayer 4.39.0" in heard[0] and str(folder) in heard[0]
    asked = json.loads((folder / "package.json").read_text())["dependencies"]
    assert asked == dict(wanted())
    assert [file.name for file in folder.parent.iterdir()] == ["there"]
    heard.clear()
    install.install(folder, heard.append)
    assert heard == []  # it is there
    with pytest.raises(NotInstalled, match=r"flying-squid not at all where 1\.12\.0"):  # it is not
        install.install(folder, heard.append, server=True)
    assert install.find(folder).folder == folder


def test_a_folder_with_other_things_is_not_replaced(machine: Path) -> None:
    program(machine / "bin" / "node", "echo v24.1.0")
    program(machine / "bin" / "npm", NPM.format(more=""))
    (machine / "thesis").mkdir()
    (machine / "thesis" / "chapter.tex").write_text("Years of work.")
    with pytest.raises(NotInstalled, match="thesis has other things in it"):
        install.install(machine / "thesis", lambda line: None)
    assert (machine / "thesis" / "chapter.tex").read_text() == "Years of work."


def test_where_node_is_too_old_npm_brings_one(machine: Path) -> None:
    program(machine / "bin" / "node", "echo v20.2.0")
    own = '/bin/mkdir -p node_modules/node/bin\n/bin/cp "$0.node" node_modules/node/bin/node'
    program(machine / "bin" / "npm", NPM.format(more="node:24.21.0") + own)
    program(machine / "bin" / "npm.node", "echo v24.21.0")
    setup = install.install(machine / "there", lambda line: None)
    assert setup.node == machine / "there" / "node_modules" / "node" / "bin" / "node"


@pytest.mark.parametrize(
    ("npm", "told"),
    [
        (None, "npm is not on this machine: install Node.js, which brings it"),
        ("echo 'npm error network' >&2; exit 1", "npm gave exit code 1: npm error network"),
        (
            "echo 'npm error code ENOTFOUND' >&2; exit 1",
            r"npm does not get to its registry \(ENOTFOUND\): is",
        ),
        ("true", "npm installed mineflayer not at all where 4.39.0 was asked for"),
        (NPM.format(more="").replace("4.39.0", "4.25.0"), "npm installed mineflayer 4.25.0 where 4.39.0"),
    ],
)
def test_what_fails_leaves_what_there_was(npm: str | None, told: str, machine: Path) -> None:
    program(machine / "bin" / "node", "echo v24.1.0")
    if npm:
        program(machine / "bin" / "npm", npm)
    packages(machine / "there", {"mineflayer": "4.0.0"})
    with pytest.raises(NotInstalled, match=told):
        install.install(machine / "there", lambda line: None)
    assert os.listdir(machine / "there" / "node_modules") == ["mineflayer"]  # noqa: PTH208
    assert {file.name for file in machine.iterdir()} == {"bin", "there"}


def test_it_is_told_how_far_npm_is_and_what_a_killed_one_has_left_goes(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(install, "TELL_SECONDS", 0.2)
    program(machine / "bin" / "node", "echo v24.1.0")
    program(
        machine / "bin" / "npm",
        f"/bin/head -c 2000000 /dev/zero > big; /bin/sleep 0.5\n{NPM.format(more='')}",
    )
    dead = subprocess.run(["/bin/sh", "-c", "echo $$"], capture_output=True, text=True).stdout.strip()
    left, busy = machine / f".there-{dead}-abc", machine / f".there-{os.getppid()}-abc"
    left.mkdir()
    busy.mkdir()
    heard: list[str] = []
    install.install(machine / "there", heard.append)
    assert heard[1].split() == ["2", "of", "about", "700", "MB"] and not left.exists() and busy.exists()
