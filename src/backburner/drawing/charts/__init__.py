"""Small charts of figures over agents: bars with intervals, stacked bars, lines, boxes."""

from backburner.drawing.charts.bars import bars_svg
from backburner.drawing.charts.boxes import boxes_svg
from backburner.drawing.charts.lines import traces_svg
from backburner.drawing.charts.stacks import stacks_svg
from backburner.drawing.charts.values import (
    Bar,
    Bars,
    Box,
    Boxes,
    Group,
    Point,
    Stack,
    Stacks,
    Trace,
    Traces,
)

__all__ = [
    "Bar",
    "Bars",
    "Box",
    "Boxes",
    "Group",
    "Point",
    "Stack",
    "Stacks",
    "Trace",
    "Traces",
    "bars_svg",
    "boxes_svg",
    "stacks_svg",
    "traces_svg",
]
