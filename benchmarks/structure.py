"""The structure of the package in figures: modules, chains of imports, protocols, start-up.

    python benchmarks/structure.py                      # this checkout, with the Python that runs this
    python benchmarks/structure.py CHECKOUT PYTHON      # another one, with a Python that has it installed
    python benchmarks/structure.py --page               # what the source tells, into docs/architecture.md

The first figures are read from the source with ``ast``; the others run the package in processes of its
own. ``docs/architecture.md`` tells what came out; a test holds the page to the figures of the source.
"""

from __future__ import annotations

import ast
import os
import re
import statistics
import subprocess
import sys
import tokenize
from collections.abc import Iterator, Mapping
from functools import cache
from io import StringIO
from pathlib import Path

PACKAGE = "backburner"

RUNS = 9
"""Runs of a command; the median counts."""

COMMANDS = ("--help", "worlds", "list timearena/pairs", "show timearena/cooking1", "solve --help")


def page(checkout: Path) -> str:
    """``docs/architecture.md`` with the figures of the source in the last column of their table."""
    text = (checkout / "docs" / "architecture.md").read_text("utf-8")
    for figure, value in Tree(checkout / "src" / PACKAGE).figures():
        row = rf"(\| {re.escape(figure)} \|.*\|)[^|\n]*\|\n"
        text, n_rows = re.subn(row, rf"\g<1> {value} |\n", text)
        if n_rows != 1:
            raise SystemExit(f"docs/architecture.md has {n_rows} rows for {figure!r}")
    return text


def main(checkout: Path, python: str) -> None:
    """Print every figure on a line of its own."""
    tree = Tree(checkout / "src" / PACKAGE)
    for figure, value in (*tree.figures(), *running(checkout, python)):
        print(f"{figure:<72} {value}")


class Tree:
    """The modules of a package as their source tells them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files = {self._name(file): file for file in sorted(root.rglob("*.py"))}
        self.texts = {name: file.read_text("utf-8") for name, file in self.files.items()}
        self.parsed = {name: ast.parse(text) for name, text in self.texts.items()}
        self.imports = {name: self._imports(name) for name in self.files}

    def figures(self) -> Iterator[tuple[str, object]]:
        """(what, figure)."""
        lines = [text.count("\n") for text in self.texts.values()]
        yield "modules", len(lines)
        yield "lines", sum(lines)
        yield "lines of code", sum(map(code_lines, self.texts.values()))
        yield "lines of a module, median", round(statistics.median(lines))
        yield "lines of a module, most", max(lines)
        yield "longest chain of imports", self.longest_chain()
        lonely = self.with_one_importer_beside()
        share = 100 * len(lonely) / len(self.files)
        yield "modules with one importer, in the same folder", f"{len(lonely)} ({share:.0f} %)"
        yield "share of import lines", f"{100 * self._import_lines() / sum(lines):.1f} %"
        naming, importing = self.knowing_worlds()
        yield "general modules that import a world", len(importing)
        yield "general modules with a world's name as a constant", len(naming)
        yield "optional protocols beside World", len(self.protocols())

    def _name(self, file: Path) -> str:
        parts = (PACKAGE, *file.relative_to(self.root).with_suffix("").parts)
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def _import_nodes(self, name: str) -> Iterator[ast.Import | ast.ImportFrom]:
        """Imports at the module's own level: what is imported when it is used is no chain."""
        for node in self.parsed[name].body:
            for inner in ast.walk(node) if isinstance(node, ast.If) else (node,):
                if isinstance(inner, ast.Import | ast.ImportFrom):
                    yield inner

    def _imports(self, name: str) -> set[str]:
        named: set[str] = set()
        for node in self._import_nodes(name):
            if isinstance(node, ast.Import):
                named |= {alias.name for alias in node.names}
            elif node.module:
                inside = {f"{node.module}.{alias.name}" for alias in node.names}
                named |= (inside & set(self.files)) or {node.module}
        return {other for other in named if other in self.files and other != name}

    def _import_lines(self) -> int:
        nodes = (node for name in self.files for node in self._import_nodes(name))
        return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes)

    def longest_chain(self) -> int:
        """Modules on the longest way down from importer to imported."""

        @cache
        def depth(name: str) -> int:
            return 1 + max((depth(other) for other in self.imports[name]), default=0)

        sys.setrecursionlimit(10_000)
        return max(depth(name) for name in self.files)

    def with_one_importer_beside(self) -> list[str]:
        """Modules that only one other imports, one of their own folder."""
        importers: dict[str, set[str]] = {name: set() for name in self.files}
        for name, others in self.imports.items():
            for other in others:
                importers[other].add(name)
        return [
            name
            for name, users in importers.items()
            if self.files[name].name != "__init__.py"
            and len(users) == 1
            and self.files[next(iter(users))].parent == self.files[name].parent
        ]

    def knowing_worlds(self) -> tuple[list[str], list[str]]:
        """Modules outside ``worlds/`` that hold a world's name as a constant, and that import a world."""
        worlds = {
            folder.name for folder in (self.root / "worlds").iterdir() if (folder / "__init__.py").exists()
        }
        naming, importing = [], []
        for name, tree in self.parsed.items():
            if name.startswith(f"{PACKAGE}.worlds"):
                continue
            nodes = list(ast.walk(tree))
            if any(isinstance(node, ast.Constant) and node.value in worlds for node in nodes):
                naming.append(name)
            modules = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
            modules += [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
            if any(module.startswith(f"{PACKAGE}.worlds.") for module in modules):
                importing.append(name)
        return naming, importing

    def protocols(self) -> list[str]:
        """Protocols that are asked for with ``isinstance``, in the kernel, ``World`` aside."""
        found = []
        for name, tree in self.parsed.items():
            if not name.startswith(f"{PACKAGE}.kernel"):
                continue
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef) and node.name != "World":
                    marks = {mark.id for mark in node.decorator_list if isinstance(mark, ast.Name)}
                    found += [node.name] if "runtime_checkable" in marks else []
        return found


