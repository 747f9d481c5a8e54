"""The data card: what is in the folder, how it was made, and where ``datasets`` finds it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import jinja2
from msgspec import Struct

from backburner.evaluation.tables.schema import item_of
from backburner.training.export.demonstrations import PROMPTED_BY, LeftOut, Settings
from backburner.training.export.splits import SPLITS, Split
from backburner.training.export.tables import tables_of

MOST_NAMED = 20
"""Things that were left out that are named one by one."""


class DataFile(Struct, frozen=True):
    """A file of the data set: its path in the folder, its rows, and the SHA-256 of its bytes."""

    table: str
    split: Split
    path: str
    rows: int
    sha256: str


class Made(Struct, frozen=True):
    """Everything that the card tells.

    ``split``: that of each scenario; ``parts``: of each; ``mixed``: left out, as they have parts of two
    splits. ``versions``: of the package, its worlds and the libraries that decide what is written.
    """

    settings: Settings
    files: tuple[DataFile, ...]
    split: Mapping[str, Split]
    parts: Mapping[str, Sequence[str]]
    mixed: tuple[str, ...]
    left_out: tuple[LeftOut, ...]
    versions: Mapping[str, str]


def command_of(settings: Settings) -> str:
    """The command that writes this data set again."""
    usual = Settings(settings.format, settings.suites)
    said = [f"agents={','.join(settings.agents)}"]
    if settings.format == "messages":
        said.append(f"methods={','.join(settings.methods)}")
    said += ["thoughts=no"] * (not settings.thoughts) + ["unproven=yes"] * settings.unproven
    for key in ("seeds", "rules", "limits", "plan_seconds", "effort", "validation", "test"):
        if getattr(settings, key) != getattr(usual, key):
            said.append(f"{key}={getattr(settings, key)}")
    if settings.hold_out:
        said.append(f"hold_out={','.join(settings.hold_out)}")
    return shlex.join(
        ["backburner", "export", *settings.suites, "--format", f"{settings.format}@{','.join(said)}"]
    )


def card(made: Made) -> str:
    """The text of ``README.md``; the same data gives the same text."""
    ids = {split: [id for id, of in made.split.items() if of == split] for split in SPLITS}
    return _template().render(
        made=made,
        settings=made.settings,
        tables=tables_of(made.settings),
        ids=ids,
        parts={
            split: sorted({part for id in mine for part in made.parts[id]}) for split, mine in ids.items()
        },
        shape=_shape,
        command=command_of(made.settings),
        prompted_by=PROMPTED_BY,
        most_named=MOST_NAMED,
    )


def _template() -> jinja2.Template:
    return jinja2.Environment(
        loader=jinja2.PackageLoader("backburner.training.export"),
        autoescape=False,  # noqa: S701  # it is Markdown
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    ).get_template("card.md.jinja")


SHAPES: Mapping[Any, str] = {str: "string", int: "int64", float: "float64", bool: "bool"}


def _shape(kind: Any) -> str:
    item = item_of(kind)
    if item is None:
        return SHAPES[kind]
    if issubclass(item, Struct):
        return f"list of {{{', '.join(item.__struct_fields__)}}}"
    return "list of strings" if item is str else f"list of {SHAPES[item]}"
