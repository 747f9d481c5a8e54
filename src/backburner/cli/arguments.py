"""Options that the packs of worlds declare, as options of a command."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from backburner.kernel.pack import Argument

TYPES: Mapping[str, Any] = {
    "text": str,
    "whole number": int,
    "number": float,
    "switch": bool,
    "path": Path,
}
"""The type of each kind of argument's values."""


def taking(arguments: Sequence[Argument], command: Callable[..., None]) -> Callable[..., None]:
    """The command with these options beside its own, which stay what they are.

    It is handed them by name, as the mapping ``options``: all that are said or have a default.
    """
    own = inspect.signature(command, eval_str=True)
    flags = {flag for parameter in own.parameters.values() for flag in _flags(parameter)}
    arguments = [argument for argument in arguments if f"--{argument.name}" not in flags]
    names = {_variable(argument): argument.name for argument in arguments}

    def taker(**given: Any) -> None:
        options = {name: given.pop(variable) for variable, name in names.items()}
        command(**given, options={name: value for name, value in options.items() if value is not None})

    parameters = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in own.parameters.values()
        if parameter.name != "options"
    ]
    last = [parameter for parameter in parameters if parameter.name == "json"]
    first = [parameter for parameter in parameters if parameter.name != "json"]
    signature = own.replace(parameters=[*first, *map(_parameter, arguments), *last])
    taker.__doc__, taker.__name__ = command.__doc__, command.__name__
    taker.__signature__ = signature  # type: ignore[attr-defined]
    taker.__annotations__ = {name: each.annotation for name, each in signature.parameters.items()}
    return taker


def _flags(parameter: inspect.Parameter) -> Sequence[str]:
    """How an option of the command itself is written; Typer takes the first spelling for a default."""
    declared = [each for each in get_args(parameter.annotation)[1:] if hasattr(each, "param_decls")]
    return [str(flag) for each in declared for flag in (each.default, *(each.param_decls or ()))]


def _parameter(argument: Argument) -> inspect.Parameter:
    kind = TYPES[argument.kind]
    optional = argument.default is None and not argument.required
    flag = [f"--{argument.name}"]
    option = typer.Option(*flag, help=argument.help, min=argument.least)
    return inspect.Parameter(
        _variable(argument),
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if argument.required else argument.default,
        annotation=Annotated[kind | None if optional else kind, option],
    )


def _variable(argument: Argument) -> str:
    """A name that is no keyword: ``--from`` is ``option_from``."""
    return f"option_{argument.name.replace('-', '_')}"


def together(of_worlds: Mapping[str, Sequence[Argument]]) -> list[Argument]:
    """The arguments of several worlds as those of one command; each says whose it is."""
    found: dict[str, Argument] = {}
    for world, arguments in of_worlds.items():
        for argument in arguments:
            said = f"{found[argument.name].help} " if argument.name in found else ""
            found[argument.name] = Argument(
                name=argument.name, help=f"{said}{world}: {argument.help}.", kind=argument.kind
            )
    return list(found.values())
