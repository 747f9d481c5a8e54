"""The contract of a world, and what every world shares: playing, recording, replaying, checking."""

__version__ = "1.0.0"
"""Of the package, where every layer may import it."""
