"""The server: OpenEnv's application around sessions, each of which is one conversation after the other, with
bounds.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import ConcurrencyConfig, EnvironmentMetadata

from backburner.agents.models.toolbox import Received
from backburner.kernel import __version__
from backburner.kernel.doors import Doors
from backburner.kernel.errors import BackburnerError, Refused, shorten
from backburner.training.conversation import Conversation
from backburner.training.offer import Numbering, Offer
from backburner.training.openenv.client import EpisodeState, ReplyAction, ToldObservation, ToolUse
from backburner.training.openenv.guards import MOST_MESSAGE_BYTES, Bounded, Doored, Guarded

NAME = "backburner"

LEFT = "the learner has left"

LONGEST_ID = 255
"""Characters of an episode's id, as OpenEnv has it."""


class WorldEnvironment(Environment):  # type: ignore[misc]
    """A session. What a client sends and cannot be used is a ``Refused`` or ``UnknownName``, which the server
    tells the client; the session goes on."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, offer: Offer) -> None:
        super().__init__()
        self._offer, self._numbering = offer, Numbering()
        self._conversation: Conversation | None = None
        self._state = EpisodeState(episode_id=None)

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        scenario: str | None = None,
        split: str | None = None,
        index: int | None = None,
        **others: Any,
    ) -> ToldObservation:
        """Begin an episode: in the ``scenario``, in a task of the task API (``split`` and ``index``), or in
        one that the seed draws. Without a seed the next episode after the last one begins."""
        if others:
            raise Refused(
                f"reset knows seed, episode_id, scenario, split and index; not {shorten(min(others))!r}"
            )
        if split is not None or index is not None:
            if scenario is not None:
                raise Refused("reset: name a scenario, or split and index of a task")
            scenario = self.get_task(split, index)["scenario"]
        _check_text("scenario", scenario)
        _check_text("episode_id", episode_id)
        drawn = self._numbering.next(seed)
        self._conversation = conversation = self._offer.begin(scenario, drawn)
        self._state = EpisodeState(
            episode_id=episode_id or uuid4().hex,
            scenario=conversation.world.id,
            seed=drawn,
            seat=conversation.seat,
        )
        observed = self._observed(conversation)
        observed.tools = conversation.tools
        return observed

    def step(self, action: ReplyAction, timeout_s: float | None = None, **others: Any) -> ToldObservation:
        """Reply, or leave. Raises ``Refused`` before the first reset and after the end."""
        conversation = self._conversation
        if conversation is None:
            raise Refused("no episode has begun: reset first, in the same session (WebSocket /ws)")
        if action.leave and not conversation.told.over:
            conversation.stop(LEFT)
        else:
            conversation.reply(action.text, calls=list(map(_received, action.calls)))
            self._state.step_count += 1
        self._state.total_reward += conversation.told.reward
        self._state.done = conversation.told.over
        if conversation.episode is not None:
            self._offer.keep(conversation.episode, uuid4().hex[:12])
        return self._observed(conversation)

    @property
    def state(self) -> EpisodeState:
        """Where the episode stands."""
        return self._state

    def _observed(self, conversation: Conversation) -> ToldObservation:
        told, (metric, value) = conversation.told, conversation.metric
        return ToldObservation(
            text=told.text,
            scenario=conversation.world.id,
            seed=conversation.seed,
            seat=conversation.seat,
            refused=told.refused,
            why=told.why,
            numbers=dict(told.numbers),
            metric=metric,
            value=value,
            done=told.over,
            reward=told.reward,
        )

    # --- the task API: what can be asked for ----------------------------------------------------------------

    def list_splits(self) -> list[str]:
        """The suites that are offered."""
        return list(self._offer.suites)

    def num_tasks(self, split: str) -> int:
        """How many scenarios a suite has."""
        return len(self._ids(split))

    def get_task(self, split: Any, index: Any) -> dict[str, Any]:
        """One scenario of a suite; raises ``IndexError``, ``Refused`` for a suite that is not offered."""
        ids = self._ids(split)
        if isinstance(index, bool) or not isinstance(index, int):
            raise Refused(f"index: a whole number from 0 to {len(ids) - 1}, not {shorten(repr(index))}")
        if not 0 <= index < len(ids):
            raise IndexError(f"index {index} of {len(ids)} tasks")
        return {"id": f"{split}#{index}", "index": index, "scenario": ids[index]}

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """All scenarios of a suite."""
        return self.get_task_range(split)

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, Any]]:
        """Scenarios of a suite, as a slice has them."""
        return [self.get_task(split, index) for index in range(self.num_tasks(split))[start:stop]]

    def _ids(self, split: Any) -> list[str]:
        if not isinstance(split, str) or split not in self._offer.suites:
            raise Refused(f"no split {shorten(repr(split))}; there are {', '.join(self._offer.suites)}")
        return list(self._offer.suites[split])

    def get_metadata(self) -> EnvironmentMetadata:
        """What the server says of itself."""
        return EnvironmentMetadata(
            name=NAME,
            description="Worlds in which several things are done at once while time passes, in words",
            version=__version__,
        )


def _received(call: ToolUse) -> Received:
    given = call.arguments
    return Received(call.name, given if isinstance(given, str) else json.dumps(given), call.id)


def _check_text(name: str, value: object) -> None:
    if value is not None and not isinstance(value, str):
        raise Refused(f"{name}: a text, not {shorten(repr(value))}")
    if value is not None and name == "episode_id" and len(value) > LONGEST_ID:
        raise Refused(f"episode_id: at most {LONGEST_ID} characters")


PING_SECONDS = 20.0


def application(
    offer: Offer,
    doors: Doors,
    *,
    most_sessions: int = 64,
    idle_seconds: float | None = 3600.0,
    token: str = "",
) -> FastAPI:
    """The ASGI application. ``most_sessions`` may be open at once; one more is told that there is no room.
    A session that nothing was heard of for ``idle_seconds`` is closed. With a ``token`` every request has to
    carry it, as ``Authorization: Bearer``. ``doors``: by which names it is asked, and from which pages."""
    app: FastAPI = create_fastapi_app(
        lambda: WorldEnvironment(offer),
        ReplyAction,
        ToldObservation,
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=most_sessions, session_timeout=idle_seconds),
        env_name=NAME,
        state_cls=EpisodeState,
    )
    app.add_exception_handler(BackburnerError, _explained)
    app.add_middleware(Bounded)
    if token:
        app.add_middleware(Guarded, token=token)
    app.add_middleware(Doored, doors=doors)
    return app


def _explained(request: Request, error: Exception) -> JSONResponse:
    """What a client asked for and cannot have: its message, as over a WebSocket."""
    return JSONResponse({"detail": str(error)}, 400)


def serve(app: FastAPI, listening: socket.socket, opened: Callable[[], None]) -> None:
    """Serve on a socket until somebody stops it. ``opened`` is called when it listens."""
    config = uvicorn.Config(
        app,
        ws_max_size=MOST_MESSAGE_BYTES,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,  # messages are small, and it takes more time than it saves
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    server = uvicorn.Server(config)
    opened()  # the socket listens already: who connects now is answered as soon as the loop runs
    server.run(sockets=[listening])
