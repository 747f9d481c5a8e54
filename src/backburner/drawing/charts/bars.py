"""Bars with intervals, box plots and stacked bars: names beside them, figures behind or in them.

Nothing rests on colour alone: neighbouring parts of a stacked bar are dark and light in turn, and say how
large they are where there is room.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from backburner.drawing.charts.axes import (
    AXIS_HEIGHT,
    MARGIN,
    NAME,
    SMALL,
    WIDTH,
    Axis,
    name_at,
    room_for,
    short,
    small,
)
from backburner.drawing.palette import HANDS, HANDS_FILL, INK, MUTED
from backburner.drawing.svg import Markup, document, element, joined, rect, shortened, text_at, text_width
from backburner.kernel.charts import Bar, Bars, Box, Boxes, Stack, Stacks

# --- bars --------------------------------------------------------------------------------------------------


TOP, HEADING, WHISKER = 8.0, 22.0, 4.0
ROW, THICK = 20.0, 13.0
BOX_ROW, BOX_THICK = 26.0, 15.0
"""Pixels from one bar or box to the next, and how thick they are."""

COUNT_WIDTH = 52.0
"""Pixels for how many values a box is made of."""


def bars_svg(bars: Bars) -> Markup:
    """Bars as a self-contained picture. Quoted bars are pale with a broken border."""
    single = all(len(group.bars) == 1 for group in bars.groups)
    rows = list(_rows(bars, single))
    height = sum(HEADING if bar is None else ROW for _, bar in rows)
    left = room_for(name for name, bar in rows if bar is not None)
    axis = _axis(bars, left)
    parts, y = [axis.grid(TOP, TOP + height, bars.unit)], TOP
    for name, bar in rows:
        if bar is None:
            parts.append(_heading(name, y))
            y += HEADING
        else:
            parts.append(_bar(axis, name, bar, y))
            y += ROW
    return document(
        WIDTH, TOP + height + AXIS_HEIGHT, "", element("desc", words_of_bars(bars)), *parts, title=bars.title
    )


def words_of_bars(bars: Bars) -> str:
    """The whole chart in words, for those who cannot see it."""
    lines = (f"{group.name}, {bar.name}: {figure(bar)}" for group in bars.groups for bar in group.bars)
    return f"{bars.unit}. {'; '.join(lines)}"


def figure(bar: Bar) -> str:
    """``18.9 [16, 22]``, or a dash."""
    if bar.value is None:
        return "–"
    interval = "" if bar.low is None or bar.high is None else f" [{short(bar.low)}, {short(bar.high)}]"
    return f"{short(bar.value)}{interval}"


def _rows(bars: Bars, single: bool) -> Iterator[tuple[str, Bar | None]]:
    """(name, bar) from top to bottom, headings without a bar; a single bar goes by its group's name."""
    for group in bars.groups:
        if single:
            yield group.name, group.bars[0]
            continue
        yield group.name, None
        yield from ((bar.name, bar) for bar in group.bars)


def _axis(bars: Bars, left: float) -> Axis:
    shown = [bar for group in bars.groups for bar in group.bars if bar.value is not None]
    ends = [v for bar in shown for v in (bar.value, bar.low, bar.high) if v is not None]
    room = max((text_width(figure(bar), NAME) for bar in shown), default=0.0)
    return Axis(min([0.0, *ends]), max([bars.full, *ends], default=1.0) or 1.0, left, WIDTH - MARGIN - room)


def _heading(name: str, y: float) -> Markup:
    shown = shortened(name, NAME, WIDTH - 2 * MARGIN)
    clear = rect(0, y, WIDTH, HEADING, fill="#ffffff")
    return joined(clear, text_at(MARGIN, y + 15, shown, font_size=NAME, font_weight=600, fill=INK))


