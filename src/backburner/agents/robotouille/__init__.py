"""A recipe follower for Robotouille: ``greedy`` there. It knows the format of domains, and no domain."""

from backburner.agents.robotouille.follower import RecipeFollower

__all__ = ["RecipeFollower"]
