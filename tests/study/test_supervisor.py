"""The researcher's page: who may open it, what it shows, and that what the researcher does is in the data."""

from __future__ import annotations

import asyncio
import csv
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from websockets.sync.client import connect

from backburner.kernel.errors import Refused
from backburner.serve import protocol
from backburner.serve.protocol import Closed
from backburner.study import pages, supervision
from backburner.study.export import write_export
from backburner.study.export.data import data_of
from backburner.study.journal import Journal
from backburner.study.participants import Links, TurnedAway
from backburner.study.prose import plain
from backburner.study.supervision import Answered, Drop, Enter, GameShown, Overview, Recruit, Write
from backburner.study.supervisor import Supervisor
from support.serve.site import asked
from support.study.studies import PAIRS, Hall, found
from support.study.tabs import SHORT, Tab, studied


def to_the_games(hall: Hall, pid: str) -> str:
    one = hall.arrive(PID=pid)
    hall.send(one, agreed=True, **{"0": "yes"})
    hall.clock.now += 20
    hall.send(one)
    hall.send(one, goal="b", age=30.0)
    hall.open_games()
    return one


def test_a_message_stays_until_it_is_read_also_when_the_server_was_killed(tmp_path: Path) -> None:
    hall = Hall(tmp_path / "data")
    one, through = to_the_games(hall, "a"), hall.arrive(PID="b")
    hall.send(through)  # declines
    last = hall.conduct.cohort.one(one).last_at
    hall.clock.now += 60
    assert hall.conduct.write("Please\n<b>wait</b>\x1b[2J.") == [one], "to all who are under way"
    hall.conduct.write("Thank you.", one)
    hall.restart()
    page = hall.page(one)
    assert page.messages == ("Please <b>wait</b> [2J.", "Thank you.") and page.message == 2
    assert hall.conduct.cohort.one(one).last_at == last, "being written to is nothing that they have done"
    hall.conduct.have_read(one, 1)
    assert hall.page(one).messages == ("Thank you.",)
    before = len(hall.conduct.journal.lines)
    for number in (1, 3):  # read already, and not written
        hall.conduct.have_read(one, number)
    assert len(hall.conduct.journal.lines) == before
    for text, to in (("  ", one), ("You?", through)):
        with pytest.raises(Refused):
            hall.conduct.write(text, to)


def test_who_is_taken_out_reads_the_end_and_keeps_their_data(tmp_path: Path) -> None:
    hall = Hall(tmp_path / "data", found(ends={"dropped": "read"}))
    one = to_the_games(hall, "a")
    with pytest.raises(Refused, match="a reason is missing"):
        hall.conduct.drop(one, " \n\x1b")
    hall.conduct.drop(one, "came with\na friend\x1b")
    assert [running.people for running in hall.conduct.given_up()] == [{one: "agent"}]
    hall.restart()
    page = hall.page(hall.arrive(PID="a"))
    assert (page.stage, page.name, plain(page.text)) == ("end", "dropped", "Read this.")
    with pytest.raises(Refused, match="has come to an end"):
        hall.conduct.drop(one, "again")
    found_in = tables(hall, tmp_path / "out")
    (row,) = found_in["interventions"]
    assert (row["what"], row["participant"], row["stage"], row["order"], row["text"]) == (
        *("dropped", one, "game", "1"),
        "came with a friend",
    )
    assert [each["end"] for each in found_in["participants"]] == ["dropped"]
    assert [each["detail"] for each in found_in["flow"] if each["step"] == "dropped"] == ["game 1/2"]


def test_recruitment_closes_for_new_people_alone(tmp_path: Path) -> None:
    hall = Hall(tmp_path / "data")
    one = hall.arrive(PID="a")
    hall.conduct.recruit(open=False)
    hall.conduct.recruit(open=False)
    hall.restart()
    assert hall.arrive(PID="a") == one
    with pytest.raises(TurnedAway, match="closed"):
        hall.arrive(PID="b")
    hall.conduct.recruit(open=True)
    assert hall.arrive(PID="b") != one
    assert [row["what"] for row in tables(hall, tmp_path / "out")["interventions"]] == ["closed", "opened"]


def test_a_game_whose_player_is_forgotten_meanwhile_is_not_shown(tmp_path: Path) -> None:
    hall = Hall(tmp_path / "data")
    one = to_the_games(hall, "a")
    (running,) = hall.conduct.running()

    class Slow:
        async def admit(self, token: str) -> Any:
            hall.conduct.forget(one, "withdrawn")
            return SimpleNamespace(game=None)

    slow: Any = Slow()
    assert asyncio.run(Supervisor(hall.conduct, slow, {}, lambda: None)._game(running)) is None


def tables(hall: Hall, to: Path) -> dict[str, list[dict[str, str]]]:
    write_export(data_of(hall.folder), to, ["csv"])
    return {file.stem: list(csv.DictReader(file.open(encoding="utf-8"))) for file in to.glob("*.csv")}


# --- over the wire ----------------------------------------------------------------------------------------

_read: Any = msgspec.json.Decoder(supervision.FromServer).decode


