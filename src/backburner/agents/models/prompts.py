"""The wording of prompting methods: Jinja templates for any world, and those that a world's pack brings.

The words of a message are looked for in this order: ``<world>/<method>/<message>.jinja`` of the user's
folder, ``any/<method>/<message>.jinja`` there, then both among the shipped templates. A template may
build on a shipped one (for any world, or for this one) by its path:
``{% extends "any/react/think.jinja" %}``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from jinja2 import DictLoader, StrictUndefined, Template, TemplateError
from jinja2.meta import find_referenced_templates
from jinja2.sandbox import ImmutableSandboxedEnvironment

from backburner.kernel import packs
from backburner.kernel.errors import BadFile, Refused, nearest
from backburner.kernel.files import read_text
from backburner.kernel.values import digest

SUFFIX = ".jinja"
ANY = "any"
CLOCK = "clock"
"""The folder of methods that are asked only where thinking takes time, with a number of its own: the words of
all others, and so what records say of them, stay as they are."""
TOOLS = "tools"
"""The folder of methods whose models call tools, with a number of its own too."""
ADDED = "added"
"""The folder of messages that a choice adds to a method, with a number of its own as well."""
PROBLEMS = "problems"
"""That of methods whose models write scheduling problems."""
PROGRAMS = "programs"
"""That of messages whose answers are programs of MiniZinc."""

TEXTS = "texts"
"""The folder of what annotators of plain words are asked, with a number of its own too."""

SHIPPED = (ANY, CLOCK, TOOLS, ADDED, PROBLEMS, PROGRAMS, TEXTS)

VERSION = "VERSION"
"""The file of each shipped folder with the number of its wording, raised whenever that changes."""

COMMON: Mapping[str, Any] = {"briefing": "briefing", "text": "text", "options": {}}
"""What every template knows, with values to try it out."""


class Prompts:
    """The words of one method in one world.

    A template knows ``briefing`` (what the seat was told before play), ``text`` (what it is told now),
    ``first`` (whether this is the first message of the conversation), ``options`` (the method's choices)
    and what the method hands it for this message. ``messages`` has the method's messages by name, each
    with values for those; templates are tried out with them, and with ``choices``.

    ``folder`` holds the user's own wording; what it leaves out is worded as shipped. Raises ``BadFile``
    for a message that the method does not send, and for a template that cannot be filled in.
    """

    def __init__(
        self,
        method: str,
        world: str,
        messages: Mapping[str, Mapping[str, Any]],
        choices: Mapping[str, str],
        folder: Path | None = None,
    ) -> None:
        own = _own(folder, method, world, messages) if folder is not None else {}
        texts = {
            **_shipped(world),
            **{str(path): read_text(path).replace("\r\n", "\n") for path in own.values()},
        }
        self._paths = {message: _shipped_path(message, method, world) for message in messages}
        self._paths |= {message: str(path) for message, path in own.items()}
        self._environment = ImmutableSandboxedEnvironment(
            loader=DictLoader(texts),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=False,  # a model reads this, not a browser
        )
        self._templates: dict[str, Template] = {}
        for message, fields in messages.items():
            self._try_out(message, {**COMMON, "options": choices, **fields})
        self.record: Mapping[str, Any] = self._recorded(world, texts, bool(own))

    def render(self, message: str, **fields: Any) -> str:
        """The message in full."""
        return self._templates[message].render(fields)

    def _try_out(self, message: str, fields: Mapping[str, Any]) -> None:
        """Fill in a template before play, so that a fault does not show in its midst."""
        try:
            self._templates[message] = self._template(self._paths[message])
            for first in (True, False):
                self.render(message, **fields, first=first)
        except TemplateError as error:
            line = getattr(error, "lineno", None)
            known = ", ".join(sorted((*fields, "first")))
            why = f"{error}; this template knows {known}"
            raise BadFile(self._paths[message], f"line {line}" if line else "", why) from error

    def _template(self, path: str) -> Template:
        template = self._environment.get_template(path)
        # Copied for every message, for which a chain of maps takes longer than all the rest.
        template.globals = dict(template.globals)
        return template

    def _recorded(self, world: str, texts: Mapping[str, str], own: bool) -> dict[str, Any]:
        """Version and digest of the words, for the record."""
        used: dict[str, str] = {}
        waiting = list(self._paths.values())
        while waiting:
            path = waiting.pop()
            if path not in used and path in texts:
                used[path] = texts[path]
                parsed = self._environment.parse(texts[path])
                waiting += [name for name in find_referenced_templates(parsed) if name is not None]
        folders = sorted({path.partition("/")[0] for path in used} & {*SHIPPED, world})
        versions = [f"{folder} {version_of(folder)}" for folder in folders] + ["own"] * own
        by_message = {message: used[path] for message, path in self._paths.items()}
        return {
            "prompts": digest([by_message, sorted(used.values())]),
            "prompts_version": ", ".join(versions),
        }


def _own(folder: Path, method: str, world: str, messages: Mapping[str, Mapping[str, Any]]) -> dict[str, Path]:
    """The user's templates for this method, by message; those for this world go before those for any."""
    found: dict[str, Path] = {}
    for kind in (ANY, world):
        for path in sorted((folder / kind / method).glob(f"*{SUFFIX}")):
            message = path.name.removesuffix(SUFFIX)
            if message not in messages:
                guess = nearest(message, messages) or list(messages)
                names = " or ".join(f"{name}{SUFFIX}" for name in guess)
                raise BadFile(path, "", f"method {method} sends no such message; did you mean {names}?")
            found[message] = path
    if not found:
        where = f"{folder}/{world}/{method} or {folder}/{ANY}/{method}"
        names = ", ".join(f"{name}{SUFFIX}" for name in messages)
        raise BadFile(folder, "", f"holds no templates of method {method}; expected {names} in {where}")
    return found


def _shipped_path(message: str, method: str, world: str) -> str:
    paths = [f"{folder}/{method}/{message}{SUFFIX}" for folder in (world, *reversed(SHIPPED))]
    return next((path for path in paths if path in _shipped(world)), paths[-1])


def folder_of(world: str) -> Traversable | None:
    """The shipped templates for a world, or for any; ``None`` for a world whose pack has none."""
    if world in SHIPPED:
        return files("backburner.agents.models") / "templates" / world
    pack = packs.installed().packs.get(world)
    if pack is None or not pack.prompts:
        return None
    package, _, name = pack.prompts.partition(":")
    try:
        folder = files(package) / name
    except ImportError as error:
        raise Refused(f"world {world!r}: its pack names {pack.prompts!r}: {error}") from error
    if not folder.is_dir():
        raise Refused(f"world {world!r}: its pack names {pack.prompts!r}, and there is no such folder")
    return folder


def version_of(world: str) -> int:
    """The number of the shipped wording for a world, or for any; 0 where it has none."""
    folder = folder_of(world)
    if folder is None or not (folder / VERSION).is_file():
        return 0
    return int((folder / VERSION).read_text(encoding="utf-8"))


@cache
def _shipped(world: str) -> Mapping[str, str]:
    """The text of every shipped template for this world and for any, by its path."""
    found: dict[str, str] = {}
    for name in (*SHIPPED, world):
        folder = folder_of(name)
        found |= () if folder is None else _below(folder, f"{name}/")
    return found


def _below(folder: Traversable, prefix: str) -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _below(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(SUFFIX):
            yield f"{prefix}{entry.name}", entry.read_text(encoding="utf-8")
