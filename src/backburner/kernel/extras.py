"""How an optional part is installed: from a clone another way than from an installed package."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

PACKAGE = Path(__file__).parent.parent

_EXTRA = re.compile(r"""\s*(?:and\s+)?extra\s*==\s*['"]([^'"]+)['"]""")


def install_command(extra: str) -> str:
    """The command that installs what ``extra`` needs, for the interpreter that runs, from any folder.

    No index knows this package, so its own name is not asked for: a clone is installed again with the
    extra, and for an installed package the extra's requirements are named.
    """
    from importlib import metadata  # 20 ms that only those pay who miss something

    command = [sys.executable or "python", "-m", "pip", "install"]
    if (clone := clone_of(PACKAGE)) is not None:
        return shlex.join([*command, "--editable", f"{clone}[{extra}]"])
    try:
        requirements = metadata.requires("backburner") or ()
    except metadata.PackageNotFoundError:
        requirements = ()
    return shlex.join([*command, *(requirements_of(extra, requirements) or (f"backburner[{extra}]",))])


def clone_of(package: Path) -> Path | None:
    """The folder of the source code that a package is imported from; ``None`` for an installed package."""
    folder = package.parent.parent
    return folder if package.parent.name == "src" and (folder / "pyproject.toml").is_file() else None


def requirements_of(extra: str, requirements: Sequence[str]) -> list[str]:
    """What an extra adds, as ``pip install`` takes it, out of a package's ``Requires-Dist`` lines.

    ``"numpy>=2; extra == 'solve'"`` is ``"numpy>=2"`` for ``solve``; other conditions stay.
    """
    return list(_requirements_of(extra, requirements))


def _requirements_of(extra: str, requirements: Sequence[str]) -> Iterator[str]:
    for requirement in requirements:
        name, _, marker = requirement.partition(";")
        named = _EXTRA.search(marker)
        if named is not None and named[1] == extra:
            rest = _EXTRA.sub("", marker).strip()
            yield f"{name.strip()}; {rest}" if rest else name.strip()
