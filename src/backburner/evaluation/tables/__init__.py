"""What was measured as tables and pictures: in a terminal, in LaTeX, as files for other programs."""
