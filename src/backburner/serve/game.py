"""One game: an episode that people, agents and models play together while pages look on.

It is played by the one loop that plays everything (``kernel.play``), with a policy for each seat, so that its
record is an ordinary one. Each line of it is in the store before any page is shown what it says.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Protocol

from msgspec.structs import replace

from backburner.agents.latency import latencies
from backburner.kernel.clock import Clock as ThinkingClock
from backburner.kernel.clock import Timing
from backburner.kernel.contract import World
from backburner.kernel.episode import Answer, Ending, Entry, Episode, Player, Record, episode_in
from backburner.kernel.errors import Refused, ReplayMismatch, shorten, typed_line
from backburner.kernel.play import play
from backburner.kernel.policy import Turn
from backburner.kernel.replay import decisions_in, trajectory
from backburner.kernel.reported import reporter_of
from backburner.kernel.turns import would_have_said
from backburner.kernel.values import Event, Outcome, Seat
from backburner.serve.audience import Audience, Page, SendQueue, Shown, Views
from backburner.serve.live_games import Clock, LiveSeat, turn_in
from backburner.serve.lobby import GameLobby, welcome
from backburner.serve.players import ComputerPlayer, reader_of
from backburner.serve.protocol import Frame, Hello, People, Wanted
from backburner.serve.recording import Recording, frames_of, thought_by, ticks_of
from backburner.serve.seats import SeatPolicy
from backburner.serve.store import Given, Kept, Link, Person, Store, new_token

log = logging.getLogger("backburner.serve")

STEPS_IN_A_ROW = 20
"""Of a game that is over and looked at again, before other games have their turn."""


class Seating(Protocol):
    """Who seats agents and models."""

    async def computer(self, game: Game, seat: Seat, wanted: Wanted) -> ComputerPlayer:
        """An agent or a model for a seat; raises ``BackburnerError``."""

    async def stand_in(self, game: Game, seat: Seat) -> ComputerPlayer | None:
        """Who plays for somebody who is away."""


class Game:
    """One game; see the module's text. At its end ``finished`` is set and ``ended`` called."""

    def __init__(
        self,
        kept: Kept,
        world: World[Any, Any, Any],
        store: Store,
        seating: Seating,
        ended: Callable[[Game], None],
        timing: Timing | None = None,
    ) -> None:
        self.id, self.plan, self.world = kept.id, kept.plan, world
        self._store, self._seating, self._ended = store, seating, ended
        self._views = Views(world, kept.plan.seed)
        reader = reader_of(world, strict=kept.plan.strict)
        kind = SeatPolicy if self.tick_seconds is None else LiveSeat
        self.seats: dict[Seat, SeatPolicy] = {
            seat: kind(self, seat, kept.players[seat][-1][1], kept.players[seat][-1][0], reader)
            for seat in world.seats
        }
        self._recording = Recording(store, self.id)
        self._audience = Audience(self._people)
        self._lobby = GameLobby(
            kept.plan, self.seats, self._audience.tell, live=self.tick_seconds is not None
        )
        self._clock: Clock | None = None
        self._timing = timing
        self._thinking: ThinkingClock | None = None
        self._task: asyncio.Task[None] | None = None
        self._beside: set[asyncio.Task[None]] = set()
        self.caught_up, self.finished = asyncio.Event(), asyncio.Event()
        self.ending = False
        self._asking = False  # seat by seat, each of which may be waited for
        self._stopping = False
        self.failure = kept.why

    # --- from beginning to end --------------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        """Whether the lobby is behind it, and the end is not."""
        return self._lobby.begun.is_set() and self.over is None

    @property
    def over(self) -> Ending | None:
        """How it ended, once it has."""
        return self._recording.ending

    @property
    def state(self) -> Any:
        """The newest one."""
        return self._views.state

    @property
    def outcome(self) -> Outcome:
        """How play stands."""
        return self.world.outcome(self.state)

    @property
    def entries(self) -> Sequence[Entry]:
        """The record's entries, one for each step that is over."""
        return self._recording.entries

    @property
    def step(self) -> int:
        """How many steps are over."""
        return len(self.entries)

    @property
    def number(self) -> int:
        """The number of the newest frame."""
        return self._views.number

    @property
    def tick_seconds(self) -> float | None:
        """How long a tick of a live game lasts; ``None`` in other games."""
        return self._views.tick_seconds

    async def prepare(self) -> None:
        """Seat agents and models; raises ``BackburnerError`` for one that there is not in this world."""
        for seat, policy in self.seats.items():
            policy.stand_in = await self._seating.stand_in(self, seat)
            if not policy.is_person:
                policy.computer = await self._seating.computer(self, seat, policy.player)
                if policy.since == 0:
                    policy.known_as(policy.computer)
            policy.person = self._store.person(self.id, seat)
        if self._timing is not None and self.tick_seconds is None and not reporter_of(self.world):
            self._think_by(self._timing.bound(self.world, latencies(self.seats)))

    def _think_by(self, clock: ThinkingClock | None) -> None:
        """Thinking takes time by this clock, or none."""
        self._thinking, self._views.clocked = clock, clock is not None

    @property
    def players(self) -> dict[Seat, Player]:
        """Who plays, as the header of a record that begins now has them."""
        known = {seat: policy.computer or policy for seat, policy in self.seats.items()}
        return {seat: Player(each.name, each.informed, dict(each.settings)) for seat, each in known.items()}

    async def begin_again(self, content: Sequence[bytes]) -> None:
        """Know what the store has of the record. Raises ``BadFile``, ``ReplayMismatch``."""
        if not content:
            return
        episode = episode_in(b"".join(content), f"game {self.id}")
        self._think_by(episode.header.clock)
        for seat, policy in self.seats.items():
            policy.known_as(episode.header.players[seat])
        if episode.ending is not None:
            await self._look_back(episode)
            return
        self._recording.expect(content)
        for entry in episode.entries:
            for seat, asked in thought_by(entry).items():
                answer = would_have_said(entry.answers[seat])
                self.seats[seat].recorded[asked] = answer, entry.usage.get(seat)
        for seat in self._store.met(self.id):
            self.seats[seat].was_there = True
        for seat, given in self._store.given(self.id).items():
            self.seats[seat].given = given
        self._lobby.begun.set()

    async def _look_back(self, episode: Episode) -> None:
        """The game is over; go through it to see how it stands."""
        self._lobby.begun.set()
        views = self._views
        views.moved(self.world.start(episode.header.seed), 0, ())
        for before, entry, step in trajectory(episode, self.world):
            live = self.tick_seconds is not None
            lasted = ticks_of(self.world, before, decisions_in(self.world, entry)) if live else 1
            views.moved(step.state, views.number + lasted, entry.events, entry)
            if entry.index % STEPS_IN_A_ROW == 0:
                await asyncio.sleep(0)  # other games go on
        self._recording.complete(episode)

    def leave_off(self) -> None:
        """Before it starts: it does not go on behind what the store has of it, and ends as interrupted."""
        self.ending = True
        self._lobby.begin(at_once=True)

    def start(self) -> None:
        """Play, once enough people are there."""
        if self.over is None and self._task is None:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        try:
            if not self._lobby.begun.is_set():
                self._lobby.look()
                await self._lobby.begun.wait()
            self._asking = self.tick_seconds is None
            if self._asking:
                await play(
                    self.world,
                    self.seats,
                    self.plan.seed,
                    sink=self._sink,
                    watch=self._watch,
                    clock=self._thinking,
                )
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
        await self._clock.run(self._recording.expected_entries())

    def _nobody_there(self) -> bool:
        """Whether people play, and no page is open: then time stands still."""
        return not self._audience.pages and any(policy.is_person for policy in self.seats.values())

    def turn_now(self, seat: Seat) -> Turn:
        """See ``GameOfLiveSeat``."""
        policy: Any = self.seats[seat]
        return turn_in(self, policy, self._views.state, self.step)

    def _fail(self, why: str, *, broken: bool) -> None:
        """The game can go no further; pages are told. One that is not broken goes on when the server starts
        again."""
        self.failure = shorten(why, 300)
        if broken:
            self._store.mark(self.id, "broken", self.failure)
        self._audience.close(f"the game cannot go on: {self.failure}")

    def _finish(self) -> None:
        self.caught_up.set()
        self.finished.set()
        if self._stopping:
            return
        if self.over is not None:
            self._views.forget_frames()  # nobody is asked any more
            for page in self._audience.pages:
                page.tell_over(self.over, lesson=self.plan.after != "nothing")
            self.people_changed()
        self._ended(self)

    async def stop(self) -> None:
        """The server ends; the game goes on when it starts again."""
        if self._clock is not None and self.over is None:
            self._clock.write_idle()
        self._stopping = True
        self._audience.close("the server is stopping", again=True)
        tasks = [task for task in (self._task, *self._beside) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._lobby.stop_waiting()
        self.finished.set()

    # --- what has happened ------------------------------------------------------------------------------

    def _sink(self, record: Record) -> None:
        """A line of the record: it is kept, or compared with what is kept."""
        if not self._stopping:
            self._recording.take(record)

    def _watch(self, state: Any) -> None:
        """The state after a step, or the first one."""
        entry = self.entries[-1] if self.entries else None
        self._moved(state, self.step, () if entry is None else entry.events, entry)

    def _moved(self, state: Any, number: int, events: tuple[Event, ...], entry: Entry | None = None) -> None:
        """How things stand now; pages are shown it, unless they were before the process was killed."""
        self._views.moved(state, number, events, entry)
        if self._recording.again:
            return
        self.caught_up.set()
        live = self.tick_seconds is not None
        for page in self._audience.pages:
            page.show(self._frame(page), if_new=live)
        if not live:
            self.people_changed()

    def _frame(self, page: Page) -> Shown:
        return self._views.frame(page.whose, playing=self.playing)

    def look(self) -> Frame:
        """How things stand, as somebody sees it who sees everything; no page is open for it."""
        return self._views.frame(None, playing=self.playing).frame

    def record(self) -> bytes:
        """The record as far as it has come."""
        return self._recording.content()

    def frames(self, view: Seat | None) -> tuple[Frame, ...]:
        """See ``frames_of``."""
        clocked = self._thinking is not None
        return frames_of(self.world, self.plan.seed, self._recording, view, clocked=clocked)

    # --- pages ------------------------------------------------------------------------------------------

    def attach(self, queue: SendQueue, link: Link, hello: Hello, *, hosts: bool) -> None:
        """A page is open: it is told who it is and how things stand, and then what happens.

        Raises ``Refused`` where too many pages are open.
        """
        self._audience.check_room()
        page = Page(queue, link, hosts)
        policy = self.seats.get(link.seat)
        if policy is not None:
            name = typed_line(hello.name) or policy.person.name
            policy.person = Person(name)
            self._store.meet(self.id, link.seat, policy.person)
        begun, clock = self._lobby.begun.is_set(), self._thinking
        queue.send(welcome(self.world, self.plan, self.seats, link, hosts=hosts, clock=clock, begun=begun))
        if not begun:
            self._audience.pages.append(page)
            if policy is not None:
                policy.come(queue)
            self._lobby.look()
            return
        seen = min(hello.seen, self.number) if hello.game in ("", self.id) else -1
        for past in self._views.pasts(page.whose, seen):
            queue.send(past)
        shown = self._frame(page)
        queue.show(shown if seen < self.number else Shown(replace(shown.frame, events=(), shots=())))
        self._audience.pages.append(page)
        if self.over is not None:
            page.tell_over(self.over, lesson=self.plan.after != "nothing")
            return
        if policy is not None:
            policy.come(queue)
        self.people_changed()

    def detach(self, queue: SendQueue) -> None:
        """The page was closed."""
        page = self._audience.page_of(queue)
        if page is None:
            return
        self._audience.pages.remove(page)
        if (policy := self.seats.get(page.link.seat)) is not None:
            policy.go(queue)
        if not self._lobby.begun.is_set():
            self._lobby.look()
        self.people_changed()

    def ready(self, seat: Seat) -> None:
        """The person at a seat is ready for the clock to run."""
        self._lobby.ready(seat)

    def leave(self, policy: SeatPolicy, *, away: bool) -> None:
        """A person leaves their seat to the stand-in, or is back."""
        policy.leave(away)
        self._store.meet(self.id, policy.seat, policy.person)
        self.people_changed()

    def send_away(self, why: str) -> None:
        """Close every page, each of which comes again."""
        self._audience.close(why, again=True)

    @property
    def pages(self) -> int:
        """How many are open."""
        return len(self._audience.pages)

    def page_of(self, queue: SendQueue) -> Page | None:
        """The page of a connection, if it is open."""
        return self._audience.page_of(queue)

    # --- what the host decides --------------------------------------------------------------------------

    def begin(self) -> None:
        """Play, whoever is there."""
        self._lobby.begin()

    def end(self) -> None:
        """The host ends the game: its record ends as interrupted."""
        if self.over is not None or self.ending:
            return
        self.ending = True
        if not self._lobby.begun.is_set():
            self._lobby.begin(at_once=True)
        elif self._task is not None and self._asking:  # others see it by themselves
            self._task.cancel()

    def renew(self, seat: Seat) -> str:
        """The token of a new link for a person's seat, or (``""``) for onlookers; the old one holds no more.

        Raises ``Refused`` where there is none to renew.
        """
        if seat and (seat not in self.seats or not self.seats[seat].is_person):
            raise Refused(f"no person has a seat {shorten(seat)!r}")
        if not seat and not self.plan.watch:
            raise Refused("nobody may look on")
        token = new_token()
        self._store.renew(Link(self.id, "player" if seat else "onlooker", seat), token)
        self._audience.close_link(seat)
        return token

    async def replace(self, seat: Seat, player: Wanted) -> str:
        """Seat another player: for a person the token of their link, else ``""``.

        Raises ``Refused`` for a seat that is not to be given away, and what ``Seating.computer`` raises.
        """
        policy = self.seats.get(seat)
        if policy is None or self.over is not None or seat == reporter_of(self.world):
            raise Refused(f"there is no seat {shorten(seat)!r} to give away")
        computer = None if player.kind == "person" else await self._seating.computer(self, seat, player)
        token, since = new_token() if computer is None else "", policy.open_step
        self._store.replace(self.id, seat, since, player, token)
        if not self._lobby.begun.is_set() and computer is not None:
            policy.known_as(computer)
        policy.seat_player(player, since, computer)
        if not self._lobby.begun.is_set():
            self._lobby.look()
        self.people_changed()
        return token

    # --- what seats need of their game ------------------------------------------------------------------

    def keep(self, seat: Seat, step: int, given: Given) -> None:
        """See ``GameOfSeat``."""
        self._store.give(self.id, seat, step, given)

    def people_changed(self) -> None:
        """See ``GameOfSeat``; nobody is told of what was before the process was killed."""
        if not self._recording.again:
            self._audience.people_changed()

    def _people(self) -> People | None:
        """Who is there; the lobby tells that in its own words."""
        if not self._lobby.begun.is_set():
            return None
        return People(tuple(seat.told() for seat in self.seats.values()))

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """See ``GameOfSeat``."""
        task = asyncio.create_task(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)
        return task

    # --- for agents in workers ---------------------------------------------------------------------------

    def state_json(self) -> bytes:
        """The present state."""
        return self._views.state_json()

    def past_of(self, seat: Seat, *, standing_in: bool) -> tuple[list[dict[Seat, Answer]], list[int]]:
        """What was answered so far, and the steps at which the seat's player, or its stand-in, decided."""
        since = 0 if standing_in else self.seats[seat].since
        return self._recording.past_of(seat, since, standing_in=standing_in)
