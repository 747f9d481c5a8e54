"""Recipe2Plan's own agents: its article's heuristic, and the example of play in its prompts."""
