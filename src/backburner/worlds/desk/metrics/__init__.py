"""Measures, failure labels and assessment of this world."""
