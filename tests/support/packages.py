"""Small distributions on the path, as ``pip install`` would leave them: modules and entry points."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from backburner.kernel import packs, registry


def forget() -> None:
    """The registry looks again for what is installed."""
    for cached in (packs.installed, packs.part, registry.catalogue):
        cached.cache_clear()
    importlib.invalidate_caches()


def distribution(folder: Path, name: str, worlds: dict[str, str], **modules: str) -> None:
    """A package ``name`` with these modules (name to source) that announces these worlds."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    points = "".join(f"{world} = {path}\n" for world, path in worlds.items())
    (info / "entry_points.txt").write_text(f"[{packs.GROUP}]\n{points}")
    for module, source in modules.items():
        (folder / f"{module}.py").write_text(source)


@contextmanager
def on_the_path(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Distributions in the folder are installed."""
    patch.syspath_prepend(str(folder))
    forget()
    try:
        yield
    finally:
        for file in folder.glob("*.py"):
            sys.modules.pop(file.stem, None)
        patch.undo()
        forget()
