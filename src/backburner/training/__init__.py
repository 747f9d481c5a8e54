"""What learners use: environments as the field has them, batches of episodes, data, learners."""
