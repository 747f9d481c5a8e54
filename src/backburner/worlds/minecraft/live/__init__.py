"""Minecraft's farms on a real server: what is built, and what bots are told to do."""
