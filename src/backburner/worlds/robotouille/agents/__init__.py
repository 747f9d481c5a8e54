"""Agents made for this world."""
