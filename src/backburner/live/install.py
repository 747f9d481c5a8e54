"""What live play needs beside Python: Node, and two npm packages in a folder of the user's.

Nothing is installed unless somebody asks for it (``backburner live --install``). The folder is built beside
its place and then put there in one go: a broken download leaves what there was before.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from backburner.kernel.errors import BackburnerError, BadFile, one_line, shorten_inside
from backburner.kernel.files import read_json

SOURCES = Path(__file__).parent / "node"
OLDEST_NODE = 22
NODE_FROM_NPM = "24.21.0"
"""The package ``node`` of npm's, for machines whose own is too old."""

TOLD = 0.0
"""The clock of a process whose time passes as the server tells its ticks: one of ours that waits for it."""

SECONDS = 600.0
INSTALL = "backburner live --install"


class NotInstalled(BackburnerError):
    """Something that live play needs is not there; the message says what, and how to get it."""


class _Package(Struct, frozen=True):
    version: str = ""
    dependencies: dict[str, str] = {}


class Setup(Struct, frozen=True):
    """A folder with the packages, and the Node that runs there."""

    folder: Path
    node: Path

    def command(self, clock: float = 1.0) -> list[str]:
        """What starts the worker in ``folder``. ``clock``: how many of its seconds pass in one of ours, which
        takes effect with ``environment``; ``TOLD``: as many as the server's ticks say."""
        name = "told_clock.mjs" if clock == TOLD else "clock.mjs"
        faster = ["--import", str(SOURCES / name)] if clock != 1.0 else []
        return [str(self.node), *faster, str(SOURCES / "worker.mjs")]

    @staticmethod
    def environment(clock: float = 1.0) -> Mapping[str, str]:
        """What the process of ``command`` must find in its environment."""
        return {"BACKBURNER_CLOCK": f"{clock:g}"} if clock not in (1.0, TOLD) else {}


def wanted() -> Mapping[str, str]:
    """The npm packages with their versions."""
    return _read(SOURCES / "package.json").dependencies


def usual_folder() -> Path:
    """Where the packages are put where nobody says otherwise: a folder of the user's cache, one a version."""
    caches = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(caches) / "backburner" / f"live-mineflayer-{wanted()['mineflayer']}"


def find(folder: Path | None = None) -> Setup:
    """What is installed; raises ``NotInstalled``, with the one thing to do, if something is missing."""
    command = INSTALL if folder is None else f"BACKBURNER_NODE_FOLDER={shlex.quote(str(folder))} {INSTALL}"
    how = f"`{command}` gets what it needs"
    folder = folder or usual_folder()
    for name, version in wanted().items():
        there = _version_in(folder, name)
        if there is None:
            raise NotInstalled(
                f"live play needs the npm package {name} {version}, which is not in {folder}: {how}"
            )
        if there != version:
            raise NotInstalled(f"{folder} has {name} {there}, not {version}: {how}")
    return Setup(folder, _node(folder, how))


def _node(folder: Path, how: str) -> Path:
    """The Node in the folder, or else the machine's; it must be new enough."""
    own = folder / "node_modules" / "node" / "bin" / "node"
    found = own if own.is_file() else Path(shutil.which("node") or "")
    if not found.name:
        raise NotInstalled(f"live play needs Node {OLDEST_NODE} or newer, and this machine has none: {how}")
    version = _node_version(found)
    if version is None or version < OLDEST_NODE:
        told = "does not run" if version is None else f"is Node {version}"
        raise NotInstalled(f"live play needs Node {OLDEST_NODE} or newer, but {found} {told}: {how}")
    return found


def _node_version(node: Path) -> int | None:
    try:
        command = [str(node), "--version"]
        told = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False).stdout  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.match(r"v(\d{1,4})\.", told)
    return int(match[1]) if match else None


def install(folder: Path | None = None, tell: Callable[[str], object] = print) -> Setup:
    """Get what is missing with npm, and put it into ``folder``; what is there already is left as it is.

    ``tell`` hears what is done. Raises ``NotInstalled`` if there is no npm, or it fails; then ``folder`` is
    as it was.
    """
    folder = folder or usual_folder()
    try:
        return find(folder)
    except NotInstalled:
        npm = shutil.which("npm")
    if npm is None:
        raise NotInstalled("npm is not on this machine: install Node.js, which brings it, and try again")
    packages = dict(wanted())
    system = shutil.which("node")
    if system is None or (_node_version(Path(system)) or 0) < OLDEST_NODE:
        packages["node"] = NODE_FROM_NPM
    names = ", ".join(f"{name} {version}" for name, version in packages.items())
    tell(f"npm gets {names}, about 500 MB with what they need, into {folder}")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as building:
        _build(npm, Path(building) / "new", packages)
        if folder.exists():
            folder.rename(Path(building) / "old")
        (Path(building) / "new").rename(folder)
    return find(folder)


def _build(npm: str, folder: Path, packages: Mapping[str, str]) -> None:
    folder.mkdir()
    manifest = {"name": "backburner-live", "private": True, "type": "module", "dependencies": packages}
    (folder / "package.json").write_bytes(msgspec.json.encode(manifest))
    command = [npm, "install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]
    quiet = {**os.environ, "CI": "true"}
    try:
        done = subprocess.run(  # noqa: S603
            command,
            cwd=folder,
            env=quiet,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise NotInstalled(f"npm takes longer than {SECONDS / 60:g} minutes") from None
    except OSError as error:
        raise NotInstalled(f"npm does not run: {error}") from error
    if done.returncode:
        said = shorten_inside(one_line(" ".join((done.stderr or done.stdout).split())), 400)
        raise NotInstalled(f"npm gave exit code {done.returncode}: {said}")
    for name, version in packages.items():
        if (there := _version_in(folder, name)) != version:
            raise NotInstalled(f"npm installed {name} {there or 'not at all'} where {version} was asked for")


def _version_in(folder: Path, name: str) -> str | None:
    try:
        return _read(folder / "node_modules" / name / "package.json").version
    except BadFile:
        return None


def _read(file: Path) -> _Package:
    found: _Package = read_json(file, _Package, "a package")
    return found