class Desk:
    """The researcher's page."""

    def __init__(self, port: int, token: str, name: str = "pairs") -> None:
        self.open = ExitStack()
        self.game: GameShown | None = None
        self.socket = self.open.enter_context(
            connect(f"ws://127.0.0.1:{port}/researcher/{name}/ws", max_size=None)
        )
        self.say(Enter(token))

    def say(self, message: supervision.FromPage) -> None:
        self.socket.send(msgspec.json.encode(message).decode())

    def hear(self, kind: type[Any]) -> Any:
        """The next message of a kind; the newest game is kept, which is told once."""
        for _ in range(200):
            message = _read(self.socket.recv(timeout=60))
            if isinstance(message, GameShown):
                self.game = message
            if isinstance(message, kind):
                return message
        raise AssertionError(f"no {kind.__name__}")

    def until(self, fits: Any) -> Overview:
        """The first overview that fits."""
        for _ in range(60):  # one a second
            overview: Overview = self.hear(Overview)
            if fits(overview):
                return overview
        raise AssertionError(overview)


def test_the_researchers_link_opens_one_page_and_no_other_link_does(tmp_path: Path) -> None:
    with studied(tmp_path / "d", found(**PAIRS)) as port:
        links = Links(Journal(tmp_path / "d").secret())
        tab = Tab(port, "pairs", PID="a")
        theirs = tab.hear(pages.Admitted).token
        for token in ("", theirs, links.invitation(1), links.researcher()[:-1], "é" * 22):
            why = Desk(port, token).hear(Closed).why
            assert "not the researcher's link" in why and links.researcher() not in why
        assert Desk(port, links.researcher()).hear(Overview).people[0].participant == theirs.partition(".")[0]
        stranger = Tab(port, "pairs", token=links.researcher())  # the browser of no participant
        assert stranger.hear(pages.Admitted).token.partition(".")[0] != theirs.partition(".")[0]
        for address, status in (("/researcher/pairs", 200), ("/researcher/other", 404)):
            assert asked(port, address)[0] == status


def test_the_page_shows_who_is_where_and_the_games_and_what_is_done_reaches_people(tmp_path: Path) -> None:
    soon = {"groups": {"waiting_seconds": 100.0, "absent_seconds": 0.5}}
    with studied(tmp_path / "d", found(**{**PAIRS, **SHORT, **soon})) as port:
        one, two = Tab(port, "pairs", PID="a"), Tab(port, "pairs", PID="b")
        desk = Desk(port, Links(Journal(tmp_path / "d").secret()).researcher())
        ids = [tab.hear(pages.Admitted).token.partition(".")[0] for tab in (one, two)]
        one.agree()
        desk.until(lambda told: [each.waits for each in told.people].count(True) == 1)
        two.agree()
        games = [tab.hear(pages.StageTold, stage="play").game for tab in (one, two)]
        one.say(pages.Ping(0.25, away=True))
        overview = desk.until(lambda told: len(told.games) == 1 and any(each.away for each in told.people))
        first, second = (next(each for each in overview.people if each.participant == id) for id in ids)
        assert (first.part, first.position, first.parts, first.pages) == ("game 1/2", 3, 7, 1)
        assert (first.away, first.round_trip, second.round_trip) == (True, 0.25, None)
        assert ("allocated", "2") in overview.flow
        game = desk.game or desk.hear(GameShown)
        assert set(game.people) == {"chef", "assistant"} and set(game.people.values()) == set(ids)
        assert game.frame.number == 0 and [seat.present for seat in game.seats] == [False, False]
        with ExitStack() as there:
            address = f"ws://127.0.0.1:{port}/ws"
            seats = {game.seat: there.enter_context(connect(address, max_size=None)) for game in games}
            for game in games:
                seats[game.seat].send(protocol.written(protocol.Hello(game.token)))
            while not isinstance(frame := protocol.told(seats["chef"].recv(timeout=60)), protocol.Frame):
                pass
            gone = frame.deciding[0]
            seats[gone].close()  # who is asked goes away, and the other one is waited for
            told = desk.until(lambda told: any(each.stands_in for each in told.people))
            assert {each.participant: each.stands_in for each in told.people} == {
                id: "random" if game.seat == gone else "" for id, game in zip(ids, games, strict=True)
            }

        desk.say(Write("Nearly done.", ids[0]))
        assert desk.hear(Answered).words == f"The message is shown to {ids[0]}."
        assert one.hear(pages.StageTold, message=1).messages == ("Nearly done.",)
        one.say(pages.Read(1))
        one.hear(pages.StageTold, messages=())
        desk.say(Drop(ids[1], "asked to go"))
        assert two.hear(pages.StageTold, stage="end").name == "dropped"
        desk.say(Drop("nobody", "?"))
        while not (answer := desk.hear(Answered)).wrong:
            pass
        assert answer.words == "no participant nobody"
        desk.say(Recruit(False))
        desk.until(lambda told: told.closed and [each.ended for each in told.people] == ["", "dropped"])
        assert "at present" in Tab(port, "pairs", PID="c").hear(pages.TurnedAway).why
