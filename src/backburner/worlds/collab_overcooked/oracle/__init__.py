"""Shortest plans of Collab-Overcooked, in calls and in moves, and all that are as short."""

from backburner.worlds.collab_overcooked.oracle.solving import StepsToGo, solve_cooks

__all__ = ["StepsToGo", "solve_cooks"]
