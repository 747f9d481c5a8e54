"""The grid's own agents."""
