"""Robotouille in numbers, for programs that learn."""
