"""A session as a server of the Model Context Protocol: its tools, calls of them, and tasks.

Requests are taken one at a time, in the order in which they arrive.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import anyio
import mcp_types as types
import uvicorn
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.server.mcpserver import require_client_extension
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from backburner.agents.models.toolbox import Received, called
from backburner.kernel import __version__
from backburner.kernel.text import speaking, without
from backburner.mcp.session import LEFT, Session
from backburner.mcp.tasks import EXTENSION, Polls, Task, Tasks

Context = ServerRequestContext[Any, Any]

LOCALHOST = "127.0.0.1"

CALLS = "You act by calling tools. Each call is one action. Begin with a look at how things stand."
"""What follows the briefing."""


class Asked(types.RequestParams):
    """What is asked of a task."""

    task_id: str


class Answered(Asked):
    """Answers to questions of a task."""

    input_responses: dict[str, Any]


class Face:
    """What the server answers. ``secret`` makes ids of tasks."""

    def __init__(self, session: Session, polls: Polls, secret: bytes) -> None:
        self.session, self.tasks = session, Tasks(session, polls, secret)
        self._one_at_a_time = anyio.Lock()

    @property
    def server(self) -> Server[Any]:
        """The server, for any transport."""
        table = self.session.table
        told = without(speaking(table.world).briefing_parts(table.seat), "answering")
        server = Server[Any](
            "backburner",
            version=__version__,
            title=table.world.id,
            instructions=f"{told}\n\n{CALLS}",
            on_list_tools=self._listed,
            on_call_tool=self._called,  # type: ignore[arg-type]  # tasks are no results of the protocol itself
        )
        server.extensions[EXTENSION] = {}
        server.add_request_handler("tasks/get", Asked, self._of_a_task(self._got))
        server.add_request_handler("tasks/update", Answered, self._of_a_task(self._updated))
        server.add_request_handler("tasks/cancel", Asked, self._of_a_task(self._cancelled))
        return server

    async def _listed(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """The tools; without a schema of what they give, which may be a task."""
        tools = [
            types.Tool(name=each.name, description=each.description, input_schema=dict(each.parameters))
            for each in self.session.tools
        ]
        return types.ListToolsResult(tools=tools)

    async def _called(self, ctx: Context, params: types.CallToolRequestParams) -> dict[str, Any]:
        """What came of a call, or the task of the job that it began."""
        (call,) = called([Received(params.name, json.dumps(params.arguments or {}))], self.session.tools)
        info = ctx.session.client_params

        async def answer() -> dict[str, Any]:
            await self.session.begin("" if info is None else info.client_info.name)
            result = await self.session.call(call)
            if _takes_tasks(ctx) and (task := self.tasks.begun()) is not None:
                return {"resultType": "task", **self.tasks.handle(task)}
            return self.session.told(result)

        return await self._alone(answer)

    async def _alone(self, answer: Callable[[], Awaitable[dict[str, Any]]]) -> dict[str, Any]:
        """What is answered while nothing else is; a client that wants no answer any more changes nothing."""
        async with self._one_at_a_time:
            with anyio.CancelScope(shield=True):
                answered = await answer()
        return answered

    def _of_a_task(
        self, answer: Callable[[Task, Any], Awaitable[dict[str, Any]]]
    ) -> Callable[[Context, Any], Awaitable[dict[str, Any]]]:
        """The handler of a request about a task, for clients that know of tasks."""

        async def handle(ctx: Context, params: Any) -> dict[str, Any]:
            require_client_extension(ctx, EXTENSION)
            task = self.tasks.find(params.task_id)
            if task is None:
                raise MCPError(types.INVALID_PARAMS, "there is no such task")
            return await self._alone(partial(answer, task, params))

        return handle

    async def _got(self, task: Task, params: Asked) -> dict[str, Any]:
        await self.tasks.poll(task)
        return self.tasks.told(task)

    async def _updated(self, task: Task, params: Answered) -> dict[str, Any]:
        await self.tasks.update(task, params.input_responses)
        return {}

    async def _cancelled(self, task: Task, params: Asked) -> dict[str, Any]:
        await self.tasks.cancel(task)
        return {}


def _takes_tasks(ctx: Context) -> bool:
    """Whether the client of a request knows what a task is."""
    declared = ctx.session.client_capabilities
    known = EXTENSION in ((declared.extensions if declared else None) or {})
    return known and ctx.protocol_version in MODERN_PROTOCOL_VERSIONS


# --- transports --------------------------------------------------------------------------------------------


async def serve_stdio(face: Face) -> None:
    """Serve the client at the other end of stdin and stdout, until it leaves."""
    server = face.server
    try:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())
    finally:
        with anyio.CancelScope(shield=True):
            await face.session.stop(LEFT)


async def serve_http(face: Face, listening: socket.socket, opened: Callable[[], None]) -> None:
    """Serve clients on this machine until the process is stopped. ``opened`` is called once they can ask."""
    app = face.server.streamable_http_app(host=LOCALHOST)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    try:
        opened()
        await server.serve(sockets=[listening])
    finally:
        with anyio.CancelScope(shield=True):
            await face.session.stop(LEFT)
