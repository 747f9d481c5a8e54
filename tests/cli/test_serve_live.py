"""``backburner serve --live``: games over the wire that bots carry out, without Node or a server."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from backburner.cli import app
from backburner.kernel.errors import BackburnerError
from backburner.serve.protocol import Move, Over, Told, Turn
from cli.test_serving import PERSON, serving
from support.live.bots import asked_of, bots_in
from support.serve.site import Page, asked

GAME = {"scenario": "minecraft/level_1@live=yes,tau=1.5", "players": {"dispatcher": PERSON}}


def opened(port: int, **more: Any) -> tuple[int, dict[str, Any]]:
    body = json.dumps({**GAME, **more}).encode()
    status, _, text = asked(port, "/api/games", "POST", body, content_type="application/json")
    return status, json.loads(text)


def test_a_game_is_agreed_to_played_and_put_back(tmp_path: Path) -> None:
    bots = bots_in(tmp_path / "bots")
    with serving("--live", f"example.org:25565@node_folder={bots}", cwd=tmp_path) as running:
        offers = json.loads(asked(running.port, "/api/offers")[2])
        assert offers["elsewhere"] == "example.org:25565"
        status, told = opened(running.port)
        assert status == 409 and told["place"] == "example.org:25565" and len(told["changes"]) == 3
        status, game = opened(running.port, agreed=True)
        assert status == 201
        status, told = opened(running.port, agreed=True)
        assert (status, told["error"].partition(",")[0]) == (
            400,
            "a game is being played on example.org:25565",
        )
        with Page(running.port, game["seats"]["dispatcher"]) as page:
            turn = page.until(Turn)
            page.say(Move(1, turn.number, line="goto(alex, sheep)"))
            assert page.until(Told).status == "accepted"
            assert page.until(Turn).number == 2
        code, said = running.end(signal.SIGTERM)
        assert code == 0 and "goes on at the next start" not in said
    assert [line["do"] for line in asked_of(bots)][-2:] == ["restore", "leave"]
    assert len(asked_of(bots, "act")) == 1
    (record,) = (tmp_path / "served" / "games").glob("*.jsonl")
    assert '"interrupted"' in record.read_text()


def test_a_server_that_goes_ends_the_game_and_not_the_site(tmp_path: Path) -> None:
    bots = bots_in(tmp_path / "bots", gone_at=1)
    live = ("--live", f"example.org:25565@agreed=yes,node_folder={bots}")
    with serving(*live, cwd=tmp_path) as running:
        status, game = opened(running.port)
        assert status == 201  # agreed to for all
        with Page(running.port, game["seats"]["dispatcher"]) as page:
            turn = page.until(Turn)
            page.say(Move(1, turn.number, line="goto(alex, sheep)"))
            over = page.until(Over)
            assert over.status == "failed" and over.why.startswith("no Minecraft server answers any more")
        assert asked(running.port, "/api/games")[2] == "[]"
        assert running.end(signal.SIGTERM)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--live", "nowhere"), "--live 'nowhere' is no HOST:PORT"),
        (("--live", "localhost:1@node_folder=."), "live play needs the npm package"),
    ],
)
def test_what_is_wrong_is_told_before_anybody_may_come(
    arguments: tuple[str, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["serve", "--listen", "0", *arguments])
    assert isinstance(done.exception, BackburnerError) and told in str(done.exception)
