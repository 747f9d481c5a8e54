"""TimeArena in numbers."""