def _bar(axis: Axis, name: str, bar: Bar, y: float) -> Markup:
    middle = y + ROW / 2
    label = name_at(middle + 4, name, axis.left, MUTED if bar.quoted else INK)
    if bar.value is None:
        return joined(label, small(axis.x(0.0) + 5, middle + 4, "–", "start"))
    start, end = sorted((axis.x(0.0), axis.x(bar.value)))
    drawn = rect(
        start,
        middle - THICK / 2,
        max(end - start, 0.5),
        THICK,
        element("title", f"{name}: {figure(bar)}"),
        fill=HANDS_FILL if bar.quoted else HANDS,
        stroke=HANDS if bar.quoted else None,
        stroke_dasharray="4 2" if bar.quoted else None,
    )
    whole = bar.low is not None and bar.high is not None
    right = max(axis.x(v) for v in (0.0, bar.value, bar.high) if v is not None)
    words = text_at(right + 5, middle + 4, figure(bar), font_size=11, fill=MUTED)
    return joined(label, drawn, _interval(axis, bar, middle) if whole else "", words)


def _interval(axis: Axis, bar: Bar, middle: float) -> Markup:
    low, high = axis.x(bar.low or 0.0), axis.x(bar.high or 0.0)
    path = f"M{low:.1f} {middle - WHISKER:.1f}V{middle + WHISKER:.1f}M{low:.1f} {middle:.1f}H{high:.1f}"
    path += f"M{high:.1f} {middle - WHISKER:.1f}V{middle + WHISKER:.1f}"
    outline = element("path", d=path, stroke="#ffffff", stroke_width=3.4, fill="none")
    return joined(outline, element("path", d=path, stroke=INK, stroke_width=1.3, fill="none"))


def boxes_svg(boxes: Boxes) -> Markup:
    """Box plots as a self-contained picture; each box has its five numbers in its tooltip."""
    values = [value for box in boxes.boxes for value in (box.low, box.high)]
    left = room_for(box.name for box in boxes.boxes)
    axis = Axis(min([0.0, *values]), max([0.0, *values]) or 1.0, left, WIDTH - MARGIN - COUNT_WIDTH)
    bottom = TOP + BOX_ROW * len(boxes.boxes)
    return document(
        WIDTH,
        bottom + AXIS_HEIGHT,
        "",
        element("desc", f"{boxes.unit}. {'; '.join(map(words_of_box, boxes.boxes))}"),
        axis.grid(TOP, bottom, boxes.unit),
        *(_box(axis, box, TOP + BOX_ROW * (row + 0.5)) for row, box in enumerate(boxes.boxes)),
        title=boxes.title,
    )


def words_of_box(box: Box) -> str:
    """A box in words."""
    quartiles = f"quartiles {short(box.lower)} and {short(box.upper)}"
    ends = f"{short(box.low)} to {short(box.high)}"
    return f"{box.name}: median {short(box.median)}, {quartiles}, {ends}, n = {box.number}"


def _box(axis: Axis, box: Box, middle: float) -> Markup:
    low, lower, median, upper, high = map(axis.x, (box.low, box.lower, box.median, box.upper, box.high))
    whiskers = "".join(
        f"M{end:.1f} {middle:.1f}H{start:.1f}M{end:.1f} {middle - WHISKER:.1f}V{middle + WHISKER:.1f}"
        for end, start in ((low, lower), (high, upper))
    )
    top, bottom = middle - BOX_THICK / 2, middle + BOX_THICK / 2
    return joined(
        name_at(middle + 4, box.name, axis.left, INK),
        small(WIDTH - MARGIN, middle + 4, f"n = {box.number}", "end"),
        element("path", d=whiskers, stroke=INK, stroke_width=1.2, fill="none"),
        rect(
            lower,
            top,
            max(upper - lower, 1.0),
            BOX_THICK,
            element("title", words_of_box(box)),
            fill=HANDS_FILL,
            stroke=HANDS,
            stroke_width=1.4,
        ),
        element(
            "path",
            d=f"M{median:.1f} {top - 2:.1f}V{bottom + 2:.1f}",
            stroke=INK,
            stroke_width=2.4,
            fill="none",
        ),
    )


# --- stacked bars ------------------------------------------------------------------------------------------


STACK_ROW, STACK_THICK, KEY_ROW, SWATCH = 24.0, 18.0, 18.0, 12.0
GAP = 16.0
"""Pixels between two entries of the key."""
ROUNDED = 1.01
"""Parts that were rounded one by one may add up to a little more than the whole."""

