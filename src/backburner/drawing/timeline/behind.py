"""How far behind a plan a play was over time: a curve to stand between their two timelines."""

from __future__ import annotations

from collections.abc import Sequence

from backburner.drawing import palette
from backburner.drawing.svg import document, element
from backburner.drawing.timeline.picture import MARGIN, NAME, SMALL, Frame
from backburner.kernel.errors import number

HEIGHT, PAD = 56.0, 12.0

STYLE = f"""
.behind .name {{ font-size: {NAME}px; fill: {palette.INK} }}
.behind .small {{ font-size: {SMALL}px; fill: {palette.MUTED} }}
"""


def behind_svg(frame: Frame, points: Sequence[tuple[float, float]], unit: str) -> str:
    """The curve through (time, how far behind); below its line of zero the play is ahead."""
    most, least = max((0.0, *(late for _, late in points))), min((0.0, *(late for _, late in points)))
    scale = (HEIGHT - 2 * PAD) / max(most - least, 1.0)

    def y(late: float) -> float:
        return PAD + (most - late) * scale

    path = " ".join(f"{frame.x(time):.2f},{y(late):.2f}" for time, late in points)
    right = frame.left + frame.width
    last_time, last = points[-1]
    area = f"{frame.x(points[0][0]):.2f},{y(0):.2f} {path} {frame.x(last_time):.2f},{y(0):.2f}"
    return document(
        right + MARGIN,
        HEIGHT,
        STYLE,
        element("polygon", points=area, fill=palette.REFUSED, fill_opacity=0.12),
        element("path", d=f"M{frame.left:.2f} {y(0):.2f}H{right:.2f}", stroke=palette.WAIT),
        element("polyline", points=path, fill="none", stroke=palette.REFUSED, stroke_width=1.5),
        element("text", "behind", x=frame.left - 10, y=HEIGHT / 2 + 4, class_="name", text_anchor="end"),
        element(
            "text",
            f"{'+' if last > 0 else ''}{number(round(last, 1))} {unit}",
            x=min(frame.x(last_time) + 4, right - 4),
            y=max(y(last) - 4, SMALL),
            class_="small",
            text_anchor="start" if frame.x(last_time) + 90 < right else "end",
        ),
        element("g", "", class_="axis", data_begin=frame.begin, data_left=frame.left, data_scale=frame.scale),
        title=f"how far behind the plan, in {unit}",
        class_="timeline behind",
    )
