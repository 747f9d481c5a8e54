"""Options of commands: those that many have, and groups of them as structs."""

from __future__ import annotations

import datetime
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from functools import partial
from itertools import count
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

import typer
from msgspec import Struct

from backburner.cli import completion
from backburner.cli.grammar import Key, Keyed
from backburner.evaluation.records import RECORD
from backburner.kernel.errors import UnknownName, nearest
from backburner.live.bots import FOLDER

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


class PlayOfOne(Keyed, frozen=True):
    """How one who comes from elsewhere plays: what every ``--play`` has."""

    seat: Annotated[str, Key("The seat of who comes; else the first.")] = ""
    partner: Annotated[str, Key("Who plays the other seats: an agent, or a+b.", free=True)] = ""
    rules: Annotated[str, Key("Rule set.", free=True)] = "standard"
    limits: Annotated[str, Key("article or none.")] = "article"


def unused_record(id: str) -> Path:
    """A record of its own for each play, called after the scenario and the time."""
    now = datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
    stem = f"{id.replace('/', '-')}.{now}"
    return another_record(FOLDER.joinpath(f"{stem}{RECORD}"))


def another_record(path: Path) -> Path:
    """The path, or, where something is there already, one that bears a number as well."""
    names = (f"{path.stem}{f'-{number}' if number > 1 else ''}{path.suffix}" for number in count(1))
    return next(each for each in map(path.with_name, names) if not each.exists())


# --- options that stand together, as the fields of a struct ------------------------------------------------


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """The command with options in place of each parameter that is a struct: one for each field, or for a
    ``Keyed`` one the option that says them all.

    A field's type tells its option, as a parameter's does; its default is what holds where nothing is said.
    In the help they stand in a panel of their own if the struct names one as ``PANEL``.
    """
    own = inspect.signature(command, eval_str=True)
    kinds = {name: each.annotation for name, each in own.parameters.items() if _is_group(each.annotation)}
    if not kinds:
        return command

    def spreader(**given: Any) -> None:
        for name, kind in kinds.items():
            if issubclass(kind, Keyed):
                given[name] = kind.said(given[name])
            else:
                given[name] = kind(**{field: given.pop(field) for field in kind.__struct_fields__})
        command(**given)

    parameters: list[inspect.Parameter] = []
    for each in own.parameters.values():
        parameters += _options(each) if each.name in kinds else [each.replace(kind=KEYWORD)]
    spreader.__doc__, spreader.__name__ = command.__doc__, command.__name__
    spreader.__module__ = command.__module__
    spreader.__wrapped__ = command  # type: ignore[attr-defined]
    spreader.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    spreader.__annotations__ = {each.name: each.annotation for each in parameters}
    return spreader


KEYWORD = inspect.Parameter.KEYWORD_ONLY


def _is_group(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


def _options(group: inspect.Parameter) -> Iterator[inspect.Parameter]:
    """The parameters that say a group."""
    kind: type[Struct] = group.annotation
    if issubclass(kind, Keyed):
        option = copy(kind.OPTION)
        option.help = kind.about()
        required = group.default is inspect.Parameter.empty
        default = group.default if required else None
        yield inspect.Parameter(group.name, KEYWORD, default=default, annotation=Annotated[kind.TYPE, option])
        return
    hints = get_type_hints(kind, include_extras=True)
    for field in kind.__struct_fields__:
        type_, option = get_args(hints[field])
        option = copy(option)
        option.rich_help_panel = option.rich_help_panel or getattr(kind, "PANEL", None)
        default = getattr(group.default, field)
        yield inspect.Parameter(field, KEYWORD, default=default, annotation=Annotated[type_, option])


# --- errors of usage in the words of all other errors: one line, with the nearest known name ---------------


_NO_SUCH_COMMAND = re.compile(r"No such command '(.+?)'", re.DOTALL)


_PLAINLY: Mapping[str, str] = {
    " is not a valid int": "write a whole number",
    " is not a valid integer": "write a whole number",
    " is not a valid int range": "write a whole number",
    " is not a valid float": "write a number",
    " is not a valid float range": "write a number",
}
"""How what a library says of a value ends, in words for people."""

_OUTSIDE, _FINITE = " is not in the range ", "write a finite number"


def finite_only(made: Any) -> Any:
    """A command that, with all that it has, takes no number that is infinite or none."""
    for each in getattr(made, "commands", {}).values():
        finite_only(each)
    for kind in {id(each.type): each.type for each in made.params}.values():
        if kind.name in ("float", "float range"):
            kind.convert = partial(_finite, type(kind).convert, kind)
    return made


def _finite(convert: Callable[..., Any], kind: Any, value: Any, param: Any, ctx: Any) -> Any:
    number = convert(kind, value, param, ctx)
    return number if isfinite(number) else kind.fail(_FINITE, param, ctx)


def _plainly(words: str) -> str:
    """What is wrong with a value, behind the option's name."""
    head, _, told = words.partition(": ")
    for ending, plainly in _PLAINLY.items():
        if told.endswith(ending):
            return f"{head}: {plainly}"
    value, outside, ends = told.rpartition(_OUTSIDE)
    if not outside:
        return words
    if ends.startswith(("x>=", "x<=")):
        return f"{head}: write at {'least' if '>' in ends else 'most'} {ends[3:]}"
    least, _, most = ends.partition("<=x<=")
    return f"{head}: write at {f'least {least}' if float(value) < float(least) else f'most {most}'}"


def _with_key(key: str, parameters: Iterable[Any]) -> Iterator[str]:
    """The options that have a key of this name, as it is written there."""
    for each in parameters:
        if f"\n\n{key}: " in (getattr(each, "help", None) or ""):
            before = (each.metavar or "").partition("KEY")[0].replace("[@", "@")
            yield f"{each.opts[0]} {before}{key}="


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
        name = str(getattr(error, "option_name", ""))
        keys = list(_with_key(name.lstrip("-"), context.command.params))
        meant = [*nearest(name, options, 1), *keys] if keys else []
        return str(UnknownName("option", name, options, command, meant))
    message = str(say())
    if context is not None and (unknown := _NO_SUCH_COMMAND.match(message)) is not None:
        return str(UnknownName("command", unknown[1], context.command.list_commands(context)))
    words = _plainly(" ".join(message.split()).removesuffix("."))
    hint = f"; see {command} --help" if words and command else ""
    return f"{words[:1].lower()}{words[1:]}{hint}"
