"""Shortest plans of Collab-Overcooked by A*, and exact steps to go."""
