"""Worlds in numbers, for programs that learn: encodings of states and decisions, and batches of episodes."""
