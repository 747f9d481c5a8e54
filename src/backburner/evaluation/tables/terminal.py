"""Tables and names in a terminal of any width: no word is broken, no figure cut off.

A table that is too wide lies on its side, has cells of several lines, and at last is a paragraph for each
row. Into a file or another program there is room for every name (``cli.console``): it stands as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from backburner.evaluation.tables.words import number_text
from backburner.kernel.errors import one_line
from backburner.kernel.scoring import Section

BETWEEN = 3
"""Columns of the terminal between two cells of a table."""

TALLEST = 3
"""Lines of a cell; a table that needs more is no table any more."""

MOST_ROWS_OF_TWO_LINES = 8
"""Of more rows, each has one line: a table should fit on a screen."""


# --- tables ----------------------------------------------------------------------------------------------


def table_of(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    width: int,
    title: str = "",
    *,
    pale: Sequence[int] = (),
) -> Text:
    """Cells under their titles, the first column holding names; nothing is wider than ``width``, unless a
    single word is. ``pale``: rows that are drawn dim. What a cell has in brackets is dim too."""
    upright = [list(map(_lines_of, line)) for line in (columns, *rows)]
    on_its_side = [list(line) for line in zip(*upright, strict=True)]
    for tallest in range(1, TALLEST + 1):
        for lines, dim in ((upright, pale), (on_its_side, ())):
            widths = _widths(lines, width, tallest)
            if widths is not None:
                return _joined(title, _table(lines, widths, dim))
    return _joined(title, _paragraphs(upright, width, pale))


def _lines_of(cell: str) -> str:
    return "\n".join(map(one_line, cell.split("\n")))


def _joined(title: str, lines: Iterable[Text]) -> Text:
    head = [Text(one_line(title), "bold")] if title else []
    return Text("\n").join([*head, *lines])


def _widths(lines: Sequence[Sequence[str]], width: int, tallest: int) -> list[int] | None:
    """The least widths of columns in which no cell has more lines; ``None`` if that is too wide in all.

    Titles of figures have as many lines as words.
    """
    titles, *rows = lines
    found = []
    for at, title in enumerate(titles):
        least = _least(title, tallest) if not at else max(map(cell_len, _words(title)), default=0)
        found.append(max([least, *(_least(row[at], tallest) for row in rows)]))
    return found if sum(found) + BETWEEN * (len(found) - 1) <= width else None


def _least(cell: str, tallest: int) -> int:
    """The least width in which a cell has at most so many lines, or as many as it has line breaks."""
    if tallest == 1 or " " not in cell:
        return max(map(cell_len, cell.split("\n")))
    widest = max(map(cell_len, _words(cell)), default=0)
    whole = max(map(cell_len, cell.split("\n")))
    most = max(tallest, cell.count("\n") + 1)
    return next((room for room in range(widest, whole) if len(_wrapped(cell, room)) <= most), whole)


def _words(cell: str) -> list[str]:
    """What a line may not be broken within: words, and intervals in brackets."""
    found: list[str] = []
    inside = False
    for word in cell.split():
        if inside:
            found[-1] += f" {word}"
        else:
            found.append(word)
        inside = (inside or word.startswith("[")) and not word.endswith("]")
    return found


def _wrapped(cell: str, room: int) -> list[str]:
    """A cell in lines of at most ``room`` columns, broken between words."""
    if max(map(cell_len, cell.split("\n"))) <= room:
        return cell.split("\n")
    found: list[str] = []
    for word in _words(cell):
        if found and cell_len(found[-1]) + 1 + cell_len(word) <= room:
            found[-1] += f" {word}"
        else:
            found.append(word)
    return found


def _table(lines: Sequence[Sequence[str]], widths: Sequence[int], pale: Sequence[int]) -> Iterator[Text]:
    titles, *rows = lines
    left = [not at or all(row[at][:1].isalpha() for row in rows) for at in range(len(titles))]
    if any(titles):
        heads = [_wrapped(title, room) for title, room in zip(titles, widths, strict=True)]
        most = max(map(len, heads))
        yield from row_of([[""] * (most - len(head)) + head for head in heads], widths, left, "bold")
        yield rule_below(widths)
    several = any(len(_wrapped(row[0], widths[0])) > 1 for row in rows)
    for at, row in enumerate(rows):
        if several and at:
            yield Text()
        cells = [_wrapped(cell, room) for cell, room in zip(row, widths, strict=True)]
        yield from row_of(cells, widths, left, "dim" if at in pale else "")


def rule_below(widths: Sequence[int], between: int = BETWEEN) -> Text:
    """The line below the titles of columns of these widths."""
    return Text("─" * (sum(widths) + between * (len(widths) - 1)))


def row_of(
    cells: Sequence[Sequence[str]],
    widths: Sequence[int],
    left: Sequence[bool],
    style: str = "",
    between: int = BETWEEN,
) -> Iterator[Text]:
    """A row whose cells are lines that fit into their columns; those that are not ``left`` end at the right.
    What a cell has in brackets is dim."""
    for number in range(max(map(len, cells))):
        line = Text(style=style)
        for at, (cell, room) in enumerate(zip(cells, widths, strict=True)):
            own = cell[number] if number < len(cell) else ""
            blank = " " * (room - cell_len(own))
            value, bracket, interval = own.partition("[")
            line.append(" " * between * bool(at) + ("" if left[at] else blank) + value)
            line.append(bracket + interval, "dim").append(blank if left[at] else "")
        line.rstrip()
        yield line


def _paragraphs(lines: Sequence[Sequence[str]], width: int, pale: Sequence[int]) -> Iterator[Text]:
    """A row's name, and below it its other cells behind their titles."""
    (_, *titles), *rows = lines
    for at, (name, *cells) in enumerate(rows):
        style = "dim" if at in pale else ""
        yield from (Text(line, style or "bold") for line in folded(name, width, 0).split("\n"))
        told = (f"{title} {cell}" for title, cell in zip(titles, cells, strict=True) if cell)
        yield from (Text(line, style) for line in _flowing([" ".join(each.split()) for each in told], width))


