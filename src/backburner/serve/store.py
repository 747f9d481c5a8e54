"""The store of all games: one SQLite file. What it does not hold has not happened. Files of games beside it.

A line of a record is in the store before anybody is shown what it says, and an answer of a person before they
are told that it is taken. A process that is killed loses nothing of that, whenever it is; where the whole
machine loses its power, the last moments may be lost, and what is left is whole (SQLite's write-ahead log,
``synchronous=NORMAL``). Of the secrets of links the store knows no more than SHA-256.
"""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from backburner.kernel.episode import Answer
from backburner.kernel.errors import BadFile, Refused
from backburner.kernel.files import check_destination
from backburner.kernel.values import Seat, Usage
from backburner.serve.protocol import GamePlan, Wanted

Status = Literal["lobby", "playing", "over", "broken"]
"""Waiting for people; being played; finished, with its ending; its record cannot be played again."""

Role = Literal["player", "host", "onlooker"]

STORE, GAMES = "games.sqlite", "games"
"""The store in the folder of a site, and the folder beside it with the files of each game."""

LAYOUT = 1
"""Raised when tables change; a store of another layout is not opened."""

TABLES = """
create table game (
  id text primary key, plan blob not null, opened real not null, status text not null, why text not null
) without rowid;
create table player (
  game text not null, seat text not null, since integer not null, wanted blob not null,
  primary key (game, seat, since)
) without rowid;
create table person (
  game text not null, seat text not null, name text not null, away integer not null, primary key (game, seat)
) without rowid;
create table link (
  hash blob primary key, game text not null, role text not null, seat text not null
) without rowid;
create index link_of on link (game, role, seat);
create table line (
  game text not null, number integer not null, line blob not null, primary key (game, number)
) without rowid;
create table answer (
  game text not null, seat text not null, step integer not null, answer blob not null,
  primary key (game, seat)
) without rowid;
"""

BOARDS = """
create table if not exists score (
  game text primary key, scenario text not null, played text not null, ended real not null,
  worth real not null, told text not null
) without rowid;
create index if not exists score_of on score (scenario, played, worth);
"""
"""What came to the layout later, and is of no use to who does not know it."""


class Score(Struct, frozen=True):
    """What a game has come to. ``played``: the rules and limits; ``worth``: the more the better; ``told``: in
    words. ``ended``: seconds since 1970."""

    game: str
    scenario: str
    played: str
    ended: float
    worth: float
    told: str


class Given(Struct, frozen=True):
    """What a person has done in a step that is not over: lines that were explained, and the answer, if it is
    there, with what it cost."""

    slips: tuple[str, ...] = ()
    answer: Answer | None = None
    usage: Usage | None = None


class Kept(Struct, frozen=True):
    """A game as the store has it. ``players``: by seat, who has played it since which step."""

    id: str
    plan: GamePlan
    opened: float
    status: Status
    why: str
    players: Mapping[Seat, tuple[tuple[int, Wanted], ...]]


class Link(Struct, frozen=True):
    """What a token lets its bearer do: play a seat, or (no seat) host or watch a game."""

    game: str
    role: Role
    seat: Seat


class Person(Struct, frozen=True):
    """What a person is called, and whether they have left their seat to the stand-in."""

    name: str = ""
    away: bool = False


_plan_in = msgspec.json.Decoder(GamePlan).decode
_wanted_in = msgspec.json.Decoder(Wanted).decode
_given_in = msgspec.json.Decoder(Given).decode
_written = msgspec.json.encode


def new_token() -> str:
    """The secret of a link: 128 random bits."""
    return secrets.token_urlsafe(16)


def hash_of(token: str) -> bytes:
    """What the store keeps of a token, without salt, as ``new_token`` cannot be guessed."""
    return sha256(token.encode("utf-8", "replace")).digest()


def record_file(folder: Path, id: str) -> Path:
    """The record of a game that is over."""
    return folder / GAMES / f"{id}.jsonl"


def journal_file(folder: Path, id: str) -> Path:
    """What models were asked in a game, while it is played."""
    return folder / GAMES / f"{id}.calls"


def remove_files(folder: Path, id: str) -> None:
    """Remove what there is of a game beside the store."""
    for file in (record_file(folder, id), journal_file(folder, id)):
        file.unlink(missing_ok=True)


