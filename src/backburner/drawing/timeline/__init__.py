"""The Gantt chart of an episode: as a picture and in the terminal."""

from backburner.drawing.timeline.picture import timeline_svg
from backburner.drawing.timeline.terminal import timeline_text, timelines_text

__all__ = ["timeline_svg", "timeline_text", "timelines_text"]
