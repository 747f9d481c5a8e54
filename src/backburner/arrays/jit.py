"""Compiling: functions over numbers and arrays, by numba where it is installed.

Compiled or not, a function gives the same numbers: without numba, or with ``NUMBA_DISABLE_JIT=1``, it
runs as the plain Python that it is, a few hundred times slower.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., object])

try:
    import numba
    from numba.core import config
except ImportError:
    COMPILES = False
else:
    COMPILES = not config.DISABLE_JIT  # type: ignore[attr-defined]  # set when numba reads the environment


def compiled(function: F) -> F:
    """The function, compiled when it is first called; the machine code is kept beside its module.

    It may call other compiled functions, and takes numbers, arrays and named tuples of them; it makes no
    arrays. So none are counted as in use (``_nrt``), which would cost a call with tables and rows 0.3
    microseconds, and most of the time of compiling.
    """
    if not COMPILES:
        return function
    uncounted: dict[str, Any] = {"_nrt": False}
    return cast(F, numba.njit(cache=True, nogil=True, **uncounted)(function))
