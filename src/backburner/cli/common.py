"""What the commands share: the two consoles, options, JSON output."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer
from rich.console import Console

if TYPE_CHECKING:
    from rich.progress import Progress

    from backburner.drawing.scene.images import Images


out = Console(emoji=False)
err = Console(stderr=True, emoji=False)


JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
RulesOption = Annotated[str, typer.Option("--rules", help="Rule set: standard or released.")]
LimitsOption = Annotated[str, typer.Option("--limits", help="Limits: article or none.")]
RenderingOption = Annotated[
    Path | None,
    typer.Option("--rendering", help="A rendering JSON: your own images for kinds of things."),
]
PromptsOption = Annotated[
    Path | None, typer.Option("--prompts", help="A folder with your own wording of prompts.")
]
SvgOption = Annotated[Path | None, typer.Option("--svg", help="Write the picture to this file.")]


def print_json(value: Any) -> None:
    """``value`` as indented JSON on stdout."""
    text = msgspec.json.format(msgspec.json.encode(value, enc_hook=str), indent=2)
    sys.stdout.write(text.decode() + "\n")


def remark(message: str) -> None:
    """A line on stderr."""
    err.print(message, markup=False, highlight=False, soft_wrap=True)


def complain(message: str) -> None:
    """An error on stderr."""
    err.print("backburner:", message, style="red", markup=False, highlight=False, soft_wrap=True)


def images_of(rendering: Path | None) -> Images:
    """The images of a rendering JSON, if there is one; what it names and is not there is told."""
    from backburner.drawing.scene.images import NONE, read_rendering

    if rendering is None:
        return NONE
    images = read_rendering(rendering)
    if images.missing:
        few = ", ".join(images.missing[:3]) + (", ..." if len(images.missing) > 3 else "")
        remark(f"{rendering}: {len(images.missing)} images are not there and drawn as shapes: {few}")
    return images


def progress_bar() -> Progress:
    """A bar on stderr that goes away when it is done."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=err, transient=True)
