"""The contract of a world, and what every world shares: playing, recording, replaying, checking."""
