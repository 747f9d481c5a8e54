"""Every pattern of a package, found where it is written, with what is done with it."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

METHODS = ("compile", "match", "fullmatch", "search", "findall", "finditer", "sub", "subn", "split")


@dataclass(frozen=True)
class Use:
    """A pattern and how it is used: ``fullmatch``, ``match``, or anything that looks for it: ``search``."""

    module: str
    written: str
    pattern: re.Pattern[str]
    how: str

    def __str__(self) -> str:
        return f"{self.module} {self.written}"

    def run(self, text: str) -> None:
        """What a reader does with it, in the way that takes longest."""
        if self.how == "search":
            for _ in self.pattern.finditer(text):
                pass
        else:
            getattr(self.pattern, self.how)(text)


@dataclass(frozen=True)
class Site:
    """A call of ``re`` whose pattern is not known before an object is made: where, in which function."""

    file: str
    lines: range
    how: str

    def __str__(self) -> str:
        return f"{self.file}:{self.lines.start}"


class Package:
    """The patterns in the modules of a package's folder."""

    def __init__(self, folder: Path, name: str) -> None:
        self.uses: list[Use] = []
        self.unknown: list[Site] = []
        sources = {path: path.read_text() for path in sorted(folder.rglob("*.py"))}
        trees = {path: ast.parse(source) for path, source in sources.items()}
        everywhere = _methods_by_name(trees.values())
        for path, tree in trees.items():
            dotted = ".".join((name, *path.relative_to(folder).with_suffix("").parts)).removesuffix(
                ".__init__"
            )
            calls, declared = list(_calls(tree)), list(_declared(tree))
            if not calls and not declared:
                continue
            module, here = import_module(dotted), _methods_by_name([tree])
            for written in declared:
                found = _of_text(_value(written, module))
                self.uses.append(Use(dotted, ast.unparse(written), found, "search"))
            for call, target in calls:
                used = (here if target.startswith("_") else everywhere).get(target, {"search"})
                self._add(call, used, module, dotted, path)

    def _add(self, call: ast.Call, used: set[str], module: ModuleType, dotted: str, path: Path) -> None:
        assert isinstance(call.func, ast.Attribute)
        methods = used if call.func.attr == "compile" else {call.func.attr}
        how = next((how for how in ("fullmatch", "match") if methods == {how}), "search")
        try:
            compiled = _of_text(*(_value(each, module) for each in (call.args[0], *_flags(call))))
        except NameError:
            lines = range(call.lineno, (call.end_lineno or call.lineno) + 1)
            self.unknown.append(Site(str(path), lines, how))
            return
        self.uses.append(Use(dotted, ast.unparse(call.args[0]), compiled, how))


def _calls(tree: ast.Module) -> Iterator[tuple[ast.Call, str]]:
    """Calls of ``re``, with the name of what is compiled: that of a variable, an attribute, or a property."""
    targets: dict[int, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name) | ast.Attribute(attr=name)]):
                targets[id(node.value)] = name
            case ast.FunctionDef(name=name, body=[*_, ast.Return(value=ast.Call() as returned)]):
                targets[id(returned)] = name
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=method)) if method in METHODS:
                yield node, targets.get(id(node), "")


def _declared(tree: ast.Module) -> Iterator[ast.expr]:
    """The spellings that fields of structs declare, as ``Meta(pattern=...)``."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="Meta"), keywords=keywords):
                yield from (keyword.value for keyword in keywords if keyword.arg == "pattern")


def _flags(call: ast.Call) -> list[ast.expr]:
    """The flags, by name or as ``compile`` takes them."""
    assert isinstance(call.func, ast.Attribute)
    named = [keyword.value for keyword in call.keywords if keyword.arg == "flags"]
    at = {"compile": 1, "match": 2, "fullmatch": 2, "search": 2, "findall": 2, "finditer": 2}.get(
        call.func.attr
    )
    return named or (call.args[at : at + 1] if at is not None else [])


def _of_text(pattern: Any, flags: Any = 0, compile_: Any = re.compile) -> re.Pattern[str]:
    """A pattern of text; one of bytes reads letters for them."""
    if isinstance(pattern, bytes):
        pattern, flags = pattern.decode("latin-1"), flags | re.ASCII
    compiled: re.Pattern[str] = compile_(pattern, flags)
    return compiled


def _value(expression: ast.expr, module: ModuleType) -> Any:
    """What an expression comes to in its module; ``NameError`` where it needs more."""
    code = compile(ast.Expression(expression), module.__name__, "eval")
    return eval(code, dict(vars(module)))  # noqa: S307 - the package's own source


def _methods_by_name(trees: Iterable[ast.Module]) -> Mapping[str, set[str]]:
    """What is asked of each name of a pattern anywhere; ``search`` where it is handed on."""
    methods: dict[str, set[str]] = {}
    for tree in trees:
        asked = {
            id(node.value): node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and node.attr in METHODS
        }
        for node in ast.walk(tree):
            match node:
                case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name, ctx=ast.Load()):
                    methods.setdefault(name, set()).add(asked.get(id(node), "search"))
    return methods


class Recorded:
    """Notes each pattern that is compiled while it is in force, with the place in the source."""

    def __init__(self) -> None:
        self.made: list[tuple[str, int, re.Pattern[str]]] = []

    def install(self, monkeypatch: Any) -> None:
        """Take the place of ``re.compile``, ``re.sub`` and their kin."""
        for method in METHODS:
            monkeypatch.setattr(re, method, self._noting(method, getattr(re, method)))

    def _noting(self, method: str, original: Any) -> Any:
        parameters = inspect.signature(original)
        compile_ = re.compile

        def noting(*args: Any, **named: Any) -> Any:
            given = parameters.bind(*args, **named).arguments
            frame = sys._getframe(1)
            pattern = _of_text(given["pattern"], given.get("flags", 0), compile_)
            self.made.append((frame.f_code.co_filename, frame.f_lineno, pattern))
            return original(*args, **named)

        return noting

    def at(self, site: Site) -> list[re.Pattern[str]]:
        """What was compiled there."""
        return [p for file, line, p in self.made if line in site.lines and Path(file).samefile(site.file)]
