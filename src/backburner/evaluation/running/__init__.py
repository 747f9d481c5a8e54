"""Jobs are played: what a run is made of, where its episodes are played, what its calls may cost."""
