"""The worlds behind an OpenEnv server: a session is a WebSocket, an episode a conversation."""
