"""What the data of a study with people say: tests, effects, intervals, charts; from exported tables alone."""
