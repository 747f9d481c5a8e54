"""Agents, methods and runs beside each other: differences, ranks, partners, one headline figure."""
