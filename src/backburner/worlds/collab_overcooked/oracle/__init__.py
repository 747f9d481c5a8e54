"""Shortest plans of Collab-Overcooked by A*, exact steps to go, minimal trajectories."""
