"""Shortest plans of Collab-Overcooked by A*, exact steps to go, minimal trajectories."""

from backburner.worlds.collab_overcooked.oracle.search import StepsToGo
from backburner.worlds.collab_overcooked.oracle.solving import solve_cooks

__all__ = ["StepsToGo", "solve_cooks"]
