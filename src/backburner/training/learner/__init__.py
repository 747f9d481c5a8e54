"""The learner: PPO with masks over batches of episodes, in torch, which is imported when training begins."""
