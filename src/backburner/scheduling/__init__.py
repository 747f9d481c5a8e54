"""Scheduling problems solved with CP-SAT."""
