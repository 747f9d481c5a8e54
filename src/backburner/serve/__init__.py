"""The server: games that people, agents and models play together in the browser."""
