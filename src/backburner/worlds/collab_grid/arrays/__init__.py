"""The grid in numbers: its encoding, exact, and its batch, compiled."""
