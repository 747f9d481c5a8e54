"""Least work in a kitchen with ways, and new kitchens."""
