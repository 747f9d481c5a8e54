"""Minecraft in numbers, for policies that learn."""
