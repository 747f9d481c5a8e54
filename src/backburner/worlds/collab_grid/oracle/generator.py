"""Drafts of kitchens for the grid: those of Collab-Overcooked, in which nobody speaks."""

from backburner.worlds.collab_overcooked.oracle.generator import KitchenGenerator

GENERATOR = KitchenGenerator()
