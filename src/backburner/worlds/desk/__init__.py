"""The desk: jobs are started, run by themselves, end, fail or ask; there is one attention and one clock."""
