"""CuisineWorld's agents without a model: a greedy dispatcher, and the article's allocation problem."""
