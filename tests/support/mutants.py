"""Mutants of a function: the same with one thing changed, for tests that must notice every one."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from copy import copy
from functools import partial
from textwrap import dedent, shorten
from types import CodeType, FunctionType
from typing import Any, NamedTuple

Put = Callable[[Any], None]

ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
LISTS = ("min", "max", "add_bool_or", "add_no_overlap", "only_enforce_if")
"""What takes any number of arguments; each of them may be left out."""


class Mutant(NamedTuple):
    """``function`` with ``after`` in the place of ``before`` in this line of its file.

    Whoever calls the function calls the mutant while its ``__code__`` is ``code``.
    """

    function: FunctionType
    line: int
    before: str
    after: str
    code: CodeType

    def __str__(self) -> str:
        return f"{self.function.__qualname__}: {self.before} -> {self.after}"


def mutants(function: Any) -> list[Mutant]:
    """All mutants of a plain function or method, each different, in the order of its text.

    An order is weakened and sharpened by one unit; a condition loses a part, or is always or never
    true; a statement or a result is left out; a sum or a quotient is cut down to either side.
    """
    lines, first = inspect.getsourcelines(function)
    tree = ast.parse(dedent("".join(lines)))
    (definition,) = tree.body
    assert isinstance(definition, ast.FunctionDef)
    found: dict[str, Mutant] = {ast.unparse(tree): Mutant(function, 0, "", "", function.__code__)}
    for line, node, put in list(_places(definition, first)):
        for other in _changes(node):
            put(other)
            if (text := ast.unparse(tree)) not in found:
                found[text] = Mutant(function, line, _words(node), _words(other), _compiled(tree))
        put(node)
    return list(found.values())[1:]


def _places(within: ast.AST, first: int) -> Iterator[tuple[int, ast.AST, Put]]:
    """The line of each node, the node, and how another one is put in its place."""
    for field, value in ast.iter_fields(within):
        if field in ("args", "returns", "annotation") and not isinstance(within, ast.Call):
            continue
        places = enumerate(value) if isinstance(value, list) else [(None, value)]
        for place, child in places:
            if isinstance(child, ast.AST):
                put = partial(value.__setitem__, place) if isinstance(value, list) else None
                line = first + getattr(child, "lineno", getattr(within, "lineno", 1)) - 1
                yield line, child, put or partial(setattr, within, field)
                yield from _places(child, first)


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(ops=ops, comparators=sides):
            for place in (place for place, op in enumerate(ops) if isinstance(op, ORDERS)):
                for one in (1, -1):
                    moved = ast.BinOp(sides[place], ast.Add(), ast.Constant(one))
                    yield _with(node, comparators=[*sides[:place], moved, *sides[place + 1 :]])
        case ast.BoolOp(values=parts):
            for fewer in _each_left_out(parts):
                yield _with(node, values=fewer) if len(fewer) > 1 else fewer[0]
        case ast.BinOp():
            yield from (node.left, node.right)
        case ast.If() | ast.IfExp():
            yield from (_with(node, test=ast.Constant(always)) for always in (True, False))
        case ast.comprehension(ifs=ifs):
            yield from (_with(node, ifs=fewer) for fewer in _each_left_out(ifs))
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args) if name in LISTS:
            yield from (_with(node, args=fewer) for fewer in _each_left_out(args) if fewer)
        case ast.Expr(value=ast.Call()):
            yield ast.Pass()
        case ast.Return(value=ast.AST()):
            yield ast.Return(ast.Constant(None))


def _each_left_out(values: list[Any]) -> Iterator[list[Any]]:
    yield from (values[:place] + values[place + 1 :] for place in range(len(values)))


def _with(node: Any, **fields: Any) -> Any:
    other = copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def _words(node: ast.AST) -> str:
    """As it is written, on one line; of a branching only the condition."""
    if isinstance(node, ast.If):
        return f"if {_words(node.test)}"
    return shorten(ast.unparse(node), 100, placeholder=" ...")


def _compiled(tree: ast.Module) -> CodeType:
    module = compile(ast.fix_missing_locations(tree), "<mutant>", "exec", dont_inherit=True)
    return next(constant for constant in module.co_consts if isinstance(constant, CodeType))
