"""Plans, bounds and what is proven of this world."""
