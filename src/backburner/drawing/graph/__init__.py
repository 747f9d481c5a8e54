"""The dependency graph of a scheduling problem: as a picture, in the terminal."""

from backburner.drawing.graph.picture import graph_svg, graph_text, graphs_svg

__all__ = ["graph_svg", "graph_text", "graphs_svg"]
