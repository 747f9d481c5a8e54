"""The layers: imports point down only, worlds do not know each other, the core needs msgspec alone.

The imports are read from the source with ``ast``; nothing is imported to find them out.
"""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import backburner
from backburner.cli import COMMANDS
from support.programs import program

ROOT = Path(backburner.__file__).parent

BELOW: Mapping[str, set[str]] = {
    "kernel": set(),
    "planning": {"kernel"},
    "scheduling": {"kernel"},
    "formats": {"kernel", "planning", "scheduling"},
    "arrays": {"kernel"},
    "worlds": set(),
    "dispatch": {"kernel"},
    "game": {"kernel", "dispatch"},
    "metrics": {"kernel", "dispatch", "game"},
    "oracle": {"kernel", "dispatch", "planning", "scheduling", "game", "metrics"},
    "world arrays": {"kernel", "arrays", "dispatch", "scheduling", "game", "metrics", "oracle"},
    "world agents": {
        *("kernel", "arrays", "dispatch", "game", "metrics", "oracle", "scheduling", "world arrays"),
    },
    "world live": {"kernel", "dispatch", "game", "live"},
    "pack": {"kernel"},
    "agents": {"kernel", "drawing", "scheduling", "formats"},
    "drawing": {"kernel"},
    "evaluation": {"kernel", "agents", "drawing", "scheduling"},
    "generation": {"kernel", "scheduling", "agents", "evaluation"},
    "training": {"kernel", "arrays", "agents", "evaluation", "generation"},
    "inspect": {"kernel", "agents", "drawing", "evaluation"},
    "cluster": {"kernel", "agents", "evaluation", "inspect"},
    "live": {"kernel", "agents", "evaluation"},
    "mcp": {"kernel", "agents"},
    "serve": {"kernel", "agents", "drawing", "evaluation"},
    "analysis": {"kernel", "drawing", "evaluation"},
    "study": {"kernel", "agents", "drawing", "evaluation", "analysis", "serve"},
    "cli": {
        *("kernel", "scheduling", "agents", "drawing", "evaluation", "generation", "inspect", "cluster"),
        *("study", "analysis", "serve", "arrays", "training", "live", "mcp", "formats"),
    },
    "backburner": {"kernel", "agents", "evaluation"},
    "__main__": {"cli"},
}
"""Layer to the layers it may import, itself aside. A new layer must find its place here."""

CORE = {"kernel", "worlds", "dispatch", "pack", "game", "metrics"}

ALLOWED_OUTSIDE: Mapping[str, set[str]] = {
    **{name: {"msgspec"} for name in CORE},
    "planning": {"msgspec", "numpy"},
    "scheduling": {"msgspec", "numpy", "ortools"},
    "formats": {"msgspec", "psplib", "unified_planning"},
    "drawing": {"msgspec", "rich", "resvg_py"},
    "arrays": {"msgspec", "numpy", "numba"},
    "world arrays": {"msgspec", "numpy", "jax"},
}
"""Layer to the packages it may import besides the standard library; the others are free."""


def modules() -> Iterator[tuple[str, Path]]:
    """(dotted name, file) of every module of the package."""
    for file in sorted(ROOT.rglob("*.py")):
        parts = ("backburner", *file.relative_to(ROOT).with_suffix("").parts)
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), file


NAMES = {name for name, _ in modules()}
WORLDS = {file.name for file in (ROOT / "worlds").iterdir() if (file / "game").is_dir()}


@cache
def imports(module: str) -> frozenset[str]:
    """Every module that the module's source names in an import, ours in full."""
    file = dict(modules())[module]
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, f"{module}: imports are written in full"
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (inside & NAMES) or {node.module}
    return frozenset(found)


def ours(module: str) -> set[str]:
    return {name for name in imports(module) if name.partition(".")[0] == "backburner"}


def layer(module: str) -> str:
    """The layer of a module; a world's rooms are layers of their own, and so are the room of dispatchers'
    worlds and a study's analysis."""
    parts = module.split(".")
    if len(parts) == 1:
        return parts[0]
    if parts[1:3] == ["study", "analysis"]:
        return "analysis"
    if parts[1:3] == ["worlds", "dispatch"]:
        return "dispatch"
    if parts[1] != "worlds" or len(parts) < 4:
        return parts[1]
    return f"world {parts[3]}" if parts[3] in ("agents", "arrays", "live") else parts[3]


def test_every_module_has_a_layer() -> None:
    assert {layer(module) for module in NAMES} <= set(BELOW)


