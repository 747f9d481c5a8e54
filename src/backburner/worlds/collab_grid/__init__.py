"""Collab-Overcooked's grid as a world: both cooks decide a move in every step."""
