"""TimeArena's own agents: its article's heuristic."""