class Store:
    """The games in a folder. One process at a time has it open.

    Raises ``BadFile`` for a file that is no store, or one of another layout, or that cannot be written, and
    ``Refused`` if another process has it.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        check_destination(file)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(file, isolation_level=None, timeout=0.5, cached_statements=64)
            self._open()
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise Refused(f"{file}: another process has it open") from error
            raise BadFile(file, "", str(error)) from error
        except sqlite3.DatabaseError as error:
            raise BadFile(file, "", str(error)) from error
        except OSError as error:
            raise BadFile(file, "", error.strerror or str(error)) from error

    def _open(self) -> None:
        db = self._db
        db.execute("pragma locking_mode = exclusive")
        db.execute("pragma journal_mode = wal")
        db.execute("pragma synchronous = normal")
        db.execute("pragma secure_delete = on")  # overwritten, in every build of SQLite
        db.execute("begin immediate")
        (layout,) = db.execute("pragma user_version").fetchone()
        (tables,) = db.execute("select count(*) from sqlite_master").fetchone()
        if layout == 0 and not tables:
            for statement in filter(str.strip, TABLES.split(";")):
                db.execute(statement)
            db.execute(f"pragma user_version = {LAYOUT}")
        if layout in (0, LAYOUT):
            for statement in filter(str.strip, BOARDS.split(";")):
                db.execute(statement)
        db.execute("commit")
        if layout not in (0, LAYOUT) or (layout == 0 and tables):
            raise BadFile(self.file, "", f"is no store of games of layout {LAYOUT}")

    def close(self) -> None:
        """Let another process have it."""
        self._db.close()

    @contextmanager
    def _together(self) -> Iterator[None]:
        """All of it or nothing."""
        self._db.execute("begin immediate")
        try:
            yield
        except BaseException:
            self._db.execute("rollback")
            raise
        self._db.execute("commit")

    # --- games ------------------------------------------------------------------------------------------

    def add(self, id: str, plan: GamePlan, players: Mapping[Seat, Wanted], links: Mapping[str, Link]) -> None:
        """A new game, with the tokens of its links."""
        with self._together():
            row = (id, _written(plan), time.time(), "lobby", "")
            self._db.execute("insert into game values (?, ?, ?, ?, ?)", row)
            for seat, wanted in players.items():
                self._db.execute("insert into player values (?, ?, 0, ?)", (id, seat, _written(wanted)))
            for token, link in links.items():
                self._link(token, link)

    def begin(self, id: str, lines: Sequence[bytes], models: Mapping[Seat, Wanted]) -> None:
        """A new game begins with these lines of a record; ``models`` play from the first step behind them."""
        for number, line in enumerate(lines):
            self.append(id, number, line, "playing" if number == 0 else None, ())
        for seat, wanted in models.items() if lines else ():
            self.replace(id, seat, len(lines) - 1, wanted)

    def ids(self, *statuses: Status) -> tuple[str, ...]:
        """The games of these statuses, the oldest first."""
        marks = ", ".join("?" * len(statuses))
        sql = f"select id from game where status in ({marks}) order by opened, id"  # noqa: S608
        return tuple(id for (id,) in self._db.execute(sql, statuses).fetchall())

    def count(self, *statuses: Status) -> int:
        """How many games there are of these statuses."""
        marks = ", ".join("?" * len(statuses))
        sql = f"select count(*) from game where status in ({marks})"  # noqa: S608
        (number,) = self._db.execute(sql, statuses).fetchone()
        return int(number)

    def game(self, id: str) -> Kept:
        """One game; raises ``Refused`` if there is none of this id, ``BadFile`` if it cannot be read."""
        row = self._db.execute("select plan, opened, status, why from game where id = ?", (id,)).fetchone()
        if row is None:
            raise Refused("there is no such game")
        plan, opened, status, why = row
        players: dict[Seat, list[tuple[int, Wanted]]] = {}
        rows = self._db.execute("select seat, since, wanted from player where game = ? order by since", (id,))
        try:
            for seat, since, wanted in rows:
                players.setdefault(seat, []).append((since, _wanted_in(wanted)))
            by_seat = {seat: tuple(has_played) for seat, has_played in players.items()}
            return Kept(id, _plan_in(plan), opened, status, why, by_seat)
        except msgspec.DecodeError as error:  # of another version of the program
            raise BadFile(self.file, f"game {id}", str(error)) from error

    def mark(self, id: str, status: Status, why: str = "") -> None:
        """Note how a game stands."""
        self._db.execute("update game set status = ?, why = ? where id = ?", (status, why, id))

    # --- players and links ------------------------------------------------------------------------------

    def replace(self, id: str, seat: Seat, since: int, wanted: Wanted, token: str = "") -> None:
        """Another player has the seat from a step on; the links to it hold no more, and ``token`` does."""
        with self._together():
            self._db.execute(
                "insert or replace into player values (?, ?, ?, ?)", (id, seat, since, _written(wanted))
            )
            self._db.execute("delete from person where game = ? and seat = ?", (id, seat))
            self._db.execute("delete from answer where game = ? and seat = ?", (id, seat))
            self._unlink(id, "player", seat)
            if token:
                self._link(token, Link(id, "player", seat))

    def renew(self, link: Link, token: str) -> None:
        """A new token in place of those that there are for the same."""
        with self._together():
            self._unlink(link.game, link.role, link.seat)
            self._link(token, link)

    def _link(self, token: str, link: Link) -> None:
        row = (hash_of(token), link.game, link.role, link.seat)
        self._db.execute("insert into link values (?, ?, ?, ?)", row)

    def _unlink(self, id: str, role: Role, seat: Seat) -> None:
        self._db.execute("delete from link where game = ? and role = ? and seat = ?", (id, role, seat))

    def link(self, token: str) -> Link | None:
        """What a token is for."""
        row = self._db.execute("select game, role, seat from link where hash = ?", (hash_of(token),))
        found = row.fetchone()
        return None if found is None else Link(*found)

    def person(self, id: str, seat: Seat) -> Person:
        """The person at a seat, as far as they have told."""
        row = self._db.execute("select name, away from person where game = ? and seat = ?", (id, seat))
        found = row.fetchone()
        return Person() if found is None else Person(found[0], bool(found[1]))

    def met(self, id: str) -> set[Seat]:
        """The seats whose person has come at least once."""
        return {row[0] for row in self._db.execute("select seat from person where game = ?", (id,))}

    def meet(self, id: str, seat: Seat, person: Person) -> None:
        """Keep what a person is called and whether they have left."""
        row = (id, seat, person.name, int(person.away))
        self._db.execute("insert or replace into person values (?, ?, ?, ?)", row)

    # --- what is played ---------------------------------------------------------------------------------

    def give(self, id: str, seat: Seat, step: int, given: Given) -> None:
        """Keep what a person has done in a step that is not over."""
        row = (id, seat, step, _written(given))
        self._db.execute("insert or replace into answer values (?, ?, ?, ?)", row)

    def given(self, id: str) -> dict[Seat, tuple[int, Given]]:
        """By seat, the step that somebody has done something in, and what."""
        rows = self._db.execute("select seat, step, answer from answer where game = ?", (id,))
        return {seat: (step, _given_in(answer)) for seat, step, answer in rows}

    def append(
        self,
        id: str,
        number: int,
        line: bytes,
        status: Status | None = None,
        seats: Iterable[Seat] | None = None,
    ) -> None:
        """The next line of a record; it is kept when this returns. What was done for it at these seats
        (``None``: at any) is in it now."""
        with self._together():
            self._db.execute("insert into line values (?, ?, ?)", (id, number, line))
            if seats is None:
                self._db.execute("delete from answer where game = ?", (id,))
            else:
                done = [(id, seat) for seat in seats]
                self._db.executemany("delete from answer where game = ? and seat = ?", done)
            if status is not None:
                self._db.execute("update game set status = ? where id = ?", (status, id))

    def lines(self, id: str) -> list[bytes]:
        """The lines of a record, in order."""
        rows: Iterable[tuple[bytes]] = self._db.execute(
            "select line from line where game = ? order by number", (id,)
        )
        return [line for (line,) in rows]

    # --- boards -----------------------------------------------------------------------------------------

    def score(self, score: Score) -> None:
        """Keep what a game has come to."""
        self._db.execute("insert or replace into score values (?, ?, ?, ?, ?, ?)", astuple(score))

    def best(
        self, scenario: str, played: str, since: float, most: int
    ) -> list[tuple[Score, tuple[str, ...]]]:
        """The best games of a scenario since a time, with the names that people gave."""
        rows = self._db.execute(
            "select * from score where scenario = ? and played = ? and ended >= ? "
            "order by worth desc, ended limit ?",
            (scenario, played, since, most),
        ).fetchall()
        return [(Score(*row), self._names(row[0])) for row in rows]

    def _names(self, id: str) -> tuple[str, ...]:
        rows = self._db.execute("select name from person where game = ? and name != '' order by seat", (id,))
        return tuple(name for (name,) in rows)

    def remove(self, id: str) -> None:
        """Forget a game, its record and everybody in it."""
        with self._together():
            for table, column in (
                ("game", "id"),
                *((table, "game") for table in ("player", "person", "link", "line", "answer", "score")),
            ):
                self._db.execute(f"delete from {table} where {column} = ?", (id,))  # noqa: S608
        self._db.execute("pragma wal_checkpoint(truncate)")  # the log has it until then
