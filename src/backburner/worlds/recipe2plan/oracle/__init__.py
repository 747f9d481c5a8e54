"""Proven plans, the heuristic and bounds of this world."""
