"""Records of strangers: submissions, what of them can be checked, and the leaderboard of them."""
