"""Shortest plans of moves, by the search of Collab-Overcooked, and drafts of kitchens."""
