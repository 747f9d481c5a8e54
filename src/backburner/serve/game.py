"""One game: an episode that people, agents and models play together while pages look on.

It is played by the one loop that plays everything (``kernel.play``), with a policy for each seat, so that its
record is an ordinary one. Each line of it is in the store before any page is shown what it says.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine, Sequence
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from backburner.kernel.clock import Clocked
from backburner.kernel.contract import World
from backburner.kernel.episode import (
    Answer,
    Ending,
    Entry,
    Episode,
    Header,
    Lines,
    Record,
    encode_line,
    episode_in,
    record_on,
)
from backburner.kernel.errors import BackburnerError, Refused, ReplayMismatch, shorten
from backburner.kernel.play import play, speaks
from backburner.kernel.policy import Turn
from backburner.kernel.replay import decisions_in, trajectory
from backburner.kernel.text import without
from backburner.kernel.values import Event, Seat, canonical_json
from backburner.kernel.view import Scene, View, draws, events_known
from backburner.serve.graphs import graphs_for
from backburner.serve.live import Clock, LiveSeat, ticks_of, turn_in
from backburner.serve.outlets import Outlet, Shown
from backburner.serve.protocol import (
    Back,
    Begin,
    Confirm,
    End,
    Frame,
    FromPage,
    FromServer,
    Hello,
    Leave,
    LinkTold,
    Lobby,
    Move,
    Past,
    People,
    Ping,
    Pong,
    Renew,
    Replace,
    SeatTold,
    ShotTold,
    Told,
    Wanted,
    Welcome,
    written,
)
from backburner.serve.protocol import Over as OverTold
from backburner.serve.seats import STAND_IN, Brain, SeatPolicy, reader_of
from backburner.serve.store import Given, Kept, Link, Person, Store

log = logging.getLogger("backburner.serve")

View_ = Seat | None
"""Whose view: a seat's, or everything (``None``)."""

MOST_PAST_EVENTS = 500
"""Of one message."""

STEPS_IN_A_ROW = 20
"""Of a game that is over and looked at again, before other games have their turn."""

MOST_PAGES = 100
"""That look at one game."""


class Makers(Protocol):
    """Who makes what a game needs."""

    async def brain(self, game: Game, seat: Seat, wanted: Wanted) -> Brain:
        """An agent or a model for a seat; raises ``BackburnerError``."""

    async def stand_in(self, game: Game, seat: Seat) -> Brain | None:
        """Who plays for somebody who is away."""

    def token(self) -> str:
        """A new secret."""

    def ended(self, game: Game) -> None:
        """A game is over, or can go no further."""


class _Page:
    """A connection and what it may see and do."""

    def __init__(self, outlet: Outlet, link: Link, hosts: bool) -> None:
        self.outlet, self.link, self.hosts = outlet, link, hosts
        self.scene: Scene | None = None

    @property
    def view(self) -> View_:
        """Whose view it is shown."""
        return self.link.seat or None


