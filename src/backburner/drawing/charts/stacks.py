"""Stacked bars: neighbouring parts are dark and light in turn, and say how large they are where they can."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from backburner.drawing.charts.axis import AXIS_HEIGHT, MARGIN, SMALL, WIDTH, Axis, name_at, room_for, short
from backburner.drawing.palette import INK, MUTED
from backburner.drawing.svg import Markup, document, element, joined, text_width
from backburner.kernel.charts import Stack, Stacks

ROW, THICK, TOP, KEY_ROW, SWATCH = 24.0, 18.0, 8.0, 18.0, 12.0
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
    bottom = TOP + ROW * len(stacks.stacks)
    key, height = _key(occurring, colours, bottom + AXIS_HEIGHT + 6)
    return document(
        WIDTH,
        bottom + AXIS_HEIGHT + 6 + height,
        "",
        element("desc", words_of_stacks(stacks)),
        axis.grid(TOP, bottom, stacks.unit),
        *(
            _stack(axis, stack, stacks.parts, colours, TOP + ROW * row)
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
    name = name_at(y + ROW / 2 + 4, stack.name, axis.left, MUTED if stack.quoted else INK)
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
    yield element(
        "rect",
        element("title", f"{name}: {short(size)}"),
        x=left,
        y=y + (ROW - THICK) / 2,
        width=right - left,
        height=THICK,
        fill=colour[0],
        stroke="#ffffff",
        stroke_width=1,
    )
    words = short(size)
    if text_width(words, SMALL) + 6 <= right - left:
        yield element(
            "text",
            words,
            x=(left + right) / 2,
            y=y + ROW / 2 + 4,
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
        swatch = element("rect", x=x, y=y, width=SWATCH, height=SWATCH, fill=colours[name][0])
        label = element("text", name, x=x + SWATCH + 6, y=y + 10, font_size=SMALL, fill=INK)
        parts.append(joined(swatch, label))
        x += width + GAP
    return joined(*parts), y - top + KEY_ROW
