"""Agents that know this world."""
