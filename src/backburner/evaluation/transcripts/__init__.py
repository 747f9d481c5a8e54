"""The transcript of an episode: one page with its steps, what was asked and answered, scenes and timeline."""
