"""Studies on a real server: participants over WebSockets, a browser, strangers, two tabs, deletion."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from pathlib import Path

import pytest
from msgspec import structs
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from backburner.serve import protocol
from backburner.serve.protocol import Closed
from backburner.serve.store import Store
from backburner.study import pages
from backburner.study.export import write_export
from backburner.study.export.data import data_of
from backburner.study.media import Media
from backburner.study.personas import Persona, truth_of
from backburner.study.pilot import TRUTH, rehearse, without_models
from backburner.study.prose import plain
from backburner.study.site import models_of
from support.serve.site import Page, asked
from support.study.studies import PAIRS, found
from support.study.tabs import SHORT, Tab, studied


def test_a_whole_study_over_the_wire_and_its_truth(tmp_path: Path) -> None:
    study = found(**SHORT).study
    ends = rehearse(study, tmp_path / "pilot", 4, browser=False, together=4)
    assert ends == {"complete": 4}
    write_export(data_of(tmp_path / "pilot"), tmp_path / "out", ["csv"])
    rows = (tmp_path / "out" / "participants.csv").read_text().splitlines()
    assert len(rows) == 5
    assert all(",finished," in row and row.endswith(",true") for row in rows[1:])
    assert len(list((tmp_path / "out" / "records").iterdir())) == 8
    truth = json.loads((tmp_path / "pilot" / TRUTH).read_text())
    assert truth["differ"] == ["fun"]
    assert truth["means"]["fun"] == {"plain": 2.2, "other": 3.8}
    assert truth["means"]["ease"] == {"plain": 3.0, "other": 3.0}


def test_ratings_of_personas_come_out_as_their_truth_says() -> None:
    """With 400 people the mean of ratings lies within 0.15 of the truth, where the scale cuts little off."""
    study = found().study
    truth = truth_of(study)
    item = study.questionnaire("after").items[0]
    for condition, mean in truth.means["fun"].items():
        ratings = [Persona(study, truth, number)._rating(item, condition) for number in range(400)]  # type: ignore[arg-type]
        assert abs(sum(ratings) / 400 - mean) < 0.15


def test_two_people_in_a_game_and_a_server_that_is_started_again(tmp_path: Path) -> None:
    study = found(**{**PAIRS, **SHORT})
    with studied(tmp_path / "d", study) as port:
        one, two = Tab(port, "pairs", PID="a"), Tab(port, "pairs", PID="b")
        one.hear(pages.StageTold, stage="consent")
        one.agree()
        waiting = one.hear(pages.StageTold, stage="wait").waiting
        assert (waiting.present, waiting.needed) == (1, 2)
        two.agree()
        games = [tab.hear(pages.StageTold, stage="play").game for tab in (one, two)]
        assert {game.seat for game in games} == {"chef", "assistant"}
        assert games[0].token != games[1].token
    with studied(tmp_path / "d", study) as port:
        again = Tab(port, "pairs", PID="a")
        assert again.hear(pages.StageTold).game == games[0]
        with connect(f"ws://127.0.0.1:{port}/ws", max_size=None) as seat:
            seat.send(protocol.written(protocol.Hello(games[0].token)))
            welcome = protocol.told(seat.recv(timeout=60))
            assert isinstance(welcome, protocol.Welcome)
            assert welcome.seat == games[0].seat


def test_two_tabs_show_the_same_and_what_one_sends_twice_counts_once(tmp_path: Path) -> None:
    with studied(tmp_path / "d", found()) as port:
        one, two = Tab(port, PID="a"), Tab(port, PID="a")
        assert one.hear(pages.Admitted) == two.hear(pages.Admitted)
        for tab in (one, two, one):
            tab.agree()
        for tab in (one, two):
            assert tab.hear(pages.StageTold, stage="text").position == 1
        one.say(pages.Speak("ar"))
        assert two.hear(pages.WordsTold, language="ar").direction == "rtl"
    assert len(list((tmp_path / "d" / "kept").glob("p*.jsonl"))) == 1


def test_each_answer_shows_the_page_once(tmp_path: Path) -> None:
    with studied(tmp_path / "d", found()) as port:
        tab = Tab(port, PID="a")
        tab.hear(pages.StageTold, stage="consent")
        tab.agree()
        tab.hear(pages.StageTold, stage="text")
        tab.agree()  # once more, of a stage that is done: it is answered, and changes nothing
        assert tab.hear(pages.StageTold, stage="text").position == 1
        with pytest.raises(TimeoutError):
            tab.socket.recv(timeout=1)


def test_a_slow_disk_stops_nobody_and_nobody_is_told_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with studied(tmp_path / "d", found()) as port:
        tab = Tab(port, PID="a")
        tab.hear(pages.StageTold, stage="consent")
        opened, fsync = threading.Event(), os.fsync
        monkeypatch.setattr(os, "fsync", lambda file: (opened.wait(20), fsync(file))[1])
        tab.agree()
        try:
            with pytest.raises(TimeoutError):
                tab.socket.recv(timeout=1)
            assert asked(port, "/study/small")[0] == 200
        finally:
            opened.set()
        assert tab.hear(pages.StageTold, stage="text").position == 1


@pytest.mark.parametrize(
    "message",
    ["", "[]", "{}", '{"kind":"send","position":0}', '{"kind":"arrive","parameters":{"a":1}}', "{" * 3000],
)
def test_strangers_messages_close_their_own_connection_alone(tmp_path: Path, message: str) -> None:
    with studied(tmp_path / "d", found()) as port:
        with connect(f"ws://127.0.0.1:{port}/study/small/ws") as socket:
            socket.send(message)
            closed = pages.told(socket.recv(timeout=60))
            assert isinstance(closed, protocol.Closed)
            with pytest.raises(ConnectionClosed):
                socket.recv(timeout=60)
        Tab(port, PID="a").hear(pages.StageTold, stage="consent")


def test_a_foreign_token_opens_nobody_elses_study(tmp_path: Path) -> None:
    with studied(tmp_path / "d", found()) as port:
        token = Tab(port, PID="a").hear(pages.Admitted).token
        id = token.partition(".")[0]
        assert Tab(port, token=token).hear(pages.Admitted).token == token
        for guess in (id, f"{id}.", f"{id}.AAAAAAAAAAAAAAAAAAAAAA", "../../etc"):
            assert Tab(port, token=guess).hear(pages.Admitted).token != token


def test_one_language_after_another_does_not_fill_the_journal(tmp_path: Path) -> None:
    """Each change is an entry on disk, and a journal that has grown too long is not read again."""
    study = found(**SHORT)
    languages = study.study.languages
    assert len(languages) > 1
    with studied(tmp_path / "d", study) as port:
        for _ in range(3):  # a new page is no new beginning
            tab = Tab(port, PID="a")
            tab.hear(pages.StageTold, stage="consent")
            with pytest.raises(ConnectionClosed):
                for number in range(50):
                    tab.say(pages.Speak(languages[number % 2]))
                tab.hear(Closed, why="the language was changed too often; wait a little")
                tab.hear(pages.Pong)
    assert len((tmp_path / "d" / "journal.jsonl").read_bytes().splitlines()) < 30


def test_who_plays_alone_finds_the_game_as_they_left_it(tmp_path: Path) -> None:
    """Nobody waits for them: a stand-in would play their whole game while they look for their glasses."""
    study = found(**SHORT, groups={"absent_seconds": 0.2})
    with studied(tmp_path / "d", study) as port:
        tab = Tab(port, PID="a")
        tab.agree()
        game = tab.hear(pages.StageTold, stage="play", name="game").game
        while game is None:
            game = tab.hear(pages.StageTold, stage="play").game
        with Page(port, game.token) as page:
            first = page.until(protocol.Turn)
        tab.open.close()
        time.sleep(2)
        with Page(port, game.token) as page:
            again = page.until(protocol.Turn)
        assert (again.number, again.state) == (first.number, first.state)


def test_participants_open_no_games_and_find_no_other_study(tmp_path: Path) -> None:
    with studied(tmp_path / "d", found()) as port:
        assert asked(port, "/study/small")[0] == 200
        assert asked(port, "/study/other")[0] == 404
        assert asked(port, "/study/..%2f..%2fetc")[0] == 404
        body = json.dumps({"scenario": "timearena/cooking1"}).encode()
        assert asked(port, "/api/games", "POST", body, content_type="application/json")[0] == 401
        with pytest.raises(Exception, match=r"4404|403|404"):
            connect(f"ws://127.0.0.1:{port}/study/other/ws").recv(timeout=60)


def test_pictures_of_the_texts_are_served_and_nothing_else_of_the_folder(tmp_path: Path) -> None:
    file = tmp_path / "pot.gif"
    file.write_bytes(b"GIF89a rest")
    study = structs.replace(found(), media={"pot.gif": Media(file, "image/gif", "")})
    with studied(tmp_path / "d", study) as port:
        status, headers, text = asked(port, "/study/small/media/pot.gif")
        assert (status, headers["content-type"], headers["x-content-type-options"]) == (
            200,
            "image/gif",
            "nosniff",
        )
        assert text.endswith("rest")
        for other in ("secret", "..%2fsecret", "d%2fsecret", "journal.jsonl", ""):
            assert asked(port, f"/study/small/media/{other}")[0] == 404
        assert asked(port, "/study/other/media/pot.gif")[0] == 404


def test_who_stops_and_wants_it_leaves_nothing_behind(tmp_path: Path) -> None:
    with studied(tmp_path / "d", found(**SHORT)) as port:
        tab = Tab(port, PID="regrets-it")
        tab.agree()
        game = tab.hear(pages.StageTold, stage="play").game
        tab.say(pages.Stop(delete=True))
        assert "deleted" in plain(tab.hear(pages.StageTold, stage="end").text)
        other = Tab(port, PID="other")
        other.agree()
        other.hear(pages.StageTold, stage="play")  # by now the site has looked again
    everything = b"".join(file.read_bytes() for file in (tmp_path / "d").rglob("*") if file.is_file())
    assert b"regrets-it" not in everything
    store = Store(tmp_path / "d" / "games.sqlite")
    assert store.link(game.token) is None
    store.close()


def test_models_of_the_file_are_seated_by_name_and_a_rehearsal_asks_none() -> None:
    player = {"agent": "act", "model": "some-model", "base_url": "http://localhost:1/v1"}
    conditions = [{"name": "pair", "seats": {"chef": "person", "*": player}}]
    study = found(**(PAIRS | {"conditions": conditions})).study
    (entry,) = models_of(study, ())
    assert (entry.name, entry.model) == ("some-model at http://localhost:1/v1", "some-model")
    assert not models_of(without_models(study), ())


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no Chromium here")
def test_a_participants_whole_study_in_a_real_browser(tmp_path: Path) -> None:
    pytest.importorskip("playwright")
    pictures = tmp_path / "pictures"
    study = found(**SHORT, play={"lessons": True}).study
    ends = rehearse(study, tmp_path / "pilot", 1, browser=True, together=1, pictures=pictures)
    assert ends == {"complete": 1}
    stages = {"consent", "play", "form", "end"}
    assert {file.stem.rpartition("-")[2] for file in pictures.iterdir()} >= stages
    data = data_of(tmp_path / "pilot")
    (one,) = data.people
    assert one.ended is not None and one.ended.status == "complete"
    assert len(data.episodes(one)) == 2
    assert all(played.own.stood_in == 0 for _, _, played in data.episodes(one))
