"""The pages, what they ask for, and their WebSockets, as one ASGI application.

A token comes in a header, or in the first message of a WebSocket, never in an address, which browsers,
proxies and logs keep. The pages' files are a fixed list, read once: nothing is found by a path that somebody
sends.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import hashlib
import re
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import Struct
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from backburner.kernel import __version__
from backburner.kernel.doors import Doors, is_loopback
from backburner.kernel.errors import BackburnerError, Refused
from backburner.serve.after import Again, OpenedAgain, scenario_of
from backburner.serve.catalogue import (
    ModelEntry,
    OffersTold,
    ScenarioTold,
    WorldTold,
    check_id,
    methods_told,
    models_told,
    scenario_told,
    scenarios_told,
    worlds_told,
)
from backburner.serve.connections import DEMO, Bounds, Sockets
from backburner.serve.games import Games
from backburner.serve.lessons import day_of
from backburner.serve.limits import App, Buckets, Guard, Secret, Unacceptable, bearer, body_of, client_of
from backburner.serve.protocol import MOST_MESSAGE_BYTES, Opened, plan_in, read_message
from backburner.serve.seating import Unconfirmed

BODY_SECONDS, SCENARIO_SECONDS = 10.0, 20.0
"""So long a request's body may take, and so long making a scenario."""

ADDRESSES = ("/", "/play", "/watch", "/host")
"""Where the one page stands that is all pages; by its address it knows which one it is. What stands behind
the number sign is never sent: at the first it is the server's token, at the others a game's."""


T = TypeVar("T")


class Extension(Protocol):
    """What stands on the site beside the games, and knows of them: a study with people."""

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """Its addresses, and its WebSockets."""

    async def run(self) -> None:
        """What it does as long as the site is there; cancelled at its end."""


class Settings(Struct, frozen=True, kw_only=True):
    """How a site is run. ``secret``: the token that opens games, if one is needed. ``models``: those that
    people may choose. ``alias``: gives the token of the game that everybody may look at, if there is one.
    ``background``: runs as long as the site does. ``extension``: what else stands on the site.
    ``remote_place``: where games are carried out that can be, if anywhere. ``bounds``: see there."""

    doors: Doors
    secret: Secret | None = None
    models: Sequence[ModelEntry] = ()
    alias: Callable[[], str] | None = None
    background: Callable[[], Coroutine[Any, Any, None]] | None = None
    extension: Extension | None = None
    remote_place: str = ""
    bounds: Bounds = Bounds()


