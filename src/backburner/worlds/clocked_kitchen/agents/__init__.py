"""The clocked kitchen's own agents."""