INDENT = "  "


def _flowing(items: Sequence[str], width: int) -> Iterator[str]:
    """Items one after the other in indented lines, broken between them or, if one is too long, its words."""
    line = ""
    for at, item in enumerate(items):
        told = item if at == len(items) - 1 else f"{item};"
        for part in [told] if cell_len(INDENT + told) <= width else _words(told):
            if line and cell_len(f"{line} {part}") > width:
                yield line
                line = ""
            line = f"{line} {part}" if line else INDENT + part
    if line:
        yield line


def section_table(section: Section, width: int) -> Text:
    """An analysis as a table in this width."""
    return plain_table(section.columns, section.rows, width, section.title)


def plain_table(
    columns: Iterable[object], rows: Iterable[Sequence[object]], width: int, title: str = ""
) -> Text:
    """Figures in columns in this width, the first one holding names."""
    cells = [tuple(map(number_text, row)) for row in rows]
    return table_of(tuple(map(number_text, columns)), cells, width, title)


# --- names -----------------------------------------------------------------------------------------------


def shown_names(names: Sequence[str], signs: Sequence[str], room: int) -> list[str]:
    """Each name with its signs in ``room`` columns, on one line or two.

    Names that would look alike are broken into as many lines as they need.
    """
    lines = 2 if len(names) <= MOST_ROWS_OF_TWO_LINES else 1
    shown = [folded(name, room - cell_len(sign), lines) for name, sign in zip(names, signs, strict=True)]
    alike = Counter(shown)
    several = {text for name, text in zip(names, shown, strict=True) if alike[text] > names.count(name)}
    return [
        (folded(name, room - cell_len(sign), 0) if text in several else text) + sign
        for name, sign, text in zip(names, signs, shown, strict=True)
    ]


def folded(text: str, room: int, lines: int) -> str:
    """``text`` in at most ``lines`` lines of ``room`` columns, without its middle if need be; with 0 lines
    in as many as it takes. A line ends after a sign such as ``(`` or ``,`` where one is near its end."""
    if cell_len(text) <= room:
        return text
    if lines == 1:
        return cut_inside(text, room)
    first = _first_line(text, room)
    rest = text[len(first) :].lstrip()
    if lines == 2:
        return f"{first.rstrip()}\n{rest if cell_len(rest) <= room else '…' + _last(rest, room - 1)}"
    return f"{first.rstrip()}\n{folded(rest, room, 0)}"


def cut_inside(text: str, room: int) -> str:
    """``text`` with an ellipsis for its middle, in ``room`` columns: names often differ at their ends."""
    if cell_len(text) <= room:
        return text
    tail = _last(text, (room - 1) // 2)
    return f"{_first(text, room - 1 - cell_len(tail))}…{tail}"


BREAKS = frozenset(" ,/+@(=-:_")
"""Signs after which a name may be broken."""


def _first_line(text: str, room: int) -> str:
    whole = _first(text, room)
    for end in range(len(whole), max(len(whole) * 2 // 3, 1), -1):
        if whole[end - 1] in BREAKS:
            return whole[:end]
    return whole


def _first(text: str, room: int) -> str:
    """As much of the beginning as fits into ``room`` columns; at least one sign."""
    kept = min(len(text), max(room, 1))
    while kept > 1 and cell_len(text[:kept]) > room:
        kept -= 1
    return text[:kept]


def _last(text: str, room: int) -> str:
    return _first(text[::-1], room)[::-1]
