"""All games of a server: opened, entered by the secret of a link, taken up again after the process was
killed."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from backburner.agents.spec import Clients, Endpoint
from backburner.evaluation.running.calls import NO_END, Budget
from backburner.kernel import packs, registry
from backburner.kernel.clock import Timing
from backburner.kernel.contract import World
from backburner.kernel.episode import Ending, episode_in, first_and_last
from backburner.kernel.errors import (
    BackburnerError,
    PolicyFailure,
    Refused,
    UnknownName,
    one_line,
    shorten,
)
from backburner.kernel.files import write_whole
from backburner.kernel.values import Seat
from backburner.serve.after import (
    REPLAYED,
    ROWS,
    Again,
    Begun,
    BoardTold,
    Ghost,
    LessonTold,
    OpenedAgain,
    Row,
    begun_as,
    following,
    plan_after,
    played_by,
    score_of,
    seated_after,
)
from backburner.serve.game import Game
from backburner.serve.lessons import DAY_SECONDS, Lessons
from backburner.serve.lobby import has_ghosts
from backburner.serve.protocol import MOST_SEATS, GamePlan, Opened, Wanted
from backburner.serve.seating import FAILED, Players, RemoteGames, RemoteServer, goes_on
from backburner.serve.store import (
    STORE,
    Kept,
    Link,
    Store,
    journal_file,
    new_token,
    record_file,
    remove_files,
)
from backburner.serve.workers import WorkerPool

log = logging.getLogger("backburner.serve")

MOST_GAMES, MOST_KEPT = 200, 100_000
"""Games that are open at one time, and that the store has in all."""

MOST_LOOKED_AT = 50
"""Games that are over and are kept in memory, as somebody may still look at them."""

NO_LINK = "this link leads to no game, or holds no more: ask whoever sent it for a new one"

MODEL_SECONDS = 120.0
"""So long a model may think about one decision; then the stand-in decides."""


class Admission(Struct, frozen=True):
    """What the bearer of a token may do. ``hosts``: whether the host's messages are taken."""

    game: Game
    link: Link
    hosts: bool


class GameTold(Struct, frozen=True):
    """A game in a list."""

    game: str
    title: str
    scenario: str
    status: Literal["lobby", "playing", "over"]
    steps: int
    why: str


