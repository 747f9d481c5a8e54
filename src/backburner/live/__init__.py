"""Live play: bodies that act on a real Minecraft server, led through a Node process.

``messages`` is the contract with that process, ``worker`` the process, ``install`` what it needs. The page
``docs/live.md`` tells all of it. Nothing here knows a world by name.
"""
