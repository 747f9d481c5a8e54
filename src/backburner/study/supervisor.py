"""The researcher's page while a study runs: who is where, how games stand, what the researcher does about it.

It looks on, and changes nothing by that: to a game no page is open for it. What the researcher does is in the
journal before anything follows from it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from backburner.kernel.errors import Refused
from backburner.serve.app import front
from backburner.serve.audience import SendQueue
from backburner.serve.connections import carry, first_message, messages
from backburner.serve.games import Games
from backburner.serve.limits import Buckets, Unacceptable, client_of
from backburner.serve.protocol import SeatTold
from backburner.study import pages
from backburner.study.analysis.flow import flow_section
from backburner.study.conduct import Conduct
from backburner.study.export.data import Data
from backburner.study.export.flow import flow_of
from backburner.study.games import Running
from backburner.study.participants import IDLE_SECONDS, Participant
from backburner.study.supervision import (
    Answered,
    Drop,
    Enter,
    FromPage,
    GameShown,
    Overview,
    Recruit,
    Whereabouts,
    Write,
    said,
    written,
)
from backburner.study.words import label_of, text_of

LOOK_SECONDS = 1.0
"""So often the page is told what is new."""

MOST_PEOPLE = 200
"""Of whom the page is told where they are."""

MOST_PAGES = 10

Open = Mapping[str, Mapping[SendQueue, pages.Ping]]
"""Participant to the pages of theirs that are open, each with the last that it said of itself."""


class Supervisor:
    """The researcher's page on a site. ``open``: the participants' pages; ``wake`` has somebody look at what
    has changed for participants."""

    def __init__(self, conduct: Conduct, games: Games, open: Open, wake: Callable[[], None]) -> None:
        self.conduct, self.games, self.study = conduct, games, conduct.study
        self._open, self._wake = open, wake
        self._guesses = Buckets(rate=0.5, burst=30.0)
        self._flow: tuple[int, tuple[str, ...], tuple[tuple[str, ...], ...]] = (-1, (), ())
        self._pages = 0

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """The page and its WebSocket."""
        return (
            Route("/researcher/{name}", self._page, methods=["GET"]),
            WebSocketRoute("/researcher/{name}/ws", self._opened),
        )

    async def _page(self, request: Request) -> Response:
        if request.path_params["name"] != self.study.name:
            raise Unacceptable(404, "there is no such study")
        return await front(request)

    async def _opened(self, socket: WebSocket) -> None:
        if socket.path_params["name"] != self.study.name:
            await socket.close(4404)
            return
        await carry(socket, self._hear)

    async def _hear(self, socket: WebSocket, queue: SendQueue) -> None:
        """All that the page says. Raises ``Refused`` where it has not the token."""
        enter = await first_message(socket, said, Enter)
        if not self.conduct.links.is_researcher(enter.token):
            if not self._guesses.of(client_of(socket.scope)).take():
                raise Refused("too many wrong links came from here; wait a little")
            raise Refused("this is not the researcher's link; `study serve` prints it")
        if self._pages >= MOST_PAGES:
            raise Refused("too many pages of the researcher are open; close the others")
        self._pages += 1
        showing = asyncio.create_task(self._show(queue))
        showing.add_done_callback(
            lambda task: None if task.cancelled() else queue.close(str(task.exception()))
        )
        try:
            async for text in messages(socket, queue):
                queue.send(written(await self._done(said(text))))
        finally:
            self._pages -= 1
            showing.cancel()

    # --- what is done -----------------------------------------------------------------------------------

    async def _done(self, message: FromPage) -> Answered:
        """Do what is asked for, and say so once it is on disk."""
        try:
            match message:
                case Write(text, to):
                    people = self.conduct.write(text, to)
                    to_whom = people[0] if len(people) == 1 else f"{len(people)} people"
                    words = f"The message is shown to {to_whom}."
                case Drop(participant, reason):
                    self.conduct.drop(participant, reason)
                    words = f"{participant} is taken out."
                case Recruit(open):
                    self.conduct.recruit(open=open)
                    words = "New participants are let in." if open else "Nobody new is let in any more."
                case _:
                    raise Refused("the page is open already")
        except Refused as refused:
            return Answered(str(refused), wrong=True)
        await self.conduct.journal.settled()
        self._wake()
        return Answered(words)

    # --- what is shown ----------------------------------------------------------------------------------

    async def _show(self, queue: SendQueue) -> None:
        """Tell a page how things stand, again and again: of each game where that is new to it."""
        known: dict[str, str] = {}
        while not queue.closed:
            games = [shown for running in self.conduct.running() if (shown := await self._game(running))]
            queue.send(written(self._overview({game.game: game.seats for game in games})))
            for game in games:
                told = written(game)
                if known.get(game.game) != told:
                    known[game.game] = told
                    queue.send(told)
            await asyncio.sleep(LOOK_SECONDS)

    async def _game(self, running: Running) -> GameShown | None:
        """A running game; ``None`` for one that cannot go on, or whose player has just been forgotten."""
        try:
            game = (await self.games.admit(running.host)).game
            one = self.conduct.cohort.one(next(iter(running.people)))
        except Refused:
            return None
        placed = one.present_stage(self.study)
        return GameShown(
            running.game,
            one.part(self.study),
            "" if placed is None else placed.condition,
            game.world.time_unit,
            {seat: id for id, seat in running.people.items()},
            tuple(replace(seat.told(), thinking_seconds=None) for seat in game.seats.values()),
            replace(game.look(), events=(), shots=()),
        )

    def _overview(self, seats: Mapping[str, Sequence[SeatTold]]) -> Overview:
        people = list(self.conduct.cohort.people.values())
        people.sort(key=self._place)
        columns, flow = self._counted()
        return Overview(
            text_of(self.study, self.study.title, self.study.language),
            tuple(self._where(one, seats) for one in people[:MOST_PEOPLE]),
            max(0, len(people) - MOST_PEOPLE),
            columns,
            flow,
            tuple(seats),
            self.conduct.cohort.closed,
        )

    def _place(self, one: Participant) -> tuple[int, float]:
        """In the order in which they came, so that no row moves under a hand; who is through, or has done
        nothing for hours, comes after the others."""
        if one.ended is not None:
            return 2, -one.ended.at
        idle = not self._open.get(one.id) and self.conduct.clock() - one.last_at > IDLE_SECONDS
        return int(idle), one.arrived.at

    def _counted(self) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        """The flow so far, worked out anew where something has happened."""
        at = len(self.conduct.journal.lines)
        if self._flow[0] != at:
            labels = {each.name: label_of(self.study, each) for each in self.study.conditions}
            data = Data(self.study, self.conduct.cohort, self.conduct.journal.records)
            section = flow_section(flow_of(data), labels)
            self._flow = at, section.columns, section.rows
        return self._flow[1:]

    def _where(self, one: Participant, seats: Mapping[str, Sequence[SeatTold]]) -> Whereabouts:
        placed, opened = one.present_stage(self.study), one.opened.get(one.position)
        at = self._open.get(one.id, {}).values()
        trips = [ping.round_trip for ping in at if ping.round_trip is not None]
        since = one.last_at if one.ended or placed is None else one.entered.get(placed.position, one.last_at)
        mine = [] if opened is None else [s for s in seats.get(opened.game, ()) if s.seat == opened.seat]
        return Whereabouts(
            one.id,
            one.group(self.study),
            "" if placed is None else placed.condition,
            one.part(self.study),
            one.position + 1,
            len(one.stages(self.study)) if one.assigned else None,
            self.conduct.clock() - since,
            len(at),
            min(trips, default=None),
            bool(at) and all(ping.away for ping in at),
            placed is not None and (placed.kind == "trials" or (placed.kind == "play" and opened is None)),
            opened.game if opened is not None and mine else "",
            mine[0].stands_in if mine else "",
            len(one.unread),
            one.ended.status if one.ended else "",
        )