NO_CODE = (
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)


def code_lines(text: str) -> int:
    """The lines of a module without those that are blank, a comment, or part of a docstring."""
    words = (
        token for token in tokenize.generate_tokens(StringIO(text).readline) if token.type not in NO_CODE
    )
    lines = {line for token in words for line in range(token.start[0], token.end[0] + 1)}
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            lines -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


PROVE = """
import sys
seen = set()
def profile(frame, event, arg):
    name = frame.f_globals.get("__name__", "")
    if event == "call" and name.startswith("backburner.") and not name.startswith("backburner.cli"):
        seen.add((name, frame.f_code.co_qualname))
from backburner.cli import main
sys.argv = ["backburner", "solve", "robotouille/synchronous/1@seed=42", "--limits", "none", "--json"]
sys.setprofile(profile)
try:
    main()
except SystemExit:
    pass
sys.setprofile(None)
functions = {pair for pair in seen if pair[1] != "<module>" and "<locals>.<" not in pair[1]}
print(len({name for name, _ in functions}), "modules,", len(functions), "functions")
"""
"""A short plan proven, without the command line's own modules; what only loads does not count."""

ANSWERS = """
import sys
from backburner.kernel import registry

def answer(role, plan, say="[NOTHING]"):
    return f"{role} analysis: The egg comes first.\\n{role} plan: {plan}\\n{role} say: {say}"

EGG = "pickup(egg,ingredient_dispenser);place_obj_on_counter()"
ANSWERS = {
    "chef": [
        answer("Chef", "request('pickup(egg,ingredient_dispenser)');wait(5)", "Please bring me an egg."),
        answer("Chef", "wait(5)"),
        answer("Chef", "pickup(egg,counter);put_obj_in_utensil(pot0);cook(pot0)"),
        answer("Chef", "request('pickup(dish,dish_dispenser)');wait(5)"),
        answer("Chef", "pickup(dish,counter);fill_dish_with_food(pot0);deliver_soup()"),
        answer("Chef", "wait(1)"),
    ],
    "assistant": [
        answer("Assistant", EGG, "I bring it. [END]"),
        answer("Assistant", EGG),
        answer("Assistant", "pickup(dish,dish_dispenser);place_obj_on_counter()"),
        answer("Assistant", "wait(1)"),
    ],
}
passed = []
for rules in ("standard", "released"):
    world = registry.world("collab_overcooked/boiled_egg", rules=rules)
    state = world.start(0)
    texts = {seat: list(reversed(given)) for seat, given in ANSWERS.items()}
    while seats := world.deciders(state):
        seen, (seat,) = set(), seats
        text = texts[seat].pop() if len(texts[seat]) > 1 else texts[seat][0]

        def profile(frame, event, arg):
            name = frame.f_globals.get("__name__", "")
            if event == "call" and name.startswith("backburner."):
                seen.add((name, frame.f_code.co_qualname))

        sys.setprofile(profile)
        state = world.step(state, {seat: world.parse(state, seat, text)}).state
        sys.setprofile(None)
        functions = {pair for pair in seen if not pair[1].endswith(">")}
        passed.append((len({name for name, _ in functions}), len(functions)))
print(max(n for n, _ in passed), "modules,", max(n for _, n in passed), "functions")
"""
"""Answers in the article's form by both rule sets, from the text to the new state; the most of one answer."""

BASE = "import typer, rich.console, rich.table"


def running(checkout: Path, python: str) -> Iterator[tuple[str, object]]:
    """Figures of the package at work."""
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    for what, program in (
        ("run to prove the first kitchen's plan", PROVE),
        ("passed by an answer in Collab-Overcooked", ANSWERS),
    ):
        told = subprocess.run(  # noqa: S603
            [python, "-c", program], capture_output=True, text=True, env=environment, check=True
        )
        yield what, told.stdout.splitlines()[-1]
    base = cpu_seconds([python, "-c", BASE], environment)
    yield "CPU to import typer and rich", f"{base:.3f} s"
    for command in COMMANDS:
        seconds = cpu_seconds([python, "-m", PACKAGE, *command.split()], environment)
        yield f"CPU of backburner {command}", f"{seconds:.3f} s, {seconds / base:.1f} times"


def cpu_seconds(command: list[str], environment: Mapping[str, str]) -> float:
    """User and system seconds of a process, the median of several runs after one to warm up."""
    spent = []
    for _ in range(RUNS + 1):
        before = os.times()
        subprocess.run(command, capture_output=True, env=dict(environment), check=True)  # noqa: S603
        after = os.times()
        spent.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )
    return statistics.median(spent[1:])


if __name__ == "__main__":
    here = Path(__file__).resolve().parents[1]
    arguments = sys.argv[1:]
    if arguments == ["--page"]:
        (here / "docs" / "architecture.md").write_text(page(here), "utf-8")
        sys.exit()
    main(Path(arguments[0]) if arguments else here, arguments[1] if len(arguments) > 1 else sys.executable)
