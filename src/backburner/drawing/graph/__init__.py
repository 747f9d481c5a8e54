"""The dependency graph of a scheduling problem: as a picture, in the terminal."""

from backburner.drawing.graph.picture import graph_svg, graphs_svg
from backburner.drawing.graph.terminal import graph_text

__all__ = ["graph_svg", "graph_text", "graphs_svg"]