def test_imports_point_down_only() -> None:
    upward = [
        f"{module} -> {name}"
        for module in sorted(NAMES)
        for name in sorted(ours(module))
        if layer(name) not in BELOW[layer(module)] | {layer(module)}
    ]
    assert not upward, "\n".join(upward)


def test_the_lower_layers_need_little() -> None:
    offenders = []
    for module in sorted(name for name in NAMES if layer(name) in ALLOWED_OUTSIDE):
        allowed = ALLOWED_OUTSIDE[layer(module)] | set(sys.stdlib_module_names) | {"backburner"}
        foreign = {name for name in imports(module) if name.partition(".")[0] not in allowed}
        offenders += [f"{module} imports {foreign}"] if foreign else []
    assert not offenders


INSPECT = {
    f"inspect_ai{part}" for part in ("", ".dataset", ".log", ".model", ".scorer", ".solver", ".tool", ".util")
}
"""What of Inspect is public; anything deeper may be gone with its next version."""


def test_only_the_adapter_imports_inspect_and_only_what_is_public() -> None:
    users = {module: {name for name in imports(module) if name.startswith("inspect_ai")} for module in NAMES}
    assert {layer(module) for module, names in users.items() if names} <= {"inspect", "cli"}
    assert set().union(*users.values()) <= INSPECT


VARIANTS = {"clocked_kitchen": {"cuisineworld"}, "collab_grid": {"collab_overcooked"}}
"""Worlds that are variants of another one and build on it, as their packs say."""


def test_no_world_knows_another() -> None:
    """What several worlds share stands in a room beside them, ``backburner.worlds.dispatch``; only a variant
    builds on the world that it varies."""
    offenders = []
    for module in sorted(name for name in NAMES if name.startswith("backburner.worlds.")):
        world = module.split(".")[2]
        others = {name for name in ours(module) if name.startswith("backburner.worlds.")}
        strangers = WORLDS - {world} - VARIANTS.get(world, set())
        foreign = {name for name in others if name.split(".")[2] in strangers}
        offenders += [f"{module} imports {foreign}"] if foreign else []
    assert not offenders


def test_no_module_imports_itself_by_a_detour() -> None:
    graph = {module: ours(module) - {module} for module in NAMES}
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(f"import cycle: {' -> '.join(error.args[1])}")


def test_commands_import_no_commands() -> None:
    """What two of them share stands in a module that is none, or in the room that it belongs to."""
    commands = {f"backburner.cli.{told.path.partition(':')[0]}" for told in COMMANDS.values()}
    assert commands <= NAMES
    found = [
        f"{module} -> {name}" for module in sorted(commands) for name in ours(module) & commands - {module}
    ]
    assert not found


def test_public_names_exist() -> None:
    missing = []
    for module in sorted(NAMES - {"backburner.__main__"}):
        try:
            imported = importlib.import_module(module)
        except ModuleNotFoundError as error:
            assert (error.name or "").partition(".")[0] != "backburner"
            assert layer(module) not in CORE
            continue
        public = getattr(imported, "__all__", [])
        missing += [f"{module}.{name}" for name in public if not hasattr(imported, name)]
        missing += [f"{module}.__all__ names something twice"] if len(set(public)) < len(public) else []
        missing += [] if imported.__doc__ else [f"{module} has no docstring"]
    assert not missing


IMPORT_ALL = """
import asyncio, difflib, importlib, importlib.metadata, importlib.resources, os, sys, tempfile
import msgspec
asked, opened = [], []
class Watched(dict):
    def __getitem__(self, key):
        asked.append(key)
        return super().__getitem__(key)
    def get(self, key, default=None):
        asked.append(key)
        return super().get(key, default)
    def __contains__(self, key):
        asked.append(key)
        return super().__contains__(key)
os.environ = Watched(os.environ)
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
for name in sys.argv[1:]:
    importlib.import_module(name)
print([file for file in opened if not file.endswith((".py", ".so")) and ".pyc" not in file], asked)
"""


def test_importing_the_core_reads_no_file_and_no_environment() -> None:
    """Scenario data is read when a scenario is asked for, settings when they are used."""
    core = sorted(name for name in NAMES if layer(name) in CORE - {"metrics"})
    run = subprocess.run([sys.executable, "-c", IMPORT_ALL, *core], capture_output=True, text=True)
    assert (run.stderr, run.stdout.strip()) == ("", "[] []")


def test_the_page_on_architecture_has_the_figures_of_the_source() -> None:
    """Where it fails, ``python benchmarks/structure.py --page`` writes them."""
    checkout = Path(__file__).parents[1]
    written = (checkout / "docs" / "architecture.md").read_text("utf-8")
    assert program("benchmarks/structure.py").page(checkout) == written
