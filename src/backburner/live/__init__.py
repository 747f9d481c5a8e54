"""Live play: bodies that act on a real Minecraft server, led through a Node process.

``player`` is the policy that reports what was seen, ``crew`` lets bots join and builds farms, ``stage`` is
what a world says of itself for that. ``messages`` is the contract with the process, ``worker`` the process,
``install`` what it needs. The page ``docs/live.md`` tells all of it. Nothing here knows a world by name.
"""
