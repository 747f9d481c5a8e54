"""Usage errors in the words of all other errors: one line, with the nearest known name."""

from __future__ import annotations

import re
from typing import Any

from backburner.kernel.errors import UnknownName

_NO_SUCH_COMMAND = re.compile(r"No such command '(.+?)'", re.DOTALL)


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
    hint = f"; see {command} --help" if words and command else ""
    return f"{words[:1].lower()}{words[1:]}{hint}"