class Game:
    """One game; see the module's text. ``over``: how it ended, once it has. ``finished``: set when nothing
    more happens."""

    def __init__(self, kept: Kept, world: World[Any, Any, Any], store: Store, makers: Makers) -> None:
        self.id, self.plan, self.world = kept.id, kept.plan, world
        self._store, self._makers = store, makers
        reader = reader_of(world, strict=kept.plan.strict)
        self.tick_seconds = world.tick_seconds if isinstance(world, Clocked) else None
        kind = SeatPolicy if self.tick_seconds is None else LiveSeat
        self.seats: dict[Seat, SeatPolicy] = {
            seat: kind(self, seat, kept.players[seat][-1][1], kept.players[seat][-1][0], reader)
            for seat in world.seats
        }
        self._pages: list[_Page] = []
        self._task: asyncio.Task[None] | None = None
        self._beside: set[asyncio.Task[None]] = set()
        self._begun, self.caught_up, self.finished = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.ending = False
        self._stopping = False
        self._people_to_tell = False
        self._lobby_until: float | None = None
        self._lobby_timer: asyncio.TimerHandle | None = None
        self.over: Ending | None = None
        self.failure = kept.why
        # What is played: the record so far, and how things stand.
        self._lines = Lines()
        self._stored: Sequence[bytes] = ()
        self._written = 0
        self.number = 0
        self._clock: Clock | None = None
        self.entries: list[Entry] = []
        self.state: Any = world.start(kept.plan.seed)
        self._before: Any = None
        self._time: int | float = 0
        self._known: dict[View_, list[tuple[int, tuple[Event, ...]]]] = {
            view: [] for view in (None, *world.seats)
        }
        self._frames: dict[View_, Shown] = {}
        self._state_json: tuple[Any, bytes] = (None, b"")

    # --- from beginning to end --------------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        """Whether the lobby is behind it, and the end is not."""
        return self._begun.is_set() and self.over is None

    @property
    def step(self) -> int:
        """How many steps are over."""
        return len(self.entries)

    async def prepare(self) -> None:
        """Seat agents and models; raises ``BackburnerError`` for one that there is not in this world."""
        for seat, policy in self.seats.items():
            policy.stand_in = await self._makers.stand_in(self, seat)
            if not policy.is_person:
                policy.brain = await self._makers.brain(self, seat, policy.player)
                if policy.since == 0:
                    policy.name, policy.informed = policy.brain.name, policy.brain.informed
                    policy.settings = policy.brain.settings
            policy.person = self._store.person(self.id, seat)

    async def begin_again(self, content: Sequence[bytes]) -> None:
        """Know what the store has of the record. Raises ``BadFile``, ``ReplayMismatch``."""
        if not content:
            return
        episode = episode_in(b"".join(content), f"game {self.id}")
        self._stored = content
        for seat, policy in self.seats.items():
            player = episode.header.players[seat]
            policy.name, policy.informed, policy.settings = player.name, player.informed, player.settings
        if episode.ending is not None:
            await self._look_back(episode, content)
            return
        for entry in episode.entries:
            for seat, answer in entry.answers.items():
                self.seats[seat].recorded[entry.index] = answer, entry.usage.get(seat)
        for seat, given in self._store.given(self.id).items():
            self.seats[seat].given = given
        self._begun.set()

    async def _look_back(self, episode: Episode, content: Sequence[bytes]) -> None:
        """The game is over; go through it to see how it stands."""
        self._begun.set()
        self._moved(self.world.start(episode.header.seed), 0, ())
        for _, entry, step in trajectory(episode, self.world):
            self.entries.append(entry)
            live = self.tick_seconds is not None
            lasted = ticks_of(self.world, decisions_in(self.world, entry)) if live else 1
            self._moved(step.state, self.number + lasted, entry.events)
            if entry.index % STEPS_IN_A_ROW == 0:
                await asyncio.sleep(0)  # other games go on
        self._written, self.over = len(content), episode.ending

    def start(self) -> None:
        """Play, once enough people are there."""
        if self.over is None and self._task is None:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        try:
            if not self._begun.is_set():
                self._look_at_lobby()
                await self._begun.wait()
            if self.tick_seconds is None:
                await play(self.world, self.seats, self.plan.seed, sink=self._sink, watch=self._watch)
            else:
                await self._play_live()
        except asyncio.CancelledError:
            if self.over is None:
                raise
        except ReplayMismatch as error:
            self._fail(str(error), broken=True)
        except Exception as error:
            log.exception("game %s", self.id)
            self._fail(f"{type(error).__name__}: {error}", broken=False)
        self._finish()

    async def _play_live(self) -> None:
        seats: dict[Seat, Any] = dict(self.seats)
        self._clock = Clock(
            self.world,
            seats,
            self.plan.seed,
            self._sink,
            self._moved,
            self._nobody_there,
            lambda: self.ending,
        )
        recorded = (record_on(line) for line in self._stored)
        await self._clock.run(tuple(record for record in recorded if isinstance(record, Entry)))

    def _nobody_there(self) -> bool:
        """Whether people play, and no page is open: then time stands still."""
        return not self._pages and any(policy.is_person for policy in self.seats.values())

    def turn_now(self, seat: Seat) -> Turn:
        """See ``LiveHouse``."""
        policy: Any = self.seats[seat]
        return turn_in(self, policy, self.state, len(self.entries))

    def _fail(self, why: str, *, broken: bool) -> None:
        """The game can go no further; pages are told. One that is not broken goes on when the server starts
        again."""
        self.failure = shorten(why, 300)
        if broken:
            self._store.mark(self.id, "broken", self.failure)
        for page in tuple(self._pages):
            page.outlet.close(f"the game cannot go on: {self.failure}")

    def _finish(self) -> None:
        self.caught_up.set()
        self.finished.set()
        if self._stopping:
            return
        if self.over is not None:
            self._frames.clear()  # nobody is asked any more
            for page in self._pages:
                page.outlet.send(self._over_told(page))
            self.people_changed()
        self._makers.ended(self)

    async def stop(self) -> None:
        """The server ends; the game goes on when it starts again."""
        if self._clock is not None and self.over is None:
            self._clock.write_idle()
        self._stopping = True
        for page in tuple(self._pages):
            page.outlet.close("the server is stopping", again=True)
        tasks = [task for task in (self._task, *self._beside) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._lobby_timer is not None:
            self._lobby_timer.cancel()

    # --- the record -------------------------------------------------------------------------------------

    def _sink(self, record: Record) -> None:
        """Keep a record's next line, or compare what is played again with the one that is kept."""
        if self._stopping:
            return
        if self._written < len(self._stored):
            line = self._stored[self._written]
            if _compared(record) != _compared(record_on(line)):
                raise ReplayMismatch(f"line {self._written + 1} of the record is not what is played again")
            self._lines.follow(line)
        else:
            line = self._lines.line(record)
            status = {Header: "playing", Ending: "over"}.get(type(record))
            self._store.append(self.id, self._written, line, status)  # type: ignore[arg-type]
        self._written += 1
        if isinstance(record, Entry):
            self.entries.append(record)
        elif isinstance(record, Ending):
            self.over = record

    @property
    def _again(self) -> bool:
        """Whether what is played was played before."""
        return self._written < len(self._stored)

    def _watch(self, state: Any) -> None:
        """The state after a step, or the first one."""
        self._moved(state, len(self.entries), self.entries[-1].events if self.entries else ())

    def _moved(self, state: Any, number: int, events: tuple[Event, ...]) -> None:
        """How things stand now: it is kept, and pages are shown it."""
        if number:
            for view, known in self._known.items():
                if seen := events_known(self.world, view, self.state, events, state):
                    known.append((number, seen))
        if self.tick_seconds is None:
            self._time = max((self._time, *(event.time for event in events)))
        else:
            self._time = round(number * self.tick_seconds, 6)
        self._before, self.state, self.number = self.state, state, number
        self._frames.clear()
        if self._again:
            return
        self.caught_up.set()
        for page in self._pages:
            shown = self._frame(page.view)
            if self.tick_seconds is None or shown.frame.events or shown.frame.scene != page.scene:
                page.scene = shown.frame.scene
                page.outlet.show(shown)
        if self.tick_seconds is None:
            self.people_changed()

    def record(self) -> bytes:
        """The record as far as it has come."""
        return b"".join(self._store.lines(self.id))

    # --- what pages are shown ---------------------------------------------------------------------------

    def _frame(self, view: View_) -> Shown:
        """The newest frame, which views that see the same share."""
        shown = self._frames.get(view)
        if shown is None:
            frame = self._made_frame(view)
            shown = next((other for other in self._frames.values() if other.frame == frame), Shown(frame))
            self._frames[view] = shown
        return shown

    def _made_frame(self, view: View_) -> Frame:
        world, known = self.world, self._known[view]
        events = known[-1][1] if known and known[-1][0] == self.number else ()
        asked = self.playing and self.tick_seconds is None
        deciding = world.deciders(self.state) if asked else ()
        if not draws(world):
            return Frame(self.number, self._time, None, self._text(view), (), events, tuple(deciding))
        shots = tuple(ShotTold(moment, world.scene(state, view)) for moment, state in self._between(world))
        scene = world.scene(self.state, view)
        return Frame(self.number, self._time, scene, "", shots, events, tuple(deciding))

    def _between(self, world: View[Any, Any]) -> Sequence[tuple[int | float, Any]]:
        if not self.entries or self._before is None or self.tick_seconds is not None:
            return ()
        return world.between(self._before, decisions_in(self.world, self.entries[-1]))

    def _text(self, view: View_) -> str:
        """How things stand, in words; onlookers are told what the first seat is."""
        seen = self.world.observe(self.state, view or self.world.seats[0])
        return self.world.describe(seen) if speaks(self.world) else ""

    def _pasts(self, view: View_, seen: int) -> list[Past]:
        """What a page has missed, the newest frame's own events aside."""
        pasts: list[Past] = []
        events: list[Event] = []
        last = seen
        for number, known in self._known[view]:
            if seen < number < self.number:
                events += known
                last = number
                if len(events) >= MOST_PAST_EVENTS:
                    pasts.append(Past(number, tuple(events)))
                    events = []
        return [*pasts, *([Past(last, tuple(events))] if events else [])]

    def _told_seats(self) -> tuple[SeatTold, ...]:
        return tuple(seat.told() for seat in self.seats.values())

    def _lobby_told(self) -> Lobby:
        waiting = tuple(seat for seat, policy in self.seats.items() if not policy.present)
        left = None if self._lobby_until is None else max(0.0, self._lobby_until - time.monotonic())
        return Lobby(waiting, max(0, self._quorum - self._present), _rounded(left), self._told_seats())

    def _over_told(self, page: _Page) -> OverTold:
        assert self.over is not None  # noqa: S101  # it is over
        may_have_it = page.hosts or page.link.role == "player"
        return OverTold(self.over.status, self.over.reason, self.over.numbers, may_have_it)

    def _briefing(self, seat: Seat) -> str:
        """All that a model is told where the rules' prices hold; else without the form of answers, which
        buttons need nobody to know."""
        if not speaks(self.world):
            return ""
        return (
            self.world.briefing(seat)
            if self.plan.strict
            else without(self.world.briefing_parts(seat), "answering")
        )

    def _welcome(self, page: _Page) -> Welcome:
        world, plan, seat = self.world, self.plan, page.link.seat
        told = seat or world.seats[0]
        return Welcome(
            game=self.id,
            seat=seat,
            role=page.link.role,
            hosts=page.hosts,
            title=plan.title or world.id,
            scenario=world.id,
            briefing=self._briefing(told),
            help=world.typing_help if speaks(world) else "",
            goal=world.goal(told) if speaks(world) else "",
            time_unit=world.time_unit,
            seats=self._told_seats(),
            controls=world.controls if isinstance(world, View) and any(world.controls.entries()) else None,
            verbs={verb: tuple(params) for verb, params in getattr(world, "verbs", {}).items()},
            live=self.tick_seconds is not None,
            tick_seconds=self.tick_seconds,
            pace_seconds=plan.pace_seconds,
            strict=plan.strict,
            watched=plan.watch,
            stand_in=next((s.stand_in.name for s in self.seats.values() if s.stand_in is not None), ""),
            graphs=graphs_for(world, seat or None),
            last_id=self.seats[seat].last_id if seat else 0,
        )

    # --- pages ------------------------------------------------------------------------------------------

    def attach(self, outlet: Outlet, link: Link, hello: Hello, *, hosts: bool) -> None:
        """A page is open: it is told who it is and how things stand, and then what happens.

        Raises ``Refused`` where too many pages are open.
        """
        if len(self._pages) >= MOST_PAGES:
            raise Refused("too many pages look at this game")
        page = _Page(outlet, link, hosts)
        policy = self.seats.get(link.seat)
        if policy is not None:
            name = _name(hello.name) or policy.person.name
            policy.person = Person(name)
            self._store.meet(self.id, link.seat, policy.person)
        outlet.send(self._welcome(page))
        if not self._begun.is_set():
            self._pages.append(page)
            if policy is not None:
                policy.come(outlet)
            self._look_at_lobby()
            return
        seen = min(hello.seen, self.number) if hello.game in ("", self.id) else -1
        for past in self._pasts(page.view, seen):
            outlet.send(past)
        shown = self._frame(page.view)
        outlet.show(shown if seen < self.number else Shown(replace(shown.frame, events=(), shots=())))
        self._pages.append(page)
        if self.over is not None:
            outlet.send(self._over_told(page))
            return
        if policy is not None:
            policy.come(outlet)
        self.people_changed()

    def detach(self, outlet: Outlet) -> None:
        """The page was closed."""
        page = self._page(outlet)
        if page is None:
            return
        self._pages.remove(page)
        if (policy := self.seats.get(page.link.seat)) is not None:
            policy.go(outlet)
        if not self._begun.is_set():
            self._look_at_lobby()
        self.people_changed()

    def _page(self, outlet: Outlet) -> _Page | None:
        return next((page for page in self._pages if page.outlet is outlet), None)

    def send_away(self, why: str) -> None:
        """Close every page, each of which comes again."""
        for page in tuple(self._pages):
            page.outlet.close(why, again=True)

    @property
    def pages(self) -> int:
        """How many are open."""
        return len(self._pages)

    async def take(self, outlet: Outlet, message: FromPage) -> None:
        """Do what a page asks for; what comes of it is sent to the page. Never raises ``BackburnerError``."""
        page = self._page(outlet)
        if page is None:
            return
        try:
            answer = await self._taken(page, message)
        except BackburnerError as error:
            answer = Told(getattr(message, "id", 0), "refused", str(error))
        if answer is not None:
            outlet.send(answer)

    async def _taken(self, page: _Page, message: FromPage) -> FromServer | None:
        if isinstance(message, Ping):
            return Pong(message.id)
        if isinstance(message, Replace | Renew | Begin | End):
            if not page.hosts:
                raise Refused("only the host may do that")
            return await self._hosted(message)
        policy = self.seats.get(page.link.seat)
        if isinstance(message, Hello) or policy is None:
            raise Refused("nobody plays from this page")
        if policy.outlet is not page.outlet:
            raise Refused("the seat was opened in another window")
        match message:
            case Move():
                return (
                    policy.move(message) if self.playing else Told(message.id, "late", "nobody is asked now")
                )
            case Confirm():
                return policy.confirm(message)
            case Leave() | Back():
                policy.leave(isinstance(message, Leave))
                self._store.meet(self.id, policy.seat, policy.person)
                self.people_changed()
        return None

    async def _hosted(self, message: Replace | Renew | Begin | End) -> FromServer | None:
        match message:
            case Begin():
                self._begin()
            case End():
                self.end()
            case Renew():
                return self._renewed(message.seat)
            case Replace():
                return await self._replaced(message.seat, message.player)
        return None

    def end(self) -> None:
        """The host ends the game: its record ends as interrupted."""
        if self.over is not None or self.ending:
            return
        self.ending = True
        if not self._begun.is_set():
            self._begin()
        elif self._task is not None and self.tick_seconds is None:  # a clock sees it at its next tick
            self._task.cancel()

    def _renewed(self, seat: Seat) -> LinkTold:
        if seat and (seat not in self.seats or not self.seats[seat].is_person):
            raise Refused(f"no person has a seat {shorten(seat)!r}")
        if not seat and not self.plan.watch:
            raise Refused("nobody may look on")
        token = self._makers.token()
        self._store.renew(Link(self.id, "player" if seat else "onlooker", seat), token)
        for page in tuple(self._pages):
            if page.link.seat == seat and page.link.role != "host":
                page.outlet.close("the link holds no more")
        return LinkTold(seat, token)

    async def _replaced(self, seat: Seat, player: Wanted) -> FromServer | None:
        policy = self.seats.get(seat)
        if policy is None or self.over is not None:
            raise Refused(f"there is no seat {shorten(seat)!r} to give away")
        brain = None if player.kind == "person" else await self._makers.brain(self, seat, player)
        token, since = self._makers.token() if brain is None else "", policy.open_step
        self._store.replace(self.id, seat, since, player, token)
        if not self._begun.is_set() and brain is not None:
            policy.name, policy.informed, policy.settings = brain.name, brain.informed, brain.settings
        policy.seat_player(player, since, brain)
        if not self._begun.is_set():
            self._look_at_lobby()
        self.people_changed()
        return LinkTold(seat, token) if token else None

    # --- the lobby --------------------------------------------------------------------------------------

    @property
    def _present(self) -> int:
        """How many people are there."""
        return sum(policy.is_person and policy.present for policy in self.seats.values())

    @property
    def _quorum(self) -> int:
        """How many have to be."""
        people = sum(policy.is_person for policy in self.seats.values())
        return people if self.plan.quorum is None else min(people, self.plan.quorum)

    def _look_at_lobby(self) -> None:
        """Begin if enough people are there; else those who are wait for the others, for some time."""
        if self._begun.is_set():
            return
        if self._present >= self._quorum:
            self._begin()
            return
        seconds = self.plan.lobby_seconds
        if self._present and self._lobby_until is None and seconds is not None:
            self._lobby_until = time.monotonic() + seconds
            self._lobby_timer = asyncio.get_running_loop().call_later(seconds, self._begin)
        self._tell(self._lobby_told())

    def _begin(self) -> None:
        """Play begins; for whoever is not there the stand-in does."""
        if self._begun.is_set():
            return
        if self._lobby_timer is not None:
            self._lobby_timer.cancel()
        self._begun.set()
        for policy in self.seats.values():
            policy.do_not_wait()

    # --- the house of the seats -------------------------------------------------------------------------

    def keep(self, seat: Seat, step: int, given: Given) -> None:
        """See ``House``."""
        self._store.give(self.id, seat, step, given)

    def people_changed(self) -> None:
        """See ``House``; told once for all that changes at one time."""
        if not self._people_to_tell and self._pages and not self._again:
            self._people_to_tell = True
            asyncio.get_running_loop().call_soon(self._tell_people)

    def _tell_people(self) -> None:
        self._people_to_tell = False
        if self._begun.is_set():
            self._tell(People(self._told_seats()))

    def _tell(self, message: FromServer) -> None:
        text = written(message)
        for page in self._pages:
            page.outlet.send(text)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """See ``House``."""
        task = asyncio.create_task(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)
        return task

    # --- for agents aside -------------------------------------------------------------------------------

    def state_json(self) -> bytes:
        """The present state."""
        if self._state_json[0] is not self.state:
            self._state_json = self.state, msgspec.json.encode(self.state)
        return self._state_json[1]

    def past_of(self, seat: Seat, *, standing_in: bool) -> tuple[list[dict[Seat, Answer]], list[int]]:
        """What was answered so far, and the steps at which the seat's player, or its stand-in, decided."""
        since = 0 if standing_in else self.seats[seat].since
        own = [
            entry.index
            for entry in self.entries
            if entry.index >= since
            and (answer := entry.answers.get(seat)) is not None
            and any(thought.purpose == STAND_IN for thought in answer.thoughts) == standing_in
        ]
        return [entry.answers for entry in self.entries] if own else [], own


def _compared(record: Record) -> bytes:
    """What must be the same when it is played again: all but versions and costs, read from what is
    written."""
    record = record_on(encode_line(record))
    return canonical_json(
        replace(record, version="") if isinstance(record, Header) else replace(record, usage={})
    )


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)


def _name(said: str) -> str:
    """What somebody wants to be called, as one line that can be shown."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in said).split())
