"""Data for training: suites as played by agents, written as Parquet with a card.

Two formats: *messages*, demonstrations as conversations, exactly those that a prompting method has with a
model; and *trajectories*, every state with what could be decided there and what that is worth.
"""