class Site:
    """What is answered to requests. ``left``: how many games went on when it ended."""

    def __init__(self, games: Games, settings: Settings) -> None:
        self.games, self.settings = games, settings
        self.sockets = Sockets(games, settings.bounds, settings.alias)
        self.left = 0
        self._opening = Buckets(rate=0.5, burst=30.0)
        self._making = asyncio.Semaphore(2)

    def app(self) -> App:
        """The ASGI application."""
        routes = [
            *(Route(path, front, methods=["GET"]) for path in ADDRESSES),
            Route("/assets/{name}", _asset, methods=["GET"]),
            Route("/api/offers", self.offers, methods=["GET"]),
            Route("/api/scenarios", self.scenarios, methods=["GET"]),
            Route("/api/scenario", self.scenario, methods=["GET"]),
            Route("/api/games", self.list, methods=["GET"]),
            Route("/api/games", self.open, methods=["POST"]),
            Route("/api/lesson", self.lesson, methods=["GET"]),
            Route("/api/ghosts", self.ghosts, methods=["GET"]),
            Route("/api/again", self.again, methods=["POST"]),
            Route("/api/board", self.board, methods=["GET"]),
            Route("/api/record", self.record, methods=["GET"]),
            Route("/api/frames", self.frames, methods=["GET"]),
            WebSocketRoute("/ws", self.sockets.open),
            *(() if self.settings.extension is None else self.settings.extension.routes),
        ]
        handlers: dict[Any, Any] = {
            BackburnerError: lambda request, error: _wrong(400, str(error)),
            Unacceptable: lambda request, error: _wrong(error.status, error.why),
            HTTPException: lambda request, error: _wrong(error.status_code, error.detail),
            TimeoutError: lambda request, error: _wrong(503, "that takes too long here"),
        }
        app = Starlette(routes=routes, exception_handlers=handlers, lifespan=self._life)
        return Guard(app, self.settings.doors)

    @contextlib.asynccontextmanager
    async def _life(self, app: Starlette) -> AsyncIterator[None]:
        await self.games.resume()
        settings = self.settings
        runs = [settings.background, None if settings.extension is None else settings.extension.run]
        beside = [asyncio.create_task(run()) for run in runs if run is not None]
        yield
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        await self.games.remote.close()
        self.left = len(self.games.games())
        await self.games.close()

    # --- what may be chosen ---------------------------------------------------------------------------------

    async def offers(self, request: Request) -> Response:
        """Worlds, models and methods."""
        self._check_owner(request)
        return _json(
            OffersTold(
                version=__version__,
                guarded=self.settings.secret is not None,
                worlds=await self._made(_worlds),
                models=models_told(self.settings.models),
                methods=methods_told(),
                watch=DEMO if self.settings.alias is not None else "",
                elsewhere=self.settings.remote_place,
            )
        )

    async def scenarios(self, request: Request) -> Response:
        """The scenarios of a suite (``?suite=``)."""
        self._check_owner(request)
        suite = _asked(request, "suite")
        return _json(await self._made(lambda: scenarios_told(suite)))

    async def scenario(self, request: Request) -> Response:
        """A scenario, and who can play it (``?id=``)."""
        self._check_owner(request)
        return _json(await self._told(_asked(request, "id")))

    async def _told(self, id: str) -> ScenarioTold:
        remote = bool(self.settings.remote_place)
        told: ScenarioTold = await self._made(lambda: _scenario(id, remote))
        return told

    async def _made(self, make: Callable[[], Any]) -> Any:
        """What takes longer than a moment, beside the loop, a few at a time."""
        async with asyncio.timeout(SCENARIO_SECONDS), self._making:
            return await asyncio.to_thread(make)

    # --- games ----------------------------------------------------------------------------------------------

    async def open(self, request: Request) -> Response:
        """A new game: a ``GamePlan`` comes in, ``Opened`` goes out; or what it changes elsewhere, to which
        somebody has to agree first."""
        self._check_owner(request)
        plan = plan_in(await self._asked_for(request))
        await self._told(plan.scenario)
        return await _opened(self.games.create(plan))

    async def again(self, request: Request) -> Response:
        """A game after one that is over, for the bearer of a token of that: ``Again`` comes in,
        ``OpenedAgain`` goes out."""
        wanted = read_message(await self._asked_for(request), _again_in)
        if wanted.scenario:
            await self._told(wanted.scenario)
        if not self.games.knows(token := bearer(request.headers)):
            self._guessed(request)
        return await _opened(self.games.again(token, wanted))

    async def _asked_for(self, request: Request) -> bytes:
        """The body of a request for a game; raises ``Unacceptable`` where too many come from there."""
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            raise Unacceptable(415, "a game is asked for with application/json")
        body = await body_of(request.receive, MOST_MESSAGE_BYTES, BODY_SECONDS)
        client = client_of(request.scope)
        if not is_loopback(client) and not self._opening.of(client).take():
            raise Unacceptable(429, "too many games were opened from here; wait a little")
        return body

    async def lesson(self, request: Request) -> Response:
        """How good a game was that is over."""
        return _json(await self._for_bearer(request, self.games.lesson))

    async def ghosts(self, request: Request) -> Response:
        """How others have played what is being played."""
        return _json(await self._for_bearer(request, self.games.ghosts))

    async def board(self, request: Request) -> Response:
        """The best games of a scenario (``?id=``), or of that of the day."""
        self._check_owner(request)
        id = "" if "id" not in request.query_params else check_id(_asked(request, "id"))
        scenario = id or await self._made(lambda: _of_day(day_of(time.time())))
        return _json(self.games.board(scenario, time.time()))

    async def list(self, request: Request) -> Response:
        """The games that are open."""
        self._check_owner(request)
        return _json(self.games.games())

    async def record(self, request: Request) -> Response:
        """The record of the game that the token is for."""
        name, content = await self._for_bearer(request, self.games.record)
        headers = {
            "content-disposition": f'attachment; filename="{_plain(name)}"',
            "cache-control": "no-store",
        }
        return Response(content, headers=headers, media_type="application/jsonl")

    async def frames(self, request: Request) -> Response:
        """The frames of a game that is over, as the bearer of the token saw them."""
        admission = await self._for_bearer(request, self.games.admit)
        view = admission.link.seat or None
        return _json(await self._made(lambda: admission.game.frames(view)))

    # --- who asks -------------------------------------------------------------------------------------------

    async def _for_bearer(self, request: Request, ask: Callable[[str], Coroutine[Any, Any, T]]) -> T:
        """What is asked for with the request's token; raises ``Unacceptable`` where it is refused."""
        try:
            return await ask(bearer(request.headers))
        except BackburnerError as error:
            self._guessed(request)
            raise Unacceptable(403, str(error)) from error

    def _check_owner(self, request: Request) -> None:
        """Raises ``Unacceptable`` where games are opened with a token, and this is another."""
        secret, token = self.settings.secret, bearer(request.headers)
        if secret is None:
            return
        if not secret.is_(token):
            if token:
                self._guessed(request)
            raise Unacceptable(401, "this server opens games for those alone who have its token")

    def _guessed(self, request: Request) -> None:
        """A wrong token came; raises ``Unacceptable`` where it was one too many."""
        if not self.sockets.guesses.of(client_of(request.scope)).take():
            raise Unacceptable(429, "too many wrong tokens came from here; wait a little")


