"""What the commands share: the two consoles, options, JSON output."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer
from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderableType, RenderHook, RenderResult
from rich.segment import Segment

from backburner.kernel.errors import one_line

if TYPE_CHECKING:
    from rich.progress import Progress

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


def _console(*, stderr: bool = False) -> Console:
    console = Console(stderr=stderr, emoji=False)
    console.push_render_hook(_PrintableOnly())
    return console


out = _console()
err = _console(stderr=True)


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
    from backburner.drawing.scene.appearance import NONE, read_rendering

    if rendering is None:
        return NONE
    images = read_rendering(rendering)
    if images.missing:
        few = ", ".join(images.missing[:3]) + (", ..." if len(images.missing) > 3 else "")
        remark(f"{rendering}: {len(images.missing)} images are not there and drawn as shapes: {few}")
    return images


def progress_bar() -> Progress:
    """A bar on stderr that goes away when it is done; none where stderr is no terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=err, transient=True, disable=not err.is_terminal)
