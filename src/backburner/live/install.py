"""What live play needs beside Python: Node, and npm packages in a folder of the user's.

Nothing is installed unless somebody asks for it (``backburner live --demo``). The folder is built beside
its place and then put there in one go: a broken download leaves what there was before.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from backburner.kernel.errors import BackburnerError, BadFile, one_line, shorten_inside
from backburner.kernel.files import is_running, read_json

SOURCES = Path(__file__).parent / "node"
OLDEST_NODE = 22
NODE_FROM_NPM = "24.21.0"
"""The package ``node`` of npm's, for machines whose own is too old."""

TOLD = 0.0
"""The clock of a process whose time passes as the server tells its ticks: one of ours that waits for it."""

SECONDS, TELL_SECONDS = 600.0, 10.0
"""So long npm may take; so often it is told how far it is."""

NAME = "backburner-live"
"""What the folder's own ``package.json`` is called."""

MEGABYTES = 700
"""About what the folder has at the end."""

INSTALL = "backburner live --demo"
OFFLINE = re.compile(r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH")
"""What npm says where it does not get to its registry."""


class NotInstalled(BackburnerError):
    """Something that live play needs is not there; the message says what, and how to get it."""


class _Package(Struct, frozen=True):
    name: str = ""
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


def wanted(*, server: bool = False) -> Mapping[str, str]:
    """The npm packages of bots with their versions, and those of our own ``server``."""
    of_server = _read(SOURCES / "server" / "package.json").dependencies if server else {}
    return {**_read(SOURCES / "package.json").dependencies, **of_server}


def usual_folder() -> Path:
    """Where the packages are put where nobody says otherwise: a folder of the user's cache, one a version."""
    caches = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(caches) / "backburner" / f"live-mineflayer-{wanted()['mineflayer']}"


def find(folder: Path | None = None, *, server: bool = False) -> Setup:
    """What is installed; raises ``NotInstalled``, with the one thing to do, if something is missing that bots
    need, or our own ``server``."""
    command = INSTALL if folder is None else f"BACKBURNER_NODE_FOLDER={shlex.quote(str(folder))} {INSTALL}"
    how = f"`{command}` gets what it needs"
    folder = folder or usual_folder()
    for name, version in wanted(server=server).items():
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


def install(
    folder: Path | None = None, tell: Callable[[str], object] = print, *, server: bool = False
) -> Setup:
    """Get what is missing with npm, and put it into ``folder``; what is there already is left as it is.

    ``tell`` hears what is done, and how far it is. ``server``: what our own server needs as well. Raises
    ``NotInstalled`` if there is no npm, it fails, or somebody else's things stand in ``folder``; then that is
    as it was.
    """
    folder = folder or usual_folder()
    try:
        return find(folder, server=server)
    except NotInstalled:
        npm = shutil.which("npm")
    if npm is None:
        raise NotInstalled("npm is not on this machine: install Node.js, which brings it, and try again")
    if not _replaceable(folder):
        raise NotInstalled(
            f"{folder} has other things in it than our npm packages: name a folder of their own"
        )
    packages = dict(wanted(server=server))
    system = shutil.which("node")
    if system is None or (_node_version(Path(system)) or 0) < OLDEST_NODE:
        packages["node"] = NODE_FROM_NPM
    names = ", ".join(f"{name} {version}" for name, version in packages.items())
    tell(f"npm gets {names}, about {MEGABYTES} MB with what they need, into {folder}: once, a minute or more")
    folder.parent.mkdir(parents=True, exist_ok=True)
    _sweep(folder)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-{os.getpid()}-", dir=folder.parent) as building:
        _build(npm, Path(building) / "new", packages, tell)
        if folder.exists():
            folder.rename(Path(building) / "old")
        (Path(building) / "new").rename(folder)
    return find(folder, server=server)


def _replaceable(folder: Path) -> bool:
    """Whether nothing is lost with it: it is not there, has packages alone, or was built here."""
    others = {file.name for file in folder.glob("*")} - {"node_modules"}
    try:
        return not others or _read(folder / "package.json").name == NAME
    except BadFile:
        return False


def _sweep(folder: Path) -> None:
    """Remove what installations have left beside it that were killed."""
    for left in folder.parent.glob(f".{folder.name}-*-*"):
        process = left.name.removeprefix(f".{folder.name}-").partition("-")[0]
        if process.isdecimal() and not is_running(int(process)):
            shutil.rmtree(left, ignore_errors=True)


def _build(npm: str, folder: Path, packages: Mapping[str, str], tell: Callable[[str], object]) -> None:
    folder.mkdir()
    manifest = {"name": NAME, "private": True, "type": "module", "dependencies": packages}
    (folder / "package.json").write_bytes(msgspec.json.encode(manifest))
    code, printed = _run([npm, "install", *QUIETLY], folder, tell)
    if code:
        said = shorten_inside(one_line(" ".join(printed.split())), 400)
        if offline := OFFLINE.search(printed):
            raise NotInstalled(f"npm does not get to its registry ({offline[0]}): is this machine online?")
        raise NotInstalled(f"npm gave exit code {code}: {said}")
    for name, version in packages.items():
        if (there := _version_in(folder, name)) != version:
            raise NotInstalled(f"npm installed {name} {there or 'not at all'} where {version} was asked for")


QUIETLY = (
    "--no-package-lock",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    "--fetch-retry-mintimeout=1000",
)
"""How npm is asked: without a network it gives up within seconds."""


def _run(command: list[str], folder: Path, tell: Callable[[str], object]) -> tuple[int, str]:
    """The exit code and what was printed; how much there is in the folder is told now and then."""
    until, told = time.monotonic() + SECONDS, 0
    try:
        npm = subprocess.Popen(  # noqa: S603
            command,
            cwd=folder,
            env={**os.environ, "CI": "true"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
    except OSError as error:
        raise NotInstalled(f"npm does not run: {error}") from error
    try:
        while time.monotonic() < until:
            try:
                out, errors = npm.communicate(timeout=TELL_SECONDS)
                return npm.returncode, errors or out
            except subprocess.TimeoutExpired:
                if (there := sum(_sizes(folder)) // 10**6) > told:
                    told = there
                    tell(f"  {there} of about {MEGABYTES} MB")
        raise NotInstalled(f"npm takes longer than {SECONDS / 60:g} minutes")
    finally:
        npm.kill()
        npm.wait()


def _sizes(folder: Path) -> Iterator[int]:
    """Those of all files in it; some come and go meanwhile."""
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                yield os.stat(os.path.join(place, name), follow_symlinks=False).st_size  # noqa: PTH116, PTH118
            except OSError:
                continue


def _version_in(folder: Path, name: str) -> str | None:
    try:
        return _read(folder / "node_modules" / name / "package.json").version
    except BadFile:
        return None


def _read(file: Path) -> _Package:
    found: _Package = read_json(file, _Package, "a package")
    return found
