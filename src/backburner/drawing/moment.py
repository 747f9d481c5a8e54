"""A person's moment on a terminal: goal, news, state and what can be done, in as many lines as there are.

Goal and news are always there. What does not fit of the rest is left out, and a line says how to see it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.segment import Segment, Segments
from rich.text import Text

from backburner.drawing.scene import scene_text
from backburner.kernel.errors import one_line
from backburner.kernel.menu import Option
from backburner.kernel.text import Glance, Suggestion
from backburner.kernel.view import Scene

HINT = "help  ?  briefing  recipes  state  quit"
MOST_GOAL, MOST_NEWS, LEAST_MENU = 2, 4, 4
"""Lines of goal and news at most, and of the menu at least where the state is long."""

PROMPT = 1
"""Lines that the prompt takes below."""

Line = list[Segment]


def moment_lines(
    console: Console,
    glance: Glance,
    options: Sequence[Option[object]],
    scene: Scene | None,
    labels: Mapping[str, str],
    *,
    height: int,
    refused: bool = False,
    told: Sequence[str] = (),
) -> Segments:
    """The moment in at most ``height`` lines, those of the prompt included.

    ``refused``: the news is why the last decision was refused. ``told``: what
    earlier moments told, the latest last; as much of it is shown as there is room for.
    """
    room = max(12, height) - PROMPT
    top = _wrapped(console, f"Goal: {glance.goal}" if glance.goal else "", "bold", MOST_GOAL)
    top += _wrapped(console, glance.news, "bold red" if refused else "italic", MOST_NEWS)
    bottom = _wrapped(console, f"{glance.question}  ({HINT})".strip(), "dim", 1)
    room -= len(top) + len(bottom)
    menu = _menu(console, options, glance.suggestions)
    state = _state(console, glance, scene, labels)
    recipes = _wrapped(console, glance.recipes, "", 100)
    for_menu = max(min(len(menu), LEAST_MENU), room - len(state))
    shown = _cut(console, menu, for_menu, "'?' lists the rest")
    state = _cut(console, state, room - len(shown), "'state' shows the rest")
    room -= len(shown) + len(state)
    past = _wrapped(console, "\n".join(("Until now:", *told)) if told else "", "dim", 10_000)
    past = past[len(past) - room :] if len(past) > room else past
    state += [*recipes, *past] if len(recipes) <= room - len(past) else past
    lines = [*top, *state, *shown, *bottom]
    return Segments([segment for line in lines for segment in (*line, Segment.line())])


def _state(console: Console, glance: Glance, scene: Scene | None, labels: Mapping[str, str]) -> list[Line]:
    if scene is None:
        return _wrapped(console, glance.state, "", 10_000)
    if scene.caption == glance.goal:
        scene = msgspec.structs.replace(scene, caption="")
    return _lines(console, scene_text(scene, width=console.width, labels=labels, short=True))


def _menu(
    console: Console, options: Sequence[Option[object]], suggestions: Sequence[Suggestion]
) -> list[Line]:
    """The numbered options in as many columns as fit, then lines to type."""
    cells = [f"{at:>2} {_said(option.label, option.gloss)}" for at, option in enumerate(options, 1)]
    lines = _columns(cells, console.width)
    begun = (each for each in suggestions if not each.is_whole)
    lines += [f"   {_said(f'{each.line}...', each.gloss)}" for each in begun]
    return [_lines(console, Text(_cut_short(line, console.width - 1)))[0] for line in lines]


def _cut_short(line: str, most: int) -> str:
    line = line.rstrip()
    return line if cell_len(line) <= most else f"{set_cell_size(line, most - 1).rstrip()}…"


def _columns(cells: Sequence[str], width: int) -> list[str]:
    if not cells:
        return []
    widest = min(width, max(map(cell_len, cells)) + 2)
    number = max(1, width // widest)
    rows = -(-len(cells) // number)
    return ["".join(set_cell_size(cell, widest) for cell in cells[row::rows]) for row in range(rows)]


def _said(label: str, gloss: str) -> str:
    return one_line(f"{label}  {gloss}" if gloss else label)


def _wrapped(console: Console, text: str, style: str, most: int) -> list[Line]:
    """The text over so many lines; the last one ends with an ellipsis where there is more."""
    if not text:
        return []
    lines = _lines(console, Text("\n".join(map(one_line, text.splitlines())), style=style))
    return lines if len(lines) <= most else [*lines[: most - 1], _ellipsis(console, lines[most - 1], style)]


def _ellipsis(console: Console, line: Line, style: str) -> Line:
    plain = "".join(segment.text for segment in line).rstrip()
    return _lines(console, Text(set_cell_size(plain, min(cell_len(plain), console.width - 2)) + " …", style))[
        0
    ]


def _cut(console: Console, lines: list[Line], most: int, how: str) -> list[Line]:
    """The first lines; where some are left out the last one says how to see them."""
    if len(lines) <= most:
        return lines
    note = Text(f"… {len(lines) - most + 1} more lines: {how}", style="dim")
    return [*lines[: max(0, most - 1)], *_lines(console, note)][: max(0, most)]


def _lines(console: Console, content: object) -> list[Line]:
    return console.render_lines(content, console.options.update(height=None), pad=False)  # type: ignore[arg-type]