class Games:
    """The games in a folder.

    ``models``: the models that may be seated, by the names that people choose them by; ``client_of`` tells
    where calls go, ``budget`` what they may come to. ``agents``: agents of one's own that may be seated
    beside those of the packs. ``most_games``: how many may be open at one time. ``remote_server``: where
    games are carried out that can be. ``timing``: what thinking costs in games that begin; one that has begun
    keeps its clock.
    """

    def __init__(
        self,
        folder: Path,
        *,
        models: Mapping[str, Endpoint] | None = None,
        client_of: Clients | None = None,
        budget: Budget = NO_END,
        agents: Sequence[str] = (),
        workers: WorkerPool | None = None,
        most_games: int = MOST_GAMES,
        model_seconds: float = MODEL_SECONDS,
        remote_server: RemoteServer | None = None,
        timing: Timing | None = None,
    ) -> None:
        self.folder, self._timing = folder, timing
        self.remote = RemoteGames(remote_server)
        self._players = Players(
            folder,
            self.remote,
            models=models or {},
            client_of=client_of,
            budget=budget,
            agents=agents,
            workers=workers or WorkerPool(),
            model_seconds=model_seconds,
        )
        self._lessons = Lessons()
        self._most_games = most_games
        self._store = Store(folder / STORE)
        self._open: dict[str, Game] = {}
        self._looked_at: OrderedDict[str, Game] = OrderedDict()

    # --- games ------------------------------------------------------------------------------------------

    async def create(self, plan: GamePlan, begun: Begun | None = None) -> Opened:
        """Open a game, which may begin as another did. Raises ``BackburnerError`` for one that cannot be
        played, or not here."""
        if len(self._open) >= self._most_games:
            raise Refused(f"{self._most_games} games are open; more are too many for this server")
        if self._store.count("lobby", "playing", "over", "broken") >= MOST_KEPT:
            raise Refused(f"the store has {MOST_KEPT} games and is full")
        world = await asyncio.to_thread(self._world, plan)  # some scenarios take their time
        players = self._players.of_plan(plan, world)
        await self.remote.check_agreed(plan, world)
        id = secrets.token_hex(8)
        opened = Opened(
            id,
            new_token(),
            {seat: new_token() for seat, wanted in players.items() if wanted.kind == "person"},
            new_token() if plan.watch else "",
        )
        steps = 0 if begun is None else len(begun.episode.entries)
        game = self._made(Kept(id, plan, 0.0, "lobby", "", _since_the_start(players, steps)), world)
        try:
            await game.prepare()
            lines = [] if begun is None else begun.lines(game.players)
            await game.begin_again(lines)
            if len(self._open) >= self._most_games:  # others were opened in the meantime
                raise Refused(f"{self._most_games} games are open; more are too many for this server")
            self._store.add(id, plan, players, _links(opened))
            self._store.begin(
                id, lines, {seat: each for seat, each in players.items() if each.kind == "model"}
            )
        except BaseException:
            self.remote.ended(id)
            raise
        self._open[id] = game
        game.start()
        self.remote.begun(game)
        if begun is not None:
            await game.caught_up.wait()
        return opened

    async def resume(self) -> int:
        """Take up all games that were open when the process ended; returns how many go on."""
        for id in self._store.ids("over"):
            self._finish_files(id)
        for id in self._store.ids("lobby", "playing"):
            await self._take_up(id)
        for game in tuple(self._open.values()):
            if game.playing:
                await game.caught_up.wait()
        return len(self._open)

    def _finish_files(self, id: str) -> None:
        """Do for a game that is over what a process that was killed just then has not done."""
        record, journal = record_file(self.folder, id), journal_file(self.folder, id)
        try:
            if not record.exists():
                write_whole(record, b"".join(self._store.lines(id)))
            if journal.exists() and first_and_last(record)[1].status != FAILED:
                journal.unlink()
        except (BackburnerError, OSError) as error:
            log.warning("game %s: its files stay as they are: %s", id, error)

    async def _take_up(self, id: str) -> None:
        """One that cannot be taken up keeps no other from it."""
        try:
            kept = self._store.game(id)
            game = self._made(kept, self._world(kept.plan))
            if not goes_on(kept, game.world):
                game.leave_off()
            await game.prepare()
            await game.begin_again(self._store.lines(id))
        except PolicyFailure as error:  # an agent that is not there now may be there at the next start
            log.warning("game %s stays where it was: %s", id, error)
        except BackburnerError as error:
            log.warning("game %s: %s", id, error)
            self._store.mark(id, "broken", shorten(str(error), 300))
        except Exception:
            log.exception("game %s stays where it was", id)
        else:
            self._open[id] = game
            game.start()

    async def admit(self, token: str, host: str = "") -> Admission:
        """Whom a token belongs to; ``host``: the host's token as well, if somebody at a seat has it.

        Raises ``Refused`` for a token of no game, and for a game that cannot go on.
        """
        link = self._store.link(token)
        if link is None:
            raise Refused(NO_LINK)
        hosts = link.role == "host" or (bool(host) and self._store.link(host) == Link(link.game, "host", ""))
        return Admission(await self._game(link.game), link, hosts)

    async def _game(self, id: str) -> Game:
        game = self._open.get(id) or self._looked_at.get(id)
        if game is not None:
            return game
        kept = self._store.game(id)
        if kept.status == "broken":
            raise Refused(f"this game cannot go on: {kept.why}")
        world = await asyncio.to_thread(self._world, kept.plan)
        game = self._made(kept, world)
        await game.begin_again(self._store.lines(id))
        self._look_at(game)
        return game

    def _look_at(self, game: Game) -> None:
        self._looked_at[game.id] = game
        for id, other in tuple(self._looked_at.items()):
            if len(self._looked_at) > MOST_LOOKED_AT and not other.pages:
                del self._looked_at[id]

    def games(self) -> tuple[GameTold, ...]:
        """The games that are open."""
        return tuple(
            GameTold(
                game.id,
                game.plan.title or registry.title_of(game.world),
                game.world.id,
                "playing" if game.playing else "over" if game.over else "lobby",
                game.number,
                game.failure,
            )
            for game in self._open.values()
        )

    async def record(self, token: str) -> tuple[str, bytes]:
        """(name of a file, the record): for the host at any time, for a player when the game is over.

        Raises ``Refused`` for everybody else.
        """
        link = self._store.link(token)
        if link is None:
            raise Refused(NO_LINK)
        over = self._store.game(link.game).status == "over"
        if link.role == "onlooker" or (link.role == "player" and not over):
            raise Refused("the record is the host's, and the players' when the game is over")
        return f"{link.game}.jsonl", b"".join(self._store.lines(link.game))

    # --- when a game is over ----------------------------------------------------------------------------

    async def lesson(self, token: str) -> LessonTold:
        """The lesson of a game that is over. Raises ``Refused`` where there is none to be had."""
        link, kept, record = self._over(token, "lesson", "all")
        found = await self._lessons.of(link.game, record)
        again = kept.plan.after == "all" and link.role != "onlooker"
        later = await asyncio.to_thread(following, kept.plan.scenario) if again else ("", "")
        return LessonTold(found.headline("You" if link.role == "player" else "They"), found, again, *later)

    async def again(self, token: str, wanted: Again) -> OpenedAgain:
        """Open a game after another, for whoever has played it or is its host. Raises ``BackburnerError``."""
        link, kept, record = self._over(token, "all")
        if link.role == "onlooker":
            raise Refused("whoever has played may play again")
        plan = plan_after(kept.plan, wanted.scenario)
        begun = None
        if not wanted.scenario and wanted.step:
            if not goes_on(kept, world := await asyncio.to_thread(self._world, plan)):
                raise Refused(
                    f"{world.id} was carried out on a server: it is played again from its beginning only"
                )
            begun = begun_as(link.game, episode_in(record, f"game {link.game}"), wanted.step)
        elif wanted.scenario:
            plan = seated_after(plan, await asyncio.to_thread(self._world, plan))
        opened = await self.create(plan, begun)
        seat = link.seat if link.seat in opened.seats else next(iter(opened.seats), "")
        return OpenedAgain(opened, plan, seat, plan.title or registry.title(plan.scenario))

    def _over(self, token: str, *after: str) -> tuple[Link, Kept, bytes]:
        """A token's game, which is over and whose plan allows this, with its record."""
        link = self._store.link(token)
        if link is None:
            raise Refused(NO_LINK)
        kept = self._store.game(link.game)
        if kept.status != "over" or kept.plan.after not in after:
            raise Refused("that is for games that are over, and not for those of studies")
        return link, kept, b"".join(self._store.lines(link.game))

    async def ghosts(self, token: str) -> tuple[Ghost, ...]:
        """The best earlier play of what is being played, the best that is known, and the greedy agent's.
        Raises ``Refused`` where there are to be none."""
        link = self._store.link(token)
        if link is None:
            raise Refused(NO_LINK)
        plan, lines = self._store.game(link.game).plan, self._store.lines(link.game)
        if not has_ghosts(plan) or not lines:
            raise Refused(
                "there are no ghosts in strict games, in those of studies, and before a game begins"
            )
        found: list[Ghost] = []
        for score, names in self._store.best(plan.scenario, played_by(plan), 0.0, 2):
            if score.game != link.game and not found:
                episode = episode_in(b"".join(self._store.lines(score.game)), f"game {score.game}")
                who = ", ".join(names) or "somebody"
                found.append(Ghost.of(f"The best play here: {who}, {score.told}", episode.events()))
        lesson = await self._lessons.of(f"{plan.scenario} {played_by(plan)} {plan.seed}", lines[0])
        titles = {"best": "The best that is known", "greedy": "The greedy agent"}
        found += [Ghost.of(titles[each.who], each.events) for each in lesson.plays if each.who in titles]
        return tuple(found)

    def knows(self, token: str) -> bool:
        """Whether a token leads to a game."""
        return self._store.link(token) is not None

    def board(self, scenario: str, now: float) -> BoardTold:
        """The best games of a scenario, and of those the ones of the day of ``now``."""
        rules = played_by(GamePlan(scenario))
        today, best = (
            tuple(Row(names, score.told, score.ended) for score, names in self._store.best(*of, ROWS))
            for of in ((scenario, rules, now - now % DAY_SECONDS), (scenario, rules, 0.0))
        )
        return BoardTold(scenario, registry.title(scenario), today, best)

    def _score(self, game: Game, ending: Ending) -> None:
        """A game of people has a place on the boards, unless it was not played from its beginning."""
        replayed = any(REPLAYED in policy.settings for policy in game.seats.values())
        people = any(policy.is_person for policy in game.seats.values())
        if people and not replayed and game.plan.after == "all" and ending.status in ("ended", "cut off"):
            self._store.score(score_of(game.id, game.plan, game.world, game.outcome, time.time()))

    async def forget(self, id: str) -> None:
        """Remove a game and everything that is kept of it; one that is being played is stopped."""
        game = self._open.pop(id, None)
        if game is not None:
            await game.stop()
            self.remote.ended(id)
        self._looked_at.pop(id, None)
        self._lessons.forget(id)
        self._store.remove(id)
        remove_files(self.folder, id)

    def stopping(self) -> None:
        """What only those wait for who are about to be sent away is not worked out any more."""
        self._lessons.give_up()

    async def close(self) -> None:
        """Stop; every game goes on when the server starts again, but those that are carried out elsewhere:
        they end."""
        await self.remote.close()
        for game in tuple(self._open.values()):
            await game.stop()
        await self._players.close()
        await self._lessons.close()
        self._store.close()

    def _made(self, kept: Kept, world: World[Any, Any, Any]) -> Game:
        return Game(kept, world, self._store, self._players, self._ended, self._timing)

    def _ended(self, game: Game) -> None:
        """A game is over, or can go no further: its record is written as a file, too."""
        self._open.pop(game.id, None)
        self.remote.ended(game.id)
        if game.over is not None:
            self._look_at(game)
            self._score(game, game.over)
            try:
                write_whole(record_file(self.folder, game.id), game.record())
            except BackburnerError as error:
                log.warning("game %s: its record stays in the store alone: %s", game.id, error)
        self._players.leave(game)

    def _world(self, plan: GamePlan) -> World[Any, Any, Any]:
        """The world of a plan. Only what is announced: no name leads to a file."""
        name = registry.split(plan.scenario)[0]
        if name not in packs.names():
            raise UnknownName("world", name, packs.names())
        if plan.scenario.endswith(".json") or registry.is_folder(plan.scenario):
            raise Refused("a scenario is named by its id here, not by a file")
        world = registry.world(_scenario(plan.scenario), rules=plan.rules, limits=plan.limits)
        if len(world.seats) > MOST_SEATS:
            raise Refused(f"{world.id} has {len(world.seats)} seats; {MOST_SEATS} are played here at most")
        return world


def _scenario(id: str) -> str:
    """The one scenario that is meant: also where a suite is called as it is. Raises ``Refused``,
    ``UnknownName``."""
    ids = dict.fromkeys(registry.expand(id))
    if len(ids) == 1:
        return next(iter(ids))
    try:
        return registry.world(id).id
    except UnknownName:
        raise Refused(f"{one_line(id)} stands for {len(ids)} scenarios; name one") from None


def _since_the_start(
    players: Mapping[Seat, Wanted], steps: int
) -> dict[Seat, tuple[tuple[int, Wanted], ...]]:
    """Who plays; models know nothing of the ``steps`` with which a game begins as another did."""
    return {seat: ((steps if wanted.kind == "model" else 0, wanted),) for seat, wanted in players.items()}


def _links(opened: Opened) -> dict[str, Link]:
    """What each secret of a new game is for."""
    links = {opened.host: Link(opened.game, "host", "")}
    links |= {token: Link(opened.game, "player", seat) for seat, token in opened.seats.items()}
    if opened.watch:
        links[opened.watch] = Link(opened.game, "onlooker", "")
    return links
