"""Scripts that play the desk: one thing at a time, polling, eager, by the longest way, by solving again."""
