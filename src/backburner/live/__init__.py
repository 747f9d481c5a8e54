"""Live play: bodies that act on a real server of a game, led through a Node process.

``host`` is a server by its address, ``bots`` lets bots join it and builds farms, ``players`` are the policies
that have them act and hear persons, ``stage`` is what a world says of itself for that. ``messages`` is the
contract with the process, ``worker`` the process, ``install`` what it needs. The page ``docs/live.md`` tells
all of it. Nothing here knows a world by name.
"""
