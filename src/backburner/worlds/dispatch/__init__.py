"""What the worlds of a dispatcher share: CuisineWorld, the clocked kitchen, Minecraft.

Orders keep coming, bodies serve them, and whoever plays commands one body or several. Orders and their
bounds, seats, an instructor in words, and what their generators have in common stand here; what a world is
made of is its own.
"""
