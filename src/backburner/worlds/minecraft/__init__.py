"""Minecraft: the dispatcher of MindAgent in another game (section 7 of its article)."""
