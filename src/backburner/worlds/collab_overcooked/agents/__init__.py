"""Pairs of cooks for Collab-Overcooked that need no model: oracle, greedy and clumsy."""
