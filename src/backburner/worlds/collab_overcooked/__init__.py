"""Collab-Overcooked: two cooks, two rooms, and a recipe that only one of them has."""
