"""The whole site over the wire: choosing, opening, playing to the end, watching, the record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from backburner.cli.listening import Listening, Room
from backburner.kernel import packs
from backburner.kernel.claims import check
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import UnknownName
from backburner.serve.app import pages
from backburner.serve.connections import Bounds
from backburner.serve.protocol import Frame, Move, Over, Turn, Welcome
from support.serve.site import Page, asked, opened, site

PERSON = {"kind": "person", "name": "Ann"}
GREEDY = {"kind": "agent", "name": "greedy"}
COOKS = "collab_overcooked/boiled_egg"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with site(tmp_path_factory.mktemp("games")) as port:
        yield port


def test_what_may_be_chosen(port: int) -> None:
    status, headers, text = asked(port, "/api/offers")
    offers = json.loads(text)
    assert status == 200 and headers["cache-control"] == "no-store"
    assert {world["name"] for world in offers["worlds"]} >= set(packs.names())
    assert offers["guarded"] is False and offers["watch"] == ""
    assert offers["methods"][0]["name"] == "act"
    suite = offers["worlds"][0]["suites"][0]
    ids = json.loads(asked(port, f"/api/scenarios?suite={suite['id']}")[2])
    assert len(ids) == suite["scenarios"]
    assert ids[0]["title"] == "Kitchen 0: salmon meatcake · pace 1.0"
    scenario = json.loads(asked(port, f"/api/scenario?id={ids[0]['name']}")[2])
    assert scenario["id"] == ids[0]["name"] and scenario["seats"]


@pytest.mark.parametrize("address", ["/", "/play", "/watch", "/host"])
def test_pages_are_one_page_that_loads_from_here_alone(port: int, address: str) -> None:
    status, headers, text = asked(port, address)
    assert status == 200 and headers["content-type"].startswith("text/html")
    assert "://" not in text.replace("http://www.w3.org/2000/svg", "")


def test_assets_are_a_fixed_list_that_browsers_keep(port: int) -> None:
    for name, page in pages().items():
        status, headers, _ = asked(port, f"/assets/{name}")
        assert (status, headers["content-type"], headers["etag"]) == (200, page.type, page.etag)
        assert asked(port, f"/assets/{name}", if_none_match=page.etag)[0] == 304
    status, headers, _ = asked(port, "/assets/client.js", accept_encoding="gzip, br", method="HEAD")
    assert status == 200 and headers["content-encoding"] == "gzip"


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../app.py",
        "/assets/..%2fapp.py",
        "/assets/%2e%2e/%2e%2e/app.py",
        "/assets//etc/passwd",
        "/assets/....//app.py",
        "/assets/client.js%00.html",
        "/assets/",
        "/../../etc/passwd",
        "//evil.example/",
        "/.git/config",
        "/api/",
        "/%ff%fe",
    ],
)
def test_no_path_leads_out_of_the_list(port: int, path: str) -> None:
    status, _, text = asked(port, path)
    assert status in (400, 404) and "import" not in text and "root:" not in text


def test_a_game_is_played_to_its_end_and_its_record_holds(port: int, tmp_path: Path) -> None:
    game = opened(port, "timearena/household1", {"agent": PERSON})
    assert set(game["seats"]) == {"agent"} and game["host"] and game["watch"]
    with Page(port, game["seats"]["agent"]) as page, Page(port, game["watch"]) as onlooker:
        assert page.until(Welcome).seat == "agent"
        assert onlooker.until(Welcome).role == "onlooker"
        moves = 0
        while True:
            turn = page.until(Turn | Over)
            if isinstance(turn, Over):
                break
            moves += 1
            acting = [index for index, option in enumerate(turn.options) if not option.passes]
            page.say(Move(moves, turn.number, option=(acting or [0])[0]))
        assert turn.reason == "completed" and turn.record
        assert onlooker.until(Over).numbers == turn.numbers
    frames = [message.number for message in page.heard if isinstance(message, Frame)]
    assert frames == sorted(set(frames)) and frames[-1] == moves

    for token in (game["seats"]["agent"], game["host"]):
        status, headers, text = asked(port, "/api/record", authorization=f"Bearer {token}")
        assert status == 200 and headers["content-disposition"].startswith('attachment; filename="')
        file = tmp_path / "record.jsonl"
        file.write_text(text)
        assert check(read_episode(file)) == moves
    assert asked(port, "/api/record", authorization=f"Bearer {game['watch']}")[0] == 403


def test_a_person_and_an_agent_play_together(port: int) -> None:
    game = opened(port, COOKS, {"chef": PERSON, "assistant": GREEDY}, limits="article")
    with Page(port, game["seats"]["chef"]) as page:
        welcome = page.until(Welcome)
        assert [seat.kind for seat in welcome.seats] == ["person", "agent"]
        for number in range(1, 4):
            turn = page.until(Turn)
            page.say(Move(number, turn.number, option=0))
        assert page.until(Frame).number >= 1


def test_games_are_listed_without_a_secret(port: int) -> None:
    game = opened(port, COOKS, {"chef": PERSON, "assistant": PERSON}, title="Two cooks")
    _, _, text = asked(port, "/api/games")
    (listed,) = [each for each in json.loads(text) if each["game"] == game["game"]]
    assert listed["title"] == "Two cooks" and listed["status"] == "lobby"
    assert not any(token in text for token in (game["host"], game["watch"], *game["seats"].values()))


RUNS = "formalise@allow_solver_code=yes,target=minizinc"


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ({"scenario": "timearena/cooking99"}, "did you mean"),
        ({"scenario": "../etc/passwd"}, "unknown world"),
        ({"scenario": "timearena/singles"}, "30 scenarios"),
        ({"scenario": COOKS, "players": {"cook": PERSON}}, "known: chef, assistant"),
        ({"scenario": COOKS, "players": {"chef": {"kind": "agent", "name": "os:system"}}}, "unknown agent"),
        (
            {"scenario": COOKS, "players": {"chef": {"kind": "agent", "name": "replay:/etc/passwd"}}},
            "unknown",
        ),
        (
            {"scenario": COOKS, "players": {"chef": {"kind": "agent", "name": "greedy+greedy"}}},
            "unknown agent",
        ),
        (
            {"scenario": COOKS, "players": {"chef": {"kind": "model", "name": "act", "model": "gpt"}}},
            "unknown model",
        ),
        (
            {"scenario": COOKS, "players": {"chef": {"kind": "model", "name": RUNS, "model": "stand-in"}}},
            "no server runs what a model writes",
        ),
        (
            {"scenario": COOKS, "players": {"chef": {"kind": "model", "model": "x", "base_url": "http://a"}}},
            "base_url",
        ),
        ({"scenario": COOKS, "stand_in": "mine:Agent"}, "unknown agent"),
        ({"scenario": COOKS, "rules": "cheating"}, "unknown rule set"),
        ({"scenario": COOKS, "limits": "9" * 300}, "length"),
        ({"scenario": COOKS, "folder": "games"}, "folder"),
        ({}, "scenario"),
        ([], "object"),
    ],
)
def test_a_game_that_cannot_be_is_not_opened(port: int, plan: object, said: str) -> None:
    body = json.dumps(plan).encode()
    status, _, text = asked(port, "/api/games", "POST", body, content_type="application/json")
    assert status == 400 and said in json.loads(text)["error"]


def test_a_form_of_another_page_opens_no_game(port: int) -> None:
    body = json.dumps({"scenario": COOKS}).encode()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a"):
        assert asked(port, "/api/games", "POST", body, content_type=kind)[0] == 415
    evil = asked(
        port, "/api/games", "POST", body, content_type="application/json", origin="http://evil.example"
    )
    assert evil[0] == 403
    assert asked(port, "/api/games", "POST", b"{" * 100_000, content_type="application/json")[0] == 413
    deep = asked(port, "/api/games", "POST", b"[" * 16_000, content_type="application/json")
    assert deep[0] == 400


def test_a_guarded_site_opens_games_with_its_token_alone(tmp_path: Path) -> None:
    token = "correct-horse-battery-staple"  # noqa: S105
    body = json.dumps({"scenario": COOKS}).encode()
    with site(tmp_path, token=token) as port:
        for path in ("/api/offers", "/api/games", "/api/scenario?id=timearena/cooking1"):
            assert asked(port, path)[0] == 401
            assert asked(port, path, authorization=f"Bearer {token}")[0] == 200
            assert asked(port, path, authorization=f"Bearer {token[:-1]}")[0] == 401
            assert asked(port, path, authorization=f"Basic {token}")[0] == 401
        assert asked(port, "/api/games", "POST", body, content_type="application/json")[0] == 401
        assert asked(port, "/")[0] == 200  # where the token is asked for
        said = [asked(port, "/api/games", authorization=f"Bearer {n}")[0] for n in range(40)]
        assert 429 in said  # who guesses is not listened to
        assert set(said[said.index(429) :]) == {429}
        assert (
            asked(port, "/api/games", authorization=f"Bearer {token}")[0] == 200
        )  # others' guesses cost nothing


def test_how_much_one_address_may_do_is_said_where_the_server_listens(tmp_path: Path) -> None:
    assert (Listening("192.0.2.1:8765").room, Listening("").room) == (Room(64, 30), Room(64, 30))
    room = Listening("192.0.2.1:8765@connections=400,wrong=3")
    assert (room.host, room.port, room.room) == ("192.0.2.1", 8765, Room(400, 3))
    with pytest.raises(UnknownName, match="connections"):
        _ = Listening("8765@conections=4").room
    token = "correct-horse-battery-staple"  # noqa: S105
    with site(tmp_path, token=token, bounds=Bounds(wrong_tokens=3)) as port:
        said = [asked(port, "/api/games", authorization=f"Bearer {n}")[0] for n in range(4)]
        assert said == [401, 401, 401, 429]