@lru_cache(1)
def _worlds() -> tuple[WorldTold, ...]:
    return worlds_told()


@lru_cache(256)
def _scenario(id: str, remote: bool) -> ScenarioTold:
    return scenario_told(id, remote=remote)


@lru_cache(2)
def _of_day(day: str) -> str:
    return scenario_of(day)


_again_in = msgspec.json.Decoder(Again).decode


async def _opened(opening: Coroutine[Any, Any, Opened | OpenedAgain]) -> Response:
    """The answer with a game that is opened, or with what somebody has to agree to first."""
    try:
        return _json(await opening, 201)
    except Unconfirmed as unconfirmed:
        told = {"error": str(unconfirmed), "place": unconfirmed.place, "changes": unconfirmed.changes}
        return _json(told, 409)


def _asked(request: Request, name: str) -> str:
    values = request.query_params.getlist(name)
    if len(values) != 1:
        raise Unacceptable(400, f"say ?{name}= once")
    return str(values[0])


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]", "-", name)


# --- answers --------------------------------------------------------------------------------------------


def _json(told: Any, status: int = 200) -> Response:
    content = msgspec.json.encode(told)
    return Response(content, status, {"cache-control": "no-store"}, media_type="application/json")


def _wrong(status: int, why: str) -> Response:
    return _json({"error": why}, status)


async def front(request: Request) -> Response:
    """The one page that is all pages."""
    return _page(request, pages()[INDEX])


async def _asset(request: Request) -> Response:
    page = pages().get(request.path_params["name"])
    if page is None:
        raise Unacceptable(404, "there is no such page")
    return _page(request, page)


def _page(request: Request, page: PageFile) -> Response:
    accepts = request.headers.get("accept-encoding", "")
    headers = page.headers(accepts)
    if request.headers.get("if-none-match") == page.etag:
        return Response(status_code=304, headers=headers)
    return Response(page.body(accepts), headers=headers)


# --- the pages' files -----------------------------------------------------------------------------------


TYPES: Mapping[str, str] = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
"""What may be among the pages' files, and how browsers are told what it is."""

INDEX = "index.html"

LEAST_TO_PRESS = 1000
"""Bytes from which on a file is sent compressed."""


class PageFile(Struct, frozen=True):
    """A file as it is sent; ``pressed``: compressed, empty where that is not worth it."""

    content: bytes
    pressed: bytes
    type: str
    etag: str

    def headers(self, accepts: str) -> dict[str, str]:
        """The headers of an answer with this file."""
        told = {
            "content-type": self.type,
            "etag": self.etag,
            "cache-control": "no-cache",
            "vary": "accept-encoding",
        }
        return {**told, "content-encoding": "gzip"} if self._presses(accepts) else told

    def body(self, accepts: str) -> bytes:
        """What is sent to a browser that takes these encodings."""
        return self.pressed if self._presses(accepts) else self.content

    def _presses(self, accepts: str) -> bool:
        return bool(self.pressed) and "gzip" in accepts


@cache
def pages() -> Mapping[str, PageFile]:
    """The files by name; raises ``Refused`` where they are missing."""
    found: dict[str, PageFile] = {}
    folder = files("backburner.serve") / "assets"
    for file in folder.iterdir() if folder.is_dir() else ():
        suffix = f".{file.name.rpartition('.')[2]}"
        if file.is_file() and suffix in TYPES:
            found[file.name] = _read(file.read_bytes(), TYPES[suffix])
    if INDEX not in found:
        raise Refused("the pages are missing from this installation; in a clone, make web builds them")
    return found


def _read(content: bytes, type: str) -> PageFile:
    pressed = gzip.compress(content, mtime=0) if len(content) >= LEAST_TO_PRESS else b""
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    return PageFile(content, pressed if len(pressed) < len(content) else b"", type, etag)
