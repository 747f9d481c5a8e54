"""CuisineWorld in numbers: its encoding, and batches of its episodes."""
