"""Chart values as pictures: bars with intervals, stacked bars, box plots, lines, heatmaps."""

from backburner.drawing.charts.axes import WIDTH, lines_svg
from backburner.drawing.charts.bars import bars_svg, boxes_svg, stacks_svg
from backburner.drawing.charts.panels import heatmap_svg
from backburner.drawing.svg import Markup
from backburner.kernel.charts import Bars, Boxes, Chart, Heatmap, Lines, Stacks

STEPPED_WIDTH = 420.0
"""Lines over the time of one episode come many at once, and are drawn smaller."""


def chart_svg(chart: Chart) -> Markup:
    """The chart as a self-contained picture, which says in words too what it shows."""
    match chart:
        case Bars():
            return bars_svg(chart)
        case Stacks():
            return stacks_svg(chart)
        case Boxes():
            return boxes_svg(chart)
        case Lines():
            return lines_svg(chart, STEPPED_WIDTH if chart.stepped else WIDTH)
        case Heatmap():
            return heatmap_svg(chart)


__all__ = ["chart_svg"]
