"""Agents of the user's own, named as Python imports them: ``package.module:Class``."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from backburner.kernel.contract import World
from backburner.kernel.errors import BackburnerError, Refused, UnknownName
from backburner.kernel.policy import Policy, Reply, Turn

MEMBERS: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "name": ("a text", lambda value: isinstance(value, str)),
    "informed": ("true or false", lambda value: isinstance(value, bool)),
    "settings": ("a mapping", lambda value: isinstance(value, Mapping)),
    "decide": ("a method", callable),
}
"""What makes an object a ``Policy``: its members, what they are, and whether a value is that."""


class OwnPolicy:
    """A user's policy: its settings tell where it comes from, and its mistakes are told in a line."""

    def __init__(self, spec: str, policy: Policy) -> None:
        self.name: str = policy.name
        self.informed: bool = policy.informed
        self.settings: Mapping[str, Any] = _writable(spec, {**policy.settings, "agent": spec})
        self._spec, self._policy = spec, policy

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """What the user's policy answers; raises ``Refused`` for what it does wrong."""
        try:
            answer: Any = self._policy.decide(turn, memory)
            if not inspect.isawaitable(answer):
                raise Refused(f"agent {self._spec!r}: decide must be written with async def")
            reply: Any = await answer
        except BackburnerError:
            raise
        except (Exception, SystemExit) as error:
            raise Refused(f"agent {self._spec!r} raises {_told(error)}") from error
        if not isinstance(reply, Reply):
            kind = type(reply).__name__
            raise Refused(f"agent {self._spec!r}: decide must answer with a backburner.Reply, not a {kind}")
        return reply


def own_policy(spec: str, world: World[Any, Any, Any]) -> OwnPolicy:
    """The agent that a class, or a function, makes from ``world`` (or from nothing, if it takes nothing).

    Raises ``UnknownName`` for a module or a name that is not there, ``Refused`` for what makes no agent.
    """
    make = maker(spec)
    arguments = _arguments(spec, make, world)
    try:
        made = make(*arguments)
    except BackburnerError:
        raise
    except (Exception, SystemExit) as error:
        raise Refused(f"agent {spec!r}: making it for {world.id} raises {_told(error)}") from error
    _check(spec, made)
    return OwnPolicy(spec, made)


def maker(spec: str) -> Callable[..., Any]:
    """What ``module:name`` stands for, imported; raises like ``own_policy``."""
    module_name, _, name = spec.partition(":")
    parts = (*module_name.split("."), name)
    if not all(part.isidentifier() for part in parts) or parts[-2] == "py":
        raise Refused(
            f"agent {spec!r}: an agent of your own is named as Python imports it, such as mine:MyAgent"
            " for the class MyAgent in mine.py"
        )
    module = _module(spec, module_name)
    if not hasattr(module, name):
        where = getattr(module, "__file__", None) or "built in"
        raise UnknownName("name", name, vars(module), f"module {module_name} ({where})")
    found = getattr(module, name)
    if not callable(found):
        kind = type(found).__name__
        raise Refused(
            f"agent {spec!r}: {name} is of type {kind} and makes no agent;"
            " name a class, or a function that takes the world"
        )
    return found  # type: ignore[no-any-return]


def _module(spec: str, name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if missing and (name == missing or name.startswith(f"{missing}.")):
            raise UnknownName("module", missing, _beside(missing), f"agent {spec!r}") from error
        raise Refused(f"agent {spec!r}: importing {name} raises {_told(error)}") from error


def _beside(module: str) -> list[str]:
    """The modules that can be imported from where ``module`` should have been."""
    package, dot, _ = module.rpartition(".")
    path = getattr(sys.modules[package], "__path__", ()) if package else None
    return [found.name for found in pkgutil.iter_modules(path, package + dot)]


def _arguments(spec: str, make: Callable[..., Any], world: World[Any, Any, Any]) -> tuple[Any, ...]:
    try:
        signature = inspect.signature(make)
    except ValueError:  # some of what is written in C tells nothing
        return (world,)
    for arguments in ((world,), ()):
        try:
            signature.bind(*arguments)
        except TypeError:
            continue
        return arguments
    name, taken = spec.partition(":")[2], ", ".join(signature.parameters)
    raise Refused(f"agent {spec!r}: {name} takes ({taken}); an agent is made from the world alone")


def _check(spec: str, made: Any) -> None:
    if missing := [f"no {member}" for member in MEMBERS if not hasattr(made, member)]:
        kind = type(made).__name__
        raise Refused(
            f"agent {spec!r} makes something of type {kind}, which is no agent: it has {', '.join(missing)}"
        )
    for member, (what, fits) in MEMBERS.items():
        if not fits(value := getattr(made, member)):
            raise Refused(f"agent {spec!r}: the {member} of an agent is {what}, not {value!r}")


def _writable(spec: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    try:
        written: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(settings))
    except (TypeError, ValueError) as error:
        raise Refused(f"agent {spec!r}: its settings must be JSON values: {error}") from error
    return written


def _told(error: BaseException) -> str:
    """``ValueError: no such door (mine.py, line 3)``: what was raised, and where in the user's code."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename != __file__ and "importlib" not in frame.filename
    ]
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{' '.join(f'{type(error).__name__}: {error}'.split())}{where}"
