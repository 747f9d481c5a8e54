"""Measures, analyses and the printed results of this world."""
