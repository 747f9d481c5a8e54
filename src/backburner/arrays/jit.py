"""Compiling: functions over numbers and arrays, by numba where it is installed.

Compiled or not, a function gives the same numbers: without numba, or with ``NUMBA_DISABLE_JIT=1``, it
runs as the plain Python that it is, a few hundred times slower.

Compiled functions count no references. Where they did, each call, and each look at an array of a named
tuple, would count those of all arrays in it: a step of CuisineWorld took 19 microseconds instead of 27
nanoseconds. So they make no arrays, take no slices other than to fill them or pass them on, and call no
methods of arrays such as ``sum``: they loop, and write into what they are given. Numba says "NRT required" of
what does more.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from hashlib import blake2b
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., object])

try:
    import numba
    from numba.core import config
except ImportError:
    COMPILES = False
else:
    COMPILES = not config.DISABLE_JIT  # type: ignore[attr-defined]  # set when numba reads the environment

OPTIONS: Mapping[str, Any] = {"cache": True, "nogil": True, "_nrt": False}
"""``nogil``: threads of Python may run several at once."""


def compiled(function: F) -> F:
    """The function, compiled when it is first called; the machine code is kept beside its module.

    It may call other compiled functions, and takes numbers, arrays and named tuples of them.
    """
    if not COMPILES:
        return function
    return cast(F, numba.njit(forceinline=True, **OPTIONS)(function))


def bound(loop: FunctionType, functions: Mapping[str, Callable[..., Any]]) -> Any:
    """The loop with these functions under the names by which it calls them, compiled.

    Its machine code is kept under a name that stands for the functions and for the sources of the packages
    that they are from: they are part of it, and numba itself would look at the loop's source alone.
    """
    made = FunctionType(loop.__code__, {**loop.__globals__, **functions}, loop.__name__)
    if not COMPILES:
        return made
    named = sorted(f"{name} {part.__module__} {part.__qualname__}" for name, part in functions.items())
    folders = {Path(inspect.getfile(_plain(part))).parent for part in functions.values()}
    sources = [file.read_bytes() for folder in sorted(folders) for file in sorted(folder.glob("*.py"))]
    told = blake2b(b"\0".join([*map(str.encode, named), *sources]), digest_size=8).hexdigest()
    made.__qualname__ = f"{loop.__name__}_{told}"
    made.__module__ = loop.__module__
    return numba.njit(**OPTIONS)(made)


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    return cast(Callable[..., Any], getattr(function, "py_func", function))
