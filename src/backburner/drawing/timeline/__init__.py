"""The Gantt chart of an episode: as a picture, in the terminal, on a page with all its steps."""

from backburner.drawing.timeline.page import timeline_html
from backburner.drawing.timeline.picture import timeline_svg
from backburner.drawing.timeline.terminal import timeline_text

__all__ = ["timeline_html", "timeline_svg", "timeline_text"]
