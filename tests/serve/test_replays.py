"""A game that is over can be gone through from its beginning, by whoever came too late."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from backburner.serve.protocol import End, Frame, Move, Over, Turn
from support.serve.site import Page, asked, opened, site

PERSON = {"kind": "person", "name": "Ann"}
GREEDY = {"kind": "agent", "name": "greedy"}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with site(tmp_path_factory.mktemp("games")) as port:
        yield port


def frames(port: int, token: str) -> tuple[int, list[Frame]]:
    status, _, text = asked(port, "/api/frames", authorization=f"Bearer {token}")
    return status, msgspec.json.decode(text, type=list[Frame]) if status == 200 else []


def heard(page: Page) -> dict[int, Frame]:
    return {message.number: message for message in page.heard if isinstance(message, Frame)}


def test_the_frames_are_those_that_were_shown(port: int) -> None:
    scenario = "robotouille/multi_agent/1@seed=42"
    game = opened(port, scenario, {"robot1": PERSON, "robot2": GREEDY})
    with Page(port, game["seats"]["robot1"]) as page, Page(port, game["watch"]) as onlooker:
        turn = page.until(Turn)
        assert frames(port, game["watch"])[0] == 400, "what comes next is nobody's to know"
        for number in range(1, 4):
            page.say(Move(number, turn.number, option=0))
            turn = page.until(Turn)
        with Page(port, game["host"]) as host:
            host.say(End())
            onlooker.until(Over)
            page.until(Over)
        for token, shown in ((game["watch"], heard(onlooker)), (game["seats"]["robot1"], heard(page))):
            status, told = frames(port, token)
            assert status == 200
            assert [frame.number for frame in told] == list(range(len(told)))
            assert len(told) > 3
            for frame in told:
                if frame.number in shown:
                    live = shown[frame.number]
                    assert (frame.scene, frame.time) == (live.scene, live.time)


def test_a_seat_sees_again_what_it_saw_and_no_more(port: int) -> None:
    game = opened(port, "timearena/household1", {"agent": GREEDY}, beat_seconds=0.0)
    with Page(port, game["watch"]) as onlooker:
        onlooker.until(Over)
    status, told = frames(port, game["watch"])
    assert status == 200
    assert told[0].number == 0 and told[0].events == () and told[0].scene is not None
    assert sum(len(frame.events) for frame in told) > 5


def test_nobody_sees_a_game_without_its_token(port: int) -> None:
    assert frames(port, "wrong")[0] == 403
    assert asked(port, "/api/frames")[0] == 403
