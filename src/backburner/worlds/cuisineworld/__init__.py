"""CuisineWorld: bodies in a kitchen, whoever commands them, and orders that keep coming."""
