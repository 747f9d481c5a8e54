"""Pictures of episodes and problems, drawn from the kernel's values alone, for any world."""

from backburner.drawing.graph import graph_svg, graph_text
from backburner.drawing.timeline import timeline_svg, timeline_text

__all__ = ["graph_svg", "graph_text", "timeline_svg", "timeline_text"]
