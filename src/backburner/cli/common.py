"""What the commands share: the two consoles, options, JSON output, errors of usage, options of packs."""

from __future__ import annotations

import inspect
import io
import json
import logging
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_type_hints

import msgspec
import typer
from msgspec import Struct
from rich.console import (
    Console,
    ConsoleDimensions,
    ConsoleOptions,
    ConsoleRenderable,
    RenderableType,
    RenderHook,
    RenderResult,
)
from rich.segment import Segment

from backburner.cli import completion
from backburner.kernel.errors import Refused, UnknownName, one_line
from backburner.kernel.pack import Argument

if TYPE_CHECKING:
    from backburner.drawing.scene.appearance import Images


class _Printable:
    """Something to be printed in which only the console itself moves the cursor or changes colours."""

    def __init__(self, content: RenderableType) -> None:
        self.content = content

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self.content, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield Segment("\n".join(map(one_line, segment.text.split("\n"))), segment.style)


class _PrintableOnly(RenderHook):
    """Records, scenario files and answers of servers are foreign: their escape sequences are no commands."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Each with its control characters replaced."""
        return [_Printable(content) for content in renderables]


UNCUT = 10_000
"""The width of what is printed into a file or another program: every name stands there in full."""

USUAL = 80
"""The width of pictures there."""


class _Console(Console):
    """A console that is as wide as its terminal, or as ``COLUMNS`` says; elsewhere nothing is cut off."""

    @property
    def size(self) -> ConsoleDimensions:
        """The width and height in cells."""
        if self.is_terminal or "COLUMNS" in os.environ:
            return super().size
        return ConsoleDimensions(UNCUT, super().size.height)

    @size.setter
    def size(self, new: tuple[int, int]) -> None:
        self.width, self.height = new


def picture_width() -> int:
    """The width of what is drawn in signs."""
    return USUAL if out.width == UNCUT else out.width


def _console(*, stderr: bool = False) -> Console:
    console = _Console(stderr=stderr, emoji=False)
    console.push_render_hook(_PrintableOnly())
    return console


out = _console()
err = _console(stderr=True)


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


def print_json(value: Any) -> None:
    """``value`` as indented JSON on stdout, in which every sign that is not printed is escaped."""
    text = msgspec.json.format(msgspec.json.encode(value, enc_hook=str), indent=2).decode()
    if not _has_every_sign(sys.stdout):
        text = "".join(c if c.isascii() else json.dumps(c)[1:-1] for c in text)
    if not text.replace("\n", "").isprintable():
        text = "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)
    sys.stdout.write(f"{text}\n")


def _has_every_sign(stream: Any) -> bool:
    """Whether a stream's encoding has all signs, as UTF-8 does."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return encoding.lower().replace("_", "-").startswith("utf")


def write_in_any_encoding() -> None:
    """What the terminal's or pipe's encoding has no sign for (C's, an old code page's) is a question mark,
    and no end of the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not _has_every_sign(stream):
            stream.reconfigure(errors="replace")


def remark(message: str) -> None:
    """A line on stderr."""
    err.print(message, markup=False, highlight=False, soft_wrap=True)


def complain(message: str) -> None:
    """An error on stderr."""
    err.print("backburner:", message, style="red", markup=False, highlight=False, soft_wrap=True)


class _Remarks(logging.Handler):
    """What libraries log, as remarks."""

    def emit(self, record: logging.LogRecord) -> None:
        """One record; never raises."""
        try:
            remark(self.format(record))
        except Exception:
            self.handleError(record)


def tell_through_consoles() -> None:
    """Warnings, and what libraries log without a place of their own for it, go where remarks go."""
    logging.captureWarnings(True)
    logging.lastResort = _Remarks(logging.WARNING)


def images_of(rendering: Path | None) -> Images:
    """The images of a rendering JSON, if there is one; what it names and is not there is told."""
    from backburner.drawing.scene.appearance import NONE, read_rendering

    if rendering is None:
        return NONE
    images = read_rendering(rendering)
    if images.missing:
        few = ", ".join(images.missing[:3]) + (", ..." if len(images.missing) > 3 else "")
        remark(f"{rendering}: {len(images.missing)} images are not there and drawn as shapes: {few}")
    return images


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


# --- options that stand together -----------------------------------------------------------------------


def spread(command: Callable[..., None], **kinds: type[Struct]) -> Callable[..., None]:
    """The command with an option for each field of these structs in place of a parameter of each.

    A field's type tells its option, as a parameter's does; its default is what holds where nothing is said.
    In the help they stand in a panel of their own if the struct names one as ``PANEL``.
    """
    own = inspect.signature(command, eval_str=True)
    hints = {name: _hints(kind) for name, kind in kinds.items()}
    usual = {name: kind() for name, kind in kinds.items()}

    def spreader(**given: Any) -> None:
        for name, kind in kinds.items():
            given[name] = kind(**{field: given.pop(field) for field in hints[name]})
        command(**given)

    parameters: list[inspect.Parameter] = []
    for each in own.parameters.values():
        keyword = inspect.Parameter.KEYWORD_ONLY
        if each.name in kinds:
            parameters += (
                inspect.Parameter(field, keyword, default=getattr(usual[each.name], field), annotation=hint)
                for field, hint in hints[each.name].items()
            )
        else:
            parameters.append(each.replace(kind=keyword))
    spreader.__doc__, spreader.__name__ = command.__doc__, command.__name__
    spreader.__module__ = command.__module__
    spreader.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    spreader.__annotations__ = {each.name: each.annotation for each in parameters}
    return spreader


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


def write_picture(file: Path, picture: str, source: Path) -> None:
    """Write a picture or page of what ``source`` holds, and say so; ``Refused`` if that is ``file``."""
    from backburner.kernel.files import write_whole

    if os.path.realpath(file) == os.path.realpath(source):
        raise Refused(f"{file} is what is read; name another file for what is written")
    write_whole(file, picture.encode())
    remark(f"wrote {file}")
