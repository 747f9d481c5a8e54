"""Options of commands: those that many have, groups of them as structs, those that worlds declare."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

import typer
from msgspec import Struct

from backburner.cli import completion
from backburner.kernel.errors import UnknownName
from backburner.kernel.pack import Argument

ScenariosArgument = Annotated[
    list[str],
    typer.Argument(help="Scenarios, suites, scenario files or folders.", autocompletion=completion.scenarios),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
RulesOption = Annotated[
    str,
    typer.Option("--rules", help="Rule set: standard or released; released,FIELD=VALUE sets a field of it."),
]
LimitsOption = Annotated[str, typer.Option("--limits", help="Limits: article or none.")]
SignOption = Annotated[
    Path | None,
    typer.Option(
        "--sign", envvar="BACKBURNER_SIGN", help="Sign records with this private key (backburner keys)."
    ),
]
KeyOption = Annotated[
    Path | None,
    typer.Option("--key", help="A public key (*.pub): only records signed by it are believed."),
]
RenderingOption = Annotated[
    Path | None,
    typer.Option("--rendering", help="A rendering JSON: your own images for kinds of things."),
]
PromptsOption = Annotated[
    Path | None, typer.Option("--prompts", help="A folder with your own wording of prompts.")
]
OracleSecondsOption = Annotated[
    float,
    typer.Option(
        "--oracle-seconds",
        min=0.0,
        help="So long a plan is looked for to compare with, where none is recorded or shipped; 0: none is.",
    ),
]
SvgOption = Annotated[Path | None, typer.Option("--svg", help="Write the picture to this file.")]


# --- options that stand together, as the fields of a struct ------------------------------------------------


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """The command with an option for each field of a struct in place of each parameter that is one.

    A field's type tells its option, as a parameter's does; its default is what holds where nothing is said.
    In the help they stand in a panel of their own if the struct names one as ``PANEL``.
    """
    own = inspect.signature(command, eval_str=True)
    kinds = {name: each.annotation for name, each in own.parameters.items() if _is_group(each.annotation)}
    if not kinds:
        return command
    hints = {name: _hints(kind) for name, kind in kinds.items()}

    def spreader(**given: Any) -> None:
        for name, kind in kinds.items():
            given[name] = kind(**{field: given.pop(field) for field in hints[name]})
        command(**given)

    parameters: list[inspect.Parameter] = []
    for each in own.parameters.values():
        keyword = inspect.Parameter.KEYWORD_ONLY
        if each.name in kinds:
            parameters += (
                inspect.Parameter(field, keyword, default=getattr(each.default, field), annotation=hint)
                for field, hint in hints[each.name].items()
            )
        else:
            parameters.append(each.replace(kind=keyword))
    return _with_signature(spreader, command, own.replace(parameters=parameters))


def _is_group(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


def _hints(kind: type[Struct]) -> dict[str, Any]:
    """The type of each field, with its option, which stands in the struct's panel."""
    found = {}
    hints = get_type_hints(kind, include_extras=True)
    for field in kind.__struct_fields__:
        type_, option = get_args(hints[field])
        option = copy(option)
        option.rich_help_panel = option.rich_help_panel or getattr(kind, "PANEL", None)
        found[field] = Annotated[type_, option]
    return found


def flag_of(kind: type[Struct], field: str) -> str:
    """How the option of a field is written."""
    return str(get_args(get_type_hints(kind, include_extras=True)[field])[-1].default)


def differing(said: Struct, usual: Struct) -> list[str]:
    """The fields in which what is said differs from what holds where nothing is."""
    return [name for name in said.__struct_fields__ if getattr(said, name) != getattr(usual, name)]


# --- options that the packs of worlds declare, as options of a command -------------------------------------


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
    return _with_signature(taker, command, signature)


def _with_signature(
    made: Callable[..., None], command: Callable[..., None], signature: inspect.Signature
) -> Callable[..., None]:
    """The function that is ``made`` of a command, for Typer to read."""
    made.__doc__, made.__name__, made.__module__ = command.__doc__, command.__name__, command.__module__
    made.__signature__ = signature  # type: ignore[attr-defined]
    made.__annotations__ = {name: each.annotation for name, each in signature.parameters.items()}
    return made


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
    by_name: dict[str, Argument] = {}
    for world, arguments in of_worlds.items():
        for argument in arguments:
            help = f"{by_name[argument.name].help} " if argument.name in by_name else ""
            by_name[argument.name] = Argument(
                name=argument.name, help=f"{help}{world}: {argument.help}.", kind=argument.kind
            )
    return list(by_name.values())


# --- errors of usage in the words of all other errors: one line, with the nearest known name ---------------


_NO_SUCH_COMMAND = re.compile(r"No such command '(.+?)'", re.DOTALL)


_PLAINLY: Mapping[str, str] = {
    "Input should be a valid integer, unable to parse string as an integer": "write a whole number",
    "Input should be a valid integer, got a number with a fractional part": "write a whole number",
    "Input should be a valid number, unable to parse string as a number": "write a number",
    "Input should be a finite number": "write a finite number",
    "Input should be greater than or equal to": "write at least",
    "Input should be less than or equal to": "write at most",
}
"""What a library says of values, in words for people."""


def usage_error(error: Exception) -> str | None:
    """What is wrong with a command's words, by the error of Typer or Click that says so; else ``None``.

    The empty string stands for help that was asked for by saying nothing, and was printed already.
    """
    # Typer brings a Click of its own since some version and used another one before: their errors
    # have these names in common, and no class.
    say = getattr(error, "format_message", None)
    if say is None:
        return None
    context: Any = getattr(error, "ctx", None)
    command = "" if context is None else f"backburner{context.command_path.rpartition('backburner')[2]}"
    if context is not None and hasattr(error, "possibilities"):
        known = (name for parameter in context.command.params for name in parameter.opts)
        options = [*(name for name in known if name.startswith("-")), *context.help_option_names]
        return str(UnknownName("option", getattr(error, "option_name", ""), options, command))
    message = str(say())
    if context is not None and (unknown := _NO_SUCH_COMMAND.match(message)) is not None:
        return str(UnknownName("command", unknown[1], context.command.list_commands(context)))
    words = " ".join(message.split()).removesuffix(".")
    for wording, plainly in _PLAINLY.items():
        words = words.replace(wording, plainly)
    hint = f"; see {command} --help" if words and command else ""
    return f"{words[:1].lower()}{words[1:]}{hint}"