PARTS = (
    ("#2f6690", "#ffffff"),
    ("#99ddff", INK),
    ("#1f7a33", "#ffffff"),
    ("#eedd88", INK),
    ("#aa3377", "#ffffff"),
    ("#ffaabb", INK),
    ("#4f6272", "#ffffff"),
    ("#bbcc33", INK),
    ("#882255", "#ffffff"),
    ("#d9b48f", INK),
    ("#332288", "#ffffff"),
    ("#c8a2d8", INK),
)
"""Fills with the colour of what is written on them, dark and light in turn, so that grey tells them apart."""


def stacks_svg(stacks: Stacks) -> Markup:
    """The chart as a self-contained picture; the key names the parts that occur, in the order of stacking.

    Quoted stacks have their names in grey, and in italics.
    """
    colours = {name: PARTS[index % len(PARTS)] for index, name in enumerate(stacks.parts)}
    occurring = [name for name in stacks.parts if any(stack.parts.get(name) for stack in stacks.stacks)]
    longest = max((sum(stack.parts.values()) for stack in stacks.stacks), default=0.0)
    left = room_for(stack.name for stack in stacks.stacks)
    highest = stacks.full if longest <= stacks.full * ROUNDED else longest
    axis = Axis(0.0, highest or 1.0, left, WIDTH - MARGIN - 8)
    bottom = TOP + STACK_ROW * len(stacks.stacks)
    key, height = _key(occurring, colours, bottom + AXIS_HEIGHT + 6)
    return document(
        WIDTH,
        bottom + AXIS_HEIGHT + 6 + height,
        "",
        element("desc", words_of_stacks(stacks)),
        axis.grid(TOP, bottom, stacks.unit),
        *(
            _stack(axis, stack, stacks.parts, colours, TOP + STACK_ROW * row)
            for row, stack in enumerate(stacks.stacks)
        ),
        key,
        title=stacks.title,
    )


def words_of_stacks(stacks: Stacks) -> str:
    """The whole chart in words, for those who cannot see it."""
    lines = (
        f"{stack.name}: "
        + (
            ", ".join(f"{name} {short(stack.parts[name])}" for name in stacks.parts if stack.parts.get(name))
            or "nothing"
        )
        for stack in stacks.stacks
    )
    return f"{stacks.unit}. {'; '.join(lines)}"


def _stack(
    axis: Axis, stack: Stack, parts: Sequence[str], colours: Mapping[str, tuple[str, str]], y: float
) -> Markup:
    name = name_at(y + STACK_ROW / 2 + 4, stack.name, axis.left, MUTED if stack.quoted else INK)
    drawn, so_far = [name], 0.0
    for part in parts:
        size = stack.parts.get(part, 0.0)
        if size > 0:
            drawn += _part(axis, f"{stack.name}, {part}", so_far, size, colours[part], y)
            so_far += size
    return element("g", *drawn, font_style="italic" if stack.quoted else None)


def _part(
    axis: Axis, name: str, start: float, size: float, colour: tuple[str, str], y: float
) -> Iterator[Markup]:
    left, right = axis.x(start), axis.x(start + size)
    yield rect(
        left,
        y + (STACK_ROW - STACK_THICK) / 2,
        right - left,
        STACK_THICK,
        element("title", f"{name}: {short(size)}"),
        fill=colour[0],
        stroke="#ffffff",
        stroke_width=1,
    )
    words = short(size)
    if text_width(words, SMALL) + 6 <= right - left:
        yield text_at(
            (left + right) / 2,
            y + STACK_ROW / 2 + 4,
            words,
            font_size=SMALL,
            fill=colour[1],
            text_anchor="middle",
        )


def _key(names: Sequence[str], colours: Mapping[str, tuple[str, str]], top: float) -> tuple[Markup, float]:
    """The key, broken into rows, and its height."""
    x, y, parts = MARGIN, top, []
    for name in names:
        width = SWATCH + 6 + text_width(name, SMALL)
        if x > MARGIN and x + width > WIDTH - MARGIN:
            x, y = MARGIN, y + KEY_ROW
        swatch = rect(x, y, SWATCH, SWATCH, fill=colours[name][0])
        label = text_at(x + SWATCH + 6, y + 10, name, font_size=SMALL, fill=INK)
        parts.append(joined(swatch, label))
        x += width + GAP
    return joined(*parts), y - top + KEY_ROW
