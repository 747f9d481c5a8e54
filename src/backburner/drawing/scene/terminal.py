"""A scene, and a person's moment, for a terminal. Readable without colours too.

A scene is a compact grid, below it what is where. A wide scene has no room for its empty cells: of a map only
the rows and columns in which something is are drawn, and the list below says in which cell. Where that has no
room for names, the list alone is short.

A moment is goal, news, state and what can be done, in as many lines as there are. Goal and news are always
there. What does not fit of the rest is left out, and a line says how to see it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from rich.cells import cell_len, set_cell_size
from rich.columns import Columns
from rich.console import Console, Group
from rich.segment import Segment, Segments
from rich.text import Text

from backburner.drawing import palette
from backburner.drawing.scene.appearance import shape_of
from backburner.drawing.scene.map import is_map
from backburner.drawing.scene.pieces import count
from backburner.kernel.errors import one_line
from backburner.kernel.menu import Option
from backburner.kernel.text import Glance, Suggestion
from backburner.kernel.view import WALL, Body, Cell, Place, Scene, Thing

EDGE = "▌"
NOSES = {(0, -1): "▲", (0, 1): "▼", (-1, 0): "◀", (1, 0): "▶"}
SOMEBODY = "●"
SOLID = "░"
"""A wall, where nothing can be done and nobody stands."""

LEAST_CELL, MOST_CELL = 3, 13

LEAST_NAMED = 7
"""Cells of fewer characters have no room for names."""

LEFT_OUT = "rows and columns in which nothing is are left out; (column, row) counts them all"
"""Said below a map."""

Lines = tuple[Text, Text]
"""A cell: what stands there, and what lies on it or is held."""


def scene_text(
    scene: Scene, *, width: int = 100, labels: Mapping[str, str] | None = None, short: bool = False
) -> Group:
    """A scene in rows of at most ``width`` cells: caption, grid, and a list of what is where.

    ``labels`` are short names of places (such as the keys that choose them), written before their names.
    ``short``: rows in which nothing lies or is held take one line, and of places where nothing is, those
    alone are listed whose names the grid has no room for.
    """
    view = _View(scene, width, labels or {}, short)
    return Group(*view.grid(), Columns(view.listing(), padding=(0, 3), column_first=True), *view.rest())


class _View:
    """A scene with the width of its cells, in characters."""

    def __init__(self, scene: Scene, width: int, labels: Mapping[str, str], short: bool) -> None:
        self.scene, self.labels, self.short = scene, labels, short
        self.is_map = is_map([scene])
        taken = [place.at for place in scene.places]
        taken += [body.at for body in scene.bodies if body.at is not None]
        self.columns: Sequence[int] = range(scene.width)
        self.rows: Sequence[int] = range(scene.height)
        if self.is_map:
            self.columns, self.rows = (sorted({at[axis] for at in taken}) for axis in (0, 1))
        self.cell = max(LEAST_CELL, min(width // max(1, len(self.columns)) - 1, MOST_CELL))
        if short and self.is_map and self.cell < LEAST_NAMED:
            self.columns, self.rows = (), ()
        self.places = sorted(
            (place for place in scene.places if place.kind != WALL),
            key=lambda place: (place.at[1], place.at[0]),
        )
        self.notes = {place.name: ", ".join(_notes(place)) for place in self.places}

    def grid(self) -> Iterator[Text]:
        if self.scene.caption:
            yield Text(one_line(self.scene.caption), style="bold")
        if is_board(self.scene):
            return
        cells = dict(self._cells())
        blank = Text(" " * self.cell)
        for y in self.rows:
            row = [cells.get((x, y), (blank, blank)) for x in self.columns]
            is_bare = self.short and not any(lower.plain.strip(f"{EDGE}{SOLID} ") for _, lower in row)
            for line in (0,) if is_bare else (0, 1):
                yield Text(" ", no_wrap=True, overflow="crop").join(lines[line] for lines in row)

    def _cells(self) -> Iterator[tuple[Cell, Lines]]:
        standing: dict[Cell, list[Body]] = {}
        for body in self.scene.bodies:
            if body.at is not None:
                standing.setdefault(body.at, []).append(body)
        for cell, bodies in standing.items():
            nose = NOSES.get(bodies[0].facing, SOMEBODY)
            name = nose + self._fitting([body.name for body in bodies], self.cell - 1)
            held = [thing.name for body in bodies for thing in body.holding]
            yield cell, (self._text(name, "bold"), self._text(self._fitting(held, self.cell), "italic"))
        solid = self._text(SOLID * self.cell, palette.EDGE)
        yield from ((place.at, (solid, solid)) for place in self.scene.places if place.kind == WALL)
        for place in self.places:
            named = self._named(place)
            name = EDGE + (named if place.name in self.labels else _short(named, self.cell - 1))
            top = EDGE + self._fitting([thing.name for thing in place.stack[::-1]], self.cell - 1)
            style = f"{palette.INK} on {shape_of(place.kind).fill}"
            yield place.at, (self._text(name, style), self._text(top, style))

    def _named(self, place: Place) -> str:
        return " ".join(filter(None, (self.labels.get(place.name, ""), one_line(place.name))))

    def _fitting(self, names: Sequence[str], room: int) -> str:
        """The first name, and how many more there are."""
        more = f"+{len(names) - 1}" if len(names) > 1 else ""
        return _short(one_line(names[0]), room - len(more)) + more if names else ""

    def _text(self, words: str, style: str) -> Text:
        return Text(set_cell_size(words, self.cell), style)

    # --- the list ------------------------------------------------------------------------------

    def listing(self) -> list[Text]:
        """Who is where, and what lies where, the topmost thing first."""
        entries = [self._body(body) for body in self.scene.bodies]
        noted = (place for place in self.places if self.notes[place.name])
        entries += [f"{self._listed(place)}: {self.notes[place.name]}" for place in noted]
        return [_line(entry) for entry in entries]

    def rest(self) -> Iterator[Text]:
        """Places where nothing is, and things that are nowhere."""
        is_short = self.short and not self.is_map
        empty = [
            self._listed(place)
            for place in self.places
            if not self.notes[place.name] and not (is_short and cell_len(self._named(place)) < self.cell)
        ]
        if empty:
            counted = " (column, row)" if self.is_map else ""
            yield _line(f"empty{counted}: {', '.join(empty)}", "dim")
        if self.scene.beside:
            yield _line(f"beside: {', '.join(map(told, self.scene.beside))}")
        if self.is_map and not self.short:
            yield _line(LEFT_OUT, "dim")

    def _listed(self, place: Place) -> str:
        return self._named(place) + self._where(place.at)

    def _where(self, at: Cell | None) -> str:
        """The cell on a map, as the world counts."""
        if at is None or not self.is_map:
            return ""
        return f" ({at[0] + self.scene.corner[0]}, {at[1] + self.scene.corner[1]})"

    def _body(self, body: Body) -> str:
        at = f" at {body.place}" if body.place else ""
        parts = [f"{body.name}{at}{self._where(body.at)}", *body.marks]
        parts += map(count, body.progress)
        parts += [f"holds {' and '.join(map(told, body.holding))}"] if body.holding else []
        parts += [f"says: {body.says}"] if body.says else []
        return ", ".join(parts)


def is_board(scene: Scene) -> bool:
    """Whether cells say nothing and nobody is there: words and lists tell it all."""
    return scene.cards and not scene.bodies


def _notes(place: Place) -> Iterator[str]:
    yield from place.marks
    yield from map(count, place.progress)
    yield from map(told, place.stack[::-1])


def told(thing: Thing) -> str:
    """A thing with its marks, its progress and what is inside it."""
    noted = ", ".join((*thing.marks, *map(count, thing.progress)))
    inside = f" with {' and '.join(map(told, thing.inside))}" if thing.inside else ""
    return f"{thing.name}{f' ({noted})' if noted else ''}{inside}"


def _short(name: str, room: int) -> str:
    """A name cut to so many cells; its number stays."""
    if cell_len(name) <= room:
        return name
    number = name[len(name.rstrip("0123456789")) :]
    kept = room - len(number)
    return set_cell_size(name, kept).rstrip() + number if kept > 0 else set_cell_size(name, max(1, room))


def _line(words: str, style: str = "") -> Text:
    return Text(one_line(words), style)


# --- a moment ----------------------------------------------------------------------------------------------


HINT = "help  ?  undo  running  recipes  state  quit"
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
    if scene is None or (is_board(scene) and glance.state):
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
