"""Scenarios without end: what a world's generator drafts is steered, proven, measured, named and kept."""
