"""Tools of a conversation, served to one player by the Model Context Protocol, on this machine alone."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from secrets import token_hex
from typing import Any

import mcp_types as types
import uvicorn
from mcp.server import Server
from mcp.server.context import ServerRequestContext

from backburner.agents.models.toolbox import Received
from backburner.kernel import __version__

LOCALHOST = "127.0.0.1"

Context = ServerRequestContext[Any, Any]


@asynccontextmanager
async def served(
    tools: Sequence[Mapping[str, Any]], call: Callable[[Received], Awaitable[str]]
) -> AsyncIterator[str]:
    """The address of a server of these tools, in the form of OpenAI, as long as it is open; nobody guesses
    it. ``call`` says what comes of a call."""
    offered = [each["function"] for each in tools]
    listed = [
        types.Tool(name=each["name"], description=each["description"], input_schema=each["parameters"])
        for each in offered
    ]

    async def on_list(ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=listed)

    async def on_call(ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        told = await call(Received(params.name, json.dumps(params.arguments or {})))
        return types.CallToolResult(content=[types.TextContent(type="text", text=told)])

    server = Server[Any]("backburner", version=__version__, on_list_tools=on_list, on_call_tool=on_call)
    path = f"/{token_hex(16)}"
    app = server.streamable_http_app(
        streamable_http_path=path, json_response=True, stateless_http=True, host=LOCALHOST
    )
    serving = uvicorn.Server(uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=1))
    serving.capture_signals = nullcontext  # type: ignore[method-assign, assignment]  # they are for who plays
    with socket.create_server((LOCALHOST, 0)) as listening:
        running = asyncio.create_task(serving.serve(sockets=[listening]))
        try:
            yield f"http://{LOCALHOST}:{listening.getsockname()[1]}{path}"
        finally:
            serving.should_exit = True
            await running
